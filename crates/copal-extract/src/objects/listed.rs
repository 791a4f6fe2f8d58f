//! Lists without a label whose items say what they are: "2 cups flour", "1 tsp salt".
//!
//! In: a [`Sheet`] and the lines that a rule of a long attribute fits. Out: lists of which at least three items, and a quarter of all, fit:
//! all of their items are the value. Lists of one tag path (the dough, the sauce) are one value. O(lines).

use super::candidates::blocks_of;
use super::sheet::Sheet;
use copal_dom::{NONE, Node, tags};
use rustc_hash::FxHashMap;

/// A list that is a value.
pub(super) struct Listed {
    pub(super) texts: Vec<String>,
    /// Its first line.
    pub(super) line: usize,
    /// The element that holds the first of its lists.
    pub(super) holder: Node,
}

/// Fewest items that fit; they are at least one in so many; most items.
const FEWEST: usize = 3;
const SHARE: usize = 4;
const MOST: usize = 120;
/// Most elements around a line that are looked at.
const LEVELS: usize = 16;

/// The lists around lines that fit; `fitting` is in the order of the page.
pub(super) fn find(sheet: &Sheet<'_>, fitting: &[usize]) -> Vec<Listed> {
    let mut hits: Vec<(Node, usize)> = Vec::new();
    let mut place: FxHashMap<Node, usize> = FxHashMap::default();
    for &line in fitting {
        let Some(holder) = holder(sheet, line) else { continue };
        let at = *place.entry(holder).or_insert_with(|| {
            hits.push((holder, 0));
            hits.len() - 1
        });
        hits[at].1 += 1;
    }
    let mut found: Vec<Listed> = Vec::new();
    let mut paths: FxHashMap<u64, usize> = FxHashMap::default();
    for (holder, hits) in hits {
        let lines = sheet.lines_of(holder);
        if hits < FEWEST || lines.len() > MOST || SHARE * hits < lines.len() {
            continue;
        }
        let line = lines.start;
        let texts = blocks_of(sheet, lines);
        match paths.get(&sheet.paths[holder as usize]) {
            Some(&at) if found[at].texts.len() < MOST => found[at].texts.extend(texts),
            Some(_) => {}
            None => {
                paths.insert(sheet.paths[holder as usize], found.len());
                found.push(Listed { texts, line, holder });
            }
        }
    }
    found
}

/// The element whose children are the items: around the largest element that shows nothing but the line.
fn holder(sheet: &Sheet<'_>, line: usize) -> Option<Node> {
    let tree = &sheet.page.tree;
    let mut node = sheet.lines[line].first();
    for _ in 0..LEVELS {
        let above = tree.parent(node);
        if above == NONE || tree.tag(above) == tags::BODY {
            return None;
        }
        // an item may have a second line (a note), a list has more
        if sheet.lines_of(above).len() > 2 {
            return Some(above);
        }
        node = above;
    }
    None
}
