//! Column names from the texts of a column: the words that all of them share, and their form.
//!
//! In: a column draft. Out: a name and the reason for it. O(cells).

use super::column_draft::ColumnDraft;
use super::field_words::field_word;
use super::snake_case::snake_case;
use super::value_names::{MIN_DESCRIPTION_CHARS, NameEvidence, mean_chars};
use copal_model::{CellSource, NamedBy};
use copal_values::ValueType;
use rustc_hash::FxHashMap;

/// Words before the name of an author.
const AUTHOR_PREPOSITIONS: &[&str] = &["by", "von", "par", "por", "di", "door", "av", "af", "od", "от"];
/// Words before a date that say what happened then.
const EVENT_WORDS: &[&str] =
    &["closing", "created", "due", "ends", "expires", "modified", "posted", "published", "starts", "updated"];
/// Fewer cells do not show that a word belongs to the template.
const MIN_TEMPLATE_WORD_CELLS: usize = 4;
/// The same for a word after numbers that count something.
const MIN_UNIT_CELLS: usize = 2;
/// Constant texts with more words are sentences.
const MAX_CONSTANT_NAME_WORDS: usize = 4;
/// Maximum number of words before a value that name it.
const MAX_PREFIX_WORDS: usize = 3;
/// Shorter prefixes do not name anything.
const MIN_PREFIX_CHARS: usize = 5;
/// Texts with more words after that are sentences.
const MAX_PREFIXED_WORDS: usize = 2;
/// Words of postal addresses in several languages.
const STREET_WORDS: &[&str] = &[
    "ave",
    "avenida",
    "avenue",
    "blvd",
    "boulevard",
    "calle",
    "drive",
    "dr",
    "highway",
    "hwy",
    "lane",
    "ln",
    "place",
    "plaza",
    "rd",
    "road",
    "rue",
    "square",
    "st",
    "strasse",
    "straße",
    "street",
    "suite",
    "ul",
    "via",
    "way",
    "weg",
    "ул",
];

/// What the numbers of a column count: `74 comments`.
pub(super) fn unit_name(draft: &ColumnDraft, value_type: Option<ValueType>) -> Option<NameEvidence> {
    let least = match value_type? {
        ValueType::Count => MIN_UNIT_CELLS,
        ValueType::Number => MIN_TEMPLATE_WORD_CELLS,
        _ => return None,
    };
    if draft.cells.len() < least {
        return None;
    }
    let unit = common_word(draft, unit_of)?;
    Some(NameEvidence::new(unit.clone(), NamedBy::Label, format!("the word {unit:?} after its numbers")))
}

/// A name from the word that all values begin with: `by Ann`, `Model# 12`, `Posted yesterday`.
pub(super) fn word_before_name(draft: &ColumnDraft) -> Option<NameEvidence> {
    if draft.source != CellSource::Text || draft.cells.len() < MIN_TEMPLATE_WORD_CELLS {
        return None;
    }
    let word = common_word(draft, |text| {
        let (first, rest) = text.split_once(char::is_whitespace)?;
        let bare = first.trim_end_matches(['#', '.', ':']);
        let lower = bare.to_lowercase();
        let leads_on = bare.len() < first.len()
            || is_author_preposition(&lower)
            || EVENT_WORDS.contains(&lower.as_str());
        let is_word = !bare.is_empty() && bare.chars().all(char::is_alphabetic) && !rest.trim().is_empty();
        (is_word && leads_on).then_some(lower)
    })?;
    let name = if is_author_preposition(&word) { "author" } else { field_word(&word)? };
    let is_short = mean_chars(draft) < MIN_DESCRIPTION_CHARS;
    is_short.then(|| NameEvidence::new(name, NamedBy::Label, format!("the word {word:?} before its values")))
}

/// The name of a text that all records with the column share, such as `Easily apply`.
pub(super) fn constant_name(draft: &ColumnDraft) -> Option<NameEvidence> {
    let first = draft.cells[0].text();
    let same = draft.cells.iter().filter(|cell| cell.text() == first).count();
    let is_constant = draft.source == CellSource::Text
        && same > 1
        && 10 * same >= 9 * draft.cells.len()
        && first.split_whitespace().count() <= MAX_CONSTANT_NAME_WORDS
        && !first.contains(|c: char| c.is_ascii_digit());
    let name = if is_constant { snake_case(first) } else { None };
    name.map(|name| NameEvidence::new(name, NamedBy::Label, format!("all of its texts are {first:?}")))
}

/// A name from the form of texts that have no type: addresses, places, codes and URLs.
pub(super) fn form_name(draft: &ColumnDraft, value_type: Option<ValueType>) -> Option<NameEvidence> {
    if draft.source != CellSource::Text || value_type.is_some() {
        return None;
    }
    if let Some(prefix) = common_prefix(draft) {
        let name = snake_case(&prefix)?;
        return Some(NameEvidence::new(
            name,
            NamedBy::Label,
            format!("the words {prefix:?} before its values"),
        ));
    }
    let most = |test: fn(&str) -> bool| {
        5 * draft.cells.iter().filter(|cell| test(cell.text())).count() >= 4 * draft.cells.len()
    };
    let (name, form) = match draft {
        _ if most(is_web_address) => ("displayed_url", "URLs"),
        _ if most(is_postal_address) => ("address", "addresses"),
        _ if most(is_city_and_state) => ("location", "places"),
        _ if most(is_file_size) => ("size", "file sizes"),
        _ if most(is_code) => ("number", "codes"),
        _ => return None,
    };
    Some(NameEvidence::new(name, NamedBy::ValueType, format!("its texts have the form of {form}")))
}

/// The words that nearly all texts begin with, before something with a digit: `Case No. 2024`.
fn common_prefix(draft: &ColumnDraft) -> Option<String> {
    let has_digit = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    let prefix_of = |text: &str| {
        let words: Vec<&str> =
            text.split_whitespace().take(MAX_PREFIX_WORDS + MAX_PREFIXED_WORDS + 1).collect();
        let value = words.iter().position(|word| has_digit(word))?;
        // a currency stands between the words and the amount
        let is_currency = |word: &str| {
            word.chars().count() <= 3 && !word.ends_with('.') && word.starts_with(|c: char| !c.is_lowercase())
        };
        let end = if value > 1 && is_currency(words[value - 1]) { value - 1 } else { value };
        let is_short = words.len() <= value + MAX_PREFIXED_WORDS;
        (is_short && (1..=MAX_PREFIX_WORDS).contains(&end)).then(|| words[..end].join(" "))
    };
    if draft.cells.len() < MIN_TEMPLATE_WORD_CELLS {
        return None;
    }
    let mut times: FxHashMap<String, usize> = FxHashMap::default();
    for cell in &draft.cells {
        if let Some(prefix) = prefix_of(cell.text()) {
            *times.entry(prefix).or_default() += 1;
        }
    }
    let (prefix, count) = times.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)))?;
    // a short word alone may be the month of a date
    let says_enough = prefix.chars().count() >= MIN_PREFIX_CHARS || prefix.ends_with(['.', ':', '#']);
    (says_enough && 10 * count >= 9 * draft.cells.len()).then_some(prefix)
}

fn is_web_address(text: &str) -> bool {
    let host =
        text.split_once("://").map_or(text, |(_, rest)| rest).split(['/', ' ']).next().unwrap_or_default();
    let is_host = host.split('.').filter(|part| !part.is_empty()).count() >= 2
        && !host.contains(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '-'))
        && host.contains(|c: char| c.is_ascii_alphabetic());
    text.starts_with("http://")
        || text.starts_with("https://")
        || text.starts_with("www.")
        || is_host && text.contains('/')
}

/// `10502 105 Ave NW Edmonton, AB`.
fn is_postal_address(text: &str) -> bool {
    let has_digit = text.contains(|c: char| c.is_ascii_digit());
    let mut words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    has_digit && text.chars().count() < 120 && words.any(|word| STREET_WORDS.contains(&word.as_str()))
}

/// `Milwaukee, WI`.
fn is_city_and_state(text: &str) -> bool {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    text.rsplit_once(", ").is_some_and(|(city, state)| {
        state.chars().count() == 2
            && state.chars().all(char::is_uppercase)
            && city.starts_with(char::is_uppercase)
    })
}

/// `25-869-cv`, `A-24-22`, `2024 UT 40`, `149, 119–121`: mostly digits, and no word in lower case.
fn is_code(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let chars = text.chars().filter(|c| !c.is_whitespace()).count();
    let is_word = |word: &str| word.chars().filter(|c| c.is_lowercase()).count() > 3;
    (3..=32).contains(&chars) && 3 * digits >= chars && !text.split_whitespace().any(is_word)
}

/// `38k`, `- 1.2 MB`.
fn is_file_size(text: &str) -> bool {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    let unit =
        text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '\u{a0}'));
    text.starts_with(|c: char| c.is_ascii_digit())
        && matches!(
            unit.to_ascii_lowercase().as_str(),
            "k" | "kb" | "kib" | "mb" | "mib" | "gb" | "gib" | "bytes"
        )
}

/// True for a word before the name of an author, alone or after a verb: `by`, `Posted by`.
pub(super) fn is_author_preposition(words: &str) -> bool {
    let last = words.trim().rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
    AUTHOR_PREPOSITIONS.contains(&last.trim_matches(|c: char| !c.is_alphanumeric()))
}

/// The word after the number of a count.
pub(super) fn unit_of(text: &str) -> Option<String> {
    let from = text.find(|c: char| c.is_ascii_digit())?;
    // in "Bright, 1000 lumen" the number is not all that the column says
    if text[..from].contains(char::is_alphabetic) {
        return None;
    }
    let rest = text[from..]
        .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '+' | '\u{a0}'));
    let rest = rest.trim_start_matches(['(', ')', ' ']);
    let word: String = rest.chars().take_while(|c| c.is_alphabetic()).collect();
    (word.chars().count() >= 3).then(|| word.to_lowercase())
}

/// The word that nearly all cells give; of `review` and `reviews` the plural.
fn common_word(draft: &ColumnDraft, word_of: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut times: FxHashMap<String, (usize, String)> = FxHashMap::default();
    for cell in &draft.cells {
        let word = word_of(cell.text())?;
        let stem = word.strip_suffix('s').unwrap_or(&word).to_owned();
        let (count, longest) = times.entry(stem).or_default();
        *count += 1;
        if word.len() > longest.len() {
            *longest = word;
        }
    }
    let (count, word) = times.into_values().max_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1)))?;
    (10 * count >= 9 * draft.cells.len()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::column_draft::DraftCell;
    use copal_model::CellText;

    fn column(texts: &[&str]) -> ColumnDraft {
        let cell = |(record, text): (usize, &&str)| DraftCell {
            record,
            position: 0,
            text: CellText::from((*text).to_owned()),
        };
        let cells = texts.iter().enumerate().map(cell).collect();
        ColumnDraft { source: CellSource::Text, sample: 0, last: 0, tail: false, label: None, cells }
    }

    #[test]
    fn shared_words_name_columns() {
        let comments = column(&["74 comments", "1 comment", "1,204 comments / new", "3 comments"]);
        assert_eq!(
            unit_name(&comments, Some(ValueType::Count)).map(|found| found.name).as_deref(),
            Some("comments")
        );
        let name = |texts: &[&str]| word_before_name(&column(texts)).map(|found| found.name);
        assert_eq!(name(&["by Ann", "by Bo", "By Cy", "by Di"]).as_deref(), Some("author"));
        assert_eq!(name(&["Model# 1", "Model# 2", "Model# 3", "Model# 4"]).as_deref(), Some("model"));
        assert_eq!(
            name(&["Posted today", "Posted 3 May", "Posted 4 May", "Posted 5 May"]).as_deref(),
            Some("posted")
        );
        assert_eq!(name(&["Post 1 is", "Post 2 is", "Post 3 is", "Post 4 is"]), None);
    }

    #[test]
    fn words_before_values_name_untyped_columns() {
        let name = |texts: &[&str]| form_name(&column(texts), None).map(|found| found.name);
        assert_eq!(
            name(&["Case No. 20-1", "Case No. 21-4", "Case No. 7", "Case No. 9"]).as_deref(),
            Some("case_no")
        );
        assert_eq!(
            name(&[
                "Regular Price Tk 220",
                "Regular Price Tk 60",
                "Regular Price Tk 5",
                "Regular Price Tk 7"
            ])
            .as_deref(),
            Some("regular_price")
        );
        assert_eq!(name(&["12 Oak St, Leeds", "4 Elm Road", "7 Park Ave"]).as_deref(), Some("address"));
        assert_eq!(name(&["25-869-cv", "24-1", "25-210-cr"]).as_deref(), Some("number"));
        assert_eq!(name(&["Oak", "Elm", "Fir"]), None);
    }
}
