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
pub(super) const OBJECT_BIAS: f64 = -0.8209;
/// A weight per feature; positive ones speak for an object.
pub(super) const OBJECT_WEIGHTS: [f64; 11] =
    [1.2119, -0.0433, 2.9139, 0.0377, -1.3847, -3.8744, 1.5357, 1.3722, -0.3447, 0.2132, 1.2682];
