//! What the head of an answer says: kind and charset of the body, the `Link` header, whether it may be kept.

use reqwest::header::{self, HeaderMap, HeaderName};
use url::Url;

const MAX_LINKS: usize = 100;

/// A header as text; bytes that are no UTF-8 are replaced.
pub(crate) fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned())
}

/// All headers of a name.
pub(crate) fn texts(headers: &HeaderMap, name: &HeaderName) -> Vec<String> {
    headers
        .get_all(name)
        .iter()
        .map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned())
        .collect()
}

/// `text/html; charset="utf-8"` in its parts.
pub(crate) fn content_type(headers: &HeaderMap) -> (Option<String>, Option<String>) {
    let Some(value) = text(headers, &header::CONTENT_TYPE) else { return (None, None) };
    let mut parts = value.split(';').map(str::trim);
    let kind = parts.next().filter(|kind| !kind.is_empty()).map(str::to_ascii_lowercase);
    let charset = parts.find_map(|part| {
        let (key, value) = part.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        (key.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
    });
    (kind, charset)
}

/// May the answer be kept on disk?
pub(crate) fn may_store(headers: &HeaderMap) -> bool {
    let directives = texts(headers, &header::CACHE_CONTROL).join(",").to_ascii_lowercase();
    !directives.split(',').any(|directive| directive.trim() == "no-store")
}

/// `<url>; rel="next last"` as pairs of relation and absolute address (RFC 8288); O(length).
pub(crate) fn links(headers: &HeaderMap, base: &Url) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for value in texts(headers, &header::LINK) {
        let mut rest = value.as_str();
        while let Some((address, behind)) =
            rest.split_once('<').and_then(|(_, behind)| behind.split_once('>'))
        {
            let (parameters, next) = behind.split_at(end_of_link(behind));
            rest = next;
            let Ok(address) = base.join(address.trim()) else { continue };
            for relation in relations(parameters) {
                if found.len() >= MAX_LINKS {
                    return found;
                }
                found.push((relation, address.to_string()));
            }
        }
    }
    found
}

/// Where the next link begins: at a comma outside of quotes.
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
    fn links_are_read_with_their_relations() {
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
        assert_eq!(read(&"<b>; rel=next,".repeat(500)).len(), MAX_LINKS);
    }

    #[test]
    fn kind_and_charset() {
        let read = |value: &str| content_type(&headers("content-type", value));
        let both = |kind: &str, charset: &str| (Some(kind.to_owned()), Some(charset.to_owned()));
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
