//! How a page's script asks for the next part of a list.
//!
//! In: the request for the last part and its response, and those of the part before it if they were seen. Out: a
//! [`NextRequest`], which gives the URL of the next request: from numbers in the URL that move by one or by the size
//! of a part, from a URL or a cursor in the response, or from a value of the last object. With one request alone,
//! the name of a parameter has to say what it is. O(length of the URLs + leaves of the response).

use copal_extract::paging::{UrlRule, learn_url_rule};
use serde_json::Value;
use url::Url;

use super::json_objects::{KeyPath, array_at, document_leaves, leaf_text, value_at};

/// Parameters that count pages.
const PAGE_PARAMETERS: &[&str] =
    &["page", "p", "pg", "paged", "pageno", "pagenum", "pagenumber", "pageindex", "currentpage", "pageid"];
/// Parameters that count records.
const OFFSET_PARAMETERS: &[&str] =
    &["offset", "start", "skip", "from", "first", "startindex", "startat", "begin"];
/// Characters of a cursor that cannot be a count by accident.
const MIN_CURSOR_CHARS: usize = 2;

/// A part of a list: what was asked for, and what came.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListPart<'a> {
    pub(crate) url: &'a str,
    pub(crate) document: &'a Value,
    /// Where the array of objects is.
    pub(crate) array: &'a [String],
}

impl ListPart<'_> {
    fn size(&self) -> u64 {
        array_at(self.document, self.array).map_or(0, |items| items.len() as u64)
    }
}

/// How the next request is made; see the module.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NextRequest {
    /// Numbers in the URL move; the count is that of the next request.
    Numbers { rule: UrlRule, next: u64 },
    /// A parameter counts pages or records.
    Parameter { name: String, step: u64 },
    /// The response has the URL at one of these places, which agree.
    Url { places: Vec<KeyPath> },
    /// The response has the value of a parameter at these places, which agree.
    Cursor { name: String, places: Vec<KeyPath> },
    /// The last object has the value of a parameter.
    LastObject { name: String, key: KeyPath },
}

impl NextRequest {
    /// Learns how the next request is made from the last two, or from the last one.
    pub(crate) fn learn(previous: Option<ListPart<'_>>, last: ListPart<'_>) -> Option<NextRequest> {
        let Some(previous) = previous else { return single_parameter(last) };
        url_in_response(previous, last)
            .or_else(|| moving_numbers(previous, last))
            .or_else(|| cursor_in_response(previous, last))
            .or_else(|| value_of_last_object(previous, last))
    }

    /// The URL of the next request after this part; `None` if the response says that there is none.
    pub(crate) fn url_after(&mut self, part: ListPart<'_>) -> Option<String> {
        match self {
            NextRequest::Numbers { rule, next } => {
                let url = rule.nth(*next)?;
                *next += 1;
                Some(url)
            }
            NextRequest::Parameter { name, step } => {
                let value: u64 = parameter(part.url, name)?.parse().ok()?;
                with_parameter(part.url, name, &value.checked_add(*step)?.to_string())
            }
            NextRequest::Url { places } => {
                let text = agreed_text(part.document, places)?;
                Some(Url::parse(part.url).ok()?.join(&text).ok()?.into())
            }
            NextRequest::Cursor { name, places } => {
                with_parameter(part.url, name, &agreed_text(part.document, places)?)
            }
            NextRequest::LastObject { name, key } => {
                let object = array_at(part.document, part.array)?.last()?;
                with_parameter(part.url, name, &leaf_text(value_at(object, key)?)?)
            }
        }
    }
}

/// The text at places that have the same one.
fn agreed_text(document: &Value, places: &[KeyPath]) -> Option<String> {
    let mut texts = places.iter().map(|place| leaf_text(value_at(document, place)?));
    let first = texts.next()??;
    texts.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

fn url_in_response(previous: ListPart<'_>, last: ListPart<'_>) -> Option<NextRequest> {
    let (base, wanted) = (Url::parse(previous.url).ok()?, Url::parse(last.url).ok()?);
    let is_wanted = |leaf: &Value| {
        let text = leaf.as_str().filter(|text| text.contains(['/', '?']));
        text.and_then(|text| base.join(text).ok()).is_some_and(|url| url == wanted)
    };
    let places = places_of(previous.document, &is_wanted);
    (!places.is_empty()).then_some(NextRequest::Url { places })
}

fn places_of(document: &Value, is_wanted: &dyn Fn(&Value) -> bool) -> Vec<KeyPath> {
    let leaves = document_leaves(document).into_iter();
    leaves.filter(|(_, leaf)| is_wanted(leaf)).map(|(place, _)| place).collect()
}

fn moving_numbers(previous: ListPart<'_>, last: ListPart<'_>) -> Option<NextRequest> {
    let rule = learn_url_rule(&[previous.url, last.url])?;
    let size = previous.size();
    // identifiers of records move too, but not by these steps
    let is_known = rule.steps().all(|step| step == 1 || step == size);
    is_known.then_some(NextRequest::Numbers { rule, next: 2 })
}

/// The one parameter whose value is new in the last request.
fn changed_parameter(previous: ListPart<'_>, last: ListPart<'_>) -> Option<(String, String)> {
    let (before, after) = (Url::parse(previous.url).ok()?, Url::parse(last.url).ok()?);
    if before.path() != after.path() {
        return None;
    }
    let known: Vec<(String, String)> = before.query_pairs().into_owned().collect();
    let mut new = after.query_pairs().into_owned().filter(|pair| !known.contains(pair));
    let changed = new.next()?;
    new.next().is_none().then_some(changed)
}

fn cursor_in_response(previous: ListPart<'_>, last: ListPart<'_>) -> Option<NextRequest> {
    let (name, value) = changed_parameter(previous, last)?;
    if value.chars().count() < MIN_CURSOR_CHARS {
        return None;
    }
    let places = places_of(previous.document, &|leaf| leaf_text(leaf).as_ref() == Some(&value));
    (!places.is_empty()).then_some(NextRequest::Cursor { name, places })
}

fn value_of_last_object(previous: ListPart<'_>, last: ListPart<'_>) -> Option<NextRequest> {
    let (name, value) = changed_parameter(previous, last)?;
    let object = array_at(previous.document, previous.array)?.last()?;
    let mut keys = places_of(object, &|leaf| leaf_text(leaf).as_ref() == Some(&value)).into_iter();
    let key = keys.next()?;
    // with several keys, it is unknown which one the script takes
    keys.next().is_none().then_some(NextRequest::LastObject { name, key })
}

fn single_parameter(last: ListPart<'_>) -> Option<NextRequest> {
    let url = Url::parse(last.url).ok()?;
    let step_of = |name: &str| {
        let plain: String =
            name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
        let is_one_of = |names: &[&str]| names.contains(&plain.as_str());
        if is_one_of(PAGE_PARAMETERS) {
            Some(1)
        } else {
            is_one_of(OFFSET_PARAMETERS).then(|| last.size()).filter(|&size| size > 0)
        }
    };
    let mut found =
        url.query_pairs().filter(|(_, value)| value.parse::<u64>().is_ok()).filter_map(|(name, _)| {
            let step = step_of(&name)?;
            Some(NextRequest::Parameter { name: name.into_owned(), step })
        });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

fn parameter(url: &str, name: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    url.query_pairs().find(|(own, _)| own == name).map(|(_, value)| value.into_owned())
}

/// The URL with another value of a parameter, which is added if it is missing.
fn with_parameter(url: &str, name: &str, value: &str) -> Option<String> {
    let mut url = Url::parse(url).ok()?;
    let mut pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    match pairs.iter_mut().find(|(own, _)| own == name) {
        Some((_, old)) => value.clone_into(old),
        None => pairs.push((name.to_owned(), value.to_owned())),
    }
    url.query_pairs_mut().clear().extend_pairs(pairs);
    Some(url.into())
}

/// The number of records that both responses announce: an integer at the same place whose name says so.
pub(crate) fn announced_total(previous: &Value, last: &Value) -> Option<u64> {
    let is_total = |place: &KeyPath| {
        let name = place.last().map(|name| name.to_lowercase()).unwrap_or_default();
        let is_pages = name.contains("page");
        !is_pages && (name.contains("total") || matches!(name.as_str(), "count" | "hits" | "numfound"))
    };
    let totals: Vec<u64> = document_leaves(last)
        .into_iter()
        .filter(|(place, leaf)| is_total(place) && value_at(previous, place) == Some(leaf))
        .filter_map(|(_, leaf)| leaf.as_u64())
        .collect();
    match totals.as_slice() {
        [total] => Some(*total),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const HOST: &str = "https://shop.example";

    fn part<'a>(url: &'a str, document: &'a Value, array: &'a [String]) -> ListPart<'a> {
        ListPart { url, document, array }
    }

    /// The URLs that follow the first two requests, as long as responses last.
    fn following(urls: &[&str], documents: &[Value]) -> Vec<String> {
        let array = ["items".to_owned()];
        let urls: Vec<String> = urls.iter().map(|url| format!("{HOST}{url}")).collect();
        let Some(mut next) = NextRequest::learn(
            Some(part(&urls[0], &documents[0], &array)),
            part(&urls[1], &documents[1], &array),
        ) else {
            return vec!["nothing learned".to_owned()];
        };
        let mut found = Vec::new();
        let mut url = urls[1].clone();
        for document in &documents[1..] {
            let Some(after) = next.url_after(part(&url, document, &array)) else { break };
            found.push(after.trim_start_matches(HOST).to_owned());
            url = after;
        }
        found
    }

    fn items(ids: &[u64]) -> Value {
        json!({ "items": ids.iter().map(|id| json!({ "id": id })).collect::<Vec<_>>() })
    }

    #[test]
    fn pages_and_offsets_are_continued() {
        let three = [items(&[4, 5]), items(&[6, 7]), items(&[8])];
        for (urls, wanted) in [
            (["/i.json?page=1", "/i.json?page=2"], ["/i.json?page=3", "/i.json?page=4"]),
            (["/i.json", "/i.json?page=2"], ["/i.json?page=3", "/i.json?page=4"]),
            (["/i?from=0&n=2", "/i?from=2&n=2"], ["/i?from=4&n=2", "/i?from=6&n=2"]),
            (
                ["/i?range=%5B0%2C1%5D", "/i?range=%5B2%2C3%5D"],
                ["/i?range=%5B4%2C5%5D", "/i?range=%5B6%2C7%5D"],
            ),
            (["/i/page1.json", "/i/page2.json"], ["/i/page3.json", "/i/page4.json"]),
        ] {
            assert_eq!(following(&urls, &three), wanted, "{urls:?}");
        }
    }

    #[test]
    fn cursors_and_urls_come_from_the_response() {
        let with = |ids: &[u64], key: &str, value: Value| {
            let mut document = items(ids);
            document["meta"] = json!({ key: value });
            document
        };
        let cursors = [
            with(&[1, 2], "next", json!("Zm9v")),
            with(&[3, 4], "next", json!("YmFy/x")),
            with(&[5], "next", Value::Null),
        ];
        assert_eq!(following(&["/i", "/i?after=Zm9v"], &cursors), ["/i?after=YmFy%2Fx"]);
        let urls = [
            with(&[1], "next", json!("/i?c=a1")),
            with(&[2], "next", json!(format!("{HOST}/i?c=b7"))),
            with(&[3], "next", json!("")),
        ];
        assert_eq!(following(&["/i", "/i?c=a1"], &urls), ["/i?c=b7"]);
        let keys = [items(&[90, 71]), items(&[64, 52]), items(&[33])];
        assert_eq!(following(&["/i", "/i?before=71"], &keys), ["/i?before=52", "/i?before=33"]);
    }

    #[test]
    fn unclear_requests_are_not_continued() {
        let two = [items(&[4, 5]), items(&[6, 7])];
        for urls in [
            ["/i?c=x7f2", "/i?c=k2p9"],
            ["/i?page=1&t=88123", "/i?page=2&t=99712"],
            ["/i?from=0", "/i?from=50"],
            ["/a?page=1", "/b?page=2"],
            ["/i?page=2", "/i?page=1"],
        ] {
            assert_eq!(following(&urls, &two), ["nothing learned"], "{urls:?}");
        }
    }

    #[test]
    fn one_request_is_enough_if_a_parameter_says_what_it_is() {
        let (document, array) = (items(&[1, 2, 3]), ["items".to_owned()]);
        let next = |query: &str| {
            let url = format!("{HOST}/i?{query}");
            let part = ListPart { url: &url, document: &document, array: &array };
            let found = NextRequest::learn(None, part)?.url_after(part)?;
            Some(found.rsplit('?').next().unwrap_or_default().to_owned())
        };
        assert_eq!(next("page=2&sort=name").as_deref(), Some("page=3&sort=name"));
        assert_eq!(next("_start=3&limit=3").as_deref(), Some("_start=6&limit=3"));
        assert_eq!((next("id=7"), next("page=last"), next("page=1&start=0")), (None, None, None));
    }

    #[test]
    fn totals_are_announced_by_name() {
        let total = |last: Value| announced_total(&json!({ "total": 60, "pages": 3, "page": 1 }), &last);
        assert_eq!(total(json!({ "total": 60, "pages": 3, "page": 2 })), Some(60));
        assert_eq!(total(json!({ "total": 61 })), None);
        assert_eq!(announced_total(&json!({ "total_pages": 3 }), &json!({ "total_pages": 3 })), None);
    }
}
