//! Header fields of any response: media type, links and cookies are read within their bounds, and what is sent back
//! is a valid header of the same host.

use crate::cookie_jar::CookieJar;
use crate::response_headers::{content_type, links, may_store};
use reqwest::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LINK};
use url::Url;

const FIELDS: [HeaderName; 3] = [CACHE_CONTROL, CONTENT_TYPE, LINK];

pub(crate) fn check(bytes: &[u8]) {
    let base = Url::parse("https://www.a.example/shop/list?p=2").expect("a URL");
    let mut headers = HeaderMap::new();
    let jar = CookieJar::default();
    for line in bytes.split(|byte| *byte == b'\n') {
        // what clients of HTTP accept as a value
        let Ok(value) = HeaderValue::from_bytes(line) else { continue };
        for name in FIELDS {
            headers.append(name, value.clone());
        }
        jar.set(&base, &String::from_utf8_lossy(line));
    }
    let (media_type, charset) = content_type(&headers);
    assert!(media_type.is_none_or(|name| !name.is_empty() && !name.contains(';')));
    assert!(charset.is_none_or(|name| !name.is_empty()));
    let _ = may_store(&headers);
    let found = links(&headers, &base);
    assert!(found.len() <= 100, "{} links", found.len());
    for (relation, url) in &found {
        assert!(!relation.is_empty() && Url::parse(url).is_ok(), "{relation} {url}");
    }
    for receiver in ["https://www.a.example/shop/list", "http://a.example/", "https://a.example/shop/x"] {
        if let Some(sent) = jar.header(&Url::parse(receiver).expect("a URL")) {
            assert!(sent.split("; ").count() <= 50, "{sent}");
            assert!(HeaderValue::from_str(&sent).is_ok() || !sent.is_ascii(), "{sent:?} breaks a request");
        }
    }
    assert_eq!(jar.header(&Url::parse("https://b.example/").expect("a URL")), None);
    assert_eq!(jar.header(&Url::parse("https://sub.a.example/").expect("a URL")), None);
}
