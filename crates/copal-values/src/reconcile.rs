//! Contradictory recognisers, reconciled by a weighted vote (AMBER section 4.2; `ROSeAnn`'s weighted repair).
//!
//! In: opinions on one text, each a span and a weight, and how types relate. Out: the opinions that stay. An opinion votes
//! for the types it entails and against those it refutes, with its weight times the bytes it shares with them; the types
//! with most votes stay unless they contradict one that stays already. O(pairs of overlapping opinions).

use std::ops::Range;

/// What one opinion says of another's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is true as well: the same type, or a more general one.
    Entails,
    /// Both cannot be true.
    Refutes,
    /// Nothing.
    Silent,
}

/// Which opinions stay. `verdict(judge, other)` is asked for overlapping spans only.
pub fn repair(
    spans: &[Range<usize>],
    weights: &[f64],
    verdict: impl Fn(usize, usize) -> Verdict,
) -> Vec<bool> {
    let pairs = overlapping(spans);
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
    // the sort is stable: of equal votes the one that was asked first stays
    order.sort_by(|&a, &b| votes[b].total_cmp(&votes[a]));
    let mut stays = vec![false; spans.len()];
    for i in order {
        stays[i] = !against[i].iter().any(|&other| stays[other]);
    }
    stays
}

/// All pairs of spans that overlap.
pub fn overlapping(spans: &[Range<usize>]) -> Vec<(usize, usize)> {
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
        let same = |kinds: &'static [u8]| {
            move |a: usize, b: usize| {
                if kinds[a] == kinds[b] { Verdict::Entails } else { Verdict::Refutes }
            }
        };
        // two weak opinions of one type outvote a stronger one of another
        assert_eq!(repair(&[0..4, 0..4, 0..4], &[0.6, 0.6, 0.9], same(b"aab")), [true, true, false]);
        assert_eq!(repair(&[0..4, 0..4], &[0.6, 0.9], same(b"ab")), [false, true]);
        // a longer span says more than a shorter one
        assert_eq!(repair(&[0..4, 0..9], &[0.9, 0.6], same(b"ab")), [false, true]);
        // what does not overlap does not contradict
        assert_eq!(repair(&[0..4, 4..8], &[0.9, 0.1], same(b"ab")), [true, true]);
        assert_eq!(repair(&[], &[], same(b"")), [false; 0]);
    }

    #[test]
    fn silent_opinions_live_together() {
        assert_eq!(repair(&[0..4, 2..6], &[1.0, 1.0], |_, _| Verdict::Silent), [true, true]);
    }
}
