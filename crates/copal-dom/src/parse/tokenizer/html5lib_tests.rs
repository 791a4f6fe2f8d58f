//! The tests of html5lib (`testdata/html5lib/tokenizer`), and html5ever's tokenizer as the reference for
//! generated text.

use super::{Content, Doctype, TagLimits, TagParts, TokenSink, Tokenizer, with_line_feeds};
use crate::attrs::Attrs;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, State};
use html5ever::tokenizer::{TagKind, Token, TokenSinkResult, TokenizerOpts};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs;
use std::path::Path;

const NO_LIMITS: TagLimits = TagLimits { attributes: 1000, value_bytes: 1_000_000 };

/// Records tokens in the form of html5lib's tests.
#[derive(Default)]
struct TokenRecorder {
    tokens: Vec<Value>,
    attributes: Attrs,
}

impl TokenRecorder {
    /// Adjacent characters are one token there.
    fn characters(&mut self, text: &str) {
        if let Some(Value::Array(last)) = self.tokens.last_mut()
            && last[0] == "Character"
            && let Value::String(known) = &mut last[1]
        {
            known.push_str(text);
        } else if !text.is_empty() {
            self.tokens.push(json!(["Character", text]));
        }
    }

    fn start_tag(&mut self, name: &str, attributes: &serde_json::Map<String, Value>, self_closing: bool) {
        self.tokens.push(if self_closing {
            json!(["StartTag", name, attributes, true])
        } else {
            json!(["StartTag", name, attributes])
        });
    }
}

impl TokenSink for TokenRecorder {
    fn attributes(&mut self) -> &mut Attrs {
        &mut self.attributes
    }

    fn start_tag(&mut self, name: &str, parts: TagParts) -> Content {
        let attributes = self.attributes.iter(parts.attrs);
        let attributes = attributes.map(|(name, value)| (name.to_owned(), Value::from(value))).collect();
        TokenRecorder::start_tag(self, name, &attributes, parts.self_closing);
        Content::Data
    }

    fn end_tag(&mut self, name: &str) {
        self.tokens.push(json!(["EndTag", name]));
    }

    fn text(&mut self, text: &str) {
        self.characters(text);
    }

    fn null(&mut self) {
        self.characters("\0");
    }

    fn comment(&mut self, text: &str) {
        self.tokens.push(json!(["Comment", text.replace('\0', "\u{fffd}")]));
    }

    fn doctype(&mut self, doctype: &Doctype) {
        let Doctype { name, public_id, system_id, force_quirks } = doctype;
        self.tokens.push(json!(["DOCTYPE", name, public_id, system_id, !force_quirks]));
    }

    fn end(&mut self) {}

    fn is_in_foreign_content(&self) -> bool {
        // CDATA sections are tested through the state that they begin
        false
    }
}

/// Records the tokens of html5ever.
#[derive(Default)]
struct ReferenceRecorder(RefCell<TokenRecorder>);

impl html5ever::tokenizer::TokenSink for ReferenceRecorder {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut recorder = self.0.borrow_mut();
        match token {
            Token::CharacterTokens(text) => recorder.characters(&text),
            Token::NullCharacterToken => recorder.characters("\0"),
            Token::ParseError(_) | Token::EOFToken => {}
            Token::CommentToken(text) => recorder.tokens.push(json!(["Comment", &*text])),
            Token::DoctypeToken(doctype) => {
                let text = |part: &Option<StrTendril>| part.as_ref().map(ToString::to_string);
                let ids = (text(&doctype.public_id), text(&doctype.system_id));
                let correct = !doctype.force_quirks;
                recorder.tokens.push(json!(["DOCTYPE", text(&doctype.name), ids.0, ids.1, correct]));
            }
            Token::TagToken(tag) if tag.kind == TagKind::EndTag => {
                recorder.tokens.push(json!(["EndTag", &*tag.name]));
            }
            Token::TagToken(tag) => {
                let attributes = tag.attrs.iter();
                let attributes = attributes.map(|a| (a.name.local.to_string(), Value::from(&*a.value)));
                recorder.start_tag(&tag.name, &attributes.collect(), tag.self_closing);
            }
        }
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        false
    }
}

fn tokens(text: &str, state: &str, last_start_tag: &str) -> Vec<Value> {
    let text = with_line_feeds(text);
    let mut tokenizer = Tokenizer::new(&text, TokenRecorder::default(), NO_LIMITS);
    tokenizer.last_start_tag = last_start_tag;
    tokenizer.content = match state {
        "PLAINTEXT state" => Content::Plaintext,
        "RCDATA state" => Content::Rcdata,
        "RAWTEXT state" => Content::Rawtext,
        "Script data state" => Content::Script,
        _ => Content::Data,
    };
    if state == "CDATA section state" {
        tokenizer.cdata(0);
    }
    while tokenizer.step() {}
    tokenizer.sink.tokens
}

/// What html5ever's tokenizer makes of a text.
fn reference_tokens(text: &str, state: State, last_start_tag: &str) -> Vec<Value> {
    let options = TokenizerOpts {
        discard_bom: false,
        initial_state: Some(state),
        last_start_tag_name: Some(last_start_tag.to_owned()),
        ..TokenizerOpts::default()
    };
    let tokenizer = html5ever::tokenizer::Tokenizer::new(ReferenceRecorder::default(), options);
    let queue = BufferQueue::default();
    if !text.is_empty() {
        queue.push_back(StrTendril::from_slice(text));
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    tokenizer.sink.0.into_inner().tokens
}

/// Replaces `\uXXXX`; `None` if one of them is half of a character, which no decoded page has.
fn unescape(text: &str) -> Option<String> {
    serde_json::from_str(&format!("\"{}\"", text.replace('"', "\\\""))).ok()
}

fn unescaped(value: &Value) -> Option<Value> {
    Some(match value {
        Value::String(text) => Value::String(unescape(text)?),
        Value::Array(items) => Value::Array(items.iter().map(unescaped).collect::<Option<_>>()?),
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| Some((unescape(key)?, unescaped(value)?));
            Value::Object(entries.iter().map(entry).collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

/// Runs the tests of one file and returns their number.
fn run_file(path: &Path, failures: &mut Vec<String>) -> usize {
    // lone surrogates are not valid JSON for serde: such tests cannot be about decoded text
    let file = fs::read_to_string(path).expect("a test file");
    let lines = file.lines().filter(|line| line.starts_with("{\"") && !line.starts_with("{\"tests\""));
    let mut count = 0;
    for line in lines {
        let Ok(mut test) = serde_json::from_str::<Value>(line.trim_end_matches(',')) else { continue };
        if test["doubleEscaped"] == true {
            let Some(plain) = unescaped(&test) else { continue };
            test = plain;
        }
        let input = test["input"].as_str().expect("an input");
        let last_start_tag = test["lastStartTag"].as_str().unwrap_or_default();
        let data = [json!("Data state")];
        let states = test["initialStates"].as_array().map_or(&data[..], Vec::as_slice);
        for state in states {
            let got = Value::Array(tokens(input, state.as_str().expect("a name"), last_start_tag));
            if got != test["output"] {
                let expected = &test["output"];
                failures
                    .push(format!("{} {state}: {input:?}: got {got}, expected {expected}", path.display()));
            }
            count += 1;
        }
    }
    count
}

#[test]
fn html5lib_tokenizer_tests_pass() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/html5lib/tokenizer");
    let mut failures = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the folder of the tests") {
        count += run_file(&entry.expect("an entry").path(), &mut failures);
    }
    assert!(count > 2500, "only {count} tests were found");
    assert!(failures.is_empty(), "{} of {count} fail:\n{}", failures.len(), failures.join("\n"));
}

/// Pieces of markup that end or begin something in one of the states.
const PIECES: &[&str] = &[
    "<",
    "<",
    ">",
    ">",
    "/",
    "!",
    "-",
    "-",
    "--",
    "--!>",
    "-->",
    "<!--",
    "</script",
    "<script",
    "</title",
    "?",
    "=",
    "\"",
    "'",
    " ",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\x0c",
    "\0",
    "a",
    "B",
    "x",
    "script",
    "title",
    "TITLE",
    "é",
    "日",
    "]",
    "]]>",
    "<![CDATA[",
    "<!doctype",
    "html",
    "public",
    "SYSTEM",
    "&",
    "&amp",
    ";",
    "&not",
    "&notin;",
    "it",
    "&#",
    "&#x",
    "65",
    "x80",
    "110000",
    "d800",
    "a=b",
    " c='",
    "d=\"",
    "/>",
    "</",
    "`",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_text_gives_the_tokens_of_html5ever(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..30),
        state in 0..5_usize,
    ) {
        let text = pieces.concat();
        let (name, state, last) = [
            ("Data state", State::Data, ""),
            ("RCDATA state", State::RawData(RawKind::Rcdata), "title"),
            ("RAWTEXT state", State::RawData(RawKind::Rawtext), "style"),
            ("Script data state", State::RawData(RawKind::ScriptData), "script"),
            ("CDATA section state", State::CdataSection, ""),
        ][state];
        prop_assert_eq!(tokens(&text, name, last), reference_tokens(&text, state, last), "{:?}", text);
    }
}
