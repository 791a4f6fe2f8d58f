//! The answers of a task's pages, decided together as `copal extract` does for saved pages.

use super::page_source::{OnProgress, PageSourceReader};
use crate::options::{AnswerFormat, ExtractOptions};
use crate::task::{FailureKind, TaskFailure, TaskPage};
use copal::{Answer, Document, NamedAnswer, Request, SetPage};

/// A page's answer, or its place among the pages that are answered together.
enum PlacedAnswer {
    Alone(String, Box<Answer>),
    OfSet(usize),
}

/// Extracts all pages, in their order. The first page that cannot be read is the error.
pub(super) fn extract_pages(
    source: &PageSourceReader,
    pages: &[TaskPage],
    bodies: &[Vec<u8>],
    request: &Request,
    options: &ExtractOptions,
    on_progress: OnProgress<'_>,
) -> Result<Vec<(String, Answer)>, TaskFailure> {
    let mut set: Vec<SetPage> = Vec::new();
    let mut order: Vec<PlacedAnswer> = Vec::new();
    for page in pages {
        match page.body.and_then(|at| bodies.get(at)) {
            Some(body) => match PageSourceReader::given(page, body, request)? {
                Document::Data(answer) => order.push(PlacedAnswer::Alone(page.name.clone(), answer)),
                Document::Page(document) => {
                    order.push(PlacedAnswer::OfSet(set.len()));
                    set.push(SetPage::analyse(page.name.clone(), *document, request));
                }
            },
            None => {
                let url = page.url.as_deref().ok_or_else(no_content)?;
                let answer = source.visit(url, request, options, on_progress)?;
                order.push(PlacedAnswer::Alone(page.name.clone(), Box::new(answer)));
            }
        }
        on_progress(order.len(), 0);
    }
    let mut answers: Vec<NamedAnswer> =
        copal::answer_set(set, request).into_iter().map(|(_, named)| named).collect();
    copal::join_detail_pages(&mut answers);
    let keeps_joined = matches!(options.format, AnswerFormat::Json | AnswerFormat::Pages);
    let mut answers: Vec<Option<NamedAnswer>> = answers.into_iter().map(Some).collect();
    let placed = order.into_iter().filter_map(|placed| match placed {
        PlacedAnswer::Alone(name, answer) => Some((name, *answer)),
        PlacedAnswer::OfSet(at) => {
            let one = answers.get_mut(at)?.take()?;
            // the fields of a page that was joined to a list are in that list
            (keeps_joined || one.joined_to.is_none()).then_some((one.name, one.answer))
        }
    });
    Ok(placed.collect())
}

pub(super) fn no_content() -> TaskFailure {
    TaskFailure::new(FailureKind::Usage, "a page needs html, a file or a url")
}
