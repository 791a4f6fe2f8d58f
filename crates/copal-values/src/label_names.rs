//! Names of fields from their labels: one name for the labels of one field in many languages.
//!
//! In: a label and the language that the page declares. Out: the English name of a common label in another
//! language (`label_names.txt`), or else the words of the label in snake case. Latin letters lose their marks
//! ("Año" is `ano`), so that names can be typed on any keyboard and are safe in query languages; other
//! scripts stay as they are. O(length of the label).

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Longest label that is looked up, in bytes.
const MAX_LOOKUP_BYTES: usize = 80;

/// The labels and their names.
const LABEL_NAMES: &str = include_str!("label_names.txt");

/// A name, and whether its label is also an English word.
type KnownName = (&'static str, bool);

static BY_LABEL: LazyLock<FxHashMap<String, KnownName>> = LazyLock::new(|| {
    let mut by_label = FxHashMap::default();
    let mut name = "";
    for line in LABEL_NAMES.lines().filter(|line| !line.starts_with('#')) {
        let labels = match line.split_once(" = ") {
            Some((own, labels)) => {
                name = own.trim();
                labels
            }
            None => line,
        };
        for label in labels.split(',').map(str::trim).filter(|label| !label.is_empty()) {
            let (label, is_english) = label.strip_suffix('*').map_or((label, false), |label| (label, true));
            by_label.insert(lookup_key(label), (name, is_english));
        }
    }
    by_label
});

/// The English name of a common label in another language. `language` is what the page declares.
pub fn english_name(label: &str, language: Option<&str>) -> Option<&'static str> {
    let is_english =
        language.is_some_and(|code| code.get(..2).is_some_and(|code| code.eq_ignore_ascii_case("en")));
    // templates in English are used for pages in other languages, so only words that could be English count
    if is_english && label.is_ascii() || label.len() > MAX_LOOKUP_BYTES {
        return None;
    }
    let find = |label: &str| BY_LABEL.get(&lookup_key(label)).copied();
    // "Preis (inkl. MwSt.)", "Fläche / m²"
    let without_addition = || {
        let end = label.find(['(', '[', '\u{ff08}', '/'])?;
        find(&label[..end])
    };
    let (name, needs_language) = find(label).or_else(without_addition)?;
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

/// What labels are compared by: letters and digits in lower case, without marks.
fn lookup_key(label: &str) -> String {
    let mut key = String::with_capacity(label.len());
    for c in label.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase) {
        push_without_marks(&mut key, c);
    }
    key
}

/// True for marks that follow the letter they belong to.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Latin letters with marks, each group after the letter that it stands for.
const MARKED_LETTERS: &[(&str, &str)] = &[
    ("a", "àáâãäåāăąǎạảấầẩẫậắằẳẵặ"),
    ("ae", "æ"),
    ("c", "çćĉċč"),
    ("d", "ďđð"),
    ("e", "èéêëēĕėęěẹẻẽếềểễệ"),
    ("g", "ĝğġģ"),
    ("h", "ĥħ"),
    ("i", "ìíîïĩīĭįıỉị"),
    ("j", "ĵ"),
    ("k", "ķ"),
    ("l", "ĺļľŀł"),
    ("n", "ñńņňŉ"),
    ("o", "òóôõöøōŏőơọỏốồổỗộớờởỡợ"),
    ("oe", "œ"),
    ("r", "ŕŗř"),
    ("s", "śŝşšș"),
    ("ss", "ß"),
    ("t", "ţťŧț"),
    ("th", "þ"),
    ("u", "ùúûüũūŭůűųưụủứừửữự"),
    ("w", "ŵ"),
    ("y", "ýÿŷỳỵỷỹ"),
    ("z", "źżž"),
];

static LETTERS: LazyLock<FxHashMap<char, &'static str>> = LazyLock::new(|| {
    MARKED_LETTERS.iter().flat_map(|(plain, marked)| marked.chars().map(move |c| (c, *plain))).collect()
});

fn push_without_marks(text: &mut String, c: char) {
    // most letters are plain: not worth a lookup
    if c.is_ascii() {
        text.push(c);
        return;
    }
    match LETTERS.get(&c) {
        Some(plain) => text.push_str(plain),
        None if is_mark(c) => {}
        None => text.push(c),
    }
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
    fn every_name_is_in_snake_case() {
        for (name, _) in BY_LABEL.values() {
            assert_eq!(field_name(name, None), *name);
        }
        assert!(BY_LABEL.len() > 2000, "{}", BY_LABEL.len());
    }
}
