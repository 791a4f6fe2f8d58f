//! Weights of the linear scores, written by `make fit`; do not edit.

use super::features::COUNT;
use super::rank::Linear;

/// How good a candidate is.
pub(super) static RANK: Linear =
    Linear { mean: [0.0; COUNT], deviation: [1.0; COUNT], weight: [0.0; COUNT], bias: 0.0 };

/// Whether the best candidate is a main list.
pub(super) static LIST: Linear =
    Linear { mean: [0.0; COUNT], deviation: [1.0; COUNT], weight: [0.0; COUNT], bias: 4.0 };
