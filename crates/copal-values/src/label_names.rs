//! Names of fields from their labels: one name for the labels of one field in many languages.
//!
//! In: a label and the language that the page declares. Out: the English name of a common label in another
//! language (`label_names.txt`), or else the words of the label in snake case. Latin letters lose their marks
//! ("Año" is `ano`), so that names can be typed on any keyboard and are safe in query languages; other
//! scripts stay as they are. O(length of the label).

use crate::plain_letters::{is_mark, lookup_key, push_without_marks};
use std::cmp::Ordering;

/// Longest label that is looked up, in bytes.
const MAX_LOOKUP_BYTES: usize = 80;

/// The labels of `label_names.txt` as the build script sorts them: lines `label<tab>name` or, where the label
/// is also an English word, `label<tab>name*`. A map would have to be built in every run.
const SORTED_LABELS: &str = include_str!(concat!(env!("OUT_DIR"), "/sorted_labels.txt"));

/// The name of a label, and whether the label is also an English word. O(log labels).
fn known_name(label: &str) -> Option<(&'static str, bool)> {
    let key = lookup_key(label);
    let mut lines = SORTED_LABELS;
    while !lines.is_empty() {
        let middle =
            lines.as_bytes()[..lines.len() / 2].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let (line, after) = lines[middle..].split_once('\n').unwrap_or((&lines[middle..], ""));
        let (label, name) = line.split_once('\t')?;
        match key.as_str().cmp(label) {
            Ordering::Less => lines = &lines[..middle],
            Ordering::Greater => lines = after,
            Ordering::Equal => {
                return Some(name.strip_suffix('*').map_or((name, false), |name| (name, true)));
            }
        }
    }
    None
}

/// The English name of a common label in another language. `language` is what the page declares.
pub fn english_name(label: &str, language: Option<&str>) -> Option<&'static str> {
    let is_english =
        language.is_some_and(|code| code.get(..2).is_some_and(|code| code.eq_ignore_ascii_case("en")));
    // templates in English are used for pages in other languages, so only words that could be English count
    if is_english && label.is_ascii() || label.len() > MAX_LOOKUP_BYTES {
        return None;
    }
    // "Preis (inkl. MwSt.)", "Fläche / m²"
    let without_addition = || {
        let end = label.find(['(', '[', '\u{ff08}', '/'])?;
        known_name(&label[..end])
    };
    let (name, needs_language) = known_name(label).or_else(without_addition)?;
    (!needs_language || language.is_some()).then_some(name)
}

/// The same for headers of tables, where a compound without spaces has the name of its last part: Chinese,
/// Japanese and Korean compounds end with their head ("推定年齢" is an age). Labels that only differ in their
/// first part would get one name, so callers have to check that the name is free.
pub fn english_head_name(label: &str, language: Option<&str>) -> Option<&'static str> {
    if let Some(name) = english_name(label, language) {
        return Some(name);
    }
    if label.len() > MAX_LOOKUP_BYTES || !label.chars().any(is_unspaced) {
        return None;
    }
    // the longest known ending first
    let starts = label.char_indices().skip(1).map(|(at, _)| at);
    starts
        .filter(|&at| label[at..].chars().count() >= MIN_HEAD_CHARS && label[at..].chars().all(is_unspaced))
        .find_map(|at| english_name(&label[at..], language))
}

/// Shortest head of a compound, in characters. Single characters have too many meanings.
const MIN_HEAD_CHARS: usize = 2;

/// True for letters of scripts that write compounds without spaces: Han, kana, Hangul.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// The name of a field: words in lower case without marks, joined by underscores. `language` decides how
/// umlauts are written.
pub fn field_name(label: &str, language: Option<&str>) -> String {
    let is_german =
        language.is_some_and(|code| code.get(..2).is_some_and(|code| code.eq_ignore_ascii_case("de")));
    let mut name = String::new();
    for word in label.split(|c: char| !c.is_alphanumeric() && !is_mark(c)).filter(|word| !word.is_empty()) {
        if !name.is_empty() {
            name.push('_');
        }
        for c in word.chars().filter(|&c| !is_mark(c)).flat_map(char::to_lowercase) {
            match (is_german, c) {
                (true, '\u{e4}') => name.push_str("ae"),
                (true, '\u{f6}') => name.push_str("oe"),
                (true, '\u{fc}') => name.push_str("ue"),
                _ => push_without_marks(&mut name, c),
            }
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_one_field_have_one_name() {
        for label in ["Preis", "Prix", "Precio", "Cena", "Цена", "価格", "가격", "Preis (inkl. MwSt.)"]
        {
            assert_eq!(english_name(label, None), Some("price"), "{label}");
        }
        assert_eq!(english_name("Wohnfläche", Some("de-DE")), Some("area"));
        assert_eq!(english_name("Verfügbar ab", Some("de")), Some("available_from"));
        assert_eq!(english_name("Próba złota", Some("pl")), None);
    }

    #[test]
    fn english_words_need_another_language() {
        assert_eq!(english_name("Data", None), None);
        assert_eq!(english_name("Data", Some("en-GB")), None);
        assert_eq!(english_name("Data", Some("it")), Some("date"));
        // a page that says it is in English is believed, unless the label cannot be English
        assert_eq!(english_name("Preis", Some("en")), None);
        assert_eq!(english_name("価格", Some("en")), Some("price"));
    }

    #[test]
    fn compounds_have_the_name_of_their_head() {
        assert_eq!(english_head_name("推定年齢", None), Some("age"));
        assert_eq!(english_head_name("项目名称", Some("zh-CN")), Some("name"));
        assert_eq!(english_head_name("価格", None), Some("price"));
        assert_eq!(english_head_name("Wunschpreis", Some("de")), None);
        // single characters have too many meanings to be a head
        assert_eq!(english_head_name("年", None), Some("year"));
        assert_eq!(english_head_name("豊年", None), None);
    }

    #[test]
    fn names_have_no_marks() {
        assert_eq!(field_name("Próba złota", Some("pl")), "proba_zlota");
        assert_eq!(field_name("Verfügbar ab:", Some("de")), "verfuegbar_ab");
        assert_eq!(field_name("Ödeme türü", Some("tr")), "odeme_turu");
        assert_eq!(field_name("Cafe\u{301} crème", None), "cafe_creme");
        assert_eq!(field_name("受付期間", Some("ja")), "受付期間");
    }

    #[test]
    fn every_label_is_found_and_every_name_is_in_snake_case() {
        for line in SORTED_LABELS.lines() {
            let (label, name) = line.split_once('\t').unwrap();
            let name = name.trim_end_matches('*');
            assert_eq!(field_name(name, None), name);
            assert_eq!(known_name(label).unwrap().0, name, "{label}");
        }
        assert!(SORTED_LABELS.lines().count() > 2000);
    }
}
