//! Weights of the decision between list and object, written by `research/fit/fit_kinds.py`; do not edit.

/// The number of features.
pub(super) const KIND_FEATURE_COUNT: usize = 18;
/// What is added to the weighted sum.
pub(super) const LIST_BIAS: f64 = -2.4408;
/// A weight per feature; positive ones speak for a list.
pub(super) const LIST_WEIGHTS: [f64; KIND_FEATURE_COUNT] = [
    2.1091, 0.5203, 2.8364, 1.8701, 0.6914, -3.6046, -0.9971, -0.6925, -0.7687, 0.1523, -0.4151, 0.9304,
    0.9937, -2.3383, -0.0944, -0.3775, 0.2620, -0.1893,
];
