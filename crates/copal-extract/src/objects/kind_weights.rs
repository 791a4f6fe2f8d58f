//! Weights of the decision between list and object, written by `make fit`; do not edit.

/// The number of features.
pub(super) const KIND_FEATURE_COUNT: usize = 14;
/// What is added to the weighted sum.
pub(super) const LIST_BIAS: f64 = 0.1196;
/// A weight per feature; positive ones speak for a list.
pub(super) const LIST_WEIGHTS: [f64; KIND_FEATURE_COUNT] = [
    0.8911, 1.2027, 0.0185, -3.4442, -1.1212, -0.5535, -0.5359, 0.2258, -0.0682, 1.0668, -1.5330, 0.3641,
    0.0078, -0.7260,
];
