//! Creating and inserting nodes (13.2.6.1): the appropriate place, with foster parenting.
//!
//! In: tags and text. Out: nodes of the draft.

use super::element_classes::FOSTERS;
use super::open_elements::OpenElement;
use super::{Mode, StartTag, Step, TreeBuilder};
use crate::attrs::AttrEntry;
use crate::draft::Draft;
use crate::limits::Limit;
use crate::parse::tokenizer::Content;
use crate::tags::{self, Tag};
use crate::tree::{NONE, Node};

/// How often new attributes may be merged into `html` and `body`. Each merge copies all of them.
const MAX_ATTRIBUTE_MERGES: usize = 100;

/// Where a node is inserted.
#[derive(Debug, Clone, Copy)]
enum Place {
    LastChildOf(Node),
    Before(Node),
}

impl TreeBuilder {
    /// The appropriate place for inserting a node, if `target` is the current node or takes its place.
    #[inline]
    fn place_in(&self, target: OpenElement) -> Place {
        if self.fosters && target.has(FOSTERS) {
            self.foster_place()
        } else {
            Place::LastChildOf(target.node)
        }
    }

    #[cold]
    fn foster_place(&self) -> Place {
        for at in (1..self.stack.len()).rev() {
            let element = self.stack.get(at);
            if element.is_html(tags::TEMPLATE) {
                return Place::LastChildOf(element.node);
            }
            if element.is_html(tags::TABLE) {
                return match self.draft.parent(element.node) {
                    Some(_) => Place::Before(element.node),
                    None => Place::LastChildOf(self.stack.get(at - 1).node),
                };
            }
        }
        Place::LastChildOf(self.stack.get(0).node)
    }

    /// Inserts a node at the appropriate place.
    pub(super) fn insert_node_in(&mut self, target: OpenElement, node: Node) {
        match self.place_in(target) {
            Place::LastChildOf(parent) => self.draft.append(parent, node),
            Place::Before(sibling) => self.draft.insert_before(sibling, node),
        }
    }

    /// "Insert a character", for a whole text.
    #[inline]
    pub(super) fn insert_text(&mut self, text: &str) {
        match self.place_in(self.stack.current()) {
            Place::LastChildOf(parent) => self.draft.append_text(parent, text),
            Place::Before(sibling) => self.draft.insert_text_before(sibling, text),
        }
    }

    /// "Insert a comment". The draft only keeps that it separates texts.
    pub(super) fn insert_comment(&mut self) {
        let parent = match self.mode {
            Mode::Initial | Mode::BeforeHtml | Mode::AfterAfterBody | Mode::AfterAfterFrameset
                if !self.is_foreign() =>
            {
                Draft::DOCUMENT_NODE
            }
            Mode::AfterBody if !self.is_foreign() => self.stack.get(0).node,
            _ => self.stack.current().node,
        };
        self.draft.append_comment(parent);
    }

    /// "Create an element for a token" of HTML, with the attributes for which there is room.
    pub(super) fn create_html(&mut self, tag: StartTag) -> Node {
        let attrs = self.admit_attributes(tag.attrs);
        self.draft.create(tag.tag, false, attrs)
    }

    /// "Insert an HTML element" without pushing it: the element has no content.
    pub(super) fn insert_void(&mut self, tag: StartTag) -> Node {
        let node = self.create_html(tag);
        self.insert_node_in(self.stack.current(), node);
        node
    }

    /// "Insert an HTML element".
    #[inline]
    pub(super) fn insert_html(&mut self, tag: StartTag) -> Node {
        let node = self.insert_void(tag);
        self.stack.push(OpenElement::html(node, tag.name));
        node
    }

    /// Inserts an HTML element that the page does not have.
    pub(super) fn insert_implied(&mut self, tag: Tag) -> Node {
        self.insert_html(StartTag::implied(tag))
    }

    /// "Insert a foreign element", which is pushed unless its tag closes itself.
    pub(super) fn insert_foreign(&mut self, tag: StartTag, own_tag: Tag, classes: u32) {
        let attrs = self.admit_attributes(tag.attrs);
        let node = self.draft.create(own_tag, true, attrs);
        self.insert_node_in(self.stack.current(), node);
        if !tag.self_closing {
            self.stack.push(OpenElement::foreign(node, tag.name, classes));
        }
    }

    /// The generic raw text and RCDATA element parsing algorithms (13.2.6.2).
    pub(super) fn insert_raw(&mut self, tag: StartTag, content: Content) -> Step {
        self.insert_html(tag);
        self.original_mode = self.mode;
        self.mode = Mode::Text;
        self.content = content;
        Step::Done
    }

    /// The end of the mode "text".
    pub(super) fn end_text(&mut self) -> Step {
        self.stack.pop();
        self.mode = self.original_mode;
        Step::Again
    }

    pub(super) fn set_quirks(&mut self, quirks: bool) {
        self.is_quirks = quirks;
        self.draft.set_quirks(quirks);
    }

    /// Adds those attributes of a second `html` or `body` tag that the element lacks.
    pub(super) fn merge_attributes(&mut self, node: Node, tag: StartTag) {
        if self.merge_count >= MAX_ATTRIBUTE_MERGES {
            self.admission.note(Limit::Attributes);
            return;
        }
        let merged = &mut self.merged_attributes;
        let entries = self.draft.known_attrs().entries(tag.attrs).iter().copied();
        let new: Vec<AttrEntry> = entries.filter(|entry| merged.insert((node, entry.name))).collect();
        if new.is_empty() {
            return;
        }
        self.merge_count += 1;
        let fitting = self.admit_attributes(tag.attrs).len as usize;
        self.draft.add_missing_attrs(node, &new[..fitting.min(new.len())]);
    }

    /// "Reset the insertion mode appropriately" (13.2.4.1).
    pub(super) fn reset_mode(&mut self) {
        self.mode = self.mode_of_stack();
    }

    fn mode_of_stack(&self) -> Mode {
        for at in (0..self.stack.len()).rev() {
            let element = self.stack.get(at);
            let is_first = at == 0;
            // a foreign element has no fixed name of HTML
            let Ok(tag) = Tag::try_from(element.name) else { continue };
            match tag {
                tags::TD | tags::TH if !is_first => return Mode::InCell,
                tags::TR => return Mode::InRow,
                tags::TBODY | tags::THEAD | tags::TFOOT => return Mode::InTableBody,
                tags::CAPTION => return Mode::InCaption,
                tags::COLGROUP => return Mode::InColumnGroup,
                tags::TABLE => return Mode::InTable,
                tags::TEMPLATE => return self.template_modes.last().copied().unwrap_or(Mode::InTemplate),
                tags::HEAD if !is_first => return Mode::InHead,
                tags::BODY => return Mode::InBody,
                tags::FRAMESET => return Mode::InFrameset,
                tags::HTML => return if self.head == NONE { Mode::BeforeHead } else { Mode::AfterHead },
                _ => {}
            }
        }
        Mode::InBody
    }
}
