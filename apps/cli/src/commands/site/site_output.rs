//! Where the records of a site go: a SQLite database, with a sample for the report.

use crate::error::CliError;
use copal::Answer;
use copal::values::ValueType;
use copal_explore::{ReportSample, redact};
use copal_store::{DatabaseLocation, RowOptions, Store, StoreError};
use std::path::Path;

/// Records in the sample.
const SAMPLE_ROWS: usize = 10;
/// Columns in the sample.
const SAMPLE_COLUMNS: usize = 8;

/// The value types that an option names.
pub(super) fn redacted_types(names: &[String]) -> Vec<ValueType> {
    let types = names.iter().map(|name| if name == "email" { ValueType::Email } else { ValueType::Phone });
    types.collect()
}

/// Why records were not stored.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {source}")]
pub(super) struct StoreFailure {
    /// The database.
    name: String,
    source: StoreError,
}

pub(super) struct SiteOutput {
    store: Store,
    name: String,
    redacted: Vec<ValueType>,
}

impl SiteOutput {
    /// `source` is the URL, or the option that names several.
    pub(super) fn open(path: &Path, source: &str, redacted: &[String]) -> Result<SiteOutput, CliError> {
        let name = path.display().to_string();
        let location = DatabaseLocation::from_name(path).ok_or_else(|| {
            CliError::usage(format_args!(
                "expected a SQLite file (.sqlite, .db) or a PostgreSQL URL, found {name}"
            ))
        })?;
        let command = format!("copal site {}", crate::inputs::without_password(source));
        let store = Store::begin(&location, None, &command, RowOptions::default())
            .map_err(|error| CliError::unreadable(format_args!("cannot write {name}: {error}")))?;
        Ok(SiteOutput { store, name, redacted: redacted_types(redacted) })
    }

    /// Stores the records of a list, or an object. The first ones become the sample. `site` is their site, if the table
    /// has records of several.
    pub(super) fn store(
        &mut self,
        site: Option<&str>,
        url: &str,
        answer: &Answer,
        sample: &mut ReportSample,
    ) -> Result<(), StoreFailure> {
        let mut answer = answer.clone();
        redact(&mut answer, &self.redacted);
        add_to_sample(&answer, sample);
        if let Some(site) = site {
            self.store.set_site(site);
        }
        self.store.page(url, &answer).map_err(|source| StoreFailure { name: self.name.clone(), source })
    }

    /// Ends the run.
    pub(super) fn finish(self, outcome: &str) -> Result<(), CliError> {
        self.store
            .finish(outcome)
            .map_err(|error| CliError::unreadable(format_args!("cannot write {}: {error}", self.name)))?;
        Ok(())
    }
}

fn add_to_sample(answer: &Answer, sample: &mut ReportSample) {
    if !sample.rows.is_empty() {
        return;
    }
    if let Some(list) = answer.primary() {
        let columns = list.columns.iter().take(SAMPLE_COLUMNS);
        sample.columns = columns.map(|column| column.name.clone()).collect();
        let rows = list.records.iter().take(SAMPLE_ROWS).map(|record| {
            record.cells.iter().take(SAMPLE_COLUMNS).map(|cell| cell.join(", ")).collect::<Vec<_>>()
        });
        sample.rows = rows.collect();
    } else if let Some(object) = &answer.object {
        sample.columns = vec!["field".to_owned(), "value".to_owned()];
        let rows = object.fields.iter().map(|field| vec![field.name.clone(), field.texts.join(", ")]);
        sample.rows = rows.collect();
    }
}
