//! Common tag sequences of a group of elements.
//!
//! In: tag strings. Out: how similar they are as a group, and the average of each. Equal strings are compared
//! once. If there are many distinct strings, each is compared with the most frequent one only: O(strings)
//! comparisons instead of O(strings^2), at the price of a coarser average.

use crate::structure::similar::BitRows;
use copal_dom::Tag;
use rustc_hash::FxHashMap;

/// Up to this many distinct strings, all pairs are compared.
const MAX_PAIRWISE_STRINGS: usize = 64;
/// Longer tag strings are cut before they are compared.
const MAX_TAG_STRING_LENGTH: usize = 2048;

/// What a group of tag strings has in common.
pub(super) struct CommonTagSequences {
    /// The mean over all pairs of common length divided by mean length; 1 if all strings are equal.
    pub(super) likeness: f64,
    /// Per string: the average common length with the others, divided by the largest common length of the
    /// group (equation 3).
    pub(super) normalised: Vec<f64>,
}

/// Compares all strings of a group.
pub(super) fn common_tags(strings: &[&[Tag]]) -> CommonTagSequences {
    let n = strings.len();
    if n < 2 {
        return CommonTagSequences { likeness: 0.0, normalised: vec![0.0; n] };
    }
    // the distinct strings with their frequencies
    let mut kinds: Vec<(&[Tag], usize)> = Vec::new();
    let mut kind_of: FxHashMap<&[Tag], usize> = FxHashMap::default();
    let of: Vec<usize> = strings
        .iter()
        .map(|string| {
            let string = &string[..string.len().min(MAX_TAG_STRING_LENGTH)];
            let kind = *kind_of.entry(string).or_insert_with(|| {
                kinds.push((string, 0));
                kinds.len() - 1
            });
            kinds[kind].1 += 1;
            kind
        })
        .collect();
    let symbols = strings.iter().flat_map(|string| string.iter()).max().map_or(0, |&tag| tag as usize) + 1;
    let mut bits = BitRows::new(symbols);
    let k = kinds.len();
    let mut partners: Vec<usize> = (0..k).collect();
    if k > MAX_PAIRWISE_STRINGS {
        partners.sort_by_key(|&i| std::cmp::Reverse(kinds[i].1));
        partners.truncate(1);
    }
    // sums over the other strings, weighted by their frequencies
    let (mut sums, mut weights) = (vec![0.0; k], vec![0.0; k]);
    let (mut largest, mut likeness, mut pairs) = (0usize, 0.0, 0.0);
    for i in 0..k {
        for &j in &partners {
            let weight = (kinds[j].1 - usize::from(i == j)) as f64;
            if weight == 0.0 {
                continue;
            }
            let (a, b) = (kinds[i].0, kinds[j].0);
            let length = if i == j { a.len() } else { bits.common_length(a, b) };
            largest = largest.max(length);
            sums[i] += weight * length as f64;
            weights[i] += weight;
            let mean = (a.len() + b.len()) as f64 / 2.0;
            if mean > 0.0 {
                let both = kinds[i].1 as f64 * weight;
                likeness += both * length as f64 / mean;
                pairs += both;
            }
        }
    }
    let share = |kind: usize| {
        if weights[kind] > 0.0 { sums[kind] / weights[kind] / largest.max(1) as f64 } else { 1.0 }
    };
    CommonTagSequences {
        likeness: if pairs > 0.0 { likeness / pairs } else { 0.0 },
        normalised: of.into_iter().map(share).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::common_tags;

    #[test]
    fn equal_strings_have_everything_in_common() {
        let all = common_tags(&[&[1, 2, 3], &[1, 2, 3], &[1, 2, 3]]);
        assert!((all.likeness - 1.0).abs() < 1e-9);
        assert!(all.normalised.iter().all(|&x| (x - 1.0).abs() < 1e-9));
    }

    #[test]
    fn an_outlier_has_least_in_common() {
        let all = common_tags(&[&[1, 2, 3, 4], &[1, 2, 3, 4], &[1, 2, 4], &[9]]);
        assert!(all.normalised[3] < 0.1);
        assert!(all.normalised[0] > all.normalised[2]);
    }

    #[test]
    fn many_distinct_strings_are_compared_with_the_most_frequent_one() {
        let strings: Vec<Vec<u16>> =
            (0..200u16).map(|i| vec![1, 2, i + 10]).chain([vec![1, 2, 3], vec![1, 2, 3]]).collect();
        let strings: Vec<&[u16]> = strings.iter().map(Vec::as_slice).collect();
        let all = common_tags(&strings);
        assert!((all.likeness - 2.0 / 3.0).abs() < 0.02, "{}", all.likeness);
    }
}
