//! What came of a site: status, numbers, lists and the map of the exploration. Data, and its text for a terminal.

use crate::compared_records::SecondReading;
use crate::frontier_items::{FoundList, FrontierEntry};
use crate::page_facts::{Announced, ListFacts};
use crate::verification::{ReasonCode, SiteStatus};
use std::fmt::Write as _;

/// What came of a site.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SiteReport {
    /// The start URL.
    pub start: String,
    /// How complete the records are.
    pub status: SiteStatus,
    /// Why.
    pub reason: ReasonCode,
    /// Why the start page could not be read.
    pub start_error: Option<String>,
    /// Unique records of the run and of those that it continued.
    pub records: u64,
    /// How many records the site announces.
    pub announced: Option<Announced>,
    /// How many pages of records the site's sitemap lists.
    pub in_sitemap: Option<u64>,
    /// What came of reading the records a second way, if no number is announced.
    pub second_reading: Option<SecondReading>,
    /// Pages that were asked for.
    pub pages: usize,
    /// Pages that could not be read.
    pub errors: usize,
    /// Seconds that the run took.
    pub seconds: f64,
    /// The kind of records, and why it was chosen.
    pub kind: Option<(String, String)>,
    /// The states of the run and why they were entered.
    pub states: Vec<(&'static str, &'static str)>,
    /// The lists of the chosen kind that were read, in order.
    pub lists: Vec<FoundList>,
    /// All pages that were visited, queued or left, in the order in which they were found.
    pub map: Vec<FrontierEntry>,
}

impl SiteReport {
    /// The result in one line.
    pub fn summary(&self) -> String {
        let announced = match self.announced {
            Some(announced) if announced.at_least => {
                format!(" (the site announces {} or more)", announced.total)
            }
            Some(announced) => format!(" (the site announces {})", announced.total),
            None => String::new(),
        };
        let count = |number: usize, noun| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
        let cause = self.start_error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
        format!(
            "{}: {}{announced} from {}: {}{cause} [{}]",
            self.status.name(),
            count(self.records as usize, "record"),
            count(self.pages, "page"),
            self.reason.describe(),
            self.reason.code()
        )
    }

    /// The map of the exploration, one line per page, below the page that it was found on.
    pub fn map_text(&self) -> String {
        let mut text = String::new();
        for (state, reason) in &self.states {
            let _ = writeln!(text, "{state}: {reason}");
        }
        if let Some((kind, reason)) = &self.kind {
            let _ = writeln!(text, "records: {kind} ({reason})");
        }
        for entry in &self.map {
            let indent = "  ".repeat(entry.item.depth + 1);
            let _ = writeln!(
                text,
                "{indent}{} {} [{} {:.1}: {}]{}",
                entry.state,
                entry.item.shown(),
                entry.item.role,
                entry.item.priority,
                entry.item.reason,
                if entry.outcome.is_empty() { String::new() } else { format!(": {}", entry.outcome) }
            );
        }
        for list in &self.lists {
            let _ = writeln!(text, "list {} {}: {}", list.state, list.shown(), list.outcome);
        }
        if let Some(reading) = &self.second_reading {
            let _ = writeln!(text, "second reading: {}", reading.describe());
        }
        text
    }

    /// The facts of a list that was read.
    pub fn list_facts(list: &FoundList) -> Option<ListFacts> {
        serde_json::from_str(&list.facts).ok()
    }
}
