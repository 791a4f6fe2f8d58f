//! How records are built: the paths below a record at which it shows something.
//!
//! In: a page, then records. Out: a record's [`Shape`], a set of path keys; two shapes have a likeness from 0 to 1.
//! O(nodes) a page, O(texts and images) a record.

use super::relative_paths::{Paths, key_of};
use copal_dom::{NONE, Node, Page, Tag, tags};
use copal_model::Parts;
use std::cell::OnceCell;

/// Nodes of a record that are looked at.
const NODES: u32 = 1000;

/// Paths of tags from the record's top elements to what it shows: sorted, none twice.
pub(crate) type Shape = Vec<u64>;

/// The shapes of a page's records.
pub(crate) struct Shapes<'a> {
    page: &'a Page,
    /// Texts and images that are shown, in order.
    shown: Vec<Node>,
    coarse: Paths,
    /// Only lists of many neighbours ask for it.
    fine: OnceCell<Paths>,
}

impl<'a> Shapes<'a> {
    pub(crate) fn new(page: &'a Page) -> Shapes<'a> {
        let tree = &page.tree;
        let is_seen = |&node: &Node| match tree.tag(node) {
            tags::TEXT => page.index.leaves(&(node..node + 1)) > 0,
            tags::IMG => page.styles.is_shown(node),
            _ => false,
        };
        let coarse = Paths::new(page, |node| Some(tree.tag(node)).filter(|&tag| is_step(tag)).map(u64::from));
        Shapes { page, shown: tree.nodes().filter(is_seen).collect(), coarse, fine: OnceCell::new() }
    }

    /// The shape of a record, wherever it stands on the page.
    pub(crate) fn of(&self, parts: &Parts) -> Shape {
        self.by(&self.coarse, parts)
    }

    /// The shape told by classes and the places of cells too: kinds of rows differ in nothing else.
    pub(crate) fn fine(&self, parts: &Parts) -> Shape {
        self.by(self.fine.get_or_init(|| fine_paths(self.page)), parts)
    }

    fn by(&self, paths: &Paths, parts: &Parts) -> Shape {
        let tree = &self.page.tree;
        let mut set: Shape = Vec::new();
        for part in parts {
            let end = part.end.min(part.start.saturating_add(NODES));
            let from = self.shown.partition_point(|&node| node < part.start);
            let mut top = part.start;
            for &node in self.shown[from..].iter().take_while(|&&node| node < end) {
                while tree.end(top) <= node {
                    top = tree.end(top);
                }
                // the classes of the record itself tell odd rows from even ones
                let tag = tree.tag(top);
                let first = if is_step(tag) { key_of(u64::from(tag)) } else { 0 };
                set.push(paths.key(top, first, node));
            }
        }
        set.sort_unstable();
        set.dedup();
        set
    }
}

fn is_step(tag: Tag) -> bool {
    tag != tags::TEXT && !tags::is_formatting(tag)
}

fn fine_paths(page: &Page) -> Paths {
    let tree = &page.tree;
    let mut cells: Vec<u8> = vec![0; tree.len()];
    Paths::new(page, |node| {
        let (tag, parent) = (tree.tag(node), tree.parent(node));
        let mut place = 0;
        if matches!(tag, tags::TD | tags::TH) && parent != NONE {
            let count = &mut cells[parent as usize];
            *count = count.saturating_add(1);
            place = *count;
        }
        let step = u64::from(page.index.class(node)) << 24 | u64::from(place) << 16 | u64::from(tag);
        is_step(tag).then_some(step)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::candidate::one_part;
    use crate::structure::measure::jaccard;
    use copal_dom::Limits;

    /// The shapes, coarse and fine, of all elements of a tag.
    fn shapes(html: &str, tag: Tag) -> Vec<(Shape, Shape)> {
        let page = Page::from_text(html, &Limits::default());
        let (tree, shapes) = (&page.tree, Shapes::new(&page));
        let records = tree.nodes().filter(|&node| tree.tag(node) == tag);
        let parts = records.map(|node| one_part(node..tree.end(node)));
        parts.map(|parts| (shapes.of(&parts), shapes.fine(&parts))).collect()
    }

    #[test]
    fn a_shape_is_the_same_at_any_depth_and_without_formatting() {
        let html = "<body><li><h2>a</h2><p>b<b>c</b></p></li><ul><li><p>d</p><h2><i>e</i></h2></ul>\
                    <li><h2>f</h2><p hidden>g</p></li>";
        let all = shapes(html, tags::LI);
        assert_eq!((all[0].0.len(), &all[0].0), (2, &all[1].0));
        assert_eq!(all[2].0.len(), 1);
        assert!((jaccard(&all[0].0, &all[2].0) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn fine_shapes_tell_cells_and_classes_apart_but_not_odd_rows_from_even_ones() {
        let html =
            "<table><tr class=odd><td>a<td>b<tr class=even><td>c<td>d<tr><td>e<td class=note>f</table>";
        let all = shapes(html, tags::TR);
        assert_eq!((all[0].0.len(), all[0].1.len()), (1, 2));
        assert_eq!(all[0].1, all[1].1);
        assert_eq!(all[0].0, all[2].0);
        assert!(all[0].1 != all[2].1);
    }

    #[test]
    fn rows_of_many_cells_have_a_shape() {
        let cells: String = (0..400).map(|n| format!("<td>{n}")).collect();
        let all = shapes(&format!("<table><tr>{cells}</table>"), tags::TR);
        assert_eq!(all[0].1.len(), 255);
    }
}
