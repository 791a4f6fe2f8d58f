//! How many cells the tables of one page may have together.
//!
//! Every record has a cell in every column of its list, also where it has nothing. A page of a few megabytes
//! could thus need gigabytes: thousands of records with hundreds of rare columns, several times over.

use std::cell::Cell as Counter;

/// Maximum number of columns of a region.
const MAX_COLUMNS: usize = 400;
/// Maximum number of cells of all regions of a page. It bounds memory, at about 200 bytes per cell.
const MAX_PAGE_CELLS: usize = 1_500_000;

/// What is left of the cells of a page. The lists of a page are built in their order, so the main list comes
/// first.
#[derive(Debug)]
pub(crate) struct CellBudget {
    left: Counter<usize>,
    is_exceeded: Counter<bool>,
}

impl Default for CellBudget {
    fn default() -> CellBudget {
        CellBudget { left: Counter::new(MAX_PAGE_CELLS), is_exceeded: Counter::new(false) }
    }
}

impl CellBudget {
    /// How many of the columns that a list has it may keep: at least one.
    pub(super) fn columns(&self, wanted: usize, records: usize) -> usize {
        let most = MAX_COLUMNS.min(self.left.get() / records.max(1)).max(1);
        let kept = wanted.min(most);
        self.left.set(self.left.get().saturating_sub(kept * records));
        kept
    }

    /// Remembers that a list could not keep a column that several of its records have.
    pub(super) fn column_dropped(&self) {
        self.is_exceeded.set(true);
    }

    /// True if a list could not keep all columns that several of its records have.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.is_exceeded.get()
    }
}

#[cfg(test)]
mod tests {
    use super::{CellBudget, MAX_COLUMNS, MAX_PAGE_CELLS};

    #[test]
    fn the_lists_of_a_page_share_its_cells() {
        let budget = CellBudget::default();
        let records = MAX_PAGE_CELLS / 100;
        assert_eq!(budget.columns(60, records), 60);
        assert_eq!(budget.columns(60, records), 40);
        assert_eq!(budget.columns(60, records), 1, "a list without columns would be no list");
        assert_eq!(CellBudget::default().columns(MAX_COLUMNS + 1, 3), MAX_COLUMNS);
    }
}
