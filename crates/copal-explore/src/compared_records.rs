//! What a second reading of the records of a site gives, and what it collects. Data only.

use copal_extract::{CellSource, Region};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Share of the pictures that have to differ: fewer mean that records are repeated under other URLs.
const MIN_DISTINCT_PICTURES: f64 = 0.5;
/// The state of a list that was read only to compare it.
pub(crate) const COMPARED: &str = "compared";

/// What a second reading gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SecondReading {
    /// How the records were read a second time, or why they were not.
    pub way: String,
    /// Different records of the second reading.
    pub records: u64,
    /// Pages that were asked for.
    pub pages: usize,
    /// Both readings gave the same records.
    pub agrees: bool,
    /// A way gave records that the first reading did not have.
    pub has_more: bool,
}

impl SecondReading {
    /// The way and what came of it, in one line.
    pub fn describe(&self) -> String {
        if self.records == 0 {
            return self.way.clone();
        }
        let result = match (self.agrees, self.has_more) {
            (true, _) => "the same records",
            (false, true) => "further records were found",
            (false, false) => "fewer records",
        };
        let pages = if self.pages == 1 { "page" } else { "pages" };
        format!("{}: {} records from {} {pages}, {result}", self.way, self.records, self.pages)
    }
}

/// What a second reading collects.
#[derive(Debug, Default)]
pub(crate) struct ComparedRecords {
    pub(crate) keys: HashSet<String>,
    pictures: HashSet<String>,
    with_picture: usize,
}

impl ComparedRecords {
    /// Adds the records of a list.
    pub(crate) fn add(&mut self, list: &Region, keys: &[String]) {
        let picture = list.columns.iter().position(|column| column.source == CellSource::Src);
        for (record, key) in list.records.iter().zip(keys) {
            if !self.keys.insert(key.clone()) {
                continue;
            }
            if let Some(url) = picture.and_then(|column| record.cells[column].first()) {
                self.with_picture += 1;
                self.pictures.insert(url.to_owned());
            }
        }
    }

    pub(crate) fn has_distinct_pictures(&self) -> bool {
        let has_most = 2 * self.with_picture >= self.keys.len();
        !has_most || self.pictures.len() as f64 >= MIN_DISTINCT_PICTURES * self.with_picture as f64
    }
}
