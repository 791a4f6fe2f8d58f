//! The text that tells a user what a control wants.
//!
//! In: a control. Out: its label, by OPAL's order: what the markup says (`<label>`, ARIA), then the text before the
//! control in the smallest element that contains no other control, then what is written inside the control. Each
//! search goes up a bounded number of levels and reads a bounded text.

use copal_dom::{Node, Page, attrs, tags};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Elements above a control that are searched for text.
const MAX_LABEL_LEVELS: usize = 3;
/// Longer texts are explanations and not labels.
const MAX_LABEL_CHARS: usize = 80;
/// An element with more nodes than this is not a label. Without this bound, a label around a whole page would be read
/// again for each of its controls.
const MAX_LABEL_NODES: Node = 400;

/// Labels that markup connects with controls.
pub(crate) struct LabelIndex<'a> {
    page: &'a Page,
    /// The first `<label for=…>` of each id.
    by_id: FxHashMap<&'a str, Node>,
    /// The element of each id that `aria-labelledby` can name.
    elements: FxHashMap<&'a str, Node>,
}

impl<'a> LabelIndex<'a> {
    pub(crate) fn new(page: &'a Page) -> LabelIndex<'a> {
        let (mut by_id, mut elements) = (FxHashMap::default(), FxHashMap::default());
        let tree = &page.tree;
        let label_for = tree.attr_name("for");
        let is_referenced = tree.attr_name("aria-labelledby").is_some();
        for node in tree.nodes() {
            if tree.is_text(node) {
                continue;
            }
            if is_referenced && let Some(id) = tree.attr(node, attrs::ID) {
                elements.entry(id).or_insert(node);
            }
            if tree.tag(node) == tags::LABEL
                && let Some(id) = label_for.and_then(|name| tree.attr(node, name))
            {
                by_id.entry(id).or_insert(node);
            }
        }
        LabelIndex { page, by_id, elements }
    }

    /// The label of a control. `controls` are all controls of the page in document order.
    pub(crate) fn label(&self, control: Node, controls: &[Node]) -> Option<String> {
        self.by_markup(control).or_else(|| self.before(control, controls)).or_else(|| self.inside(control))
    }

    fn by_markup(&self, control: Node) -> Option<String> {
        let tree = &self.page.tree;
        let by_id = || {
            let label = *self.by_id.get(tree.attr(control, attrs::ID)?)?;
            self.short_text(label)
        };
        let around = || {
            let label =
                tree.ancestors(control).take(MAX_LABEL_LEVELS).find(|&n| tree.tag(n) == tags::LABEL)?;
            self.short_text(label)
        };
        let named = || {
            let ids = tree.attr_named(control, "aria-labelledby")?;
            self.short_text(*self.elements.get(ids.split_whitespace().next()?)?)
        };
        by_id().or_else(around).or_else(named).or_else(|| own_text(tree.attr(control, attrs::ARIA_LABEL)))
    }

    /// The text before the control in the smallest element around it that has such a text and no other control before
    /// it. Check boxes and radio buttons have their text after them.
    fn before(&self, control: Node, controls: &[Node]) -> Option<String> {
        let tree = &self.page.tree;
        let kind = tree.attr(control, attrs::TYPE).unwrap_or_default();
        let is_after = kind.eq_ignore_ascii_case("checkbox") || kind.eq_ignore_ascii_case("radio");
        let at = controls.partition_point(|&other| other < control);
        let (previous, next) = (at.checked_sub(1).map(|at| controls[at]), controls.get(at + 1).copied());
        let ancestors = tree.ancestors(control).take(MAX_LABEL_LEVELS);
        for up in ancestors {
            let range = if is_after {
                let end = next.unwrap_or(u32::MAX).min(tree.end(up));
                // the label of the next control, and the next line, are not its text
                let stop =
                    |&node: &Node| matches!(tree.tag(node), tags::LABEL | tags::BR | tags::TR | tags::LI);
                let after = tree.end(control).min(end);
                after..(after..end).find(stop).unwrap_or(end)
            } else {
                previous.map_or(up, |other| tree.end(other).max(up)).min(control)..control
            };
            if let Some(text) = self.shown_text(range) {
                return Some(text);
            }
            if matches!(tree.tag(up), tags::FORM | tags::BODY) {
                break;
            }
        }
        None
    }

    fn inside(&self, control: Node) -> Option<String> {
        let tree = &self.page.tree;
        let texts = [tree.attr_named(control, "placeholder"), tree.attr(control, attrs::TITLE)];
        texts.into_iter().find_map(own_text)
    }

    fn short_text(&self, node: Node) -> Option<String> {
        let tree = &self.page.tree;
        if tree.end(node) - node > MAX_LABEL_NODES {
            return None;
        }
        // the text of a select inside its label is not part of the label
        let first = (node..tree.end(node)).find(|&n| tree.tag(n) == tags::SELECT).unwrap_or(tree.end(node));
        self.shown_text(node..first).or_else(|| own_text(Some(tree.raw_text(node))))
    }

    /// The visible text of a range if it is short enough for a label, which the index knows without reading it.
    fn shown_text(&self, range: Range<Node>) -> Option<String> {
        let fits = self.page.index.chars(&range) as usize <= MAX_LABEL_CHARS;
        fits.then(|| short(&self.page.visible_text(range))).flatten()
    }
}

fn own_text(text: Option<&str>) -> Option<String> {
    // longer texts are not read at all
    let text = text.filter(|text| text.len() <= 16 * MAX_LABEL_CHARS)?;
    let mut out = String::new();
    copal_dom::push_collapsed(&mut out, text);
    short(&out)
}

/// A text without the signs around it, if it is short enough for a label.
fn short(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches([':', '*', ' ']).trim_start_matches(['*', ' ']);
    let fits = text.chars().any(char::is_alphanumeric) && text.chars().count() <= MAX_LABEL_CHARS;
    fits.then(|| text.to_owned())
}
