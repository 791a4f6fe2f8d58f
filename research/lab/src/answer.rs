//! The answer that a user gets for one page.
//!
//! In: the bytes of a page, and what pages are taken for. Out: the [`Answer`] that `copal extract FILE`
//! prints, the page-kind decision included. Evaluation must go through here: a score of any other path is not
//! what users see.

use crate::error::PageError;
use copal::{Answer, Document, KindRequest, Received, Request, SetPage, answer_set};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The answer for one page. The id is used as the file name.
pub(crate) fn answer(
    id: &str,
    bytes: &[u8],
    kind: KindRequest,
    request: &Request,
) -> Result<Answer, PageError> {
    let received = Received { url: request.url.clone(), ..Received::default() };
    let page = match copal::read(bytes, &received, request)? {
        Document::Page(page) => *page,
        Document::Data(extraction) => return Ok(*extraction),
    };
    let mut request = request.clone();
    request.kind = kind;
    let set = vec![SetPage::analyse(id.to_owned(), page, &request)];
    answer_set(set, &request).pop().map(|(_, named)| named.answer).ok_or(PageError::Defect)
}

/// Turns a panic into an error of this page, so that one page does not end a run over a corpus.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, PageError>) -> Result<T, PageError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(PageError::Defect))
}
