//! The data of a page inside the report: links with `data:` URLs.
//!
//! In: an extraction. Out: links to its JSON and CSV, with the same bytes that `--format json` and `csv`
//! write. Browsers refuse URLs of more than two million characters, so long lists are cut to the records that
//! fit. The link, the file name and (in JSON) a warning say so. O(cells), a few times.

use super::escape::{Escaped, grouped};
use crate::csv::Csv;
use crate::error::OutputError;
use crate::format::Format;
use crate::json::PageDocument;
use copal_model::Answer;
use std::fmt::Write;

/// Largest file in bytes. Base64 makes four characters of three bytes.
const MAX_DOWNLOAD_BYTES: usize = 1_400_000;
/// Minimum number of bytes of a record in JSON, for the first guess of how many fit.
const MIN_JSON_RECORD_BYTES: usize = 100;
/// Minimum number of bytes of a record in CSV.
const MIN_CSV_RECORD_BYTES: usize = 4;
/// Longest file name, in characters, without its ending.
const MAX_FILE_STEM_CHARS: usize = 60;

/// Appends the links.
pub(super) fn push_links(out: &mut String, name: &str, extraction: &Answer, csv_safe: bool) {
    let records = extraction.regions.iter().map(|region| region.records.len()).max().unwrap_or(0);
    // An object counts as one record.
    let records = records.max(usize::from(extraction.object.is_some()));
    if records == 0 {
        return;
    }
    out.push_str("<p class=\"downloads\">");
    let regions = extraction.regions.len().max(1);
    let first_guess = MAX_DOWNLOAD_BYTES / MIN_JSON_RECORD_BYTES / regions;
    let json = largest_file(records, first_guess, |max| json_bytes(name, extraction, max));
    push_link(out, name, ("JSON", "json", "application/json"), records, json);
    let first_guess = MAX_DOWNLOAD_BYTES / MIN_CSV_RECORD_BYTES / regions;
    let csv = largest_file(records, first_guess, |max| csv_bytes(name, extraction, csv_safe, max));
    push_link(out, name, ("CSV", "csv", "text/csv;charset=utf-8"), records, csv);
    out.push_str("</p>\n");
}

fn json_bytes(name: &str, extraction: &Answer, max_records: usize) -> Result<Vec<u8>, OutputError> {
    let mut bytes = serde_json::to_vec_pretty(&PageDocument::data(name, extraction, max_records))?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn csv_bytes(
    name: &str,
    extraction: &Answer,
    escape_formulas: bool,
    max_records: usize,
) -> Result<Vec<u8>, OutputError> {
    let mut csv = Csv::new();
    csv.region_column = extraction.regions.len() > 1;
    (csv.escape_formulas, csv.max_records) = (escape_formulas, Some(max_records));
    let mut bytes = Vec::new();
    csv.page(&mut bytes, name, extraction)?;
    csv.finish(&mut bytes)?;
    Ok(bytes)
}

/// The file with as many records of each list as fit, and their number; `None` if not even one fits.
fn largest_file(
    records: usize,
    first_guess: usize,
    make: impl Fn(usize) -> Result<Vec<u8>, OutputError>,
) -> Option<(Vec<u8>, usize)> {
    let mut count = records.min(first_guess);
    while count > 0 {
        let bytes = make(count).ok()?;
        if bytes.len() <= MAX_DOWNLOAD_BYTES {
            return Some((bytes, count));
        }
        // The factor 0.9 makes this end: the count shrinks in each round, whatever the sizes of the records
        // are.
        count = (count as f64 * 0.9 * MAX_DOWNLOAD_BYTES as f64 / bytes.len() as f64) as usize;
    }
    None
}

fn push_link(
    out: &mut String,
    name: &str,
    (label, ending, media): (&str, &str, &str),
    records: usize,
    file: Option<(Vec<u8>, usize)>,
) {
    let Some((bytes, included)) = file else {
        let _ = write!(out, "<span>{label}: too large for a download, use --format {ending}</span> ");
        return;
    };
    let (suffix, note) = if included < records {
        let included = grouped(included);
        (
            format!("-first-{included}").replace(',', ""),
            format!(", the first {included} records of each list; all: --format {ending}"),
        )
    } else {
        (String::new(), String::new())
    };
    let size = if bytes.len() < 1000 {
        format!("{} bytes", bytes.len())
    } else {
        format!("{} kB", grouped(bytes.len().div_ceil(1000)))
    };
    let _ = write!(
        out,
        "<a download=\"{}{suffix}.{ending}\" href=\"data:{media};base64,",
        Escaped(&file_stem(name))
    );
    push_base64(out, &bytes);
    let _ = write!(out, "\">Download {label}</a> <span>{size}{note}</span> ");
}

/// A file name without ending, made from the name of a page.
fn file_stem(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' };
    let stem: String = stem.chars().map(plain).take(MAX_FILE_STEM_CHARS).collect();
    let stem = stem.trim_matches('-');
    if stem.is_empty() { "page".to_owned() } else { stem.to_owned() }
}

/// RFC 4648, section 4.
pub(super) fn push_base64(out: &mut String, bytes: &[u8]) {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    out.reserve(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_follows_the_standard() {
        for (text, want) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("foobar", "Zm9vYmFy"),
        ] {
            let mut out = String::new();
            push_base64(&mut out, text.as_bytes());
            assert_eq!(out, want);
        }
        let mut out = String::new();
        push_base64(&mut out, &[255, 239, 190]);
        assert_eq!(out, "/+++");
    }

    #[test]
    fn files_are_named_after_the_page() {
        assert_eq!(file_stem("a/b/shop.page.html"), "shop-page");
        assert_eq!(file_stem("-"), "page");
        assert_eq!(file_stem("x\" onclick=\"y.html"), "x--onclick--y");
        assert_eq!(file_stem("ร้าน.html"), "ร-าน");
    }

    #[test]
    fn the_largest_file_that_fits_is_used() {
        let make = |records: usize| Ok(vec![0; records * 1000]);
        let (bytes, records) = largest_file(100_000, 50_000, make).unwrap();
        assert!(bytes.len() <= MAX_DOWNLOAD_BYTES && records > 1000, "{records}");
        assert_eq!(largest_file(10, 50, make).unwrap().1, 10);
        assert!(largest_file(10, 50, |_| Ok(vec![0; 2 * MAX_DOWNLOAD_BYTES])).is_none());
    }
}
