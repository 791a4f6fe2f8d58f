//! Value types of columns, without a domain.
//!
//! In: column drafts. Out: a type for each column in which most cells are one recognised value. A sample of the
//! cells is read. Prose therefore costs almost nothing.

use super::column_draft::{ColumnDraft, DraftCell};
use copal_model::CellSource;
use copal_values::ValueType;
use copal_values::columns::reader::ColumnReader;

/// Cells that are read to choose a type.
const MAX_SAMPLED_CELLS: usize = 12;

/// Finds the types of columns. A column is asked for its type when columns are merged, again when all are
/// finished, and then for its values: the reader keeps what it has read.
#[derive(Default)]
pub(crate) struct ColumnTyper {
    pub(super) reader: ColumnReader,
}

impl ColumnTyper {
    /// The type of a column; `None` if most of its cells have no common type.
    pub(super) fn type_of_column(&mut self, draft: &ColumnDraft) -> Option<ValueType> {
        match draft.source {
            CellSource::Text => {}
            CellSource::Href => return Some(ValueType::Link),
            CellSource::Src => return Some(ValueType::Image),
            CellSource::Embedded | CellSource::Detail | CellSource::Heading => return None,
        }
        let step = draft.cells.len().div_ceil(MAX_SAMPLED_CELLS).max(1);
        let texts: Vec<&str> = draft.cells.iter().step_by(step).map(DraftCell::text).collect();
        self.reader.column_type(&texts)
    }

    /// The type of a text that is one value.
    pub(super) fn type_of_text(&mut self, text: &str) -> Option<ValueType> {
        self.reader.column_type(&[text])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_model::CellText;

    fn column(texts: &[&str]) -> ColumnDraft {
        let text = |text: &str| CellText::from(text.to_owned());
        let cell = |(record, words): (usize, &&str)| DraftCell { record, position: 0, text: text(words) };
        let cells = texts.iter().enumerate().map(cell).collect();
        ColumnDraft { source: CellSource::Text, sample: 0, last: 0, tail: false, label: None, cells }
    }

    fn type_of_column(draft: &ColumnDraft) -> Option<ValueType> {
        ColumnTyper::default().type_of_column(draft)
    }

    #[test]
    fn most_cells_decide() {
        assert_eq!(type_of_column(&column(&["£1", "£2.50", "£3", "£4", "sold"])), Some(ValueType::Money));
        assert_eq!(type_of_column(&column(&["Blue lamp", "Red lamp"])), None);
        let links = ColumnDraft { source: CellSource::Href, ..column(&["/a"]) };
        assert_eq!(type_of_column(&links), Some(ValueType::Link));
    }

    #[test]
    fn a_long_column_is_sampled() {
        let texts: Vec<&str> = ["£1"; 500].into_iter().chain(["sold"]).collect();
        assert_eq!(type_of_column(&column(&texts)), Some(ValueType::Money));
    }
}
