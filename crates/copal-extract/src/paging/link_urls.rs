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

/// A last part of a path with this many words is a title.
const MIN_TITLE_WORDS: usize = 4;
/// If the last parts of two paths have this many words each, and other ones, they are titles.
const MIN_SIBLING_WORDS: usize = 3;

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

    /// True if the URL is surely that of the following page, whatever the link says: the page's own number is
    /// known, or the URL adds a 2 to a URL without one.
    pub(super) fn is_surely_following_page(&self, url: &str) -> bool {
        let Some(own) = &self.url else { return false };
        self.is_following_page(url) && (has_page_number(own.as_str()) || adds_a_two(own.as_str(), url))
    }

    /// True if the URL is that of the page with some numbers one step further, whatever their names
    /// (`/list/1-10`, `/list/11-20`). Articles with running numbers have such URLs too.
    pub(super) fn is_one_step_further(&self, url: &str) -> bool {
        let Some(own) = &self.url else { return false };
        learn_url_rule(&[own.as_str(), url]).is_some()
    }

    /// True if a URL with a number in its path is outside the folder of the page: `/tools/2` on `/lamps/oak`.
    pub(super) fn is_other_folder(&self, url: &str) -> bool {
        let (Some(own), Ok(other)) = (&self.url, Url::parse(url)) else { return false };
        let digits = |c: char| c.is_ascii_digit();
        let Some(last) = other.path().rfind(digits) else { return false };
        let before = other.path()[..last].trim_end_matches(digits);
        let folder = before.rsplit_once('/').map_or("", |(folder, _)| folder);
        let (above, name) = folder.rsplit_once('/').unwrap_or(("", folder));
        let folder = if is_page_parameter(name) { above } else { folder };
        !own.path().strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// True if the URL is that of the page with another value of a parameter that numbers pages one by one,
    /// but not the next or previous value. Blogs have such URLs of articles (`?p=4711`).
    pub(super) fn is_other_item(&self, url: &str) -> bool {
        let (Some(own), Ok(other)) = (&self.url, Url::parse(url)) else { return false };
        let value = |url: &Url| {
            url.query_pairs().find(|(name, _)| name == "p").and_then(|(_, value)| value.parse::<u64>().ok())
        };
        let numbers = value(own).zip(value(&other));
        own.path() == other.path() && numbers.is_some_and(|(own, other)| own.abs_diff(other) != 1)
    }

    /// True if the URL is that of the page with a number one step back, or without its page number.
    pub(super) fn is_preceding_page(&self, url: &str) -> bool {
        let Some(own) = &self.url else { return false };
        learn_url_rule(&[url, own.as_str()]).is_some() && has_page_number(own.as_str())
    }

    /// True if the URL looks like that of an article, not like that of another page of this list: it has no
    /// page number, and its last part is a title that this page's URL does not have.
    pub(super) fn is_article(&self, url: &str) -> bool {
        if has_page_number(url) || has_small_number(url) {
            return false;
        }
        let (path, query) = url::split_query(url);
        let title = title_words(path);
        let Some(own) = &self.url else { return query.is_empty() && is_long_title(path, &title) };
        let (own_path, _) = url::split_query(own.as_str());
        if path == own_path || !query.is_empty() && title.len() < MIN_SIBLING_WORDS {
            return false;
        }
        // the pages of one list share most words: `lamps-of-the-world-a`, `lamps-of-the-world-b`
        let own_title = title_words(own_path);
        let shared = title.iter().filter(|word| own_title.contains(word)).count();
        let is_sibling = own_title.len() >= MIN_SIBLING_WORDS && title.len() >= MIN_SIBLING_WORDS;
        2 * shared < title.len() && (is_sibling || is_long_title(path, &title))
    }
}

/// True if the URL of a second page is that of the first with an added number 2.
fn adds_a_two(first: &str, second: &str) -> bool {
    let twos = |url: &str| {
        let pieces = url.split(|c: char| !c.is_ascii_digit());
        pieces.filter(|piece| !piece.is_empty() && piece.trim_start_matches('0') == "2").count()
    };
    twos(second) == twos(first) + 1
}

/// The words of the last part of a path, without numbers and single letters.
fn title_words(path: &str) -> Vec<&str> {
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let stem = last.split_once('.').map_or(last, |(stem, _)| stem);
    let words = stem.split(['-', '_', '+']).flat_map(|part| part.split("%20"));
    words
        .filter(|word| {
            word.chars().count() > 1 && word.bytes().all(|b| !b.is_ascii_digit()) && !word.contains('=')
        })
        .collect()
}

/// True for a title of many words, or one below the date of an article.
fn is_long_title(path: &str, title: &[&str]) -> bool {
    let is_number = |part: &str, len: usize| part.len() == len && part.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let dated = parts.windows(2).any(|pair| is_number(pair[0], 4) && is_number(pair[1], 2));
    title.len() >= MIN_TITLE_WORDS || dated && title.len() >= 2
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
    let is_month = |at: usize| href.get(at..at + 2).is_some_and(|month| ("01"..="12").contains(&month));
    let ends_after = |at: usize| !bytes[at..].iter().any(u8::is_ascii_alphabetic);
    (0..bytes.len().saturating_sub(5)).any(|at| {
        let is_year = (bytes[at..].starts_with(b"19") || bytes[at..].starts_with(b"20"))
            && (at == 0 || !bytes[at - 1].is_ascii_digit())
            && digits(at..at + 4);
        let is_separated =
            || matches!(bytes[at + 4], b'-' | b'/' | b'_') && digits(at + 5..at + 7) && ends_after(at + 7);
        // `/calendar/202210`, with a day or without
        let is_joined = || {
            let run = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            matches!(run, 6 | 8) && is_month(at + 4) && ends_after(at + run)
        };
        is_year && (is_separated() || is_joined())
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
    use super::{PageUrl, ends_with_month, has_page_number};
    use copal_dom::{Limits, Page};

    fn page_url(url: Option<&str>) -> PageUrl {
        let mut page = Page::from_text("", &Limits::default());
        page.url = url.map(str::to_owned);
        PageUrl::of(&page)
    }

    #[test]
    fn urls_tell_the_direction() {
        for (own, other, following, preceding) in [
            ("/l", "/l?page=2", true, false),
            ("/", "/page/2/", true, false),
            ("/page/2/", "/page/3/", true, false),
            ("/page/2/", "/", false, true),
            ("/l?page=3", "/l?page=2", false, true),
            ("/l?start=20", "/l?start=40", true, false),
            // the number may be that of any page, or of the first one
            ("/l", "/l?page=5", false, false),
            ("/l", "/l?page=1", false, false),
            ("/l?id=3", "/l?id=2", false, false),
            ("/l?page=2", "/m?page=3", false, false),
        ] {
            let own_url = page_url(Some(&format!("https://a.example{own}")));
            let other_url = format!("https://a.example{other}");
            assert_eq!(own_url.is_surely_following_page(&other_url), following, "{own} {other}");
            assert_eq!(own_url.is_preceding_page(&other_url), preceding, "{own} {other}");
        }
        assert!(!page_url(None).is_surely_following_page("/l?page=2"));
    }

    #[test]
    fn titles_in_urls_are_those_of_articles() {
        for (own, other, wanted) in [
            (None, "/2019/01/04/second-post/", true),
            (None, "/blog/how-to-mend-a-lamp.html", true),
            (None, "/lamps", false),
            (None, "/lamps/oak-lamps", false),
            (None, "/lamps-made-of-oak-and-brass/page/2", false),
            (None, "/lamps-made-of-oak-and-brass?start=20", false),
            (Some("/blog/how-to-mend-lamps"), "/blog/where-to-buy", true),
            (Some("/blog/how-to-mend-lamps"), "/blog/where-to-buy-oil?from=nav", true),
            (Some("/all-lamps-of-the-world-a"), "/all-lamps-of-the-world-b", false),
            (Some("/lamps-made-of-oak-and-brass"), "/lamps-made-of-oak-and-brass?c=xyz", false),
            (Some("/lamps"), "/search?c=xyz", false),
        ] {
            let own_url = page_url(own.map(|path| format!("https://a.example{path}")).as_deref());
            let other_url =
                if own.is_some() { format!("https://a.example{other}") } else { other.to_owned() };
            assert_eq!(own_url.is_article(&other_url), wanted, "{own:?} {other}");
        }
    }

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

    #[test]
    fn months_are_recognised_with_and_without_separators() {
        for href in
            ["/c/2026-05", "/c/2026/05/", "?m=2026_05", "/calendar/202210", "?d=20221003", "/1999-12-31"]
        {
            assert!(ends_with_month(href), "{href}");
        }
        for href in ["/c/2026", "/2026/05/a-title", "/c/202213", "/item/12022100", "/c/2022101", "/?page=20"]
        {
            assert!(!ends_with_month(href), "{href}");
        }
    }

    #[test]
    fn numbered_urls_may_belong_to_something_else() {
        for (own, other, other_folder, other_item) in [
            ("/7603790/quantum-computing", "/programming/1", true, false),
            ("/list.html", "/list-2.html", false, false),
            ("/lamps/oak", "/lamps/2", false, false),
            ("/programming", "/programming/1", false, false),
            ("/programming/3", "/programming/4", false, false),
            ("/", "/page/2/", false, false),
            ("/lamps/", "/lamps/page/2/", false, false),
            ("/?p=4711", "/?p=4802", false, true),
            ("/?p=3", "/?p=4", false, false),
            ("/l?start=20", "/l?start=40", false, false),
        ] {
            let own_url = page_url(Some(&format!("https://a.example{own}")));
            let other_url = format!("https://a.example{other}");
            assert_eq!(own_url.is_other_folder(&other_url), other_folder, "{own} {other}");
            assert_eq!(own_url.is_other_item(&other_url), other_item, "{own} {other}");
        }
        assert!(!page_url(None).is_other_folder("/programming/1"));
    }
}
