//! Weights of the probabilities of records, columns and cells, written by `make fit`; do not edit.

#![allow(clippy::unreadable_literal)]

use super::linear::ConfidenceModel;

/// Whether the boundaries of a record are right.
pub(super) static RECORD_WEIGHTS: ConfidenceModel = ConfidenceModel {
    bias: 2.39627,
    terms: &[
        ("region", 1.59641, 1.302369, 0.51875),
        ("likeness", 0.00001, 0.053902, 0.03471),
        ("longer", 0.09091, 0.229574, -0.05181),
        ("shorter", 0.09483, 0.200799, -0.02467),
        ("links", 0.04367, 0.082230, -0.02950),
        ("images", 0.04079, 0.138125, -0.08616),
        ("more_nodes", 0.03238, 0.121760, -0.22044),
        ("fewer_nodes", 0.03253, 0.113551, -0.08778),
        ("filled", 0.00095, 0.080654, 0.02465),
        ("first", 0.07492, 0.263263, -0.07265),
        ("last", 0.07645, 0.265714, -0.02596),
    ],
};

/// Whether the cells of a column are one field.
pub(super) static COLUMN_WEIGHTS: ConfidenceModel = ConfidenceModel {
    bias: 2.45352,
    terms: &[
        ("region", 1.65937, 1.116497, 0.00000),
        ("records", 2.94429, 0.628496, 0.09704),
        ("columns", 1.68664, 0.495350, -0.08036),
        ("support", 0.84346, 0.303262, 0.44847),
        ("rare", 0.11709, 0.321533, -0.24177),
        ("share", 0.27329, 0.280178, 0.24459),
        ("length", 3.36793, 1.112963, 0.11964),
        ("spread", 0.23477, 0.196989, 0.19703),
        ("distinct", 0.83955, 0.264412, -0.04122),
        ("typed", 0.20596, 0.404404, 0.11002),
    ],
};

/// Whether a cell of a right record is right.
pub(super) static CELL_WEIGHTS: ConfidenceModel = ConfidenceModel {
    bias: 1.98434,
    terms: &[
        ("column", 2.46797, 1.039997, 0.50009),
        ("length", 3.32638, 1.142116, 0.05279),
        ("longer", 0.07335, 0.187980, -0.06210),
        ("shorter", 0.09655, 0.219676, 0.00000),
        ("several", 0.00747, 0.086119, 0.04370),
        ("unlike_several", 0.00341, 0.041173, -0.03759),
        ("misfit", 0.00325, 0.056939, 0.00000),
        ("likeness", -0.01001, 0.064785, 0.27182),
        ("filled", 0.02264, 0.091030, 0.00000),
    ],
};
