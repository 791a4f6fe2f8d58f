//! Weights of the decision between list and object, written by `research/fit/fit_kinds.py`; do not edit.

/// The number of features.
pub(super) const KIND_FEATURE_COUNT: usize = 18;
/// What is added to the weighted sum.
pub(super) const LIST_BIAS: f64 = -2.2076;
/// A weight per feature; positive ones speak for a list.
pub(super) const LIST_WEIGHTS: [f64; KIND_FEATURE_COUNT] = [
    1.9723, 0.4862, 2.6191, 1.8625, 1.1133, -3.6601, -0.8739, -0.5617, -0.7368, 0.1212, -0.5554, 0.9437,
    1.0023, -2.3301, -0.1715, -0.3782, 0.2226, 0.5406,
];
