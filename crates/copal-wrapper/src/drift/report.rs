//! The results of a drift check.

use super::evidence::Evidence;

/// What a difference is about, from the least to the most severe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DriftLevel {
    /// The cells have changed.
    Value,
    /// The records are somewhere else, or the page has another template.
    Structure,
    /// There are too few or too many records.
    Count,
}

impl DriftLevel {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            DriftLevel::Value => "value",
            DriftLevel::Structure => "structure",
            DriftLevel::Count => "count",
        }
    }
}

/// A difference between a page and the profile of its wrapper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// What it is about.
    pub level: DriftLevel,
    /// The column, if it is about one.
    pub column: Option<String>,
    /// The difference, as a sentence for users.
    pub message: String,
}

/// A page that was checked.
#[derive(Debug, Clone, PartialEq)]
pub struct PageCheck {
    /// How many records the wrapper reads on it.
    pub records: usize,
    /// How it differs from the profile.
    pub drifts: Vec<Drift>,
    /// Measurements of the reading, for lists.
    pub evidence: Option<Evidence>,
}

/// A difference that too many pages have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alarm {
    /// The difference, as on the last page that has it.
    pub drift: Drift,
    /// How many pages have it.
    pub pages: usize,
}

/// The result for a set of pages.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CheckReport {
    /// The pages in the order in which they were given.
    pub pages: Vec<PageCheck>,
    /// The alarms, the most severe level first.
    pub alarms: Vec<Alarm>,
    /// `records` and names of columns that are read correctly, but not by their first locators any more. A
    /// repair is advisable before the other locators fail too.
    pub worn: Vec<String>,
}

impl CheckReport {
    /// True if the wrapper needs a repair.
    pub fn drifted(&self) -> bool {
        !self.alarms.is_empty()
    }
}
