//! Weights of the probabilities of records, columns and cells, written by `make fit`; do not edit.

#![allow(clippy::unreadable_literal)]

use super::linear::Linear;

/// Whether the borders of a record are right.
pub(super) static RECORD: Linear = Linear {
    bias: 2.42744,
    terms: &[
        ("region", 1.59885, 1.292146, 0.40696),
        ("likeness", -0.00107, 0.055416, 0.00000),
        ("longer", 0.09498, 0.276704, -0.04923),
        ("shorter", 0.09428, 0.194915, -0.01853),
        ("links", 0.04393, 0.084929, -0.01662),
        ("images", 0.04121, 0.139697, -0.16549),
        ("more_nodes", 0.03161, 0.120944, -0.19723),
        ("fewer_nodes", 0.03261, 0.118760, -0.06639),
        ("filled", 0.00021, 0.075229, 0.03062),
        ("first", 0.07320, 0.260472, -0.07958),
        ("last", 0.07310, 0.260307, -0.01046),
    ],
};

/// Whether the cells of a column are one field.
pub(super) static COLUMN: Linear = Linear {
    bias: 2.47147,
    terms: &[
        ("region", 1.66040, 1.144134, 0.00000),
        ("records", 2.94929, 0.633701, 0.07671),
        ("columns", 1.68118, 0.490012, -0.04359),
        ("support", 0.84492, 0.302890, 0.46776),
        ("rare", 0.11850, 0.323199, -0.24565),
        ("share", 0.27444, 0.280601, 0.24910),
        ("length", 3.36419, 1.109747, 0.09871),
        ("spread", 0.23448, 0.197017, 0.17129),
        ("distinct", 0.84166, 0.262814, -0.04399),
        ("typed", 0.20920, 0.406736, 0.09281),
    ],
};

/// Whether a cell of a right record is right.
pub(super) static CELL: Linear = Linear {
    bias: 2.00059,
    terms: &[
        ("column", 2.47971, 1.021569, 0.48704),
        ("length", 3.32262, 1.139146, 0.04287),
        ("longer", 0.07358, 0.188492, -0.05950),
        ("shorter", 0.09707, 0.220600, 0.00000),
        ("several", 0.00807, 0.089463, 0.04392),
        ("unlike_several", 0.00392, 0.043962, -0.02754),
        ("misfit", 0.00330, 0.057322, 0.00000),
        ("likeness", -0.01049, 0.064539, 0.28290),
        ("filled", 0.02310, 0.091195, 0.00000),
    ],
};
