//! Reads response headers: media type and charset of the body, `Link` headers, and whether the response may
//! be stored. O(length of the headers).

use reqwest::header::{self, HeaderMap, HeaderName};
use url::Url;

const MAX_HEADER_LINKS: usize = 100;

/// The first header with this name. Bytes that are not UTF-8 are replaced.
pub(crate) fn header_value(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned())
}

/// All headers with this name.
pub(crate) fn header_values(headers: &HeaderMap, name: &HeaderName) -> Vec<String> {
    headers
        .get_all(name)
        .iter()
        .map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned())
        .collect()
}

/// Media type and charset of `text/html; charset="utf-8"`.
pub(crate) fn content_type(headers: &HeaderMap) -> (Option<String>, Option<String>) {
    let Some(value) = header_value(headers, &header::CONTENT_TYPE) else { return (None, None) };
    let mut parts = value.split(';').map(str::trim);
    let media_type = parts.next().filter(|name| !name.is_empty()).map(str::to_ascii_lowercase);
    let charset = parts.find_map(|part| {
        let (key, value) = part.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        (key.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
    });
    (media_type, charset)
}

/// True if the response may be stored on disk.
pub(crate) fn may_store(headers: &HeaderMap) -> bool {
    let directives = header_values(headers, &header::CACHE_CONTROL).join(",").to_ascii_lowercase();
    !directives.split(',').any(|directive| directive.trim() == "no-store")
}

/// `<url>; rel="next last"` as pairs of relation and absolute URL (RFC 8288).
pub(crate) fn links(headers: &HeaderMap, base: &Url) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for value in header_values(headers, &header::LINK) {
        let mut rest = value.as_str();
        while let Some((reference, after)) = rest.split_once('<').and_then(|(_, after)| after.split_once('>'))
        {
            let (parameters, next) = after.split_at(end_of_link(after));
            rest = next;
            let Ok(url) = base.join(reference.trim()) else { continue };
            for relation in relations(parameters) {
                if found.len() >= MAX_HEADER_LINKS {
                    return found;
                }
                found.push((relation, url.to_string()));
            }
        }
    }
    found
}

/// Where a link ends: at a comma outside quotes.
fn end_of_link(parameters: &str) -> usize {
    let mut quoted = false;
    let comma = parameters.find(|c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    });
    comma.unwrap_or(parameters.len())
}

fn relations(parameters: &str) -> Vec<String> {
    let rel = parameters.split(';').find_map(|part| {
        let (key, value) = part.split_once('=')?;
        key.trim().eq_ignore_ascii_case("rel").then_some(value)
    });
    rel.unwrap_or_default()
        .split(['"', ' ', '\t'])
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(HeaderName::from_static(name), value.parse().unwrap())])
    }

    #[test]
    fn links_have_their_relations() {
        let base = Url::parse("https://a.example/list?p=2").unwrap();
        let read = |value: &str| links(&headers("link", value), &base);
        let pair = |relation: &str, url: &str| (relation.to_owned(), url.to_owned());
        assert_eq!(
            read(r#"<?p=3>; rel="next", </x,y;z>; title="a, b <c>"; REL=Prev"#),
            [pair("next", "https://a.example/list?p=3"), pair("prev", "https://a.example/x,y;z")]
        );
        assert_eq!(read(r#"<b>; rel="next last""#).len(), 2);
        assert_eq!(
            (read("<b>"), read("<b"), read("b>; rel=next"), read("<>; rel")),
            (vec![], vec![], vec![], vec![])
        );
        assert_eq!(read(&"<b>; rel=next,".repeat(500)).len(), MAX_HEADER_LINKS);
    }

    #[test]
    fn media_type_and_charset_are_read() {
        let read = |value: &str| content_type(&headers("content-type", value));
        let both = |media_type: &str, charset: &str| (Some(media_type.to_owned()), Some(charset.to_owned()));
        assert_eq!(read("Text/HTML; x=y; Charset=\"UTF-8\""), both("text/html", "UTF-8"));
        assert_eq!(read("text/html;charset="), (Some("text/html".to_owned()), None));
        assert_eq!(read(""), (None, None));
    }

    #[test]
    fn no_store_is_found() {
        assert!(!may_store(&headers("cache-control", "private, No-Store")));
        assert!(may_store(&headers("cache-control", "no-cache, max-age=0")));
    }
}
