//! What a run has learned besides its pages and lists, so that a run that continues decides and reports like one that was
//! never interrupted.
//!
//! Part of [`Explorer`](crate::explorer::Explorer). In and out: one text in the frontier, written when it has changed.

use crate::compared_records::SecondReading;
use crate::error::ExploreError;
use crate::explorer::Explorer;
use crate::page_facts::{ListFacts, PageClass};
use crate::planner::SiteState;
use serde::{Deserialize, Serialize};

/// The name of the text in the frontier.
const MEMORY: &str = "memory";

#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct RunMemory {
    classes: Vec<PageClass>,
    has_other_lists: bool,
    lacks_value: bool,
    since_large_list: Option<usize>,
    productive: usize,
    start_error: Option<String>,
    disallowed: bool,
    second_reading: Option<SecondReading>,
    is_settled: bool,
}

impl Explorer<'_> {
    /// Writes what has changed since the last call.
    pub(crate) fn remember(&mut self) -> Result<(), ExploreError> {
        let memory = RunMemory {
            classes: self.classes.clone(),
            has_other_lists: self.has_other_lists,
            lacks_value: self.lacks_value,
            since_large_list: self.since_large_list,
            productive: self.productive,
            start_error: self.start_error.clone(),
            disallowed: self.disallowed,
            second_reading: self.second_reading.clone(),
            is_settled: self.is_settled,
        };
        let text = serde_json::to_string(&memory).unwrap_or_default();
        if text != self.remembered {
            self.frontier.set_meta(MEMORY, &text)?;
            self.remembered = text;
        }
        Ok(())
    }

    /// Takes up what the run that is continued had learned.
    pub(crate) fn recall(&mut self) -> Result<(), ExploreError> {
        let Some(text) = self.frontier.meta(MEMORY)? else { return Ok(()) };
        let memory: RunMemory = serde_json::from_str(&text).unwrap_or_default();
        self.remembered = text;
        self.classes = memory.classes;
        self.has_other_lists = memory.has_other_lists;
        self.lacks_value = memory.lacks_value;
        self.since_large_list = memory.since_large_list;
        self.productive = memory.productive;
        self.start_error = memory.start_error;
        self.disallowed = memory.disallowed;
        self.second_reading = memory.second_reading;
        self.is_settled = memory.is_settled;
        for list in self.frontier.lists()? {
            let facts: Option<ListFacts> = serde_json::from_str(&list.facts).ok().flatten();
            self.seen_keys.extend(facts.into_iter().flat_map(|facts| facts.keys));
        }
        Ok(())
    }

    /// Ends a run that has read the site: the next run begins again. Does nothing if the run was stopped before.
    pub fn finish(&mut self) -> Result<(), ExploreError> {
        if self.is_finished() {
            self.frontier.set_meta("state", SiteState::Finished.name())?;
        }
        Ok(())
    }

    /// True if the last run was not stopped before its end.
    pub fn is_finished(&self) -> bool {
        self.state == SiteState::Finished && !self.must_stop()
    }
}
