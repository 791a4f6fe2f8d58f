//! Pages in, answers in the order of the inputs out, to one sink: what every command that reads whole inputs shares.

pub(crate) mod answer_sink;
mod answer_spool;
pub(crate) mod file_sets;
pub(crate) mod isolated_inputs;
mod waiting_answers;

use crate::arguments::network::{FetchArguments, VisitPlan};
use crate::error::CliError;
use crate::fetching::{Fetching, VisitEvent};
use crate::inputs::Input;
use answer_sink::AnswerSink;
use copal::Request;

/// Answers inputs of which some are URLs, with their following pages and detail pages.
pub(crate) fn visit_inputs(
    inputs: Vec<Input>,
    request: &Request,
    fetch: &FetchArguments,
    plan: &VisitPlan,
    sink: &mut AnswerSink<'_>,
) -> Result<(), CliError> {
    let fetching = Fetching::new(fetch, request, Some(plan), &inputs)?;
    let has_all_columns = plan.max_details == 0;
    let mut take = |name: String, event| match event {
        VisitEvent::Page(answer) => sink.take_page(&name, *answer, has_all_columns),
        VisitEvent::Done(mut answer) => {
            if let Ok(Some(answer)) = answer.as_mut() {
                fetching.add_picture(answer);
            }
            sink.take(&name, *answer)
        }
    };
    fetching.visit_all(inputs, file_sets::answer_file, &mut take)?;
    fetching.write_picture(plan.quiet)
}
