//! Where a run's answers go: a document in one of the formats, or a database.
//!
//! In: pages in the order of the inputs. A document is written whole or not at all; a database takes each page as it comes.

use crate::inputs::without_password;
use crate::report::{self, Outcome};
use clap::{Args, ValueEnum};
use copal::Answer;
use copal_output::destination::Destination;
use copal_output::{Csv, Format, Html, Json, JsonOptions, Jsonl, Parquet, TextTable};
use copal_store::{DatabaseLocation, RowOptions, Store};
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    /// Aligned, for the terminal
    Table,
    /// One object; an array for several pages
    Json,
    /// One line a page
    Jsonl,
    /// One row a record
    Csv,
    /// A report to look at in a browser: tables, the page's outline, reasons, downloads
    Html,
    /// One row a record with typed columns, for other programs
    Parquet,
}

const OUTPUT: &str = "Write to this file instead of standard output, whole or not at all (.json, .jsonl, .csv, .html, .parquet, \
    .txt); or keep the records in a database, page by page, with what changed since the last run: a file that ends in .sqlite or .db, \
    or postgres://user@host/database (password: PGPASSWORD or ~/.pgpass)";

#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// How the output is written (default: by the ending of --output, else a table)
    #[arg(long, value_enum)]
    pub(crate) format: Option<FormatName>,

    #[arg(short, long, value_name = "FILE|DATABASE", help = OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    /// Add to the CSV file that is there instead of replacing it; columns it does not have are added to it
    #[arg(long, requires = "output")]
    append: bool,

    /// In a database, the table of the records and objects [default: records, and objects for pages of one object]
    #[arg(long, value_name = "NAME", requires = "output")]
    table: Option<String>,

    /// In a database or Parquet, the column whose cells tell records apart (may be repeated) [default: the record's address, else what stays
    /// of its texts]
    #[arg(long, value_name = "COLUMN", requires = "output")]
    key: Vec<String>,

    /// In JSON, where each text of a record was read: XPath, span in the element's text, HTML attribute
    #[arg(long)]
    sources: bool,

    /// In CSV, put ' before cells that a spreadsheet would run as a formula
    #[arg(long)]
    csv_safe: bool,
}

/// What is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    Format(FormatName),
    Database(DatabaseLocation),
}

impl Target {
    pub(crate) fn is(&self, name: FormatName) -> bool {
        *self == Target::Format(name)
    }
}

impl OutputArgs {
    /// What is to be written, by the arguments alone.
    pub(crate) fn target(&self) -> Result<Target, String> {
        if let Some(place) = self.output.as_deref().and_then(DatabaseLocation::from_name) {
            return match self.format {
                None if self.sources => Err("--sources is for JSON (--format json, --format jsonl)".into()),
                None => Ok(Target::Database(place)),
                Some(_) => Err(format!("{} is a database: --format is for files", place.display_name())),
            };
        }
        let format = self.format.or_else(|| by_ending(self.output.as_deref()));
        let Some(format) = format else {
            return Err(format!(
                "no format for {}: expected a name that ends in .json, .jsonl, .csv, .html, .parquet, .txt or .sqlite, or --format",
                self.name()
            ));
        };
        if self.append && format != FormatName::Csv {
            return Err("--append is for CSV files; a database keeps what it has, and programs that read Parquet take \
                        several files"
                .into());
        }
        if self.sources && !matches!(format, FormatName::Json | FormatName::Jsonl) {
            return Err("--sources is for JSON (--format json, --format jsonl)".into());
        }
        if self.table.is_some() {
            return Err("--table is for databases (-o data.sqlite or -o postgres://…)".into());
        }
        if !self.key.is_empty() && format != FormatName::Parquet {
            return Err("--key is for databases and Parquet".into());
        }
        Ok(Target::Format(format))
    }

    /// The name of the output as it may be shown.
    pub(crate) fn name(&self) -> String {
        let Some(path) = &self.output else { return "standard output".into() };
        DatabaseLocation::from_name(path)
            .map_or_else(|| path.display().to_string(), |place| place.display_name())
    }

    /// Opens the output for a run; `many` if more than one page may come, `regions` if all lists of them, `method` is what
    /// reads them if it is none of the methods.
    pub(crate) fn open(
        &self,
        target: &Target,
        (many, regions): (bool, bool),
        method: Option<String>,
    ) -> io::Result<Output> {
        let mut options = RowOptions::default();
        (options.all_regions, options.method) = (regions, method);
        options.key_columns.clone_from(&self.key);
        match target {
            Target::Database(place) => {
                let store = Store::begin(place, self.table.as_deref(), &command_line(), options);
                Ok(Output::Store(Box::new(store.map_err(io::Error::other)?)))
            }
            Target::Format(FormatName::Parquet) => {
                let out = Destination::open(self.output.as_deref())?;
                Ok(Output::File(Box::new(Parquet::new(options)), out))
            }
            Target::Format(name) => {
                let out = Destination::open(self.output.as_deref())?;
                let mut format = self.writer(*name, many, regions);
                if let Some(path) = self.output.as_ref().filter(|path| self.append && path.is_file()) {
                    let mut csv = csv(many, regions, self.csv_safe);
                    csv.append_to = Some(path.clone());
                    format = Box::new(csv);
                }
                Ok(Output::File(format, out))
            }
        }
    }

    fn writer(&self, name: FormatName, many: bool, regions: bool) -> Box<dyn Format> {
        let options = JsonOptions { sources: self.sources };
        match name {
            FormatName::Json => {
                let mut json = Json::new(many);
                json.options = options;
                Box::new(json)
            }
            FormatName::Jsonl => Box::new(Jsonl { options }),
            FormatName::Csv => Box::new(csv(many, regions, self.csv_safe)),
            FormatName::Html => Box::new(Html::new(many, self.csv_safe)),
            // Parquet has a writer of its own
            FormatName::Table | FormatName::Parquet => {
                let width = terminal_size::terminal_size().map_or(100, |(width, _)| width.0 as usize);
                Box::new(TextTable { width: width.max(20), headings: many })
            }
        }
    }
}

/// An open output.
pub(crate) enum Output {
    File(Box<dyn Format>, Destination),
    Store(Box<Store>),
}

impl Output {
    /// Writes a page, or keeps it until the end.
    pub(crate) fn page(&mut self, name: &str, extraction: &Answer) -> io::Result<()> {
        match self {
            Output::File(format, out) => Ok(format.page(out, name, extraction)?),
            Output::Store(store) => store.page(name, extraction).map_err(io::Error::other),
        }
    }

    /// Ends the output after so many pages.
    pub(crate) fn finish(
        self,
        args: &OutputArgs,
        read: usize,
        outcome: Outcome,
        quiet: bool,
    ) -> io::Result<()> {
        // what an earlier run wrote to a file is worth more than nothing
        let keeps = read == 0 && args.output.is_some();
        match self {
            Output::File(..) if keeps => Ok(()),
            Output::File(mut format, mut out) => {
                format.finish(&mut out)?;
                out.commit()
            }
            Output::Store(store) => {
                let done = store.finish(outcome.name()).map_err(io::Error::other)?;
                if !quiet {
                    for alias in &done.aliases {
                        report::warning(alias);
                    }
                    let (records, pages) =
                        (report::count(done.records, "record"), report::count(done.pages, "page"));
                    let (name, new, changed) = (args.name(), done.new, done.changed);
                    eprintln!(
                        "{}: run {}: {records} on {pages}, {new} new, {changed} changed",
                        report::printable(&name),
                        done.run
                    );
                }
                Ok(())
            }
        }
    }
}

fn by_ending(output: Option<&Path>) -> Option<FormatName> {
    let Some(path) = output else { return Some(FormatName::Table) };
    match path.extension().and_then(|e| e.to_str()).unwrap_or_default() {
        "json" => Some(FormatName::Json),
        "jsonl" | "ndjson" => Some(FormatName::Jsonl),
        "csv" => Some(FormatName::Csv),
        "html" | "htm" => Some(FormatName::Html),
        "parquet" => Some(FormatName::Parquet),
        "txt" => Some(FormatName::Table),
        _ => None,
    }
}

fn csv(many: bool, regions: bool, safe: bool) -> Csv {
    let mut csv = Csv::new();
    (csv.page_column, csv.region_column, csv.escape_formulas) = (many, regions, safe);
    csv
}

/// The command as it may be kept: without passwords.
fn command_line() -> String {
    let shown = |argument: String| match argument.find("postgres") {
        Some(at) if argument[at..].contains("://") => {
            format!("{}{}", &argument[..at], copal_store::without_credentials(&argument[at..]))
        }
        _ => without_password(&argument),
    };
    let arguments =
        std::env::args_os().skip(1).map(|argument| shown(argument.to_string_lossy().into_owned()));
    arguments.fold("copal".to_owned(), |line, argument| format!("{line} {argument}"))
}
