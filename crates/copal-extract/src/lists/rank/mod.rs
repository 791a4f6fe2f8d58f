//! Scores of candidates: a fixed formula, and a linear one that was fitted.
//!
//! In: [`Features`]. Out: a score (higher is better), and the probability that the best candidate is a main
//! list at all. The weights come from `make fit` (see `weights.rs`); the fixed formula needs none.
//! O(features).

mod models;
mod weights;

use crate::lists::boundaries::BoundaryChanges;
use crate::lists::candidate::Proposers;
use crate::lists::features::vector::{Feature, Features};
use copal_model::{Evidence, Role};
use std::fmt;
use std::str::FromStr;

/// Which score ranks the candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranker {
    /// A product of what speaks for a list, without learned weights.
    Fixed,
    /// A weighted sum; the weights were fitted on annotated pages.
    #[default]
    Linear,
}

impl FromStr for Ranker {
    type Err = UnknownRanker;

    fn from_str(name: &str) -> Result<Self, UnknownRanker> {
        match name {
            "fixed" => Ok(Ranker::Fixed),
            "linear" => Ok(Ranker::Linear),
            _ => Err(UnknownRanker(name.to_owned())),
        }
    }
}

impl fmt::Display for Ranker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ranker::Fixed => "fixed",
            Ranker::Linear => "linear",
        })
    }
}

/// No ranker has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown ranker {0:?}: expected fixed or linear")]
pub struct UnknownRanker(String);

pub(super) fn score(features: &Features, ranker: Ranker) -> f64 {
    match ranker {
        Ranker::Fixed => fixed(features),
        Ranker::Linear => linear_score(features),
    }
}

/// The fitted score, whichever ranker is in use.
pub(super) fn linear_score(features: &Features) -> f64 {
    weights::RANK.of(features)
}

fn fixed(features: &Features) -> f64 {
    use Feature::{
        Coverage, CvText, Empty, Fonts, HeadDiversity, InNavigation, Likeness, LinkDensity, LinkDiversity,
        Records,
    };
    let f = |feature| features.get(feature);
    f(Coverage).powf(0.7)
        * f(Records)
        * (0.2 + f(Likeness))
        * (0.3 + f(Fonts).min(1.0))
        * (0.3 + f(LinkDiversity))
        * (0.2 + f(HeadDiversity))
        * (1.0 - 0.7 * f(InNavigation))
        * (1.0 - f(Empty))
        * (1.2 - f(LinkDensity))
        / (1.0 + 0.5 * f(CvText))
}

/// The probability that a page's best region is its main list.
pub(super) fn main_list_probability(features: &Features) -> f64 {
    weights::MAIN_LIST.of(features)
}

/// The probability that a main list has the right boundaries.
pub(super) fn boundary_probability(features: &Features) -> f64 {
    weights::RIGHT.of(features)
}

/// The probability that a region other than the main list is a list of records, not a menu.
pub(super) fn records_probability(features: &Features) -> f64 {
    weights::RECORDS.of(features)
}

/// Features that are reported for and against a candidate, each.
const MAX_REPORTED_FEATURES: usize = 3;

/// The proposers of a candidate, how it was changed, how likely its role is right, and the features that
/// speak most for and against it.
pub(super) fn evidence(
    proposers: Proposers,
    changes: BoundaryChanges,
    features: &Features,
    (role, confidence): (Role, f64),
) -> Vec<Evidence> {
    let names: Vec<&str> = proposers.names().collect();
    let mut evidence = vec![Evidence::stated(format!("proposed by {}", names.join(" and ")))];
    evidence.extend(changes.in_words().into_iter().map(Evidence::stated));
    let what = if role.is_main() { "the main list" } else { "a list of records" };
    evidence.push(Evidence::stated(format!("{what} with probability {confidence:.2}")));
    let mut parts: Vec<(f64, &str)> = weights::RANK.parts(features).collect();
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let weighed =
        |&(weight, name): &(f64, &str)| Evidence { text: name.replace('_', " "), weight: Some(weight) };
    let reported = parts.iter().take(MAX_REPORTED_FEATURES);
    evidence.extend(reported.filter(|part| part.0 > 0.0).map(weighed));
    let reported = parts.iter().rev().take(MAX_REPORTED_FEATURES);
    evidence.extend(reported.filter(|part| part.0 < 0.0).map(weighed));
    evidence
}
