//! Data documents: JSON and XML given instead of a page.
//!
//! In: the text of a JSON document, of JSON lines, or of an XML document (RSS, Atom, a sitemap, any list of
//! equal elements). Out: an [`Answer`] whose main list is the longest and richest list of objects; with
//! `all`, the other lists too. Every value is in the document as it is returned. [`document_kind`] decides
//! which documents are data. O(size of the document).

mod document_kind;
mod named_rows;
mod xml_value;

pub use document_kind::{DocumentKind, declared_charset, document_kind};

use crate::data::embedded::table::{Objects, is_for_records, lists, region};
use crate::list_choice;
use crate::request::Request;
use copal_dom::url::BaseUrl;
use copal_dom::{Limit, Warning};
use copal_model::{Answer, Origin, PageInfo, PageKind, Region, RegionPlace, Role};
use serde_json::{Deserializer, Value};

/// Maximum number of cells in all lists of a document.
const MAX_DOCUMENT_CELLS: usize = 2_000_000;
/// Maximum number of lists that are returned.
const MAX_DOCUMENT_LISTS: usize = 50;
/// Characters of an error that are shown.
const MAX_ERROR_CHARS: usize = 200;
/// More fields than this do not make a list richer.
const MAX_COUNTED_FIELDS: usize = 12;

/// Why a data document cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// The text is not JSON; the message says where the error is.
    #[error("not valid JSON: {0}")]
    Json(String),
    /// The text is not XML; the message says where the error is.
    #[error("not valid XML: {0}")]
    Xml(String),
}

/// The lists of a JSON document or of JSON lines. If only a part of the text is JSON, the answer has a
/// warning.
pub fn read_json(text: &str, url: Option<&str>, request: &Request) -> Result<Answer, DocumentError> {
    let mut values: Vec<Value> = Vec::new();
    let mut error_message = None;
    for value in Deserializer::from_str(text.trim_start_matches('\u{feff}')).into_iter::<Value>() {
        match value {
            Ok(value) => values.push(value),
            Err(error) => {
                error_message = Some(error.to_string());
                break;
            }
        }
    }
    if let (Some(why), true) = (&error_message, values.is_empty()) {
        return Err(DocumentError::Json(why.clone()));
    }
    let mut document = if values.len() == 1 { values.remove(0) } else { Value::Array(values) };
    named_rows::to_objects(&mut document);
    let mut answer = read(&document, url, request);
    if let Some(why) = error_message {
        answer.warnings.extend([Warning::Note(format!("not valid JSON from there: {why}")), Warning::Cut]);
    }
    Ok(answer)
}

/// The lists of an XML document. If only the beginning of the text is XML, the answer has a warning.
pub fn read_xml(text: &str, url: Option<&str>, request: &Request) -> Result<Answer, DocumentError> {
    let (document, error_message) = xml_value::to_value(text);
    let mut answer = read(&document, url, request);
    if let Some(why) = error_message.as_deref().map(one_line) {
        if answer.regions.is_empty() {
            return Err(DocumentError::Xml(why));
        }
        answer.warnings.extend([Warning::Note(format!("not valid XML from there: {why}")), Warning::Cut]);
    }
    answer.page.title = title(&document);
    Ok(answer)
}

/// The error of a parser as one line of bounded length: it quotes names of the document, which can be of any length.
fn one_line(error: &str) -> String {
    let mut line = error.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(MAX_ERROR_CHARS) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// The title of a feed.
fn title(document: &Value) -> Option<String> {
    let root = document.as_object()?.values().next()?;
    let title = root.get("channel").unwrap_or(root).get("title")?;
    title.as_str().or_else(|| title.get("text")?.as_str()).map(str::to_owned)
}

/// The lists of a document as an answer.
fn read(document: &Value, url: Option<&str>, request: &Request) -> Answer {
    let base = BaseUrl::at(url);
    let mut left = MAX_DOCUMENT_CELLS;
    let mut found: Vec<Objects> = lists("", document, &mut left);
    let mut lists: Vec<Region> = Vec::new();
    found.sort_by_key(|objects| std::cmp::Reverse(worth(objects)));
    for objects in
        found.iter().take(if request.all || request.choice.is_some() { MAX_DOCUMENT_LISTS } else { 1 })
    {
        let mut region = region(objects, worth(objects) as f64, &base, request.lists.method);
        region.origin = Origin::Data;
        region.role = if lists.is_empty() { Role::Primary } else { Role::Secondary };
        region.place = RegionPlace::DataPath(objects.path.clone());
        lists.push(region);
    }
    let alternatives = match &request.choice {
        Some(choice) => list_choice::choose(&mut lists, choice),
        None => Vec::new(),
    };
    let next = next(document).map(|next| base.resolve(next)).filter(|next| Some(next.as_str()) != url);
    let page = PageInfo { url: url.map(str::to_owned), next, ..PageInfo::default() };
    let warnings = (left == 0).then_some(Warning::Limit(Limit::Work)).into_iter().collect();
    let kind = if lists.is_empty() { PageKind::Nothing } else { PageKind::List };
    Answer { page, kind, regions: lists, warnings, alternatives, ..Answer::default() }
}

/// The URL of the next page: a value that looks like a URL under a key that means "next".
fn next(document: &Value) -> Option<&str> {
    const NEXT_KEYS: [&str; 7] =
        ["next", "next_url", "nextUrl", "next_page_url", "nextPageUrl", "next_href", "nextLink"];
    const NEXT_HOLDERS: [&str; 8] =
        ["links", "_links", "paging", "pagination", "meta", "page", "info", "page_info"];
    let is_url = |text: &&str| text.starts_with(['/', '?']) || text.contains("://");
    let holders = std::iter::once(document).chain(NEXT_HOLDERS.iter().filter_map(|key| document.get(key)));
    let mut values = holders.flat_map(|holder| NEXT_KEYS.iter().filter_map(|key| holder.get(key)));
    values.find_map(|value| value.as_str().or_else(|| value.get("href")?.as_str()).filter(is_url))
}

/// The rank of a list: longer lists with more fields are worth more. Lists deep inside a document mostly
/// belong to one of its objects, so they are worth less.
fn worth(objects: &Objects) -> usize {
    let depth = objects.path.matches(['.', '[']).count();
    let is_facet = !is_for_records(objects);
    objects.rows.len() * objects.keys.len().min(MAX_COUNTED_FIELDS) * 12
        / (1 + depth)
        / if is_facet { 4 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(region: &Region, name: &str) -> Vec<String> {
        let at = region.columns.iter().position(|column| column.name == name).unwrap_or_else(|| {
            panic!("no {name} in {:?}", region.columns.iter().map(|column| &column.name).collect::<Vec<_>>())
        });
        region.records.iter().map(|record| record.cells[at].join("|")).collect()
    }

    #[test]
    fn json_gives_its_richest_list() {
        let text = r#"{"tags": [{"t": 1}, {"t": 2}, {"t": 3}],
            "results": [{"id": 7, "name": "Oak", "height": {"m": "12.50"}, "where": "Kew"},
                        {"id": 8, "name": "Ash", "height": {"m": 9}, "where": "Kew"}]}"#;
        let found = read_json(text, Some("https://a.example/api"), &Request::default()).unwrap();
        let list = found.primary().unwrap();
        assert_eq!(column(list, "name"), ["Oak", "Ash"]);
        assert_eq!(column(list, "height_m"), ["12.50", "9"]);
        // a field with the same value in all objects is kept in documents
        assert_eq!(column(list, "where"), ["Kew", "Kew"]);
        assert_eq!(list.xpath(), "results");
    }

    #[test]
    fn json_lines_are_a_list_up_to_the_first_error() {
        let found = read_json(
            "{\"a\": 1, \"b\": \"x\"}\n{\"a\": 2, \"b\": \"y\"}\n{\"a\":",
            None,
            &Request::default(),
        )
        .unwrap();
        assert_eq!(column(found.primary().unwrap(), "b"), ["x", "y"]);
        assert!(found.is_partial() && found.warnings.len() == 2);
        let error = read_json("[{\"a\": 1},", None, &Request::default()).unwrap_err();
        assert!(error.to_string().contains("line 1"), "{error}");
    }

    #[test]
    fn errors_are_one_line_whatever_the_document_has() {
        let name = format!("a {}", "b\n".repeat(5_000));
        let error = read_xml(&format!("<feed><x></{name}></feed>"), None, &Request::default()).unwrap_err();
        let message = error.to_string();
        assert!(message.starts_with("not valid XML: ") && message.ends_with('…'), "{message}");
        assert!(!message.contains('\n') && message.chars().count() < 300, "{} characters", message.len());
    }

    #[test]
    fn the_next_page_is_read_from_the_document() {
        let next = |rest: &str| {
            let text = format!(r#"{{"results": [{{"a": 1, "b": 2}}, {{"a": 2, "b": 3}}], {rest}}}"#);
            read_json(&text, Some("https://a.example/api?p=1"), &Request::default()).unwrap().page.next
        };
        assert_eq!(next(r#""next": "?p=2""#).as_deref(), Some("https://a.example/api?p=2"));
        assert_eq!(
            next(r#""_links": {"next": {"href": "/api?p=2"}}"#).as_deref(),
            Some("https://a.example/api?p=2")
        );
        assert_eq!(next(r#""next": null"#), None);
        assert_eq!(next(r#""next": "20""#), None);
        assert_eq!(next(r#""next": "?p=1""#), None);
    }

    #[test]
    fn rows_with_column_names_are_records() {
        let text = r#"{"rows": [[1, "Oak", null], [2, "Ash", "Kew"]], "columns": ["id", "name", "where"], "n": [[1, 2], [3, 4]]}"#;
        let found = read_json(text, None, &Request::default()).unwrap();
        assert_eq!(column(found.primary().unwrap(), "name"), ["Oak", "Ash"]);
        assert_eq!(column(found.primary().unwrap(), "where"), ["", "Kew"]);
        // the first row may have the column names
        let found =
            read_json(r#"[["id", "name"], [1, "Oak"], [2, "Ash"]]"#, None, &Request::default()).unwrap();
        assert_eq!(column(found.primary().unwrap(), "id"), ["1", "2"]);
        assert!(read_json("[[1, 2], [3, 4]]", None, &Request::default()).unwrap().primary().is_none());
    }

    #[test]
    fn a_list_of_one_object_is_a_list() {
        let found = read_json(r#"{"items": [{"name": "Oak", "m": 3}]}"#, None, &Request::default()).unwrap();
        assert_eq!(found.primary().unwrap().records.len(), 1);
    }

    #[test]
    fn feeds_are_lists() {
        let rss = "<?xml version='1.0'?><rss version='2.0'><channel><title>News &amp; more</title><link>https://n.example/</link>\
            <item><title>One</title><link>https://n.example/1</link><description><![CDATA[<p>First <b>text</b></p>]]></description></item>\
            <item><title>Two &lt;3</title><link>https://n.example/2</link><description>Second</description></item></channel></rss>";
        let found = read_xml(rss, None, &Request::default()).unwrap();
        let list = found.primary().unwrap();
        assert_eq!(found.page.title.as_deref(), Some("News & more"));
        assert_eq!(column(list, "title"), ["One", "Two <3"]);
        assert_eq!(column(list, "link"), ["https://n.example/1", "https://n.example/2"]);
        assert_eq!(column(list, "description"), ["First text", "Second"]);
        let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><title type='text'>F</title>\
            <entry><title>One</title><link rel='self' href='/x'/><link href='/1'/><author><name>Ann</name></author></entry>\
            <entry><title>Two</title><link rel='alternate' href='/2'/><author><name>Bob</name></author></entry></feed>";
        let found = read_xml(atom, Some("https://n.example/feed"), &Request::default()).unwrap();
        let list = found.primary().unwrap();
        assert_eq!(column(list, "link"), ["https://n.example/1", "https://n.example/2"]);
        assert_eq!(column(list, "author_name"), ["Ann", "Bob"]);
        assert_eq!(found.page.title.as_deref(), Some("F"));
    }

    #[test]
    fn broken_and_hostile_xml_is_handled() {
        let cut = "<rss><channel><item><title>a</title></item><item><title>b</title></item><item><title>c";
        let found = read_xml(cut, None, &Request::default()).unwrap();
        assert_eq!(column(found.primary().unwrap(), "title")[..2], ["a", "b"]);
        assert!(found.is_partial() && found.warnings.len() == 2);
        assert!(read_xml("<a><b></a>", None, &Request::default()).is_err());
        let deep = "<a>".repeat(100_000);
        assert!(read_xml(&deep, None, &Request::default()).is_err());
        // entities that a document defines are not expanded
        let bomb = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><x><i><t>&b;</t></i><i><t>1</t></i></x>";
        assert_eq!(
            column(read_xml(bomb, None, &Request::default()).unwrap().primary().unwrap(), "t"),
            ["&b;", "1"]
        );
    }
}
