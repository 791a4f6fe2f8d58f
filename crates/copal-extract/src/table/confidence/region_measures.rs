//! The measures that confidence is computed from, for fitting. Only built for tests and `research`.
#![cfg_attr(not(feature = "research"), allow(unreachable_pub, reason = "public only with `research`"))]

use super::RegionJudge;
use super::column_measures::column_measures;
use copal_dom::Page;
use copal_model::Region;

/// Names and values of the measures of one record, column or cell.
pub type Measures = Vec<(&'static str, f64)>;

/// The measures of a region, for fitting.
#[derive(Debug)]
pub struct RegionMeasures {
    /// By record.
    pub records: Vec<Measures>,
    /// By column; `None` if the column is not judged.
    pub columns: Vec<Option<Measures>>,
    /// By record and column; `None` if the cell is not judged.
    pub cells: Vec<Vec<Option<Measures>>>,
}

/// The measures that confidence is computed from; `None` if the region is not judged.
pub fn measure_region(page: &Page, region: &Region) -> Option<RegionMeasures> {
    let judge = RegionJudge::new(page, region)?;
    let (records, columns) = (0..region.records.len(), 0..region.columns.len());
    let cells = |r: usize| columns.clone().map(|c| Some(judge.cell(r, c)?.to_vec())).collect();
    let column = |c: usize| Some(column_measures(region, &judge.records, judge.columns[c].as_ref()?, c));
    Some(RegionMeasures {
        records: records.clone().map(|r| judge.record(r).to_vec()).collect(),
        columns: columns.clone().map(|c| Some(column(c)?.to_vec())).collect(),
        cells: records.map(cells).collect(),
    })
}
