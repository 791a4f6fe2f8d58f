//! Candidates inside of candidates: is a record a section with records in it?
//!
//! In: the candidates of a page. Out: for each the best of the others that cut all of its records into more and finer ones
//! with most of its text: how many more, and how much more alike those are. O(candidates² + records of those
//! that are nested).

use super::Feature;
use super::overlap::Spans;
use crate::lists::combined::Candidate;
use copal_dom::Page;

/// Least share of the coarse records' text that finer records have.
const SHARE: f64 = 0.5;
/// Least leaves (as the feature has them) and variety of the heads of finer ones that may be records themselves, no fields.
const LEAVES: f64 = 1.1;
const HEADS: f64 = 0.8;

pub(crate) fn add(page: &Page, all: &mut [Candidate]) {
    let spans: Vec<Spans> = all.iter().map(|one| Spans::of(&one.found)).collect();
    let chars: Vec<f64> = spans.iter().map(|spans| spans.chars(page)).collect();
    for coarse in 0..all.len() {
        let (mut finer, mut alike) = (0.0f64, 0.0f64);
        let likeness = |i: usize| all[i].features.get(Feature::Likeness);
        for fine in 0..all.len() {
            let (few, many) = (all[coarse].found.records.len(), all[fine].found.records.len());
            let share = chars[fine] / chars[coarse].max(1.0);
            if many <= few || !(SHARE..=1.0).contains(&share) || !spans[fine].divide(&spans[coarse]) {
                continue;
            }
            finer = finer.max((many as f64 / few as f64).ln());
            let f = |feature| all[fine].features.get(feature);
            if f(Feature::Leaves) >= LEAVES && f(Feature::HeadDiversity) >= HEADS {
                alike = alike.max(likeness(fine) - likeness(coarse));
            }
        }
        all[coarse].features.set(Feature::Finer, finer);
        all[coarse].features.set(Feature::FinerLikeness, alike);
    }
}
