//! Where results are written, and in which format.

use super::OUTPUT_HEADING;
use crate::error::CliError;
use crate::output_plan::OutputPlan;
use clap::{Args, ValueEnum};
use copal_output::Csv;
use copal_store::DatabaseLocation;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    /// Aligned columns, for the terminal
    Table,
    /// One row per record
    Csv,
    /// One line of flat JSON per record
    #[value(aliases = ["jsonl", "ndjson"])]
    Records,
    /// One object; an array for several pages
    Json,
    /// One line of JSON per page
    Pages,
    /// A table per list, for documents
    #[value(alias = "md")]
    Markdown,
    /// An Excel workbook with typed columns
    Xlsx,
    /// One row per record with typed columns, for other programs
    Parquet,
    /// The same as an Arrow IPC file
    #[value(alias = "feather")]
    Arrow,
    /// A feed of the records
    Rss,
    /// The same as an Atom feed
    Atom,
    /// A report for the browser: tables, the page's outline, reasons, downloads
    Html,
}

/// The endings that choose a format, in the order of the guide.
macro_rules! file_endings {
    () => {
        ".csv, .jsonl, .json, .md, .xlsx, .parquet, .arrow, .xml (RSS), .atom, .html, .txt"
    };
}

const OUTPUT_HELP: &str = concat!(
    "Write to this file, completely or not at all; its ending chooses the format: ",
    file_endings!(),
    ". Or store the records in a database, page by page, with what changed since the last run: a file ending in .sqlite \
     or .db, or postgres://user@host/database (password: PGPASSWORD or ~/.pgpass) [default: standard output]"
);

const SOURCES_USAGE: &str = "--sources is for JSON (--format json or pages)";
const VALUES_USAGE: &str = "--values is for CSV: records, xlsx, parquet, arrow and databases always have typed values, tables have texts only";

/// The endings that choose a format, as messages name them.
const ENDINGS: &str = concat!(file_endings!(), ", .sqlite or .db");

#[derive(Debug, Args)]
pub(crate) struct OutputArguments {
    /// Format of the output [default: by the ending of --output, else table]
    #[arg(long, value_enum, help_heading = OUTPUT_HEADING)]
    format: Option<FormatName>,

    #[arg(short, long, value_name = "FILE|DATABASE", help = OUTPUT_HELP, help_heading = OUTPUT_HEADING)]
    pub(crate) output: Option<PathBuf>,

    /// Append to an existing CSV file; new columns are added to it
    #[arg(long, requires = "output", help_heading = OUTPUT_HEADING)]
    pub(crate) append: bool,

    /// In a database: the table of the records and objects [default: records, and objects for pages of one
    /// object]
    #[arg(long, value_name = "NAME", requires = "output", help_heading = OUTPUT_HEADING)]
    pub(crate) table: Option<String>,

    /// In a database, Parquet or Arrow: the column that tells records apart (may be repeated) [default: the record's
    /// URL, else the texts that rarely change]
    #[arg(long, value_name = "COLUMN", requires = "output", help_heading = OUTPUT_HEADING)]
    pub(crate) key: Vec<String>,

    /// In JSON: where each text of a record was read (XPath, span in the element's text, HTML attribute)
    #[arg(long, help_heading = OUTPUT_HEADING)]
    pub(crate) sources: bool,

    /// In tables and CSV: also write columns that fewer than 10% of the records have (other formats always do)
    #[arg(long, help_heading = OUTPUT_HEADING)]
    pub(crate) all_columns: bool,

    /// In tables: also show URLs and images
    #[arg(long, help_heading = OUTPUT_HEADING)]
    pub(crate) wide: bool,

    /// In CSV: add columns with the typed values, such as `price_amount` and `price_currency` (records, xlsx, parquet,
    /// arrow and databases always have them)
    #[arg(long, help_heading = OUTPUT_HEADING)]
    pub(crate) values: bool,

    /// In CSV: put ' before cells that a spreadsheet would run as a formula
    #[arg(long, help_heading = OUTPUT_HEADING)]
    pub(crate) csv_safe: bool,

    /// The command that a database stores with the run, if it is not the command line.
    #[arg(skip)]
    pub(crate) stored_command: Option<String>,
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

    /// True if each row says what read it: a method, or a wrapper with its version.
    pub(crate) fn names_methods(&self) -> bool {
        self.is(FormatName::Parquet) || self.is(FormatName::Arrow) || matches!(self, OutputKind::Database(_))
    }
}

impl OutputArguments {
    /// The format that was asked for, else another.
    pub(crate) fn format_or(&self, other: FormatName) -> FormatName {
        self.format.unwrap_or(other)
    }

    /// A database as the output; `command` is stored with the run.
    pub(crate) fn of_database(database: &Path, table: Option<&str>, key: &[String], command: &str) -> Self {
        OutputArguments {
            format: None,
            output: Some(database.to_owned()),
            append: false,
            table: table.map(str::to_owned),
            key: key.to_vec(),
            sources: false,
            all_columns: false,
            wide: false,
            values: false,
            csv_safe: false,
            stored_command: Some(command.to_owned()),
        }
    }

    /// What is written, by the arguments alone.
    pub(crate) fn kind(&self) -> Result<OutputKind, CliError> {
        if let Some(location) = self.output.as_deref().and_then(DatabaseLocation::from_name) {
            return match self.format {
                None if self.sources => Err(CliError::usage(SOURCES_USAGE)),
                None if self.values => Err(CliError::usage(VALUES_USAGE)),
                None => Ok(OutputKind::Database(location)),
                Some(_) => {
                    let name = location.display_name();
                    Err(CliError::usage(format_args!("{name} is a database: --format is for files")))
                }
            };
        }
        let format = self.format.or_else(|| format_by_ending(self.output.as_deref()));
        let Some(format) = format else {
            let message = format!("no format for {}: expected a name ending in {ENDINGS}", self.name());
            return Err(CliError::usage(message).with_hint("choose a format with --format"));
        };
        if self.append && format != FormatName::Csv {
            return Err(CliError::usage("--append is only for CSV files").with_hint(
                "a database keeps earlier runs, and programs that read Parquet accept several files",
            ));
        }
        if self.sources && !matches!(format, FormatName::Json | FormatName::Pages) {
            return Err(CliError::usage(SOURCES_USAGE));
        }
        if self.values && format != FormatName::Csv {
            return Err(CliError::usage(VALUES_USAGE));
        }
        if self.table.is_some() {
            return Err(CliError::usage("--table is for databases (-o data.sqlite or -o postgres://…)"));
        }
        if !self.key.is_empty() && !matches!(format, FormatName::Parquet | FormatName::Arrow) {
            return Err(CliError::usage("--key is for databases, Parquet and Arrow"));
        }
        Ok(OutputKind::Format(format))
    }

    /// A CSV writer; `path` is the file that it appends to if that is asked for.
    pub(crate) fn csv_writer(&self, plan: &OutputPlan, path: Option<PathBuf>) -> Csv {
        let mut csv = Csv::new();
        csv.page_column = plan.has_many_pages;
        csv.region_column = plan.has_all_lists;
        csv.escape_formulas = self.csv_safe;
        csv.leave_out_rare = !self.all_columns;
        csv.values = self.values;
        csv.append_to = path.filter(|_| self.append);
        csv
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
        "csv" => Some(FormatName::Csv),
        "jsonl" | "ndjson" => Some(FormatName::Records),
        "json" => Some(FormatName::Json),
        "md" | "markdown" => Some(FormatName::Markdown),
        "xlsx" => Some(FormatName::Xlsx),
        "parquet" => Some(FormatName::Parquet),
        "arrow" | "feather" => Some(FormatName::Arrow),
        "xml" | "rss" => Some(FormatName::Rss),
        "atom" => Some(FormatName::Atom),
        "html" | "htm" => Some(FormatName::Html),
        "txt" => Some(FormatName::Table),
        _ => None,
    }
}
