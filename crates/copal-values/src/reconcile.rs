//! A weighted vote between contradictory recognisers (AMBER section 4.2; `ROSeAnn`'s weighted repair).
//!
//! In: opinions on one text, each with a span and a weight, and how their types relate. Out: the opinions to
//! keep. An opinion votes for the types it entails and against those it refutes, with its weight times the
//! bytes that they share. The opinions with the most votes are kept, unless they contradict one that was
//! already kept. O(pairs of overlapping opinions).

use std::ops::Range;

/// What one opinion says about the type of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is true as well: it is the same type, or a more general one.
    Entails,
    /// Both cannot be true.
    Refutes,
    /// It says nothing about the other.
    Silent,
}

/// Which opinions to keep. `verdict(judge, other)` is only called for overlapping spans.
pub fn resolve_by_vote(
    spans: &[Range<usize>],
    weights: &[f64],
    verdict: impl Fn(usize, usize) -> Verdict,
) -> Vec<bool> {
    let pairs = overlapping_pairs(spans);
    let own = |i: usize| weights[i] * spans[i].len() as f64;
    let mut votes: Vec<f64> = (0..spans.len()).map(own).collect();
    for &(a, b) in &pairs {
        let shared = spans[a].end.min(spans[b].end) - spans[a].start.max(spans[b].start);
        for (judge, other) in [(a, b), (b, a)] {
            let vote = weights[judge] * shared as f64;
            match verdict(judge, other) {
                Verdict::Entails => votes[other] += vote,
                Verdict::Refutes => votes[other] -= vote,
                Verdict::Silent => {}
            }
        }
    }
    let mut against: Vec<Vec<usize>> = vec![Vec::new(); spans.len()];
    for &(a, b) in &pairs {
        if verdict(a, b) == Verdict::Refutes || verdict(b, a) == Verdict::Refutes {
            against[a].push(b);
            against[b].push(a);
        }
    }
    let mut order: Vec<usize> = (0..spans.len()).collect();
    // The sort is stable: of equal votes the earlier opinion is kept.
    order.sort_by(|&a, &b| votes[b].total_cmp(&votes[a]));
    let mut kept = vec![false; spans.len()];
    for i in order {
        kept[i] = !against[i].iter().any(|&other| kept[other]);
    }
    kept
}

/// All pairs of spans that overlap.
pub fn overlapping_pairs(spans: &[Range<usize>]) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.sort_unstable_by_key(|&i| spans[i].start);
    let (mut pairs, mut open): (Vec<(usize, usize)>, Vec<usize>) = (Vec::new(), Vec::new());
    for i in order {
        open.retain(|&other| spans[other].end > spans[i].start);
        pairs.extend(open.iter().map(|&other| (other, i)));
        open.push(i);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn votes_decide_between_contradictions() {
        let same = |types: &'static [u8]| {
            move |a: usize, b: usize| {
                if types[a] == types[b] { Verdict::Entails } else { Verdict::Refutes }
            }
        };
        // Two weak opinions of one type outvote a stronger one of another.
        assert_eq!(resolve_by_vote(&[0..4, 0..4, 0..4], &[0.6, 0.6, 0.9], same(b"aab")), [true, true, false]);
        assert_eq!(resolve_by_vote(&[0..4, 0..4], &[0.6, 0.9], same(b"ab")), [false, true]);
        // A longer span has more votes than a shorter one.
        assert_eq!(resolve_by_vote(&[0..4, 0..9], &[0.9, 0.6], same(b"ab")), [false, true]);
        // Spans that do not overlap do not contradict each other.
        assert_eq!(resolve_by_vote(&[0..4, 4..8], &[0.9, 0.1], same(b"ab")), [true, true]);
        assert_eq!(resolve_by_vote(&[], &[], same(b"")), [false; 0]);
    }

    #[test]
    fn silent_opinions_are_both_kept() {
        assert_eq!(resolve_by_vote(&[0..4, 2..6], &[1.0, 1.0], |_, _| Verdict::Silent), [true, true]);
    }
}
