//! `copal watch`: pages in, stored as a run; out comes what changed since the last run of the same command.

mod interval;
mod watch_arguments;

pub(crate) use watch_arguments::WatchArguments;

use crate::answering::answer_sink::AnswerSink;
use crate::answering::{file_sets, visit_inputs};
use crate::arguments::network::VisitPlan;
use crate::arguments::output::{OutputArguments, OutputKind};
use crate::change_feed::{change_feed, is_web_url};
use crate::difference_report::{Comparison, json_of, text_of};
use crate::error::CliError;
use crate::handed_over::hand_over;
use crate::input_protection::check_inputs_stay;
use crate::inputs::Input;
use crate::interrupt_flag::InterruptFlag;
use crate::outcome::Outcome;
use crate::output_plan::OutputPlan;
use crate::output_target::{OutputTarget, write_text};
use crate::page_pipeline::PageReader;
use crate::reporting;
use crate::stored_command::command_line;
use crate::wrapper_file::{self, LoadedWrapper};
use crate::wrapper_run::WrapperRun;
use copal::Request;
use copal::wrapper::{Checker, apply};
use copal_store::{DatabaseLocation, RunChanges, StoredRun, WatchedRuns};
use copal_tasks::ColumnChoice;
use interval::RunSchedule;
use serde_json::Value;
use std::time::Instant;
use watch_arguments::ChangeFormat;

/// Runs whose changes a feed has.
const FEED_RUNS: usize = 20;
/// Options that do not change what a run sees, so that runs with other values are compared.
const PRESENTATION_OPTIONS: &[&str] =
    &["--every", "--exec", "--exec-timeout", "--format", "--changes", "--log-format"];

/// What every run of the command needs.
struct Watch<'a> {
    arguments: &'a WatchArguments,
    location: DatabaseLocation,
    runs: WatchedRuns,
    request: Request,
    wrapper: Option<LoadedWrapper>,
}

pub(crate) fn run(arguments: &WatchArguments) -> Result<Outcome, CliError> {
    let reading = &arguments.pages.reading;
    let location = arguments.location()?;
    if arguments.every.is_some() && arguments.format == ChangeFormat::Rss && arguments.changes.is_none() {
        return Err(CliError::usage("a feed is one document: with --every, write it with --changes FILE"));
    }
    let mut request = arguments.request()?;
    let bound = arguments.method.annotators.bind(arguments.method.domain.as_ref(), reading.run.quiet);
    request.set_domain(bound.domain.clone());
    reading.run.start_threads()?;
    let wrapper = arguments.wrapper.as_deref().map(wrapper_file::load).transpose()?;
    let runs = WatchedRuns {
        command: command_line(PRESENTATION_OPTIONS),
        table: arguments.table.clone(),
        complete_outcome: Outcome::Done.name().to_owned(),
    };
    let watch = Watch { arguments, location, runs, request, wrapper };
    match arguments.every {
        None => watch.run_once(&|| bound.outcome()),
        Some(interval) => {
            let interrupts = interrupt_flag()?;
            let mut schedule = RunSchedule::new(interval, Instant::now());
            loop {
                match watch.run_once(&|| bound.outcome()) {
                    Ok(outcome) if interrupts.is_raised() => return Ok(outcome),
                    Ok(_) => {}
                    // what is wrong with the arguments does not get better
                    Err(error) if matches!(error.outcome(), Outcome::Usage) => return Err(error),
                    Err(CliError::OutputClosed) => return Err(CliError::OutputClosed),
                    Err(error) => reporting::error(&error),
                }
                if interrupts.wait_until(schedule.next_start(Instant::now())) {
                    return Ok(Outcome::Done);
                }
            }
        }
    }
}

#[cfg(feature = "fetch")]
fn interrupt_flag() -> Result<InterruptFlag, CliError> {
    InterruptFlag::listen()
}

#[cfg(not(feature = "fetch"))]
fn interrupt_flag() -> Result<InterruptFlag, CliError> {
    Ok(InterruptFlag::default())
}

impl Watch<'_> {
    /// Reads the pages, stores them as a run, and reports what changed.
    fn run_once(&self, annotator_outcome: &dyn Fn() -> Outcome) -> Result<Outcome, CliError> {
        let inputs = self.arguments.pages.inputs()?;
        check_inputs_stay(self.arguments.changes.as_deref(), &inputs)?;
        if self.arguments.every.is_some() && inputs.iter().any(|input| matches!(input, Input::Stdin)) {
            return Err(CliError::usage("standard input can be read only once: --every needs files or URLs"));
        }
        let reading_runs =
            |error: copal_store::StoreError| CliError::unreadable(error).about(self.location.display_name());
        let missing = self.runs.missing(&self.location).map_err(reading_runs)?;
        let outcome = self.store_run(inputs.clone(), annotator_outcome)?;
        let count = if self.arguments.format == ChangeFormat::Rss { FEED_RUNS } else { 1 };
        let changes = self.runs.changes(&self.location, &missing, count).map_err(reading_runs)?;
        let Some(newest) = changes.first() else { return Ok(outcome) };
        self.report(newest, &changes, &inputs)?;
        if newest.is_empty() {
            return Ok(outcome);
        }
        self.hand_over(newest)?;
        Ok(Outcome::Changed)
    }

    /// Stores what the pages have now.
    fn store_run(
        &self,
        inputs: Vec<Input>,
        annotator_outcome: &dyn Fn() -> Outcome,
    ) -> Result<Outcome, CliError> {
        let WatchArguments { pages, follow, columns, table, key, output, .. } = self.arguments;
        let (fetch, run) = (&pages.reading.fetch, &pages.reading.run);
        let output = OutputArguments::of_database(output, table.as_deref(), key, &self.runs.command);
        let kind = OutputKind::Database(self.location.clone());
        let has_many_pages = inputs.len() > 1;
        let method = self.wrapper.as_ref().map(LoadedWrapper::version);
        let selection = columns.selection();
        let open_sink = || {
            let plan = OutputPlan { has_many_pages, has_all_lists: false, method };
            Ok::<_, CliError>(AnswerSink {
                output: OutputTarget::open(&output, &kind, &plan)?,
                columns: ColumnChoice::of(&selection),
                has_many_pages,
                explains: false,
                is_extract: false,
                is_by_wrapper: self.wrapper.is_some(),
                explain_nothing: None,
                choice: self.request.choice.clone(),
                quiet: run.quiet,
                verbose: run.is_verbose(),
                keeps_joined_pages: false,
                collects_errors: has_many_pages && inputs.iter().any(Input::is_url),
                errors: Vec::new(),
                worst: Outcome::Done,
                answers: 0,
                failed: None,
            })
        };
        if let Some(loaded) = &self.wrapper {
            let reader = PageReader::new(&inputs, &self.request, fetch)?;
            let wrapper_run = WrapperRun {
                wrapper: &loaded.wrapper,
                reader: &reader,
                max_pages: follow.max_pages(),
                max_details: follow.max_details(),
                quiet: run.quiet,
            };
            wrapper_run.check()?;
            wrapper_run.warn_about_steps(&inputs);
            let mut sink = open_sink()?;
            read_with_wrapper(&wrapper_run, &inputs, &mut sink);
            return sink.finish();
        }
        let mut sink = open_sink()?;
        if inputs.iter().any(Input::is_url) || fetch.render.is_on() {
            let plan = VisitPlan {
                max_pages: follow.max_pages(),
                max_details: follow.max_details(),
                page_by_page: true,
                jobs: run.jobs,
                quiet: run.quiet,
                verbose: run.is_verbose(),
            };
            visit_inputs(inputs, &self.request, fetch, &plan, &mut sink)?;
        } else {
            file_sets::answer_files(&inputs, &self.request, None, &mut sink);
        }
        sink.worst = sink.worst.max(annotator_outcome());
        sink.finish()
    }

    /// Prints or writes what a run changed.
    fn report(&self, newest: &RunChanges, all: &[RunChanges], inputs: &[Input]) -> Result<(), CliError> {
        let quiet = self.arguments.pages.reading.run.quiet;
        if newest.before.is_none() && newest.is_complete && !quiet {
            reporting::line("first run: the next run of this command is compared with it");
        } else if newest.before.is_some() && !newest.is_complete && !quiet {
            let outcome = newest.run.outcome.as_deref().unwrap_or_default();
            reporting::warning(format_args!(
                "run {} did not read everything ({outcome}): records that it did not see are not reported as gone",
                newest.run.id
            ));
        }
        let text = match self.arguments.format {
            ChangeFormat::Table if newest.before.is_none() || quiet && newest.is_empty() => String::new(),
            ChangeFormat::Table => text_of(&comparison(newest)),
            ChangeFormat::Json => format!("{}\n", changes_json(newest)),
            ChangeFormat::Rss => {
                let names: Vec<String> = inputs.iter().map(Input::name).collect();
                // a saved page has the address that --url gives it
                let link = names.iter().chain(&self.request.url).find(|name| is_web_url(name)).cloned();
                change_feed(&format!("Changes: {}", names.join(", ")), link, all)?
            }
        };
        match &self.arguments.changes {
            Some(path) => write_text(Some(path), &text),
            None => reporting::print(&text),
        }
    }

    /// Gives what changed to the program of the user.
    fn hand_over(&self, changes: &RunChanges) -> Result<(), CliError> {
        let Some(command) = &self.arguments.exec else { return Ok(()) };
        let text = format!("{}\n", changes_json(changes));
        let printed = hand_over(&command.0, text, self.arguments.exec_timeout).map_err(|error| {
            let before = changes.before.as_ref().map_or(0, |run| run.id);
            let runs = format!("--runs {before} {}", changes.run.id);
            let hint = format!("copal diff {} {runs} shows the changes again", self.location.display_name());
            CliError::unreadable(format_args!("--exec: {error}")).with_hint(hint)
        })?;
        if !self.arguments.pages.reading.run.quiet {
            printed.lines().for_each(|line| reporting::line(reporting::printable(line)));
        }
        Ok(())
    }
}

/// Stores pages that a wrapper reads, and checks whether the site still matches it.
fn read_with_wrapper(wrapper_run: &WrapperRun<'_>, inputs: &[Input], sink: &mut AnswerSink<'_>) {
    let mut checker = Checker::new(wrapper_run.wrapper);
    let mut pages = 0;
    wrapper_run.for_each_answer(inputs, |name, read| {
        if let Ok((page, _)) = &read {
            // the answer has the records of further pages, which the profile of one page does not
            checker.page(page, &apply(wrapper_run.wrapper, page));
            pages += 1;
        }
        sink.take(&name, read.map(|(_, answer)| Some(answer)))
    });
    if pages == 0 {
        return;
    }
    let report = checker.finish();
    if report.drifted() {
        sink.worst = sink.worst.max(Outcome::Changed);
        if !sink.quiet {
            for alarm in &report.alarms {
                reporting::warning(format_args!("the site has changed: {}", alarm.drift.message));
            }
            reporting::hint("update the wrapper with copal repair");
        }
    }
}

fn comparison(changes: &RunChanges) -> Comparison {
    let name = |run: &StoredRun| format!("run {} ({})", run.id, run.started);
    Comparison {
        names: [changes.before.as_ref().map(name).unwrap_or_default(), name(&changes.run)],
        differences: changes.differences.clone(),
    }
}

/// The object that programs get: that of `copal diff`, with the number of the run and whether it is complete.
fn changes_json(changes: &RunChanges) -> Value {
    let mut value = json_of(&comparison(changes));
    value["run"] = Value::from(changes.run.id);
    value["complete"] = Value::from(changes.is_complete);
    value["first"] = Value::from(changes.before.is_none());
    value
}
