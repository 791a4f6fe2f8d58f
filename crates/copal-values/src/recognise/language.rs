//! Names of natural languages.
//!
//! In: a text that only names languages; a label ("Language: English") and a region ("English (UK)") are
//! accepted. Out: ISO 639-1 codes. Names are in English or in the language itself. Codes (`en`, `EN`,
//! `en-GB`) count unless they are also words (`no`, `it`, `is`). Long texts are refused without reading them;
//! O(length).

use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use crate::notation::Notation;
use crate::value::Value;
use crate::value_type::ValueType;
use crate::word_table::{WordTable, next_part};

#[derive(Debug, Clone, Copy)]
pub(super) struct LanguageRecogniser;

/// Longest text that is read. Longer ones are more than a list of languages.
const MAX_LANGUAGE_LIST_BYTES: usize = 200;

/// Codes, with names in English and in the language itself.
const LANGUAGES: &[(&str, &str)] = &[
    ("ar", "arabic|العربية|عربي"),
    ("af", "afrikaans"),
    ("bg", "bulgarian|български"),
    ("bn", "bengali|bangla|বাংলা"),
    ("bs", "bosnian|bosanski"),
    ("ca", "catalan|català"),
    ("cs", "czech|čeština|česky"),
    ("cy", "welsh|cymraeg"),
    ("da", "danish|dansk"),
    ("de", "german|deutsch"),
    ("el", "greek|ελληνικά"),
    ("en", "english|inglés|englisch|anglais|inglese|английский|英語|英语"),
    ("eo", "esperanto"),
    ("es", "spanish|español|castellano|castilian"),
    ("et", "estonian|eesti"),
    ("eu", "basque|euskara"),
    ("fa", "persian|farsi|فارسی"),
    ("fi", "finnish|suomi"),
    ("fr", "french|français|francais"),
    ("ga", "irish|gaeilge"),
    ("gl", "galician|galego"),
    ("gu", "gujarati|ગુજરાતી"),
    ("he", "hebrew|עברית"),
    ("hi", "hindi|हिन्दी|हिंदी"),
    ("hr", "croatian|hrvatski"),
    ("hu", "hungarian|magyar"),
    ("hy", "armenian|հայերեն"),
    ("id", "indonesian|bahasa indonesia"),
    ("is", "icelandic|íslenska"),
    ("it", "italian|italiano"),
    ("ja", "japanese|日本語"),
    ("ka", "georgian|ქართული"),
    ("kk", "kazakh|қазақша"),
    ("km", "khmer|ភាសាខ្មែរ"),
    ("kn", "kannada|ಕನ್ನಡ"),
    ("ko", "korean|한국어"),
    ("la", "latin"),
    ("lt", "lithuanian|lietuvių"),
    ("lv", "latvian|latviešu"),
    ("mk", "macedonian|македонски"),
    ("ml", "malayalam|മലയാളം"),
    ("mr", "marathi|मराठी"),
    ("ms", "malay|bahasa melayu"),
    ("mt", "maltese|malti"),
    ("my", "burmese|မြန်မာ"),
    ("nl", "dutch|nederlands|flemish|vlaams"),
    ("no", "norwegian|norsk|bokmål|nynorsk"),
    ("pa", "punjabi|ਪੰਜਾਬੀ"),
    ("pl", "polish|polski"),
    ("pt", "portuguese|português|portugues"),
    ("ro", "romanian|română"),
    ("ru", "russian|русский"),
    ("sk", "slovak|slovenčina"),
    ("sl", "slovenian|slovene|slovenščina"),
    ("sq", "albanian|shqip"),
    ("sr", "serbian|српски|srpski"),
    ("sv", "swedish|svenska"),
    ("sw", "swahili|kiswahili"),
    ("ta", "tamil|தமிழ்"),
    ("te", "telugu|తెలుగు"),
    ("th", "thai|ไทย|ภาษาไทย"),
    ("tl", "tagalog|filipino"),
    ("tr", "turkish|türkçe"),
    ("uk", "ukrainian|українська"),
    ("ur", "urdu|اردو"),
    ("vi", "vietnamese|tiếng việt"),
    (
        "zh",
        "chinese|mandarin|cantonese|中文|汉语|漢語|简体中文|繁體中文|simplified chinese|traditional chinese",
    ),
];

/// Codes that are also words or abbreviations. They need a region or a label.
const AMBIGUOUS_CODES: [&str; 26] = [
    "no", "it", "is", "id", "my", "hi", "he", "la", "ms", "ml", "mr", "pa", "ga", "ca", "te", "ta", "da",
    "mt", "km", "et", "uk", "de", "es", "hr", "fa", "ur",
];
/// Labels in front of languages.
const LANGUAGE_LABELS: [&str; 14] = [
    "language",
    "languages",
    "lang",
    "sprache",
    "sprachen",
    "langue",
    "langues",
    "idioma",
    "idiomas",
    "lingua",
    "taal",
    "język",
    "язык",
    "dil",
];

static CODE_BY_NAME: WordTable<&str, 256> = {
    let mut codes = WordTable::new("");
    let mut at = 0;
    while at < LANGUAGES.len() {
        let (code, mut names) = LANGUAGES[at];
        while let Some((name, rest)) = next_part(names, b'|') {
            *codes.entry(name) = code;
            names = rest;
        }
        at += 1;
    }
    codes
};

impl Recogniser for LanguageRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::Language
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        scan.letter
            && !scan.at
            && !scan.percent
            && !scan.currency
            && (2..=MAX_LANGUAGE_LIST_BYTES).contains(&scan.len)
    }

    fn find(&self, text: &str, _: Notation, matches: &mut Vec<ValueMatch>) {
        if text.len() > MAX_LANGUAGE_LIST_BYTES {
            return;
        }
        let (start, labelled) = after_label(text);
        let separators = [',', ';', '/', '|', '·', '•', '、'];
        // "EN | DE": one certain code confirms the others
        let listed = text[start..].matches(separators).count() > 0
            && text[start..].split(separators).any(|item| code(item.trim(), false).is_some());
        let labelled = labelled || listed;
        let found = matches.len();
        let mut at = start;
        for item in text[start..].split(separators) {
            let name = item.trim();
            let from = at + (item.len() - item.trim_start().len());
            at += item.len() + text[at + item.len()..].chars().next().map_or(0, char::len_utf8);
            let Some(code) = code(name, labelled) else {
                // An item that is not a language: the text is about something else.
                matches.truncate(found);
                return;
            };
            matches.push(ValueMatch {
                span: from..from + name.len(),
                value_type: ValueType::Language,
                value: Value::Language(code),
            });
        }
    }
}

/// Where the names begin, and whether a label precedes them.
fn after_label(text: &str) -> (usize, bool) {
    let Some((label, _)) = text.split_once([':', '：']) else { return (0, false) };
    let sign = text[label.len()..].chars().next().map_or(0, char::len_utf8);
    if LANGUAGE_LABELS.contains(&label.trim().to_lowercase().as_str()) {
        (label.len() + sign, true)
    } else {
        (0, false)
    }
}

/// The code of a name, or of a code with or without a region.
fn code(name: &str, labelled: bool) -> Option<&'static str> {
    // English (UK)
    let plain = name
        .split_once(['(', '（'])
        .filter(|(_, region)| region.ends_with([')', '）']))
        .map_or(name, |(plain, _)| plain)
        .trim_end();
    let lower = plain.to_lowercase();
    if let Some(code) = CODE_BY_NAME.get(&lower) {
        return Some(code);
    }
    let (tag, region) =
        plain.split_once(['-', '_']).map_or((plain, None), |(tag, region)| (tag, Some(region)));
    let same_case =
        tag.bytes().all(|b| b.is_ascii_lowercase()) || tag.bytes().all(|b| b.is_ascii_uppercase());
    let region_fits = region.is_none_or(|region| {
        let script = region.len() == 4 && region.as_bytes()[0].is_ascii_uppercase();
        let country = region.len() == 2
            && (region.bytes().all(|b| b.is_ascii_uppercase()) || region.eq_ignore_ascii_case(tag));
        (script || country || lower == plain && region.len() == 2)
            && region.bytes().all(|b| b.is_ascii_alphabetic())
    });
    if tag.len() != 2
        || !same_case
        || !region_fits
        || (region.is_some() && tag.bytes().any(|b| b.is_ascii_uppercase()))
    {
        return None;
    }
    let tag = tag.to_ascii_lowercase();
    let known = LANGUAGES.iter().map(|&(code, _)| code).find(|&code| code == tag)?;
    let loud = plain != lower && !["en", "fr", "ru", "ja", "zh", "nl"].contains(&known);
    (labelled || region.is_some() || !(loud || AMBIGUOUS_CODES.contains(&known))).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn codes(text: &str) -> Vec<&'static str> {
        let mut matches = Vec::new();
        LanguageRecogniser.find(text, Notation::default(), &mut matches);
        let code = |value_match: ValueMatch| match value_match.value {
            Value::Language(code) => code,
            other => panic!("{other:?}"),
        };
        matches.into_iter().map(code).collect()
    }

    #[test]
    fn languages() {
        let cases: &[(&str, &[&str])] = &[
            ("English", &["en"]),
            ("english", &["en"]),
            ("ENGLISH", &["en"]),
            (" English ", &["en"]),
            ("English (UK)", &["en"]),
            ("Deutsch", &["de"]),
            ("German", &["de"]),
            ("Français", &["fr"]),
            ("français", &["fr"]),
            ("Español", &["es"]),
            ("Italiano", &["it"]),
            ("Português (Brasil)", &["pt"]),
            ("Nederlands", &["nl"]),
            ("Polski", &["pl"]),
            ("Čeština", &["cs"]),
            ("Русский", &["ru"]),
            ("Українська", &["uk"]),
            ("Ελληνικά", &["el"]),
            ("Türkçe", &["tr"]),
            ("日本語", &["ja"]),
            ("中文", &["zh"]),
            ("简体中文", &["zh"]),
            ("한국어", &["ko"]),
            ("ไทย", &["th"]),
            ("Tiếng Việt", &["vi"]),
            ("العربية", &["ar"]),
            ("עברית", &["he"]),
            ("हिन्दी", &["hi"]),
            ("Bahasa Indonesia", &["id"]),
            ("Suomi", &["fi"]),
            ("Norsk", &["no"]),
            ("Svenska", &["sv"]),
            ("Dansk", &["da"]),
            ("Language: English", &["en"]),
            ("Sprache: Deutsch", &["de"]),
            ("Langue : français", &["fr"]),
            ("Idioma: Español", &["es"]),
            ("Language: no", &["no"]),
            ("English, German", &["en", "de"]),
            ("English / Français", &["en", "fr"]),
            ("Languages: en, fr", &["en", "fr"]),
            ("EN | FR", &["en", "fr"]),
            ("en", &["en"]),
            ("EN", &["en"]),
            ("en-GB", &["en"]),
            ("en_US", &["en"]),
            ("pt-BR", &["pt"]),
            ("zh-Hans", &["zh"]),
            ("de-DE", &["de"]),
            ("it-IT", &["it"]),
            ("en-gb", &["en"]),
            ("fr", &["fr"]),
            ("EN | DE", &["en", "de"]),
        ];
        for (text, want) in cases {
            assert_eq!(codes(text), *want, "{text}");
        }
    }

    #[test]
    fn other_texts_do_not_match() {
        for text in [
            "",
            " ",
            "No",
            "no",
            "it",
            "is",
            "Hi",
            "he",
            "De",
            "En",
            "xx",
            "en-",
            "en-GBR",
            "English breakfast",
            "Learn English",
            "Nail polish",
            "German, car",
            "Language",
            "Language:",
            "English,",
            "English.",
            "France",
            "Title: English",
            "EN-GB-x",
            "12",
            "e",
            "English (",
            "x-GB",
            "la",
            "UK",
            "BS",
            "PT",
            "DE",
            "CA",
            "pt-12",
        ] {
            assert_eq!(codes(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn spans_hold_the_names() {
        let text = "Languages: English (UK), français ";
        let mut matches = Vec::new();
        LanguageRecogniser.find(text, Notation::default(), &mut matches);
        let names: Vec<&str> = matches.into_iter().map(|value_match| &text[value_match.span]).collect();
        assert_eq!(names, ["English (UK)", "français"]);
    }

    proptest! {
        #[test]
        fn any_text_is_safe(text in "\\PC*|(English|日本語|en|[:,/ ()\\-é、]){0,12}") {
            let mut last = 0;
            let mut matches = Vec::new();
            LanguageRecogniser.find(&text, Notation::default(), &mut matches);
            for value_match in matches {
                prop_assert!(value_match.span.start >= last && value_match.span.start < value_match.span.end);
                prop_assert!(text.get(value_match.span.clone()).is_some());
                last = value_match.span.end;
            }
        }
    }
}
