//! Weights of the probabilities of records, columns and cells, written by `make fit`; do not edit.

#![allow(clippy::unreadable_literal)]

use super::linear::ConfidenceModel;

/// Whether the boundaries of a record are right.
pub(super) static RECORD_WEIGHTS: ConfidenceModel = ConfidenceModel {
    bias: 2.56400,
    terms: &[
        ("region", 1.87412, 1.398299, 0.50901),
        ("likeness", -0.00164, 0.058309, 0.01921),
        ("longer", 0.11495, 0.416854, -0.07220),
        ("shorter", 0.09087, 0.196801, 0.00000),
        ("links", 0.04456, 0.085531, -0.00250),
        ("images", 0.03818, 0.137929, -0.02182),
        ("more_nodes", 0.03430, 0.162567, -0.32168),
        ("fewer_nodes", 0.03017, 0.092236, -0.23262),
        ("filled", 0.00051, 0.081640, 0.00000),
        ("first", 0.07274, 0.259704, -0.12342),
        ("last", 0.07260, 0.259483, -0.09154),
    ],
};

/// Whether the cells of a column are one field.
pub(super) static COLUMN_WEIGHTS: ConfidenceModel = ConfidenceModel {
    bias: 2.14023,
    terms: &[
        ("region", 1.94212, 1.368200, 0.05337),
        ("records", 3.11496, 0.834671, 0.07882),
        ("columns", 1.66726, 0.442244, 0.02380),
        ("support", 0.86908, 0.283292, 0.47786),
        ("rare", 0.10013, 0.300170, -0.19866),
        ("share", 0.27012, 0.281626, 0.39621),
        ("length", 3.29837, 1.139742, -0.03265),
        ("spread", 0.22480, 0.198066, -0.04446),
        ("distinct", 0.82195, 0.283478, 0.27637),
        ("typed", 0.24595, 0.430648, -0.09745),
    ],
};

/// Whether a cell of a right record is right.
pub(super) static CELL_WEIGHTS: ConfidenceModel = ConfidenceModel {
    bias: 1.87232,
    terms: &[
        ("column", 2.15298, 1.036960, 0.55812),
        ("length", 3.25749, 1.161584, 0.10051),
        ("longer", 0.06908, 0.179890, -0.02868),
        ("shorter", 0.09303, 0.240535, 0.00000),
        ("several", 0.00275, 0.052323, -0.04034),
        ("unlike_several", 0.00051, 0.015954, -0.03905),
        ("misfit", 0.00419, 0.064587, 0.00000),
        ("likeness", -0.00998, 0.066776, 0.22941),
        ("filled", 0.01937, 0.089790, 0.00000),
    ],
};
