//! Lists that the page declares as JSON-LD, found among what it shows.
//!
//! In: a [`Page`]. Out: regions, one for each declared list (`ItemList`, a graph, any array of things) most of whose things the page
//! shows: a thing is where a link leads to its address, or where its name stands as a link or a heading; its record is the
//! largest element around that with no other thing in it. O(declared data + links), nothing on pages without such data.

use crate::lists::candidate::{ListCandidate, one_part};
use crate::structure::layout;
use copal_dom::{NONE, Node, Page, attrs, tags, url};
use rustc_hash::{FxHashMap, FxHasher};
use serde_json::{Map, Value};
use std::hash::{Hash, Hasher};

/// Bytes of declared data that are read.
const BYTES: usize = 1_000_000;
/// Fewest things of a list; most of one, and most lists.
const FEWEST: usize = 3;
const MOST: usize = 2000;
const LISTS: usize = 16;
/// Shortest name and address that tell a thing.
const SHORTEST: usize = 4;

/// The declared lists that the page shows.
pub(crate) fn find(page: &Page) -> Vec<ListCandidate> {
    let mut lists: Vec<Vec<Thing>> = Vec::new();
    let mut left = BYTES;
    let tree = &page.tree;
    for script in tree.nodes().filter(|&node| tree.tag(node) == tags::SCRIPT) {
        let is_data = |kind: &str| kind.trim().eq_ignore_ascii_case("application/ld+json");
        let text = tree.raw_text(script);
        if tree.attr(script, attrs::TYPE).is_some_and(is_data) && text.len() <= left {
            left -= text.len();
            if let Ok(value) = serde_json::from_str(text) {
                gather(&value, &mut lists);
            }
        }
    }
    if lists.is_empty() {
        return Vec::new();
    }
    let shown = Shown::of(page);
    lists.iter().filter_map(|things| region(page, &shown, things)).collect()
}

/// What is declared of a thing, as hashes.
struct Thing {
    address: Option<u64>,
    name: Option<u64>,
}

/// All arrays of things, but for paths of breadcrumbs.
fn gather(value: &Value, lists: &mut Vec<Vec<Thing>>) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(object) if !is_trail(object) => open.extend(object.values()),
            Value::Array(items) => {
                open.extend(items);
                let things: Vec<Thing> = items.iter().take(MOST).filter_map(thing).collect();
                if things.len() >= FEWEST && lists.len() < LISTS {
                    lists.push(things);
                }
            }
            _ => {}
        }
    }
}

fn is_trail(object: &Map<String, Value>) -> bool {
    object.get("@type").and_then(Value::as_str) == Some("BreadcrumbList")
}

/// The address and the name of an object, or of the `item` that a place in a list holds.
fn thing(value: &Value) -> Option<Thing> {
    let outer = value.as_object()?;
    let inner = outer.get("item").and_then(Value::as_object);
    let text =
        |key: &str| inner.and_then(|inner| inner.get(key)).or_else(|| outer.get(key)).and_then(Value::as_str);
    let address = text("url").or_else(|| outer.get("item").and_then(Value::as_str)).or_else(|| text("@id"));
    let address = address.and_then(address_key);
    let name = text("name").or_else(|| text("headline")).and_then(name_key);
    (address.is_some() || name.is_some()).then_some(Thing { address, name })
}

/// Path and query of an address, without its host: pages give links with it and without.
fn address_key(address: &str) -> Option<u64> {
    let path = url::path_and_query(address).trim_matches('/');
    (path.len() >= SHORTEST).then(|| hashed(path.bytes()))
}

/// Letters and digits of a name.
fn name_key(name: &str) -> Option<u64> {
    let letters = || name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    (letters().take(SHORTEST).count() == SHORTEST).then(|| hashed(letters()))
}

fn hashed<T: Hash>(parts: impl Iterator<Item = T>) -> u64 {
    let mut hasher = FxHasher::default();
    parts.for_each(|part| part.hash(&mut hasher));
    hasher.finish()
}

/// Links and headings of the page by what they say.
struct Shown {
    addresses: FxHashMap<u64, Vec<Node>>,
    names: FxHashMap<u64, Vec<Node>>,
}

impl Shown {
    fn of(page: &Page) -> Shown {
        let tree = &page.tree;
        let mut shown = Shown { addresses: FxHashMap::default(), names: FxHashMap::default() };
        for node in tree.nodes().filter(|&node| !tree.is_text(node) && page.styles.is_shown(node)) {
            let is_link = tree.tag(node) == tags::A;
            if let Some(key) = tree.attr(node, attrs::HREF).filter(|_| is_link).and_then(address_key) {
                shown.addresses.entry(key).or_default().push(node);
            }
            if (is_link || tags::is_heading(tree.tag(node)))
                && let Some(key) = name_key(&page.text_of(node))
            {
                shown.names.entry(key).or_default().push(node);
            }
        }
        shown
    }

    /// Where a thing stands: by its address, else by its name.
    fn places(&self, thing: &Thing) -> &[Node] {
        let by_address = thing.address.and_then(|key| self.addresses.get(&key));
        by_address.or_else(|| self.names.get(&thing.name?)).map_or(&[], Vec::as_slice)
    }
}

/// The records of a list, if most of its things are shown.
fn region(page: &Page, shown: &Shown, things: &[Thing]) -> Option<ListCandidate> {
    let tree = &page.tree;
    let mut places: Vec<(Node, usize)> = Vec::new();
    for (i, thing) in things.iter().enumerate() {
        places.extend(shown.places(thing).iter().map(|&node| (node, i)));
    }
    places.sort_unstable();
    places.dedup_by_key(|place| place.0);
    // where, behind each place, another thing stands
    let mut other = vec![places.len(); places.len()];
    for i in (0..places.len().saturating_sub(1)).rev() {
        other[i] = if places[i].1 == places[i + 1].1 { other[i + 1] } else { i + 1 };
    }
    let has_one = |node: Node| {
        let from = places.partition_point(|place| place.0 < node);
        other.get(from).is_none_or(|&other| other == places.len() || places[other].0 >= tree.end(node))
    };
    let mut tops: Vec<(usize, Node)> = Vec::with_capacity(places.len());
    for &(node, thing) in &places {
        let mut top = node;
        while tree.parent(top) != NONE && has_one(tree.parent(top)) {
            top = tree.parent(top);
        }
        tops.push((thing, top));
    }
    let mut siblings: FxHashMap<Node, usize> = FxHashMap::default();
    for &(_, top) in &tops {
        *siblings.entry(tree.parent(top)).or_default() += 1;
    }
    // a thing that stands in several places is a record where most others are
    tops.sort_unstable_by_key(|&(thing, top)| (thing, std::cmp::Reverse(siblings[&tree.parent(top)]), top));
    tops.dedup_by_key(|top| top.0);
    let mut nodes: Vec<Node> = tops.into_iter().map(|(_, top)| top).collect();
    nodes.sort_unstable();
    nodes.dedup();
    if nodes.len() < FEWEST || 2 * nodes.len() <= things.len() {
        return None;
    }
    let records: Vec<_> = nodes.iter().map(|&node| one_part(node..tree.end(node))).collect();
    Some(ListCandidate {
        root: layout::common_root(tree, &records),
        records,
        score: 0.0,
        attributes: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::find;
    use copal_dom::{Limits, Page};

    fn records(html: &str) -> Vec<Vec<String>> {
        let page = Page::from_text(html, &Limits::default());
        let texts = |found: &crate::lists::candidate::ListCandidate| {
            found.records.iter().map(|parts| page.visible_text(parts[0].clone())).collect()
        };
        find(&page).iter().map(texts).collect()
    }

    const SHOWN: &str = "<nav><a href=/>Home page</a> <a href=/lamps>All lamps</a></nav>\
        <div><p><img src=1><a href=/lamp/one>Brass lamp</a> 12</p><p><a href=/lamp/two/>Clip lamp</a> 9</p>\
        <section><p>New</p><p><a href=/lamp/three>Oak lamp</a> 40</p></section></div>";

    #[test]
    fn things_of_an_item_list_are_records_where_their_links_are() {
        let item = |url: &str| format!(r#"{{"@type":"ListItem","url":"https://x.example/lamp/{url}"}}"#);
        let list = format!(r#""itemListElement":[{},{},{}]"#, item("one"), item("two"), item("three"));
        let html =
            format!(r#"<script type="application/ld+json">{{"@type":"ItemList",{list}}}</script>{SHOWN}"#);
        assert_eq!(records(&html), [["Brass lamp 12", "Clip lamp 9", "New Oak lamp 40"]]);
        // the path to a page is no list of it
        assert!(records(&html.replace("ItemList", "BreadcrumbList")).is_empty());
    }

    #[test]
    fn things_of_a_graph_are_found_by_name() {
        let graph = r#"{"@graph":[{"name":"Brass lamp"},{"item":{"name":"Clip Lamp"}},{"name":"Oak lamp"}]}"#;
        let html = format!(r#"<script type="application/ld+json">{graph}</script>{SHOWN}"#);
        assert_eq!(records(&html), [["Brass lamp 12", "Clip lamp 9", "New Oak lamp 40"]]);
    }

    #[test]
    fn a_list_that_is_not_shown_gives_nothing() {
        let graph = r#"[{"name":"Red chair"},{"name":"Blue chair"},{"name":"Oak lamp"}]"#;
        assert!(
            records(&format!(r#"<script type="application/ld+json">{graph}</script>{SHOWN}"#)).is_empty()
        );
        assert!(
            records(&format!(r#"<script type="application/ld+json">{{broken</script>{SHOWN}"#)).is_empty()
        );
    }
}
