//! Weights of the page kinds, written by `research/fit/fit_kinds.py`; do not edit.

use super::page_kind::KIND_FEATURE_COUNT;
use copal_model::PageKind;

/// Per kind: the bias, and a weight per feature.
pub(super) const KIND_WEIGHTS: [(PageKind, f64, [f64; KIND_FEATURE_COUNT]); 3] = [
    (
        PageKind::List,
        -1.3934,
        [
            -0.2943, 2.9357, 1.5290, 1.1919, -0.3264, -1.2184, -0.0528, -0.2788, 0.2333, 0.2673, -0.5512,
            0.3295, 0.0740, -1.0151, 0.3805, -0.4989, 0.0600, -0.3621,
        ],
    ),
    (
        PageKind::Object,
        0.7583,
        [
            -0.1494, -1.8134, -0.3761, 0.0052, -0.3053, 2.3106, 0.8444, 0.8697, 1.6031, -0.0349, -0.5357,
            -0.6207, -1.7448, 1.8705, 0.6865, -0.0245, 0.0349, -0.2193,
        ],
    ),
    (
        PageKind::Nothing,
        0.6352,
        [
            0.4437, -1.1223, -1.1529, -1.1971, 0.6317, -1.0923, -0.7917, -0.5909, -1.8364, -0.2324, 1.0869,
            0.2912, 1.6708, -0.8554, -1.0669, 0.5234, -0.0949, 0.5813,
        ],
    ),
];
