//! CDX and CDXJ indexes: which records of which archives are wanted.
//!
//! In: an index, plain or gzip, one record per line. Out: file names and positions. Three kinds of lines are read: CDXJ
//! (`key timestamp {"filename": …, "offset": …}`), JSON alone, as index servers send, and CDX, whose fields a first line
//! ` CDX N b a m …` names. O(bytes).

use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read};

/// Longest line.
const MAX_LINE_BYTES: u64 = 1 << 20;
/// The fields of CDX files without a first line that names them.
const DEFAULT_FIELDS: &str = "N b a m s k r M S V g";

/// Why an index cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CdxError {
    /// The operating system failed, or the gzip data is damaged.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is longer than any line of an index.
    #[error("line {line} is longer than {} KB: not an index", MAX_LINE_BYTES >> 10)]
    LongLine {
        /// Its number, from 1.
        line: usize,
    },
    /// No line has a position.
    #[error("no line has the position of a record: expected CDX or CDXJ")]
    NoEntries,
}

/// A record that an index names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CdxEntry {
    /// The archive, as the index names it; `None` if the index is of one archive.
    pub file: Option<String>,
    /// Where the record begins.
    pub position: u64,
}

/// The entries of an index.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct CdxIndex {
    /// In the order of the index.
    pub entries: Vec<CdxEntry>,
    /// Lines that could not be read.
    pub bad_lines: usize,
}

impl CdxIndex {
    /// Reads an index.
    pub fn read(file: impl Read) -> Result<CdxIndex, CdxError> {
        let mut file = BufReader::new(file);
        let is_gzip = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let mut lines: Box<dyn BufRead + '_> = if is_gzip {
            Box::new(BufReader::new(flate2::bufread::MultiGzDecoder::new(file)))
        } else {
            Box::new(file)
        };
        let mut index = CdxIndex::default();
        let mut fields = CdxFields::parse(DEFAULT_FIELDS);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            if (&mut lines).take(MAX_LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
                break;
            }
            if line.len() as u64 == MAX_LINE_BYTES {
                return Err(CdxError::LongLine { line: number });
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            if let Some(names) = text.strip_prefix("CDX ") {
                fields = CdxFields::parse(names);
            } else if !text.is_empty() && !text.starts_with('!') {
                let entry = match json_part(text) {
                    Some(json) => json_entry(&json),
                    None => fields.entry(text),
                };
                match entry {
                    Some(entry) => index.entries.push(entry),
                    None => index.bad_lines += 1,
                }
            }
        }
        if index.entries.is_empty() && index.bad_lines > 0 {
            return Err(CdxError::NoEntries);
        }
        Ok(index)
    }
}

/// Which field of a CDX line has what.
struct CdxFields {
    position: Option<usize>,
    file: Option<usize>,
}

impl CdxFields {
    fn parse(names: &str) -> CdxFields {
        let find = |wanted: &str| names.split_ascii_whitespace().position(|name| name == wanted);
        CdxFields { position: find("V"), file: find("g") }
    }

    fn entry(&self, line: &str) -> Option<CdxEntry> {
        let parts: Vec<&str> = line.split_ascii_whitespace().collect();
        let position = parts.get(self.position?)?.parse().ok()?;
        let file = self.file.and_then(|at| parts.get(at)).filter(|name| **name != "-");
        Some(CdxEntry { file: file.map(|name| (*name).to_owned()), position })
    }
}

/// The JSON of a line; `None` if it has none.
fn json_part(line: &str) -> Option<Value> {
    serde_json::from_str(&line[line.find('{')?..]).ok()
}

fn json_entry(fields: &Value) -> Option<CdxEntry> {
    let position = match &fields["offset"] {
        Value::String(digits) => digits.parse().ok(),
        other => other.as_u64(),
    };
    let file = fields["filename"].as_str().map(str::to_owned);
    position.map(|position| CdxEntry { file, position })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> CdxIndex {
        CdxIndex::read(text.as_bytes()).expect("an index")
    }

    #[test]
    fn all_kinds_of_lines_are_read() {
        let entry = |file: &str, position| CdxEntry { file: Some(file.to_owned()), position };
        let cdxj = r#"com,example)/ 20260131120000 {"url": "https://example.com/", "filename": "a.warc.gz", "offset": "12", "length": "9"}"#;
        assert_eq!(read(cdxj).entries, [entry("a.warc.gz", 12)]);
        assert_eq!(
            read(r#"{"filename":"crawl/a.warc.gz","offset":7}"#).entries,
            [entry("crawl/a.warc.gz", 7)]
        );
        let cdx = " CDX N b a m s k r M S V g\ncom,example)/ 2026 https://example.com/ text/html 200 X - - 44 812 b.warc.gz\n";
        assert_eq!(read(cdx).entries, [entry("b.warc.gz", 812)]);
        let short = " CDX a V\nhttps://example.com/ 5\n";
        assert_eq!(read(short).entries, [CdxEntry { file: None, position: 5 }]);
    }

    #[test]
    fn bad_lines_are_counted_and_other_files_refused() {
        let mixed = "{\"offset\":1}\n{\"offset\":-1}\nnothing here\n\n";
        assert_eq!((read(mixed).entries.len(), read(mixed).bad_lines), (1, 2));
        assert!(matches!(CdxIndex::read(&b"<html>"[..]), Err(CdxError::NoEntries)));
        let endless = vec![b'x'; 2 << 20];
        assert!(matches!(CdxIndex::read(endless.as_slice()), Err(CdxError::LongLine { line: 1 })));
        assert!(CdxIndex::read(&b""[..]).expect("empty").entries.is_empty());
        assert!(CdxIndex::read(&[0x1f, 0x8b, 8, 0][..]).is_err());
    }
}
