//! Candidates inside candidates: is a record a section with records in it?
//!
//! In: the candidates of a page with their features. Out: seven features of each candidate. A finer candidate
//! has more records, each inside a record of this one and at least one in every record, and keeps at least
//! half of the text. `Finer` says how many times more records the finest one has (as a logarithm), and
//! `FinerLikeness` how much more alike the records of the most regular one are; `Coarser` and
//! `CoarserLikeness` are the same seen from the finer one. Of two candidates with as many records, one inside
//! the other, `PartOfRecords` is the share of the text that the inner one lacks, and `WiderRecords` the share
//! that the outer one has more. `InsideRecord` says how alike the records of a list are that has all of this
//! one in a single record: a row of similar things inside a record. O(candidates² + records of those that are nested).

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

/// Fewest records of a list that another list can be inside a record of. Two elements that are alike may be
/// the halves of a page.
const MIN_OUTER_RECORDS: usize = 3;

pub(crate) fn add(page: &Page, candidates: &[&ListCandidate], features: &mut [Features]) {
    let spans: Vec<NodeSpans> = candidates.iter().map(|found| NodeSpans::of(found)).collect();
    let chars: Vec<f64> = spans.iter().map(|spans| spans.chars(page)).collect();
    let mut nested = vec![NestingFacts::default(); candidates.len()];
    for coarse in 0..candidates.len() {
        for fine in 0..candidates.len() {
            if candidates[coarse].records.len() >= MIN_OUTER_RECORDS
                && spans[fine].are_inside_one(&spans[coarse])
            {
                let likeness = features[coarse].get(Feature::Likeness);
                nested[fine].inside = nested[fine].inside.max(likeness);
                continue;
            }
            let (few, many) = (candidates[coarse].records.len(), candidates[fine].records.len());
            let share = chars[fine] / chars[coarse].max(1.0);
            if fine == coarse || many < few || share > 1.0 || !spans[fine].divide(&spans[coarse]) {
                continue;
            }
            if many == few {
                nested[fine].part = nested[fine].part.max(1.0 - share);
                nested[coarse].wider = nested[coarse].wider.max(1.0 - share);
                continue;
            }
            if share < MIN_FINER_SHARE {
                continue;
            }
            let times = (many as f64 / few as f64).ln();
            let alike = features[fine].get(Feature::Likeness) - features[coarse].get(Feature::Likeness);
            nested[coarse].finer = nested[coarse].finer.max(times);
            nested[fine].coarser = nested[fine].coarser.max(times);
            nested[fine].coarser_alike = nested[fine].coarser_alike.max(-alike);
            let f = |feature| features[fine].get(feature);
            if f(Feature::Leaves) >= MIN_FINER_LEAVES && f(Feature::HeadDiversity) >= MIN_FINER_HEADS {
                nested[coarse].finer_alike = nested[coarse].finer_alike.max(alike);
            }
        }
    }
    for (features, nested) in features.iter_mut().zip(nested) {
        features.set(Feature::Finer, nested.finer);
        features.set(Feature::FinerLikeness, nested.finer_alike);
        features.set(Feature::Coarser, nested.coarser);
        features.set(Feature::CoarserLikeness, nested.coarser_alike);
        features.set(Feature::PartOfRecords, nested.part);
        features.set(Feature::WiderRecords, nested.wider);
        features.set(Feature::InsideRecord, nested.inside);
    }
}

/// What the candidates inside and around a candidate say about it.
#[derive(Clone, Default)]
struct NestingFacts {
    finer: f64,
    finer_alike: f64,
    coarser: f64,
    coarser_alike: f64,
    part: f64,
    wider: f64,
    inside: f64,
}
