//! Turns pages into answers, in three steps: analyse each page, decide what it is, assemble its answer.
//!
//! In: a [`Page`] and a [`Request`]. Out: an [`Answer`]. [`analyse`] finds the lists of one page and reads
//! their tables, [`decide`] decides once whether a page shows a list, one object or neither, and
//! [`AnalysedPage::assemble`] builds the answer from both. Pages that are given together are also decided
//! together, because a comparison of pages with the same template shows which texts belong to the object and
//! which to the template. The cost is that of the stages, plus O(returned regions).

mod analysis;
mod assembly;
mod detail_links;
mod hidden_content;
mod impression;
mod kind;
mod known_content;
mod named_answer;
mod page_set;
#[cfg(feature = "serde")]
mod set_transfer;

pub use analysis::{AnalysedPage, analyse};
pub use detail_links::{LinkedObjects, LinkedRecord, join_linked_objects};
pub use kind::{PageDecision, decide};
pub use known_content::{KnownContent, extract_known};
pub use named_answer::NamedAnswer;
pub(crate) use page_set::answer_set;
pub use page_set::{SetPage, join_detail_pages};
#[cfg(feature = "serde")]
pub use set_transfer::TransferredNamedAnswer;

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
