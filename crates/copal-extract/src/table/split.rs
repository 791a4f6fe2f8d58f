//! Texts that hold several values.
//!
//! In: columns. Out: columns, some of them cut. A text is cut at a separator that (nearly) every record has equally often: at a
//! bullet or a long dash, and behind a leading link at the commas that list what else is known. No cut goes through
//! a recognised value: "Filed May 7, 2024" is one. O(text), recognisers are asked for few columns.

use super::{Draft, DraftCell};
use copal_model::{CellSource, CellText};
use std::ops::Range;

/// Cells from which a pattern is one.
const CELLS: usize = 4;
/// Most values of one text.
const PIECES: usize = 6;
/// Longest text that is a list of values.
const LONGEST: usize = 400;
/// Separators that stand between values only.
const STRONG: &[&str] = &[" \u{2022} ", " \u{b7} ", " \u{2014} "];

/// The columns, cut where their texts are lists of values.
pub(super) fn split(drafts: Vec<Draft>) -> Vec<Draft> {
    let mut out = Vec::with_capacity(drafts.len());
    for draft in drafts {
        match cuts(&draft) {
            Some((count, pieces)) => out.extend(divided(draft, count, &pieces)),
            None => out.push(draft),
        }
    }
    out
}

/// How many pieces (nearly) all cells have, and for every cell its own.
fn cuts(draft: &Draft) -> Option<(usize, Vec<Vec<Range<usize>>>)> {
    if draft.source != CellSource::Text || draft.cells.len() < CELLS {
        return None;
    }
    let most = |cells: usize| 10 * cells >= 9 * draft.cells.len();
    let has = |separator: &str| draft.cells.iter().filter(|cell| cell.text().contains(separator)).count();
    let strong = STRONG.iter().copied().find(|separator| most(has(separator)));
    let separator = strong.or((draft.tail && most(has(", "))).then_some(", "))?;
    let pieces: Vec<Vec<Range<usize>>> = draft.cells.iter().map(|cell| cut(cell.text(), separator)).collect();
    let mut counts = [0; PIECES + 1];
    for pieces in &pieces {
        counts[pieces.len().min(PIECES + 1) - 1] += 1;
    }
    let count = (2..=PIECES).find(|&count| most(counts[count - 1]))?;
    let varies = |piece: usize| {
        let texts = draft.cells.iter().zip(&pieces).filter(|(_, pieces)| pieces.len() == count);
        let mut texts = texts.map(|(cell, pieces)| &cell.text()[pieces[piece].clone()]);
        texts.next().is_some_and(|first| texts.any(|text| text != first))
    };
    (0..count).all(varies).then_some((count, pieces))
}

/// The text between separators that stand in no recognised value.
fn cut(text: &str, separator: &str) -> Vec<Range<usize>> {
    if text.len() > LONGEST {
        return vec![0..text.len()];
    }
    let mut hits = Vec::new();
    if separator == ", " {
        copal_values::find(text, &mut hits);
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

/// One column per piece; a cell with another number of pieces stays whole in the first.
fn divided(draft: Draft, count: usize, pieces: &[Vec<Range<usize>>]) -> Vec<Draft> {
    let mut out: Vec<Draft> = (0..count).map(|_| Draft::new(&draft)).collect();
    for (cell, pieces) in draft.cells.into_iter().zip(pieces) {
        if pieces.len() == count {
            for (column, piece) in out.iter_mut().zip(pieces) {
                column.cells.push(DraftCell { text: part(&cell.text, piece), ..cell });
            }
        } else {
            out[0].cells.push(cell);
        }
    }
    out
}

/// A part of a text with its own source.
fn part(text: &CellText, piece: &Range<usize>) -> CellText {
    let source = text.source.clone().map(|mut source| {
        let start = source.span.start;
        source.span = start + piece.start as u32..start + piece.end as u32;
        source
    });
    CellText { text: text.text[piece.clone()].to_owned(), source }
}
