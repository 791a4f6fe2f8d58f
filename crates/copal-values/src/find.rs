//! All values of a text.
//!
//! In: a text. Out: the values that the recognisers find in it, one reading per span. Where value types overlap, a weighted
//! vote decides (`reconcile.rs`). O(text), and only where a cheap scan says that a recogniser may find something.

use crate::recognise::{self, Hit, Marks};
use crate::reconcile::{Verdict, repair};
use std::collections::BTreeMap;
use std::ops::Range;

/// All values in one text, overlaps resolved.
pub fn find(text: &str, hits: &mut Vec<Hit>) {
    let marks = Marks::of(text);
    for recogniser in recognise::ALL {
        if recogniser.wants(marks) {
            recogniser.find(text, hits);
        }
    }
    resolve(hits);
}

/// One kind for each piece of text: the one with most votes. A more general kind gives way to a more particular one.
fn resolve(hits: &mut Vec<Hit>) {
    if hits.len() < 2 {
        return;
    }
    let spans: Vec<Range<usize>> = hits.iter().map(|hit| hit.span.clone()).collect();
    let weights: Vec<f64> = hits.iter().map(|hit| hit.kind.trust()).collect();
    let verdict = |judge: usize, other: usize| {
        let (judge, other) = (hits[judge].kind, hits[other].kind);
        match other {
            _ if judge == other || judge.general() == Some(other) => Verdict::Entails,
            _ if other.general() == Some(judge) => Verdict::Silent,
            _ => Verdict::Refutes,
        }
    };
    let mut stays = repair(&spans, &weights, verdict).into_iter();
    hits.retain(|_| stays.next().unwrap_or(false));
    // what is left agrees: the longer one says all, then the one that was asked first
    hits.sort_by_key(|hit| std::cmp::Reverse(hit.span.len()));
    let mut taken = Spans::default();
    hits.retain(|hit| taken.insert(&hit.span));
    hits.sort_by_key(|hit| hit.span.start);
}

/// Spans that do not overlap. O(log spans) a question, so that a text of a million values costs no more than it must.
#[derive(Debug, Default)]
pub struct Spans(BTreeMap<usize, usize>);

impl Spans {
    /// False, and nothing done, if the span overlaps one that is there.
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
    use crate::value_type::ValueType;

    #[test]
    fn spans_are_kept_apart() {
        let mut spans = Spans::default();
        let kept: Vec<bool> =
            [4..8, 0..4, 7..9, 3..5, 8..9, 0..20].iter().map(|span| spans.insert(span)).collect();
        assert_eq!(kept, [true, true, false, false, true, false]);
    }

    #[test]
    fn the_longer_span_wins() {
        let mut hits = Vec::new();
        find("£995 pcm", &mut hits);
        assert_eq!(hits.len(), 1);
        assert_eq!((hits[0].kind, hits[0].span.clone()), (ValueType::Money, 0..9));
    }
}
