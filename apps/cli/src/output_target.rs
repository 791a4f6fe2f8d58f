//! An open output: a file in one of the formats, or a database.
//!
//! In: answers in the order of the inputs. A file is written completely or not at all; a database stores each
//! page as it comes.

use crate::arguments::output::{FormatName, OutputArguments, OutputKind};
use crate::error::CliError;
use crate::nested_output::NestedOutput;
use crate::outcome::Outcome;
use crate::output_plan::OutputPlan;
use crate::reporting;
use crate::stored_command::command_line;
use copal::Answer;
use copal_output::destination::Destination;
use copal_output::{
    Arrow, Feed, FeedKind, Format, Html, Json, JsonOptions, Markdown, PageLines, Parquet, RecordLines,
    TextTable, Xlsx,
};
use copal_store::{RowOptions, Store};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Narrowest table.
const MIN_WIDTH: usize = 20;
/// Records that a terminal shows of a list.
const MAX_TERMINAL_ROWS: usize = 50;

/// An open output.
pub(crate) struct OutputTarget<'a> {
    arguments: &'a OutputArguments,
    sink: OutputSink,
    /// Answers so far.
    answers: usize,
    written: WrittenCounts,
    /// Columns of `--key` that no page has had yet.
    unseen_keys: Vec<String>,
    /// CSV leaves out columns of few records, and these are their names so far.
    rare_columns: Option<BTreeSet<String>>,
    /// Columns that enough records of some page have.
    common_columns: BTreeSet<String>,
    /// Takes the lists inside records, in formats that have one row per record.
    nested: Option<NestedOutput<'a>>,
}

/// What was written so far.
#[derive(Default)]
struct WrittenCounts {
    records: usize,
    objects: usize,
    columns: BTreeSet<String>,
}

impl WrittenCounts {
    fn add(&mut self, answer: &Answer, with_rare: bool) {
        for region in &answer.regions {
            self.records += region.records.len();
            let written = region.columns.iter().filter(|column| with_rare || !column.is_rare());
            self.columns.extend(written.map(|column| column.name.clone()));
        }
        if let Some(object) = &answer.object {
            self.objects += 1;
            self.columns.extend(object.fields.iter().map(|field| field.name.clone()));
        }
    }

    /// `22 records, 12 columns`, or `3 pages, 40 records, 2 objects, 12 columns`.
    fn describe(&self, pages: usize) -> String {
        let counts =
            [(pages, "page", pages > 1), (self.records, "record", self.objects == 0 || self.records > 0)];
        let more = [(self.objects, "object", self.objects > 0), (self.columns.len(), "column", true)];
        let counts = counts.into_iter().chain(more).filter(|(.., is_shown)| *is_shown);
        counts.map(|(number, noun, _)| reporting::count(number, noun)).collect::<Vec<_>>().join(", ")
    }
}

enum OutputSink {
    File(Box<dyn Format>, Destination),
    Store(Box<Store>),
}

impl<'a> OutputTarget<'a> {
    /// Opens the output of a run.
    pub(crate) fn open(
        arguments: &'a OutputArguments,
        kind: &OutputKind,
        plan: &OutputPlan,
    ) -> Result<OutputTarget<'a>, CliError> {
        let writing = |error: io::Error| CliError::writing(&error, arguments.name());
        let mut options = RowOptions::default();
        (options.all_regions, options.method) = (plan.has_all_lists, plan.method.clone());
        options.key_columns.clone_from(&arguments.key);
        let nested = NestedOutput::of(arguments, kind, plan, &options);
        options.leaves_out_nested = nested.as_ref().is_some_and(NestedOutput::has_keyed_writer);
        let sink = match kind {
            OutputKind::Database(location) => {
                let command = arguments.stored_command.clone().unwrap_or_else(|| command_line(&[]));
                let store = Store::begin(location, arguments.table.as_deref(), &command, options);
                let store = store.map_err(|error| writing(io::Error::other(error)))?;
                OutputSink::Store(Box::new(store))
            }
            OutputKind::Format(name) => {
                // before pages are read, which may take long
                check_is_built(*name)?;
                let destination = Destination::open(arguments.output.as_deref()).map_err(writing)?;
                OutputSink::File(writer(*name, arguments, plan, options), destination)
            }
        };
        let leaves_out = kind.is(FormatName::Csv) && !arguments.all_columns;
        Ok(OutputTarget {
            arguments,
            sink,
            answers: 0,
            written: WrittenCounts::default(),
            unseen_keys: arguments.key.clone(),
            rare_columns: leaves_out.then(BTreeSet::new),
            common_columns: BTreeSet::new(),
            nested,
        })
    }

    /// Writes an answer, or keeps it until the end.
    pub(crate) fn page(&mut self, name: &str, answer: &Answer) -> Result<(), CliError> {
        self.answers += 1;
        self.unseen_keys = unseen_keys(&self.unseen_keys, answer)?;
        self.note_rare_columns(answer);
        self.written.add(answer, self.arguments.all_columns || self.rare_columns.is_none());
        let without_nested = match &mut self.nested {
            Some(nested) => nested.take(name, answer)?,
            None => None,
        };
        let answer = without_nested.as_ref().unwrap_or(answer);
        let written = match &mut self.sink {
            OutputSink::File(format, destination) => {
                format.page(destination, name, answer).map_err(io::Error::from)
            }
            OutputSink::Store(store) => store.page(name, answer).map_err(io::Error::other),
        };
        written.map_err(|error| CliError::writing(&error, self.arguments.name()))
    }

    /// Remembers which columns CSV leaves out.
    fn note_rare_columns(&mut self, answer: &Answer) {
        let Some(rare) = &mut self.rare_columns else { return };
        for column in answer.regions.iter().flat_map(|region| &region.columns) {
            let names = if column.is_rare() { &mut *rare } else { &mut self.common_columns };
            names.insert(column.name.clone());
        }
    }

    /// Stores a page of a list that is still being read. If the run is killed, a database keeps it; files are
    /// written at the end. `has_all_columns` is false if detail pages may add some.
    pub(crate) fn provisional_page(
        &mut self,
        name: &str,
        answer: &Answer,
        has_all_columns: bool,
    ) -> Result<(), CliError> {
        let OutputSink::Store(store) = &mut self.sink else { return Ok(()) };
        if has_all_columns {
            self.unseen_keys = unseen_keys(&self.unseen_keys, answer)?;
        }
        let stored = store.provisional_page(name, answer).map_err(io::Error::other);
        stored.map_err(|error| CliError::writing(&error, self.arguments.name()))
    }

    /// Ends the output. A file that an earlier run wrote is kept if there was no answer.
    pub(crate) fn finish(self, outcome: Outcome, quiet: bool) -> Result<(), CliError> {
        let writing = |error: io::Error| CliError::writing(&error, self.arguments.name());
        match self.sink {
            OutputSink::File(..) if self.answers == 0 && self.arguments.output.is_some() => Ok(()),
            OutputSink::File(mut format, mut destination) => {
                // other processes wait until the rows of this one are in the file
                let append_lock =
                    if self.arguments.append { destination.lock_for_append() } else { Ok(None) };
                let _append_lock = append_lock.map_err(writing)?;
                format.finish(&mut destination).map_err(|error| writing(io::Error::from(error)))?;
                // the records come last: who sees them finds the lists inside them too
                if let Some(nested) = self.nested {
                    nested.finish(quiet)?;
                }
                destination.commit().map_err(writing)?;
                let rare = self.rare_columns.unwrap_or_default();
                let left_out = rare.difference(&self.common_columns).count();
                if self.arguments.output.is_some() && !quiet {
                    let name = reporting::printable(&self.arguments.name());
                    reporting::line(format_args!("{name}: {}", self.written.describe(self.answers)));
                }
                if left_out > 0 && !quiet {
                    reporting::line(format_args!(
                        "{} that fewer than 10% of the records have left out (--all-columns writes them)",
                        reporting::count(left_out, "column")
                    ));
                }
                Ok(())
            }
            OutputSink::Store(store) => {
                let run = store.finish(outcome.name()).map_err(|error| writing(io::Error::other(error)))?;
                if !quiet {
                    for alias in &run.aliases {
                        reporting::warning(alias);
                    }
                    reporting::line(format_args!(
                        "{}: run {}: {} on {}, {} new, {} changed",
                        reporting::printable(&self.arguments.name()),
                        run.run,
                        reporting::count(run.records, "record"),
                        reporting::count(run.pages, "page"),
                        run.new,
                        run.changed
                    ));
                }
                Ok(())
            }
        }
    }
}

/// Refuses a format that this build cannot write.
fn check_is_built(name: FormatName) -> Result<(), CliError> {
    match name {
        FormatName::Xlsx if !cfg!(feature = "xlsx") => {
            Err(CliError::missing_feature("write Excel files", "xlsx"))
        }
        FormatName::Parquet | FormatName::Arrow if !cfg!(feature = "parquet") => {
            Err(CliError::missing_feature("write Parquet and Arrow files", "parquet"))
        }
        _ => Ok(()),
    }
}

/// The columns of `--key` that no page has had yet. Refuses those that the first page with records does not
/// have: its records would silently get other keys.
fn unseen_keys(keys: &[String], answer: &Answer) -> Result<Vec<String>, CliError> {
    let mut names: Vec<&str> = Vec::new();
    let fields =
        answer.object.iter().flat_map(|object| object.fields.iter().map(|field| field.name.as_str()));
    let lists = answer.regions.iter().filter(|region| !region.records.is_empty());
    let columns = lists.flat_map(|region| region.columns.iter().map(|column| column.name.as_str()));
    for name in fields.chain(columns) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return Ok(keys.to_vec());
    }
    match keys.iter().find(|key| !names.contains(&key.as_str())) {
        None => Ok(Vec::new()),
        Some(key) => {
            let known = names.join(", ");
            Err(CliError::usage(format_args!("no column {key:?} for --key: expected one of {known}")))
        }
    }
}

/// A writer of records for a part of a run, without keys and second files.
pub(crate) fn record_writer(
    name: FormatName,
    arguments: &OutputArguments,
    plan: &OutputPlan,
) -> Box<dyn Format> {
    writer(name, arguments, plan, RowOptions::default())
}

fn writer(
    name: FormatName,
    arguments: &OutputArguments,
    plan: &OutputPlan,
    options: RowOptions,
) -> Box<dyn Format> {
    match name {
        FormatName::Json => {
            let mut json = Json::new(plan.has_many_pages);
            json.options = JsonOptions { sources: arguments.sources };
            Box::new(json)
        }
        FormatName::Pages => Box::new(PageLines { options: JsonOptions { sources: arguments.sources } }),
        FormatName::Records => {
            Box::new(RecordLines { page_column: plan.has_many_pages, region_column: plan.has_all_lists })
        }
        FormatName::Csv => Box::new(arguments.csv_writer(plan, arguments.output.clone())),
        FormatName::Markdown => Box::new(Markdown::new(plan.has_many_pages, arguments.all_columns)),
        FormatName::Xlsx => Box::new(Xlsx::new(options, plan.has_many_pages)),
        FormatName::Arrow => Box::new(Arrow::new(options)),
        FormatName::Rss => Box::new(Feed::new(FeedKind::Rss)),
        FormatName::Atom => Box::new(Feed::new(FeedKind::Atom)),
        FormatName::Html => Box::new(Html::new(plan.has_many_pages, arguments.csv_safe)),
        FormatName::Parquet => Box::new(Parquet::new(options)),
        FormatName::Table => Box::new(TextTable {
            width: table_width(arguments.output.is_some()),
            max_rows: (arguments.output.is_none() && io::stdout().is_terminal()).then_some(MAX_TERMINAL_ROWS),
            headings: plan.has_many_pages,
            all_columns: arguments.all_columns,
            wide: arguments.wide,
        }),
    }
}

/// The width of a table: that of the terminal, or `COLUMNS`. Files and pipes get whole cells.
fn table_width(is_file: bool) -> Option<usize> {
    if is_file {
        return None;
    }
    let of_variable = || std::env::var("COLUMNS").ok()?.parse().ok();
    let of_terminal = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0 as usize);
    let width = if io::stdout().is_terminal() { of_terminal() } else { of_variable() };
    width.map(|width: usize| width.max(MIN_WIDTH))
}

/// Writes a text to a file, completely or not at all, or to standard output.
pub(crate) fn write_text(path: Option<&Path>, text: &str) -> Result<(), CliError> {
    let written = Destination::open(path).and_then(|mut out| {
        out.write_all(text.as_bytes())?;
        out.commit()
    });
    let name = || path.map_or("standard output".into(), |path| path.display().to_string());
    written.map_err(|error| CliError::writing(&error, name()))
}
