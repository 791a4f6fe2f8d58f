//! A weighted sum of measures, converted to a probability.
//!
//! In: measures in the order of the model. Out: their sum (a logit), or the probability. The models are in
//! `confidence_weights`.

use crate::structure::measure::sigmoid;

/// A linear function of standardised measures.
pub(super) struct ConfidenceModel {
    pub(super) bias: f64,
    pub(super) terms: &'static [MeasureWeight],
}

/// The name of a measure, its mean, its standard deviation and its weight.
pub(super) type MeasureWeight = (&'static str, f64, f64, f64);

/// Measures are clamped to this many standard deviations: a value beyond anything seen in fitting must not
/// dominate the sum.
const MAX_MEASURE_DEVIATIONS: f64 = 4.0;

impl ConfidenceModel {
    pub(super) fn sum(&self, measures: &[(&'static str, f64)]) -> f64 {
        let parts = self.terms.iter().zip(measures).map(|(&(_, mean, deviation, weight), &(_, value))| {
            weight * ((value - mean) / deviation).clamp(-MAX_MEASURE_DEVIATIONS, MAX_MEASURE_DEVIATIONS)
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

/// The logit of a probability. Probabilities close to 0 and 1 are clamped to keep it finite.
pub(super) fn logit(probability: f64) -> f64 {
    let p = probability.clamp(0.005, 0.995);
    (p / (1.0 - p)).ln()
}
