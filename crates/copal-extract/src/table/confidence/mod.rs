//! How likely records, columns and cells are right.
//!
//! In: a region whose own confidence is known. Out: [`Record::confidence`](crate::Record) (its borders are right),
//! [`Column::confidence`](crate::Column) (its cells are one field of the records) and [`Cell::confidence`](crate::Cell) (a cell is right, if its
//! record is). Each is a weighted sum of a few measures made a probability; the weights come from `make fit`. Columns
//! and cells are judged in the main list only, and texts only: for addresses, and for other lists, nothing was there to
//! fit them on. O(nodes of the records + cells).

mod cell;
mod column;
mod linear;
mod record;
mod weights;

use column::ColumnFacts;
use copal_dom::Page;
use copal_model::{CellSource, Region, Role};
use record::RecordFacts;

/// Names and values of what speaks for and against.
pub type Measures = Vec<(&'static str, f64)>;

/// The measures of a region, for fitting.
#[derive(Debug)]
pub struct Measured {
    /// Those of each record.
    pub records: Vec<Measures>,
    /// Those of each column; none if it is not judged.
    pub columns: Vec<Option<Measures>>,
    /// Those of each record's cells.
    pub cells: Vec<Vec<Option<Measures>>>,
}

/// Sets the confidence of a region's records, columns and cells.
pub(crate) fn add(page: &Page, region: &mut Region) {
    let Some(judge) = Judge::new(page, region) else { return };
    let rows = 0..region.records.len();
    let records: Vec<f64> = rows.clone().map(|r| weights::RECORD.probability(&judge.record(r))).collect();
    let columns: Vec<Option<f64>> =
        judge.columns.iter().map(|column| Some(linear::probability(column.as_ref()?.logit))).collect();
    let sure = |r: usize, c: usize| Some(weights::CELL.probability(&judge.cell(r, c)?));
    let judged = columns.iter().any(Option::is_some);
    let cells: Vec<Vec<Option<f64>>> = if judged {
        rows.map(|r| (0..columns.len()).map(|c| sure(r, c)).collect()).collect()
    } else {
        vec![Vec::new(); region.records.len()]
    };
    for (column, confidence) in region.columns.iter_mut().zip(columns) {
        column.confidence = confidence;
    }
    for ((record, confidence), cells) in region.records.iter_mut().zip(records).zip(cells) {
        record.confidence = Some(confidence);
        for (cell, confidence) in record.cells.iter_mut().zip(cells) {
            cell.confidence = confidence;
        }
    }
}

/// What `add` looks at; none if the region is not judged.
pub fn measure(page: &Page, region: &Region) -> Option<Measured> {
    let judge = Judge::new(page, region)?;
    let (records, columns) = (0..region.records.len(), 0..region.columns.len());
    let cells = |r: usize| columns.clone().map(|c| Some(judge.cell(r, c)?.to_vec())).collect();
    Some(Measured {
        records: records.clone().map(|r| judge.record(r).to_vec()).collect(),
        columns: columns.clone().map(|c| Some(judge.column(c)?.to_vec())).collect(),
        cells: records.map(cells).collect(),
    })
}

/// What is known of a region before anything in it is judged.
struct Judge<'a> {
    region: &'a Region,
    records: RecordFacts,
    columns: Vec<Option<ColumnFacts>>,
}

impl<'a> Judge<'a> {
    fn new(page: &Page, region: &'a Region) -> Option<Judge<'a>> {
        let confidence = region.confidence.filter(|_| region.role != Role::Navigation)?;
        let records = RecordFacts::new(page, region, linear::logit(confidence));
        let mut judge = Judge { region, records, columns: Vec::new() };
        if region.role == Role::Primary {
            judge.columns = (0..region.columns.len()).map(|c| judge.facts(c)).collect();
        } else {
            judge.columns.resize_with(region.columns.len(), || None);
        }
        Some(judge)
    }

    fn facts(&self, c: usize) -> Option<ColumnFacts> {
        (self.region.columns[c].source == CellSource::Text).then(|| {
            let mut facts = ColumnFacts::new(self.region, c);
            facts.logit = weights::COLUMN.sum(&column::measures(self.region, &self.records, &facts, c));
            facts
        })
    }

    fn record(&self, r: usize) -> [(&'static str, f64); record::COUNT] {
        record::measures(self.region, &self.records, r)
    }

    fn column(&self, c: usize) -> Option<[(&'static str, f64); column::COUNT]> {
        Some(column::measures(self.region, &self.records, self.columns[c].as_ref()?, c))
    }

    fn cell(&self, r: usize, c: usize) -> Option<[(&'static str, f64); cell::COUNT]> {
        let facts = self.columns[c].as_ref().filter(|_| !self.region.records[r].cells[c].is_empty())?;
        Some(cell::measures(self.region, &self.records, facts, (r, c)))
    }
}

/// How much longer and how much shorter than usual something is, as logarithms: one of them is 0.
fn beyond(length: f64, usual: f64) -> (f64, f64) {
    let ratio = ((1.0 + length) / (1.0 + usual)).ln();
    (ratio.max(0.0), (-ratio).max(0.0))
}

fn yes(is: bool) -> f64 {
    f64::from(u8::from(is))
}

#[cfg(test)]
mod tests;
