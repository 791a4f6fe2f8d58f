//! Weights of the probabilities of records, columns and cells, written by `make fit`; do not edit.

#![allow(clippy::unreadable_literal)]

use super::linear::ConfidenceModel;

/// Whether the boundaries of a record are right.
pub(super) static RECORD_WEIGHTS: ConfidenceModel = ConfidenceModel {
    bias: 2.39679,
    terms: &[
        ("region", 1.82753, 1.442286, 0.56016),
        ("likeness", -0.00160, 0.058944, 0.00000),
        ("longer", 0.11512, 0.413955, -0.02173),
        ("shorter", 0.09133, 0.197679, 0.00000),
        ("links", 0.04420, 0.086842, 0.00000),
        ("images", 0.03882, 0.138799, -0.06953),
        ("more_nodes", 0.03472, 0.162321, -0.32387),
        ("fewer_nodes", 0.02978, 0.090970, -0.15181),
        ("filled", 0.00049, 0.080592, 0.05860),
        ("first", 0.07373, 0.261333, -0.12968),
        ("last", 0.07360, 0.261120, -0.12965),
    ],
};

/// Whether the cells of a column are one field.
pub(super) static COLUMN_WEIGHTS: ConfidenceModel = ConfidenceModel {
    bias: 2.27900,
    terms: &[
        ("region", 1.86500, 1.425691, 0.01709),
        ("records", 3.11975, 0.838862, 0.05666),
        ("columns", 1.68299, 0.467914, -0.05448),
        ("support", 0.84999, 0.303103, 0.54230),
        ("rare", 0.11874, 0.323483, -0.31286),
        ("share", 0.27020, 0.279894, 0.36732),
        ("length", 3.32959, 1.150450, -0.10656),
        ("spread", 0.22190, 0.192865, -0.06489),
        ("distinct", 0.82870, 0.279237, 0.12097),
        ("typed", 0.21828, 0.413079, 0.16090),
    ],
};

/// Whether a cell of a right record is right.
pub(super) static CELL_WEIGHTS: ConfidenceModel = ConfidenceModel {
    bias: 1.93536,
    terms: &[
        ("column", 2.28439, 1.127570, 0.67675),
        ("length", 3.28961, 1.173003, 0.01446),
        ("longer", 0.06825, 0.175460, -0.04126),
        ("shorter", 0.09293, 0.241270, 0.00000),
        ("several", 0.00596, 0.076986, 0.01376),
        ("unlike_several", 0.00239, 0.034480, -0.05015),
        ("misfit", 0.00337, 0.057971, 0.00000),
        ("likeness", -0.01270, 0.070091, 0.28304),
        ("filled", 0.02046, 0.089929, 0.00000),
    ],
};
