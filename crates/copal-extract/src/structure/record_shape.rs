//! The shape of a record: the paths at which it shows something.
//!
//! In: a page, then records. Out: the [`Shape`] of a record, a set of path keys. The similarity of two shapes
//! is their Jaccard index, from 0 to 1. O(nodes) per page, O(texts and images) per record.

use super::relative_paths::{RelativePaths, key_of};
use copal_dom::{NONE, Node, Page, Tag, tags};
use copal_model::Parts;
use std::cell::OnceCell;

/// Only this many nodes of a part count for the shape, so that a huge record does not slow down the
/// comparison.
const MAX_SHAPE_NODES: u32 = 1000;

/// The paths from the top-level elements of a record to its texts and images, sorted and without duplicates.
pub(crate) type Shape = Vec<u64>;

/// Computes the shapes of records of one page.
pub(crate) struct Shapes<'a> {
    page: &'a Page,
    /// Visible texts and images in document order.
    shown: Vec<Node>,
    coarse: RelativePaths,
    /// Computed on demand: only lists with many neighbours need it.
    fine: OnceCell<RelativePaths>,
}

impl<'a> Shapes<'a> {
    pub(crate) fn new(page: &'a Page) -> Shapes<'a> {
        let tree = &page.tree;
        let is_content = |&node: &Node| match tree.tag(node) {
            tags::TEXT => page.index.leaves(&(node..node + 1)) > 0,
            tags::IMG => page.styles.is_shown(node),
            _ => false,
        };
        let coarse =
            RelativePaths::new(page, |node| Some(tree.tag(node)).filter(|&tag| is_step(tag)).map(u64::from));
        Shapes { page, shown: tree.nodes().filter(is_content).collect(), coarse, fine: OnceCell::new() }
    }

    /// The coarse shape of a record, which is independent of its position on the page.
    pub(crate) fn of(&self, parts: &Parts) -> Shape {
        self.shape_with(&self.coarse, parts)
    }

    /// The shape with classes and cell columns too: different kinds of table rows often differ in nothing
    /// else.
    pub(crate) fn fine(&self, parts: &Parts) -> Shape {
        self.shape_with(self.fine.get_or_init(|| fine_paths(self.page)), parts)
    }

    fn shape_with(&self, paths: &RelativePaths, parts: &Parts) -> Shape {
        let tree = &self.page.tree;
        let mut set: Shape = Vec::new();
        for part in parts {
            let end = part.end.min(part.start.saturating_add(MAX_SHAPE_NODES));
            let from = self.shown.partition_point(|&node| node < part.start);
            let mut top = part.start;
            for &node in self.shown[from..].iter().take_while(|&&node| node < end) {
                while tree.end(top) <= node {
                    top = tree.end(top);
                }
                // the classes of the record itself are left out: they often distinguish odd rows from even
                // ones
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

fn fine_paths(page: &Page) -> RelativePaths {
    let tree = &page.tree;
    let mut cells: Vec<u8> = vec![0; tree.len()];
    RelativePaths::new(page, |node| {
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

    /// The coarse and the fine shape of every element with a tag.
    fn shapes(html: &str, tag: Tag) -> Vec<(Shape, Shape)> {
        let page = Page::from_text(html, &Limits::default());
        let (tree, shapes) = (&page.tree, Shapes::new(&page));
        let records = tree.nodes().filter(|&node| tree.tag(node) == tag);
        let parts = records.map(|node| one_part(node..tree.end(node)));
        parts.map(|parts| (shapes.of(&parts), shapes.fine(&parts))).collect()
    }

    #[test]
    fn a_shape_ignores_depth_and_formatting_tags() {
        let html = "<body><li><h2>a</h2><p>b<b>c</b></p></li><ul><li><p>d</p><h2><i>e</i></h2></ul>\
                    <li><h2>f</h2><p hidden>g</p></li>";
        let all = shapes(html, tags::LI);
        assert_eq!((all[0].0.len(), &all[0].0), (2, &all[1].0));
        assert_eq!(all[2].0.len(), 1);
        assert!((jaccard(&all[0].0, &all[2].0) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn fine_shapes_distinguish_cells_and_classes_but_not_odd_and_even_rows() {
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
