//! Where results are written, and in which format.

use crate::error::CliError;
use clap::{Args, ValueEnum};
use copal_store::DatabaseLocation;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    /// Aligned columns, for the terminal
    Table,
    /// One object; an array for several pages
    Json,
    /// One line per page
    Jsonl,
    /// One row per record
    Csv,
    /// A report for the browser: tables, the page's outline, reasons, downloads
    Html,
    /// One row per record with typed columns, for other programs
    Parquet,
}

const OUTPUT_HELP: &str = "Write to this file, completely or not at all (.json, .jsonl, .csv, .html, .parquet, .txt); or \
    store the records in a database, page by page, with what changed since the last run: a file ending in .sqlite or .db, \
    or postgres://user@host/database (password: PGPASSWORD or ~/.pgpass) [default: standard output]";

#[derive(Debug, Args)]
pub(crate) struct OutputArguments {
    /// Format of the output [default: by the ending of --output, else table]
    #[arg(long, value_enum)]
    format: Option<FormatName>,

    #[arg(short, long, value_name = "FILE|DATABASE", help = OUTPUT_HELP)]
    pub(crate) output: Option<PathBuf>,

    /// Append to an existing CSV file; new columns are added to it
    #[arg(long, requires = "output")]
    pub(crate) append: bool,

    /// In a database: the table of the records and objects [default: records, and objects for pages of one
    /// object]
    #[arg(long, value_name = "NAME", requires = "output")]
    pub(crate) table: Option<String>,

    /// In a database or Parquet: the column that tells records apart (may be repeated) [default: the record's
    /// URL, else the texts that rarely change]
    #[arg(long, value_name = "COLUMN", requires = "output")]
    pub(crate) key: Vec<String>,

    /// In JSON: where each text of a record was read (XPath, span in the element's text, HTML attribute)
    #[arg(long)]
    pub(crate) sources: bool,

    /// In tables and CSV: also write columns that fewer than 10% of the records have (other formats always do)
    #[arg(long)]
    pub(crate) all_columns: bool,

    /// In CSV: put ' before cells that a spreadsheet would run as a formula
    #[arg(long)]
    pub(crate) csv_safe: bool,
}

/// What is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OutputKind {
    Format(FormatName),
    Database(DatabaseLocation),
}

impl OutputKind {
    pub(crate) fn is(&self, name: FormatName) -> bool {
        *self == OutputKind::Format(name)
    }
}

impl OutputArguments {
    /// What is written, by the arguments alone.
    pub(crate) fn kind(&self) -> Result<OutputKind, CliError> {
        if let Some(location) = self.output.as_deref().and_then(DatabaseLocation::from_name) {
            return match self.format {
                None if self.sources => {
                    Err(CliError::usage("--sources is for JSON (--format json or jsonl)"))
                }
                None => Ok(OutputKind::Database(location)),
                Some(_) => {
                    let name = location.display_name();
                    Err(CliError::usage(format_args!("{name} is a database: --format is for files")))
                }
            };
        }
        let format = self.format.or_else(|| format_by_ending(self.output.as_deref()));
        let Some(format) = format else {
            let message = format!(
                "no format for {}: expected a name ending in .json, .jsonl, .csv, .html, .parquet, .txt or .sqlite",
                self.name()
            );
            return Err(CliError::usage(message).with_hint("choose a format with --format"));
        };
        if self.append && format != FormatName::Csv {
            return Err(CliError::usage("--append is only for CSV files").with_hint(
                "a database keeps earlier runs, and programs that read Parquet accept several files",
            ));
        }
        if self.sources && !matches!(format, FormatName::Json | FormatName::Jsonl) {
            return Err(CliError::usage("--sources is for JSON (--format json or jsonl)"));
        }
        if self.table.is_some() {
            return Err(CliError::usage("--table is for databases (-o data.sqlite or -o postgres://…)"));
        }
        if !self.key.is_empty() && format != FormatName::Parquet {
            return Err(CliError::usage("--key is for databases and Parquet"));
        }
        Ok(OutputKind::Format(format))
    }

    /// The name of the output as it may be shown.
    pub(crate) fn name(&self) -> String {
        let Some(path) = &self.output else { return "standard output".into() };
        DatabaseLocation::from_name(path)
            .map_or_else(|| path.display().to_string(), |location| location.display_name())
    }
}

fn format_by_ending(output: Option<&Path>) -> Option<FormatName> {
    let Some(path) = output else { return Some(FormatName::Table) };
    match path.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "json" => Some(FormatName::Json),
        "jsonl" | "ndjson" => Some(FormatName::Jsonl),
        "csv" => Some(FormatName::Csv),
        "html" | "htm" => Some(FormatName::Html),
        "parquet" => Some(FormatName::Parquet),
        "txt" => Some(FormatName::Table),
        _ => None,
    }
}
