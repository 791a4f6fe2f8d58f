//! Saved pages that are answered together, because pages of one template show what belongs to an object, and
//! because detail pages are joined to the records that link to them.
//!
//! In: files. Out: answers in the order of the files. At most a batch of pages is in memory, and the answers
//! of one set.

use super::answer_sink::AnswerSink;
use crate::error::{CliError, catch_panic, internal_error};
use crate::inputs::Input;
use crate::isolation::{IsolatedAnswer, WorkerPool};
use crate::page_pipeline::{Named, file_document};
use crate::reporting;
use copal::{Answer, Document, NamedAnswer, Request, SetPage};
use rayon::prelude::*;

/// Files whose pages are decided together, and are in memory at once. This does not depend on the number of
/// threads, so that the answer is the same on every machine.
const BATCH_FILES: usize = 64;

/// Files whose lists and objects may be joined. Their answers are kept until all are read.
const SET_FILES: usize = 16 * BATCH_FILES;

/// A document that was read: a page with its lists, or the lists of data.
enum AnalysedDocument {
    Page(Box<SetPage>),
    Data(Box<Answer>),
}

/// The answer for a document that a worker read.
enum AnsweredDocument {
    Page(Box<NamedAnswer>),
    Data(Box<Answer>),
}

/// The answers of a set so far, and the order in which they are written.
#[derive(Default)]
struct AnswerSet {
    answers: Vec<NamedAnswer>,
    order: Vec<OrderedAnswer>,
}

enum OrderedAnswer {
    /// The position in `answers`.
    OfPage(usize),
    /// Data and errors are not joined to anything.
    Alone(Box<Named<Answer>>),
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
        let mut answer_set = AnswerSet::default();
        if let Some(pool) = pool {
            let batches: Vec<&[Input]> = set.chunks(BATCH_FILES).collect();
            let answered: Vec<Vec<Named<AnsweredDocument>>> = batches
                .par_iter()
                .map(|batch| {
                    let answered = answer_isolated(batch, request, pool);
                    bar.inc(batch.len() as u64);
                    answered
                })
                .collect();
            for batch in answered {
                answer_set.add_answered(batch);
            }
        }
        let analysed_here = if pool.is_none() { set } else { &[] };
        for batch in analysed_here.chunks(BATCH_FILES) {
            let analyse = |input: &Input| {
                let analysed = analyse_file(input, request);
                bar.inc(1);
                (input.name(), analysed)
            };
            // threads for one page would only wait
            let analysed: Vec<Named<AnalysedDocument>> = match batch {
                [input] => vec![analyse(input)],
                _ => batch.par_iter().map(analyse).collect(),
            };
            answer_set.add_batch(analysed, request);
        }
        copal::join_detail_pages(&mut answer_set.answers);
        let joined = answer_set.answers.iter().filter(|one| one.joined_to.is_some()).count();
        bar.suspend(|| sink.report_joined(joined, set.len()));
        let mut answers: Vec<Option<NamedAnswer>> = answer_set.answers.into_iter().map(Some).collect();
        for ordered in answer_set.order {
            let (name, answer) = match ordered {
                OrderedAnswer::Alone(named) => *named,
                OrderedAnswer::OfPage(at) => match answers[at].take() {
                    // the fields of a page that was joined to a list are in that list
                    Some(one) if one.joined_to.is_none() || sink.keeps_joined_pages => {
                        (one.name, Ok(one.answer))
                    }
                    _ => continue,
                },
            };
            if bar.suspend(|| sink.take(&name, answer.map(Some))).is_break() {
                return;
            }
        }
    }
    bar.finish_and_clear();
}

impl AnswerSet {
    /// Adds answers of pages that were answered together in a worker.
    fn add_answered(&mut self, batch: Vec<Named<AnsweredDocument>>) {
        for (name, answered) in batch {
            self.order.push(match answered {
                Ok(AnsweredDocument::Page(answer)) => {
                    self.answers.push(*answer);
                    OrderedAnswer::OfPage(self.answers.len() - 1)
                }
                Ok(AnsweredDocument::Data(answer)) => OrderedAnswer::Alone(Box::new((name, Ok(*answer)))),
                Err(error) => OrderedAnswer::Alone(Box::new((name, Err(error)))),
            });
        }
    }

    /// Answers pages that were analysed together. The pages themselves are dropped here.
    fn add_batch(&mut self, batch: Vec<Named<AnalysedDocument>>, request: &Request) {
        let first = self.answers.len();
        let mut pages: Vec<SetPage> = Vec::new();
        for (name, analysed) in batch {
            self.order.push(match analysed {
                Ok(AnalysedDocument::Page(page)) => {
                    pages.push(*page);
                    OrderedAnswer::OfPage(first + pages.len() - 1)
                }
                Ok(AnalysedDocument::Data(answer)) => OrderedAnswer::Alone(Box::new((name, Ok(*answer)))),
                Err(error) => OrderedAnswer::Alone(Box::new((name, Err(error)))),
            });
        }
        let names: Vec<String> = pages.iter().map(|page| page.name.clone()).collect();
        match catch_panic(|| Ok(copal::answer_set(pages, request))) {
            Ok(answers) => self.answers.extend(answers.into_iter().map(|(_, answer)| answer)),
            Err(error) => {
                let is_of_batch = |ordered: &&mut OrderedAnswer| matches!(ordered, OrderedAnswer::OfPage(at) if *at >= first);
                for (ordered, name) in self.order.iter_mut().filter(is_of_batch).zip(names) {
                    *ordered = OrderedAnswer::Alone(Box::new((name, Err(error.clone()))));
                }
            }
        }
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
