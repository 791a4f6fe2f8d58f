//! Adds the records that a proposer missed and drops what is not a record.
//!
//! In: a candidate. Out: the same candidate with corrected records. A proposer may end a list where a record
//! has another class or is one level deeper. After this step, a list has the same records whichever proposer
//! found it. O(nodes of the records that are added) per candidate.

use super::common_tags::CommonTags;
use crate::lists::candidate::{ListCandidate, one_part};
use crate::structure::layout;
use crate::structure::measure::{jaccard, median};
use crate::structure::record_shape::{Shape, Shapes};
use copal_dom::{NONE, Node, Page, tags};
use copal_model::Parts;
use rustc_hash::FxHashMap;

/// Elements with their tag and class as one number, sorted by it.
pub(super) struct Signatures(Vec<(u64, Node)>);

impl Signatures {
    /// The shown elements of a page that have a class.
    pub(super) fn new(page: &Page) -> Signatures {
        let (tree, index) = (&page.tree, &page.index);
        let shown = |&node: &Node| {
            !tree.is_text(node)
                && index.class(node) != 0
                && page.styles.is_shown(node)
                && index.leaves(&(node..tree.end(node))) > 0
        };
        let mut all: Vec<(u64, Node)> =
            tree.nodes().filter(shown).map(|node| (signature(page, node), node)).collect();
        all.sort_unstable();
        Signatures(all)
    }

    fn of(&self, signature: u64) -> &[(u64, Node)] {
        let from = self.0.partition_point(|&(other, _)| other < signature);
        let to = self.0.partition_point(|&(other, _)| other <= signature);
        &self.0[from..to]
    }
}

fn signature(page: &Page, node: Node) -> u64 {
    u64::from(page.tree.tag(node)) << 32 | u64::from(page.index.class(node))
}

/// Records whose shape is read.
const SAMPLED_FOR_SHAPE: usize = 7;
/// Maximum number of levels above the candidate at which a record of the same tag and class can be.
const MAX_LEVELS_ABOVE: usize = 2;
/// Minimum similarity to the records: for an element with their tag and class, for one between them, and for
/// one next to them.
const MIN_SIMILARITY_OF_CLASS: f64 = 0.35;
const MIN_SIMILARITY_BETWEEN: f64 = 0.35;
const MIN_SIMILARITY_BESIDE: f64 = 0.6;
/// A shape with fewer paths may be similar by chance.
const MIN_SHAPE_PATHS: usize = 3;

/// Adds elements that are built like the records and have their tag and class, or are among them. Returns how
/// many.
pub(super) fn add_members(
    page: &Page,
    signatures: &Signatures,
    shapes: &Shapes<'_>,
    found: &mut ListCandidate,
) -> usize {
    let Some(mut records) = whole_elements(page, found) else { return 0 };
    let most = records.len();
    let mut usual: Option<UsualShape> = None;
    let mut added = 0;
    for (candidates, least) in [
        (of_signature(page, signatures, found, &records), MIN_SIMILARITY_OF_CLASS),
        (siblings(page, &records, true), MIN_SIMILARITY_BETWEEN),
        (siblings(page, &records, false), MIN_SIMILARITY_BESIDE),
    ] {
        // if more elements would be added than there are records, the proposer found a different list
        if candidates.is_empty() || candidates.len() > most {
            continue;
        }
        let usual = usual.get_or_insert_with(|| UsualShape::new(page, shapes, &records));
        let mut alike: Vec<Node> = Vec::new();
        for node in candidates {
            if alike.last().is_none_or(|&last| page.tree.end(last) <= node)
                && free(page, &records, node)
                && usual.is_like(&shapes.of(&one_part(node..page.tree.end(node))), least)
            {
                alike.push(node);
            }
        }
        added += alike.len();
        records.extend(alike);
        records.sort_unstable();
    }
    let others = other_template(page, &records);
    added += others.len();
    records.extend(others);
    records.sort_unstable();
    if added > 0 {
        found.records = records.into_iter().map(|node| one_part(node..page.tree.end(node))).collect();
        found.root = layout::common_root(&page.tree, &found.records);
    }
    added
}

/// The records, if each is one whole element.
fn whole_elements(page: &Page, found: &ListCandidate) -> Option<Vec<Node>> {
    let one = |parts: &Parts| match parts.as_slice() {
        [part] if page.tree.end(part.start) == part.end && !page.tree.is_text(part.start) => Some(part.start),
        _ => None,
    };
    found.records.iter().map(one).collect()
}

/// True if a node is neither a record nor contains one nor is inside one.
fn free(page: &Page, records: &[Node], node: Node) -> bool {
    let at = records.partition_point(|&record| record < node);
    let inside = at > 0 && page.tree.end(records[at - 1]) > node;
    !inside && records.get(at).is_none_or(|&next| next >= page.tree.end(node))
}

/// The free elements near the candidate that have the tag and class of most records.
fn of_signature(page: &Page, signatures: &Signatures, found: &ListCandidate, records: &[Node]) -> Vec<Node> {
    let tree = &page.tree;
    let mut own: Vec<u64> = records.iter().map(|&record| signature(page, record)).collect();
    own.sort_unstable();
    let longest = own.chunk_by(|a, b| a == b).max_by_key(|run| run.len());
    let Some((signature, count)) = longest.map(|run| (run[0], run.len())) else { return Vec::new() };
    let all = signatures.of(signature);
    if 3 * count < 2 * records.len() || all.len() <= count {
        return Vec::new();
    }
    let scope = tree.ancestors(found.root).take(MAX_LEVELS_ABOVE).last().unwrap_or(found.root);
    let near = all.iter().map(|&(_, node)| node).filter(|&node| tree.contains(scope, node));
    near.filter(|&node| free(page, records, node)).collect()
}

/// The free elements of the records' tag that have records on both sides (or on one only) among the children
/// of one parent.
fn siblings(page: &Page, records: &[Node], between: bool) -> Vec<Node> {
    let tree = &page.tree;
    let tag = tree.tag(records[0]);
    if records.iter().any(|&record| tree.tag(record) != tag) {
        return Vec::new();
    }
    let mut parents: FxHashMap<Node, (Node, Node)> = FxHashMap::default();
    for &record in records {
        let ends = parents.entry(tree.parent(record)).or_insert((record, record));
        ends.1 = record;
    }
    let mut out: Vec<Node> = Vec::new();
    for (parent, (first, last)) in parents {
        if parent == NONE || first == last {
            continue;
        }
        let here = tree.elements(parent).filter(|&child| {
            tree.tag(child) == tag
                && ((first < child && child < last) == between)
                && page.styles.is_shown(child)
                && page.index.leaves(&(child..tree.end(child))) > 0
        });
        out.extend(here.filter(|&child| free(page, records, child)));
    }
    out.sort_unstable();
    out
}

/// Elements with another tag between the records that have the tags which all records have in common: records
/// of a second template.
fn other_template(page: &Page, records: &[Node]) -> Vec<Node> {
    let tree = &page.tree;
    let Some(&first) = records.first() else { return Vec::new() };
    let (parent, tag) = (tree.parent(first), tree.tag(first));
    if parent == NONE
        || records.iter().any(|&record| tree.parent(record) != parent || tree.tag(record) != tag)
    {
        return Vec::new();
    }
    let last = records[records.len() - 1];
    let others: Vec<Node> = std::iter::successors(Some(first), |&node| Some(tree.next_sibling(node)))
        .take_while(|&node| node < last)
        .filter(|&node| !tree.is_text(node) && tree.tag(node) != tag)
        .filter(|&node| {
            page.styles.is_shown(node) && page.index.leaves(&(node..tree.end(node))) >= MIN_SHAPE_PATHS as u32
        })
        .collect();
    if others.is_empty() || 2 * others.len() > records.len() {
        return Vec::new();
    }
    let common = CommonTags::of(page, records.iter().copied());
    others.into_iter().filter(|&node| common.are_in(page, node)).collect()
}

/// The shapes of some records.
struct UsualShape {
    shapes: Vec<Shape>,
}

impl UsualShape {
    fn new(page: &Page, shapes: &Shapes<'_>, records: &[Node]) -> UsualShape {
        let step = (records.len() / SAMPLED_FOR_SHAPE).max(1);
        let sample = records.iter().step_by(step).take(SAMPLED_FOR_SHAPE);
        UsualShape { shapes: sample.map(|&node| shapes.of(&one_part(node..page.tree.end(node)))).collect() }
    }

    /// True if a shape is similar to those of the records. Next to a list, a shape with few paths is not
    /// evidence, because a paragraph has such a shape too.
    fn is_like(&self, other: &Shape, least: f64) -> bool {
        (least < MIN_SIMILARITY_BESIDE || other.len() >= MIN_SHAPE_PATHS) && self.likeness(other) >= least
    }

    /// The median of the similarities to the records.
    fn likeness(&self, other: &Shape) -> f64 {
        median(self.shapes.iter().map(|shape| jaccard(shape, other)))
    }
}

/// Drops header rows, invisible elements, and numbered links to other pages of the list.
pub(super) fn drop_non_records(page: &Page, found: &mut ListCandidate) {
    let figures = |parts: &Parts| {
        let (chars, digits) = parts.iter().fold((0, 0), |(chars, digits), part| {
            (chars + page.index.chars(part), digits + page.index.digits(part))
        });
        chars > 0 && 5 * digits >= 4 * chars
    };
    let only_figures = found.records.iter().filter(|parts| figures(parts)).count();
    let few = 5 * only_figures < found.records.len();
    // a header in plain cells is bold where other rows are not
    let is_bold = |parts: &Parts| parts.len() == 1 && layout::is_bold_row(page, parts[0].start);
    let bold = found.records.iter().filter(|parts| is_bold(parts)).count();
    let bold_heads = bold > 0 && 5 * bold <= found.records.len();
    let is_not_record = |parts: &Parts| {
        is_header_row(page, parts)
            || bold_heads && is_bold(parts)
            || !parts.iter().any(|part| page.index.leaves(part) + page.index.images(part) > 0)
            || few && figures(parts)
    };
    if found.records.iter().filter(|parts| !is_not_record(parts)).count() >= 2 {
        found.records.retain(|parts| !is_not_record(parts));
    }
}

fn is_header_row(page: &Page, parts: &Parts) -> bool {
    let tree = &page.tree;
    let row = parts[0].start;
    tree.tag(row) == tags::TR
        && parts.len() == 1
        && tree.elements(row).count() > 1
        && tree.elements(row).all(|cell| tree.tag(cell) == tags::TH)
}
