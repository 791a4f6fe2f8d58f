//! The insertion modes "in table" to "in cell" (13.2.6.4.9 to 13.2.6.4.15).
//!
//! In: tags and text. Out: changes of the tree. What does not belong into a table is moved before it ([`insertion`]).
//!
//! [`insertion`]: super::insertion

use super::body_start_tags::is_white_space;
use super::element_classes::{BODY_CONTEXT, CELL, FOSTERS, ROW_CONTEXT, TABLE_PART, TABLE_SCOPE};
use super::{EndTag, Mode, StartTag, Step, TreeBuilder};
use crate::tags;
use crate::tree::NONE;

impl TreeBuilder {
    fn foster_start_tag(&mut self, tag: StartTag) -> Step {
        self.fosters = true;
        let step = self.body_start_tag(tag);
        self.fosters = false;
        step
    }

    fn foster_end_tag(&mut self, tag: EndTag) -> Step {
        self.fosters = true;
        let step = self.body_end_tag(tag);
        self.fosters = false;
        step
    }

    fn foster_text(&mut self, text: &str) {
        self.fosters = true;
        self.body_text(text);
        self.fosters = false;
    }

    /// Text in a table is collected until it ends, as one character decides about all of it.
    pub(super) fn text_in_table(&mut self, text: &str) {
        if self.stack.current().has(FOSTERS) {
            self.original_mode = self.mode;
            self.mode = Mode::InTableText;
            self.table_text.push_str(text);
        } else {
            self.foster_text(text);
        }
    }

    /// The end of the mode "in table text".
    pub(super) fn end_table_text(&mut self) -> Step {
        self.mode = self.original_mode;
        let mut text = std::mem::take(&mut self.table_text);
        if is_white_space(&text) {
            self.insert_text(&text);
        } else {
            self.foster_text(&text);
        }
        text.clear();
        self.table_text = text;
        Step::Again
    }

    fn in_table_scope(&self, tag: tags::Tag) -> bool {
        self.stack.has_in(TABLE_SCOPE, tag)
    }

    pub(super) fn table_start_tag(&mut self, tag: StartTag) -> Step {
        use tags::*;
        match tag.tag {
            CAPTION => {
                self.stack.pop_to(TABLE_SCOPE);
                self.formatting.push_marker();
                self.insert_html(tag);
                self.mode = Mode::InCaption;
            }
            COLGROUP => {
                self.stack.pop_to(TABLE_SCOPE);
                self.insert_html(tag);
                self.mode = Mode::InColumnGroup;
            }
            COL => {
                self.stack.pop_to(TABLE_SCOPE);
                self.insert_implied(COLGROUP);
                self.mode = Mode::InColumnGroup;
                return Step::Again;
            }
            TBODY | TFOOT | THEAD => {
                self.stack.pop_to(TABLE_SCOPE);
                self.insert_html(tag);
                self.mode = Mode::InTableBody;
            }
            TD | TH | TR => {
                self.stack.pop_to(TABLE_SCOPE);
                self.insert_implied(TBODY);
                self.mode = Mode::InTableBody;
                return Step::Again;
            }
            TABLE => {
                if self.in_table_scope(TABLE) {
                    self.stack.pop_until(TABLE);
                    self.reset_mode();
                    return Step::Again;
                }
            }
            STYLE | SCRIPT | TEMPLATE => return self.head_start_tag(tag),
            INPUT if self.is_type_hidden(tag) => {
                self.insert_void(tag);
            }
            FORM => {
                if self.form == NONE && !self.stack.has_open(TEMPLATE) {
                    self.form = self.insert_void(tag);
                }
            }
            _ => return self.foster_start_tag(tag),
        }
        Step::Done
    }

    pub(super) fn table_end_tag(&mut self, tag: EndTag) -> Step {
        use tags::*;
        match tag.tag {
            TABLE => {
                if self.in_table_scope(TABLE) {
                    self.stack.pop_until(TABLE);
                    self.reset_mode();
                }
                Step::Done
            }
            BODY | CAPTION | COL | COLGROUP | HTML | TBODY | TD | TFOOT | TH | THEAD | TR => Step::Done,
            TEMPLATE => self.close_template(),
            _ => self.foster_end_tag(tag),
        }
    }

    fn close_caption(&mut self) -> bool {
        let is_open = self.in_table_scope(tags::CAPTION);
        if is_open {
            self.stack.close_implied();
            self.stack.pop_until(tags::CAPTION);
            self.formatting.clear_to_marker();
            self.mode = Mode::InTable;
        }
        is_open
    }

    pub(super) fn caption_start_tag(&mut self, tag: StartTag) -> Step {
        use tags::*;
        match tag.tag {
            CAPTION | COL | COLGROUP | TBODY | TD | TFOOT | TH | THEAD | TR => {
                if self.close_caption() {
                    return Step::Again;
                }
                Step::Done
            }
            _ => self.body_start_tag(tag),
        }
    }

    pub(super) fn caption_end_tag(&mut self, tag: EndTag) -> Step {
        use tags::*;
        match tag.tag {
            TABLE => {
                if self.close_caption() {
                    return Step::Again;
                }
                Step::Done
            }
            CAPTION => {
                self.close_caption();
                Step::Done
            }
            BODY | COL | COLGROUP | HTML | TBODY | TD | TFOOT | TH | THEAD | TR => Step::Done,
            _ => self.body_end_tag(tag),
        }
    }

    /// "Anything else" of "in column group".
    pub(super) fn end_column_group(&mut self) -> Step {
        if !self.stack.current().is_html(tags::COLGROUP) {
            return Step::Done;
        }
        self.stack.pop();
        self.mode = Mode::InTable;
        Step::Again
    }

    pub(super) fn column_group_start_tag(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            tags::HTML => self.body_start_tag(tag),
            tags::COL => {
                self.insert_void(tag);
                Step::Done
            }
            tags::TEMPLATE => self.head_start_tag(tag),
            _ => self.end_column_group(),
        }
    }

    pub(super) fn column_group_end_tag(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            tags::COLGROUP => {
                let _ = self.end_column_group();
                Step::Done
            }
            tags::COL => Step::Done,
            tags::TEMPLATE => self.close_template(),
            _ => self.end_column_group(),
        }
    }

    pub(super) fn table_body_start_tag(&mut self, tag: StartTag) -> Step {
        use tags::*;
        match tag.tag {
            TR => {
                self.stack.pop_to(BODY_CONTEXT);
                self.insert_html(tag);
                self.mode = Mode::InRow;
                Step::Done
            }
            TH | TD => {
                self.stack.pop_to(BODY_CONTEXT);
                self.insert_implied(TR);
                self.mode = Mode::InRow;
                Step::Again
            }
            CAPTION | COL | COLGROUP | TBODY | TFOOT | THEAD => self.close_table_body(),
            _ => self.table_start_tag(tag),
        }
    }

    fn close_table_body(&mut self) -> Step {
        // the standard asks for tbody, thead or tfoot: they differ for a thead without a table, in a template
        if !self.stack.has_class_in(TABLE_SCOPE, TABLE_PART) {
            return Step::Done;
        }
        self.stack.pop_to(BODY_CONTEXT);
        self.stack.pop();
        self.mode = Mode::InTable;
        Step::Again
    }

    pub(super) fn table_body_end_tag(&mut self, tag: EndTag) -> Step {
        use tags::*;
        match tag.tag {
            TBODY | TFOOT | THEAD => {
                if self.in_table_scope(tag.tag) {
                    self.stack.pop_to(BODY_CONTEXT);
                    self.stack.pop();
                    self.mode = Mode::InTable;
                }
                Step::Done
            }
            TABLE => self.close_table_body(),
            BODY | CAPTION | COL | COLGROUP | HTML | TD | TH | TR => Step::Done,
            _ => self.table_end_tag(tag),
        }
    }

    /// True if a row was open.
    fn close_row(&mut self) -> bool {
        let is_open = self.in_table_scope(tags::TR);
        if is_open {
            self.stack.pop_to(ROW_CONTEXT);
            self.stack.pop();
            self.mode = Mode::InTableBody;
        }
        is_open
    }

    pub(super) fn row_start_tag(&mut self, tag: StartTag) -> Step {
        use tags::*;
        match tag.tag {
            TH | TD => {
                self.stack.pop_to(ROW_CONTEXT);
                self.insert_html(tag);
                self.mode = Mode::InCell;
                self.formatting.push_marker();
                Step::Done
            }
            CAPTION | COL | COLGROUP | TBODY | TFOOT | THEAD | TR => self.again_if_row_was_open(),
            _ => self.table_start_tag(tag),
        }
    }

    fn again_if_row_was_open(&mut self) -> Step {
        if self.close_row() { Step::Again } else { Step::Done }
    }

    pub(super) fn row_end_tag(&mut self, tag: EndTag) -> Step {
        use tags::*;
        match tag.tag {
            TR => {
                self.close_row();
                Step::Done
            }
            TABLE => self.again_if_row_was_open(),
            TBODY | TFOOT | THEAD => {
                if self.in_table_scope(tag.tag) {
                    self.again_if_row_was_open()
                } else {
                    Step::Done
                }
            }
            BODY | CAPTION | COL | COLGROUP | HTML | TD | TH => Step::Done,
            _ => self.table_end_tag(tag),
        }
    }

    /// "Close the cell".
    fn close_cell(&mut self) -> Step {
        self.stack.close_implied();
        self.stack.pop_until_class(CELL);
        self.formatting.clear_to_marker();
        self.mode = Mode::InRow;
        Step::Again
    }

    pub(super) fn cell_start_tag(&mut self, tag: StartTag) -> Step {
        use tags::*;
        match tag.tag {
            CAPTION | COL | COLGROUP | TBODY | TD | TFOOT | TH | THEAD | TR => {
                if self.stack.has_class_in(TABLE_SCOPE, CELL) { self.close_cell() } else { Step::Done }
            }
            _ => self.body_start_tag(tag),
        }
    }

    pub(super) fn cell_end_tag(&mut self, tag: EndTag) -> Step {
        use tags::*;
        match tag.tag {
            TD | TH => {
                if self.in_table_scope(tag.tag) {
                    self.stack.close_implied();
                    self.stack.pop_until(tag.tag);
                    self.formatting.clear_to_marker();
                    self.mode = Mode::InRow;
                }
                Step::Done
            }
            BODY | CAPTION | COL | COLGROUP | HTML => Step::Done,
            TABLE | TBODY | TFOOT | THEAD | TR => {
                if self.in_table_scope(tag.tag) {
                    self.close_cell()
                } else {
                    Step::Done
                }
            }
            _ => self.body_end_tag(tag),
        }
    }
}
