//! Annotators: programs outside copal that find attributes in texts, such as recognisers of names.
//!
//! A domain file *names* annotators under its attributes. What the name stands for is decided by the user and
//! bound with [`Domain::bind_annotator`](crate::Domain::bind_annotator), since files are data. In: one line of
//! JSON with the texts of a page. Out: one line of JSON with spans, which are read strictly: one wrong entry
//! makes the whole answer wrong. O(bytes of the line).

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use thiserror::Error;

/// Longest answer in bytes.
pub const MAX_ANSWER_BYTES: usize = 16 << 20;
/// Most annotations of an answer.
pub const MAX_ANSWER_ANNOTATIONS: usize = 200_000;
/// Longest excerpt of an answer in a message.
const MAX_EXCERPT_CHARS: usize = 40;

/// A program that finds attributes in texts.
pub trait Annotator: Send + Sync + fmt::Debug {
    /// The name that domain files use.
    fn name(&self) -> &str;

    /// What it finds. An annotator that fails finds nothing, and reports the failure to its user itself.
    fn annotate(&self, request: &AnnotatorRequest<'_>) -> Vec<TextAnnotation>;
}

/// What an annotator is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnnotatorRequest<'a> {
    /// The version of this protocol: 1.
    copal: u32,
    /// The name of the domain.
    domain: &'a str,
    /// The attributes that name the annotator.
    attributes: Vec<RequestedAttribute<'a>>,
    /// Different texts of the page.
    texts: Vec<&'a str>,
}

/// An attribute in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct RequestedAttribute<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    type_name: &'static str,
    /// Its index in the domain.
    #[serde(skip)]
    index: usize,
}

/// An attribute that an annotator found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextAnnotation {
    /// The number of the text in the request, from 0.
    pub text: usize,
    /// The index of the attribute in the domain.
    pub attribute: usize,
    /// Its bytes in the text; never empty.
    pub span: Range<usize>,
}

/// Why an answer is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnnotatorAnswerError {
    /// It is too long.
    #[error("its answer is longer than {MAX_ANSWER_BYTES} bytes")]
    TooLong,
    /// It is not the expected JSON.
    #[error("its answer is not {{\"annotations\": [...]}}: {message}")]
    NotJson {
        /// What the JSON parser says.
        message: String,
    },
    /// It has too many entries.
    #[error("its answer has {found} annotations: expected at most {MAX_ANSWER_ANNOTATIONS}")]
    TooMany {
        /// How many.
        found: usize,
    },
    /// A text does not exist.
    #[error("its answer names text {found}: expected a number below {texts}")]
    UnknownText {
        /// The number in the answer.
        found: usize,
        /// How many texts there are.
        texts: usize,
    },
    /// It was not asked for an attribute.
    #[error("its answer names the attribute {found:?}: expected one of {expected}")]
    UnknownAttribute {
        /// The beginning of the name in the answer.
        found: String,
        /// The attributes of the request.
        expected: String,
    },
    /// A span is not in its text.
    #[error("its answer has the span {start}..{end} in text {text}, which has {chars} characters")]
    InvalidSpan {
        /// The number of the text.
        text: usize,
        /// The first character.
        start: usize,
        /// The character after the last one.
        end: usize,
        /// The length of the text.
        chars: usize,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    annotations: Vec<AnswerEntry>,
}

/// Start and end are counted in characters (Unicode scalar values), as most languages count them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerEntry {
    text: usize,
    attribute: String,
    start: usize,
    end: usize,
}

impl<'a> AnnotatorRequest<'a> {
    /// A request to a domain's annotator: its attributes by name, type and index in the domain.
    pub(crate) fn new(
        domain: &'a str,
        attributes: impl Iterator<Item = (&'a str, &'static str, usize)>,
        texts: Vec<&'a str>,
    ) -> AnnotatorRequest<'a> {
        let attributes = attributes
            .map(|(name, type_name, index)| RequestedAttribute { name, type_name, index })
            .collect();
        AnnotatorRequest { copal: 1, domain, attributes, texts }
    }

    /// The texts.
    pub fn texts(&self) -> &[&'a str] {
        &self.texts
    }

    /// Names and types of the attributes.
    pub fn attributes(&self) -> impl Iterator<Item = (&'a str, &'static str)> {
        self.attributes.iter().map(|attribute| (attribute.name, attribute.type_name))
    }

    /// The request as one line, with its line break.
    pub fn to_line(&self) -> String {
        // a struct of texts and numbers can always be written
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// Reads the answer: one line, without its line break.
    pub fn read_answer(&self, line: &[u8]) -> Result<Vec<TextAnnotation>, AnnotatorAnswerError> {
        if line.len() > MAX_ANSWER_BYTES {
            return Err(AnnotatorAnswerError::TooLong);
        }
        let mut answer: Answer = serde_json::from_slice(line)
            .map_err(|error| AnnotatorAnswerError::NotJson { message: excerpt(&error.to_string()) })?;
        let found = answer.annotations.len();
        if found > MAX_ANSWER_ANNOTATIONS {
            return Err(AnnotatorAnswerError::TooMany { found });
        }
        // so that the characters of each text are counted once
        answer.annotations.sort_by_key(|entry| entry.text);
        let mut offsets = CharOffsets::default();
        answer.annotations.iter().map(|entry| self.check(entry, &mut offsets)).collect()
    }

    fn check(
        &self,
        entry: &AnswerEntry,
        offsets: &mut CharOffsets,
    ) -> Result<TextAnnotation, AnnotatorAnswerError> {
        let &AnswerEntry { text, start, end, .. } = entry;
        let texts = self.texts.len();
        let words = self.texts.get(text).ok_or(AnnotatorAnswerError::UnknownText { found: text, texts })?;
        let known = self.attributes.iter().find(|attribute| attribute.name == entry.attribute);
        let known = known.ok_or_else(|| {
            let names: Vec<&str> = self.attributes.iter().map(|attribute| attribute.name).collect();
            AnnotatorAnswerError::UnknownAttribute {
                found: excerpt(&entry.attribute),
                expected: names.join(", "),
            }
        })?;
        let bytes = offsets.of(text, words);
        match (bytes.get(start), bytes.get(end)) {
            (Some(&first), Some(&last)) if first < last => {
                Ok(TextAnnotation { text, attribute: known.index, span: first..last })
            }
            _ => {
                let chars = bytes.len() - 1;
                Err(AnnotatorAnswerError::InvalidSpan { text, start, end, chars })
            }
        }
    }
}

/// Where the characters of the last text begin.
#[derive(Default)]
struct CharOffsets {
    text: Option<usize>,
    bytes: Vec<usize>,
}

impl CharOffsets {
    fn of(&mut self, text: usize, words: &str) -> &[usize] {
        if self.text != Some(text) {
            self.bytes.clear();
            self.bytes.extend(words.char_indices().map(|(at, _)| at).chain([words.len()]));
            self.text = Some(text);
        }
        &self.bytes
    }
}

fn excerpt(text: &str) -> String {
    let mut short: String = text.chars().take(MAX_EXCERPT_CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::annotate_page::annotate;
    use crate::attributes::attribute_annotation::FoundBy;
    use crate::domain::model::Domain;
    use copal_dom::{Limits, Page};
    use std::sync::Arc;

    const DOMAIN: &str = "domain: x\nobject: book\npivot: price\nattributes:\n  price: {type: money}\n  author: \
                          {type: text, annotators: [ner]}\n  place: {type: text, annotators: [ner, places]}\n";

    fn domain() -> Domain {
        Domain::parse(DOMAIN).unwrap()
    }

    /// Finds one word as one attribute.
    #[derive(Debug)]
    struct WordFinder(&'static str, &'static str, &'static str);

    impl Annotator for WordFinder {
        fn name(&self) -> &str {
            self.0
        }

        fn annotate(&self, request: &AnnotatorRequest<'_>) -> Vec<TextAnnotation> {
            let entries: Vec<String> = request
                .texts
                .iter()
                .enumerate()
                .filter_map(|(text, words)| {
                    let at = words.find(self.1)?;
                    let start = words[..at].chars().count();
                    let end = start + self.1.chars().count();
                    let attribute = self.2;
                    Some(format!(
                        "{{\"text\":{text},\"attribute\":\"{attribute}\",\"start\":{start},\"end\":{end}}}"
                    ))
                })
                .collect();
            request.read_answer(format!("{{\"annotations\":[{}]}}", entries.join(",")).as_bytes()).unwrap()
        }
    }

    #[test]
    fn a_request_is_one_line_with_the_attributes_that_name_the_annotator() {
        let domain = domain();
        let request = domain.annotator_request("places", vec!["a\nb", "é"]).unwrap();
        assert_eq!(
            request.to_line(),
            "{\"copal\":1,\"domain\":\"x\",\"attributes\":[{\"name\":\"place\",\"type\":\"text\"}],\
             \"texts\":[\"a\\nb\",\"é\"]}\n"
        );
        assert_eq!(domain.annotator_request("other", vec![]), None);
    }

    #[test]
    fn spans_are_counted_in_characters() {
        let domain = domain();
        let request = domain.annotator_request("ner", vec!["by Élodie Ünsal"]).unwrap();
        let answer = request
            .read_answer(b"{\"annotations\":[{\"text\":0,\"attribute\":\"author\",\"start\":3,\"end\":15}]}");
        let author = domain.attribute("author").unwrap();
        assert_eq!(answer, Ok(vec![TextAnnotation { text: 0, attribute: author, span: 3..17 }]));
    }

    #[test]
    fn hostile_answers_are_refused() {
        let domain = domain();
        let request = domain.annotator_request("ner", vec!["é", ""]).unwrap();
        let entry = |text: &str, attribute: &str, start: &str, end: &str| {
            format!(
                "{{\"annotations\":[{{\"text\":{text},\"attribute\":\"{attribute}\",\"start\":{start},\"end\":{end}}}]}}"
            )
        };
        let long = format!("{{\"annotations\":[{}]}}", " ".repeat(MAX_ANSWER_BYTES));
        let deep = "[".repeat(100_000);
        for (line, wanted) in [
            ("", "is not {\"annotations\""),
            ("garbage", "is not {\"annotations\""),
            ("[]", "is not {\"annotations\""),
            ("{\"annotations\":[1]}", "is not {\"annotations\""),
            ("{\"annotations\":[],\"more\":1}", "is not {\"annotations\""),
            (deep.as_str(), "is not {\"annotations\""),
            (long.as_str(), "longer than"),
            (&entry("2", "author", "0", "1"), "names text 2"),
            (&entry("18446744073709551615", "author", "0", "1"), "names text"),
            (&entry("-1", "author", "0", "1"), "is not {\"annotations\""),
            (&entry("0", "price", "0", "1"), "expected one of author, place"),
            (&entry("0", &"x".repeat(5000), "0", "1"), "xxx…"),
            (&entry("0", "author", "0", "2"), "0..2 in text 0, which has 1"),
            (&entry("0", "author", "1", "0"), "1..0"),
            (&entry("0", "author", "0", "0"), "0..0"),
            (&entry("1", "author", "0", "0"), "text 1, which has 0"),
            (&entry("0", "author", "0", "18446744073709551615"), "0..18446744073709551615"),
        ] {
            let error = request.read_answer(line.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(wanted) && error.len() < 300, "{wanted}: {error}");
        }
        assert!(request.read_answer(b"\xff\xfe").is_err());
        assert_eq!(request.read_answer(b"{\"annotations\":[]}"), Ok(vec![]));
    }

    #[test]
    fn annotations_are_reconciled_with_those_of_the_domain() {
        let mut domain = domain();
        assert_eq!(domain.annotator_names(), ["ner", "places"]);
        assert!(domain.bind_annotator(Arc::new(WordFinder("ner", "Ada Moor", "author"))));
        assert!(!domain.bind_annotator(Arc::new(WordFinder("other", "Ada", "author"))));
        let page =
            Page::from_text("<p>The Long Field, Ada Moor <b>£12.50</b><p>Ada Moor", &Limits::default());
        let found = annotate(&page, &domain);
        let author = domain.attribute("author").unwrap();
        let named: Vec<_> = found
            .iter()
            .filter(|one| one.attribute == author)
            .map(|one| (one.text.as_str(), one.found_by))
            .collect();
        assert_eq!(named, [("Ada Moor", FoundBy::Annotator); 2]);
        assert!(domain.attributes[author].is_recognised());
        // a price is money whatever an annotator says: the two exclude each other, and they vote
        let mut domain = Domain::parse(&DOMAIN.replace("place: {type: text", "place: {type: date")).unwrap();
        domain.bind_annotator(Arc::new(WordFinder("places", "£12.50", "place")));
        let found = annotate(&page, &domain);
        let kept: Vec<usize> =
            found.iter().filter(|one| one.text == "£12.50").map(|one| one.attribute).collect();
        assert_eq!(kept, [domain.attribute("price").unwrap()], "{found:?}");
    }
}
