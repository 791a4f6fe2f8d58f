//! Sections: a heading as the label of what follows it, up to the next heading of its level.
//!
//! In: the headings of the page. Out: the sections as values. A heading that differs between the pages is a
//! name, not a label, and so is an `h1` on a page without others to compare with. O(headings²) in the worst
//! case of descending levels; O(headings + lines) on real pages.

use super::super::detail_page::DetailPage;
use super::collector::LabelledValueCollector;
use super::labelled_value::LabelLayout;
use copal_dom::{NONE, Node, tags};
use copal_values::labels::{bare, is_label};
use std::ops::Range;

/// Reads the sections of a page.
pub(super) fn read_sections(collector: &mut LabelledValueCollector<'_, '_>) {
    let page = collector.page;
    let tree = &page.dom.tree;
    let headings: Vec<Node> = tree.nodes().filter(|&node| tags::is_heading(tree.tag(node))).collect();
    for (index, &heading) in headings.iter().enumerate() {
        let Some(line) = page.only_line_of(heading) else { continue };
        let text = &page.lines[line].text;
        let is_section = (collector.is_known_section)(text);
        let is_of_template = is_section
            || (collector.is_known_label)(bare(text))
            || if page.page_count > 1 { page.is_static(line) } else { tree.tag(heading) != tags::H1 };
        let may_be_label = is_section || is_label(text);
        if collector.label_lines.contains(&line) || !may_be_label || !is_of_template || collector.is_full() {
            continue;
        }
        let lines = section_lines(page, &headings[index..]);
        collector.push_lines(line, lines, LabelLayout::Heading);
        // Only the other layouts use up a line: of two nested headings, which share one, both are read.
        collector.label_lines.remove(&line);
    }
}

/// The lines of the section below the first of some headings, which are in document order.
pub(in crate::objects) fn section_lines(page: &DetailPage<'_>, headings: &[Node]) -> Range<usize> {
    let Some((&heading, later)) = headings.split_first() else { return 0..0 };
    let tree = &page.dom.tree;
    // A heading alone in its box is the heading of what follows the box.
    let mut holder = heading;
    while tree.parent(holder) != NONE && page.lines_of(tree.parent(holder)) == page.lines_of(heading) {
        holder = tree.parent(holder);
    }
    let next = later.iter().find(|&&next| tree.tag(next) <= tree.tag(heading));
    let parent = tree.parent(holder);
    let end = if parent == NONE { tree.end(holder) } else { tree.end(parent) };
    let end = next.map_or(end, |&next| end.min(next));
    page.lines_in(&(tree.end(holder)..end))
}
