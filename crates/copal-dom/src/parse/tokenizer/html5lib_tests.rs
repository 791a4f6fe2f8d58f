//! The tests of html5lib (`testdata/html5lib/tokenizer`), and html5ever's tokenizer as the reference for
//! generated text.

use super::{Content, TagLimits, Tokenizer, with_line_feeds};
use html5ever::LocalName;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, State};
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult, TokenizerOpts};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs;
use std::path::Path;

const NO_LIMITS: TagLimits = TagLimits { attributes: 1000, value_bytes: 1_000_000 };

/// Records tokens in the form of html5lib's tests.
#[derive(Default)]
struct TokenRecorder(RefCell<Vec<Value>>);

impl TokenRecorder {
    /// Adjacent characters are one token there.
    fn characters(&self, text: &str) {
        let mut tokens = self.0.borrow_mut();
        if let Some(Value::Array(last)) = tokens.last_mut()
            && last[0] == "Character"
            && let Value::String(known) = &mut last[1]
        {
            known.push_str(text);
        } else if !text.is_empty() {
            tokens.push(json!(["Character", text]));
        }
    }
}

impl TokenSink for TokenRecorder {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let recorded = match token {
            Token::CharacterTokens(text) => {
                self.characters(&text);
                return TokenSinkResult::Continue;
            }
            Token::NullCharacterToken => {
                self.characters("\0");
                return TokenSinkResult::Continue;
            }
            Token::ParseError(_) | Token::EOFToken => return TokenSinkResult::Continue,
            Token::CommentToken(text) => json!(["Comment", &*text]),
            Token::DoctypeToken(doctype) => {
                let text = |part: &Option<StrTendril>| part.as_ref().map(ToString::to_string);
                let ids = (text(&doctype.public_id), text(&doctype.system_id));
                json!(["DOCTYPE", text(&doctype.name), ids.0, ids.1, !doctype.force_quirks])
            }
            Token::TagToken(tag) if tag.kind == TagKind::EndTag => json!(["EndTag", &*tag.name]),
            Token::TagToken(tag) => {
                let attributes = tag
                    .attrs
                    .iter()
                    .map(|attribute| (attribute.name.local.to_string(), Value::from(&*attribute.value)));
                let attributes = Value::Object(attributes.collect());
                if tag.self_closing {
                    json!(["StartTag", &*tag.name, attributes, true])
                } else {
                    json!(["StartTag", &*tag.name, attributes])
                }
            }
        };
        self.0.borrow_mut().push(recorded);
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        // CDATA sections are tested through the state that they begin
        false
    }
}

fn tokens(text: &str, state: &str, last_start_tag: &str) -> Vec<Value> {
    let text = with_line_feeds(text);
    let mut tokenizer = Tokenizer::new(&text, TokenRecorder::default(), NO_LIMITS);
    tokenizer.last_start_tag = LocalName::from(last_start_tag);
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
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

/// What html5ever's tokenizer makes of a text.
fn reference_tokens(text: &str, state: State, last_start_tag: &str) -> Vec<Value> {
    let options = TokenizerOpts {
        discard_bom: false,
        initial_state: Some(state),
        last_start_tag_name: Some(last_start_tag.to_owned()),
        ..TokenizerOpts::default()
    };
    let tokenizer = html5ever::tokenizer::Tokenizer::new(TokenRecorder::default(), options);
    let queue = BufferQueue::default();
    if !text.is_empty() {
        queue.push_back(StrTendril::from_slice(text));
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    tokenizer.sink.0.into_inner()
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
