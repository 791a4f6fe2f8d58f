//! What speaks for and against the borders of a record: how it differs from the others of its region.
//!
//! In: a region. Out: [`RecordFacts`] of all records (one walk over their nodes), and the measures of one of them (O(1)).

use super::{beyond, yes};
use crate::structure::measure::{mean, median};
use crate::structure::record_shape::{Shape, Shapes};
use copal_dom::{Node, Page};
use copal_model::{Record, Region};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Number of measures.
pub(super) const COUNT: usize = 11;

/// What the records of a region are like.
pub(super) struct RecordFacts {
    /// How sure the region is, as a logit.
    pub(super) region: f64,
    /// The likeness of each record to all of them, above or below the mean.
    pub(super) likeness: Vec<f64>,
    /// Share of the columns each record has, above or below the mean.
    pub(super) filled: Vec<f64>,
    chars: Vec<f64>,
    links: Vec<f64>,
    images: Vec<f64>,
    nodes: Vec<f64>,
    usual: Usual,
}

/// Medians of the records; of pictures the share that has some.
struct Usual {
    chars: f64,
    links: f64,
    images: f64,
    nodes: f64,
}

impl RecordFacts {
    pub(super) fn new(page: &Page, region: &Region, region_logit: f64) -> RecordFacts {
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
        let likeness = around_mean(likenesses(page, records));
        let filled = around_mean(records.iter().map(|record| has(record) / columns).collect());
        let usual = Usual {
            chars: median(chars.iter().copied()),
            links: median(links.iter().copied()),
            images: mean(images.iter().copied()),
            nodes: median(nodes.iter().copied()),
        };
        RecordFacts { region: region_logit, likeness, filled, chars, links, images, nodes, usual }
    }
}

/// What all records of a region have in common tells nothing of one of them.
fn around_mean(mut values: Vec<f64>) -> Vec<f64> {
    let mean = mean(values.iter().copied());
    for value in &mut values {
        *value -= mean;
    }
    values
}

/// The likeness of each record's shape to the mean of all shapes: what both have among what either has.
fn likenesses(page: &Page, records: &[Record]) -> Vec<f64> {
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

/// What is known of one record.
pub(super) fn measures(region: &Region, facts: &RecordFacts, r: usize) -> [(&'static str, f64); COUNT] {
    let usual = &facts.usual;
    let (longer, shorter) = beyond(facts.chars[r], usual.chars);
    let (more_nodes, fewer_nodes) = beyond(facts.nodes[r], usual.nodes);
    [
        ("region", facts.region),
        ("likeness", facts.likeness[r]),
        ("longer", longer),
        ("shorter", shorter),
        ("links", (facts.links[r] - usual.links).abs()),
        ("images", (facts.images[r] - usual.images).abs()),
        ("more_nodes", more_nodes),
        ("fewer_nodes", fewer_nodes),
        ("filled", facts.filled[r]),
        ("first", yes(r == 0)),
        ("last", yes(r + 1 == region.records.len())),
    ]
}
