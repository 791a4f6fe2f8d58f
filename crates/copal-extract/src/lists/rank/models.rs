//! The two forms of fitted models: a linear sum and boosted trees.
//!
//! In: [`Features`]. Out: a score or a probability. O(terms) or O(trees). The tables are in `weights.rs`.

use crate::lists::features::vector::{FEATURE_NAMES, Feature, Features};
use crate::structure::measure::sigmoid;

/// A boosted sum of small trees, turned into a probability.
pub(super) struct TreeModel {
    pub(super) bias: f64,
    /// Slope and shift that calibrate the sum.
    pub(super) slope: f64,
    pub(super) shift: f64,
    pub(super) trees: &'static [Tree],
}

/// A feature and a threshold, with one branch below it and one above it.
pub(super) type Tree = (Feature, f64, Branch, Branch);
/// A feature and a threshold, with the values below it and above it.
type Branch = (Feature, f64, f64, f64);

impl TreeModel {
    /// The probability.
    pub(super) fn of(&self, features: &Features) -> f64 {
        let value = |&(feature, threshold, low, high): &Tree| {
            let branch = if features.get(feature) <= threshold { low } else { high };
            if features.get(branch.0) <= branch.1 { branch.2 } else { branch.3 }
        };
        let sum = self.bias + self.trees.iter().map(value).sum::<f64>();
        sigmoid(self.slope * sum + self.shift)
    }
}

/// Values further from the mean than this many deviations count as this far: what is odder than anything seen
/// tells no more.
const MAX_DEVIATIONS: f64 = 4.0;

/// A linear function of standardised features.
pub(super) struct LinearModel {
    pub(super) bias: f64,
    pub(super) terms: &'static [FeatureWeight],
}

/// A feature with its mean, its deviation and its weight.
pub(super) type FeatureWeight = (Feature, f64, f64, f64);

impl LinearModel {
    pub(super) fn of(&self, features: &Features) -> f64 {
        self.bias + self.parts(features).map(|(part, _)| part).sum::<f64>()
    }

    /// What each feature adds, and its name.
    pub(super) fn parts(&self, features: &Features) -> impl Iterator<Item = (f64, &'static str)> {
        self.terms.iter().map(|&(feature, mean, deviation, weight)| {
            let z = ((features.get(feature) - mean) / deviation).clamp(-MAX_DEVIATIONS, MAX_DEVIATIONS);
            (z * weight, FEATURE_NAMES[feature as usize])
        })
    }
}
