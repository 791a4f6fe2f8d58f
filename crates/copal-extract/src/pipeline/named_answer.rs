//! The answer for one page of a set, with what is needed to join it to the answers of other pages.

use copal_model::Answer;

/// The answer for a page of a set.
#[derive(Debug)]
#[non_exhaustive]
pub struct NamedAnswer {
    /// The page's file or URL.
    pub name: String,
    /// Its lists, or its object.
    pub answer: Answer,
    /// Keys of the URLs and files under which other pages may link to the page of this object.
    pub(super) page_keys: Vec<String>,
    /// The position of the answer whose list has the record that this page belongs to.
    pub joined_to: Option<usize>,
}

impl NamedAnswer {
    /// An answer that other pages cannot link to.
    pub fn unlinked(name: String, answer: Answer) -> NamedAnswer {
        NamedAnswer { name, answer, page_keys: Vec::new(), joined_to: None }
    }

    /// Takes the keys under which other pages may link to the page, for [`LinkedObjects::add`](super::LinkedObjects::add). A page without an object
    /// has none.
    pub fn take_page_keys(&mut self) -> Vec<String> {
        std::mem::take(&mut self.page_keys)
    }
}
