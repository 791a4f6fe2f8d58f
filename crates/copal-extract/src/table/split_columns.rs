//! Splitting of texts that hold several values.
//!
//! In: column drafts. Out: column drafts, some of them split. A text is split at a separator that nearly
//! every record has equally often: a bullet or a long dash, and after a leading link the commas between
//! further facts. A recognised value is never split: "Filed May 7, 2024" stays one. O(text); recognisers run
//! for few columns.

use super::column_draft::{ColumnDraft, DraftCell};
use copal_model::{CellSource, CellText};
use std::ops::Range;

/// Fewer cells do not show a pattern.
const MIN_SPLIT_CELLS: usize = 4;
/// Maximum number of values of one text.
const MAX_PIECES: usize = 6;
/// Longest text that can be a list of values, in bytes.
const MAX_SPLIT_BYTES: usize = 400;
/// Separators that only occur between values. A comma also occurs inside them.
const STRONG_SEPARATORS: &[&str] = &[" \u{2022} ", " \u{b7} ", " \u{2014} "];

/// Splits the columns whose texts are lists of values.
pub(super) fn split_columns(drafts: Vec<ColumnDraft>) -> Vec<ColumnDraft> {
    let mut out = Vec::with_capacity(drafts.len());
    for draft in drafts {
        match find_pieces(&draft) {
            Some((count, pieces)) => out.extend(divide_column(draft, count, &pieces)),
            None => out.push(draft),
        }
    }
    out
}

/// The number of pieces that nearly all cells have, and the pieces of every cell.
fn find_pieces(draft: &ColumnDraft) -> Option<(usize, Vec<Vec<Range<usize>>>)> {
    if draft.source != CellSource::Text || draft.cells.len() < MIN_SPLIT_CELLS {
        return None;
    }
    let most = |cells: usize| 10 * cells >= 9 * draft.cells.len();
    let has = |separator: &str| draft.cells.iter().filter(|cell| cell.text().contains(separator)).count();
    let strong = STRONG_SEPARATORS.iter().copied().find(|separator| most(has(separator)));
    let separator = strong.or((draft.tail && most(has(", "))).then_some(", "))?;
    let pieces: Vec<Vec<Range<usize>>> =
        draft.cells.iter().map(|cell| pieces_of(cell.text(), separator)).collect();
    let mut counts = [0; MAX_PIECES + 1];
    for pieces in &pieces {
        counts[pieces.len().min(MAX_PIECES + 1) - 1] += 1;
    }
    let count = (2..=MAX_PIECES).find(|&count| most(counts[count - 1]))?;
    let varies = |piece: usize| {
        let texts = draft.cells.iter().zip(&pieces).filter(|(_, pieces)| pieces.len() == count);
        let mut texts = texts.map(|(cell, pieces)| &cell.text()[pieces[piece].clone()]);
        texts.next().is_some_and(|first| texts.any(|text| text != first))
    };
    (0..count).all(varies).then_some((count, pieces))
}

/// The parts of a text between separators that are not inside a recognised value.
fn pieces_of(text: &str, separator: &str) -> Vec<Range<usize>> {
    if text.len() > MAX_SPLIT_BYTES {
        return vec![0..text.len()];
    }
    let mut hits = Vec::new();
    if separator == ", " {
        copal_values::find(text, &mut hits);
    }
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(separator) {
        if pieces.len() <= MAX_PIECES && !hits.iter().any(|hit| hit.span.start < at && at < hit.span.end) {
            pieces.push(start..at);
            start = at + separator.len();
        }
    }
    pieces.push(start..text.len());
    pieces
}

/// One column per piece. A cell with another number of pieces stays whole in the first column.
fn divide_column(draft: ColumnDraft, count: usize, pieces: &[Vec<Range<usize>>]) -> Vec<ColumnDraft> {
    let mut out: Vec<ColumnDraft> = (0..count).map(|_| ColumnDraft::empty_like(&draft)).collect();
    for (cell, pieces) in draft.cells.into_iter().zip(pieces) {
        if pieces.len() == count {
            for (column, piece) in out.iter_mut().zip(pieces) {
                column.cells.push(DraftCell { text: text_piece(&cell.text, piece), ..cell });
            }
        } else {
            out[0].cells.push(cell);
        }
    }
    out
}

/// A part of a text with its own source.
fn text_piece(text: &CellText, piece: &Range<usize>) -> CellText {
    let source = text.source.clone().map(|mut source| {
        let start = source.span.start;
        source.span = start + piece.start as u32..start + piece.end as u32;
        source
    });
    CellText { text: text.text[piece.clone()].to_owned(), source }
}
