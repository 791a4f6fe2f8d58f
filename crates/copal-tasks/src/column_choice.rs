//! Keeps and renames the columns that the user asked for.
//!
//! In: answers. Out: the same answers with the columns of `--fields`, in its order and with the names of `--rename`.
//! A column that no page has is an error: with one page before anything is written, else at the end. O(cells).

use crate::error::TaskError;
use crate::suggestion::closest;
use copal::{Answer, Region};

/// Columns that messages list.
const MAX_SHOWN_COLUMNS: usize = 30;

/// The columns that the user asked for.
#[derive(Debug, Clone, Default)]
pub struct ColumnSelection {
    /// Columns to keep, in this order; all if there are none.
    pub fields: Vec<String>,
    /// Old and new names of columns.
    pub rename: Vec<(String, String)>,
}

impl ColumnSelection {
    /// The names that the user expects the columns to have.
    pub fn old_names(&self) -> impl Iterator<Item = &String> {
        self.fields.iter().chain(self.rename.iter().map(|(old, _)| old))
    }

    /// The new name of a column, if it gets one.
    pub fn new_name(&self, old: &str) -> Option<&str> {
        self.rename.iter().find(|(name, _)| name == old).map(|(_, new)| new.as_str())
    }
}

/// The choice of one run.
#[derive(Debug)]
pub struct ColumnChoice<'a> {
    selection: &'a ColumnSelection,
    /// Names that were seen so far, in the order of their appearance.
    known: Vec<String>,
}

impl<'a> ColumnChoice<'a> {
    /// The choice for the answers of one run.
    pub fn of(selection: &'a ColumnSelection) -> ColumnChoice<'a> {
        ColumnChoice { selection, known: Vec::new() }
    }

    /// Keeps and renames the columns of an answer.
    pub fn apply(&mut self, answer: &mut Answer) {
        if self.selection.old_names().next().is_none() {
            return;
        }
        let columns = answer.regions.iter().filter(|region| !region.records.is_empty());
        let columns = columns.flat_map(|region| region.columns.iter().map(|column| &column.name));
        let fields = answer.object.iter().flat_map(|object| object.fields.iter().map(|field| &field.name));
        for name in fields.chain(columns) {
            if !self.known.contains(name) {
                self.known.push(name.clone());
            }
        }
        for region in &mut answer.regions {
            self.choose_columns(region);
        }
        if !self.selection.fields.is_empty() {
            answer.regions.retain(|region| !region.columns.is_empty());
        }
        if let Some(object) = &mut answer.object {
            if !self.selection.fields.is_empty() {
                let place = |name: &str| self.selection.fields.iter().position(|field| field == name);
                object.fields.retain(|field| place(&field.name).is_some());
                object.fields.sort_by_key(|field| place(&field.name));
            }
            for field in &mut object.fields {
                if let Some(new) = self.selection.new_name(&field.name) {
                    new.clone_into(&mut field.name);
                }
            }
        }
    }

    fn choose_columns(&self, region: &mut Region) {
        if !self.selection.fields.is_empty() {
            let place = |name: &String| region.columns.iter().position(|column| column.name == *name);
            let kept: Vec<usize> = self.selection.fields.iter().filter_map(place).collect();
            region.columns = kept.iter().map(|&c| region.columns[c].clone()).collect();
            for column in &mut region.columns {
                column.is_chosen = true;
            }
            for record in &mut region.records {
                record.cells = kept.iter().map(|&c| record.cells[c].clone()).collect();
            }
        }
        for column in &mut region.columns {
            if let Some(new) = self.selection.new_name(&column.name) {
                new.clone_into(&mut column.name);
                column.is_chosen = true;
            }
        }
    }

    /// Fails if a column was asked for that none of the answers had. Pages without records decide nothing.
    pub fn check(&self) -> Result<(), TaskError> {
        if self.known.is_empty() {
            return Ok(());
        }
        let unknown = self.selection.old_names().find(|name| !self.known.contains(name));
        unknown.map_or(Ok(()), |name| Err(unknown_column(name, self.known.iter().map(String::as_str))))
    }
}

/// The error for a column that does not exist.
pub(crate) fn unknown_column<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> TaskError {
    let mut shown: Vec<&str> = known.clone().take(MAX_SHOWN_COLUMNS).collect();
    if known.clone().nth(MAX_SHOWN_COLUMNS).is_some() {
        shown.push("…");
    }
    let error = TaskError::usage(format_args!("no column {name:?}: expected one of {}", shown.join(", ")));
    match closest(name, known) {
        Some(similar) => error.with_hint(format_args!("did you mean {similar}?")),
        None => error,
    }
}
