//! Weights of the decision between list and object, written by `research/fit/fit_kinds.py`; do not edit.

/// The number of features.
pub(super) const KIND_FEATURE_COUNT: usize = 18;
/// What is added to the weighted sum.
pub(super) const LIST_BIAS: f64 = -2.4292;
/// A weight per feature; positive ones speak for a list.
pub(super) const LIST_WEIGHTS: [f64; KIND_FEATURE_COUNT] = [
    2.2039, 0.5869, 2.9095, 1.9061, 0.5313, -3.5336, -1.0316, -0.7977, -0.6030, 0.1345, -0.3696, 0.8616,
    0.9369, -1.9617, -0.1457, -0.3736, 0.1839, -0.1834,
];
