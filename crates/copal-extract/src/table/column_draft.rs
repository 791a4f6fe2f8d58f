//! A column before it is finished: what naming, typing, splitting and pruning work on.

use copal_dom::{Node, Page};
use copal_model::{CellSource, CellText};
use rustc_hash::FxHashSet;

/// A column while the table is being built. It always has at least one cell.
#[derive(Clone)]
pub(super) struct ColumnDraft {
    pub(super) source: CellSource,
    /// The node of its first value. Comparisons of markup use it for the whole column.
    pub(super) sample: Node,
    /// The node of its last value.
    pub(super) last: Node,
    /// The values follow a leading link and begin with a comma.
    pub(super) tail: bool,
    /// Words before the value that all records share.
    pub(super) label: Option<String>,
    pub(super) cells: Vec<DraftCell>,
}

/// One text of a column draft. A record may have several texts in one column.
#[derive(Debug, Clone)]
pub(super) struct DraftCell {
    pub(super) record: usize,
    /// Position among the values of its record.
    pub(super) position: usize,
    pub(super) text: CellText,
}

impl DraftCell {
    pub(super) fn text(&self) -> &str {
        &self.text.text
    }
}

impl ColumnDraft {
    /// A column with the same description and no cells.
    pub(super) fn empty_like(other: &ColumnDraft) -> ColumnDraft {
        ColumnDraft {
            source: other.source,
            sample: other.sample,
            last: other.last,
            tail: other.tail,
            label: other.label.clone(),
            cells: Vec::new(),
        }
    }

    /// The mean position of its values within their records.
    pub(super) fn mean_position(&self) -> f64 {
        self.cells.iter().map(|cell| cell.position as f64).sum::<f64>() / self.cells.len() as f64
    }

    /// The number of records with a value in this column.
    pub(super) fn record_count(&self) -> usize {
        self.cells.iter().map(|cell| cell.record).collect::<FxHashSet<_>>().len()
    }

    /// More than half of its texts are different.
    pub(super) fn is_mostly_distinct(&self) -> bool {
        let texts: FxHashSet<&str> = self.cells.iter().map(DraftCell::text).collect();
        2 * texts.len() > self.cells.len()
    }

    /// At least a fifth of its texts are different, and there are several.
    pub(super) fn differs_enough(&self) -> bool {
        let texts: FxHashSet<&str> = self.cells.iter().map(DraftCell::text).collect();
        texts.len() >= 2 && 5 * texts.len() >= self.cells.len()
    }
}

/// A node, then its ancestors from the inside out.
pub(super) fn self_and_ancestors(page: &Page, node: Node) -> impl Iterator<Item = Node> {
    std::iter::once(node).chain(page.tree.ancestors(node))
}
