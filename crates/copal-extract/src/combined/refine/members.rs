//! Which elements are records of a region, and which are not.
//!
//! In: a region. Out: the same with records that the method left out, and without what is no record. A method cuts a
//! list short where a record has another class or stands one element deeper; whichever method proposed a list, this
//! gives it the same members. O(nodes of the records that come in) a region.

use super::super::shape::{Shape, jaccard, shape};
use crate::model::{Found, Parts};
use crate::places;
use copal_dom::{NONE, Node, Page, Tag, tags};
use rustc_hash::{FxHashMap, FxHashSet};

/// Elements by tag and class.
pub(super) type Signatures = FxHashMap<(Tag, u32), Vec<Node>>;

/// Records whose shape is looked at.
const SAMPLE: usize = 7;
/// How many levels above the region a record of the same tag and class may stand.
const LEVELS: usize = 2;
/// Least likeness to the records of an element with their tag and class, of one between them, of one beside them.
const SAME_CLASS: f64 = 0.35;
const BETWEEN: f64 = 0.35;
const BESIDE: f64 = 0.6;
/// Paths from which on a shape is no accident.
const TELLING: usize = 3;

/// The shown elements of a page that have a class.
pub(super) fn signatures(page: &Page) -> Signatures {
    let (tree, index) = (&page.tree, &page.index);
    let mut all: Signatures = FxHashMap::default();
    for node in tree.nodes().filter(|&node| !tree.is_text(node) && page.styles.is_shown(node)) {
        let class = index.class(node);
        if class != 0 && index.leaves(&(node..tree.end(node))) > 0 {
            all.entry((tree.tag(node), class)).or_default().push(node);
        }
    }
    all
}

/// Elements that are built like the records and have their tag and class, or stand among them.
pub(super) fn add_members(page: &Page, signatures: &Signatures, found: &mut Found) -> usize {
    let Some(mut records) = whole_elements(page, found) else { return 0 };
    let most = records.len();
    let mut usual: Option<Usual> = None;
    let mut added = 0;
    for (candidates, least) in [
        (of_signature(page, signatures, found, &records), SAME_CLASS),
        (siblings(page, &records, true), BETWEEN),
        (siblings(page, &records, false), BESIDE),
    ] {
        // where more is left out than taken, the list is another one
        if candidates.is_empty() || candidates.len() > most {
            continue;
        }
        let usual = usual.get_or_insert_with(|| Usual::new(page, &records));
        let mut alike: Vec<Node> = Vec::new();
        for node in candidates {
            if alike.last().is_none_or(|&last| page.tree.end(last) <= node)
                && free(page, &records, node)
                && usual.is_like(&shape(page, &vec![node..page.tree.end(node)]), least)
            {
                alike.push(node);
            }
        }
        added += alike.len();
        records.extend(alike);
        records.sort_unstable();
    }
    if added > 0 {
        found.records = records.into_iter().map(|node| vec![node..page.tree.end(node)]).collect();
        found.root = places::common_root(&page.tree, &found.records);
    }
    added
}

/// The records, if each is one whole element.
fn whole_elements(page: &Page, found: &Found) -> Option<Vec<Node>> {
    let one = |parts: &Parts| match parts.as_slice() {
        [part] if page.tree.end(part.start) == part.end && !page.tree.is_text(part.start) => Some(part.start),
        _ => None,
    };
    found.records.iter().map(one).collect()
}

/// Neither is a record nor holds one nor stands in one.
fn free(page: &Page, records: &[Node], node: Node) -> bool {
    let at = records.partition_point(|&record| record < node);
    let inside = at > 0 && page.tree.end(records[at - 1]) > node;
    !inside && records.get(at).is_none_or(|&next| next >= page.tree.end(node))
}

/// The free elements near the region that have the tag and class most records have.
fn of_signature(page: &Page, signatures: &Signatures, found: &Found, records: &[Node]) -> Vec<Node> {
    let (tree, index) = (&page.tree, &page.index);
    let mut counts: FxHashMap<(Tag, u32), usize> = FxHashMap::default();
    for &record in records {
        *counts.entry((tree.tag(record), index.class(record))).or_default() += 1;
    }
    let Some((signature, count)) = counts.into_iter().max_by_key(|&(signature, count)| (count, signature))
    else {
        return Vec::new();
    };
    if 3 * count < 2 * records.len() {
        return Vec::new();
    }
    let Some(all) = signatures.get(&signature) else { return Vec::new() };
    if all.len() == count {
        return Vec::new();
    }
    let scope = tree.ancestors(found.root).take(LEVELS).last().unwrap_or(found.root);
    let near = all.iter().copied().filter(|&node| tree.contains(scope, node));
    near.filter(|&node| free(page, records, node)).collect()
}

/// The free elements of the records' tag that have records on both sides (or on one only) among the children of one parent.
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

/// What the records look like.
struct Usual {
    shapes: Vec<Shape>,
}

impl Usual {
    fn new(page: &Page, records: &[Node]) -> Usual {
        let step = (records.len() / SAMPLE).max(1);
        let sample = records.iter().step_by(step).take(SAMPLE);
        Usual { shapes: sample.map(|&node| shape(page, &vec![node..page.tree.end(node)])).collect() }
    }

    /// Beside a list also a paragraph stands whose shape says nothing.
    fn is_like(&self, other: &Shape, least: f64) -> bool {
        (least < BESIDE || other.len() >= TELLING) && self.likeness(other) >= least
    }

    /// The middle one of the likenesses to the records.
    fn likeness(&self, other: &Shape) -> f64 {
        let mut all: Vec<f64> = self.shapes.iter().map(|shape| jaccard(shape, other)).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or(0.0)
    }
}

/// Rows of column heads, what shows nothing, and links to other pages of the list by their numbers.
pub(super) fn drop_strangers(page: &Page, found: &mut Found) {
    let strange: FxHashSet<usize> = {
        let records = &found.records;
        let figures = |parts: &Parts| {
            let (chars, digits) = parts.iter().fold((0, 0), |(chars, digits), part| {
                (chars + page.index.chars(part), digits + page.index.digits(part))
            });
            chars > 0 && 5 * digits >= 4 * chars
        };
        let only_figures = records.iter().filter(|parts| figures(parts)).count();
        let few = 5 * only_figures < records.len();
        let is_strange = |parts: &Parts| {
            is_head(page, parts)
                || !parts.iter().any(|part| page.index.leaves(part) + page.index.images(part) > 0)
                || few && figures(parts)
        };
        (0..records.len()).filter(|&i| is_strange(&records[i])).collect()
    };
    if !strange.is_empty() && found.records.len() - strange.len() >= 2 {
        let mut i = 0;
        found.records.retain(|_| {
            i += 1;
            !strange.contains(&(i - 1))
        });
    }
}

fn is_head(page: &Page, parts: &Parts) -> bool {
    let tree = &page.tree;
    let row = parts[0].start;
    tree.tag(row) == tags::TR
        && parts.len() == 1
        && tree.elements(row).count() > 1
        && tree.elements(row).all(|cell| tree.tag(cell) == tags::TH)
}
