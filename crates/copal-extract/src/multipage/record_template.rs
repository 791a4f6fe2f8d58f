//! What the records of a list look like, to find them again on other pages of the list.
//!
//! In: a page and the records of its list. Out: a [`RecordTemplate`]: the tag paths of the records, the class
//! words they share, the slots inside them that nearly all have, and the link that tells them apart. It is
//! made of names only, not of node numbers, so that it is valid on other pages, even on a page with a single
//! record. O(nodes).

use crate::lists::candidate::one_part;
use crate::structure::layout::tops;
use crate::structure::path_keys::{self as keys, cell_place};
use copal_dom::{Node, Page, attrs, stable_classes, tags};
use copal_model::Parts;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Share of the records that must have something before it counts as common to all.
const MIN_COMMON_SHARE: f64 = 0.95;
/// Share of the common slots that a record must have.
const MIN_SLOT_SHARE: f64 = 0.6;
/// Share of the records that must have the link that tells them apart.
const MIN_IDENTIFYING_LINK_SHARE: f64 = 0.9;

/// What the records of a list look like; see the module.
pub(super) struct RecordTemplate {
    /// Tag paths of the records' first elements.
    paths: FxHashSet<u64>,
    /// Class words that nearly all of these elements share.
    classes: Vec<String>,
    /// The number of sibling elements of a record; `None` if it varies.
    width: Option<usize>,
    /// Keys of the slots that nearly all records have.
    slots: Vec<u64>,
    /// The slot of the link that tells records apart.
    link: Option<(u64, u32)>,
    /// On its own page the template finds exactly the records it was learned from.
    pub(super) exact: bool,
}

impl RecordTemplate {
    /// Learns the template of records; `None` if there are none.
    pub(super) fn learn(page: &Page, records: &[Parts]) -> Option<RecordTemplate> {
        let paths = tag_paths(page);
        let first_elements: Vec<Node> =
            records.iter().filter_map(|parts| first_element(page, parts)).collect();
        let first = *first_elements.first()?;
        let own: Vec<&str> = class_words(page, first).collect();
        let have = |word: &&str| {
            share(&first_elements, |first_element| class_words(page, *first_element).any(|own| own == *word))
                >= MIN_COMMON_SHARE
        };
        let classes = own.into_iter().filter(have).map(str::to_owned).collect();
        let widths: FxHashSet<Option<usize>> = records
            .iter()
            .map(|parts| (parts.len() == 1).then(|| tops(page, &parts[0]).len()).filter(|tops| *tops > 0))
            .collect();
        let width = if widths.len() == 1 { widths.into_iter().next().flatten() } else { None };
        let inside: Vec<Vec<RecordSlot>> = records.iter().map(|parts| slots_of(page, parts)).collect();
        let mut template = RecordTemplate {
            paths: first_elements.iter().map(|&first_element| paths[first_element as usize]).collect(),
            classes,
            width,
            slots: common_slots(&inside),
            link: identifying_link(page, &inside),
            exact: false,
        };
        let again: Vec<Node> =
            template.find_records(page).iter().filter_map(|parts| first_element(page, parts)).collect();
        template.exact = again == first_elements;
        Some(template)
    }

    /// The records on a page that match the template, in document order.
    pub(super) fn find_records(&self, page: &Page) -> Vec<Parts> {
        let Some(width) = self.width else { return Vec::new() };
        let paths = tag_paths(page);
        let mut records = Vec::new();
        let mut at = 0;
        while at < page.tree.len() as Node {
            let is_first_element =
                !page.tree.is_text(at) && self.is_first_element(page, at, paths[at as usize]);
            let record = is_first_element.then(|| self.record_at(page, at, width, &paths)).flatten();
            match record {
                Some(record) => {
                    at = record[0].end;
                    records.push(record);
                }
                None => at += 1,
            }
        }
        records
    }

    fn is_first_element(&self, page: &Page, node: Node, path: u64) -> bool {
        self.paths.contains(&path)
            && page.styles.is_shown(node)
            && self.classes.iter().all(|word| class_words(page, node).any(|own| own == word))
    }

    /// The record that begins with an element; `None` if too few of its slots are there. It ends early where
    /// another record begins.
    fn record_at(&self, page: &Page, first_element: Node, width: usize, paths: &[u64]) -> Option<Parts> {
        let (mut end, mut count) = (page.tree.end(first_element), 1);
        let mut next = page.tree.next_sibling(first_element);
        while count < width && next != copal_dom::NONE {
            if !page.tree.is_text(next) {
                if self.is_first_element(page, next, paths[next as usize]) && !self.classes.is_empty() {
                    break;
                }
                count += 1;
                end = page.tree.end(next);
            }
            next = page.tree.next_sibling(next);
        }
        let record = one_part(first_element..end);
        self.has_slots(page, &record).then_some(record)
    }

    fn has_slots(&self, page: &Page, record: &Parts) -> bool {
        let inside: FxHashSet<u64> = slots_of(page, record).into_iter().map(|slot| slot.key).collect();
        let there = self.slots.iter().filter(|slot| inside.contains(slot)).count();
        // a record always shows something
        !inside.is_empty() && there as f64 >= MIN_SLOT_SHARE * self.slots.len() as f64
    }

    /// How many of these records match the template.
    pub(super) fn count_alike(&self, page: &Page, paths: &[u64], records: &[Parts]) -> usize {
        let is = |parts: &&Parts| {
            first_element(page, parts)
                .is_some_and(|first_element| self.paths.contains(&paths[first_element as usize]))
                && self.has_slots(page, parts)
        };
        records.iter().filter(is).count()
    }

    /// A key that tells a record from the others: its own link if each has one, otherwise its text and all
    /// its links.
    pub(super) fn record_key(&self, page: &Page, record: &Parts, resolve: &dyn Fn(&str) -> String) -> u64 {
        let slots = slots_of(page, record);
        let own = self.link.and_then(|link| {
            let slot = slots.iter().find(|slot| (slot.key, slot.ordinal) == link)?;
            page.tree.attr(slot.node, attrs::HREF)
        });
        let mut hasher = FxHasher::default();
        match own {
            Some(href) => resolve(href).hash(&mut hasher),
            None => {
                for part in record {
                    page.visible_text(part.clone()).hash(&mut hasher);
                }
                let hrefs = slots.iter().filter_map(|slot| page.tree.attr(slot.node, attrs::HREF));
                hrefs.for_each(|href| resolve(href).hash(&mut hasher));
            }
        }
        hasher.finish()
    }
}

/// An element of a record that has a text or a link of its own.
struct RecordSlot {
    key: u64,
    /// Its number among the slots of its record with the same key.
    ordinal: u32,
    node: Node,
}

/// The slots of a record.
fn slots_of(page: &Page, record: &Parts) -> Vec<RecordSlot> {
    let tree = &page.tree;
    let mut slots = Vec::new();
    let mut seen: FxHashMap<u64, u32> = FxHashMap::default();
    for (number, part) in record.iter().enumerate() {
        let step = |above: u64, node: Node| {
            let mut hasher = FxHasher::default();
            (above, tree.tag_name(node)).hash(&mut hasher);
            class_words(page, node).for_each(|word| word.hash(&mut hasher));
            if matches!(tree.tag(node), tags::TD | tags::TH) {
                cell_place(page, node).hash(&mut hasher);
            }
            hasher.finish()
        };
        let keys = keys::keys(page, part, &mut keys::tops(number), &step);
        let mut last = copal_dom::NONE;
        for node in part.clone().filter(|&node| page.styles.is_shown(node)) {
            let holder = if !tree.is_text(node) {
                if tree.tag(node) != tags::A || tree.attr(node, attrs::HREF).is_none() {
                    continue;
                }
                node
            } else if tree.raw_text(node).trim().is_empty() || tree.parent(node) < part.start {
                continue;
            } else {
                tree.parent(node)
            };
            if holder == last {
                continue;
            }
            last = holder;
            let key = keys[(holder - part.start) as usize];
            let ordinal = seen.entry(key).or_default();
            slots.push(RecordSlot { key, ordinal: *ordinal, node: holder });
            *ordinal += 1;
        }
    }
    slots
}

/// The slots that nearly all records have.
fn common_slots(records: &[Vec<RecordSlot>]) -> Vec<u64> {
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    for slot in records.iter().flatten().filter(|slot| slot.ordinal == 0) {
        *counts.entry(slot.key).or_default() += 1;
    }
    let enough = |count: usize| count as f64 >= MIN_COMMON_SHARE * records.len() as f64;
    let mut common_slots: Vec<u64> =
        counts.into_iter().filter(|(_, count)| enough(*count)).map(|(key, _)| key).collect();
    common_slots.sort_unstable();
    common_slots
}

/// The first link that nearly all records have and no two records share.
fn identifying_link(page: &Page, records: &[Vec<RecordSlot>]) -> Option<(u64, u32)> {
    let mut links: FxHashMap<(u64, u32), (usize, FxHashSet<&str>)> = FxHashMap::default();
    let mut order = Vec::new();
    for slot in records.iter().flatten() {
        let Some(href) = page.tree.attr(slot.node, attrs::HREF) else { continue };
        let (count, distinct) = links.entry((slot.key, slot.ordinal)).or_insert_with(|| {
            order.push((slot.key, slot.ordinal));
            (0, FxHashSet::default())
        });
        *count += 1;
        distinct.insert(href.trim());
    }
    let tells = |(count, distinct): &(usize, FxHashSet<&str>)| {
        *count == distinct.len()
            && *count as f64 >= MIN_IDENTIFYING_LINK_SHARE * records.len() as f64
            && *count > 1
    };
    order.into_iter().find(|link| tells(&links[link]))
}

/// For every node, a hash of its tag path. It is the same on all pages.
pub(super) fn tag_paths(page: &Page) -> Vec<u64> {
    let tree = &page.tree;
    let mut paths: Vec<u64> = Vec::with_capacity(tree.len());
    for node in tree.nodes() {
        let above = paths.get(tree.parent(node) as usize).copied().unwrap_or_default();
        let mut hasher = FxHasher::default();
        if !tree.is_text(node) {
            (above, tree.tag_name(node)).hash(&mut hasher);
        }
        paths.push(hasher.finish());
    }
    paths
}

fn class_words(page: &Page, node: Node) -> impl Iterator<Item = &str> {
    stable_classes(page.tree.attr(node, attrs::CLASS).unwrap_or_default())
}

/// The first element of a record.
fn first_element(page: &Page, parts: &Parts) -> Option<Node> {
    parts.iter().flat_map(|part| tops(page, part)).next()
}

fn share<T>(all: &[T], is: impl Fn(&T) -> bool) -> f64 {
    all.iter().filter(|one| is(one)).count() as f64 / all.len().max(1) as f64
}
