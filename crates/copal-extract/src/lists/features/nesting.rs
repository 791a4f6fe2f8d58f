//! Candidates inside candidates: is a record a section with records in it?
//!
//! In: the candidates of a page with their features. Out: two features of each candidate. A finer candidate
//! has more records, each inside a record of this one and at least one in every record, and keeps at least
//! half of the text. `Finer` says how many times more records the finest one has (as a logarithm), and
//! `FinerLikeness` how much more alike the records of the most regular one are. O(candidates² + records of
//! those that are nested).

use super::overlap::NodeSpans;
use super::vector::{Feature, Features};
use crate::lists::candidate::ListCandidate;
use copal_dom::Page;

/// Minimum share of the coarse records' text that the finer records must contain.
const MIN_FINER_SHARE: f64 = 0.5;
/// A finer candidate with a lower [`Feature::Leaves`] consists of fields, not of records. The feature is a
/// logarithm: 1.1 means about two leaves per record.
const MIN_FINER_LEAVES: f64 = 1.1;
/// The same for [`Feature::HeadDiversity`].
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
