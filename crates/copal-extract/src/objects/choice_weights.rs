//! Weights of the choice between field candidates, written by `research/fit/fit_fields.py`; do not edit.

/// The number of features.
pub(super) const CHOICE_FEATURE_COUNT: usize = 38;
/// A weight per feature.
pub(super) const CHOICE_WEIGHTS: [f64; CHOICE_FEATURE_COUNT] = [
    1.070, 1.030, 0.921, 0.976, 0.864, 0.905, 0.851, -2.500, -0.820, 0.282, -1.215, -1.197, 1.227, 1.012,
    1.211, 0.406, 0.588, 0.553, 1.820, 3.486, 0.928, 0.675, -0.800, -0.330, 0.422, -1.003, -1.574, -2.472,
    -0.761, -0.506, -1.994, -2.441, 0.567, 0.395, -0.157, 0.508, 0.120, 0.096,
];
