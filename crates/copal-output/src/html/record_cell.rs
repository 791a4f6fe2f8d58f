//! One cell of a table of records.
//!
//! In: a record and a column. Out: a `<td>` with a text, a URL, or a list of them. Inferred cells, doubtful
//! cells and embedded data are marked; the components of a typed value are shown below the text. Texts link
//! to the lines of the outline that they were read from. O(shown characters + lines of the record).

use super::escape::{Truncated, WebLink, percent};
use super::links::RecordLinks;
use crate::value_json::value_json;
use copal_model::{CellSource, CellText, Provenance, Record, Region};
use serde_json::Value as Json;
use std::fmt::Write;

/// Maximum number of characters that are shown of one text of a cell.
const MAX_CELL_TEXT_CHARS: usize = 500;
/// Maximum number of texts that are shown of one cell.
const MAX_CELL_TEXTS: usize = 30;
/// Maximum number of characters that are shown of the components of a value.
const MAX_COMPONENT_CHARS: usize = 200;
/// Texts with more characters than this widen their column.
const LONG_TEXT_CHARS: usize = 24;
/// Texts with at least this many characters widen their column even more.
const VERY_LONG_TEXT_CHARS: usize = 120;
/// What a link from a text to the outline says.
const WHERE: &str = "where on the page";
/// Cells below this confidence are faded.
const FADED_BELOW: f64 = 0.8;
/// Cells below this confidence are faded more.
const DOUBTFUL_BELOW: f64 = 0.5;

/// Appends what a record has in a column.
pub(super) fn push(
    out: &mut String,
    region: &Region,
    record: &Record,
    c: usize,
    links: Option<RecordLinks<'_>>,
) {
    out.push_str("<td");
    if let Some(id) = links.and_then(|links| links.cell_id(c)) {
        let _ = write!(out, " id=\"{id}\"");
    }
    let Some(cell) = record.cells.get(c).filter(|cell| !cell.is_empty()) else {
        out.push_str("></td>");
        return;
    };
    let texts: &[CellText] = &cell.texts;
    let source = region.columns[c].source;
    let inferred = cell.provenance == Provenance::Inferred;
    let doubt = cell.confidence.filter(|confidence| *confidence < FADED_BELOW);
    let mut classes: Vec<&str> = Vec::new();
    if !matches!(source, CellSource::Href | CellSource::Src) {
        classes.extend(width_class(texts));
    }
    classes.extend((source == CellSource::Embedded).then_some("embedded"));
    classes.extend(inferred.then_some("inferred"));
    classes.extend(doubt.map(|p| if p < DOUBTFUL_BELOW { "doubtful" } else { "unsure" }));
    out.push_str(" dir=\"auto\"");
    if !classes.is_empty() {
        let _ = write!(out, " class=\"{}\"", classes.join(" "));
    }
    out.push('>');
    match texts {
        [one] => push_text(out, source, one, c, links),
        several => push_list(out, source, several, c, links),
    }
    let components = cell.value.as_ref().and_then(|value| component_text(&value_json(value)));
    if let Some(text) = components {
        let text = Truncated(&text, MAX_COMPONENT_CHARS);
        let _ = write!(out, "<small class=\"value\" dir=\"ltr\">{text}</small>");
    }
    if inferred {
        out.push_str("<small class=\"mark\">inferred</small>");
    }
    if let Some(confidence) = doubt {
        let _ = write!(out, "<small class=\"mark\">{} sure</small>", percent(confidence));
    }
    out.push_str("</td>");
}

/// The class for the width that texts need.
fn width_class(texts: &[CellText]) -> Option<&'static str> {
    let longest = texts.iter().map(|text| text.text.chars().take(VERY_LONG_TEXT_CHARS).count()).max()?;
    let is_very_long = longest == VERY_LONG_TEXT_CHARS;
    if is_very_long { Some("longer") } else { (longest > LONG_TEXT_CHARS).then_some("long") }
}

fn push_list(
    out: &mut String,
    source: CellSource,
    texts: &[CellText],
    c: usize,
    links: Option<RecordLinks<'_>>,
) {
    out.push_str("<ul>");
    for text in texts.iter().take(MAX_CELL_TEXTS) {
        out.push_str("<li dir=\"auto\">");
        push_text(out, source, text, c, links);
        out.push_str("</li>");
    }
    if texts.len() > MAX_CELL_TEXTS {
        let _ = write!(out, "<li class=\"soft\">… {} more</li>", texts.len() - MAX_CELL_TEXTS);
    }
    out.push_str("</ul>");
}

fn push_text(
    out: &mut String,
    source: CellSource,
    text: &CellText,
    c: usize,
    links: Option<RecordLinks<'_>>,
) {
    let is_web_url = text.text.starts_with("https://") || text.text.starts_with("http://");
    let is_url = match source {
        CellSource::Href | CellSource::Src => true,
        CellSource::Embedded => is_web_url,
        CellSource::Text | CellSource::Detail | CellSource::Heading => false,
    };
    let line = links.zip(text.source.as_ref()).and_then(|(links, source)| links.line_id(c, source.node));
    // A URL is a link already, and links cannot be nested: a sign after it links to the outline.
    let shown = Truncated(&text.text, MAX_CELL_TEXT_CHARS);
    let _ = match (is_url, line) {
        (true, None) => write!(out, "{}", WebLink(&text.text)),
        (true, Some(line)) => write!(
            out,
            "{} <a class=\"where sign\" href=\"#{line}\" title=\"{WHERE}\" aria-label=\"{WHERE}\"></a>",
            WebLink(&text.text)
        ),
        (false, None) => write!(out, "{shown}"),
        (false, Some(line)) => {
            write!(out, "<a class=\"where\" href=\"#{line}\" title=\"{WHERE}\">{shown}</a>")
        }
    };
}

/// Components that need no name: `1200 GBP`, `86 reviews`.
const UNNAMED_COMPONENTS: &[&str] = &["amount", "currency", "count", "of", "value"];

/// `1200 GBP · from true`; `None` for values that are one text, which the cell shows already.
fn component_text(value: &Json) -> Option<String> {
    let components = value.as_object().filter(|components| !components.is_empty())?;
    // A single number repeats the text of the cell.
    if components.len() == 1 && components.contains_key("value") {
        return None;
    }
    let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let is_unnamed = |name: &String| UNNAMED_COMPONENTS.contains(&name.as_str());
    let (unnamed, named): (Vec<_>, Vec<_>) = components.iter().partition(|(name, _)| is_unnamed(name));
    let unnamed = unnamed.into_iter().map(|(_, value)| text(value)).collect::<Vec<_>>().join(" ");
    let named = named.into_iter().map(|(name, value)| format!("{name} {}", text(value)));
    let parts = Some(unnamed).filter(|text| !text.is_empty()).into_iter().chain(named);
    Some(parts.collect::<Vec<_>>().join(" · "))
}

#[cfg(test)]
mod tests {
    use super::component_text;
    use serde_json::json;

    #[test]
    fn components_of_values_are_shown() {
        let money = json!({"amount": "1200", "currency": "GBP", "from": true});
        assert_eq!(component_text(&money).unwrap(), "1200 GBP · from true");
        assert_eq!(component_text(&json!({"value": "2"})), None);
        assert_eq!(component_text(&json!("2024-05-01")), None);
    }
}
