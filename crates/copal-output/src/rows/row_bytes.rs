//! Rows of the long form as bytes, for the way from a worker process to the command.
//!
//! `(u8 kind | value)*`, row after row: the number of columns is that of the long form. Numbers are little-endian and
//! texts have a length of four bytes. Both sides are the same program, but a reader still checks every length.

use crate::rows::cell_rows::cell_columns;
use crate::rows::row_value::RowValue;

const NULL: u8 = 0;
const INTEGER: u8 = 1;
const REAL: u8 = 2;
const TEXT: u8 = 3;

/// Bytes that [`decode_cell_rows`] reads.
pub fn encode_cell_rows(rows: &[Vec<RowValue>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for value in rows.iter().flatten() {
        match value {
            RowValue::Null => bytes.push(NULL),
            RowValue::Integer(integer) => {
                bytes.push(INTEGER);
                bytes.extend(integer.to_le_bytes());
            }
            RowValue::Real(real) => {
                bytes.push(REAL);
                bytes.extend(real.to_le_bytes());
            }
            other => {
                let text = other.to_text();
                bytes.push(TEXT);
                bytes.extend((text.len() as u32).to_le_bytes());
                bytes.extend(text.as_bytes());
            }
        }
    }
    bytes
}

/// The rows of [`encode_cell_rows`]; `None` if the bytes are anything else.
pub fn decode_cell_rows(mut bytes: &[u8]) -> Option<Vec<Vec<RowValue>>> {
    let width = cell_columns().len();
    let mut rows = Vec::new();
    while !bytes.is_empty() {
        let mut row = Vec::with_capacity(width);
        for _ in 0..width {
            let (kind, rest) = bytes.split_first()?;
            bytes = rest;
            row.push(match *kind {
                NULL => RowValue::Null,
                INTEGER => RowValue::Integer(i64::from_le_bytes(*take(&mut bytes)?)),
                REAL => RowValue::Real(f64::from_le_bytes(*take(&mut bytes)?)),
                TEXT => {
                    let length = u32::from_le_bytes(*take(&mut bytes)?) as usize;
                    let (text, rest) = bytes.split_at_checked(length)?;
                    bytes = rest;
                    RowValue::Text(std::str::from_utf8(text).ok()?.to_owned())
                }
                _ => return None,
            });
        }
        rows.push(row);
    }
    Some(rows)
}

fn take<'a, const COUNT: usize>(bytes: &mut &'a [u8]) -> Option<&'a [u8; COUNT]> {
    let (taken, rest) = bytes.split_first_chunk::<COUNT>()?;
    *bytes = rest;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_were_written_and_cut_bytes_are_refused() {
        let mut row = vec![RowValue::Null; cell_columns().len()];
        (row[0], row[3], row[11]) = (RowValue::text("näme"), RowValue::Integer(-7), RowValue::Real(0.25));
        let rows = vec![row.clone(), row];
        let bytes = encode_cell_rows(&rows);
        assert_eq!(decode_cell_rows(&bytes), Some(rows));
        let half = bytes.len() / 2;
        for length in (1..bytes.len()).filter(|length| *length != half) {
            assert_eq!(decode_cell_rows(&bytes[..length]), None, "{length}");
        }
        assert_eq!(decode_cell_rows(&[9; 40]), None);
        assert_eq!(decode_cell_rows(&[TEXT, 0xff, 0xff, 0xff, 0xff, 1]), None);
    }
}
