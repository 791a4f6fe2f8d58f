//! Scores of candidates: a fixed formula, and a linear one that was fitted.
//!
//! In: [`Features`]. Out: a score (higher is better), and the probability that the best candidate is a main list at all.
//! The weights come from `make fit` (see [`super::weights`]); the fixed formula needs none.

use crate::lists::features::{Feature, Features, NAMES};
mod weights;

pub(super) use weights::RANK;

use crate::lists::combined::{Candidate, PROPOSERS};
use crate::structure::measure::sigmoid;
use copal_model::{Evidence, Role};
use std::str::FromStr;

/// Which score ranks the candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranker {
    /// A product of what speaks for a list, without learning.
    Fixed,
    /// A weighted sum; the weights were fitted on pages with gold.
    #[default]
    Linear,
}

impl FromStr for Ranker {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "fixed" => Ok(Ranker::Fixed),
            "linear" => Ok(Ranker::Linear),
            _ => Err(format!("no ranker {name:?}: expected fixed or linear")),
        }
    }
}

pub(super) fn score(features: &Features, ranker: Ranker) -> f64 {
    match ranker {
        Ranker::Fixed => fixed(features),
        Ranker::Linear => weights::RANK.of(features),
    }
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
pub(super) fn main_list(features: &Features) -> f64 {
    weights::MAIN_LIST.of(features)
}

/// The probability that a main list has the right borders.
pub(super) fn right(features: &Features) -> f64 {
    weights::RIGHT.of(features)
}

/// The probability that a region beside the main list is a list of records, no menu.
pub(super) fn list_of_records(features: &Features) -> f64 {
    weights::RECORDS.of(features)
}

/// Who proposed a candidate, how likely it is a main list, and the features that speak most for and against it.
pub(super) fn grounds(candidate: &Candidate, role: Role, confidence: f64) -> Vec<Evidence> {
    let names: Vec<&str> =
        (0..PROPOSERS.len()).filter(|i| candidate.proposed_by & 1 << i != 0).map(|i| PROPOSERS[i]).collect();
    let mut grounds = vec![Evidence::told(format!("proposed by {}", names.join(" and ")))];
    grounds.extend(candidate.changes.told().into_iter().map(Evidence::told));
    let what = if role == Role::Primary { "the main list" } else { "a list of records" };
    grounds.push(Evidence::told(format!("{what} with probability {confidence:.2}")));
    let mut parts: Vec<(f64, &str)> = weights::RANK.parts(&candidate.features).collect();
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let weighed =
        |&(weight, name): &(f64, &str)| Evidence { text: name.replace('_', " "), weight: Some(weight) };
    grounds.extend(parts.iter().take(TOLD).filter(|part| part.0 > 0.0).map(weighed));
    grounds.extend(parts.iter().rev().take(TOLD).filter(|part| part.0 < 0.0).map(weighed));
    grounds
}

/// Features that are told for and against a candidate.
const TOLD: usize = 3;

/// A boosted sum of small trees, made a probability.
pub(super) struct Trees {
    pub(super) bias: f64,
    /// Slope and shift that make it calibrated.
    pub(super) slope: f64,
    pub(super) shift: f64,
    pub(super) trees: &'static [Tree],
}

/// A feature and a threshold, and the same below it and above it with the values that are added.
pub(super) type Tree = (Feature, f64, Branch, Branch);
type Branch = (Feature, f64, f64, f64);

impl Trees {
    fn of(&self, features: &Features) -> f64 {
        let value = |&(feature, threshold, low, high): &Tree| {
            let branch = if features.get(feature) <= threshold { low } else { high };
            if features.get(branch.0) <= branch.1 { branch.2 } else { branch.3 }
        };
        let sum = self.bias + self.trees.iter().map(value).sum::<f64>();
        sigmoid(self.slope * sum + self.shift)
    }
}

/// A linear function of standardised features.
pub(super) struct Linear {
    pub(super) bias: f64,
    pub(super) terms: &'static [Term],
}

/// A feature with its mean, its deviation and its weight.
pub(super) type Term = (Feature, f64, f64, f64);

impl Linear {
    pub(super) fn of(&self, features: &Features) -> f64 {
        self.bias + self.parts(features).map(|(part, _)| part).sum::<f64>()
    }

    /// What each feature adds, and its name.
    fn parts(&self, features: &Features) -> impl Iterator<Item = (f64, &'static str)> {
        self.terms.iter().map(|&(feature, mean, deviation, weight)| {
            let z = ((features.get(feature) - mean) / deviation).clamp(-4.0, 4.0);
            (z * weight, NAMES[feature as usize])
        })
    }
}
