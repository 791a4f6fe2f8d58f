//! The best possible rating of a column.
//!
//! In: the ratings of a column, read one by one. Out: the scale that all of them fit, if they differ: "4.5
//! stars" is out of ten if another record has "8 stars". O(ratings).

use crate::value::Value;

/// Scales that ratings without a maximum may have.
const SCALES: [u8; 2] = [5, 10];

/// The scale of the ratings that do not name one; `None` if all ratings already have the same.
///
/// ```
/// use copal_values::{Value, columns::rating_scale::rating_scale};
/// let rating = |value: &str, of: &str| Value::Rating { value: value.into(), of: of.into() };
/// assert_eq!(rating_scale(&[rating("4.5", "5"), rating("8", "10")]), Some(10));
/// assert_eq!(rating_scale(&[rating("4.5", "5"), rating("4", "5")]), None);
/// ```
pub fn rating_scale<'v>(values: impl IntoIterator<Item = &'v Value>) -> Option<u8> {
    let mut seen = [false; SCALES.len()];
    for value in values {
        if let Value::Rating { of, .. } = value {
            for (seen, scale) in seen.iter_mut().zip(SCALES) {
                *seen |= *of == scale.to_string();
            }
        }
    }
    seen.iter().all(|seen| *seen).then_some(SCALES[1])
}
