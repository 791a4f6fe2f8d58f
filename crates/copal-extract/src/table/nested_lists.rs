//! Lists nested in records: the comments of a post, the offers of a product.
//!
//! In: a list candidate. Out: [`NestedList`]s. Their items are sibling elements of one kind, with several
//! different fields each; records that have any must have at least three for every two records, on average.
//! Rows with the fields of the record itself are not a nested list: they have no fields in common. O(nodes).

use crate::lists::candidate::{ListCandidate, one_part};
use crate::structure::layout::common_root;
use copal_dom::{Node, Page};
use copal_model::Parts;
use rustc_hash::{FxHashMap, FxHashSet};

/// Minimum number of texts of an item.
const MIN_ITEM_LEAVES: u32 = 3;
/// Minimum number of fields that most items must share.
const MIN_COMMON_FIELDS: usize = 3;
/// Minimum number of items of a nested list, over all records.
const MIN_NESTED_ITEMS: usize = 4;
/// Maximum number of nested lists of one region.
const MAX_NESTED_LISTS: usize = 3;

/// A list nested in the records of another list.
pub(crate) struct NestedList {
    /// The items of all records.
    pub(crate) found: ListCandidate,
    /// The record of each item.
    pub(crate) owners: Vec<usize>,
}

/// What items of one list share: the class path of their parent, and their own.
type NestedItemShape = (u32, u32);

/// All items of one kind, with their records.
#[derive(Default)]
struct ItemGroup {
    items: Vec<(usize, Node)>,
    /// The number of records with items of this kind.
    records: usize,
}

/// The lists nested in records, largest first.
pub(crate) fn find_nested_lists(page: &Page, found: &ListCandidate) -> Vec<NestedList> {
    let mut groups: FxHashMap<NestedItemShape, ItemGroup> = FxHashMap::default();
    for (record, parts) in found.records.iter().enumerate() {
        let leaves: u32 = parts.iter().map(|part| page.index.leaves(part)).sum();
        for part in parts {
            let mut at = part.start;
            while at < part.end {
                at = if group_items(page, record, at, leaves, &mut groups) {
                    page.tree.end(at)
                } else {
                    at + 1
                };
            }
        }
    }
    let mut groups: Vec<ItemGroup> = groups.into_values().filter(|group| is_list(page, group)).collect();
    groups.sort_by_key(|group| (std::cmp::Reverse(group.items.len()), group.items[0]));
    let leaves = |parts: &Parts| parts.iter().map(|part| page.index.leaves(part)).sum();
    let mut left: Vec<u32> = found.records.iter().map(leaves).collect();
    groups.retain(|group| leaves_other_texts(page, group, &mut left));
    groups.truncate(MAX_NESTED_LISTS);
    let nested = |group: ItemGroup| {
        let items = group.items.iter().map(|&(_, item)| one_part(item..page.tree.end(item)));
        let records: Vec<_> = items.collect();
        let root = common_root(&page.tree, &records);
        let owners = group.items.iter().map(|&(record, _)| record).collect();
        NestedList { found: ListCandidate { root, records, score: 0.0, attributes: Vec::new() }, owners }
    };
    groups.into_iter().map(nested).collect()
}

/// Adds the children of an element to the groups of their kinds. True if a group got several of them.
fn group_items(
    page: &Page,
    record: usize,
    container: Node,
    leaves: u32,
    groups: &mut FxHashMap<NestedItemShape, ItemGroup>,
) -> bool {
    let size = |node: Node| page.index.leaves(&(node..page.tree.end(node)));
    if page.tree.is_text(container) || size(container) < MIN_ITEM_LEAVES || !page.styles.is_shown(container) {
        return false;
    }
    let above = page.index.class_path(container);
    let mut several = false;
    for item in page.tree.elements(container) {
        if size(item) < MIN_ITEM_LEAVES || size(item) == leaves || !page.styles.is_shown(item) {
            continue;
        }
        let group = groups.entry((above, page.index.class_path(item))).or_default();
        let again = group
            .items
            .last()
            .is_some_and(|&(last, node)| last == record && page.tree.parent(node) == container);
        several |= again;
        group.records += usize::from(group.items.last().is_none_or(|&(last, _)| last != record));
        group.items.push((record, item));
    }
    several
}

/// True if every record with items has texts besides them. The texts of the items are then subtracted from
/// `left`.
fn leaves_other_texts(page: &Page, group: &ItemGroup, left: &mut [u32]) -> bool {
    let mut rest: FxHashMap<usize, u32> = FxHashMap::default();
    for &(record, item) in &group.items {
        let rest = rest.entry(record).or_insert(left[record]);
        *rest = rest.saturating_sub(page.index.leaves(&(item..page.tree.end(item))));
    }
    let beside = rest.values().all(|&rest| rest > 0);
    if beside {
        for (record, rest) in rest {
            left[record] = rest;
        }
    }
    beside
}

/// True if records have several items, and most items share some fields.
fn is_list(page: &Page, group: &ItemGroup) -> bool {
    if group.items.len() < MIN_NESTED_ITEMS || 2 * group.items.len() < 3 * group.records {
        return false;
    }
    let mut times: FxHashMap<u32, usize> = FxHashMap::default();
    let mut own: FxHashSet<u32> = FxHashSet::default();
    for &(_, item) in &group.items {
        own.clear();
        let texts = (item..page.tree.end(item))
            .filter(|&node| page.tree.is_text(node) && page.index.leaves(&(node..node + 1)) > 0);
        own.extend(texts.map(|node| page.index.class_path(page.tree.parent(node))));
        for &path in &own {
            *times.entry(path).or_default() += 1;
        }
    }
    times.values().filter(|&&times| 3 * times >= 2 * group.items.len()).count() >= MIN_COMMON_FIELDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::{Limits, tags};

    /// The number of items in each nested list of four records with this content.
    fn items(inside: &str) -> Vec<usize> {
        let page = Page::from_text(
            &format!("<ul>{}</ul>", format!("<li>{inside}</li>").repeat(4)),
            &Limits::default(),
        );
        let tops = page.tree.nodes().filter(|&node| page.tree.tag(node) == tags::LI);
        let records: Vec<Parts> = tops.map(|node| one_part(node..page.tree.end(node))).collect();
        let root = common_root(&page.tree, &records);
        let found = ListCandidate { root, records, score: 0.0, attributes: Vec::new() };
        find_nested_lists(&page, &found).iter().map(|list| list.owners.len()).collect()
    }

    const OFFER: &str = "<p class=offer><b>£1</b><i>shop</i><u>new</u></p>";

    #[test]
    fn items_of_one_kind_beside_other_texts_are_a_list() {
        assert_eq!(items(&format!("<h3>Lamp</h3><div>{}</div>", OFFER.repeat(3))), [12]);
    }

    #[test]
    fn single_items_and_items_without_other_texts_are_not_lists() {
        assert_eq!(items(&format!("<h3>Lamp</h3><div>{OFFER}</div>")), [0; 0]);
        assert_eq!(items(&format!("<div>{}</div>", OFFER.repeat(3))), [0; 0]);
    }

    #[test]
    fn rows_with_the_fields_of_a_record_are_not_a_list() {
        let row = |a: &str, b: &str| format!("<div class=row><{a}>1</{a}><{b}>2</{b}><{a}>3</{a}></div>");
        assert_eq!(
            items(&format!("<h3>Lamp</h3>{}{}{}", row("b", "i"), row("u", "s"), row("q", "em"))),
            [0; 0]
        );
    }
}
