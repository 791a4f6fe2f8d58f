//! The probability that records, columns and cells are right.
//!
//! In: a region whose own confidence is known. Out: [`Record::confidence`](crate::Record) (its boundaries are
//! right), [`Column::confidence`](crate::Column) (its cells are one field of the records) and
//! [`Cell::confidence`](crate::Cell) (the cell is right, provided that its record is). Each is a weighted sum
//! of a few measures, converted to a probability. The weights come from `make fit`. Columns and cells are
//! only judged in the main list, and only texts: there was no ground truth to fit weights for URLs and for
//! other lists. O(nodes of the records + cells).

mod cell_measures;
mod column_measures;
mod confidence_weights;
mod linear;
mod record_measures;
#[cfg(any(test, feature = "research"))]
pub(crate) mod region_measures;
mod scales;

use cell_measures::{CELL_MEASURE_COUNT, cell_measures};
use column_measures::{ColumnStatistics, column_measures};
use confidence_weights::{CELL_WEIGHTS, COLUMN_WEIGHTS, RECORD_WEIGHTS};
use copal_dom::Page;
use copal_model::{CellSource, Region, Role};
use record_measures::{RECORD_MEASURE_COUNT, RecordStatistics, record_measures};
use std::iter::repeat;

/// Sets the confidence of a region's records, columns and cells.
pub(crate) fn set_confidences(page: &Page, region: &mut Region) {
    let Some(judge) = RegionJudge::new(page, region) else { return };
    let rows = 0..region.records.len();
    let records: Vec<f64> = rows.clone().map(|r| RECORD_WEIGHTS.probability(&judge.record(r))).collect();
    let columns: Vec<Option<f64>> =
        judge.columns.iter().map(|column| Some(linear::probability(column.as_ref()?.logit))).collect();
    let cell_confidence = |r: usize, c: usize| Some(CELL_WEIGHTS.probability(&judge.cell(r, c)?));
    let judged = columns.iter().any(Option::is_some);
    let cells: Vec<Vec<Option<f64>>> = if judged {
        rows.map(|r| (0..columns.len()).map(|c| cell_confidence(r, c)).collect()).collect()
    } else {
        vec![Vec::new(); region.records.len()]
    };
    for (column, confidence) in region.columns.iter_mut().zip(columns) {
        column.confidence = confidence;
    }
    for ((record, confidence), cells) in region.records.iter_mut().zip(records).zip(cells) {
        record.confidence = Some(confidence);
        for (cell, confidence) in record.cells.iter_mut().zip(cells.into_iter().chain(repeat(None))) {
            cell.confidence = confidence;
        }
    }
}

/// A region with the statistics that its measures are computed from.
struct RegionJudge<'a> {
    region: &'a Region,
    records: RecordStatistics,
    columns: Vec<Option<ColumnStatistics>>,
}

impl<'a> RegionJudge<'a> {
    fn new(page: &Page, region: &'a Region) -> Option<RegionJudge<'a>> {
        let confidence = region.confidence.filter(|_| region.role != Role::Navigation)?;
        let records = RecordStatistics::new(page, region, linear::logit(confidence));
        let mut judge = RegionJudge { region, records, columns: Vec::new() };
        if region.role.is_main() {
            judge.columns = (0..region.columns.len()).map(|c| judge.statistics(c)).collect();
        } else {
            judge.columns.resize_with(region.columns.len(), || None);
        }
        Some(judge)
    }

    fn statistics(&self, c: usize) -> Option<ColumnStatistics> {
        (self.region.columns[c].source == CellSource::Text).then(|| {
            let mut statistics = ColumnStatistics::new(self.region, c);
            statistics.logit =
                COLUMN_WEIGHTS.sum(&column_measures(self.region, &self.records, &statistics, c));
            statistics
        })
    }

    fn record(&self, r: usize) -> [(&'static str, f64); RECORD_MEASURE_COUNT] {
        record_measures(self.region, &self.records, r)
    }

    fn cell(&self, r: usize, c: usize) -> Option<[(&'static str, f64); CELL_MEASURE_COUNT]> {
        let statistics = self.columns[c].as_ref().filter(|_| !self.region.records[r].cells[c].is_empty())?;
        Some(cell_measures(self.region, &self.records, statistics, (r, c)))
    }
}

#[cfg(test)]
mod tests;
