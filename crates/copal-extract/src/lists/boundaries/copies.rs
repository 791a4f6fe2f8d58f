//! Lists that a page contains twice.
//!
//! In: a candidate. Out: the candidate without the copies of its records. Pages carry one version of a list
//! for phones and another for wide screens, one after the other or record by record; stylesheets, which are
//! not read, hide one of them. O(records) to see that there is no copy, O(text) if there is one.

use crate::lists::candidate::ListCandidate;
use copal_dom::Page;
use copal_dom::hash::hash_each;
use copal_model::Parts;
use rustc_hash::FxHashSet;

/// Fewest records of a list that is looked at: two records with the same text can be a coincidence.
const MIN_COPIED_RECORDS: usize = 4;
/// Most versions of one list.
const MAX_VERSIONS: usize = 3;

/// Drops the copies and returns how many records they had.
pub(super) fn drop_copies(page: &Page, found: &mut ListCandidate) -> usize {
    let total = found.records.len();
    if total < MIN_COPIED_RECORDS {
        return 0;
    }
    // one list after the other
    for versions in (2..=MAX_VERSIONS).filter(|&versions| total.is_multiple_of(versions)) {
        let length = total / versions;
        if length >= 2
            && are_copies(page, &found.records, length, (0..total - length).map(|i| (i, i + length)))
        {
            found.records.truncate(length);
            return total - length;
        }
    }
    // each record twice
    if total.is_multiple_of(2)
        && are_copies(page, &found.records, total / 2, (0..total).step_by(2).map(|i| (i, i + 1)))
    {
        let mut numbers = 0..total;
        found.records.retain(|_| numbers.next().is_some_and(|number| number.is_multiple_of(2)));
        return total / 2;
    }
    0
}

/// True if the records of each pair have the same text, and most of the `kept` records differ from each other.
/// The first comparison nearly always ends it.
fn are_copies(
    page: &Page,
    records: &[Parts],
    kept: usize,
    mut pairs: impl Iterator<Item = (usize, usize)>,
) -> bool {
    let mut different = FxHashSet::default();
    let is_copy = |(first, second): (usize, usize)| {
        // most pairs differ in their first letters
        let is_same = letters(page, &records[first]).eq(letters(page, &records[second]));
        if is_same {
            different.insert(hash_each(letters(page, &records[first])));
        }
        is_same
    };
    pairs.all(is_copy) && 2 * different.len() > kept
}

/// The letters and digits of a record.
fn letters(page: &Page, parts: &Parts) -> impl Iterator<Item = char> {
    let nodes = parts.iter().flat_map(Clone::clone);
    let texts = nodes.filter(|&node| page.tree.is_text(node) && page.styles.is_shown(node));
    texts.flat_map(|node| page.tree.raw_text(node).chars()).filter(|c| c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::candidate::one_part;
    use copal_dom::{Limits, Node, tags};

    /// The texts of the list items that are left.
    fn left(html: &str) -> (usize, Vec<String>) {
        let page = Page::from_text(html, &Limits::default());
        let tree = &page.tree;
        let items = tree.nodes().filter(|&node: &Node| tree.tag(node) == tags::LI);
        let records = items.map(|node| one_part(node..tree.end(node))).collect();
        let mut found = ListCandidate { root: 0, records, score: 0.0, attributes: Vec::new() };
        let dropped = drop_copies(&page, &mut found);
        (dropped, found.records.iter().map(|parts| page.visible_text(parts[0].clone())).collect())
    }

    #[test]
    fn copies_of_a_list_are_dropped() {
        let (dropped, left_records) =
            left("<ul><li>a 1<li>b 2<li>c 3</ul><ul><li><b>a</b> 1<li><b>b</b> 2<li><b>c</b> 3</ul>");
        assert_eq!((dropped, left_records), (3, vec!["a 1".into(), "b 2".into(), "c 3".into()]));
    }

    #[test]
    fn records_that_are_there_twice_are_dropped_once() {
        let (dropped, left_records) = left("<ul><li>a<li>a<li>b<li>b<li>c<li>c</ul>");
        assert_eq!((dropped, left_records), (3, vec!["a".into(), "b".into(), "c".into()]));
    }

    #[test]
    fn equal_texts_in_a_list_are_no_copies() {
        assert_eq!(left("<ul><li>a<li>b<li>a<li>c</ul>").0, 0);
        assert_eq!(left("<ul><li>yes<li>yes<li>yes<li>yes</ul>").0, 0);
        assert_eq!(left("<ul><li>a<li>b<li>c</ul><ul><li>a<li>b<li>d</ul>").0, 0);
    }
}
