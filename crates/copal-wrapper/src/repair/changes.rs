//! What a repair changes, and the record of it in the wrapper.

use crate::format::{ColumnRule, MAX_CHANGES, Navigation, PageRule, Wrapper};
use copal_extract::Region;

/// A change that a repair made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairChange {
    /// `region`, `records`, or the name of a column.
    pub what: String,
    /// Its locators before.
    pub before: Vec<String>,
    /// Its locators now.
    pub after: Vec<String>,
    /// For a column: a value from the samples …
    pub value_before: Option<String>,
    /// … and a value that is read now.
    pub value_after: Option<String>,
}

/// A repaired wrapper.
#[derive(Debug)]
pub struct Repaired {
    /// The new revision.
    pub wrapper: Wrapper,
    /// What is different.
    pub changes: Vec<RepairChange>,
    /// What could not be repaired, in sentences for users.
    pub notes: Vec<String>,
    /// How many pages the new revision was verified on.
    pub pages: usize,
}

/// The differences between two rules. `list` has the values that are read now.
pub(super) fn changes_between(old: &PageRule, new: &PageRule, list: Option<&Region>) -> Vec<RepairChange> {
    let mut out = Vec::new();
    let mut push =
        |what: &str, before: Vec<String>, after: Vec<String>, values: (Option<String>, Option<String>)| {
            if before != after {
                let (value_before, value_after) = values;
                out.push(RepairChange { what: what.to_owned(), before, after, value_before, value_after });
            }
        };
    push("region", old.region.clone(), new.region.clone(), (None, None));
    let find = |rule: &PageRule| rule.record.as_ref().map(|record| record.find.clone()).unwrap_or_default();
    push("records", find(old), find(new), (None, None));
    for column in &new.columns {
        let Some(before) = old.columns.iter().find(|other| other.name == column.name) else { continue };
        let locators = |column: &ColumnRule| column.find.iter().map(ToString::to_string).collect::<Vec<_>>();
        let example =
            before.profile.as_ref().and_then(|profile| profile.examples.iter().find(|text| !text.is_empty()));
        let at = list.and_then(|list| list.columns.iter().position(|other| other.name == column.name));
        let now = list.zip(at).and_then(|(list, at)| {
            list.records.iter().find_map(|record| record.cells.get(at)?.first().map(str::to_owned))
        });
        push(&column.name, locators(before), locators(column), (example.cloned(), now));
    }
    out
}

/// The wrapper with another navigation, and the record of it: a revision of its own, or part of the one that a repair of
/// `before` has just made.
pub fn with_mended_navigation(
    mut wrapper: Wrapper,
    navigation: Navigation,
    before: &Wrapper,
    steps: &[String],
) -> Wrapper {
    wrapper.navigation = Some(navigation);
    let what = format!("mended navigation: {}", steps.join(", "));
    match wrapper.changes.last_mut().filter(|_| wrapper.revision > before.revision) {
        Some(last) => {
            last.push_str("; ");
            last.push_str(&what);
        }
        None => {
            wrapper.revision += 1;
            let entry = format!("version {}: {what}", wrapper.revision);
            push_change(&mut wrapper, entry);
        }
    }
    wrapper
}

fn push_change(wrapper: &mut Wrapper, entry: String) {
    if wrapper.changes.len() >= MAX_CHANGES {
        wrapper.changes.remove(0);
    }
    wrapper.changes.push(entry);
}

/// The wrapper with its revision counted up and the changes recorded.
pub(super) fn next_revision(mut wrapper: Wrapper, changes: &[RepairChange]) -> Wrapper {
    wrapper.revision += 1;
    let what: Vec<&str> = changes.iter().map(|change| change.what.as_str()).collect();
    let entry = format!("version {}: new locators for {}", wrapper.revision, what.join(", "));
    push_change(&mut wrapper, entry);
    wrapper
}
