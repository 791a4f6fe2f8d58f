//! Tests of proportions: is something rarer now than it was, or is the difference chance?
//!
//! In: a share before, and counts now. Out: yes or no, or a probability. O(1), and O(count) for the exact
//! test.

/// A share that fell by more standard deviations than this did not fall by chance (1 page in 100 would).
const UNLIKELY_DEVIATION: f64 = 2.33;
/// Shares before are taken to be at least this and at most its complement: samples are too few to say that
/// something is always or never there.
const LEAST_SHARE: f64 = 0.05;

/// True if the share of something among `count` fell too far to be chance (a one-sided test of proportions).
pub(crate) fn fell(before: f64, now: f64, count: usize) -> bool {
    let before = before.clamp(LEAST_SHARE, 1.0 - LEAST_SHARE);
    (before - now) / (before * (1.0 - before) / count.max(1) as f64).sqrt() > UNLIKELY_DEVIATION
}

/// The probability that chance alone gives as few as `now` of `now_count`, where `before` of `before_count`
/// were there (Fisher's exact test, one-sided). Unlike [`fell`] it knows how many samples there were, and it
/// is right for small counts.
pub(crate) fn chance_of_so_few(before: usize, before_count: usize, now: usize, now_count: usize) -> f64 {
    let (before, now) = (before.min(before_count), now.min(now_count));
    let all = before_count + now_count;
    let with = before + now;
    // ln of the binomial coefficients, from one table of ln n!.
    let mut ln_factorials = Vec::with_capacity(all + 1);
    let mut sum = 0.0;
    ln_factorials.push(0.0);
    for number in 1..=all {
        sum += (number as f64).ln();
        ln_factorials.push(sum);
    }
    let choose = |n: usize, k: usize| ln_factorials[n] - ln_factorials[k] - ln_factorials[n - k];
    let fewest = with.saturating_sub(before_count);
    let total = choose(all, with);
    let terms = (fewest..=now).map(|k| (choose(now_count, k) + choose(before_count, with - k) - total).exp());
    terms.sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_test_gives_known_probabilities() {
        // Fisher's tea: 4 of 4 before, 1 of 4 now: (C(4,1)·C(4,4) + C(4,0)·…) / C(8,5)
        assert!((chance_of_so_few(4, 4, 1, 4) - 4.0 / 56.0).abs() < 1e-9);
        // 5 of 20 before, none of 20 now: C(35, 20) / C(40, 20)
        assert!((chance_of_so_few(5, 20, 0, 20) - 0.023_562).abs() < 1e-5);
        assert!(chance_of_so_few(18, 66, 0, 66) < 1e-5);
        assert!((chance_of_so_few(5, 20, 20, 20) - 1.0).abs() < 1e-9);
        assert!((chance_of_so_few(0, 0, 0, 0) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_share_falls_only_if_the_count_says_so() {
        assert!(fell(0.27, 0.0, 66));
        assert!(!fell(0.27, 0.0, 8));
        assert!(!fell(1.0, 0.95, 20));
    }
}
