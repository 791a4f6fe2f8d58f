//! Saved pages that are answered together, because pages of one template show what belongs to an object, and
//! because detail pages are joined to the records that link to them.
//!
//! In: files. Out: answers in the order of the files. At most two batches of pages are in memory, and of a large set only
//! some of the answers.

use super::answer_sink::AnswerSink;
use super::waiting_answers::{AnsweredDocument, WaitingAnswer, WaitingAnswers};
use crate::error::{CliError, catch_panic, internal_error};
use crate::inputs::Input;
use crate::isolation::{IsolatedAnswer, WorkerPool};
use crate::page_pipeline::{Named, file_document};
use crate::reporting;
use copal::{Answer, Document, Request, SetPage};
use indicatif::ProgressBar;
use rayon::prelude::*;

/// Files whose pages are decided together, and are in memory at once. This does not depend on the number of
/// threads, so that the answer is the same on every machine.
const BATCH_FILES: usize = 64;

/// Files whose lists and objects may be joined. Their answers are kept until all are read.
const SET_FILES: usize = 16 * BATCH_FILES;

/// Files that another thread analyses in about the time in which one thread answers a batch, which is less than half of
/// the work. More would only wait in memory.
const FILES_AHEAD_PER_THREAD: usize = BATCH_FILES / 2;

/// A document that was read: a page with its lists, or the lists of data.
enum AnalysedDocument {
    Page(Box<SetPage>),
    Data(Box<Answer>),
}

/// Answers files, on all cores; in workers if there is a pool.
pub(crate) fn answer_files(
    inputs: &[Input],
    request: &Request,
    pool: Option<&WorkerPool>,
    sink: &mut AnswerSink<'_>,
) {
    let bar = reporting::progress_bar(inputs.len(), sink.quiet);
    for set in inputs.chunks(SET_FILES) {
        let mut waiting = WaitingAnswers::new(set.len() > BATCH_FILES);
        match pool {
            Some(pool) => answer_set_in_workers(set, request, pool, &bar, &mut waiting),
            None => answer_set_here(set, request, &bar, &mut waiting),
        }
        let joined = waiting.join();
        bar.suspend(|| sink.report_joined(joined, set.len()));
        let keeps_joined = sink.keeps_joined_pages;
        let take =
            |name: &str, answer: Result<Answer, CliError>| bar.suspend(|| sink.take(name, answer.map(Some)));
        if waiting.give_out(keeps_joined, take).is_break() {
            return;
        }
    }
    bar.finish_and_clear();
}

/// Answers a set batch by batch. To answer a batch is the work of one thread, so that the others begin to analyse the next
/// batch meanwhile.
fn answer_set_here(set: &[Input], request: &Request, bar: &ProgressBar, waiting: &mut WaitingAnswers) {
    let analyse = |files: &[Input]| analyse_files(files, request, bar);
    let mut batches = set.chunks(BATCH_FILES);
    let mut analysed = batches.next().map(analyse).unwrap_or_default();
    loop {
        let answer = || {
            let prepared = waiting.prepare(answer_batch(analysed, request));
            waiting.add(prepared);
        };
        let Some(next) = batches.next() else { return answer() };
        let (ahead, rest) = next.split_at(next.len().min(files_ahead()));
        ((), analysed) = rayon::join(answer, || analyse(ahead));
        analysed.extend(analyse(rest));
    }
}

/// Files that are analysed while one thread answers a batch: a single thread has only one batch in memory.
fn files_ahead() -> usize {
    FILES_AHEAD_PER_THREAD * (rayon::current_num_threads() - 1)
}

fn analyse_files(files: &[Input], request: &Request, bar: &ProgressBar) -> Vec<Named<AnalysedDocument>> {
    let analyse = |input: &Input| {
        let analysed = analyse_file(input, request);
        bar.inc(1);
        (input.name(), analysed)
    };
    match files {
        [] => Vec::new(),
        // threads for one page would only wait
        [input] => vec![analyse(input)],
        _ => files.par_iter().map(analyse).collect(),
    }
}

/// Answers pages that were analysed together. The pages themselves are dropped here.
fn answer_batch(batch: Vec<Named<AnalysedDocument>>, request: &Request) -> Vec<Named<AnsweredDocument>> {
    let mut pages: Vec<SetPage> = Vec::new();
    // without a document: the next page of the set
    let mut order: Vec<Named<Option<AnsweredDocument>>> = Vec::with_capacity(batch.len());
    for (name, analysed) in batch {
        let alone = analysed.map(|document| match document {
            AnalysedDocument::Page(page) => {
                pages.push(*page);
                None
            }
            AnalysedDocument::Data(answer) => Some(AnsweredDocument::Data(answer)),
        });
        order.push((name, alone));
    }
    let answers = catch_panic(|| Ok(copal::answer_set(pages, request)));
    let mut answers = answers.map(|answers| answers.into_iter().map(|(_, answer)| answer));
    let mut next_page = || match &mut answers {
        Ok(answers) => {
            answers.next().map(|answer| AnsweredDocument::Page(Box::new(answer))).ok_or_else(internal_error)
        }
        Err(error) => Err(error.clone()),
    };
    let mut answer = |alone: Option<AnsweredDocument>| alone.map_or_else(&mut next_page, Ok);
    order.into_iter().map(|(name, alone)| (name, alone.and_then(&mut answer))).collect()
}

/// Answers a set, each batch in a worker.
fn answer_set_in_workers(
    set: &[Input],
    request: &Request,
    pool: &WorkerPool,
    bar: &ProgressBar,
    waiting: &mut WaitingAnswers,
) {
    let batches: Vec<&[Input]> = set.chunks(BATCH_FILES).collect();
    let prepare = |batch: &&[Input]| {
        let answered = answer_isolated(batch, request, pool);
        bar.inc(batch.len() as u64);
        waiting.prepare(answered)
    };
    let prepared: Vec<Vec<WaitingAnswer>> = batches.par_iter().map(prepare).collect();
    for batch in prepared {
        waiting.add(batch);
    }
}

fn answer_isolated(batch: &[Input], request: &Request, pool: &WorkerPool) -> Vec<Named<AnsweredDocument>> {
    let answers = super::isolated_inputs::answer_isolated_files(batch, request.limits.bytes, pool);
    let document = |answer: IsolatedAnswer| match answer {
        IsolatedAnswer::Page(answer) => Ok(AnsweredDocument::Page(answer)),
        IsolatedAnswer::Data(answer) => Ok(AnsweredDocument::Data(answer)),
        // only fetched pages may move
        IsolatedAnswer::Moved(_) => Err(internal_error()),
    };
    batch.iter().map(Input::name).zip(answers.into_iter().map(|answer| answer.and_then(document))).collect()
}

fn analyse_file(input: &Input, request: &Request) -> Result<AnalysedDocument, CliError> {
    match file_document(input, request)? {
        Document::Page(page) => catch_panic(|| {
            let page = SetPage::analyse(input.name(), *page, request);
            Ok(AnalysedDocument::Page(Box::new(page)))
        }),
        Document::Data(answer) => Ok(AnalysedDocument::Data(answer)),
    }
}

/// The answer for one file alone.
pub(crate) fn answer_file(input: &Input, request: &Request) -> Result<Answer, CliError> {
    match analyse_file(input, request)? {
        AnalysedDocument::Data(answer) => Ok(*answer),
        AnalysedDocument::Page(page) => {
            let mut answers = catch_panic(|| Ok(copal::answer_set(vec![*page], request)))?;
            answers.pop().map(|(_, named)| named.answer).ok_or_else(internal_error)
        }
    }
}
