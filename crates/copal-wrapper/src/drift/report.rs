//! The results of a drift check.

use super::drift_level::Drift;
use super::evidence::Evidence;

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
