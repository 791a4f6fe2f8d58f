//! The lists inside records, in a file next to the output: `list.csv` gets `list.children.csv`.
//!
//! In: answers. Out: answers without nested lists, whose records have a column `key`; the nested records are written
//! to the second file with the key of their record. The file is only made if there is a nested record. On standard
//! output there is no second file, and a line says how many nested records were left out. Parquet and Arrow have keys
//! of their own: their second writer takes the whole answers, and on standard output nested lists stay in a column.

use crate::arguments::output::{FormatName, OutputArguments, OutputKind};
use crate::error::CliError;
use crate::output_plan::OutputPlan;
use crate::reporting;
use copal::{Answer, Record};
use copal_output::destination::Destination;
use copal_output::rows::RowOptions;
use copal_output::{Arrow, Format, NestedSplitter, Parquet, RecordLines};
use std::io;
use std::path::PathBuf;

/// Takes the nested lists of a run.
pub(crate) struct NestedOutput<'a> {
    arguments: &'a OutputArguments,
    plan: OutputPlan,
    is_csv: bool,
    splitter: NestedSplitter,
    /// The writer of a format whose records have keys of their own.
    keyed: Option<Box<dyn Format>>,
    /// The second file, once there is something in it.
    file: Option<NestedFile>,
    records: usize,
}

struct NestedFile {
    path: PathBuf,
    format: Box<dyn Format>,
    destination: Destination,
}

impl<'a> NestedOutput<'a> {
    /// `None` for formats that show nested lists themselves, or are not tables.
    pub(crate) fn of(
        arguments: &'a OutputArguments,
        kind: &OutputKind,
        plan: &OutputPlan,
        options: &RowOptions,
    ) -> Option<NestedOutput<'a>> {
        let is_csv = kind.is(FormatName::Csv);
        let keyed = Self::keyed_writer(arguments, kind, options);
        (is_csv || kind.is(FormatName::Records) || keyed.is_some()).then(|| NestedOutput {
            arguments,
            plan: plan.clone(),
            is_csv,
            splitter: NestedSplitter::default(),
            keyed,
            file: None,
            records: 0,
        })
    }

    /// The second writer of Parquet and Arrow, if there is a file and so a place next to it.
    fn keyed_writer(
        arguments: &OutputArguments,
        kind: &OutputKind,
        options: &RowOptions,
    ) -> Option<Box<dyn Format>> {
        // a device or a pipe has no neighbour
        let path = arguments.output.as_ref().filter(|path| !path.exists() || path.is_file())?;
        let options = RowOptions::clone(options);
        match kind {
            OutputKind::Format(FormatName::Parquet) if path.file_name().is_some() => {
                Some(Box::new(Parquet::nested(options)))
            }
            OutputKind::Format(FormatName::Arrow) if path.file_name().is_some() => {
                Some(Box::new(Arrow::nested(options)))
            }
            _ => None,
        }
    }

    /// True if the records are written without their nested lists.
    pub(crate) fn has_keyed_writer(&self) -> bool {
        self.keyed.is_some()
    }

    /// Takes the nested lists of an answer. Returns the answer without them, or nothing if it has none or there
    /// is no second file.
    pub(crate) fn take(&mut self, name: &str, answer: &Answer) -> Result<Option<Answer>, CliError> {
        if let Some(keyed) = &mut self.keyed {
            self.records += nested_count(answer);
            let taken = keyed.page(&mut io::sink(), name, answer);
            taken.map_err(|error| CliError::writing(&io::Error::from(error), self.arguments.name()))?;
            return Ok(None);
        }
        let Some(split) = self.splitter.split(answer) else { return Ok(None) };
        self.records += split.nested.regions.iter().map(|region| region.records.len()).sum::<usize>();
        let Some(path) = &self.arguments.output else { return Ok(None) };
        if self.file.is_none() {
            let path = children_path(path);
            let destination = Destination::open(Some(&path));
            let destination = destination.map_err(|error| CliError::writing(&error, path.display()))?;
            // a device or a pipe has no neighbour
            if !matches!(destination, Destination::File(..)) {
                return Ok(None);
            }
            self.file = Some(NestedFile { format: self.writer(path.clone()), path, destination });
        }
        if let Some(file) = &mut self.file {
            let written = file.format.page(&mut file.destination, name, &split.nested);
            written.map_err(|error| CliError::writing(&io::Error::from(error), file.path.display()))?;
        }
        Ok(Some(split.main))
    }

    fn writer(&self, path: PathBuf) -> Box<dyn Format> {
        if self.is_csv {
            let mut csv = self.arguments.csv_writer(&self.plan, Some(path));
            csv.region_column = false;
            Box::new(csv)
        } else {
            Box::new(RecordLines { page_column: self.plan.has_many_pages, region_column: false })
        }
    }

    /// Writes the second file.
    pub(crate) fn finish(mut self, quiet: bool) -> Result<(), CliError> {
        if let (Some(format), Some(path)) = (self.keyed.take(), &self.arguments.output) {
            if self.records == 0 {
                return Ok(());
            }
            let path = children_path(path);
            let destination = Destination::open(Some(&path));
            let destination = destination.map_err(|error| CliError::writing(&error, path.display()))?;
            self.file = Some(NestedFile { path, format, destination });
        }
        let count = reporting::count(self.records, "nested record");
        match self.file {
            Some(mut file) => {
                let written = file.format.finish(&mut file.destination).map_err(io::Error::from);
                let written = written.and_then(|()| file.destination.commit());
                written.map_err(|error| CliError::writing(&error, file.path.display()))?;
                if !quiet {
                    let path = reporting::printable(&file.path.display().to_string());
                    reporting::line(format_args!("{path}: {count}"));
                }
            }
            None if self.records > 0 && !quiet => {
                reporting::line(format_args!("{count} left out (-o FILE writes them to a second file)"));
            }
            None => {}
        }
        Ok(())
    }
}

/// How many records are in lists inside the records of an answer.
fn nested_count(answer: &Answer) -> usize {
    let mut open: Vec<&Record> = answer.regions.iter().flat_map(|region| &region.records).collect();
    let mut count = 0;
    while let Some(record) = open.pop() {
        let nested = record.children.iter().flat_map(|list| &list.records);
        let before = open.len();
        open.extend(nested);
        count += open.len() - before;
    }
    count
}

/// `list.csv` becomes `list.children.csv`.
fn children_path(path: &std::path::Path) -> PathBuf {
    let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
    path.with_extension(if ending.is_empty() { "children".to_owned() } else { format!("children.{ending}") })
}
