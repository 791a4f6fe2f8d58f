//! Weights of the decision between list and object, written by `research/fit/fit_kinds.py`; do not edit.

/// The number of features.
pub(super) const KIND_FEATURE_COUNT: usize = 18;
/// What is added to the weighted sum.
pub(super) const LIST_BIAS: f64 = -2.7783;
/// A weight per feature; positive ones speak for a list.
pub(super) const LIST_WEIGHTS: [f64; KIND_FEATURE_COUNT] = [
    2.7237, 1.9049, 1.7875, 1.5690, -0.1263, -3.4239, -1.3256, -1.1287, -0.9183, 0.0801, 0.3813, 1.0241,
    1.0201, -2.3934, 0.0239, -0.0861, 0.3936, -0.2269,
];
