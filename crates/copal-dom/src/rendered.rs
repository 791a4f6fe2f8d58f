//! A page as a browser shows it, built node by node.
//!
//! In: the nodes of a rendered page in document order, each with what the browser computed for it. Out: a
//! [`Page`] like one that was parsed, with computed styles and boxes. The [`Limits`] of a parsed page hold
//! here too. O(nodes + text).
//!
//! Elements that are not rendered get the HTML attribute `hidden`. Later stages copy trees and compute the
//! styles of the copies from attributes alone, so that what is hidden has to stay hidden there too.

use crate::attrs;
use crate::boxes::{Boxes, Rect};
use crate::draft::Draft;
use crate::limits::{Limit, Limits, Warning};
use crate::page::Page;
use crate::style::{Display, Style, Styles, default_display};
use crate::tree::{Node, Tree};

/// What a browser computed for an element or a text that it renders.
#[derive(Debug, Clone, Copy)]
pub struct RenderedLook {
    /// How it takes part in the layout.
    pub display: Display,
    /// False if it takes up space without being visible.
    pub visible: bool,
    /// Its style.
    pub style: Style,
    /// Where it is.
    pub rect: Rect,
}

/// Builds the page; see the module's documentation.
#[derive(Debug)]
pub struct RenderedPageBuilder {
    limits: Limits,
    draft: Draft,
    /// By node of the draft, which is the node of the tree too: nodes are created in document order.
    looks: Vec<Option<RenderedLook>>,
    parents: Vec<Node>,
    /// The open elements. An element that is too deep is represented by the deepest one above it.
    open: Vec<Node>,
    hit: Vec<Limit>,
}

impl RenderedPageBuilder {
    /// An empty page.
    pub fn new(limits: &Limits) -> Self {
        Self {
            limits: limits.clone(),
            draft: Draft::new(),
            looks: vec![None],
            parents: vec![Draft::DOCUMENT_NODE],
            open: vec![Draft::DOCUMENT_NODE],
            hit: Vec::new(),
        }
    }

    fn note(&mut self, limit: Limit) {
        if !self.hit.contains(&limit) {
            self.hit.push(limit);
        }
    }

    fn parent(&self) -> Node {
        self.open.last().copied().unwrap_or(Draft::DOCUMENT_NODE)
    }

    /// Opens an element; `foreign` for SVG and `MathML`. Returns its node, or `None` if a limit left it out.
    pub fn open<'a>(
        &mut self,
        name: &str,
        foreign: bool,
        attributes: impl Iterator<Item = (&'a str, &'a str)>,
        look: Option<RenderedLook>,
    ) -> Option<Node> {
        let parent = self.parent();
        if self.draft.len() >= self.limits.nodes {
            self.note(Limit::Nodes);
        } else if self.open.len() > self.limits.depth {
            self.note(Limit::Depth);
        } else {
            let attributes = self.attributes(attributes);
            let node = self.draft.named_element(parent, name, foreign, attributes.into_iter());
            self.looks.push(look);
            self.parents.push(parent);
            self.open.push(node);
            return Some(node);
        }
        self.open.push(parent);
        None
    }

    fn attributes<'a>(
        &mut self,
        attributes: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Vec<(&'a str, &'a str)> {
        let mut kept = Vec::new();
        for (name, value) in attributes {
            if kept.len() >= self.limits.attributes {
                self.note(Limit::Attributes);
                break;
            }
            let is_long = value.len() > self.limits.attribute_bytes;
            if is_long {
                self.note(Limit::AttributeBytes);
            }
            kept.push((name, if is_long { "" } else { value }));
        }
        kept
    }

    /// Adds a text to the element that is open.
    pub fn text(&mut self, text: &str, look: Option<RenderedLook>) {
        let room = self.limits.text_bytes.saturating_sub(self.draft.text_len());
        let end = text.floor_char_boundary(room);
        if end < text.len() {
            self.note(Limit::TextBytes);
        }
        if self.draft.len() >= self.limits.nodes {
            self.note(Limit::Nodes);
            return;
        }
        if end == 0 {
            return;
        }
        let (before, parent) = (self.draft.len(), self.parent());
        self.draft.append_text(parent, &text[..end]);
        // neighbouring texts are one node
        if self.draft.len() > before {
            self.looks.push(look);
            self.parents.push(parent);
        }
    }

    /// Closes the element that was opened last.
    pub fn close(&mut self) {
        if self.open.len() > 1 {
            self.open.pop();
        }
    }

    /// The finished page.
    pub fn finish(mut self) -> Page {
        let shown = self.shown_nodes();
        for node in 1..self.looks.len() {
            let is_top = shown[self.parents[node] as usize] && !shown[node];
            // `html` without a look is a page that is not rendered at all
            if is_top && !self.draft.is_text(node as Node) && self.parents[node] != Draft::DOCUMENT_NODE {
                self.draft.add_attribute(node as Node, attrs::HIDDEN, "");
            }
        }
        let Self { draft, looks, hit, .. } = self;
        let tree = draft.finish();
        let styles = rendered_styles(&tree, &looks, &shown);
        let mut page = Page::from_styled_tree(tree, styles);
        page.boxes = Some(Boxes::new(looks.iter().map(|look| look.map(|look| look.rect)).collect()));
        page.warnings = hit.into_iter().map(Warning::Limit).collect();
        page
    }

    /// What is shown: what is visible itself, and every element around it (`display: contents` has no box).
    fn shown_nodes(&self) -> Vec<bool> {
        let mut shown: Vec<bool> =
            self.looks.iter().map(|look| look.is_some_and(|look| look.visible)).collect();
        for node in (1..shown.len()).rev() {
            if shown[node] {
                shown[self.parents[node] as usize] = true;
            }
        }
        shown[Draft::DOCUMENT_NODE as usize] = true;
        shown
    }
}

fn rendered_styles(tree: &Tree, looks: &[Option<RenderedLook>], shown: &[bool]) -> Styles {
    let mut nodes: Vec<(bool, Display, Style)> = Vec::with_capacity(tree.len());
    for node in tree.nodes() {
        let at = node as usize;
        let above = nodes.get(tree.parent(node) as usize);
        let (above_shown, _, above_style) =
            above.copied().unwrap_or((true, Display::Block, Style::default()));
        let look = looks.get(at).copied().flatten();
        let mut style = look.map_or(above_style, |look| look.style);
        // Decorations and backgrounds are painted over descendants without being inherited.
        style.underline |= above_style.underline;
        style.strike |= above_style.strike;
        if style.background == 0 {
            style.background = above_style.background;
        }
        let by_tag = if tree.is_text(node) { Display::Inline } else { default_display(tree.tag(node)) };
        // What browsers never show as content, such as the options of a menu, is not shown here either.
        let is_shown = above_shown && shown.get(at).copied().unwrap_or_default() && by_tag != Display::None;
        let display = match look {
            _ if tree.attr(node, attrs::HIDDEN).is_some() && !is_shown => Display::None,
            Some(look) if !tree.is_text(node) => look.display,
            _ => by_tag,
        };
        nodes.push((is_shown, display, style));
    }
    Styles::from_computed(nodes.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{serialise, tags};

    fn look(display: Display, visible: bool) -> RenderedLook {
        let rect = Rect { width: 9.0, ..Rect::default() };
        RenderedLook { display, visible, style: Style::default(), rect }
    }

    fn no_attributes() -> std::iter::Empty<(&'static str, &'static str)> {
        std::iter::empty()
    }

    #[test]
    fn what_is_not_rendered_stays_hidden_in_copies() {
        let mut builder = RenderedPageBuilder::new(&Limits::default());
        for name in ["html", "body"] {
            builder.open(name, false, no_attributes(), Some(look(Display::Block, true)));
        }
        builder.open("p", false, [("class", "x")].into_iter(), None);
        builder.text("gone", None);
        builder.close();
        builder.open("slot", false, no_attributes(), None);
        builder.open("b", false, no_attributes(), Some(look(Display::Block, true)));
        builder.text("here", Some(look(Display::Inline, true)));
        builder.text(" too", Some(look(Display::Inline, true)));
        builder.close();
        builder.close();
        builder.open("i", false, no_attributes(), Some(look(Display::Inline, false)));
        builder.text("invisible", Some(look(Display::Inline, false)));
        let page = builder.finish();
        assert_eq!(page.text_of(0), "here too");
        assert!(page.with_hidden_content(1).is_none());
        let copy = Page::from_tree(page.tree.clone());
        assert_eq!(copy.text_of(0), "here too");
        let bold = page.tree.find(tags::B).unwrap();
        assert_eq!(page.styles.display(bold), Display::Block);
        assert_eq!(page.boxes.as_ref().unwrap().rect(bold), Some(look(Display::Block, true).rect));
        assert!(serialise::html(&page.tree, 0).contains("<p class=\"x\" hidden=\"\">gone</p>"));
    }

    #[test]
    fn limits_hold() {
        let limits = Limits { depth: 5, nodes: 40, text_bytes: 30, ..Limits::default() };
        let mut builder = RenderedPageBuilder::new(&limits);
        for _ in 0..20 {
            builder.open("div", false, no_attributes(), Some(look(Display::Block, true)));
            builder.text("é12", Some(look(Display::Inline, true)));
        }
        for _ in 0..100 {
            builder.close();
        }
        for _ in 0..100 {
            builder.open("p", false, no_attributes(), Some(look(Display::Block, true)));
            builder.close();
        }
        let page = builder.finish();
        assert!(page.tree.len() <= 40 && page.tree.nodes().all(|node| page.tree.depth(node) <= 6));
        assert!(page.tree.raw_text(0).len() <= 30);
        assert_eq!(page.warnings.len(), 3);
    }
}
