//! The data sections of a region (BUW, step 4, Figure 11): the first ancestor of a record that holds more than
//! one record of the region.
//!
//! In: records in document order. Out: the sections, in the order of their first records. Records that are
//! next to each other in the page share the deepest ancestor, so each record is compared with its neighbours
//! only. O(records * depth).

use copal_dom::{NONE, Node, Page, Tree};
use copal_model::{Parts, RegionPlace, RegionSection};
use rustc_hash::FxHashMap;

/// The sections of these records.
pub(crate) fn data_sections(page: &Page, records: &[Parts]) -> Vec<RegionSection> {
    let tree = &page.tree;
    let tops: Vec<Node> = records.iter().filter_map(|parts| parts.first()).map(|part| part.start).collect();
    if tops.len() < 2 || tops.len() != records.len() {
        return Vec::new();
    }
    let shared: Vec<Node> = tops.windows(2).map(|pair| common_ancestor(tree, pair[0], pair[1])).collect();
    let mut sections: Vec<RegionSection> = Vec::new();
    let mut position_of: FxHashMap<Node, usize> = FxHashMap::default();
    for record in 0..tops.len() {
        let neighbours = [record.checked_sub(1), Some(record)];
        let holders = neighbours.into_iter().flatten().filter_map(|gap| shared.get(gap).copied());
        let Some(holder) = holders.max_by_key(|&node| tree.depth(node)) else { continue };
        let position = *position_of.entry(holder).or_insert_with(|| {
            sections.push(RegionSection { place: RegionPlace::element(holder), records: Vec::new() });
            sections.len() - 1
        });
        sections[position].records.push(record);
    }
    sections
}

/// The lowest node above both.
fn common_ancestor(tree: &Tree, a: Node, b: Node) -> Node {
    let last = a.max(b);
    let mut node = a.min(b);
    loop {
        let parent = tree.parent(node);
        if parent == NONE {
            return node;
        }
        node = parent;
        if last < tree.end(node) {
            return node;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::{Limits, attrs};
    use smallvec::smallvec;

    fn sections_of(html: &str) -> Vec<(String, Vec<usize>)> {
        let page = Page::from_text(html, &Limits::default());
        let tree = &page.tree;
        let is_record = |node: &Node| !tree.is_text(*node) && tree.attr(*node, attrs::CLASS) == Some("r");
        let records: Vec<Parts> =
            tree.nodes().filter(is_record).map(|node| smallvec![node..tree.end(node)]).collect();
        let name = |place: &RegionPlace| match place {
            RegionPlace::Element { node, .. } => tree.attr(*node, attrs::ID).unwrap_or("none").to_owned(),
            _ => String::new(),
        };
        data_sections(&page, &records).into_iter().map(|one| (name(&one.place), one.records)).collect()
    }

    #[test]
    fn a_section_is_the_first_ancestor_with_several_records() {
        let found = sections_of(
            "<main id=m><div id=a><p class=r>1<p class=r>2</div><h2>x</h2><div id=b><p class=r>3<p class=r>4\
             <p class=r>5</div><div><p class=r>6</div></main>",
        );
        let expected = [("a", vec![0, 1]), ("b", vec![2, 3, 4]), ("m", vec![5])];
        assert_eq!(found, expected.map(|(id, records)| (id.to_owned(), records)));
    }

    #[test]
    fn sections_inside_a_section_keep_their_records() {
        let found = sections_of(
            "<ul id=u><li class=r>1<li><ul id=v><li class=r>2<li class=r>3</ul><li class=r>4<li class=r>5</ul>",
        );
        assert_eq!(found, [("u".to_owned(), vec![0, 3, 4]), ("v".to_owned(), vec![1, 2])]);
        assert!(sections_of("<p class=r>1").is_empty() && sections_of("<p>none").is_empty());
    }
}
