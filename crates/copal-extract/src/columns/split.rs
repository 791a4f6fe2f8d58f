//! Texts that hold several values.
//!
//! In: columns. Out: columns, some of them cut. A text is cut at a separator that (nearly) every record has equally often: at a
//! bullet or a long dash, and behind a leading link at the commas that list what else is known. No cut goes through
//! a recognised value: "Filed May 7, 2024" is one. O(text), recognisers are asked for few columns.

use super::Draft;
use crate::model::CellSource;
use copal_annotate::annotate;
use std::ops::Range;

/// Cells from which a pattern is one.
const CELLS: usize = 4;
/// Most values of one text.
const PIECES: usize = 6;
/// Separators that stand between values only.
const STRONG: &[&str] = &[" \u{2022} ", " \u{b7} ", " \u{2014} "];

/// The columns, cut where their texts are lists of values.
pub(super) fn split(drafts: Vec<Draft>) -> Vec<Draft> {
    let mut out = Vec::with_capacity(drafts.len());
    for draft in drafts {
        match cuts(&draft) {
            Some(pieces) => out.extend(divided(draft, &pieces)),
            None => out.push(draft),
        }
    }
    out
}

/// For every cell its pieces, if they are as many in nearly all.
fn cuts(draft: &Draft) -> Option<Vec<Vec<Range<usize>>>> {
    if draft.source != CellSource::Text || draft.cells.len() < CELLS {
        return None;
    }
    let first = &draft.cells[0].2;
    let strong = STRONG.iter().copied().find(|separator| first.contains(separator));
    let separator = strong.or(draft.tail.then_some(", "))?;
    let pieces: Vec<Vec<Range<usize>>> = draft.cells.iter().map(|cell| cut(&cell.2, separator)).collect();
    let count = pieces[0].len();
    let alike = pieces.iter().filter(|pieces| pieces.len() == count).count();
    let varies = |piece: usize| {
        let text = |c: usize| pieces[c].get(piece).map(|range| &draft.cells[c].2[range.clone()]);
        (1..pieces.len()).any(|c| text(c) != text(0))
    };
    ((2..=PIECES).contains(&count) && 10 * alike >= 9 * pieces.len() && (0..count).all(varies)).then_some(pieces)
}

/// The text between separators that stand in no recognised value.
fn cut(text: &str, separator: &str) -> Vec<Range<usize>> {
    let mut hits = Vec::new();
    if separator == ", " {
        annotate::find(text, &mut hits);
    }
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(separator) {
        if pieces.len() <= PIECES && !hits.iter().any(|hit| hit.span.start < at && at < hit.span.end) {
            pieces.push(start..at);
            start = at + separator.len();
        }
    }
    pieces.push(start..text.len());
    pieces
}

/// One column a piece; a cell of another count stays whole in the first.
fn divided(draft: Draft, pieces: &[Vec<Range<usize>>]) -> Vec<Draft> {
    let count = pieces[0].len();
    let mut out: Vec<Draft> =
        (0..count).map(|_| Draft::new(&draft)).collect();
    for ((record, position, text), pieces) in draft.cells.into_iter().zip(pieces) {
        if pieces.len() == count {
            for (column, piece) in out.iter_mut().zip(pieces) {
                column.cells.push((record, position, text[piece.clone()].to_owned()));
            }
        } else {
            out[0].cells.push((record, position, text));
        }
    }
    out
}
