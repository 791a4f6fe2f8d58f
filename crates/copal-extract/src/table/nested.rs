//! Lists inside of records: comments of a post, offers of a product.
//!
//! In: the records. Out: [`Nested`] lists: elements side by side inside of a record, of one kind and with several different
//! fields each, of which records that have them have three for two at least, on average. Rows of a record's own fields are none: they have no fields in
//! common. O(nodes).

use crate::lists::candidate::{ListCandidate, one_part};
use crate::structure::layout::common_root;
use copal_dom::{Node, Page};
use copal_model::Parts;
use rustc_hash::{FxHashMap, FxHashSet};

/// Texts that an item has at least, and fields that most items have.
const LEAVES: u32 = 3;
const FIELDS: usize = 3;
/// Items from which they are a list.
const ITEMS: usize = 4;
/// Most lists of one region.
const LISTS: usize = 3;

/// A list that records have inside.
pub(crate) struct Nested {
    /// The items of all records.
    pub(crate) found: ListCandidate,
    /// For each item the record it is in.
    pub(crate) owners: Vec<usize>,
}

/// A kind of items: the class paths of the element they are in and of their own.
type Kind = (u32, u32);

/// What is known of a kind.
#[derive(Default)]
struct Group {
    items: Vec<(usize, Node)>,
    /// How many records have some.
    records: usize,
}

/// The lists inside of records, largest first.
pub(crate) fn lists(page: &Page, found: &ListCandidate) -> Vec<Nested> {
    let mut groups: FxHashMap<Kind, Group> = FxHashMap::default();
    for (record, parts) in found.records.iter().enumerate() {
        let leaves: u32 = parts.iter().map(|part| page.index.leaves(part)).sum();
        for part in parts {
            let mut at = part.start;
            while at < part.end {
                at = if gather(page, record, at, leaves, &mut groups) { page.tree.end(at) } else { at + 1 };
            }
        }
    }
    let mut groups: Vec<Group> = groups.into_values().filter(|group| is_list(page, group)).collect();
    groups.sort_by_key(|group| (std::cmp::Reverse(group.items.len()), group.items[0]));
    let leaves = |parts: &Parts| parts.iter().map(|part| page.index.leaves(part)).sum();
    let mut left: Vec<u32> = found.records.iter().map(leaves).collect();
    groups.retain(|group| is_beside(page, group, &mut left));
    groups.truncate(LISTS);
    let nested = |group: Group| {
        let items = group.items.iter().map(|&(_, item)| one_part(item..page.tree.end(item)));
        let records: Vec<_> = items.collect();
        let root = common_root(&page.tree, &records);
        let owners = group.items.iter().map(|&(record, _)| record).collect();
        Nested { found: ListCandidate { root, records, score: 0.0, attributes: Vec::new() }, owners }
    };
    groups.into_iter().map(nested).collect()
}

/// Puts the items of an element to their kinds; true if there are several of one.
fn gather(
    page: &Page,
    record: usize,
    container: Node,
    leaves: u32,
    groups: &mut FxHashMap<Kind, Group>,
) -> bool {
    let size = |node: Node| page.index.leaves(&(node..page.tree.end(node)));
    if page.tree.is_text(container) || size(container) < LEAVES || !page.styles.is_shown(container) {
        return false;
    }
    let above = page.index.class_path(container);
    let mut several = false;
    for item in page.tree.elements(container) {
        if size(item) < LEAVES || size(item) == leaves || !page.styles.is_shown(item) {
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

/// True if the records that have items have other texts, too; the texts of the items are then taken from what is left of them.
fn is_beside(page: &Page, group: &Group, left: &mut [u32]) -> bool {
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

/// True if records have several, and most items some fields in common.
fn is_list(page: &Page, group: &Group) -> bool {
    if group.items.len() < ITEMS || 2 * group.items.len() < 3 * group.records {
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
    times.values().filter(|&&times| 3 * times >= 2 * group.items.len()).count() >= FIELDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::{Limits, tags};

    /// How many items the lists have that `li` with this inside have.
    fn items(inside: &str) -> Vec<usize> {
        let page = Page::from_text(
            &format!("<ul>{}</ul>", format!("<li>{inside}</li>").repeat(4)),
            &Limits::default(),
        );
        let tops = page.tree.nodes().filter(|&node| page.tree.tag(node) == tags::LI);
        let records: Vec<Parts> = tops.map(|node| one_part(node..page.tree.end(node))).collect();
        let root = common_root(&page.tree, &records);
        let found = ListCandidate { root, records, score: 0.0, attributes: Vec::new() };
        lists(&page, &found).iter().map(|list| list.owners.len()).collect()
    }

    const OFFER: &str = "<p class=offer><b>£1</b><i>shop</i><u>new</u></p>";

    #[test]
    fn items_of_one_kind_beside_other_texts_are_a_list() {
        assert_eq!(items(&format!("<h3>Lamp</h3><div>{}</div>", OFFER.repeat(3))), [12]);
    }

    #[test]
    fn one_item_or_nothing_beside_them_is_none() {
        assert_eq!(items(&format!("<h3>Lamp</h3><div>{OFFER}</div>")), [0; 0]);
        assert_eq!(items(&format!("<div>{}</div>", OFFER.repeat(3))), [0; 0]);
    }

    #[test]
    fn rows_of_a_records_own_fields_are_none() {
        let row = |a: &str, b: &str| format!("<div class=row><{a}>1</{a}><{b}>2</{b}><{a}>3</{a}></div>");
        assert_eq!(
            items(&format!("<h3>Lamp</h3>{}{}{}", row("b", "i"), row("u", "s"), row("q", "em"))),
            [0; 0]
        );
    }
}
