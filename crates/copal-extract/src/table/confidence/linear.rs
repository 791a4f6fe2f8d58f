//! A weighted sum of measures, made a probability.
//!
//! In: measures in the order of the table. Out: their sum (a logit), or the probability. The tables are in
//! [`super::weights`].

use crate::structure::measure::sigmoid;

/// A linear function of standardised measures.
pub(super) struct Linear {
    pub(super) bias: f64,
    pub(super) terms: &'static [Term],
}

/// The name of a measure, its mean, its deviation and its weight.
pub(super) type Term = (&'static str, f64, f64, f64);

/// Measures count up to this many deviations from their mean: what is odder than anything seen tells no more.
const MOST: f64 = 4.0;

impl Linear {
    pub(super) fn sum(&self, measures: &[(&'static str, f64)]) -> f64 {
        let parts = self.terms.iter().zip(measures).map(|(&(_, mean, deviation, weight), &(_, value))| {
            weight * ((value - mean) / deviation).clamp(-MOST, MOST)
        });
        self.bias + parts.sum::<f64>()
    }

    pub(super) fn probability(&self, measures: &[(&'static str, f64)]) -> f64 {
        probability(self.sum(measures))
    }
}

pub(super) fn probability(logit: f64) -> f64 {
    sigmoid(logit)
}

/// Of a probability; those next to 0 and 1 are bounded.
pub(super) fn logit(probability: f64) -> f64 {
    let p = probability.clamp(0.005, 0.995);
    (p / (1.0 - p)).ln()
}
