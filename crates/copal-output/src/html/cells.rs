//! One cell of a table of records.
//!
//! In: a record and a column. Out: `<td>`: a text, an address, or a list of them; what was inferred, what is not sure and
//! what stands in embedded data is marked, and a typed value is told below its text.

use super::escape::{Address, Cut, percent};
use crate::values;
use copal_extract::{CellSource, CellText, Provenance, Record, Region};
use serde_json::Value as Json;
use std::fmt::Write;

/// Characters of one value, and values of one list.
const CHARS: usize = 500;
const VALUES: usize = 30;
/// Characters of a text from which its column is made wider, and wider still.
const LONG: usize = 24;
const LONGER: usize = 120;
/// Cells that are less sure than these are faded, and more so.
const SURE: f64 = 0.8;
const DOUBTFUL: f64 = 0.5;

/// Appends a record's cell of a column.
pub(super) fn push(out: &mut String, region: &Region, record: &Record, c: usize) {
    let Some(cell) = record.cells.get(c).filter(|cell| !cell.is_empty()) else {
        out.push_str("<td></td>");
        return;
    };
    let texts: &[CellText] = &cell.texts;
    let source = region.columns[c].source;
    let inferred = cell.provenance == Provenance::Inferred;
    let sure = cell.confidence.filter(|sure| *sure < SURE);
    let mut classes: Vec<&str> = Vec::new();
    if !matches!(source, CellSource::Href | CellSource::Src) {
        classes.extend(width(texts));
    }
    classes.extend((source == CellSource::Embedded).then_some("embedded"));
    classes.extend(inferred.then_some("inferred"));
    classes.extend(sure.map(|sure| if sure < DOUBTFUL { "doubtful" } else { "unsure" }));
    out.push_str("<td dir=\"auto\"");
    if !classes.is_empty() {
        let _ = write!(out, " class=\"{}\"", classes.join(" "));
    }
    out.push('>');
    match texts {
        [one] => push_value(out, source, &one.text),
        several => push_list(out, source, several),
    }
    if let Some(parts) = cell.value.as_ref().and_then(|v| parts(&values::to_json(v))) {
        let _ = write!(out, "<small class=\"value\" dir=\"ltr\">{}</small>", Cut(&parts, 200));
    }
    if inferred {
        out.push_str("<small class=\"mark\">inferred</small>");
    }
    if let Some(sure) = sure {
        let _ = write!(out, "<small class=\"mark\">{} sure</small>", percent(sure));
    }
    out.push_str("</td>");
}

/// A class for the width that texts need.
fn width(texts: &[CellText]) -> Option<&'static str> {
    let longest = texts.iter().map(|text| text.text.chars().take(LONGER).count()).max()?;
    if longest == LONGER { Some("longer") } else { (longest > LONG).then_some("long") }
}

fn push_list(out: &mut String, source: CellSource, texts: &[CellText]) {
    out.push_str("<ul>");
    for text in texts.iter().take(VALUES) {
        out.push_str("<li dir=\"auto\">");
        push_value(out, source, &text.text);
        out.push_str("</li>");
    }
    if texts.len() > VALUES {
        let _ = write!(out, "<li class=\"soft\">… {} more</li>", texts.len() - VALUES);
    }
    out.push_str("</ul>");
}

fn push_value(out: &mut String, source: CellSource, text: &str) {
    let looks_like_one = |text: &str| text.starts_with("https://") || text.starts_with("http://");
    let _ = match source {
        CellSource::Href | CellSource::Src => write!(out, "{}", Address(text)),
        CellSource::Embedded if looks_like_one(text) => write!(out, "{}", Address(text)),
        _ => write!(out, "{}", Cut(text, CHARS)),
    };
}

/// `amount 1200 · currency GBP`; none for values that are one text, which the cell shows already.
fn parts(value: &Json) -> Option<String> {
    let parts = value.as_object().filter(|parts| !parts.is_empty())?;
    // one number says what the text says
    if parts.len() == 1 && parts.contains_key("value") {
        return None;
    }
    let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Some(parts.iter().map(|(name, part)| format!("{name} {}", text(part))).collect::<Vec<_>>().join(" · "))
}

#[cfg(test)]
mod tests {
    use super::parts;
    use serde_json::json;

    #[test]
    fn values_with_parts_are_told() {
        let money = json!({"amount": "1200", "currency": "GBP", "from": true});
        assert_eq!(parts(&money).unwrap(), "amount 1200 · currency GBP · from true");
        assert_eq!(parts(&json!({"value": "2"})), None);
        assert_eq!(parts(&json!("2024-05-01")), None);
    }
}
