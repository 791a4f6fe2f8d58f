//! Small statistics that several stages need.
//!
//! In: numbers or sorted sets. Out: one number. O(values), the median O(values) on average.

use std::cmp::Ordering;

/// The mean of some values; 0 if there are none.
pub(crate) fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, n) = values.into_iter().fold((0.0, 0usize), |(sum, n), value| (sum + value, n + 1));
    sum / n.max(1) as f64
}

/// 1 if something holds, else 0.
pub(crate) fn indicator(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

/// The sum of values, each multiplied by its weight.
pub(crate) fn weighted_sum(weights: &[f64], values: &[f64]) -> f64 {
    weights.iter().zip(values).map(|(weight, value)| weight * value).sum()
}

/// The middle value, the upper one of two; 0 if there are none.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    let middle = values.len() / 2;
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(middle, f64::total_cmp).1 }
}

/// How many of the values differ from each other.
pub(crate) fn distinct<T: Ord>(values: impl Iterator<Item = T>) -> f64 {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.dedup();
    values.len() as f64
}

/// The Jaccard index of two sorted sets: the share of their common members among all; 0 if both are empty.
pub(crate) fn jaccard<T: Ord>(a: &[T], b: &[T]) -> f64 {
    let (mut i, mut j, mut both) = (0, 0, 0usize);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => (i, j, both) = (i + 1, j + 1, both + 1),
        }
    }
    let any = a.len() + b.len() - both;
    if any == 0 { 0.0 } else { both as f64 / any as f64 }
}

/// The probability of a logit.
pub(crate) fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}
