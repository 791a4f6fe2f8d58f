//! The insertion modes until the head ends: "initial", "before html", "before head", "in head", "in head noscript" and
//! "after head" (13.2.6.4.1 to 13.2.6.4.6).
//!
//! In: tags. Out: changes of the tree. For each mode there is also its "anything else", as `end_…`.

use super::open_elements::OpenElement;
use super::{EndTag, Mode, StartTag, Step, TreeBuilder};
use crate::draft::Draft;
use crate::parse::tokenizer::Content;
use crate::tags::{self, TagName};

impl TreeBuilder {
    /// "Anything else" of "initial": the page has no DOCTYPE.
    pub(super) fn end_initial(&mut self) -> Step {
        self.set_quirks(true);
        self.mode = Mode::BeforeHtml;
        Step::Again
    }

    fn create_root(&mut self, tag: StartTag) {
        let node = self.create_html(tag);
        self.draft.append(Draft::DOCUMENT_NODE, node);
        self.stack.push(OpenElement::html(node, tag.name));
        self.mode = Mode::BeforeHead;
    }

    pub(super) fn end_before_html(&mut self) -> Step {
        self.create_root(StartTag::implied(tags::HTML));
        Step::Again
    }

    pub(super) fn before_html_start_tag(&mut self, tag: StartTag) -> Step {
        if tag.tag != tags::HTML {
            return self.end_before_html();
        }
        self.create_root(tag);
        Step::Done
    }

    pub(super) fn before_html_end_tag(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            tags::HEAD | tags::BODY | tags::HTML | tags::BR => self.end_before_html(),
            _ => Step::Done,
        }
    }

    pub(super) fn end_before_head(&mut self) -> Step {
        self.head = self.insert_implied(tags::HEAD);
        self.mode = Mode::InHead;
        Step::Again
    }

    pub(super) fn before_head_start_tag(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            tags::HTML => self.body_start_tag(tag),
            tags::HEAD => {
                self.head = self.insert_html(tag);
                self.mode = Mode::InHead;
                Step::Done
            }
            _ => self.end_before_head(),
        }
    }

    pub(super) fn before_head_end_tag(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            tags::HEAD | tags::BODY | tags::HTML | tags::BR => self.end_before_head(),
            _ => Step::Done,
        }
    }

    pub(super) fn end_head(&mut self) -> Step {
        self.stack.pop();
        self.mode = Mode::AfterHead;
        Step::Again
    }

    pub(super) fn head_start_tag(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            tags::HTML => self.body_start_tag(tag),
            tags::BASE | tags::BASEFONT | tags::BGSOUND | tags::LINK | tags::META => {
                self.insert_void(tag);
                Step::Done
            }
            tags::TITLE => self.insert_raw(tag, Content::Rcdata),
            tags::NOFRAMES | tags::STYLE => self.insert_raw(tag, Content::Rawtext),
            tags::SCRIPT => self.insert_raw(tag, Content::Script),
            // scripting is off
            tags::NOSCRIPT => {
                self.insert_html(tag);
                self.mode = Mode::InHeadNoscript;
                Step::Done
            }
            tags::TEMPLATE => {
                self.formatting.push_marker();
                self.frameset_ok = false;
                self.mode = Mode::InTemplate;
                self.template_modes.push(Mode::InTemplate);
                self.insert_html(tag);
                Step::Done
            }
            tags::HEAD => Step::Done,
            _ => self.end_head(),
        }
    }

    pub(super) fn head_end_tag(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            tags::HEAD => {
                let _ = self.end_head();
                Step::Done
            }
            tags::BODY | tags::HTML | tags::BR => self.end_head(),
            tags::TEMPLATE => self.close_template(),
            _ => Step::Done,
        }
    }

    /// The end tag of a template, in any mode.
    pub(super) fn close_template(&mut self) -> Step {
        if self.stack.has_open(tags::TEMPLATE) {
            self.stack.close_implied_thoroughly();
            self.stack.pop_until(tags::TEMPLATE);
            self.formatting.clear_to_marker();
            self.template_modes.pop();
            self.reset_mode();
        }
        Step::Done
    }

    pub(super) fn end_head_noscript(&mut self) -> Step {
        self.stack.pop();
        self.mode = Mode::InHead;
        Step::Again
    }

    pub(super) fn head_noscript_start_tag(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            tags::HTML => self.body_start_tag(tag),
            tags::BASEFONT | tags::BGSOUND | tags::LINK | tags::META | tags::NOFRAMES | tags::STYLE => {
                self.head_start_tag(tag)
            }
            tags::HEAD | tags::NOSCRIPT => Step::Done,
            _ => self.end_head_noscript(),
        }
    }

    pub(super) fn head_noscript_end_tag(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            tags::NOSCRIPT => {
                let _ = self.end_head_noscript();
                Step::Done
            }
            tags::BR => self.end_head_noscript(),
            _ => Step::Done,
        }
    }

    pub(super) fn end_after_head(&mut self) -> Step {
        self.insert_implied(tags::BODY);
        self.mode = Mode::InBody;
        Step::Again
    }

    pub(super) fn after_head_start_tag(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            tags::HTML => self.body_start_tag(tag),
            tags::BODY => {
                self.insert_html(tag);
                self.frameset_ok = false;
                self.mode = Mode::InBody;
                Step::Done
            }
            tags::FRAMESET => {
                self.insert_html(tag);
                self.mode = Mode::InFrameset;
                Step::Done
            }
            tags::BASE
            | tags::BASEFONT
            | tags::BGSOUND
            | tags::LINK
            | tags::META
            | tags::NOFRAMES
            | tags::SCRIPT
            | tags::STYLE
            | tags::TEMPLATE
            | tags::TITLE => {
                // it belongs to the head all the same
                let head = self.head;
                self.stack.push(OpenElement::html(head, TagName::from(tags::HEAD)));
                let step = self.head_start_tag(tag);
                self.stack.remove_node(head);
                step
            }
            tags::HEAD => Step::Done,
            _ => self.end_after_head(),
        }
    }

    pub(super) fn after_head_end_tag(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            tags::TEMPLATE => self.close_template(),
            tags::BODY | tags::HTML | tags::BR => self.end_after_head(),
            _ => Step::Done,
        }
    }
}
