//! Proposes the lists that a page declares as JSON-LD, where it shows them.
//!
//! In: a [`Page`] and what it declares. Out: one candidate for each declared list (`ItemList`, a graph, any
//! array of things) if the page shows most of its things. A thing is shown where a link leads to its URL, or
//! where a link or a heading is its name; its record is the largest element around that place with no other
//! thing in it. O(declared things + links); nothing is done on pages that declare no list.

use crate::lists::candidate::{ListCandidate, one_part};
use crate::signals::declared::Declared;
use crate::signals::declared::json_ld::{ListedThing, name_key, url_key};
use crate::structure::layout;
use copal_dom::{NONE, Node, Page, attrs, tags};
use rustc_hash::FxHashMap;

/// Minimum number of records of a list.
const MIN_RECORDS: usize = 3;

/// The declared lists that the page shows.
pub(crate) fn find(page: &Page, declared: &Declared<'_>) -> Vec<ListCandidate> {
    if declared.lists().is_empty() {
        return Vec::new();
    }
    let shown = ShownNames::read(page);
    declared.lists().iter().filter_map(|things| list_candidate(page, &shown, things)).collect()
}

/// Links and headings of the page, by keys of their URLs and texts.
struct ShownNames {
    urls: FxHashMap<u64, Vec<Node>>,
    names: FxHashMap<u64, Vec<Node>>,
}

impl ShownNames {
    fn read(page: &Page) -> ShownNames {
        let tree = &page.tree;
        let mut shown = ShownNames { urls: FxHashMap::default(), names: FxHashMap::default() };
        for node in tree.nodes().filter(|&node| !tree.is_text(node) && page.styles.is_shown(node)) {
            let is_link = tree.tag(node) == tags::A;
            if let Some(key) = tree.attr(node, attrs::HREF).filter(|_| is_link).and_then(url_key) {
                shown.urls.entry(key).or_default().push(node);
            }
            if (is_link || tags::is_heading(tree.tag(node)))
                && let Some(key) = name_key(&page.text_of(node))
            {
                shown.names.entry(key).or_default().push(node);
            }
        }
        shown
    }

    /// The elements that show a thing: by its URL, else by its name.
    fn places(&self, thing: &ListedThing) -> &[Node] {
        let by_url = thing.url.and_then(|key| self.urls.get(&key));
        by_url.or_else(|| self.names.get(&thing.name?)).map_or(&[], Vec::as_slice)
    }
}

/// The records of a list, if most of its things are shown.
fn list_candidate(page: &Page, shown: &ShownNames, things: &[ListedThing]) -> Option<ListCandidate> {
    let tree = &page.tree;
    let mut places: Vec<(Node, usize)> = Vec::new();
    for (i, thing) in things.iter().enumerate() {
        places.extend(shown.places(thing).iter().map(|&node| (node, i)));
    }
    places.sort_unstable();
    places.dedup_by_key(|place| place.0);
    // for each place, the next place of another thing
    let mut next_other = vec![places.len(); places.len()];
    for i in (0..places.len().saturating_sub(1)).rev() {
        next_other[i] = if places[i].1 == places[i + 1].1 { next_other[i + 1] } else { i + 1 };
    }
    let has_one = |node: Node| {
        let from = places.partition_point(|place| place.0 < node);
        next_other.get(from).is_none_or(|&next| next == places.len() || places[next].0 >= tree.end(node))
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
    // a thing that is shown several times is a record where most other things are
    tops.sort_unstable_by_key(|&(thing, top)| (thing, std::cmp::Reverse(siblings[&tree.parent(top)]), top));
    tops.dedup_by_key(|top| top.0);
    let mut nodes: Vec<Node> = tops.into_iter().map(|(_, top)| top).collect();
    nodes.sort_unstable();
    nodes.dedup();
    if nodes.len() < MIN_RECORDS || 2 * nodes.len() <= things.len() {
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
    use crate::signals::declared::Declared;
    use copal_dom::{Limits, Page};

    fn records(html: &str) -> Vec<Vec<String>> {
        let page = Page::from_text(html, &Limits::default());
        let texts = |found: &crate::lists::candidate::ListCandidate| {
            found.records.iter().map(|parts| page.visible_text(parts[0].clone())).collect()
        };
        find(&page, &Declared::read(&page)).iter().map(texts).collect()
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
        // the trail to a page is not a list on it
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
