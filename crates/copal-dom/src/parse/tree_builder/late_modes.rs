//! The insertion modes "in template" (13.2.6.4.16) and those after the body and of framesets (13.2.6.4.17 to
//! 13.2.6.4.21).
//!
//! In: tags. Out: changes of the tree.

use super::body_start_tags::belongs_to_head;
use super::{EndTag, Mode, StartTag, Step, TreeBuilder};
use crate::tags;

impl TreeBuilder {
    pub(super) fn template_start_tag(&mut self, tag: StartTag) -> Step {
        use tags::*;
        let mode = match tag.tag {
            other if belongs_to_head(other) => return self.head_start_tag(tag),
            CAPTION | COLGROUP | TBODY | TFOOT | THEAD => Mode::InTable,
            COL => Mode::InColumnGroup,
            TR => Mode::InTableBody,
            TD | TH => Mode::InRow,
            _ => Mode::InBody,
        };
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.mode = mode;
        Step::Again
    }

    pub(super) fn template_end_tag(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            tags::TEMPLATE => self.close_template(),
            _ => Step::Done,
        }
    }

    /// The end of the page in the modes that templates can be in: they are closed, one after the other.
    pub(super) fn end_template(&mut self) -> Step {
        if self.template_modes.is_empty() || !self.stack.has_open(tags::TEMPLATE) {
            return Step::Done;
        }
        self.stack.pop_until(tags::TEMPLATE);
        self.formatting.clear_to_marker();
        self.template_modes.pop();
        self.reset_mode();
        Step::Again
    }

    /// "Anything else" after the body: it goes on.
    pub(super) fn return_to_body(&mut self) -> Step {
        self.mode = Mode::InBody;
        Step::Again
    }

    pub(super) fn after_body_start_tag(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            tags::HTML => self.body_start_tag(tag),
            _ => self.return_to_body(),
        }
    }

    pub(super) fn after_body_end_tag(&mut self, mode: Mode, tag: EndTag) -> Step {
        if mode == Mode::AfterBody && tag.tag == tags::HTML {
            self.mode = Mode::AfterAfterBody;
            return Step::Done;
        }
        self.return_to_body()
    }

    /// In "in frameset", "after frameset" and "after after frameset".
    pub(super) fn frameset_start_tag(&mut self, mode: Mode, tag: StartTag) -> Step {
        match tag.tag {
            tags::HTML => self.body_start_tag(tag),
            tags::NOFRAMES => self.head_start_tag(tag),
            tags::FRAMESET if mode == Mode::InFrameset => {
                self.insert_html(tag);
                Step::Done
            }
            tags::FRAME if mode == Mode::InFrameset => {
                self.insert_void(tag);
                Step::Done
            }
            _ => Step::Done,
        }
    }

    pub(super) fn frameset_end_tag(&mut self, tag: EndTag) -> Step {
        if tag.tag == tags::FRAMESET && self.stack.len() > 1 {
            self.stack.pop();
            if !self.stack.current().is_html(tags::FRAMESET) {
                self.mode = Mode::AfterFrameset;
            }
        }
        Step::Done
    }

    pub(super) fn after_frameset_end_tag(&mut self, tag: EndTag) -> Step {
        if tag.tag == tags::HTML {
            self.mode = Mode::AfterAfterFrameset;
        }
        Step::Done
    }
}
