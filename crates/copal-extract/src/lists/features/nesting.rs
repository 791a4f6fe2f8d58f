//! Candidates inside candidates: is a record a section with records in it?
//!
//! In: the candidates of a page with their features. Out: two features of each candidate. They compare it
//! with the candidates that split each of its records into smaller ones and keep at least half of its text:
//! how many times more records the finest of them has, and how much more alike the records of the most
//! regular one are. O(candidates² + records of those that are nested).

use super::overlap::NodeSpans;
use super::vector::{Feature, Features};
use crate::lists::candidate::ListCandidate;
use copal_dom::Page;

/// Minimum share of the coarse records' text that the finer records must contain.
const MIN_FINER_SHARE: f64 = 0.5;
/// Finer candidates with lower values of these two features ([`Feature::Leaves`] and
/// [`Feature::HeadDiversity`]) consist of fields, not of records.
const MIN_FINER_LEAVES: f64 = 1.1;
const MIN_FINER_HEADS: f64 = 0.8;

pub(crate) fn add(page: &Page, candidates: &[&ListCandidate], features: &mut [Features]) {
    let spans: Vec<NodeSpans> = candidates.iter().map(|found| NodeSpans::of(found)).collect();
    let chars: Vec<f64> = spans.iter().map(|spans| spans.chars(page)).collect();
    for coarse in 0..candidates.len() {
        let (mut finer, mut alike) = (0.0f64, 0.0f64);
        let likeness = |i: usize| features[i].get(Feature::Likeness);
        for fine in 0..candidates.len() {
            let (few, many) = (candidates[coarse].records.len(), candidates[fine].records.len());
            let share = chars[fine] / chars[coarse].max(1.0);
            if many <= few || !(MIN_FINER_SHARE..=1.0).contains(&share) || !spans[fine].divide(&spans[coarse])
            {
                continue;
            }
            finer = finer.max((many as f64 / few as f64).ln());
            let f = |feature| features[fine].get(feature);
            if f(Feature::Leaves) >= MIN_FINER_LEAVES && f(Feature::HeadDiversity) >= MIN_FINER_HEADS {
                alike = alike.max(likeness(fine) - likeness(coarse));
            }
        }
        features[coarse].set(Feature::Finer, finer);
        features[coarse].set(Feature::FinerLikeness, alike);
    }
}
