//! URLs: resolved against their page, and made comparable. No other module should do either.
//!
//! In: URLs as pages write them, absolute or relative. Out: absolute URLs ([`BaseUrl`]), parts of URLs and
//! keys that are equal when two URLs lead to the same page. Cost: O(length of the URL).
//!
//! There is more than one key because "the same" depends on the question:
//!
//! | question | function |
//! |---|---|
//! | did we request this already? | [`request_key`]: only the fragment is ignored |
//! | do two links show the same page? | [`same_page`], [`page_key`]: scheme, `www.`, case, last slash too |
//! | does a link in data mean a link on the page, where one of them may lack the host? | [`path_and_query`] |
//! | is this another website? | [`same_host`], [`same_site`] |
//! | is this saved file what a link of another saved file leads to? | [`file_key`], [`linked_file_key`] |
//!
//! Keys work on text that is not a valid URL as well: pages contain many, and a link that cannot be requested
//! may still say which record it belongs to.

use crate::page::Page;
use crate::{attrs, tags};
use std::path::{Component, Path, PathBuf};

pub use ::url::{ParseError, Position, Url};

/// What relative URLs of a page are resolved against.
#[derive(Debug, Clone, Default)]
pub struct BaseUrl(Option<Url>);

impl BaseUrl {
    /// The first `<base href>`, resolved against the page's own URL; without one, that URL.
    pub fn of(page: &Page) -> BaseUrl {
        let own = page.url.as_deref().and_then(|url| Url::parse(url).ok());
        let base = page.tree.find(tags::BASE).and_then(|node| page.tree.attr(node, attrs::HREF));
        let stated = base.and_then(|href| match &own {
            Some(own) => own.join(href.trim()).ok(),
            None => Url::parse(href.trim()).ok(),
        });
        BaseUrl(stated.or(own))
    }

    /// The URL of a document that is not a page, such as JSON or a feed.
    pub fn at(url: Option<&str>) -> BaseUrl {
        BaseUrl(url.and_then(|url| Url::parse(url).ok()))
    }

    /// No base: URLs stay as they are.
    pub fn unknown() -> BaseUrl {
        BaseUrl(None)
    }

    /// The URL itself, if it is known.
    pub fn url(&self) -> Option<&Url> {
        self.0.as_ref()
    }

    /// The absolute URL, or `text` unchanged if the base is unknown or `text` is not a URL.
    pub fn resolve(&self, text: &str) -> String {
        let absolute = self.0.as_ref().and_then(|base| base.join(text.trim()).ok());
        absolute.map_or_else(|| text.to_owned(), String::from)
    }
}

/// True for a URL with a scheme and a host, however odd; false for relative ones and for file names.
pub fn is_absolute(url: &str) -> bool {
    after_scheme(url).is_some()
}

/// What follows `https://`. A URL inside another one's query does not make it absolute.
fn after_scheme(url: &str) -> Option<&str> {
    let is_scheme = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let (scheme, rest) = url.split_once("://")?;
    (!scheme.is_empty() && scheme.bytes().all(is_scheme)).then_some(rest)
}

/// A link to a page: `href` trimmed, unless it is empty, a fragment of its own page, or has a scheme other
/// than HTTP (`javascript:`, `mailto:`, `tel:` …).
pub fn page_link(href: &str) -> Option<&str> {
    let href = href.trim();
    let scheme = href.split(['/', '?', '#']).next().and_then(|start| start.split_once(':'));
    let is_http = |scheme: &str| scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let leads = !href.is_empty() && !href.starts_with('#');
    (leads && scheme.is_none_or(|(scheme, _)| is_http(scheme))).then_some(href)
}

/// The URL, trimmed, without its fragment.
pub fn without_fragment(url: &str) -> &str {
    let url = url.trim();
    url.split_once('#').map_or(url, |(before, _)| before)
}

/// The URL before its query, and the query (empty if there is none). The fragment belongs to neither.
pub fn split_query(url: &str) -> (&str, &str) {
    let url = without_fragment(url);
    url.split_once('?').unwrap_or((url, ""))
}

/// Path and query, as written: the URL without scheme, host and fragment.
///
/// Use it to compare URLs of one page where some are absolute and others are not, and the page's own URL is
/// unknown.
pub fn path_and_query(url: &str) -> &str {
    let url = without_fragment(url);
    match after_scheme(url).or_else(|| url.strip_prefix("//")) {
        Some(rest) => rest.find(['/', '?']).map_or("", |at| &rest[at..]),
        None => url,
    }
}

/// A key that is equal for URLs that a server cannot tell apart: parsed, normalised and without the fragment.
///
/// Use it to avoid requests for the same thing. It is strict, because a wrong match would skip a page: `http`
/// and `https` differ, and so do `/a` and `/a/`. Text that is not an absolute URL is its own key.
pub fn request_key(url: &str) -> String {
    match Url::parse(url) {
        Ok(mut url) => {
            url.set_fragment(None);
            url.into()
        }
        Err(_) => url.to_owned(),
    }
}

/// A key that is equal for URLs that show the same page: scheme, `www.`, fragment, last slash and case are
/// ignored.
///
/// Use it to find the page that a link leads to among pages that are known already. Some servers distinguish
/// the case of paths. It is ignored all the same: a missed match loses the fields of a record, while a wrong
/// one needs two pages of one site that differ in nothing else.
pub fn page_key(url: &str) -> String {
    let url = without_fragment(url);
    let url = after_scheme(url).unwrap_or(url).trim_end_matches('/').to_lowercase();
    url.strip_prefix("www.").map(str::to_owned).unwrap_or(url)
}

/// True if both URLs show the same page; see [`page_key`]. Resolve relative URLs first.
pub fn same_page(a: &str, b: &str) -> bool {
    page_key(a) == page_key(b)
}

/// The host without `www.`, which sites add and drop freely.
pub fn bare_host(url: &Url) -> Option<&str> {
    url.host_str().map(|host| host.strip_prefix("www.").unwrap_or(host))
}

/// True if both URLs have the same host, with or without `www.`. Two URLs without hosts are equal in this.
pub fn same_host(a: &Url, b: &Url) -> bool {
    bare_host(a) == bare_host(b)
}

/// True if both hosts belong to one website: they are equal except for `www.`, or one is a subdomain of the
/// other.
///
/// Ports do not matter. This does not know public suffixes: it compares hosts that link to each other, of
/// which one is known to be a website.
pub fn same_site(a: &Url, b: &Url) -> bool {
    let is_within = |a: &str, b: &str| a == b || a.strip_suffix(b).is_some_and(|rest| rest.ends_with('.'));
    match (bare_host(a), bare_host(b)) {
        (Some(a), Some(b)) => is_within(a, b) || is_within(b, a),
        _ => false,
    }
}

/// A key of a file: its path without `.` and `..`. Links (of the file system) are not resolved.
pub fn file_key(path: &Path) -> String {
    let mut key = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                key.pop();
            }
            other => key.push(other),
        }
    }
    key.display().to_string()
}

/// The [`file_key`] of the file that a relative link of a saved page leads to. None if either is on the web.
pub fn linked_file_key(file: &str, link: &str) -> Option<String> {
    if is_absolute(link) || is_absolute(file) {
        return None;
    }
    let (path, _) = split_query(link);
    if path.is_empty() {
        return None;
    }
    Some(file_key(&Path::new(file).parent()?.join(path)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn resolve(html: &str, url: Option<&str>, text: &str) -> String {
        let mut page = Page::from_text(html, &Limits::default());
        page.url = url.map(str::to_owned);
        BaseUrl::of(&page).resolve(text)
    }

    #[test]
    fn relative_urls_are_resolved_against_the_base_and_the_page() {
        let url = Some("https://shop.example/list/?page=2");
        assert_eq!(resolve("<p>x", url, "../p/1?a=b#c"), "https://shop.example/p/1?a=b#c");
        assert_eq!(resolve("<p>x", url, "?page=3"), "https://shop.example/list/?page=3");
        assert_eq!(resolve("<p>x", url, "//cdn.example/i.png"), "https://cdn.example/i.png");
        assert_eq!(resolve("<base href=/de/><p>x", url, "p/1"), "https://shop.example/de/p/1");
        assert_eq!(resolve("<base href='https://other.example/'>", None, "p/1"), "https://other.example/p/1");
    }

    #[test]
    fn urls_stay_as_they_are_without_a_base() {
        assert_eq!(resolve("<base href=/de/>", None, " p/1"), " p/1");
        assert_eq!(resolve("<p>x", Some("not a URL"), "/p/1"), "/p/1");
        assert_eq!(resolve("<p>x", Some("https://a.example/"), "https://[bad"), "https://[bad");
        assert_eq!(resolve("<p>x", Some("https://a.example/"), "mailto:a@b.example"), "mailto:a@b.example");
        assert_eq!(BaseUrl::unknown().resolve("/p/1"), "/p/1");
        assert_eq!(BaseUrl::at(Some("https://a.example/x/y.json")).resolve("z"), "https://a.example/x/z");
    }

    #[test]
    fn links_to_pages_are_told_from_scripts_and_fragments() {
        for href in ["/a", " a.html ", "?page=2", "HTTPS://a.example", "//a.example/x", "./a:b", "/a:b"] {
            assert_eq!(page_link(href), Some(href.trim()), "{href}");
        }
        for href in
            ["", "  ", "#", "#top", "javascript:void(0)", "JavaScript:x", "mailto:a@b.example", "tel:1"]
        {
            assert_eq!(page_link(href), None, "{href}");
        }
    }

    #[test]
    fn parts_are_slices_of_the_url() {
        assert_eq!(without_fragment(" /a?b=c#d#e "), "/a?b=c");
        assert_eq!(split_query("/a?b=c?d#e"), ("/a", "b=c?d"));
        assert_eq!(split_query("/a#b?c"), ("/a", ""));
        for (url, path) in [
            ("https://a.example/p/1?x=y#z", "/p/1?x=y"),
            ("//a.example/p/1", "/p/1"),
            ("https://a.example?x=y", "?x=y"),
            ("https://a.example", ""),
            ("/p//1", "/p//1"),
            ("p/1?u=https://b.example/", "p/1?u=https://b.example/"),
            ("", ""),
        ] {
            assert_eq!(path_and_query(url), path, "{url}");
        }
    }

    #[test]
    fn same_page_ignores_what_servers_ignore() {
        let url = "https://a.example/List?page=2";
        for same in [
            "http://a.example/List?page=2",
            "https://www.a.example/list?page=2#top",
            "HTTPS://WWW.A.example/List?page=2/",
        ] {
            assert!(same_page(url, same), "{same}");
        }
        for other in
            ["https://a.example/List?page=3", "https://a.example/List", "https://b.a.example/List?page=2"]
        {
            assert!(!same_page(url, other), "{other}");
        }
        assert!(same_page("https://a.example", "https://a.example/"));
        assert_eq!(page_key("www.a.example/x/"), "a.example/x");
        assert_eq!(page_key("/go?to=https://a.example/x"), "/go?to=https://a.example/x");
    }

    #[test]
    fn request_keys_differ_where_requests_may() {
        assert_eq!(request_key("HTTPS://A.example:443/x/../y#z"), "https://a.example/y");
        assert_ne!(request_key("http://a.example/"), request_key("https://a.example/"));
        assert_ne!(request_key("https://a.example/a"), request_key("https://a.example/a/"));
        assert_eq!(request_key("not a URL#x"), "not a URL#x");
    }

    #[test]
    fn hosts_are_compared_without_www() {
        let url = |text: &str| Url::parse(text).unwrap();
        let (a, www) = (url("https://a.example/x"), url("http://www.a.example:8080/y"));
        let (shop, other) = (url("https://shop.a.example/"), url("https://xa.example/"));
        assert!(same_host(&a, &www) && !same_host(&a, &shop));
        assert!(same_site(&a, &www) && same_site(&a, &shop) && same_site(&shop, &www));
        assert!(!same_site(&a, &other));
        assert!(!same_site(&url("mailto:a@b.example"), &url("mailto:a@b.example")));
    }

    #[test]
    fn files_are_found_by_their_links() {
        assert_eq!(file_key(Path::new("./a/../b/c.html")), file_key(Path::new("b/c.html")));
        let key = file_key(Path::new("site/p/1.html"));
        assert_eq!(linked_file_key("site/list/1.html", "../p/1.html?x#y"), Some(key));
        assert_eq!(linked_file_key("site/list/1.html", "#top"), None);
        assert_eq!(linked_file_key("site/list/1.html", "https://a.example/1.html"), None);
        assert_eq!(linked_file_key("https://a.example/list", "1.html"), None);
    }
}
