//! What the URL of a link says about the page it leads to.
//!
//! In: the URL of the page, if it is known, and the URLs of its links. Out: whether a link leads to the page
//! itself or to another host, and whether its URL looks like that of another page of a list. O(length of the
//! URL).

use super::url_rule::learn_url_rule;
use copal_dom::Page;
use copal_dom::url::{self, BaseUrl, Url};

/// Names of parameters and path segments that number pages or records.
const PAGE_PARAMETERS: [&str; 37] = [
    "page",
    "p",
    "pg",
    "paged",
    "pageno",
    "pagenum",
    "pagenumber",
    "pageindex",
    "pn",
    "pagina",
    "pag",
    "seite",
    "sayfa",
    "strona",
    "side",
    "sida",
    "sivu",
    "stranka",
    "start",
    "offset",
    "from",
    "skip",
    "first",
    "begin",
    "startat",
    "limitstart",
    "cursor",
    "after",
    "pagen",
    "currentpage",
    "curpage",
    "firstresult",
    "startindex",
    "b",
    "s",
    "paginate",
    "trang",
];

/// The URL of a page and the base of its links.
pub(super) struct PageUrl {
    base: BaseUrl,
    url: Option<Url>,
}

impl PageUrl {
    pub(super) fn of(page: &Page) -> PageUrl {
        PageUrl { base: BaseUrl::of(page), url: page.url.as_deref().and_then(|url| Url::parse(url).ok()) }
    }

    /// The absolute URL of a link, if the URL of the page is known.
    pub(super) fn resolve(&self, href: &str) -> String {
        self.base.resolve(href)
    }

    /// True if the URL is that of the page, apart from the fragment.
    pub(super) fn is_same_page(&self, url: &str) -> bool {
        let Some(own) = &self.url else { return false };
        url::same_page(own.as_str(), url)
    }

    /// True if the URL is known to be on another host.
    pub(super) fn is_other_host(&self, url: &str) -> bool {
        let (Some(own), Ok(other)) = (&self.url, Url::parse(url)) else { return false };
        !url::same_host(own, &other)
    }

    /// True if the URL is that of the page with a number one step further, or with an added page number.
    pub(super) fn is_following_page(&self, url: &str) -> bool {
        let Some(own) = &self.url else { return false };
        learn_url_rule(&[own.as_str(), url]).is_some() && has_page_number(url)
    }
}

/// True if some number in the URL is that of a page or of a first record, according to its name.
pub(super) fn has_page_number(href: &str) -> bool {
    let (path, query) = url::split_query(href);
    let query = query.split(['&', ';']).filter_map(|pair| pair.split_once('='));
    let is_number =
        |text: &str| !text.is_empty() && text.len() < 8 && text.bytes().all(|b| b.is_ascii_digit());
    if query.into_iter().any(|(name, value)| is_page_parameter(name) && is_number(value)) {
        return true;
    }
    let mut before = "";
    for part in path.split('/').filter(|part| !part.is_empty()) {
        let stem = part.split('.').next().unwrap_or(part);
        let name = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        let last = name.rsplit(['-', '_']).find(|word| !word.is_empty()).unwrap_or_default();
        let numbered = name.len() < stem.len() && stem.len() - name.len() < 6;
        if numbered && (is_page_parameter(last) || name.is_empty() && is_page_parameter(before)) {
            return true;
        }
        before = stem;
    }
    false
}

/// True if some parameter is a small number.
pub(super) fn has_small_number(href: &str) -> bool {
    let (_, query) = url::split_query(href);
    let mut values = query.split(['&', ';']).filter_map(|pair| pair.split_once('=')).map(|(_, value)| value);
    values.any(|value| (1..6).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_digit()))
}

/// True if the URL ends with a year and a month, and perhaps a day: calendars have next links too.
pub(super) fn ends_with_month(href: &str) -> bool {
    let bytes = href.as_bytes();
    let digits = |range: std::ops::Range<usize>| {
        bytes.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    (0..bytes.len().saturating_sub(6)).any(|at| {
        (bytes[at..].starts_with(b"19") || bytes[at..].starts_with(b"20"))
            && (at == 0 || !bytes[at - 1].is_ascii_digit())
            && digits(at..at + 4)
            && matches!(bytes[at + 4], b'-' | b'/' | b'_')
            && digits(at + 5..at + 7)
            && !bytes[at + 7..].iter().any(u8::is_ascii_alphabetic)
    })
}

/// True for one of the names, also as the last word of a longer one (`CatListingOffset`, `PAGEN_1`).
fn is_page_parameter(name: &str) -> bool {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_' || c == ']' || c == '[');
    let is_listed = |word: &str| PAGE_PARAMETERS.iter().any(|known| known.eq_ignore_ascii_case(word));
    let lower = name.to_ascii_lowercase();
    is_listed(name)
        || lower.rsplit(['_', '-', '.', '[']).next().is_some_and(is_listed)
        || ["page", "offset", "start", "seite", "pagina"].iter().any(|end| lower.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::has_page_number;

    #[test]
    fn page_numbers_are_recognised_by_their_names() {
        for href in [
            "?page=2",
            "/l?q=x&start=20",
            "/page/2/",
            "/l/p2",
            "/list-page-2.html",
            "/Seite/2",
            "?PAGEN_1=2",
            "?CatOffset=24",
            "/events//p12",
        ] {
            assert!(has_page_number(href), "{href}");
        }
        for href in ["/item/123", "/2016/03/16/a", "?id=4", "/a", "", "?page=", "/p/blue-lamp", "/chapter-2"]
        {
            assert!(!has_page_number(href), "{href}");
        }
    }
}
