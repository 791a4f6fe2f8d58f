//! Which fields of a search form may show a list of suggestions, and what is typed into them to see that list.
//!
//! In: fields and values that are known for them. Out: beginnings of values, and frequent letters if there are few. Nothing
//! is typed here. O(field).

use crate::link_words::{WILDCARD_WORDS, folded_words};
use copal_dom::{Node, Tree, attrs};
use std::collections::HashSet;

/// The role of a page whose field is typed into in the browser.
pub(crate) const AUTOCOMPLETE_ROLE: &str = "autocomplete";
/// The role of what a form sends after a suggestion was taken.
pub(crate) const SUGGESTION_ROLE: &str = "suggestion";
/// Letters of a beginning: scripts ask for suggestions after two or three.
const BEGINNING_CHARS: usize = 3;
/// Beginnings that are typed.
pub(crate) const MAX_BEGINNINGS: usize = 6;
/// What is typed if no values are known: frequent first letters of names.
const FIRST_LETTERS: [&str; 5] = ["a", "s", "ma", "sa", "lon"];
/// Words of classes and ids of fields that show suggestions.
const AUTOCOMPLETE_WORDS: [&str; 6] =
    ["autocomplete", "typeahead", "autosuggest", "suggest", "combobox", "awesomplete"];

/// How suggestions for a field of a form would be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestionPlan {
    /// The label or name of the field.
    pub field: String,
    /// What would be typed, best first.
    pub beginnings: Vec<String>,
    /// The page says that the field shows suggestions.
    pub is_announced: bool,
}

/// What is typed to see suggestions: the first letters of these values, each once, and frequent ones if there are few.
pub(crate) fn beginnings_of(values: &[String]) -> Vec<String> {
    let mut known = HashSet::new();
    let mut beginnings: Vec<String> = values
        .iter()
        .map(|value| value.trim().chars().take(BEGINNING_CHARS).collect::<String>().trim().to_owned())
        .filter(|beginning| !beginning.is_empty() && known.insert(beginning.to_lowercase()))
        .take(MAX_BEGINNINGS)
        .collect();
    let letters = FIRST_LETTERS.into_iter().map(str::to_owned);
    let missing = MAX_BEGINNINGS - beginnings.len();
    beginnings.extend(letters.take(missing));
    beginnings
}

/// True if the page says that a field shows suggestions: as a WAI-ARIA combobox, or by the words of its class or id.
pub(crate) fn shows_suggestions(tree: &Tree, field: Node) -> bool {
    let has = |node: Node, name: &str, values: &[&str]| {
        tree.attr_named(node, name).is_some_and(|value| values.contains(&value))
    };
    let around = tree.ancestors(field).take(2).any(|node| has(node, "role", &["combobox"]));
    let names = [tree.attr(field, attrs::CLASS), tree.attr(field, attrs::ID)];
    let words = folded_words(&names.into_iter().flatten().collect::<Vec<_>>().join(" "));
    around
        || has(field, "role", &["combobox"])
        || has(field, "aria-autocomplete", &["list", "both"])
        || has(field, "aria-haspopup", &["listbox"])
        || words.split(' ').any(|word| AUTOCOMPLETE_WORDS.contains(&word))
}

/// True if a text stands for all values.
pub(crate) fn is_wildcard(text: &str, wildcards: &[String]) -> bool {
    let text = text.trim().trim_matches(['-', '–', '—', '.', '…', ' ']).to_lowercase();
    let starts = |word: &str| text.strip_prefix(word).is_some_and(|rest| rest.starts_with(' '));
    WILDCARD_WORDS.contains(&text.as_str())
        || wildcards.iter().any(|wildcard| wildcard.to_lowercase() == text)
        || starts("any")
        || starts("all")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_are_recognised() {
        assert!(is_wildcard("All areas", &[]) && is_wildcard("- Any -", &[]));
        assert!(is_wildcard("whole country", &["Whole Country".to_owned()]));
        assert!(!is_wildcard("Allington", &[]) && !is_wildcard("Oxford", &[]));
    }
}
