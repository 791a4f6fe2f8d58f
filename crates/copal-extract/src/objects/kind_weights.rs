//! Weights of the page kinds, written by `research/fit/fit_kinds.py`; do not edit.

use super::page_kind::KIND_FEATURE_COUNT;
use copal_model::PageKind;

/// Per kind: the bias, and a weight per feature.
pub(super) const KIND_WEIGHTS: [(PageKind, f64, [f64; KIND_FEATURE_COUNT]); 3] = [
    (
        PageKind::List,
        -2.4265,
        [
            -0.8412, 3.3107, 1.8616, 1.4400, -0.3148, -1.1587, -0.0648, -0.4402, 0.1114, -0.0010, -0.1355,
            0.3529, 0.5651, -1.1153, 0.4809, 0.1345, 0.0071, -0.4291,
        ],
    ),
    (
        PageKind::Object,
        0.3268,
        [
            -0.4817, -2.1279, -0.1189, -0.0646, 0.1711, 2.6824, 0.8759, 0.8353, 1.6205, -0.0335, -0.3335,
            -1.0737, -1.6017, 2.0505, 0.4979, 0.2130, 0.0306, -0.3147,
        ],
    ),
    (
        PageKind::Nothing,
        2.0996,
        [
            1.3229, -1.1828, -1.7427, -1.3754, 0.1437, -1.5237, -0.8110, -0.3951, -1.7319, 0.0345, 0.4690,
            0.7208, 1.0366, -0.9353, -0.9788, -0.3475, -0.0377, 0.7438,
        ],
    ),
];
