//! Measures for and against the boundaries of a record: how it differs from the others of its region.
//!
//! In: a region. Out: [`RecordStatistics`] of all records (one pass over their nodes), and the measures of
//! one of them (O(1)).

use super::scales::{indicator, log_excess_and_shortfall};
use crate::structure::measure::{mean, median};
use crate::structure::record_shape::{Shape, Shapes};
use copal_dom::{Node, Page};
use copal_model::{Record, Region};
use rustc_hash::FxHashMap;
use std::ops::Range;

pub(super) const RECORD_MEASURE_COUNT: usize = 11;

/// Statistics of the records of a region.
pub(super) struct RecordStatistics {
    /// The confidence of the region, as a logit.
    pub(super) region: f64,
    /// How similar each record is to all of them, relative to the mean.
    pub(super) likeness: Vec<f64>,
    /// Share of the columns that each record has, relative to the mean.
    pub(super) filled: Vec<f64>,
    chars: Vec<f64>,
    links: Vec<f64>,
    images: Vec<f64>,
    nodes: Vec<f64>,
    typical: TypicalRecord,
}

/// Medians over the records; for images, the share of records that have any.
struct TypicalRecord {
    chars: f64,
    links: f64,
    images: f64,
    nodes: f64,
}

impl RecordStatistics {
    pub(super) fn new(page: &Page, region: &Region, region_logit: f64) -> RecordStatistics {
        let records = &region.records;
        let sum = |of: &dyn Fn(&Range<Node>) -> u32| -> Vec<f64> {
            records
                .iter()
                .map(|record| record.place.parts.iter().map(|part| f64::from(of(part))).sum())
                .collect()
        };
        let chars = sum(&|part| page.index.chars(part));
        let link_chars = sum(&|part| page.index.link_chars(part));
        let links: Vec<f64> =
            link_chars.iter().zip(&chars).map(|(links, chars)| links / chars.max(1.0)).collect();
        let images: Vec<f64> = sum(&|part| page.index.images(part)).iter().map(|n| n.min(1.0)).collect();
        let nodes = sum(&|part| part.end - part.start);
        let columns = region.columns.len().max(1) as f64;
        let has = |record: &Record| record.cells.iter().filter(|cell| !cell.is_empty()).count() as f64;
        let likeness = relative_to_mean(shape_likenesses(page, records));
        let filled = relative_to_mean(records.iter().map(|record| has(record) / columns).collect());
        let typical = TypicalRecord {
            chars: median(chars.iter().copied()),
            links: median(links.iter().copied()),
            images: mean(images.iter().copied()),
            nodes: median(nodes.iter().copied()),
        };
        RecordStatistics { region: region_logit, likeness, filled, chars, links, images, nodes, typical }
    }
}

/// Subtracts the mean: what all records of a region have in common says nothing about one of them.
fn relative_to_mean(mut values: Vec<f64>) -> Vec<f64> {
    let mean = mean(values.iter().copied());
    for value in &mut values {
        *value -= mean;
    }
    values
}

/// The similarity of each record's shape to the mean of all shapes (weighted Jaccard).
fn shape_likenesses(page: &Page, records: &[Record]) -> Vec<f64> {
    let of_page = Shapes::new(page);
    let shapes: Vec<Shape> = records.iter().map(|record| of_page.of(&record.place.parts)).collect();
    let mut shares: FxHashMap<u64, f64> = FxHashMap::default();
    for path in shapes.iter().flatten() {
        *shares.entry(*path).or_default() += 1.0 / records.len() as f64;
    }
    let all: f64 = shares.values().sum();
    let likeness = |shape: &Shape| {
        let both: f64 = shape.iter().map(|path| shares[path]).sum();
        let any = shape.len() as f64 + all - both;
        if any > 0.0 { both / any } else { 0.0 }
    };
    shapes.iter().map(likeness).collect()
}

/// The measures of one record.
pub(super) fn record_measures(
    region: &Region,
    statistics: &RecordStatistics,
    r: usize,
) -> [(&'static str, f64); RECORD_MEASURE_COUNT] {
    let typical = &statistics.typical;
    let (longer, shorter) = log_excess_and_shortfall(statistics.chars[r], typical.chars);
    let (more_nodes, fewer_nodes) = log_excess_and_shortfall(statistics.nodes[r], typical.nodes);
    [
        ("region", statistics.region),
        ("likeness", statistics.likeness[r]),
        ("longer", longer),
        ("shorter", shorter),
        ("links", (statistics.links[r] - typical.links).abs()),
        ("images", (statistics.images[r] - typical.images).abs()),
        ("more_nodes", more_nodes),
        ("fewer_nodes", fewer_nodes),
        ("filled", statistics.filled[r]),
        ("first", indicator(r == 0)),
        ("last", indicator(r + 1 == region.records.len())),
    ]
}
