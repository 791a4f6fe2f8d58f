//! The lists inside records, in a file next to the output: `list.csv` gets `list.children.csv`.
//!
//! In: answers. Out: answers without nested lists, whose records have a column `key`; the nested records are written
//! to the second file with the key of their record. The file is only made if there is a nested record. On standard
//! output there is no second file, and a line says how many nested records were left out.

use crate::arguments::output::{FormatName, OutputArguments, OutputKind};
use crate::error::CliError;
use crate::output_plan::OutputPlan;
use crate::reporting;
use copal::Answer;
use copal_output::destination::Destination;
use copal_output::{Format, NestedSplitter, RecordLines};
use std::io;
use std::path::PathBuf;

/// Takes the nested lists of a run.
pub(crate) struct NestedOutput<'a> {
    arguments: &'a OutputArguments,
    plan: OutputPlan,
    is_csv: bool,
    splitter: NestedSplitter,
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
    ) -> Option<NestedOutput<'a>> {
        let is_csv = kind.is(FormatName::Csv);
        (is_csv || kind.is(FormatName::Records)).then(|| NestedOutput {
            arguments,
            plan: plan.clone(),
            is_csv,
            splitter: NestedSplitter::default(),
            file: None,
            records: 0,
        })
    }

    /// Takes the nested lists of an answer. Returns the answer without them, or nothing if it has none or there
    /// is no second file.
    pub(crate) fn take(&mut self, name: &str, answer: &Answer) -> Result<Option<Answer>, CliError> {
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
    pub(crate) fn finish(self, quiet: bool) -> Result<(), CliError> {
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

/// `list.csv` becomes `list.children.csv`.
fn children_path(path: &std::path::Path) -> PathBuf {
    let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
    path.with_extension(if ending.is_empty() { "children".to_owned() } else { format!("children.{ending}") })
}
