//! From pages to answers, in one direction: analyse each page, decide what it is, assemble its answer.
//!
//! In: a [`Page`] and a [`Request`]. Out: an [`Answer`]. [`analyse`] finds the lists of one page and reads their tables,
//! [`decide`] says once whether a page shows a list, one object or neither, and [`AnalysedPage::assemble`] puts
//! together the answer that follows from it. Pages that are given together are decided together, because pages of one
//! template show what belongs to the object and what to the template. The cost beyond the stages' own is linear in the
//! regions that are returned.

mod analysis;
mod assembly;
mod kind;
mod page_set;

pub use analysis::{AnalysedPage, analyse};
pub use kind::{PageDecision, decide};
pub use page_set::{NamedAnswer, SetPage, answer_set, join_detail_pages};

use crate::request::Request;
use copal_dom::Page;
use copal_model::Answer;

/// The answer for one page. Never fails: a page without a list or an object has an empty answer.
pub fn extract(page: &Page, request: &Request) -> Answer {
    let analysed = [analyse(page, request)];
    let mut decisions = decide(&[page], &analysed, request);
    let [analysed] = analysed;
    analysed.assemble(page, decisions.pop().unwrap_or_default(), request)
}
