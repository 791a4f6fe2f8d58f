//! Scores of candidates: a fixed formula, and a linear one that was fitted.
//!
//! In: [`Features`]. Out: a score (higher is better), and the probability that the best candidate is a main list at all.
//! The weights come from `make fit` (see [`super::weights`]); the fixed formula needs none.

use super::features::{Features, NAMES};
use super::{Candidate, PROPOSERS, weights};
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

fn fixed(f: &Features) -> f64 {
    let (records, coverage, cv, links) = (f[0], f[1], f[3], f[4]);
    let (likeness, fonts, heads, hrefs, navigation, empty) = (f[5], f[8], f[9], f[11], f[13], f[14]);
    coverage.powf(0.7)
        * records
        * (0.2 + likeness)
        * (0.3 + fonts.min(1.0))
        * (0.3 + hrefs)
        * (0.2 + heads)
        * (1.0 - 0.7 * navigation)
        * (1.0 - empty)
        * (1.2 - links)
        / (1.0 + 0.5 * cv)
}

/// The probability that a page whose best candidate has these features has a main list.
pub(super) fn probability(features: &Features) -> f64 {
    1.0 / (1.0 + (-weights::LIST.of(features)).exp())
}

/// Who proposed a candidate, how likely it is a main list, and the features that speak most for and against it.
pub(super) fn grounds(candidate: &Candidate) -> String {
    let names: Vec<&str> =
        (0..PROPOSERS.len()).filter(|i| candidate.proposed_by & 1 << i != 0).map(|i| PROPOSERS[i]).collect();
    let mut parts: Vec<(f64, &str)> = weights::RANK.parts(&candidate.features).zip(NAMES).collect();
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let say = |parts: &mut dyn Iterator<Item = &(f64, &str)>| {
        parts.map(|(value, name)| format!("{name} {value:+.2}")).collect::<Vec<_>>().join(", ")
    };
    let most_for = say(&mut parts.iter().take(3).filter(|part| part.0 > 0.0));
    let most_against = say(&mut parts.iter().rev().take(3).filter(|part| part.0 < 0.0));
    format!(
        "proposed by {}, main list with probability {:.2}, for: {most_for}, against: {most_against}",
        names.join(" and "),
        probability(&candidate.features)
    )
}

/// A linear function of standardised features.
pub(super) struct Linear {
    pub(super) mean: Features,
    pub(super) deviation: Features,
    pub(super) weight: Features,
    pub(super) bias: f64,
}

impl Linear {
    fn of(&self, features: &Features) -> f64 {
        self.bias + self.parts(features).sum::<f64>()
    }

    /// What each feature adds.
    fn parts(&self, features: &Features) -> impl Iterator<Item = f64> {
        let standardised = features.iter().zip(&self.mean).zip(&self.deviation);
        let z = standardised.map(|((value, mean), deviation)| ((value - mean) / deviation).clamp(-4.0, 4.0));
        z.zip(&self.weight).map(|(z, weight)| z * weight)
    }
}
