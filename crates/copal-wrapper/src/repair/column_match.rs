//! Matching the columns of a wrapper with the columns of a newly extracted list.
//!
//! In: a page rule with profiles, and a list. Out: for each column of the rule the most similar column of the
//! list, if one is similar enough. All columns are assigned together so that the sum of similarities is
//! maximal (Kuhn and Munkres), O(columns^3).

use crate::drift::profile::{CellCounts, MAX_EXAMPLE_CHARS, example};
use crate::format::{ColumnRule, PageRule, ReadFrom};
use copal_extract::{CellSource, Column, Region};
use pathfinding::kuhn_munkres::kuhn_munkres;
use pathfinding::matrix::Matrix;
use rustc_hash::FxHashSet;

/// Weights of the similarities of values, type, name, style and position.
const SIMILARITY_WEIGHTS: [f64; 5] = [0.35, 0.25, 0.2, 0.1, 0.1];
/// Columns that are less similar than this do not match.
const MIN_COLUMN_SIMILARITY: f64 = 0.6;
/// What equal style is worth for the similarity of values if no value is equal.
const STYLE_ONLY_WEIGHT: f64 = 0.75;
/// Maximum number of columns that are compared.
const MAX_MATCHED_COLUMNS: usize = 100;

/// Which columns of a list are those of a rule.
#[derive(Debug)]
pub(super) struct ColumnMatch {
    /// For each column of the rule, the number of the list's column.
    pub(super) columns: Vec<Option<usize>>,
    /// Mean similarity of the columns, weighted by their presence, from 0 to 1.
    pub(super) score: f64,
}

/// Matches the columns of a rule with those of a list.
pub(super) fn match_columns(rule: &PageRule, list: &Region) -> ColumnMatch {
    let (old, new) =
        (rule.columns.len().min(MAX_MATCHED_COLUMNS), list.columns.len().min(MAX_MATCHED_COLUMNS));
    // Each column is read once and not once per pair.
    let cells: Vec<ColumnCells> = (0..new).map(|n| ColumnCells::of(list, n)).collect();
    let similarities: Vec<Vec<f64>> = (0..old)
        .map(|o| {
            let position = o as f64 / old as f64;
            let row = cells.iter().zip(&list.columns).enumerate().map(|(n, (cells, column))| {
                let distance = (position - n as f64 / new as f64).abs();
                similarity(&rule.columns[o], column, cells, 1.0 - distance)
            });
            row.collect()
        })
        .collect();
    // The matrix is so wide that every column of the rule may stay without a match.
    let weights = Matrix::from_fn(old.max(1), (new + old).max(1), |(o, n)| {
        let value = similarities.get(o).and_then(|row| row.get(n)).copied().unwrap_or(0.0);
        (value.max(0.0) * 1e6) as i64
    });
    let (_, assigned) = kuhn_munkres(&weights);
    let mut columns = vec![None; rule.columns.len()];
    let (mut sum, mut all) = (0.0, 0.0);
    for o in 0..old {
        let weight = rule.columns[o].presence.unwrap_or(0.5);
        all += weight;
        if let Some(&value) =
            similarities[o].get(assigned[o]).filter(|&&value| value >= MIN_COLUMN_SIMILARITY)
        {
            columns[o] = Some(assigned[o]);
            sum += weight * value;
        }
    }
    ColumnMatch { columns, score: if all > 0.0 { sum / all } else { 0.0 } }
}

/// The cells of a list's column.
struct ColumnCells {
    /// The first texts, shortened like examples.
    texts: FxHashSet<String>,
    counts: CellCounts,
    /// Nine of ten cells have a length between these.
    length: (usize, usize),
}

impl ColumnCells {
    fn of(list: &Region, column: usize) -> ColumnCells {
        let first = list.records.iter().filter_map(|record| record.cells[column].first());
        let texts = first.map(example).collect();
        let mut counts = CellCounts::default();
        counts.add(list, column);
        let length = (counts.length(0.05), counts.length(0.95));
        ColumnCells { texts, counts, length }
    }
}

/// How similar a list's column is to a rule's column, from 0 to 1; -1 if one has text and the other links or
/// images.
fn similarity(rule: &ColumnRule, found: &Column, cells: &ColumnCells, position: f64) -> f64 {
    let same_source = matches!(
        (rule.read_from, found.source),
        (ReadFrom::Text, CellSource::Text)
            | (ReadFrom::Href, CellSource::Href)
            | (ReadFrom::Src, CellSource::Src)
    );
    if !same_source {
        return -1.0;
    }
    let style = style_similarity(rule, cells);
    let value_type = match (rule.value_type.as_deref(), found.value_type) {
        // That neither has a type says little.
        (None, None) => 0.7,
        (a, b) if a == b => 1.0,
        (None, _) | (_, None) => 0.3,
        _ => 0.0,
    };
    let values = value_similarity(rule, cells).max(STYLE_ONLY_WEIGHT * style);
    let similarities = [values, value_type, name_similarity(rule, found), style, position];
    similarities.iter().zip(SIMILARITY_WEIGHTS).map(|(one, weight)| one * weight).sum()
}

/// Share of the examples that the column has.
fn value_similarity(rule: &ColumnRule, cells: &ColumnCells) -> f64 {
    let Some(profile) = &rule.profile else { return 0.0 };
    let known: Vec<&String> = profile.examples.iter().filter(|text| !text.is_empty()).collect();
    let same = known.iter().filter(|text| cells.texts.contains(text.as_str())).count();
    same as f64 / known.len().max(1) as f64
}

/// Share of the words that both names have.
fn name_similarity(rule: &ColumnRule, found: &Column) -> f64 {
    if rule.name == found.name {
        return 1.0;
    }
    let words = |name: &str| -> FxHashSet<String> {
        let words = name.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (a, b) = (words(&rule.name), words(&found.name));
    let both = a.intersection(&b).count() as f64;
    0.8 * both / (a.len() + b.len()).max(1) as f64 * 2.0
}

/// How similar lengths, letters, digits and presence are.
fn style_similarity(rule: &ColumnRule, cells: &ColumnCells) -> f64 {
    let Some(profile) = &rule.profile else { return 0.5 };
    let counts = &cells.counts;
    if counts.cells == 0 {
        return 0.0;
    }
    let shape = (counts.letters() - profile.letters).abs() + (counts.digits() - profile.digits).abs();
    let middle = |a: usize, b: usize| (a + b) as f64 / 2.0 + 1.0;
    let (before, now) = (middle(profile.length.0, profile.length.1), middle(cells.length.0, cells.length.1));
    let cap = MAX_EXAMPLE_CHARS as f64 * 4.0;
    let length = (before.min(cap) / now.min(cap)).min(now.min(cap) / before.min(cap));
    let presence = 1.0 - (rule.presence.unwrap_or(0.5) - counts.presence()).abs();
    let varied = 1.0 - (profile.distinct - counts.distinct()).abs();
    ((1.0 - shape).max(0.0) + length + presence + varied) / 4.0
}
