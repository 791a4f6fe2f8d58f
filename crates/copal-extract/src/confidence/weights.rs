//! Weights of the probabilities of records, columns and cells, written by `make fit`; do not edit.

#![allow(clippy::unreadable_literal)]

use super::linear::Linear;

/// Whether the borders of a record are right.
pub(super) static RECORD: Linear = Linear {
    bias: 2.40656,
    terms: &[
        ("region", 1.62870, 1.295186, 0.47495),
        ("likeness", -0.00126, 0.054900, 0.00000),
        ("longer", 0.09451, 0.274252, -0.07541),
        ("shorter", 0.09551, 0.195434, -0.05884),
        ("links", 0.04274, 0.078502, 0.00000),
        ("images", 0.03985, 0.137915, -0.10212),
        ("more_nodes", 0.03048, 0.109299, -0.21745),
        ("fewer_nodes", 0.03078, 0.109166, -0.03165),
        ("filled", 0.00010, 0.075907, 0.06081),
        ("first", 0.07300, 0.260136, -0.05215),
        ("last", 0.07300, 0.260136, 0.00000),
    ],
};

/// Whether the cells of a column are one field.
pub(super) static COLUMN: Linear = Linear {
    bias: 2.50024,
    terms: &[
        ("region", 1.72491, 1.089528, 0.00000),
        ("records", 2.95304, 0.634213, 0.06504),
        ("columns", 1.67434, 0.484247, 0.00295),
        ("support", 0.84563, 0.303133, 0.47645),
        ("rare", 0.11936, 0.324214, -0.25580),
        ("share", 0.27560, 0.280991, 0.24492),
        ("length", 3.36696, 1.105604, 0.10012),
        ("spread", 0.23526, 0.198000, 0.17438),
        ("distinct", 0.84206, 0.262127, -0.04072),
        ("typed", 0.21017, 0.407427, 0.07423),
    ],
};

/// Whether a cell of a right record is right.
pub(super) static CELL: Linear = Linear {
    bias: 2.01971,
    terms: &[
        ("column", 2.50381, 1.013419, 0.47328),
        ("length", 3.32512, 1.135037, 0.04167),
        ("longer", 0.07335, 0.188252, -0.06731),
        ("shorter", 0.09716, 0.220825, 0.00000),
        ("several", 0.00762, 0.086986, 0.04155),
        ("unlike_several", 0.00348, 0.041588, -0.04333),
        ("misfit", 0.00332, 0.057516, 0.00000),
        ("likeness", -0.01061, 0.064588, 0.29997),
        ("filled", 0.02344, 0.091324, 0.00000),
    ],
};
