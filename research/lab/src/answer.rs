//! The answer that a user gets for one page.
//!
//! In: the bytes of a page, and what pages are taken for. Out: the [`Extraction`] that `copal extract FILE`
//! prints, the page-kind decision included. Evaluation must go through here: a score of any other path is not
//! what users see. The steps are those of `copal extract` for a single file: read, extract, decide the kind
//! (`set::read_objects`).

use crate::error::PageError;
use copal::set::{self, Member, Taken};
use copal::{Document, Extraction, Options, Received};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The answer for one page. The id is used as the file name.
pub(crate) fn answer(
    id: &str,
    bytes: &[u8],
    taken: Taken,
    options: &Options,
) -> Result<Extraction, PageError> {
    let received = Received { url: options.url.clone(), ..Received::default() };
    let page = match copal::read(bytes, &received, options)? {
        Document::Page(page) => *page,
        Document::Data(extraction) => return Ok(*extraction),
    };
    let extraction = copal::extract_page(&page, options);
    let mut members = [Member::new(id.to_owned(), page, extraction)];
    set::read_objects(&mut members, taken, options);
    let [member] = members;
    Ok(member.told().extraction)
}

/// Turns a panic into an error of this page, so that one page does not end a run over a corpus.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, PageError>) -> Result<T, PageError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(PageError::Defect))
}
