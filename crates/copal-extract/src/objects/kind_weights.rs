//! Weights of the decisions between list and object and between object and nothing, written by `make fit`; do not
//! edit.

/// What is added to the weighted sum.
pub(super) const LIST_BIAS: f64 = 0.1196;
/// A weight per feature; positive ones speak for a list.
pub(super) const LIST_WEIGHTS: [f64; 14] = [
    0.8911, 1.2027, 0.0185, -3.4442, -1.1212, -0.5535, -0.5359, 0.2258, -0.0682, 1.0668, -1.5330, 0.3641,
    0.0078, -0.7260,
];
/// What is added to the weighted sum.
pub(super) const OBJECT_BIAS: f64 = -0.9927;
/// A weight per feature; positive ones speak for an object.
pub(super) const OBJECT_WEIGHTS: [f64; 11] =
    [1.2295, -0.0166, 2.9247, 0.0431, -1.5839, -3.4047, 1.7086, 1.5012, -0.3667, -0.0800, 1.4185];
