//! The worker process: pages from standard input, answers to standard output.
//!
//! If the command ends, the input ends, and the worker exits at once, also in the middle of a page.

use super::messages::{FromWorker, IsolatedPage, PageResult, ToWorker};
use crate::arguments::annotators::BoundDomain;
use crate::error::{CliError, catch_panic, internal_error};
use crate::fetching::refresh_target;
use crate::outcome::Outcome;
use crate::page_pipeline::bytes_document;
use copal::model::TransferredAnswer;
use copal::{Document, NamedAnswer, Received, Request, SetPage, TransferredNamedAnswer};
use copal_tasks::frames::{read_frame, write_frame};
use copal_tasks::memory_limit::limit_memory;
use std::io::{self, BufReader, BufWriter};
use std::path::Path;
use std::sync::mpsc;
use std::thread;

/// Stack of the thread that reads pages. No stage recurses over input, so this is plenty.
const STACK_BYTES: usize = 8 << 20;

/// A page before all pages are answered together.
enum ReadPage {
    OfSet,
    Data(Box<copal::Answer>),
    Moved(String),
    Failed(CliError),
}

/// Answers pages until standard input ends.
pub(crate) fn run_isolated_worker(request: &Request, bound: &BoundDomain) -> Result<Outcome, CliError> {
    let (tasks, waiting) = mpsc::channel::<(ToWorker, Vec<Vec<u8>>)>();
    thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        while let Ok(Some(task)) = read_frame::<ToWorker>(&mut input) {
            if tasks.send(task).is_err() {
                break;
            }
        }
        // nobody waits for an answer any more
        std::process::exit(0);
    });
    thread::scope(|scope| {
        let work = move || run_tasks(request, bound, &waiting);
        let work = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let done = work.map_err(CliError::unreadable)?.join();
        done.unwrap_or_else(|_| Err(internal_error()))
    })
}

fn run_tasks(
    request: &Request,
    bound: &BoundDomain,
    waiting: &mpsc::Receiver<(ToWorker, Vec<Vec<u8>>)>,
) -> Result<Outcome, CliError> {
    let mut output = BufWriter::new(io::stdout());
    let mut memory_bytes = u64::MAX;
    for (task, bodies) in waiting {
        match task {
            ToWorker::Start { memory_bytes: bytes } => memory_bytes = bytes,
            ToWorker::Read(pages) => {
                let mut report = |state: &FromWorker| {
                    // pages that were read already are not counted: the limit is that of one page
                    let limited = limit_memory(memory_bytes);
                    limited.and_then(|()| write_frame(&mut output, state, &[])).map_err(CliError::unreadable)
                };
                let (results, answers) = answer_pages(&pages, &bodies, request, &mut report)?;
                let answers: Vec<&[u8]> = answers.iter().map(Vec::as_slice).collect();
                let has_annotator_failed = bound.outcome() != Outcome::Done;
                let done = FromWorker::Done { results, has_annotator_failed };
                write_frame(&mut output, &done, &answers).map_err(CliError::unreadable)?;
            }
        }
    }
    Ok(Outcome::Done)
}

/// Results and the bodies that belong to them.
fn answer_pages(
    pages: &[IsolatedPage],
    bodies: &[Vec<u8>],
    request: &Request,
    report: &mut impl FnMut(&FromWorker) -> Result<(), CliError>,
) -> Result<(Vec<PageResult>, Vec<Vec<u8>>), CliError> {
    let mut read = Vec::with_capacity(pages.len());
    let mut set = Vec::new();
    for (page, bytes) in pages.iter().zip(bodies) {
        report(&FromWorker::Begun)?;
        read.push(read_page(page, bytes, request, &mut set).unwrap_or_else(ReadPage::Failed));
    }
    report(&FromWorker::Deciding)?;
    let answered = catch_panic(|| Ok(copal::answer_set(set, request)));
    let mut answers = answered.map(|answers| answers.into_iter().map(|(_, named)| named));
    let (mut results, mut sent) = (Vec::new(), Vec::new());
    for page in read {
        let result = match page {
            ReadPage::Moved(url) => PageResult::Moved(url),
            ReadPage::Failed(error) => failed(&error),
            ReadPage::Data(answer) => {
                sent.push(encoded(&TransferredAnswer::from(*answer))?);
                PageResult::OfData
            }
            ReadPage::OfSet => match answers.as_mut().map(Iterator::next) {
                Ok(Some(named)) => {
                    let named: NamedAnswer = named;
                    sent.push(encoded(&TransferredNamedAnswer::from(named))?);
                    PageResult::OfSet
                }
                Ok(None) => failed(&internal_error()),
                Err(error) => failed(error),
            },
        };
        results.push(result);
    }
    Ok((results, sent))
}

fn read_page(
    page: &IsolatedPage,
    bytes: &[u8],
    request: &Request,
    set: &mut Vec<SetPage>,
) -> Result<ReadPage, CliError> {
    let received = Received {
        url: page.fetched_from.clone().or_else(|| request.url.clone()),
        content_type: page.content_type.clone(),
        charset: page.charset.clone(),
    };
    Ok(match bytes_document(bytes, &received, page.file.as_deref().map(Path::new), request)? {
        Document::Data(answer) => ReadPage::Data(answer),
        Document::Page(document) => {
            let from = page.fetched_from.as_deref().filter(|_| page.may_move);
            if let Some(target) = from.and_then(|url| refresh_target(&document, url)) {
                return Ok(ReadPage::Moved(target));
            }
            let analysed = catch_panic(|| Ok(SetPage::analyse(page.name.clone(), *document, request)))?;
            set.push(analysed);
            ReadPage::OfSet
        }
    })
}

fn failed(error: &CliError) -> PageResult {
    PageResult::Failed { message: error.to_string(), hint: error.hint().map(str::to_owned) }
}

fn encoded(answer: &impl serde::Serialize) -> Result<Vec<u8>, CliError> {
    serde_json::to_vec(answer).map_err(CliError::unreadable)
}
