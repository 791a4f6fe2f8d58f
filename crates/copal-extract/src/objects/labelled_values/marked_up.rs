//! Labels and values that HTML elements mark as such: rows of tables and definition lists.
//!
//! In: the tree. Out: one value per row with two cells (or several pairs of cells), one per `dt` with its
//! `dd`s. Tables are also used for layout, so the label cell must be a single line that can be a label, and
//! the value cell must not contain rows of its own. O(nodes).

use super::super::table_heads::ColumnHeads;
use super::collector::LabelledValueCollector;
use super::labelled_value::LabelLayout;
use copal_dom::{NONE, Node, tags};
use copal_values::labels::{ends_with_colon, is_label};

/// Nodes of a value cell. A larger cell is layout, and searching it for rows would be quadratic in nested
/// tables.
const MAX_CELL_NODES: Node = 4000;

/// Reads table rows with a label and a value, or with several of both in turn.
pub(super) fn read_table_rows(collector: &mut LabelledValueCollector<'_, '_>) {
    let page = collector.page;
    let tree = &page.dom.tree;
    for row in tree.nodes().filter(|&node| tree.tag(node) == tags::TR) {
        let cells: Vec<Node> = tree
            .elements(row)
            .filter(|&cell| matches!(tree.tag(cell), tags::TD | tags::TH))
            .filter(|&cell| !page.lines_of(cell).is_empty())
            .collect();
        let header_count = cells.iter().filter(|&&cell| tree.tag(cell) == tags::TH).count();
        let first_has_colon =
            || page.only_line_of(cells[0]).is_some_and(|line| ends_with_colon(&page.lines[line].text));
        match cells.len() {
            2 if header_count < 2 => read_cells(collector, cells[0], cells[1]),
            n if n >= 4 && n % 2 == 0 && labels_alternate(collector, &cells) => {
                for two in cells.chunks(2) {
                    read_cells(collector, two[0], two[1]);
                }
            }
            3 if first_has_colon() => read_cells(collector, cells[0], cells[1]),
            _ => {}
        }
    }
}

/// True if every other cell is marked as a label.
fn labels_alternate(collector: &LabelledValueCollector<'_, '_>, cells: &[Node]) -> bool {
    let page = collector.page;
    let tree = &page.dom.tree;
    cells.chunks(2).all(|two| {
        let Some(line) = page.only_line_of(two[0]) else { return false };
        let text = &page.lines[line].text;
        (ends_with_colon(text)
            || tree.tag(two[0]) == tags::TH && tree.tag(two[1]) == tags::TD
            || (collector.is_known_label)(text))
            && is_label(text)
    })
}

fn read_cells(collector: &mut LabelledValueCollector<'_, '_>, label: Node, value: Node) {
    let page = collector.page;
    let tree = &page.dom.tree;
    let Some(line) = page.only_line_of(label).filter(|&line| !page.lines[line].is_head) else { return };
    let is_large = tree.end(value) - value > MAX_CELL_NODES;
    let is_layout = is_large || (value..tree.end(value)).any(|inner| tree.tag(inner) == tags::TR);
    if !is_layout && is_label(&page.lines[line].text) {
        collector.push_lines(line, page.lines_of(value), LabelLayout::TableRow);
    }
}

/// Reads tables with a head and one row of values below it.
pub(super) fn read_columns(collector: &mut LabelledValueCollector<'_, '_>, tables: &[ColumnHeads]) {
    for &(head, cell) in tables.iter().flatten() {
        let values = collector.page.lines_of(cell);
        if !values.is_empty() {
            collector.push_lines(head, values, LabelLayout::TableRow);
        }
    }
}

/// Reads definition lists. Several `dd` after one `dt` are one value.
pub(super) fn read_definitions(collector: &mut LabelledValueCollector<'_, '_>) {
    let page = collector.page;
    let tree = &page.dom.tree;
    for term in tree.nodes().filter(|&node| tree.tag(node) == tags::DT) {
        let Some(line) = page.only_line_of(term) else { continue };
        if !is_label(&page.lines[line].text) {
            continue;
        }
        let mut end = tree.end(term);
        let mut start = None;
        let mut next = tree.next_sibling(term);
        while next != NONE && tree.tag(next) != tags::DT {
            if tree.tag(next) == tags::DD {
                start = start.or(Some(next));
                end = tree.end(next);
            }
            next = tree.next_sibling(next);
        }
        if let Some(start) = start {
            collector.push_lines(line, page.lines_in(&(start..end)), LabelLayout::DefinitionList);
        }
    }
}
