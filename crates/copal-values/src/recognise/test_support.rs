//! What the tests of the recognisers share: tables of texts with their values, and a property that holds for
//! any text.

use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use crate::notation::Notation;
use crate::value::Value;
use proptest::prelude::*;

fn found(recogniser: &dyn Recogniser, text: &str) -> Vec<ValueMatch> {
    let mut matches = Vec::new();
    if recogniser.may_match(CharacterScan::of(text)) {
        recogniser.find(text, Notation::default(), &mut matches);
    }
    matches
}

/// Checks lines `text => value; value`, and lines of texts without a match.
pub(crate) fn check_table(
    recogniser: &dyn Recogniser,
    show: fn(&Value) -> String,
    cases: &str,
    misses: &str,
) {
    let mut wrong = Vec::new();
    for line in cases.lines().filter(|line| !line.trim().is_empty()) {
        let (text, want) = line.trim().split_once(" => ").expect("a text and its value");
        let got: Vec<String> =
            found(recogniser, text).iter().map(|value_match| show(&value_match.value)).collect();
        if got.join("; ") != want {
            wrong.push(format!("{text}: {got:?}, not {want}"));
        }
    }
    for text in misses.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let got: Vec<String> =
            found(recogniser, text).iter().map(|value_match| show(&value_match.value)).collect();
        if !got.is_empty() {
            wrong.push(format!("{text}: {got:?}, not nothing"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The texts of the spans of all matches.
pub(crate) fn matched_texts<'t>(recogniser: &dyn Recogniser, text: &'t str) -> Vec<&'t str> {
    found(recogniser, text).into_iter().map(|value_match| &text[value_match.span]).collect()
}

/// Checks that the matches in any text are at character boundaries, in order and without overlaps.
pub(crate) fn check_spans_of_any_text(recogniser: &dyn Recogniser, words: &'static str) {
    let pieces: Vec<&'static str> = words.split(' ').collect();
    let separators = vec![" ", "\u{a0}", "-", "–", ".", ",", "/", ":", "(", ")", "x", "½", "İ", "ß", "'"];
    let piece = prop_oneof![
        4 => prop::sample::select(pieces),
        3 => prop::sample::select(separators),
        3 => prop::sample::select(vec!["1", "12", "2017", "1.5", "1,234", "0", "٣", "๑๒", "９", "00"]),
        1 => Just("日本").boxed(),
    ];
    let mixed = prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat());
    let any = prop_oneof![3 => mixed, 1 => any::<String>()];
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(2000));
    let result = runner.run(&any, |text| {
        let mut matches = Vec::new();
        recogniser.find(&text, Notation::default(), &mut matches);
        let mut end = 0;
        for value_match in matches {
            prop_assert!(
                value_match.span.start >= end && value_match.span.end > value_match.span.start,
                "{:?} in {:?}",
                value_match,
                text
            );
            prop_assert!(text.get(value_match.span.clone()).is_some(), "{:?} in {:?}", value_match, text);
            end = value_match.span.end;
        }
        Ok(())
    });
    assert!(result.is_ok(), "{result:?}");
}
