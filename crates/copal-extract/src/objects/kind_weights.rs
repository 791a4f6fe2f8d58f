//! Weights of the decision between list and object, written by `research/fit/fit_kinds.py`; do not edit.

/// The number of features.
pub(super) const KIND_FEATURE_COUNT: usize = 18;
/// What is added to the weighted sum.
pub(super) const LIST_BIAS: f64 = -2.1291;
/// A weight per feature; positive ones speak for a list.
pub(super) const LIST_WEIGHTS: [f64; KIND_FEATURE_COUNT] = [
    0.7137, 3.2242, 1.7917, 1.0320, 0.3893, -3.4407, -0.7196, -0.8291, -0.7867, 0.1217, 0.0355, 1.2304,
    1.0560, -2.2043, -0.1820, -0.3397, 0.3337, -0.0816,
];
