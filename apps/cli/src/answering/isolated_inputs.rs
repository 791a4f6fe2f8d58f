//! Inputs whose pages are read in workers (`--isolate`): the command reads files and fetches URLs, a worker answers.

use super::answer_sink::AnswerSink;
use crate::error::{CliError, internal_error};
use crate::fetching::Fetching;
use crate::inputs::Input;
use crate::isolation::{IsolatedAnswer, IsolatedPage, WorkerPool};
use copal::Answer;
use rayon::prelude::*;

/// Redirects inside pages that are followed.
const MAX_META_REFRESHES: usize = 5;
/// Inputs that are read before the first of them is written.
const BATCH_INPUTS: usize = 32;

/// Answers pages that are files or standard input together.
pub(crate) fn answer_isolated_files(
    inputs: &[Input],
    limit: usize,
    pool: &WorkerPool,
) -> Vec<Result<IsolatedAnswer, CliError>> {
    let mut pages = Vec::new();
    let mut answers: Vec<Option<Result<IsolatedAnswer, CliError>>> = Vec::with_capacity(inputs.len());
    for input in inputs {
        answers.push(match input.read_bytes(limit) {
            Err(error) => Some(Err(error)),
            Ok(bytes) => {
                let file = input.file().map(|path| path.as_os_str().to_owned());
                pages.push((IsolatedPage { name: input.name(), file, ..IsolatedPage::default() }, bytes));
                None
            }
        });
    }
    let mut answered = pool.answer_together(&pages).into_iter();
    let mut next = || answered.next().unwrap_or_else(|| Err(internal_error()));
    answers.into_iter().map(|answer| answer.unwrap_or_else(&mut next)).collect()
}

/// Answers inputs each on its own, because some of them are URLs.
pub(crate) fn answer_isolated_inputs(
    inputs: &[Input],
    limit: usize,
    pool: &WorkerPool,
    fetching: &Fetching,
    sink: &mut AnswerSink<'_>,
) {
    for batch in inputs.chunks(BATCH_INPUTS) {
        let answer = |input: &Input| match input {
            Input::Url(url) => answer_url(url, &input.name(), pool, fetching),
            file => answer_isolated_files(std::slice::from_ref(file), limit, pool)
                .pop()
                .unwrap_or_else(|| Err(internal_error()))
                .and_then(alone),
        };
        let answers: Vec<Result<Answer, CliError>> = batch.par_iter().map(answer).collect();
        for (input, answer) in batch.iter().zip(answers) {
            if sink.take(&input.name(), answer.map(Some)).is_break() {
                return;
            }
        }
    }
}

fn answer_url(url: &str, name: &str, pool: &WorkerPool, fetching: &Fetching) -> Result<Answer, CliError> {
    let mut url = url.to_owned();
    let mut warnings = Vec::new();
    for refreshes_left in (0..=MAX_META_REFRESHES).rev() {
        let fetched = fetching.bytes(&url)?;
        warnings.extend(fetched.warnings);
        let page = IsolatedPage {
            name: name.to_owned(),
            file: None,
            fetched_from: fetched.received.url,
            may_move: refreshes_left > 0,
            content_type: fetched.received.content_type,
            charset: fetched.received.charset,
        };
        let answer = answer_one(pool, page, fetched.body)?;
        match answer {
            IsolatedAnswer::Moved(target) => url = target,
            other => {
                let mut answer = alone(other)?;
                answer.warnings.append(&mut warnings);
                if answer.page.next.is_none() {
                    answer.page.next = fetched.next;
                }
                return Ok(answer);
            }
        }
    }
    // the last page may not move
    Err(internal_error())
}

fn answer_one(pool: &WorkerPool, page: IsolatedPage, body: Vec<u8>) -> Result<IsolatedAnswer, CliError> {
    pool.answer_together(&[(page, body)]).pop().ok_or_else(internal_error)?
}

/// The answer for a page that is read on its own.
pub(crate) fn answer_alone(pool: &WorkerPool, page: IsolatedPage, body: Vec<u8>) -> Result<Answer, CliError> {
    answer_one(pool, page, body).and_then(alone)
}

fn alone(answer: IsolatedAnswer) -> Result<Answer, CliError> {
    match answer {
        IsolatedAnswer::Page(named) => Ok(named.answer),
        IsolatedAnswer::Data(answer) => Ok(*answer),
        IsolatedAnswer::Moved(_) => Err(internal_error()),
    }
}
