//! Files of data instead of pages: JSON and XML feeds are lists already.
//!
//! In: the text of a JSON document, of lines of JSON, or of an XML document (RSS, Atom, a site map, any list of equal
//! elements). Out: an [`Answer`] whose main list is its longest and richest list of objects; with `all`, the others too.
//! Every value stands in the document. O(size of the document).

mod rows;
mod xml;

use crate::data::embedded::table::{Objects, is_for_records, lists, region};
use crate::list_choice;
use crate::request::Request;
use copal_dom::url::BaseUrl;
use copal_dom::{Limit, Warning};
use copal_model::{Answer, Origin, PageInfo, PageKind, Region, RegionPlace, Role};
use serde_json::{Deserializer, Value};

/// Cells of all lists of a document.
const CELLS: usize = 2_000_000;
/// Lists that are given out.
const LISTS: usize = 50;
/// Fields beyond which a list is not richer.
const FIELDS: usize = 12;

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// HTML, XHTML or an MHTML archive.
    Page,
    /// JSON, or JSON lines.
    Json,
    /// RSS, Atom or another XML list.
    Xml,
    /// Something else, in words.
    Other(&'static str),
}

/// What a document is, by the type its server states (small letters, without parameters) and by its first bytes.
pub fn kind(content_type: Option<&str>, bytes: &[u8]) -> Kind {
    let stated = content_type.unwrap_or_default();
    let looks = looks_like(bytes);
    match stated {
        "application/json" | "text/json" | "application/x-ndjson" | "application/jsonl" => Kind::Json,
        other if other.ends_with("+json") => Kind::Json,
        // pages, and what is often stated of anything
        "text/html" | "application/xhtml+xml" => {
            if looks == Kind::Xml {
                Kind::Xml
            } else {
                Kind::Page
            }
        }
        "" | "text/plain" | "application/octet-stream" | "binary/octet-stream" => looks,
        "multipart/related" | "message/rfc822" => Kind::Page,
        "application/xml" | "text/xml" => {
            if is_html(bytes) {
                Kind::Page
            } else {
                Kind::Xml
            }
        }
        other if other.ends_with("+xml") && other != "image/svg+xml" => Kind::Xml,
        other => other_kind(other),
    }
}

fn other_kind(stated: &str) -> Kind {
    Kind::Other(match stated.split('/').next().unwrap_or_default() {
        "image" => "an image",
        "audio" => "a sound file",
        "video" => "a video",
        "font" => "a font",
        _ if stated == "application/pdf" => "a PDF document",
        _ if stated.contains("zip") || stated.contains("compressed") || stated.contains("x-tar") => {
            "an archive"
        }
        _ if stated.contains("javascript") => "a script",
        _ if stated == "text/css" => "a stylesheet",
        _ if stated.contains("officedocument")
            || stated.contains("opendocument")
            || stated.contains("ms-") =>
        {
            "an office document"
        }
        _ if stated.starts_with("text/") => return Kind::Page,
        _ => "a file that is no page",
    })
}

fn looks_like(bytes: &[u8]) -> Kind {
    let start = first_bytes(bytes);
    let is_json = matches!(start.first(), Some(b'{' | b'['))
        && start.get(1).is_some_and(|b| {
            // braces of text, such as wiki links or templates, are no JSON
            matches!(
                b,
                b'"' | b'{' | b'[' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t' | b'-' | b'0'
                    ..=b'9' | b't' | b'f' | b'n'
            )
        });
    let parses = || serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok() || is_lines(bytes);
    if is_json && parses() {
        return Kind::Json;
    }
    let named = |name: &str| {
        let rest = start.strip_prefix(name.as_bytes());
        rest.is_some_and(|rest| {
            rest.first().is_none_or(|b| matches!(b, b' ' | b'>' | b'\n' | b'\r' | b'\t' | b':'))
        })
    };
    let declared = start.starts_with(b"<?xml") && !is_html(bytes);
    let is_feed = ["<rss", "<feed", "<rdf:RDF", "<urlset", "<sitemapindex"].into_iter().any(named);
    if declared || is_feed { Kind::Xml } else { Kind::Page }
}

/// The first line is an object of its own.
fn is_lines(bytes: &[u8]) -> bool {
    let line = bytes.split(|b| *b == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    line.trim_ascii().starts_with(b"{") && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok()
}

/// The beginning without a byte order mark and white space.
fn first_bytes(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.trim_ascii_start()
}

/// XML whose first kilobytes have an `html` element or its document type.
fn is_html(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(2048)];
    let lower = head.to_ascii_lowercase();
    let has = |what: &[u8]| lower.windows(what.len()).any(|window| window == what);
    has(b"<html") || has(b"<!doctype html")
}

/// The charset that an XML declaration names.
pub fn declared_charset(bytes: &[u8]) -> Option<&str> {
    let start = first_bytes(bytes);
    let declaration = start.strip_prefix(b"<?xml")?;
    let declaration =
        std::str::from_utf8(declaration.get(..declaration.len().min(200))?.split(|b| *b == b'?').next()?)
            .ok()?;
    let rest = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    rest[1..].split(quote).next().filter(|name| !name.is_empty())
}

/// The lists of a JSON document or of lines of JSON. The error says where it is wrong.
pub fn json(text: &str, url: Option<&str>, request: &Request) -> Result<Answer, String> {
    let mut values: Vec<Value> = Vec::new();
    let mut wrong = None;
    for value in Deserializer::from_str(text.trim_start_matches('\u{feff}')).into_iter::<Value>() {
        match value {
            Ok(value) => values.push(value),
            Err(error) => {
                wrong = Some(error.to_string());
                break;
            }
        }
    }
    if let (Some(why), true) = (&wrong, values.is_empty()) {
        return Err(format!("not valid JSON: {why}"));
    }
    let mut document = if values.len() == 1 { values.remove(0) } else { Value::Array(values) };
    rows::to_objects(&mut document);
    let mut extraction = read(&document, url, request);
    if let Some(why) = wrong {
        extraction
            .warnings
            .extend([Warning::Note(format!("not valid JSON from there: {why}")), Warning::Cut]);
    }
    Ok(extraction)
}

/// The lists of an XML document. The error says where it is wrong; what was read before is given with a warning.
pub fn xml(text: &str, url: Option<&str>, request: &Request) -> Result<Answer, String> {
    let (document, wrong) = xml::to_value(text);
    let mut extraction = read(&document, url, request);
    if let Some(why) = wrong {
        if extraction.regions.is_empty() {
            return Err(format!("not valid XML: {why}"));
        }
        extraction.warnings.extend([Warning::Note(format!("not valid XML from there: {why}")), Warning::Cut]);
    }
    extraction.page.title = title(&document);
    Ok(extraction)
}

/// The title of a feed.
fn title(document: &Value) -> Option<String> {
    let root = document.as_object()?.values().next()?;
    let title = root.get("channel").unwrap_or(root).get("title")?;
    title.as_str().or_else(|| title.get("text")?.as_str()).map(str::to_owned)
}

fn read(document: &Value, url: Option<&str>, request: &Request) -> Answer {
    let base = BaseUrl::at(url);
    let mut left = CELLS;
    let mut found: Vec<Objects> = lists("", document, &mut left);
    let mut lists: Vec<Region> = Vec::new();
    found.sort_by_key(|objects| std::cmp::Reverse(worth(objects)));
    for objects in found.iter().take(if request.all || request.choice.is_some() { LISTS } else { 1 }) {
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

/// Where a document says that it goes on: an address under a key that says "next".
fn next(document: &Value) -> Option<&str> {
    const KEYS: [&str; 7] =
        ["next", "next_url", "nextUrl", "next_page_url", "nextPageUrl", "next_href", "nextLink"];
    const HOLDERS: [&str; 8] =
        ["links", "_links", "paging", "pagination", "meta", "page", "info", "page_info"];
    let is_address = |text: &&str| text.starts_with(['/', '?']) || text.contains("://");
    let holders = std::iter::once(document).chain(HOLDERS.iter().filter_map(|key| document.get(key)));
    let mut values = holders.flat_map(|holder| KEYS.iter().filter_map(|key| holder.get(key)));
    values.find_map(|value| value.as_str().or_else(|| value.get("href")?.as_str()).filter(is_address))
}

/// Longer lists of objects with more fields are worth more; what lies deep inside belongs to something else.
fn worth(objects: &Objects) -> usize {
    let depth = objects.path.matches(['.', '[']).count();
    let facets = !is_for_records(objects);
    objects.rows.len() * objects.keys.len().min(FIELDS) * 12 / (1 + depth) / if facets { 4 } else { 1 }
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
    fn what_a_document_is() {
        assert_eq!(kind(Some("text/html"), b"<p>x"), Kind::Page);
        assert_eq!(kind(Some("application/json"), b"nonsense"), Kind::Json);
        assert_eq!(kind(Some("application/geo+json"), b"{}"), Kind::Json);
        assert_eq!(kind(None, b" [{\"a\": 1}]"), Kind::Json);
        assert_eq!(kind(None, b"{\"a\": 1}\n{\"a\": 2}\n"), Kind::Json);
        assert_eq!(kind(None, b"[[wiki]] text <p>x"), Kind::Page);
        assert_eq!(kind(None, b"{ not json }<p>x"), Kind::Page);
        assert_eq!(kind(Some("application/rss+xml"), b"<rss>"), Kind::Xml);
        assert_eq!(kind(Some("text/html"), b"<?xml version='1.0'?><rss version=2>"), Kind::Xml);
        assert_eq!(kind(Some("text/xml"), b"<?xml version='1.0'?><!DOCTYPE html><html>"), Kind::Page);
        assert_eq!(kind(None, b"\xef\xbb\xbf<?xml version='1.0'?><things>"), Kind::Xml);
        assert_eq!(kind(None, b"<feedback>x"), Kind::Page);
        assert_eq!(kind(Some("application/pdf"), b"%PDF-1.7"), Kind::Other("a PDF document"));
        assert_eq!(kind(Some("image/png"), b""), Kind::Other("an image"));
    }

    #[test]
    fn json_gives_its_richest_list() {
        let text = r#"{"tags": [{"t": 1}, {"t": 2}, {"t": 3}],
            "results": [{"id": 7, "name": "Oak", "height": {"m": "12.50"}, "where": "Kew"},
                        {"id": 8, "name": "Ash", "height": {"m": 9}, "where": "Kew"}]}"#;
        let found = json(text, Some("https://a.example/api"), &Request::default()).unwrap();
        let list = found.primary().unwrap();
        assert_eq!(column(list, "name"), ["Oak", "Ash"]);
        assert_eq!(column(list, "height_m"), ["12.50", "9"]);
        // a field that says the same everywhere is data here
        assert_eq!(column(list, "where"), ["Kew", "Kew"]);
        assert_eq!(list.xpath(), "results");
    }

    #[test]
    fn lines_of_json_are_a_list_up_to_the_first_fault() {
        let found =
            json("{\"a\": 1, \"b\": \"x\"}\n{\"a\": 2, \"b\": \"y\"}\n{\"a\":", None, &Request::default())
                .unwrap();
        assert_eq!(column(found.primary().unwrap(), "b"), ["x", "y"]);
        assert!(found.is_partial() && found.warnings.len() == 2);
        let error = json("[{\"a\": 1},", None, &Request::default()).unwrap_err();
        assert!(error.contains("line 1"), "{error}");
    }

    #[test]
    fn data_says_where_it_goes_on() {
        let next = |rest: &str| {
            let text = format!(r#"{{"results": [{{"a": 1, "b": 2}}, {{"a": 2, "b": 3}}], {rest}}}"#);
            json(&text, Some("https://a.example/api?p=1"), &Request::default()).unwrap().page.next
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
    fn rows_with_names_of_columns_are_records() {
        let text = r#"{"rows": [[1, "Oak", null], [2, "Ash", "Kew"]], "columns": ["id", "name", "where"], "n": [[1, 2], [3, 4]]}"#;
        let found = json(text, None, &Request::default()).unwrap();
        assert_eq!(column(found.primary().unwrap(), "name"), ["Oak", "Ash"]);
        assert_eq!(column(found.primary().unwrap(), "where"), ["", "Kew"]);
        // the first row may name them
        let found = json(r#"[["id", "name"], [1, "Oak"], [2, "Ash"]]"#, None, &Request::default()).unwrap();
        assert_eq!(column(found.primary().unwrap(), "id"), ["1", "2"]);
        assert!(json("[[1, 2], [3, 4]]", None, &Request::default()).unwrap().primary().is_none());
    }

    #[test]
    fn one_object_in_a_list_is_a_record() {
        let found = json(r#"{"items": [{"name": "Oak", "m": 3}]}"#, None, &Request::default()).unwrap();
        assert_eq!(found.primary().unwrap().records.len(), 1);
    }

    #[test]
    fn feeds_are_lists() {
        let rss = "<?xml version='1.0'?><rss version='2.0'><channel><title>News &amp; more</title><link>https://n.example/</link>\
            <item><title>One</title><link>https://n.example/1</link><description><![CDATA[<p>First <b>text</b></p>]]></description></item>\
            <item><title>Two &lt;3</title><link>https://n.example/2</link><description>Second</description></item></channel></rss>";
        let found = xml(rss, None, &Request::default()).unwrap();
        let list = found.primary().unwrap();
        assert_eq!(found.page.title.as_deref(), Some("News & more"));
        assert_eq!(column(list, "title"), ["One", "Two <3"]);
        assert_eq!(column(list, "link"), ["https://n.example/1", "https://n.example/2"]);
        assert_eq!(column(list, "description"), ["First text", "Second"]);
        let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><title type='text'>F</title>\
            <entry><title>One</title><link rel='self' href='/x'/><link href='/1'/><author><name>Ann</name></author></entry>\
            <entry><title>Two</title><link rel='alternate' href='/2'/><author><name>Bob</name></author></entry></feed>";
        let found = xml(atom, Some("https://n.example/feed"), &Request::default()).unwrap();
        let list = found.primary().unwrap();
        assert_eq!(column(list, "link"), ["https://n.example/1", "https://n.example/2"]);
        assert_eq!(column(list, "author_name"), ["Ann", "Bob"]);
        assert_eq!(found.page.title.as_deref(), Some("F"));
    }

    #[test]
    fn broken_and_hostile_xml_ends() {
        let cut = "<rss><channel><item><title>a</title></item><item><title>b</title></item><item><title>c";
        let found = xml(cut, None, &Request::default()).unwrap();
        assert_eq!(column(found.primary().unwrap(), "title")[..2], ["a", "b"]);
        assert!(found.is_partial() && found.warnings.len() == 2);
        assert!(xml("<a><b></a>", None, &Request::default()).is_err());
        let deep = "<a>".repeat(100_000);
        assert!(xml(&deep, None, &Request::default()).is_err());
        // entities that a document defines are not expanded
        let bomb = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><x><i><t>&b;</t></i><i><t>1</t></i></x>";
        assert_eq!(
            column(xml(bomb, None, &Request::default()).unwrap().primary().unwrap(), "t"),
            ["&b;", "1"]
        );
    }

    #[test]
    fn charsets_of_declarations_are_read() {
        assert_eq!(declared_charset(b"<?xml version='1.0' encoding='ISO-8859-1'?><a/>"), Some("ISO-8859-1"));
        assert_eq!(declared_charset(b"<?xml version='1.0'?><a encoding='x'/>"), None);
        assert_eq!(declared_charset(b"<a/>"), None);
    }
}
