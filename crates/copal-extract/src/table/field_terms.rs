//! Terms: fields that are named inside the record, by a `dt` before a `dd`, by the `th` at the start of a row,
//! or by words with a colon in an element at the start of a list item or a line.
//!
//! In: a list candidate. Out: [`FieldTerms`], the term of each such field. Terms are only used if they are
//! labels, that is, if there are few different ones and they occur often. Fields are then aligned by their
//! terms, so that a record may leave some out. O(nodes).

use crate::lists::candidate::ListCandidate;
use copal_dom::hash::hash_of;
use copal_dom::{NONE, Node, Page, tags};
use copal_values::labels::{bare, ends_with_colon};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Maximum number of different terms of a list.
const MAX_TERM_LABELS: usize = 60;
/// How often a term must occur on average.
const MIN_USES_PER_TERM: usize = 3;
/// Longest term, in bytes.
const MAX_TERM_BYTES: usize = 40;
/// Maximum number of fields of one term.
const MAX_FIELDS_PER_TERM: usize = 16;

/// Which term names which field; see the module.
#[derive(Default)]
pub(super) struct FieldTerms {
    /// By `dd` or `td`: its term, and a hash of the words of the term.
    by_field: FxHashMap<Node, (Node, u64)>,
    labels: FxHashSet<Node>,
}

impl FieldTerms {
    /// Finds the terms inside records; none if they are not labels.
    pub(super) fn in_records(page: &Page, found: &ListCandidate) -> FieldTerms {
        let mut terms = FieldTerms::default();
        // records with terms, those with one term only, and these terms
        let (mut with_terms, mut with_one) = (0, 0);
        let mut single: FxHashSet<String> = FxHashSet::default();
        for record in &found.records {
            let known = terms.labels.len();
            let mut last = NONE;
            for part in record {
                for node in part.clone() {
                    if let Some(term) = find_term(page, part, node) {
                        terms.by_field.insert(node, (term, 0));
                        terms.labels.insert(term);
                        last = term;
                    }
                }
            }
            with_terms += usize::from(terms.labels.len() > known);
            if terms.labels.len() == known + 1 && !ends_with_colon(&page.text_of(last)) {
                with_one += 1;
                single.insert(page.text_of(last));
            }
        }
        // one term per record that differs between records is what the record is called: the user before
        // a post
        let are_values = 5 * with_one >= 4 * with_terms && single.len() > 1;
        if terms.by_field.is_empty() || are_values {
            return FieldTerms::default();
        }
        let mut hashes: FxHashMap<Node, u64> = FxHashMap::default();
        let mut different: FxHashSet<u64> = FxHashSet::default();
        for &term in &terms.labels {
            let text = page.text_of(term);
            let label = bare(&text);
            if label.is_empty() || label.len() > MAX_TERM_BYTES {
                return FieldTerms::default();
            }
            hashes.insert(term, hash_of(label));
            different.insert(hash_of(label));
        }
        if different.len() > MAX_TERM_LABELS || terms.labels.len() < MIN_USES_PER_TERM * different.len() {
            return FieldTerms::default();
        }
        for (term, hash) in terms.by_field.values_mut() {
            *hash = hashes[term];
        }
        terms
    }

    /// The term that names a field, and a hash of its words.
    pub(super) fn term_of(&self, field: Node) -> Option<(Node, u64)> {
        self.by_field.get(&field).copied()
    }

    /// True for a term that names a field.
    pub(super) fn is_label(&self, node: Node) -> bool {
        self.labels.contains(&node)
    }
}

/// The `dt` before a `dd`, or the only `th` of a row inside the record if it begins the row.
fn find_term(page: &Page, part: &Range<Node>, node: Node) -> Option<Node> {
    let tree = &page.tree;
    let parent = tree.parent(node);
    match tree.tag(node) {
        tags::DD => {
            let before = |node: Node| Some(tree.prev_sibling(node)).filter(|&before| before != NONE);
            std::iter::successors(before(node), |&node| before(node))
                .filter(|&before| !tree.is_text(before))
                .take(MAX_FIELDS_PER_TERM)
                .take_while(|&before| before >= part.start && tree.tag(before) != tags::HR)
                .find(|&before| tree.tag(before) == tags::DT)
        }
        tags::TD
            if tree.tag(parent) == tags::TR && tree.parent(parent) >= part.start && parent > part.start =>
        {
            let mut heads =
                tree.elements(parent).take(MAX_FIELDS_PER_TERM).filter(|&cell| tree.tag(cell) == tags::TH);
            let first = heads.next().filter(|&head| head < node && heads.next().is_none())?;
            tree.elements(parent).next().filter(|&cell| cell == first)
        }
        tags::LI | tags::P | tags::DIV | tags::SPAN if node > part.start => inner_label(page, node),
        _ => None,
    }
}

/// The element with a label at the start of another one: `<li><strong>Colour:</strong> red</li>`.
fn inner_label(page: &Page, node: Node) -> Option<Node> {
    let tree = &page.tree;
    let mut children = tree
        .children(node)
        .filter(|&child| page.styles.is_shown(child) && page.index.leaves(&(child..tree.end(child))) > 0);
    let first = children.next()?;
    let is_inline =
        matches!(tree.tag(first), tags::B | tags::STRONG | tags::SPAN | tags::EM | tags::I | tags::LABEL);
    let chars = page.index.chars(&(first..tree.end(first))) as usize;
    if !is_inline || chars == 0 || chars > MAX_TERM_BYTES || children.next().is_none() {
        return None;
    }
    // one label per element: with several, the element is a line of fields
    let is_label = |child: Node| !tree.is_text(child) && ends_with_colon(&page.text_of(child));
    (is_label(first) && tree.elements(node).filter(|&child| is_label(child)).count() == 1).then_some(first)
}

#[cfg(test)]
mod tests {
    use crate::{Request, extract};
    use copal_dom::{Limits, Page};

    #[test]
    fn one_term_per_record_that_differs_is_a_value() {
        let users = ["ann", "bob", "ann", "cleo", "bob", "ann", "cleo", "bob"];
        let post = |(n, user): (usize, &&str)| {
            format!(
                "<div class=post><dl><dt>{user}</dt><dd>Member</dd></dl><p>This is the text of the post with \
                 number {n}, and it goes on for a while.</p><time>{} May 2020</time></div>",
                n + 1
            )
        };
        let posts: String = users.iter().enumerate().map(post).collect();
        let page = Page::from_text(&format!("<body>{posts}"), &Limits::default());
        let answer = extract(&page, &Request::default());
        let list = answer.primary().expect("a list");
        let texts = |record: usize| -> Vec<&str> {
            list.records[record].cells.iter().filter_map(|cell| cell.first()).collect()
        };
        for (record, user) in users.iter().enumerate() {
            assert!(texts(record).contains(user), "{:?}", texts(record));
        }
        assert!(list.columns.iter().all(|column| !users.contains(&column.name.as_str())));
    }
}
