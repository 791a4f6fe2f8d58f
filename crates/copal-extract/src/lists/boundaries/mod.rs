//! Fixes where the records of a candidate begin and end.
//!
//! In: a candidate. Out: the same candidate with repaired records. The steps, in this order: move boundaries
//! up (an element that contains only one record belongs to it), add missed records and drop others
//! (`members`), join alternating pieces (`alternating`), drop odd first and last records, drop copies of the
//! list (`copies`). O(nodes of the records).

use crate::lists::candidate::{ListCandidate, one_part};
use crate::paging::pagers_at_ends;
use copal_dom::{NONE, Node, Page, tags};
use copal_model::Parts;

mod alternating;
mod common_tags;
mod copies;
mod members;

use crate::structure::measure::{jaccard, mean, median};
use crate::structure::record_shape::{Shape, Shapes};
use common_tags::CommonTags;

/// Repairs the candidates of one page.
pub(super) struct BoundaryRepair<'a> {
    page: &'a Page,
    signatures: members::Signatures,
    shapes: Shapes<'a>,
}

impl<'a> BoundaryRepair<'a> {
    pub(super) fn new(page: &'a Page) -> Self {
        BoundaryRepair { page, signatures: members::Signatures::new(page), shapes: Shapes::new(page) }
    }

    /// Takes the elements that contain only one record.
    pub(super) fn climb(&self, found: &mut ListCandidate, changes: &mut BoundaryChanges) {
        changes.levels = climb(self.page, found);
    }

    /// All other steps.
    pub(super) fn repair(&self, found: &mut ListCandidate, changes: &mut BoundaryChanges) {
        let (page, shapes) = (self.page, &self.shapes);
        let before = found.records.len();
        changes.added = members::add_members(page, &self.signatures, shapes, found);
        take_wrappers(page, found);
        members::drop_non_records(page, found);
        drop_pagers(page, found);
        let parts = found.records.len();
        alternating::join_alternating(page, shapes, found);
        changes.joined = found.records.len() < parts;
        drop_odd_ends(page, shapes, found);
        if !changes.joined {
            changes.dropped = before + changes.added - found.records.len();
        }
        changes.copies = copies::drop_copies(page, found);
    }
}

/// What was done to a candidate.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BoundaryChanges {
    levels: usize,
    added: usize,
    dropped: usize,
    joined: bool,
    copies: usize,
}

impl BoundaryChanges {
    /// One sentence per kind of change.
    pub(super) fn in_words(self) -> Vec<String> {
        let mut words = Vec::new();
        if self.levels > 0 {
            words.push(format!(
                "record boundaries moved up {} level{}",
                self.levels,
                if self.levels == 1 { "" } else { "s" }
            ));
        }
        if self.added > 0 {
            words.push(format!("added {} records of the same kind", self.added));
        }
        if self.dropped > 0 {
            words.push(format!("dropped {} elements that are not records", self.dropped));
        }
        if self.joined {
            words.push("joined alternating pieces".to_owned());
        }
        if self.copies > 0 {
            words.push(format!("dropped {} copies of other records", self.copies));
        }
        words
    }
}

/// A record at an end is odd if its similarity to the middle records is below this.
const MAX_ODD_SIMILARITY: f64 = 0.2;
/// Minimum similarity of the middle records. If these differ too, a record at an end is not odd.
const MIN_EVEN_SIMILARITY: f64 = 0.6;
/// How many records in the middle are compared.
const SAMPLED_MIDDLE: usize = 10;
/// How many records at each end can be odd.
const ENDS: usize = 2;

/// Drops first and last records that are built unlike all others: headers, forms, pagers in the same element.
fn drop_odd_ends(page: &Page, shapes: &Shapes<'_>, found: &mut ListCandidate) {
    let n = found.records.len();
    if n < 2 * ENDS + 3 {
        return;
    }
    let set = |i: usize| shapes.of(&found.records[i]);
    // in most lists a few comparisons show that all records are alike
    let few = [ENDS, n / 2, n - ENDS - 1].map(set);
    let seems_odd = |i: usize| {
        let own = set(i);
        few.iter().filter(|other| jaccard(&own, other) >= MAX_ODD_SIMILARITY).count() < 2
    };
    if !(0..ENDS).chain(n - ENDS..n).any(seems_odd) {
        return;
    }
    let step = ((n - 2 * ENDS) / SAMPLED_MIDDLE).max(1);
    let middle: Vec<Shape> = (ENDS..n - ENDS).step_by(step).take(SAMPLED_MIDDLE).map(set).collect();
    let usual = |set: &Shape| median(middle.iter().map(|other| jaccard(set, other)));
    let is_odd = |i: usize| usual(&set(i)) < MAX_ODD_SIMILARITY;
    let ends: Vec<usize> = (0..ENDS).chain(n - ENDS..n).filter(|&i| is_odd(i)).collect();
    let even = || mean(middle.iter().map(&usual));
    if ends.is_empty() || even() < MIN_EVEN_SIMILARITY {
        return;
    }
    // a record of a second template is built differently but has the same texts
    let common = CommonTags::of(page, found.records[ENDS..n - ENDS].iter().map(|parts| parts[0].start));
    let ends: Vec<usize> =
        ends.into_iter().filter(|&i| !common.are_in(page, found.records[i][0].start)).collect();
    let first = ends.iter().rev().find(|&&i| i < ENDS).map_or(0, |i| i + 1);
    let last = ends.iter().copied().find(|&i| i >= n - ENDS).unwrap_or(n);
    found.records.truncate(last);
    found.records.drain(..first);
}

/// Drops the list's pager if it was taken for the first or the last record.
fn drop_pagers(page: &Page, found: &mut ListCandidate) {
    let (first, last) = pagers_at_ends(page, found.records.iter().map(Parts::as_slice));
    found.records.truncate(found.records.len() - usize::from(last));
    found.records.drain(..usize::from(first));
}

/// Maximum number of levels that boundaries move up.
const MAX_CLIMB: usize = 8;

/// While every record is alone in its parent, its parent becomes the record, with the images and prices
/// outside the link. Returns the number of levels.
fn climb(page: &Page, found: &mut ListCandidate) -> usize {
    let tree = &page.tree;
    for level in 0..MAX_CLIMB {
        let mut above: Vec<Node> = Vec::with_capacity(found.records.len());
        for parts in &found.records {
            let [part] = parts.as_slice() else { return level };
            if tree.end(part.start) != part.end {
                return level;
            }
            let parent = tree.parent(part.start);
            if parent == NONE
                || tree.tag(parent) == tags::BODY
                || !tree.contains(found.root, parent)
                || parent == found.root
            {
                return level;
            }
            above.push(parent);
        }
        if above.windows(2).any(|pair| {
            pair[0] == pair[1] || tree.contains(pair[0], pair[1]) || tree.contains(pair[1], pair[0])
        }) {
            return level;
        }
        found.records = above.iter().map(|&node| one_part(node..tree.end(node))).collect();
    }
    MAX_CLIMB
}

/// Minimum number of records of a list that is corrected, and maximum number of levels that a record may be
/// deeper than the others.
const MIN_WRAPPED_RECORDS: usize = 4;
const MAX_WRAPPERS: usize = 4;
/// An element around a record has at most this many times the text of the record, plus this many characters.
const MAX_WRAPPER_TIMES: u32 = 2;
const MAX_WRAPPER_CHARS: u32 = 60;

/// If most records are children of one element and some are deeper, each alone in a child of that element,
/// the child becomes the record. It then includes what the child adds, such as "sponsored".
fn take_wrappers(page: &Page, found: &mut ListCandidate) {
    let tree = &page.tree;
    let is_whole = |parts: &Parts| parts.len() == 1 && tree.end(parts[0].start) == parts[0].end;
    if found.records.len() < MIN_WRAPPED_RECORDS || !found.records.iter().all(is_whole) {
        return;
    }
    let home = found.root;
    let at_home = |node: Node| tree.parent(node) == home;
    let deeper = found.records.iter().filter(|parts| !at_home(parts[0].start)).count();
    if deeper == 0 || 2 * deeper > found.records.len() {
        return;
    }
    let tops: Vec<Node> = found
        .records
        .iter()
        .map(|parts| {
            let top = parts[0].start;
            std::iter::once(top)
                .chain(tree.ancestors(top).take(MAX_WRAPPERS))
                .find(|&up| at_home(up))
                .unwrap_or(top)
        })
        .collect();
    for (i, &top) in tops.iter().enumerate() {
        let own = &mut found.records[i][0];
        let alone = (i == 0 || tops[i - 1] != top) && tops.get(i + 1) != Some(&top);
        let whole = top..tree.end(top);
        if alone
            && at_home(top)
            && page.index.chars(&whole) <= MAX_WRAPPER_TIMES * page.index.chars(own) + MAX_WRAPPER_CHARS
        {
            *own = whole;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{ListOptions, Method, find};
    use copal_dom::{Limits, Page};

    fn texts(html: &str) -> Vec<String> {
        let page = Page::from_text(html, &Limits::default());
        let options = ListOptions { method: Method::Combined, ..ListOptions::default() };
        let findings = find(&page, &options);
        findings.regions[0].records.iter().map(|parts| page.visible_text(parts[0].clone())).collect()
    }

    #[test]
    fn the_element_around_one_record_belongs_to_it() {
        let item = |n: u32| format!("<li><a href=/{n}><b>Lamp number {n}</b></a> <i>{n}2 pounds</i></li>");
        let html = format!("<ul>{}</ul>", (1..9).map(item).collect::<String>());
        assert_eq!(texts(&html)[0], "Lamp number 1 12 pounds");
    }

    #[test]
    fn table_headers_and_odd_ends_are_not_records() {
        let row = |n: u32| format!("<tr><td><a href=/{n}>Lamp {n}</a><td>{n} pounds<td>{n}{n} in stock</tr>");
        let rows: String = (1..9).map(row).collect();
        let head = "<tr><th>Name<th>Price<th>Stock</tr>";
        let pager = "<tr><td colspan=3><form><select><option>1</select> pages</form></tr>";
        let records = texts(&format!("<table>{head}{rows}{pager}</table>"));
        assert_eq!((records.len(), records[0].as_str()), (8, "Lamp 1 1 pounds 11 in stock"));
    }
}
