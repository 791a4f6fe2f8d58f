//! All values of a text.
//!
//! In: a text. Out: the values that the recognisers find in it, without overlaps. Where value types
//! contradict each other, a weighted vote decides (`reconcile.rs`). O(length), and a recogniser only runs if
//! a cheap scan of the characters says that it may find something.

use crate::notation::Notation;
use crate::recognise::RECOGNISERS;
use crate::recognise::recogniser::{CharacterScan, ValueMatch};
use crate::reconcile::{Verdict, resolve_by_vote};
use crate::value_type::ValueType;
use std::collections::BTreeMap;
use std::ops::Range;

/// Finds the values of a text, in the order of the text and without overlaps.
///
/// ```
/// let matches = copal_values::find_values("4.5 out of 5 (1,374 reviews)");
/// let types: Vec<&str> = matches.iter().map(|found| found.value_type.name()).collect();
/// assert_eq!(types, ["rating", "count"]);
/// ```
pub fn find_values(text: &str) -> Vec<ValueMatch> {
    let mut matches = Vec::new();
    find(text, &mut matches);
    matches
}

/// The same as [`find_values`], into a vector that can be reused from text to text. `matches` should be
/// empty: matches that are already in it take part in the vote.
pub fn find(text: &str, matches: &mut Vec<ValueMatch>) {
    find_with(text, Notation::default(), matches);
}

/// The same as [`find`], with what is known of the notation of the text.
///
/// ```
/// use copal_values::notation::{DateOrder, Notation};
/// use copal_values::{Value, find::find_with};
/// let notation = Notation { date_order: Some(DateOrder::MonthFirst), ..Notation::default() };
/// let mut matches = Vec::new();
/// find_with("10/12/2023", notation, &mut matches);
/// assert_eq!(matches[0].value, Value::Date("2023-10-12".into()));
/// ```
pub fn find_with(text: &str, notation: Notation, matches: &mut Vec<ValueMatch>) {
    let scan = CharacterScan::of(text);
    for recogniser in RECOGNISERS {
        if recogniser.may_match(scan) {
            recogniser.find(text, notation, matches);
        }
    }
    resolve_overlaps(matches);
}

/// True if the recogniser of a type finds something in a text. The vote of [`find_with`] may still drop it, but what is not
/// found here is not found there, and one recogniser costs far less than all.
pub(crate) fn is_found(
    value_type: ValueType,
    text: &str,
    notation: Notation,
    matches: &mut Vec<ValueMatch>,
) -> bool {
    let scan = CharacterScan::of(text);
    matches.clear();
    for recogniser in RECOGNISERS {
        if recogniser.value_type() == value_type && recogniser.may_match(scan) {
            recogniser.find(text, notation, matches);
        }
    }
    !matches.is_empty()
}

/// Keeps one value type per piece of text: the one with the most votes. A general type gives way to a more
/// specific one.
fn resolve_overlaps(matches: &mut Vec<ValueMatch>) {
    if matches.len() < 2 {
        return;
    }
    let spans: Vec<Range<usize>> = matches.iter().map(|found| found.span.clone()).collect();
    let weights: Vec<f64> = matches.iter().map(|found| found.value_type.trust()).collect();
    let verdict = |judge: usize, other: usize| {
        let (judge, other) = (matches[judge].value_type, matches[other].value_type);
        match other {
            _ if judge == other || judge.general() == Some(other) => Verdict::Entails,
            _ if other.general() == Some(judge) => Verdict::Silent,
            _ => Verdict::Refutes,
        }
    };
    let mut kept = resolve_by_vote(&spans, &weights, verdict).into_iter();
    matches.retain(|_| kept.next().unwrap_or(false));
    // The remaining matches agree. The longer one says more; of equally long ones the earlier recogniser
    // wins.
    matches.sort_by_key(|found| std::cmp::Reverse(found.span.len()));
    let mut taken = SpanSet::default();
    matches.retain(|found| taken.insert(&found.span));
    matches.sort_by_key(|found| found.span.start);
}

/// A set of spans that do not overlap. An insertion is O(log n), so a text with a million values stays
/// affordable.
#[derive(Debug, Default)]
pub struct SpanSet(BTreeMap<usize, usize>);

impl SpanSet {
    /// Inserts a span. Returns false, and changes nothing, if it overlaps a span of the set.
    pub fn insert(&mut self, span: &Range<usize>) -> bool {
        let before = self.0.range(..span.end).next_back();
        let free = before.is_none_or(|(_, &end)| end <= span.start);
        if free {
            self.0.insert(span.start, span.end);
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_spans_are_refused() {
        let mut spans = SpanSet::default();
        let kept: Vec<bool> =
            [4..8, 0..4, 7..9, 3..5, 8..9, 0..20].iter().map(|span| spans.insert(span)).collect();
        assert_eq!(kept, [true, true, false, false, true, false]);
    }

    #[test]
    fn the_longer_span_wins() {
        let matches = find_values("£995 pcm");
        assert_eq!(matches.len(), 1);
        assert_eq!((matches[0].value_type, matches[0].span.clone()), (ValueType::Money, 0..9));
    }
}
