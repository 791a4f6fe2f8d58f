//! Rows of the long form as bytes, for the way from a worker process to the command.
//!
//! The number of values (u32), `(u8 kind | value)*`, then the text buffer. Numbers are little-endian, and a text is
//! its begin in the buffer and its length, four bytes each. Both sides are the same program, but a reader still checks
//! every length.

use crate::rows::cell_rows::{CELL_COLUMN_COUNT, CellRows, CellValue};

const NULL: u8 = 0;
const INTEGER: u8 = 1;
const REAL: u8 = 2;
const TEXT: u8 = 3;

impl CellRows {
    /// Bytes that [`from_bytes`](CellRows::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.texts.len() + 9 * self.values.len() + 4);
        bytes.extend((self.values.len() as u32).to_le_bytes());
        for value in &self.values {
            match value {
                CellValue::Null => bytes.push(NULL),
                CellValue::Integer(integer) => {
                    bytes.push(INTEGER);
                    bytes.extend(integer.to_le_bytes());
                }
                CellValue::Real(real) => {
                    bytes.push(REAL);
                    bytes.extend(real.to_le_bytes());
                }
                CellValue::Text(start, length) => {
                    bytes.push(TEXT);
                    bytes.extend(start.to_le_bytes());
                    bytes.extend(length.to_le_bytes());
                }
            }
        }
        bytes.extend(self.texts.as_bytes());
        bytes
    }

    /// The rows of [`to_bytes`](CellRows::to_bytes); `None` if the bytes are anything else.
    pub fn from_bytes(mut bytes: &[u8]) -> Option<CellRows> {
        let count = u32::from_le_bytes(*take(&mut bytes)?) as usize;
        // a value has at least one byte, so that a wrong number reserves no more memory than the bytes have
        if !count.is_multiple_of(CELL_COLUMN_COUNT) || count > bytes.len() {
            return None;
        }
        let mut values = Vec::with_capacity(count);
        for _ in 0..count {
            let [kind] = *take(&mut bytes)?;
            values.push(match kind {
                NULL => CellValue::Null,
                INTEGER => CellValue::Integer(i64::from_le_bytes(*take(&mut bytes)?)),
                REAL => CellValue::Real(f64::from_le_bytes(*take(&mut bytes)?)),
                TEXT => {
                    let start = u32::from_le_bytes(*take(&mut bytes)?);
                    CellValue::Text(start, u32::from_le_bytes(*take(&mut bytes)?))
                }
                _ => return None,
            });
        }
        let texts = std::str::from_utf8(bytes).ok()?.to_owned();
        let is_inside = |value: &CellValue| match *value {
            CellValue::Text(start, length) => {
                let (start, length) = (start as usize, length as usize);
                start.checked_add(length).is_some_and(|end| texts.get(start..end).is_some())
            }
            _ => true,
        };
        values.iter().all(is_inside).then_some(CellRows { texts, values })
    }
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
        let mut rows = CellRows::of_failed_page("näme", None, "too deep");
        (rows.values[3], rows.values[11]) = (CellValue::Integer(-7), CellValue::Real(0.25));
        rows.append(&rows.clone(), 0..1);
        let bytes = rows.to_bytes();
        assert_eq!(CellRows::from_bytes(&bytes), Some(rows));
        for length in 0..bytes.len() {
            assert_eq!(CellRows::from_bytes(&bytes[..length]), None, "{length}");
        }
        assert_eq!(CellRows::from_bytes(&[9; 40]), None);
        let mut wrong = 13_u32.to_le_bytes().to_vec();
        wrong.extend([TEXT, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
        wrong.extend([NULL; 12]);
        assert_eq!(CellRows::from_bytes(&wrong), None, "a text outside of the buffer");
    }
}
