//! End tags in the insertion mode "in body" (13.2.6.4.7).
//!
//! In: end tags. Out: changes of the tree.

use super::element_classes::{BUTTON_SCOPE, HEADING, LIST_ITEM_SCOPE, SCOPE, SPECIAL};
use super::{EndTag, Mode, StartTag, Step, TreeBuilder, UNKNOWN_NAME};
use crate::tags::{self, TagName};
use crate::tree::NONE;

impl TreeBuilder {
    pub(super) fn body_end_tag(&mut self, tag: EndTag) -> Step {
        use tags::*;
        match tag.tag {
            DIV | UL | SECTION | ARTICLE | NAV | HEADER | FOOTER | BUTTON | ADDRESS | ASIDE | BLOCKQUOTE
            | CENTER | DETAILS | DIALOG | DIR | DL | FIELDSET | FIGCAPTION | FIGURE | HGROUP | LISTING
            | MAIN | MENU | OL | PRE | SEARCH | SELECT | SUMMARY => {
                if self.stack.has_in_scope(tag.tag) {
                    self.stack.close_implied();
                    self.stack.pop_until(tag.tag);
                }
            }
            A | B | BIG | CODE | EM | FONT | I | NOBR | S | SMALL | STRIKE | STRONG | TT | U => {
                self.adoption_agency(tag.name);
            }
            LI => self.close_item(tag, SCOPE | LIST_ITEM_SCOPE),
            DD | DT => self.close_item(tag, SCOPE),
            P => {
                if !self.stack.has_in(SCOPE | BUTTON_SCOPE, P) {
                    self.insert_implied(P);
                }
                self.stack.close_p();
            }
            H1 | H2 | H3 | H4 | H5 | H6 => {
                if self.stack.has_class_in(SCOPE, HEADING) {
                    self.stack.close_implied();
                    self.stack.pop_until_class(HEADING);
                }
            }
            TEMPLATE => return self.close_template(),
            BODY => {
                if self.stack.has_in_scope(BODY) {
                    self.mode = Mode::AfterBody;
                }
            }
            HTML => {
                if self.stack.has_in_scope(BODY) {
                    self.mode = Mode::AfterBody;
                    return Step::Again;
                }
            }
            FORM => self.close_form(),
            APPLET | MARQUEE | OBJECT => {
                if self.stack.has_in_scope(tag.tag) {
                    self.stack.close_implied();
                    self.stack.pop_until(tag.tag);
                    self.formatting.clear_to_marker();
                }
            }
            BR => self.insert_void_content(StartTag::implied(BR)),
            _ => self.any_other_end_tag(tag.name),
        }
        Step::Done
    }

    fn close_item(&mut self, tag: EndTag, scope: u32) {
        if self.stack.has_in(scope, tag.tag) {
            self.stack.close_implied_except(tag.name);
            self.stack.pop_until(tag.tag);
        }
    }

    fn close_form(&mut self) {
        if self.stack.has_open(tags::TEMPLATE) {
            if self.stack.has_in_scope(tags::FORM) {
                self.stack.close_implied();
                self.stack.pop_until(tags::FORM);
            }
            return;
        }
        let form = std::mem::replace(&mut self.form, NONE);
        if form != NONE && self.stack.has_node_in_scope(form) {
            self.stack.close_implied();
            self.stack.remove_node(form);
        }
    }

    /// "Any other end tag".
    pub(super) fn any_other_end_tag(&mut self, name: TagName) {
        if name == UNKNOWN_NAME || !self.stack.may_have(name) {
            return;
        }
        let mut search = (0..self.stack.len()).rev().map(|at| (at, self.stack.get(at)));
        let end = search.find(|(_, element)| element.name == name || element.has(SPECIAL));
        if let Some((at, element)) = end
            && element.name == name
        {
            self.stack.close_implied_except(name);
            self.stack.truncate(at);
        }
    }
}
