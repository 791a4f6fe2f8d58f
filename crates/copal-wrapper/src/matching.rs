//! Which columns of a list are the columns a wrapper has: algorithms.md's weights for a wrapper's repair.
//!
//! In: a page rule with profiles, and a list that was extracted anew. Out: for each column of the rule the list's column, if
//! one is like it. Assigned all together so that the sum of likenesses is largest (Kuhn and Munkres), O(columns^3).

use crate::file::{ColumnRule, From, PageRule};
use crate::profile::{Counted, LONGEST, example};
use copal_extract::{CellSource, Column, Region};
use pathfinding::kuhn_munkres::kuhn_munkres;
use pathfinding::matrix::Matrix;
use rustc_hash::FxHashSet;

/// How much each likeness counts: values, type, name, style, position.
const WEIGHTS: [f64; 5] = [0.35, 0.25, 0.2, 0.1, 0.1];
/// Least likeness of a column.
const LEAST: f64 = 0.6;
/// What a column of the same style is worth where no value is the same.
const STYLE_ALONE: f64 = 0.75;
/// Columns of a list that are looked at.
const MOST: usize = 100;

/// The columns of a rule in a list.
#[derive(Debug)]
pub(crate) struct Matched {
    /// By column of the rule: the list's column.
    pub(crate) columns: Vec<Option<usize>>,
    /// The sum of likenesses, each as heavy as its column is frequent, of 1.
    pub(crate) score: f64,
}

/// Matches a rule's columns with those of a list.
pub(crate) fn matched(rule: &PageRule, list: &Region) -> Matched {
    let (old, new) = (rule.columns.len().min(MOST), list.columns.len().min(MOST));
    // each column is read once, not once a pair
    let cells: Vec<Cells> = (0..new).map(|n| Cells::of(list, n)).collect();
    let likeness: Vec<Vec<f64>> = (0..old)
        .map(|o| {
            let place = o as f64 / old as f64;
            let likes = cells.iter().zip(&list.columns).enumerate().map(|(n, (cells, column))| {
                let apart = (place - n as f64 / new as f64).abs();
                like(&rule.columns[o], column, cells, 1.0 - apart)
            });
            likes.collect()
        })
        .collect();
    // wide enough that each column may stay alone
    let weights = Matrix::from_fn(old.max(1), (new + old).max(1), |(o, n)| {
        let value = likeness.get(o).and_then(|row| row.get(n)).copied().unwrap_or(0.0);
        (value.max(0.0) * 1e6) as i64
    });
    let (_, assigned) = kuhn_munkres(&weights);
    let mut columns = vec![None; rule.columns.len()];
    let (mut sum, mut all) = (0.0, 0.0);
    for o in 0..old {
        let weight = rule.columns[o].presence.unwrap_or(0.5);
        all += weight;
        if let Some(&value) = likeness[o].get(assigned[o]).filter(|&&value| value >= LEAST) {
            columns[o] = Some(assigned[o]);
            sum += weight * value;
        }
    }
    Matched { columns, score: if all > 0.0 { sum / all } else { 0.0 } }
}

/// The cells of a list's column.
struct Cells {
    /// As examples keep them.
    texts: FxHashSet<String>,
    counted: Counted,
    /// Between these lengths are nine of ten.
    length: (usize, usize),
}

impl Cells {
    fn of(list: &Region, column: usize) -> Cells {
        let first = list.records.iter().filter_map(|record| record.cells[column].first());
        let texts = first.map(example).collect();
        let mut counted = Counted::default();
        counted.add(list, column);
        let length = (counted.length(0.05), counted.length(0.95));
        Cells { texts, counted, length }
    }
}

/// How like a rule's column a list's column is; less than nothing if what it is read from differs.
fn like(rule: &ColumnRule, found: &Column, cells: &Cells, near: f64) -> f64 {
    let same_source = matches!(
        (rule.from, found.source),
        (From::Text, CellSource::Text) | (From::Href, CellSource::Href) | (From::Src, CellSource::Src)
    );
    if !same_source {
        return -1.0;
    }
    let style = style(rule, cells);
    let kind = match (rule.kind.as_deref(), found.kind) {
        // texts of no type are alike in little
        (None, None) => 0.7,
        (a, b) if a == b => 1.0,
        (None, _) | (_, None) => 0.3,
        _ => 0.0,
    };
    let values = values(rule, cells).max(STYLE_ALONE * style);
    let likes = [values, kind, name(rule, found), style, near];
    likes.iter().zip(WEIGHTS).map(|(like, weight)| like * weight).sum()
}

/// Share of the examples that stand in the column.
fn values(rule: &ColumnRule, cells: &Cells) -> f64 {
    let Some(profile) = &rule.profile else { return 0.0 };
    let known: Vec<&String> = profile.examples.iter().filter(|text| !text.is_empty()).collect();
    let same = known.iter().filter(|text| cells.texts.contains(text.as_str())).count();
    same as f64 / known.len().max(1) as f64
}

/// Words of the name that both have.
fn name(rule: &ColumnRule, found: &Column) -> f64 {
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

/// How alike lengths, letters, digits and presence are.
fn style(rule: &ColumnRule, cells: &Cells) -> f64 {
    let Some(profile) = &rule.profile else { return 0.5 };
    let counted = &cells.counted;
    if counted.there == 0 {
        return 0.0;
    }
    let shape = (counted.letters() - profile.letters).abs() + (counted.digits() - profile.digits).abs();
    let middle = |a: usize, b: usize| (a + b) as f64 / 2.0 + 1.0;
    let (before, now) = (middle(profile.length.0, profile.length.1), middle(cells.length.0, cells.length.1));
    let cap = LONGEST as f64 * 4.0;
    let length = (before.min(cap) / now.min(cap)).min(now.min(cap) / before.min(cap));
    let presence = 1.0 - (rule.presence.unwrap_or(0.5) - counted.presence()).abs();
    let varied = 1.0 - (profile.distinct - counted.distinct()).abs();
    ((1.0 - shape).max(0.0) + length + presence + varied) / 4.0
}
