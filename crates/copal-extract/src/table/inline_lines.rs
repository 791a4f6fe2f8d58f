//! Lines: which adjacent texts and inline elements a reader takes in as one value.
//!
//! In: a part of a record. Out: for each node, whether it begins a value that continues in later siblings,
//! and whether an element is read whole. Blocks, `br`, controls and texts for screen readers end a line. A
//! line with words of its container among inline elements is one value: a sentence with a link, highlighted
//! words, `Rating: <b>4</b>`. It is cut at separators, after a link at its beginning and after a bold label.
//! Adjacent elements with no words among them, or with fewer words than elements, are values of their own.
//! O(nodes + text).

use super::amount_runs::each_amount;
use copal_dom::style::Display;
use copal_dom::{NONE, Node, Page, Tag, attrs, tags};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// What the class words of texts for screen readers commonly contain, without dashes and underscores.
const ASSISTIVE_CLASSES: &[&str] = &[
    "sronly",
    "srtext",
    "showforsr",
    "visuallyhidden",
    "hiddenvisually",
    "screenreader",
    "offscreen",
    "assistivetext",
    "a11yhidden",
    "hiddenaccessible",
    "elementinvisible",
];
/// Longest class word that is compared with these.
const MAX_ASSISTIVE_CLASS_BYTES: usize = 60;

/// Maximum number of element kinds of one line that are remembered. It bounds the search for equal ones.
const MAX_LINE_ELEMENT_KINDS: usize = 16;

/// The lines of a part; see the module.
pub(super) struct InlineLines<'a> {
    page: &'a Page,
    start: Node,
    /// By node: no line ends inside it.
    flat: Vec<bool>,
    /// By node: the end of the value that begins here and continues in later siblings, or 0.
    run: Vec<Node>,
    /// By node: a label inside it is a value of its own.
    labelled: Vec<bool>,
    /// Elements that name the rest of their line.
    terms: FxHashSet<Node>,
}

/// What a line consists of.
#[derive(Default)]
struct LineContent {
    /// Words of the container itself.
    words: usize,
    elements: usize,
    /// Tag and class of each element.
    element_kinds: Vec<(Tag, u32)>,
    /// Two elements have the same tag and class, or one has no class.
    has_alike: bool,
}

impl LineContent {
    fn add_element(&mut self, kind: (Tag, u32)) {
        self.elements += 1;
        self.has_alike |= kind.1 == 0 || self.element_kinds.contains(&kind);
        if self.element_kinds.len() < MAX_LINE_ELEMENT_KINDS {
            self.element_kinds.push(kind);
        }
    }

    /// True if there are words among elements. False if each element has a class of its own and the words
    /// only connect them: `12 points by Ann`.
    fn is_one_value(&self) -> bool {
        let fields = self.elements >= 2 && !self.has_alike && self.words < self.elements;
        self.words > 0 && self.elements > 0 && !fields
    }
}

impl<'a> InlineLines<'a> {
    /// Finds the lines of a part. `is_term` is true for elements that name the rest of their line.
    pub(super) fn new(page: &'a Page, part: &Range<Node>, is_term: &dyn Fn(Node) -> bool) -> InlineLines<'a> {
        let n = part.len();
        let mut lines = InlineLines {
            page,
            start: part.start,
            flat: vec![true; n],
            run: vec![0; n],
            labelled: vec![false; n],
            terms: part.clone().filter(|&node| is_term(node)).collect(),
        };
        for node in part.clone().rev() {
            let flat = lines.flat[lines.offset(node)] && !ends_line(page, node);
            let parent = page.tree.parent(node);
            if !flat {
                let at = lines.offset(node);
                lines.flat[at] = false;
                if parent >= part.start && parent < part.end {
                    let at = lines.offset(parent);
                    lines.flat[at] = false;
                }
            }
        }
        lines.find_lines(part.start, part.end);
        for node in part.clone().filter(|&node| !page.tree.is_text(node)) {
            lines.find_lines(node + 1, page.tree.end(node));
        }
        lines.join_amounts(part);
        lines
    }

    /// The end of the value that begins with this node and continues in later siblings.
    pub(super) fn value_end(&self, node: Node) -> Option<Node> {
        Some(self.run[self.offset(node)]).filter(|&end| end > node)
    }

    /// True if the element is read whole: it contains only texts and formatting, or one line with words of
    /// its own.
    pub(super) fn is_value(&self, node: Node) -> bool {
        let tree = &self.page.tree;
        let inside = node + 1..tree.end(node);
        if inside.is_empty() || self.labelled[self.offset(node)] {
            return false;
        }
        if tree.children(node).all(|child| self.flat[self.offset(child)])
            && self.run[self.offset(node + 1)] == inside.end
        {
            return true;
        }
        !self.has_values_side_by_side(node)
            && inside.into_iter().all(|inner| {
                let tag = tree.tag(inner);
                tag == tags::TEXT
                    || tag == tags::BR
                    || tags::is_formatting(tag)
                    || !self.page.styles.is_shown(inner)
            })
    }

    /// Makes one value of amounts in pieces.
    fn join_amounts(&mut self, part: &Range<Node>) {
        let start = self.start;
        let (flat, run) = (&self.flat, &mut self.run);
        let is_inline = |node: Node| flat[(node - start) as usize];
        each_amount(self.page, part, is_inline, |from, to| {
            let end = &mut run[(from - start) as usize];
            *end = (*end).max(to);
        });
    }

    fn offset(&self, node: Node) -> usize {
        (node - self.start) as usize
    }

    /// Finds the lines among siblings.
    fn find_lines(&mut self, from: Node, to: Node) {
        let tree = &self.page.tree;
        let mut at = from;
        while at < to {
            let start = at;
            while at < to && self.flat[self.offset(at)] {
                at = tree.end(at);
            }
            self.cut_line(start, at);
            if at < to {
                at = tree.end(at);
            }
        }
    }

    /// Cuts one line into values.
    fn cut_line(&mut self, from: Node, to: Node) {
        let tree = &self.page.tree;
        if from == to || tree.end(from) == to {
            return;
        }
        let (mut start, mut content, mut first) = (from, LineContent::default(), true);
        let mut at = from;
        while at < to {
            let (node, next) = (at, tree.end(at));
            at = next;
            let text = tree.raw_text(node).trim();
            if text.is_empty() || !self.page.styles.is_shown(node) {
                continue;
            }
            if text.chars().all(is_separator) {
                self.close_value(start, node, &content);
                (start, content, first) = (next, LineContent::default(), true);
                continue;
            }
            if tree.is_text(node) {
                content.words +=
                    text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
            } else if first && self.is_own_value(node, text, to) {
                start = next;
            } else {
                content.add_element((tree.tag(node), self.page.index.class(node)));
            }
            first = false;
        }
        self.close_value(start, to, &content);
    }

    /// True for a link, a bold label or an element styled as a block at the start of a line, if the rest of
    /// the line is a value of its own.
    fn is_own_value(&mut self, node: Node, text: &str, to: Node) -> bool {
        let tree = &self.page.tree;
        let next = tree.end(node);
        match tree.tag(node) {
            tags::A if self.starts_new_value(next, to) => true,
            tag if self.terms.contains(&node)
                || matches!(tag, tags::B | tags::STRONG)
                    && text.ends_with(':')
                    && self.page.index.leaves(&(next..to)) > 0 =>
            {
                let parent = tree.parent(node);
                if parent != NONE && parent >= self.start {
                    let at = self.offset(parent);
                    self.labelled[at] = true;
                }
                true
            }
            // `<span>Ann Lee</span>Minister`: no space before a capital, so the style must separate them
            tag => {
                let ends = tree.raw_text(node).ends_with(char::is_lowercase);
                let glued =
                    next < to && tree.is_text(next) && tree.raw_text(next).starts_with(char::is_uppercase);
                ends && glued && !tags::is_formatting(tag)
            }
        }
    }

    fn close_value(&mut self, from: Node, to: Node, content: &LineContent) {
        if content.is_one_value() {
            let at = self.offset(from);
            self.run[at] = to;
        }
    }

    /// True if the rest of a line begins with a separator or an element. Then it does not continue the words
    /// before it.
    fn starts_new_value(&self, from: Node, to: Node) -> bool {
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

    /// True for formatting elements of different kinds with no words among them: each is a value of its own.
    fn has_values_side_by_side(&self, node: Node) -> bool {
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

/// Characters that separate values.
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

/// True for elements that end a line.
fn ends_line(page: &Page, node: Node) -> bool {
    let control =
        || matches!(page.tree.tag(node), tags::BR | tags::HR | tags::BUTTON | tags::SELECT | tags::TEXTAREA);
    page.styles.is_shown(node)
        && !page.tree.is_text(node)
        && (page.styles.display(node) == Display::Block || control() || is_assistive(page, node))
}

/// True if a class says that the element is for screen readers only.
pub(super) fn is_assistive(page: &Page, node: Node) -> bool {
    let word = |word: &str| {
        // a cheap test first: most classes contain none of these
        if word.len() > MAX_ASSISTIVE_CLASS_BYTES || word.starts_with("not-") || !may_be_assistive(word) {
            return false;
        }
        let letters: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
        let letters = letters.to_ascii_lowercase();
        letters == "clipped" || ASSISTIVE_CLASSES.iter().any(|known| letters.contains(known))
    };
    page.tree.attr(node, attrs::CLASS).is_some_and(|class| class.split_ascii_whitespace().any(word))
}

/// True if a class word contains a part of the words of [`is_assistive`].
fn may_be_assistive(word: &str) -> bool {
    let bytes = word.as_bytes();
    (0..bytes.len()).any(|at| {
        let parts: &[&[u8]] = match bytes[at] {
            b's' => &[b"sr", b"ssistive"],
            b'S' => &[b"Sr", b"SR"],
            b'i' => &[b"idden"],
            b'c' => &[b"creen", b"clipped"],
            b'1' => &[b"11y"],
            b'n' => &[b"nvisible"],
            _ => &[],
        };
        parts.iter().any(|part| bytes[at..].starts_with(part))
    })
}
