//! Weights of the decision between list and object, written by `research/fit/fit_kinds.py`; do not edit.

/// The number of features.
pub(super) const KIND_FEATURE_COUNT: usize = 18;
/// What is added to the weighted sum.
pub(super) const LIST_BIAS: f64 = -2.1267;
/// A weight per feature; positive ones speak for a list.
pub(super) const LIST_WEIGHTS: [f64; KIND_FEATURE_COUNT] = [
    0.7229, 3.3522, 1.8148, 1.0168, 0.3879, -3.4655, -0.6212, -0.9481, -0.7784, 0.1279, 0.0337, 1.2414,
    1.0634, -2.1272, -0.1895, -0.3571, 0.3235, -0.0731,
];
