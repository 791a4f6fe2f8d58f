//! Checks that the recognisers' tests share: tables of texts with values, and soundness on any text.

use crate::recognise::{Hit, Marks, Recogniser};
use crate::value::Value;
use proptest::prelude::*;

fn found(recogniser: &dyn Recogniser, text: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    if recogniser.wants(Marks::of(text)) {
        recogniser.find(text, &mut hits);
    }
    hits
}

/// Lines `text => value; value`, and lines of texts without a hit.
pub(crate) fn check(recogniser: &dyn Recogniser, show: fn(&Value) -> String, cases: &str, misses: &str) {
    let mut wrong = Vec::new();
    for line in cases.lines().filter(|line| !line.trim().is_empty()) {
        let (text, want) = line.trim().split_once(" => ").expect("a text and its value");
        let got: Vec<String> = found(recogniser, text).iter().map(|hit| show(&hit.value)).collect();
        if got.join("; ") != want {
            wrong.push(format!("{text}: {got:?}, not {want}"));
        }
    }
    for text in misses.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let got: Vec<String> = found(recogniser, text).iter().map(|hit| show(&hit.value)).collect();
        if !got.is_empty() {
            wrong.push(format!("{text}: {got:?}, not nothing"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The spans' texts.
pub(crate) fn spans<'t>(recogniser: &dyn Recogniser, text: &'t str) -> Vec<&'t str> {
    found(recogniser, text).into_iter().map(|hit| &text[hit.span]).collect()
}

/// Hits of any text lie on characters, in order, without overlaps.
pub(crate) fn sound(recogniser: &dyn Recogniser, words: &'static str) {
    let pieces: Vec<&'static str> = words.split(' ').collect();
    let piece = prop_oneof![
        4 => prop::sample::select(pieces),
        3 => prop::sample::select(vec![" ", "\u{a0}", "-", "–", ".", ",", "/", ":", "(", ")", "x", "½", "İ", "ß", "'"]),
        3 => prop::sample::select(vec!["1", "12", "2017", "1.5", "1,234", "0", "٣", "๑๒", "９", "00"]),
        1 => Just("日本").boxed(),
    ];
    let mixed = prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat());
    let any = prop_oneof![3 => mixed, 1 => any::<String>()];
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(2000));
    let result = runner.run(&any, |text| {
        let mut hits = Vec::new();
        recogniser.find(&text, &mut hits);
        let mut end = 0;
        for hit in hits {
            prop_assert!(hit.span.start >= end && hit.span.end > hit.span.start, "{:?} in {:?}", hit, text);
            prop_assert!(text.get(hit.span.clone()).is_some(), "{:?} in {:?}", hit, text);
            end = hit.span.end;
        }
        Ok(())
    });
    assert!(result.is_ok(), "{result:?}");
}
