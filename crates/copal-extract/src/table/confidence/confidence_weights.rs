//! Weights of the probabilities of records, columns and cells, written by `make fit`; do not edit.

#![allow(clippy::unreadable_literal)]

use super::linear::ConfidenceModel;

/// Whether the boundaries of a record are right.
pub(super) static RECORD_WEIGHTS: ConfidenceModel = ConfidenceModel {
    bias: 2.43867,
    terms: &[
        ("region", 1.84670, 1.407325, 0.54982),
        ("likeness", -0.00161, 0.058273, 0.00242),
        ("longer", 0.11380, 0.413924, -0.03033),
        ("shorter", 0.09087, 0.196148, 0.00000),
        ("links", 0.04444, 0.085233, -0.01530),
        ("images", 0.03907, 0.139202, -0.08068),
        ("more_nodes", 0.03412, 0.161531, -0.30133),
        ("fewer_nodes", 0.03043, 0.093605, -0.21614),
        ("filled", 0.00050, 0.080926, 0.00000),
        ("first", 0.07453, 0.262636, -0.15475),
        ("last", 0.07440, 0.262422, -0.12671),
    ],
};

/// Whether the cells of a column are one field.
pub(super) static COLUMN_WEIGHTS: ConfidenceModel = ConfidenceModel {
    bias: 2.26718,
    terms: &[
        ("region", 1.92472, 1.377030, 0.05425),
        ("records", 3.12534, 0.839687, 0.06306),
        ("columns", 1.68752, 0.466876, -0.05004),
        ("support", 0.85154, 0.302194, 0.56142),
        ("rare", 0.11966, 0.324565, -0.30006),
        ("share", 0.26844, 0.280203, 0.36634),
        ("length", 3.32448, 1.152701, -0.11359),
        ("spread", 0.22076, 0.193152, -0.06945),
        ("distinct", 0.82815, 0.280109, 0.12283),
        ("typed", 0.21997, 0.414228, 0.15918),
    ],
};

/// Whether a cell of a right record is right.
pub(super) static CELL_WEIGHTS: ConfidenceModel = ConfidenceModel {
    bias: 1.92667,
    terms: &[
        ("column", 2.27635, 1.125199, 0.68159),
        ("length", 3.28479, 1.174867, 0.00870),
        ("longer", 0.06776, 0.174946, -0.04749),
        ("shorter", 0.09238, 0.240313, 0.00000),
        ("several", 0.00601, 0.077282, 0.01465),
        ("unlike_several", 0.00241, 0.034613, -0.05027),
        ("misfit", 0.00340, 0.058194, 0.00000),
        ("likeness", -0.01248, 0.070136, 0.28507),
        ("filled", 0.01971, 0.088779, 0.00000),
    ],
};
