//! What the records of a list look like, so that they are found again on the list's other pages.
//!
//! In: a page and the records of its list. Out: [`Template`]: the tag paths of the records, class words they share, the
//! places inside of them that nearly all have, and the link that tells them apart. All of it is made of names, not of a
//! page's numbers, so that it holds on another page; a page with one record, or a few, will do. O(nodes).

use crate::lists::candidate::one_part;
use crate::structure::layout::tops;
use crate::structure::path_keys::{self as keys, cell_place};
use copal_dom::{Node, Page, attrs, stable_classes, tags};
use copal_model::Parts;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Share of the records that have what counts as common to all.
const COMMON: f64 = 0.95;
/// Share of the common places that a record must have.
const PLACES: f64 = 0.6;
/// Share of the records that must have the link that tells them apart.
const LINKED: f64 = 0.9;

pub(super) struct Template {
    /// Tag paths of the records' first elements.
    paths: FxHashSet<u64>,
    /// Class words of all these elements.
    classes: Vec<String>,
    /// Elements side by side that make a record; none if that differs.
    width: Option<usize>,
    /// Places of links and texts that nearly all records have.
    places: Vec<u64>,
    /// Place of the link that tells records apart.
    link: Option<(u64, u32)>,
    /// It finds on its own page just the records it was made of.
    pub(super) exact: bool,
}

impl Template {
    /// None if there is no record.
    pub(super) fn of(page: &Page, records: &[Parts]) -> Option<Template> {
        let paths = paths(page);
        let heads: Vec<Node> = records.iter().filter_map(|parts| head(page, parts)).collect();
        let first = *heads.first()?;
        let own: Vec<&str> = class_words(page, first).collect();
        let have =
            |word: &&str| share(&heads, |head| class_words(page, *head).any(|own| own == *word)) >= COMMON;
        let classes = own.into_iter().filter(have).map(str::to_owned).collect();
        let widths: FxHashSet<Option<usize>> = records
            .iter()
            .map(|parts| (parts.len() == 1).then(|| tops(page, &parts[0]).len()).filter(|tops| *tops > 0))
            .collect();
        let width = if widths.len() == 1 { widths.into_iter().next().flatten() } else { None };
        let inside: Vec<Vec<Place>> = records.iter().map(|parts| places_of(page, parts)).collect();
        let mut template = Template {
            paths: heads.iter().map(|&head| paths[head as usize]).collect(),
            classes,
            width,
            places: common(&inside),
            link: telling(page, &inside),
            exact: false,
        };
        let again: Vec<Node> = template.find(page).iter().filter_map(|parts| head(page, parts)).collect();
        template.exact = again == heads;
        Some(template)
    }

    /// The records of this look on a page, in document order.
    pub(super) fn find(&self, page: &Page) -> Vec<Parts> {
        let Some(width) = self.width else { return Vec::new() };
        let paths = paths(page);
        let mut records = Vec::new();
        let mut at = 0;
        while at < page.tree.len() as Node {
            let is_head = !page.tree.is_text(at) && self.is_head(page, at, paths[at as usize]);
            let record = is_head.then(|| self.record(page, at, width, &paths)).flatten();
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

    fn is_head(&self, page: &Page, node: Node, path: u64) -> bool {
        self.paths.contains(&path)
            && page.styles.is_shown(node)
            && self.classes.iter().all(|word| class_words(page, node).any(|own| own == word))
    }

    /// The record that begins with a node, unless another one begins inside of it or too little of it is there.
    fn record(&self, page: &Page, head: Node, width: usize, paths: &[u64]) -> Option<Parts> {
        let (mut end, mut count) = (page.tree.end(head), 1);
        let mut next = page.tree.next_sibling(head);
        while count < width && next != copal_dom::NONE {
            if !page.tree.is_text(next) {
                if self.is_head(page, next, paths[next as usize]) && !self.classes.is_empty() {
                    break;
                }
                count += 1;
                end = page.tree.end(next);
            }
            next = page.tree.next_sibling(next);
        }
        let record = one_part(head..end);
        self.has_places(page, &record).then_some(record)
    }

    fn has_places(&self, page: &Page, record: &Parts) -> bool {
        let inside: FxHashSet<u64> = places_of(page, record).into_iter().map(|place| place.key).collect();
        let there = self.places.iter().filter(|place| inside.contains(place)).count();
        // a record always shows something
        !inside.is_empty() && there as f64 >= PLACES * self.places.len() as f64
    }

    /// How many of these records look like those of the template.
    pub(super) fn alike(&self, page: &Page, paths: &[u64], records: &[Parts]) -> usize {
        let is = |parts: &&Parts| {
            head(page, parts).is_some_and(|head| self.paths.contains(&paths[head as usize]))
                && self.has_places(page, parts)
        };
        records.iter().filter(is).count()
    }

    /// What tells a record from the others: its own link if they have one each, else all it says.
    pub(super) fn key(&self, page: &Page, record: &Parts, resolve: &dyn Fn(&str) -> String) -> u64 {
        let places = places_of(page, record);
        let own = self.link.and_then(|link| {
            let place = places.iter().find(|place| (place.key, place.ordinal) == link)?;
            page.tree.attr(place.node, attrs::HREF)
        });
        let mut hasher = FxHasher::default();
        match own {
            Some(href) => resolve(href).hash(&mut hasher),
            None => {
                for part in record {
                    page.visible_text(part.clone()).hash(&mut hasher);
                }
                let hrefs = places.iter().filter_map(|place| page.tree.attr(place.node, attrs::HREF));
                hrefs.for_each(|href| resolve(href).hash(&mut hasher));
            }
        }
        hasher.finish()
    }
}

/// A text or a link of a record.
struct Place {
    key: u64,
    /// Which one of those with this key in its record.
    ordinal: u32,
    node: Node,
}

/// The elements of a record that have a text or a link of their own.
fn places_of(page: &Page, record: &Parts) -> Vec<Place> {
    let tree = &page.tree;
    let mut places = Vec::new();
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
            places.push(Place { key, ordinal: *ordinal, node: holder });
            *ordinal += 1;
        }
    }
    places
}

/// The places that nearly all records have.
fn common(records: &[Vec<Place>]) -> Vec<u64> {
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    for place in records.iter().flatten().filter(|place| place.ordinal == 0) {
        *counts.entry(place.key).or_default() += 1;
    }
    let enough = |count: usize| count as f64 >= COMMON * records.len() as f64;
    let mut common: Vec<u64> =
        counts.into_iter().filter(|(_, count)| enough(*count)).map(|(key, _)| key).collect();
    common.sort_unstable();
    common
}

/// The first link that nearly all records have and no two records share.
fn telling(page: &Page, records: &[Vec<Place>]) -> Option<(u64, u32)> {
    let mut links: FxHashMap<(u64, u32), (usize, FxHashSet<&str>)> = FxHashMap::default();
    let mut order = Vec::new();
    for place in records.iter().flatten() {
        let Some(href) = page.tree.attr(place.node, attrs::HREF) else { continue };
        let (count, distinct) = links.entry((place.key, place.ordinal)).or_insert_with(|| {
            order.push((place.key, place.ordinal));
            (0, FxHashSet::default())
        });
        *count += 1;
        distinct.insert(href.trim());
    }
    let tells = |(count, distinct): &(usize, FxHashSet<&str>)| {
        *count == distinct.len() && *count as f64 >= LINKED * records.len() as f64 && *count > 1
    };
    order.into_iter().find(|link| tells(&links[link]))
}

/// For every node, its tag path as a number that is the same on all pages.
pub(super) fn paths(page: &Page) -> Vec<u64> {
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
fn head(page: &Page, parts: &Parts) -> Option<Node> {
    parts.iter().flat_map(|part| tops(page, part)).next()
}

fn share<T>(all: &[T], is: impl Fn(&T) -> bool) -> f64 {
    all.iter().filter(|one| is(one)).count() as f64 / all.len().max(1) as f64
}
