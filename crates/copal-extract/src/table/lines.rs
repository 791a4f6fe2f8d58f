//! Lines: which texts and inline elements side by side a reader takes in at once.
//!
//! In: a part of a record. Out: for each of its nodes whether it begins a value that goes on to a later sibling, and whether an
//! element is read whole. A line ends at blocks, `br`, controls, and texts for screen readers. Where a line has words of
//! its container among inline elements it is one value: a sentence with a link, highlighted words, `Rating: <b>4</b>`. It
//! is cut at separators, behind a link it begins with and behind a bold label. Elements side by side without words among
//! them, or with fewer than they are, are values of their own. O(nodes + text).

use copal_dom::style::Display;
use copal_dom::{NONE, Node, Page, Tag, attrs, tags};
use std::ops::Range;

/// Class words that style sheets commonly give to texts for screen readers.
const ASSISTIVE: &[&str] = &[
    "visually-hidden",
    "visuallyhidden",
    "screen-reader-text",
    "screenreader",
    "offscreen",
    "assistive-text",
];

/// Most fields of one line.
const FIELDS: usize = 16;

/// The lines of a part; see the module.
pub(super) struct Lines<'a> {
    page: &'a Page,
    start: Node,
    /// By node: no line ends inside of it.
    flat: Vec<bool>,
    /// By node: the end of the value that begins with it and has further siblings in it, or 0.
    run: Vec<Node>,
    /// By node: a label inside is cut off.
    labelled: Vec<bool>,
}

/// What a line consists of.
#[derive(Default)]
struct Content {
    /// Words of the container itself.
    words: usize,
    elements: usize,
    /// Tags and classes of the elements.
    kinds: Vec<(Tag, u32)>,
    /// Two have the same, or one has no class.
    alike: bool,
}

impl Content {
    fn add(&mut self, kind: (Tag, u32)) {
        self.elements += 1;
        self.alike |= kind.1 == 0 || self.kinds.contains(&kind);
        if self.kinds.len() < FIELDS {
            self.kinds.push(kind);
        }
    }

    /// Words among elements, unless each element has a class of its own and the words only join them: `12 points by Ann`.
    fn is_one_value(&self) -> bool {
        let fields = self.elements >= 2 && !self.alike && self.words < self.elements;
        self.words > 0 && self.elements > 0 && !fields
    }
}

impl<'a> Lines<'a> {
    /// Finds the lines of a part.
    pub(super) fn new(page: &'a Page, part: &Range<Node>) -> Lines<'a> {
        let n = part.len();
        let mut lines =
            Lines { page, start: part.start, flat: vec![true; n], run: vec![0; n], labelled: vec![false; n] };
        for node in part.clone().rev() {
            let flat = lines.flat[lines.at(node)] && !ends_line(page, node);
            let parent = page.tree.parent(node);
            if !flat {
                let at = lines.at(node);
                lines.flat[at] = false;
                if parent >= part.start && parent < part.end {
                    let at = lines.at(parent);
                    lines.flat[at] = false;
                }
            }
        }
        lines.find(part.start, part.end);
        for node in part.clone().filter(|&node| !page.tree.is_text(node)) {
            lines.find(node + 1, page.tree.end(node));
        }
        lines
    }

    /// The end of the value of several siblings that begins with this node.
    pub(super) fn value_from(&self, node: Node) -> Option<Node> {
        Some(self.run[self.at(node)]).filter(|&end| end > node)
    }

    /// True if the element is read whole: nothing but texts and formatting is inside, or one line with words of its own.
    pub(super) fn is_value(&self, node: Node) -> bool {
        let tree = &self.page.tree;
        let inside = node + 1..tree.end(node);
        if inside.is_empty() || self.labelled[self.at(node)] {
            return false;
        }
        if tree.children(node).all(|child| self.flat[self.at(child)])
            && self.run[self.at(node + 1)] == inside.end
        {
            return true;
        }
        !self.side_by_side(node)
            && inside.into_iter().all(|inner| {
                let tag = tree.tag(inner);
                tag == tags::TEXT
                    || tag == tags::BR
                    || tags::is_formatting(tag)
                    || !self.page.styles.is_shown(inner)
            })
    }

    fn at(&self, node: Node) -> usize {
        (node - self.start) as usize
    }

    /// Finds lines among siblings.
    fn find(&mut self, from: Node, to: Node) {
        let tree = &self.page.tree;
        let mut at = from;
        while at < to {
            let start = at;
            while at < to && self.flat[self.at(at)] {
                at = tree.end(at);
            }
            self.cut(start, at);
            if at < to {
                at = tree.end(at);
            }
        }
    }

    /// Cuts one line into values.
    fn cut(&mut self, from: Node, to: Node) {
        let tree = &self.page.tree;
        if from == to || tree.end(from) == to {
            return;
        }
        let (mut start, mut content, mut first) = (from, Content::default(), true);
        let mut at = from;
        while at < to {
            let (node, next) = (at, tree.end(at));
            at = next;
            let text = tree.raw_text(node).trim();
            if text.is_empty() || !self.page.styles.is_shown(node) {
                continue;
            }
            if text.chars().all(is_separator) {
                self.close(start, node, &content);
                (start, content, first) = (next, Content::default(), true);
                continue;
            }
            if tree.is_text(node) {
                content.words +=
                    text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
            } else if first && self.stands_alone(node, text, to) {
                start = next;
            } else {
                content.add((tree.tag(node), self.page.index.class(node)));
            }
            first = false;
        }
        self.close(start, to, &content);
    }

    /// A link, a bold label or a block in disguise at the start of a line, with something of its own behind it.
    fn stands_alone(&mut self, node: Node, text: &str, to: Node) -> bool {
        let tree = &self.page.tree;
        let next = tree.end(node);
        match tree.tag(node) {
            tags::A if self.begins_anew(next, to) => true,
            tags::B | tags::STRONG if text.ends_with(':') && self.page.index.leaves(&(next..to)) > 0 => {
                let parent = tree.parent(node);
                if parent != NONE && parent >= self.start {
                    let at = self.at(parent);
                    self.labelled[at] = true;
                }
                true
            }
            // `<span>Ann Lee</span>Minister`: no space and a capital; the style sets them apart
            tag => {
                let ends = tree.raw_text(node).ends_with(char::is_lowercase);
                let glued =
                    next < to && tree.is_text(next) && tree.raw_text(next).starts_with(char::is_uppercase);
                ends && glued && !tags::is_formatting(tag)
            }
        }
    }

    fn close(&mut self, from: Node, to: Node, content: &Content) {
        if content.is_one_value() {
            let at = self.at(from);
            self.run[at] = to;
        }
    }

    /// True if the rest of a line begins with a separator or an element: it is no part of the words before it.
    fn begins_anew(&self, from: Node, to: Node) -> bool {
        let tree = &self.page.tree;
        let mut at = from;
        while at < to {
            let text = tree.raw_text(at).trim_start();
            if self.page.styles.is_shown(at) && !text.is_empty() {
                let apart =
                    |c: char| matches!(c, ',' | ';' | '-' | '\u{2013}' | '\u{2014}') || is_separator(c);
                return !tree.is_text(at) || text.starts_with(apart);
            }
            at = tree.end(at);
        }
        false
    }

    /// Formatting elements of different kinds without words of their container among them: values of their own.
    fn side_by_side(&self, node: Node) -> bool {
        let (tree, page) = (&self.page.tree, self.page);
        let mut kind = None;
        let mut differ = false;
        for child in tree.children(node) {
            if !page.styles.is_shown(child) || page.index.leaves(&(child..tree.end(child))) == 0 {
                continue;
            }
            if !tree.is_text(child) {
                let own = (tree.tag(child), page.index.class(child));
                differ |= *kind.get_or_insert(own) != own;
            } else if tree.raw_text(child).contains(char::is_alphanumeric) {
                return false;
            }
        }
        differ
    }
}

/// Characters that stand between values.
pub(super) fn is_separator(c: char) -> bool {
    matches!(
        c,
        '|' | '\u{a6}'
            | '\u{b7}'
            | '\u{bb}'
            | '\u{2022}'
            | '\u{203a}'
            | '\u{2027}'
            | '\u{2219}'
            | '\u{22c5}'
            | '\u{25cf}'
    )
}

/// True for what no line goes across.
fn ends_line(page: &Page, node: Node) -> bool {
    let control =
        || matches!(page.tree.tag(node), tags::BR | tags::HR | tags::BUTTON | tags::SELECT | tags::TEXTAREA);
    page.styles.is_shown(node)
        && !page.tree.is_text(node)
        && (page.styles.display(node) == Display::Block || control() || is_assistive(page, node))
}

pub(super) fn is_assistive(page: &Page, node: Node) -> bool {
    let word = |word: &str| ASSISTIVE.contains(&word) || word.ends_with("sr-only");
    page.tree.attr(node, attrs::CLASS).is_some_and(|class| class.split_ascii_whitespace().any(word))
}
