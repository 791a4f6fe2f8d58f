//! Weights of the probabilities of records, columns and cells, written by `make fit`; do not edit.

#![allow(clippy::unreadable_literal)]

use super::linear::ConfidenceModel;

/// Whether the boundaries of a record are right.
pub(super) static RECORD_WEIGHTS: ConfidenceModel = ConfidenceModel {
    bias: 2.64293,
    terms: &[
        ("region", 1.90136, 1.404564, 0.53100),
        ("likeness", -0.00207, 0.056974, 0.00548),
        ("longer", 0.10744, 0.382318, -0.02667),
        ("shorter", 0.09028, 0.194461, 0.00000),
        ("links", 0.04527, 0.088143, 0.00000),
        ("images", 0.04028, 0.141175, -0.09112),
        ("more_nodes", 0.03303, 0.158058, -0.37326),
        ("fewer_nodes", 0.02974, 0.090435, -0.21799),
        ("filled", 0.00018, 0.081614, 0.01005),
        ("first", 0.06992, 0.255020, -0.15120),
        ("last", 0.06982, 0.254841, -0.10613),
    ],
};

/// Whether the cells of a column are one field.
pub(super) static COLUMN_WEIGHTS: ConfidenceModel = ConfidenceModel {
    bias: 2.28466,
    terms: &[
        ("region", 1.87219, 1.426370, 0.02239),
        ("records", 3.11345, 0.839043, 0.05871),
        ("columns", 1.68356, 0.469679, -0.04952),
        ("support", 0.85243, 0.300887, 0.52871),
        ("rare", 0.11578, 0.319967, -0.32188),
        ("share", 0.27156, 0.280317, 0.36030),
        ("length", 3.33527, 1.149200, -0.09239),
        ("spread", 0.22216, 0.192672, -0.07009),
        ("distinct", 0.83103, 0.277565, 0.14509),
        ("typed", 0.21997, 0.414228, 0.16255),
    ],
};

/// Whether a cell of a right record is right.
pub(super) static CELL_WEIGHTS: ConfidenceModel = ConfidenceModel {
    bias: 1.94072,
    terms: &[
        ("column", 2.29356, 1.123121, 0.66683),
        ("length", 3.29530, 1.171784, 0.02444),
        ("longer", 0.06845, 0.175801, -0.04471),
        ("shorter", 0.09282, 0.241009, 0.00000),
        ("several", 0.00601, 0.077282, 0.01269),
        ("unlike_several", 0.00241, 0.034613, -0.05045),
        ("misfit", 0.00340, 0.058194, 0.00000),
        ("likeness", -0.01280, 0.070353, 0.28705),
        ("filled", 0.02032, 0.089479, 0.00000),
    ],
};
