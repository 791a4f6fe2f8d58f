//! Lists without a label whose items show what they are: "2 cups flour", "1 tsp salt".
//!
//! In: a [`DetailPage`] and the lines that match a rule of a long attribute. Out: lists of which at least
//! three items, and a quarter of all, match. All of their items are the value, whether they match or not.
//! Lists at one tag path (the dough, the sauce) are one value. O(lines).

use super::super::detail_page::DetailPage;
use super::text_blocks::join_blocks;
use copal_dom::{NONE, Node, tags};
use rustc_hash::FxHashMap;

/// A list that is a value.
pub(super) struct UnlabelledList {
    pub(super) texts: Vec<String>,
    /// Its first line.
    pub(super) line: usize,
    /// The element around the items of its first part.
    pub(super) holder: Node,
}

/// Items that must match.
const MIN_MATCH_COUNT: usize = 3;
/// At least one in this many items must match.
const ITEMS_PER_MATCH: usize = 4;
/// Items of a list.
const MAX_ITEM_COUNT: usize = 120;
/// Elements around a line that are searched for the list.
const MAX_HOLDER_LEVELS: usize = 16;

/// Finds the lists around lines that match, which are in document order.
pub(super) fn find_unlabelled_lists(page: &DetailPage<'_>, matching_lines: &[usize]) -> Vec<UnlabelledList> {
    let mut match_counts: Vec<(Node, usize)> = Vec::new();
    let mut positions: FxHashMap<Node, usize> = FxHashMap::default();
    for &line in matching_lines {
        let Some(holder) = element_around_items(page, line) else { continue };
        let at = *positions.entry(holder).or_insert_with(|| {
            match_counts.push((holder, 0));
            match_counts.len() - 1
        });
        match_counts[at].1 += 1;
    }
    let mut lists: Vec<UnlabelledList> = Vec::new();
    let mut by_path: FxHashMap<u64, usize> = FxHashMap::default();
    for (holder, matches) in match_counts {
        let lines = page.lines_of(holder);
        if matches < MIN_MATCH_COUNT
            || lines.len() > MAX_ITEM_COUNT
            || ITEMS_PER_MATCH * matches < lines.len()
        {
            continue;
        }
        let line = lines.start;
        let texts = join_blocks(page, lines);
        let path = page.paths[holder as usize];
        match by_path.get(&path) {
            Some(&at) if lists[at].texts.len() < MAX_ITEM_COUNT => lists[at].texts.extend(texts),
            Some(_) => {}
            None => {
                by_path.insert(path, lists.len());
                lists.push(UnlabelledList { texts, line, holder });
            }
        }
    }
    lists
}

/// The element whose children are the items: the lowest one that shows more than the item of this line.
fn element_around_items(page: &DetailPage<'_>, line: usize) -> Option<Node> {
    let tree = &page.dom.tree;
    let mut node = page.lines[line].first();
    for _ in 0..MAX_HOLDER_LEVELS {
        let above = tree.parent(node);
        if above == NONE || tree.tag(above) == tags::BODY {
            return None;
        }
        // An item may have a second line, such as a note. A list has more.
        if page.lines_of(above).len() > 2 {
            return Some(above);
        }
        node = above;
    }
    None
}
