//! Searches with a field that takes only values of a list of suggestions: what is typed, and what comes out. Data only.

use copal_dom::{Node, Page};

/// A field of a search form that is typed into, to get suggestions.
#[derive(Debug, Clone)]
pub struct SearchField {
    /// The field.
    pub node: Node,
    /// Beginnings of values, best first.
    pub beginnings: Vec<String>,
    /// Where its form is sent to. What a script sends elsewhere is left alone.
    pub action: String,
    /// The form is sent by POST.
    pub is_post: bool,
}

/// How suggestions are asked for.
#[derive(Clone, Copy)]
pub struct SuggestionQuery<'a> {
    /// Finds the field on the page as the browser shows it.
    pub find_field: &'a (dyn Fn(&Page) -> Option<SearchField> + Sync),
    /// True for suggestions that stand for all values.
    pub is_wildcard: &'a (dyn Fn(&str) -> bool + Sync),
    /// Suggestions that are taken.
    pub max_suggestions: usize,
}

/// What a form sends after a suggestion was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestedSearch {
    /// What was typed.
    pub typed: String,
    /// The suggestion that was taken.
    pub suggestion: String,
    /// The URL, with the fields unless they are sent by POST.
    pub url: String,
    /// The fields that are sent by POST, as in a URL.
    pub form: Option<String>,
}
