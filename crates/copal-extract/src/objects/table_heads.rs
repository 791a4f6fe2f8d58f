//! Heads of tables: rows that name columns.
//!
//! In: a [`DetailPage`] whose texts are counted. Out: its lines in such rows are marked, and [`ColumnHeads`]
//! for every table that has one row of values below its head. A head is neither a value nor a label of the
//! text beside it. A table with several rows below its head is a list of other things (the seasons of a
//! player), so nothing in it is read by column. O(nodes).

use super::detail_page::DetailPage;
use copal_dom::{Node, tags};
use copal_values::labels::{ends_with_colon, is_label};

/// Cells of a head on a single page. A row of two is more often a label with its value, unless both are `th`.
const MIN_PLAIN_HEAD_CELLS: usize = 3;
/// Longest abbreviation that names a column, in bytes: "G", "3P%".
const MAX_SHORT_HEAD_BYTES: usize = 4;
/// Cells of a head that are read.
const MAX_HEAD_CELLS: usize = 40;

/// The head of a table with one row of values: the line of each head, and the cell below it.
pub(super) type ColumnHeads = Vec<(usize, Node)>;

/// Marks the lines of heads. Returns the tables that have one row of values.
pub(super) fn mark_table_heads(page: &mut DetailPage<'_>) -> Vec<ColumnHeads> {
    let tree = &page.dom.tree;
    let mut read_by_column = Vec::new();
    let mut head_lines: Vec<usize> = Vec::new();
    for table in tree.nodes().filter(|&node| tree.tag(node) == tags::TABLE) {
        let rows = rows_of(page, table);
        let Some((head, rest)) = rows.split_first() else { continue };
        if rest.is_empty() || !is_head(page, head, &rest[0]) {
            continue;
        }
        let lines: Vec<usize> = head.iter().filter_map(|&cell| page.only_line_of(cell)).collect();
        head_lines.extend(&lines);
        if let [values] = rest {
            read_by_column.push(lines.into_iter().zip(values.iter().copied()).collect());
        }
    }
    for line in head_lines {
        page.lines[line].is_head = true;
    }
    read_by_column
}

/// The first rows of a table as lists of their cells, without cells and rows that show nothing. Three are
/// enough to tell one row of values from several.
fn rows_of(page: &DetailPage<'_>, table: Node) -> Vec<Vec<Node>> {
    let tree = &page.dom.tree;
    let groups = tree.elements(table).flat_map(|child| {
        let is_group = matches!(tree.tag(child), tags::THEAD | tags::TBODY | tags::TFOOT);
        let rows: Vec<Node> = if is_group { tree.elements(child).collect() } else { vec![child] };
        rows
    });
    let rows = groups.filter(|&row| tree.tag(row) == tags::TR && !page.lines_of(row).is_empty());
    rows.take(3)
        .map(|row| {
            let cells = tree.elements(row).filter(|&cell| matches!(tree.tag(cell), tags::TD | tags::TH));
            cells.take(MAX_HEAD_CELLS).filter(|&cell| !page.lines_of(cell).is_empty()).collect()
        })
        .collect()
}

/// True if every cell of a row is a label and the next row has as many cells.
fn is_head(page: &DetailPage<'_>, head: &[Node], next: &[Node]) -> bool {
    let tree = &page.dom.tree;
    let all_marked = head.iter().all(|&cell| tree.tag(cell) == tags::TH);
    let next_is_marked = next.iter().all(|&cell| tree.tag(cell) == tags::TH);
    let is_name = |&cell: &Node| {
        page.only_line_of(cell).is_some_and(|line| {
            let text = &page.lines[line].text;
            // one letter is too short for a label, but names a column of figures
            let may_name = is_label(text) || text.len() <= MAX_SHORT_HEAD_BYTES;
            let is_of_template = page.page_count < 2 || page.is_static(line);
            may_name && text.contains(char::is_alphabetic) && !ends_with_colon(text) && is_of_template
        })
    };
    let is_plain_head = || {
        let in_head = tree.ancestors(head[0]).take(2).any(|above| tree.tag(above) == tags::THEAD);
        // Below a head, the first cell is a value; below a label that has the same value on all pages, it is
        // the next label.
        let differs = |&cell: &Node| page.only_line_of(cell).is_none_or(|line| !page.is_static(line));
        let first = next.first().and_then(|&cell| page.only_line_of(cell)).map(|line| &page.lines[line].text);
        let is_figure = first.is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()));
        let next_differs = page.page_count > 1
            && (next.first().is_some_and(differs) || is_figure && next.iter().any(differs));
        // a row of a `th` and a `td` is a label with its value
        let is_marked = head.iter().any(|&cell| tree.tag(cell) == tags::TH);
        !is_marked && next_differs || in_head && head.len() >= MIN_PLAIN_HEAD_CELLS
    };
    head.len() >= 2
        && head.len() == next.len()
        && !next_is_marked
        && (all_marked || is_plain_head())
        && head.iter().all(is_name)
        && !next.iter().all(is_name)
}
