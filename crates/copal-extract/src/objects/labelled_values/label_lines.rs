//! Labels in a line of their own, with the value after them.
//!
//! In: the lines of the page. Out: the values after lines that end with a colon, that the domain knows as
//! labels, or that the structure marks as labels. Lines that contain labels and values are read first
//! (`inline_labels`). O(lines).

use super::super::detail_page::DetailPage;
use super::collector::{LabelledValueCollector, MAX_VALUE_LINES};
use super::inline_labels;
use super::labelled_value::LabelLayout;
use copal_dom::{NONE, Node, tags};
use copal_values::labels::{bare, ends_with_colon, is_label, separating_colon};

/// Siblings that are searched for the next visible one.
const MAX_SIBLINGS: usize = 64;
/// Elements around a label whose following siblings may contain the value.
const MAX_LEVELS: usize = 3;
/// Lines of a value after a label in a line of its own.
const MAX_LINES_AFTER_LABEL: usize = 30;
/// Lines of a block after a label without a colon. A larger block as a whole is not its value.
const MAX_BLOCK_LINES: usize = 12;
/// Lines of a value whose label is marked only by structure.
const MAX_LINES_OF_MARKED_LABEL: usize = 6;

/// Reads the labels in lines, inside them or as whole lines.
pub(super) fn read_lines(collector: &mut LabelledValueCollector<'_, '_>) {
    let page = collector.page;
    let tree = &page.dom.tree;
    for (at, line) in page.lines.iter().enumerate() {
        if collector.label_lines.contains(&at)
            || line.is_head
            || collector.is_full()
            || inline_labels::read_line(collector, at)
        {
            continue;
        }
        // The value of a heading is its section: see `headings`.
        if tree.ancestors(line.first()).take(3).any(|above| tags::is_heading(tree.tag(above))) {
            continue;
        }
        let has_colon = ends_with_colon(&line.text);
        // In tabs and menus, a link is followed by another link, not by a value.
        if !has_colon && page.is_in_link_or_button(line.first()) {
            continue;
        }
        let may_be_label = || has_colon || (collector.is_known_label)(bare(&line.text));
        if is_label(&line.text) && (may_be_label() || is_marked_as_label(page, at)) {
            let layout = if has_colon { LabelLayout::AfterColon } else { LabelLayout::AfterLabelLine };
            read_value_after(collector, at, layout);
        }
    }
}

/// True if the structure marks a line as a label: it is the template's text, next to exactly one sibling that
/// is not, in a row between similar rows.
fn is_marked_as_label(page: &DetailPage<'_>, at: usize) -> bool {
    let tree = &page.dom.tree;
    let node = element_of_line(page, at);
    let row = tree.parent(node);
    if row == NONE || matches!(tree.tag(row), tags::BODY | tags::HTML) || tags::is_heading(tree.tag(node)) {
        return false;
    }
    let visible: Vec<Node> = tree
        .children(row)
        .take(MAX_SIBLINGS)
        .filter(|&child| !page.lines_of(child).is_empty())
        .take(3)
        .collect();
    if visible.len() != 2 || visible[0] != node || page.lines_of(visible[1]).len() > MAX_LINES_OF_MARKED_LABEL
    {
        return false;
    }
    let value = page.lines_of(visible[1]).start;
    if page.page_count > 1 {
        return page.is_static(at) && !page.is_static(value);
    }
    let shape = |row: Node| {
        let children: Vec<u64> = tree.elements(row).take(4).map(|child| page.paths[child as usize]).collect();
        (page.paths[row as usize], children)
    };
    let own = shape(row);
    let neighbour = |forward: bool| {
        let step = |node| if forward { tree.next_sibling(node) } else { tree.prev_sibling(node) };
        let mut node = step(row);
        while node != NONE && tree.is_text(node) {
            node = step(node);
        }
        node
    };
    [true, false].into_iter().map(neighbour).any(|row| row != NONE && shape(row) == own)
}

/// Reads the value after a label: the next visible sibling of its element, or of an element around it.
fn read_value_after(collector: &mut LabelledValueCollector<'_, '_>, at: usize, layout: LabelLayout) {
    let page = collector.page;
    let tree = &page.dom.tree;
    let mut node = element_of_line(page, at);
    for _ in 0..MAX_LEVELS {
        let mut next = tree.next_sibling(node);
        for _ in 0..MAX_SIBLINGS {
            if next == NONE || !page.lines_of(next).is_empty() {
                break;
            }
            next = tree.next_sibling(next);
        }
        if next == NONE {
            node = tree.parent(node);
            if node == NONE
                || matches!(tree.tag(node), tags::BODY | tags::TR | tags::DL | tags::UL | tags::LI)
            {
                return;
            }
            continue;
        }
        let lines = page.lines_of(next);
        let first = &page.lines[lines.start];
        let is_next_label = ends_with_colon(&first.text) && is_label(&first.text);
        if page.is_in_button(first.first()) || is_next_label || tags::is_heading(tree.tag(next)) {
            return;
        }
        let next_label = lines.clone().skip(1).take(MAX_VALUE_LINES).find(|&line| {
            let text = page.lines[line].text.as_str();
            let colon = separating_colon(text);
            (ends_with_colon(text) || (collector.is_known_label)(bare(text)) || colon.is_some())
                && is_label(colon.map_or(text, |colon| &text[..colon]))
        });
        let end = if layout == LabelLayout::AfterLabelLine && lines.len() > MAX_BLOCK_LINES {
            lines.start + 1
        } else {
            next_label.unwrap_or(lines.end).min(lines.start + MAX_LINES_AFTER_LABEL)
        };
        collector.push_lines(at, lines.start..end, layout);
        return;
    }
}

/// The outermost element that shows only this line, or the line's last text node if its element shows more.
fn element_of_line(page: &DetailPage<'_>, at: usize) -> Node {
    let tree = &page.dom.tree;
    let line = &page.lines[at];
    let mut node = if line.leaves.len() == 1 { line.first() } else { line.node };
    if page.lines_of(node) != (at..at + 1) {
        node = line.last();
    }
    loop {
        let above = tree.parent(node);
        if above == NONE || tree.tag(above) == tags::BODY || page.lines_of(above) != (at..at + 1) {
            return node;
        }
        node = above;
    }
}
