//! Start tags and text in the insertion mode "in body" (13.2.6.4.7).
//!
//! In: start tags and text. Out: changes of the tree.

use super::element_classes::{BUTTON_SCOPE, ENDS_ITEM_SEARCH, HEADING, IN_MATHML, IN_SVG, SCOPE};
use super::formatting::FormattingElement;
use super::open_elements::OpenElement;
use super::{Mode, StartTag, Step, TreeBuilder};
use crate::attrs;
use crate::parse::tokenizer::Content;
use crate::tags::{self, Tag, TagName};
use crate::tree::NONE;

impl TreeBuilder {
    pub(super) fn body_text(&mut self, text: &str) {
        self.reconstruct_formatting();
        if self.frameset_ok && !is_white_space(text) {
            self.frameset_ok = false;
        }
        self.insert_text(text);
    }

    #[inline]
    pub(super) fn close_p_in_button_scope(&mut self) {
        if self.stack.has_in(SCOPE | BUTTON_SCOPE, tags::P) {
            self.stack.close_p();
        }
    }

    pub(super) fn body_start_tag(&mut self, tag: StartTag) -> Step {
        use tags::*;
        match tag.tag {
            DIV | UL | P | SECTION | ARTICLE | NAV | HEADER | FOOTER | ADDRESS | ASIDE | BLOCKQUOTE
            | CENTER | DETAILS | DIALOG | DIR | DL | FIELDSET | FIGCAPTION | FIGURE | HGROUP | MAIN
            | MENU | OL | SEARCH | SUMMARY => {
                self.close_p_in_button_scope();
                self.insert_html(tag);
            }
            A => {
                self.close_open_link();
                self.insert_formatting(tag);
            }
            LI | DD | DT => self.item(tag),
            B | BIG | CODE | EM | FONT | I | S | SMALL | STRIKE | STRONG | TT | U => {
                self.insert_formatting(tag);
            }
            IMG | BR | AREA | EMBED | KEYGEN | WBR => self.insert_void_content(tag),
            IMAGE => {
                let img = StartTag { name: TagName::from(IMG), tag: IMG, ..tag };
                self.insert_void_content(img);
            }
            INPUT => self.input(tag),
            PARAM | SOURCE | TRACK => {
                self.insert_void(tag);
            }
            H1 | H2 | H3 | H4 | H5 | H6 => {
                self.close_p_in_button_scope();
                if self.stack.current().has(HEADING) {
                    self.stack.pop();
                }
                self.insert_html(tag);
            }
            BASE | BASEFONT | BGSOUND | LINK | META | NOFRAMES | SCRIPT | STYLE | TEMPLATE | TITLE => {
                return self.head_start_tag(tag);
            }
            HTML => {
                if !self.stack.has_open(TEMPLATE) {
                    self.merge_attributes(self.stack.get(0).node, tag);
                }
            }
            BODY => self.second_body(tag),
            FRAMESET => self.frameset_in_body(tag),
            PRE | LISTING => {
                self.close_p_in_button_scope();
                self.insert_html(tag);
                self.skips_line_feed = true;
                self.frameset_ok = false;
            }
            FORM => self.form(tag),
            PLAINTEXT => {
                self.close_p_in_button_scope();
                self.insert_html(tag);
                self.content = Content::Plaintext;
            }
            BUTTON => {
                if self.stack.has_in_scope(BUTTON) {
                    self.stack.close_implied();
                    self.stack.pop_until(BUTTON);
                }
                self.reconstruct_formatting();
                self.insert_html(tag);
                self.frameset_ok = false;
            }
            NOBR => {
                self.reconstruct_formatting();
                if self.stack.has_in_scope(NOBR) {
                    self.adoption_agency(TagName::from(NOBR));
                }
                self.insert_formatting(tag);
            }
            APPLET | MARQUEE | OBJECT => {
                self.reconstruct_formatting();
                self.insert_html(tag);
                self.formatting.push_marker();
                self.frameset_ok = false;
            }
            TABLE => {
                if !self.is_quirks {
                    self.close_p_in_button_scope();
                }
                self.insert_html(tag);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            HR => {
                self.close_p_in_button_scope();
                if self.stack.has_in_scope(SELECT) {
                    self.stack.close_implied();
                }
                self.insert_void(tag);
                self.frameset_ok = false;
            }
            TEXTAREA => {
                self.skips_line_feed = true;
                self.frameset_ok = false;
                return self.insert_raw(tag, Content::Rcdata);
            }
            XMP => {
                self.close_p_in_button_scope();
                self.reconstruct_formatting();
                self.frameset_ok = false;
                return self.insert_raw(tag, Content::Rawtext);
            }
            IFRAME => {
                self.frameset_ok = false;
                return self.insert_raw(tag, Content::Rawtext);
            }
            NOEMBED => return self.insert_raw(tag, Content::Rawtext),
            SELECT => {
                if self.stack.has_in_scope(SELECT) {
                    self.stack.pop_until(SELECT);
                } else {
                    self.reconstruct_formatting();
                    self.insert_html(tag);
                    self.frameset_ok = false;
                }
            }
            OPTION | OPTGROUP => self.option(tag),
            RB | RTC => {
                if self.stack.has_in_scope(RUBY) {
                    self.stack.close_implied();
                }
                self.insert_html(tag);
            }
            RP | RT => {
                if self.stack.has_in_scope(RUBY) {
                    self.stack.close_implied_except(TagName::from(RTC));
                }
                self.insert_html(tag);
            }
            MATH => {
                self.reconstruct_formatting();
                self.insert_foreign_root(tag, IN_MATHML);
            }
            SVG => {
                self.reconstruct_formatting();
                self.insert_foreign_root(tag, IN_SVG);
            }
            CAPTION | COL | COLGROUP | FRAME | HEAD | TBODY | TD | TFOOT | TH | THEAD | TR => {}
            _ => {
                self.reconstruct_formatting();
                self.insert_html(tag);
            }
        }
        Step::Done
    }

    /// An element that is content but has none: `img`, `br` …
    pub(super) fn insert_void_content(&mut self, tag: StartTag) {
        self.reconstruct_formatting();
        self.insert_void(tag);
        self.frameset_ok = false;
    }

    fn insert_formatting(&mut self, tag: StartTag) {
        self.reconstruct_formatting();
        let node = self.insert_html(tag);
        let position = self.stack.len() - 1;
        let table = self.draft.known_attrs();
        let element = FormattingElement::new(node, tag.name, tag.attrs, table, position);
        self.formatting.push(element, table);
    }

    /// Closes an `a` that is still open, as links cannot be nested.
    fn close_open_link(&mut self) {
        if let Some(link) = self.formatting.find_tag(tags::A) {
            self.adoption_agency(TagName::from(tags::A));
            self.formatting.remove_node(link.node);
            self.stack.remove_node(link.node);
        }
    }

    /// "Reconstruct the active formatting elements" (13.2.4.3).
    #[inline]
    pub(super) fn reconstruct_formatting(&mut self) {
        if let Some(first) = self.formatting.first_closed(&self.stack) {
            self.reconstruct_from(first);
        }
    }

    fn reconstruct_from(&mut self, first: usize) {
        let mut at = first;
        while let Some(element) = self.formatting.element(at) {
            let FormattingElement { name, attrs, .. } = element;
            let tag = StartTag { name, tag: Self::tag_of(name), attrs, self_closing: false };
            let node = self.insert_html(tag);
            self.formatting.replace(at, element.again(node, self.stack.len() - 1));
            at += 1;
        }
    }

    fn item(&mut self, tag: StartTag) {
        self.frameset_ok = false;
        let closes = |name: TagName| match tag.tag {
            tags::LI => name == TagName::from(tags::LI),
            _ => name == TagName::from(tags::DD) || name == TagName::from(tags::DT),
        };
        let ends = |element: &OpenElement| closes(element.name) || element.has(ENDS_ITEM_SEARCH);
        let end = self.stack.outward().copied().find(ends);
        if let Some(open) = end.filter(|element| closes(element.name)) {
            self.stack.close_implied_except(open.name);
            self.stack.pop_until(Self::tag_of(open.name));
        }
        self.close_p_in_button_scope();
        self.insert_html(tag);
    }

    fn input(&mut self, tag: StartTag) {
        if self.stack.has_in_scope(tags::SELECT) {
            self.stack.pop_until(tags::SELECT);
        }
        self.reconstruct_formatting();
        self.insert_void(tag);
        self.frameset_ok &= self.is_type_hidden(tag);
    }

    pub(super) fn is_type_hidden(&self, tag: StartTag) -> bool {
        let value = self.draft.known_attrs().get(tag.attrs, attrs::TYPE);
        value.is_some_and(|value| value.eq_ignore_ascii_case("hidden"))
    }

    fn option(&mut self, tag: StartTag) {
        if self.stack.has_in_scope(tags::SELECT) {
            if tag.tag == tags::OPTION {
                self.stack.close_implied_except(TagName::from(tags::OPTGROUP));
            } else {
                self.stack.close_implied();
            }
        } else if self.stack.current().is_html(tags::OPTION) {
            self.stack.pop();
        }
        self.reconstruct_formatting();
        self.insert_html(tag);
    }

    fn form(&mut self, tag: StartTag) {
        let in_template = self.stack.has_open(tags::TEMPLATE);
        if self.form != NONE && !in_template {
            return;
        }
        self.close_p_in_button_scope();
        let node = self.insert_html(tag);
        if !in_template {
            self.form = node;
        }
    }

    /// True if the second element of the stack is `body`.
    fn has_body(&self) -> bool {
        self.stack.get(1).is_html(tags::BODY)
    }

    fn second_body(&mut self, tag: StartTag) {
        if self.has_body() && !self.stack.has_open(tags::TEMPLATE) {
            self.frameset_ok = false;
            self.merge_attributes(self.stack.get(1).node, tag);
        }
    }

    fn frameset_in_body(&mut self, tag: StartTag) {
        if self.frameset_ok && self.has_body() {
            self.draft.detach(self.stack.get(1).node);
            self.stack.truncate(1);
            self.insert_html(tag);
            self.mode = Mode::InFrameset;
        }
    }
}

/// White space as the standard means it.
pub(super) fn is_white_space(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}

/// Tags of a template that the mode "in template" hands to "in head".
pub(super) fn belongs_to_head(tag: Tag) -> bool {
    use tags::*;
    matches!(tag, BASE | BASEFONT | BGSOUND | LINK | META | NOFRAMES | SCRIPT | STYLE | TEMPLATE | TITLE)
}
