//! A page's data inside of the report: links with `data:` addresses.
//!
//! In: an extraction. Out: links to its JSON and CSV, the same bytes that `--format json` and `csv` write. Browsers refuse
//! addresses of more than two million characters, so long lists are cut to the records that fit; link, file name and (in
//! JSON) a warning say so.

use super::escape::{Esc, grouped};
use crate::json::PageDocument;
use crate::{Csv, Format};
use copal_extract::Answer;
use std::fmt::Write;
use std::io;

/// Bytes of a file at most: base64 makes four characters of three bytes.
const BYTES: usize = 1_400_000;
/// A record is never written in fewer bytes than these.
const LEAST_JSON: usize = 100;
const LEAST_CSV: usize = 4;

/// Appends the links.
pub(super) fn push_links(out: &mut String, name: &str, extraction: &Answer, csv_safe: bool) {
    let records = extraction.regions.iter().map(|region| region.records.len()).max().unwrap_or(0);
    // an object counts as one
    let records = records.max(usize::from(extraction.object.is_some()));
    if records == 0 {
        return;
    }
    out.push_str("<p class=\"downloads\">");
    let regions = extraction.regions.len().max(1);
    let json = largest(records, BYTES / LEAST_JSON / regions, |most| json_bytes(name, extraction, most));
    push_link(out, name, ("JSON", "json", "application/json"), records, json);
    let csv =
        largest(records, BYTES / LEAST_CSV / regions, |most| csv_bytes(name, extraction, csv_safe, most));
    push_link(out, name, ("CSV", "csv", "text/csv;charset=utf-8"), records, csv);
    out.push_str("</p>\n");
}

fn json_bytes(name: &str, extraction: &Answer, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(&PageDocument::data(name, extraction, most))?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn csv_bytes(name: &str, extraction: &Answer, safe: bool, most: usize) -> io::Result<Vec<u8>> {
    let mut csv = Csv::new();
    (csv.regions, csv.safe, csv.most) = (extraction.regions.len() > 1, safe, Some(most));
    let mut bytes = Vec::new();
    csv.page(&mut bytes, name, extraction)?;
    csv.finish(&mut bytes)?;
    Ok(bytes)
}

/// The file with as many records of each list as fit, and how many those are; none if not even one does.
fn largest(
    records: usize,
    start: usize,
    make: impl Fn(usize) -> io::Result<Vec<u8>>,
) -> Option<(Vec<u8>, usize)> {
    let mut most = records.min(start);
    while most > 0 {
        let bytes = make(most).ok()?;
        if bytes.len() <= BYTES {
            return Some((bytes, most));
        }
        // at least halved after a few rounds, whatever the sizes of the records are
        most = (most as f64 * 0.9 * BYTES as f64 / bytes.len() as f64) as usize;
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
    let Some((bytes, most)) = file else {
        let _ = write!(out, "<span>{label}: too large for a download, use --format {ending}</span> ");
        return;
    };
    let (part, note) = if most < records {
        let most = grouped(most);
        (
            format!("-first-{most}").replace(',', ""),
            format!(", the first {most} records of each list; all: --format {ending}"),
        )
    } else {
        (String::new(), String::new())
    };
    let size = if bytes.len() < 1000 {
        format!("{} bytes", bytes.len())
    } else {
        format!("{} kB", grouped(bytes.len().div_ceil(1000)))
    };
    let _ = write!(out, "<a download=\"{}{part}.{ending}\" href=\"data:{media};base64,", Esc(&stem(name)));
    push_base64(out, &bytes);
    let _ = write!(out, "\">Download {label}</a> <span>{size}{note}</span> ");
}

/// The name of a page's file as the beginning of another file's name.
fn stem(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' };
    let stem: String = stem.chars().map(plain).take(60).collect();
    let stem = stem.trim_matches('-');
    if stem.is_empty() { "page".to_owned() } else { stem.to_owned() }
}

/// RFC 4648, section 4.
fn push_base64(out: &mut String, bytes: &[u8]) {
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
    fn base64_is_that_of_the_standard() {
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
        assert_eq!(stem("a/b/shop.page.html"), "shop-page");
        assert_eq!(stem("-"), "page");
        assert_eq!(stem("x\" onclick=\"y.html"), "x--onclick--y");
        assert_eq!(stem("ร้าน.html"), "ร-าน");
    }

    #[test]
    fn the_largest_part_that_fits_is_taken() {
        let make = |most: usize| Ok(vec![0; most * 1000]);
        let (bytes, most) = largest(100_000, 50_000, make).unwrap();
        assert!(bytes.len() <= BYTES && most > 1000, "{most}");
        assert_eq!(largest(10, 50, make).unwrap().1, 10);
        assert!(largest(10, 50, |_| Ok(vec![0; 2 * BYTES])).is_none());
    }
}
