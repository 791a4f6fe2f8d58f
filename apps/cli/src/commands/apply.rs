//! `copal apply`: a wrapper and pages in, one output, in the order of the inputs.

use crate::arguments::columns::ColumnArguments;
use crate::arguments::network::FollowArguments;
use crate::arguments::output::OutputArguments;
use crate::arguments::pages::WrapperPageArguments;
use crate::error::CliError;
use crate::input_protection::check_inputs_stay;
use crate::outcome::Outcome;
use crate::output_plan::OutputPlan;
use crate::output_target::OutputTarget;
use crate::page_pipeline::PageReader;
use crate::wrapper_run::WrapperRun;
use crate::{reporting, wrapper_file};
use clap::Args;
use copal::{Answer, Warning};
use copal_tasks::ColumnChoice;
use std::ops::ControlFlow;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  copal apply shop.copal.yaml page3.html                            a table
  copal apply shop.copal.yaml 'https://shop.example/lamps?page=3'
  copal apply shop.copal.yaml https://shop.example/lamps --follow all -o all.csv    all pages of the list
  copal apply shop.copal.yaml --follow all -o all.csv               all lists that copal site found
  copal apply shop.copal.yaml 'pages/*.html' -o all.csv             CSV (also .jsonl, .xlsx, .html and more)
  copal apply shop.copal.yaml 'pages/*.html' -o shop.sqlite         stored, with what changed since the last run

Exit codes: 0 done, 1 nothing found, 2 wrong usage, 3 input unreadable, 4 partial result (a limit was hit).";

/// Read pages with a wrapper that copal learn wrote
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct ApplyArguments {
    /// The wrapper file
    wrapper: PathBuf,

    /// Refuse a page on which the pattern of a section (learn --method deuds) matches more than one section
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    columns: ColumnArguments,

    #[command(flatten)]
    output: OutputArguments,

    #[command(flatten)]
    pages: WrapperPageArguments,

    #[command(flatten)]
    follow: FollowArguments,
}

pub(crate) fn run(arguments: &ApplyArguments) -> Result<Outcome, CliError> {
    let reading = &arguments.pages.reading;
    let kind = arguments.output.kind()?;
    reading.run.start_threads()?;
    let loaded = wrapper_file::load(&arguments.wrapper)?;
    let (request, inputs) = (reading.request(), arguments.pages.inputs(&loaded.wrapper, usize::MAX)?);
    check_inputs_stay(arguments.output.output.as_deref(), &inputs)?;
    // the hash of a file costs as much as to read it
    let method = kind.names_methods().then(|| loaded.version());
    let plan = OutputPlan { has_many_pages: inputs.len() > 1, has_all_lists: false, method };
    let reader = PageReader::new(&inputs, &request, &reading.fetch)?;
    let wrapper_run = WrapperRun {
        wrapper: &loaded.wrapper,
        reader: &reader,
        max_pages: arguments.follow.max_pages(),
        max_details: arguments.follow.max_details(),
        quiet: reading.run.quiet,
    };
    wrapper_run.check()?;
    wrapper_run.warn_about_steps(&inputs);
    let mut output = OutputTarget::open(&arguments.output, &kind, &plan)?;
    let selection = arguments.columns.selection();
    let mut columns = ColumnChoice::of(&selection);
    let (mut worst, mut failed) = (Outcome::Done, None);
    wrapper_run.for_each_answer(&inputs, |name, read| {
        match read.and_then(|(_, answer)| refuse_doubtful(answer, arguments.strict)) {
            Err(error) => {
                worst = worst.max(error.outcome());
                reporting::error(&error.about(name));
            }
            Ok(mut answer) => {
                columns.apply(&mut answer);
                worst = worst.max(outcome_of(&answer));
                report(&name, &answer, arguments);
                if let Err(error) = output.page(&name, &answer) {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    });
    if let Some(error) = failed {
        return Err(error);
    }
    columns.check()?;
    output.finish(worst, reading.run.quiet)?;
    Ok(worst)
}

/// An error instead of an answer that was chosen among several, if the user asked for it.
fn refuse_doubtful(answer: Answer, strict: bool) -> Result<Answer, CliError> {
    let matches = answer.warnings.iter().find_map(|warning| match warning {
        Warning::SeveralSections { matches } if strict => Some(*matches),
        _ => None,
    });
    match matches {
        Some(matches) => {
            let message = format!("the pattern matches {matches} sections, and --strict expects one");
            Err(CliError::new(Outcome::NothingFound, message))
        }
        None => Ok(answer),
    }
}

fn outcome_of(answer: &Answer) -> Outcome {
    if answer.is_partial() {
        Outcome::Partial
    } else if is_empty(answer) {
        Outcome::NothingFound
    } else {
        Outcome::Done
    }
}

fn is_empty(answer: &Answer) -> bool {
    answer.regions.is_empty() && answer.object.as_ref().is_none_or(|object| object.fields.is_empty())
}

fn report(name: &str, answer: &Answer, arguments: &ApplyArguments) {
    let run = &arguments.pages.reading.run;
    if run.quiet {
        return;
    }
    reporting::answer_warnings(name, answer);
    if is_empty(answer) {
        reporting::warning(format_args!("{name}: the wrapper matches nothing on this page"));
    } else if let Some(summary) = reporting::follow_summary(answer) {
        reporting::line(format_args!("{}: {}", reporting::printable(name), reporting::printable(&summary)));
    } else if run.is_verbose() {
        let records: usize = answer.regions.iter().map(|region| region.records.len()).sum();
        reporting::line(format_args!(
            "{}: {}",
            reporting::printable(name),
            reporting::count(records, "record")
        ));
    }
}
