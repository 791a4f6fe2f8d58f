//! The cells of a column, by one locator.
//!
//! In: a page, its records, a column's rule. Out: for each record the values that a locator finds. O(elements of the records with
//! the tag its selector ends in + text that is read).

use crate::css::{Arena, Css};
use crate::file::{ColumnRule, Cut, From, Locator, kind_named};
use copal_dom::{NONE, Node, Page, push_collapsed};
use copal_extract::Parts;
use copal_extract::located::{cell_image, cell_link, cell_text, is_of_kind, tops};
use copal_values::ValueType;

/// Longest text that is taken for a label.
const LABEL: usize = 60;
/// Texts of a record whose type is looked at.
const MOST_TEXTS: usize = 60;
/// Most values of one cell.
const MOST_VALUES: usize = 1000;

/// The records of a page: the visible elements of each.
pub(crate) struct Records {
    pub(crate) parts: Vec<Parts>,
    pub(crate) heads: Vec<Vec<Node>>,
}

impl Records {
    pub(crate) fn new(page: &Page, parts: Vec<Parts>) -> Records {
        let heads =
            parts.iter().map(|parts| parts.iter().flat_map(|part| tops(page, part)).collect()).collect();
        Records { parts, heads }
    }

    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }
}

/// What a column reads, without where.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) from: From,
    pub(crate) many: bool,
    pub(crate) cut: Option<&'a Cut>,
}

impl<'a> Reading<'a> {
    pub(crate) fn of(rule: &'a ColumnRule) -> Reading<'a> {
        Reading { from: rule.from, many: rule.many, cut: rule.cut.as_ref() }
    }
}

/// By record, the values at a locator. A locator that cannot be read finds nothing; files are checked before.
pub(crate) fn cells(
    page: &Page,
    arena: &Arena<'_>,
    records: &Records,
    reading: Reading<'_>,
    locator: &Locator,
) -> Vec<Vec<String>> {
    let mut out: Vec<Vec<String>> = vec![Vec::new(); records.len()];
    let wanted = locator.nth.unwrap_or(1);
    let most = if reading.many { MOST_VALUES } else { wanted };
    let scope_of = |record: usize| records.heads[record].get(locator.element.unwrap_or(1) - 1).copied();
    let mut take = |record: usize, text: Option<String>| {
        if let Some(text) = text.and_then(|text| cut(text, reading.cut)) {
            out[record].push(text);
        }
    };
    match (&locator.css, &locator.label) {
        (Some(css), _) => {
            let Ok(css) = Css::parse(css) else { return out };
            let scopes: Vec<(usize, Node)> =
                (0..records.len()).filter_map(|record| Some((record, scope_of(record)?))).collect();
            let ranges = scopes.iter().map(|&(_, scope)| (scope, scope..page.tree.end(scope)));
            let mut counts = vec![0; records.len()];
            css.each(arena, ranges, |at, node| {
                let record = scopes[at].0;
                if counts[record] < most && page.styles.is_shown(node) {
                    let text = value(page, node, reading.from, locator.text);
                    counts[record] += usize::from(text.is_some());
                    take(record, text);
                }
            });
        }
        (None, Some(label)) => {
            for record in 0..records.len() {
                for part in &records.parts[record] {
                    if let Some(nodes) = behind_label(page, part, label) {
                        take(record, cell_text(page, nodes));
                        break;
                    }
                }
            }
        }
        (None, None) => {
            let Some(kind) = locator.kind.as_deref().and_then(kind_named) else { return out };
            for record in 0..records.len() {
                let texts = records.parts[record].iter().flat_map(|part| typed_texts(page, part, kind));
                texts.take(most).for_each(|text| take(record, Some(text)));
            }
        }
    }
    if !reading.many {
        for values in &mut out {
            // the one that was asked for, which is the last that was read
            let only = (values.len() == wanted).then(|| values.pop()).flatten();
            *values = only.into_iter().collect();
        }
    }
    out
}

/// The short texts of a part that are values of a type.
fn typed_texts(page: &Page, part: &std::ops::Range<Node>, kind: ValueType) -> impl Iterator<Item = String> {
    let shown = |&node: &Node| page.tree.is_text(node) && page.styles.is_shown(node);
    let texts = part.clone().filter(shown).filter(|&node| page.tree.raw_text(node).len() <= 4 * LABEL);
    let says = texts.filter_map(|node| cell_text(page, node..node + 1)).filter(|text| text.len() <= LABEL);
    says.take(MOST_TEXTS).filter(move |text| is_of_kind(kind, text))
}

/// What an element says.
pub(crate) fn value(page: &Page, node: Node, from: From, own: Option<usize>) -> Option<String> {
    match (from, own) {
        (From::Href, _) => cell_link(page, node).map(str::to_owned),
        (From::Src, _) => cell_image(page, node).map(str::to_owned),
        (From::Text, None) => cell_text(page, node..page.tree.end(node)),
        (From::Text, Some(own)) => {
            let texts = page.tree.children(node).filter(|&child| page.tree.is_text(child));
            texts.filter_map(|text| cell_text(page, text..text + 1)).nth(own - 1)
        }
    }
}

/// The part of a text that is the value.
pub(crate) fn cut(text: String, cut: Option<&Cut>) -> Option<String> {
    let Some(cut) = cut else { return Some(text) };
    let mut rest = text.as_str();
    if let Some(after) = &cut.after {
        rest = rest.split_once(after.as_str())?.1;
    }
    if let Some(before) = &cut.before {
        rest = rest.split_once(before.as_str()).map_or(rest, |(head, _)| head);
    }
    if let (Some(split), Some(piece)) = (&cut.split, cut.piece) {
        rest = rest.split(split.as_str()).nth(piece - 1)?;
    }
    let rest = rest.trim();
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// What stands behind the first text of a part that says just this: the next sibling of its element.
fn behind_label(page: &Page, part: &std::ops::Range<Node>, label: &str) -> Option<std::ops::Range<Node>> {
    let tree = &page.tree;
    let mut words = String::new();
    let texts = part.clone().filter(|&node| tree.is_text(node) && page.styles.is_shown(node));
    for text in texts {
        let raw = tree.raw_text(text);
        if raw.len() > 4 * LABEL {
            continue;
        }
        words.clear();
        if push_collapsed(&mut words, raw)
            && bare(&words) == bare(label)
            && let Some(next) = next_of(page, text, part)
        {
            return Some(next..tree.end(next));
        }
    }
    None
}

fn bare(label: &str) -> &str {
    label.trim().trim_end_matches(':').trim_end()
}

/// The next sibling that says something, of a node or of the elements around it that say no more.
fn next_of(page: &Page, node: Node, part: &std::ops::Range<Node>) -> Option<Node> {
    let tree = &page.tree;
    let mut at = node;
    loop {
        let mut next = tree.next_sibling(at);
        while next != NONE && next < part.end {
            if page.styles.is_shown(next) && cell_text(page, next..tree.end(next)).is_some() {
                return Some(next);
            }
            next = tree.next_sibling(next);
        }
        let parent = tree.parent(at);
        let first = page.index.leaves(&(parent..at)) == 0;
        if parent == NONE || parent < part.start || !first {
            return None;
        }
        at = parent;
    }
}

/// The label that stands before a node, if there is one.
pub(crate) fn label_before(page: &Page, node: Node, record: Node) -> Option<String> {
    let tree = &page.tree;
    let mut at = node;
    while at > record {
        let mut before = tree.prev_sibling(at);
        while before != NONE {
            if page.styles.is_shown(before) && page.index.leaves(&(before..tree.end(before))) > 0 {
                let text = page.text_of(before);
                let fits = text.len() <= LABEL && text.contains(char::is_alphabetic);
                return fits.then(|| bare(&text).to_owned());
            }
            before = tree.prev_sibling(before);
        }
        at = tree.parent(at);
    }
    None
}
