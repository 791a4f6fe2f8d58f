//! Candidates inside candidates: is a record a section with records in it?
//!
//! In: the candidates of a page with their features. Out: for each candidate, how many more records the
//! finest other candidate has that divides all of its records and keeps most of its text, and how much more
//! alike those records are. O(candidates² + records of those that are nested).

use super::overlap::NodeSpans;
use super::vector::{Feature, Features};
use crate::lists::candidate::ListCandidate;
use copal_dom::Page;

/// Least share of the coarse records' text that finer records have.
const MIN_FINER_SHARE: f64 = 0.5;
/// Finer parts with fewer leaves (as the feature has them) or less varied heads are fields, not records.
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
