//! URLs that lead nowhere: endless calendars, repeated path segments, combinations of facets, deep links.
//!
//! In: a URL, its depth, and how often its template was visited. Out: why it is not visited, if it is a trap.
//! The bounds hold for any site, so that a crawl ends even if the site generates links without end.

use crate::url_keys::url_template;
use url::Url;

/// Bounds of a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrapBounds {
    /// Links between the start page and a page.
    pub depth: usize,
    /// Pages of one URL template that are visited before one of them has shown a list.
    pub template_trials: usize,
    /// Pages of one URL template that are visited at all.
    pub template_pages: usize,
}

impl Default for TrapBounds {
    fn default() -> Self {
        TrapBounds { depth: 4, template_trials: 3, template_pages: 24 }
    }
}

/// How often pages of a template were visited, and how many of them had a list with new records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TemplateYield {
    /// Pages that were visited or are being visited.
    pub visited: usize,
    /// Of these, pages with a list that fits.
    pub lists: usize,
}

/// Why a URL is not visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Trap {
    /// Too many links away from the start page.
    Depth,
    /// The path repeats a segment: usually a relative link that grows with each page.
    RepeatedSegments,
    /// The URL names a date, and pages of other dates were visited already.
    Calendar,
    /// Too many parameters at once: combinations of filters.
    Facets,
    /// The URL is longer than any that a person would see.
    Length,
    /// Pages of this kind were tried without success, or often enough.
    Template,
}

impl Trap {
    /// The reason in words.
    pub fn describe(self) -> &'static str {
        match self {
            Trap::Depth => "too many links away from the start page",
            Trap::RepeatedSegments => "its path repeats itself",
            Trap::Calendar => "a calendar: pages of other dates were visited already",
            Trap::Facets => "a combination of many filters",
            Trap::Length => "its URL is too long",
            Trap::Template => "enough pages of this kind were visited",
        }
    }
}

/// Longest URL that is visited, in bytes.
const MAX_URL_BYTES: usize = 2_000;
/// Times that a path segment may be repeated.
const MAX_SEGMENT_REPEATS: usize = 2;
/// Path segments of a URL.
const MAX_SEGMENTS: usize = 16;
/// Parameters of a URL.
const MAX_PARAMETERS: usize = 8;
/// Pages of a template with dates that are visited.
const MAX_CALENDAR_PAGES: usize = 2;

/// Why a URL is not visited; `None` if it may be.
pub fn trap(url: &str, depth: usize, seen: TemplateYield, bounds: &TrapBounds) -> Option<Trap> {
    if url.len() > MAX_URL_BYTES {
        return Some(Trap::Length);
    }
    let parsed = Url::parse(url).ok()?;
    let segments: Vec<&str> = parsed.path().split('/').filter(|segment| !segment.is_empty()).collect();
    let repeats = |segment: &&str| segments.iter().filter(|other| *other == segment).count();
    if segments.len() > MAX_SEGMENTS || segments.iter().any(|segment| repeats(segment) > MAX_SEGMENT_REPEATS)
    {
        return Some(Trap::RepeatedSegments);
    }
    let parameters = parsed.query().unwrap_or_default().split('&').filter(|one| one.contains('=')).count();
    if parameters > MAX_PARAMETERS {
        return Some(Trap::Facets);
    }
    if depth > bounds.depth {
        return Some(Trap::Depth);
    }
    if seen.visited >= MAX_CALENDAR_PAGES && names_date(&parsed) {
        return Some(Trap::Calendar);
    }
    let is_tried = seen.lists == 0 && seen.visited >= bounds.template_trials;
    (is_tried || seen.visited >= bounds.template_pages).then_some(Trap::Template)
}

/// The key under which visits of a kind of page are counted. Dates are masked by the template, and parameters
/// of filters are not kept apart: combinations of them are one kind of page.
pub fn trap_key(url: &str) -> String {
    let template = url_template(url);
    match template.split_once('?') {
        Some((path, names)) if names.split('&').count() > 2 => format!("{path}?…"),
        _ => template,
    }
}

/// True if the path or a parameter has a year and a month, or is named after a date.
fn names_date(url: &Url) -> bool {
    let segments: Vec<&str> = url.path().split('/').collect();
    // calendars that have no end reach any year
    let is_year =
        |text: &str| text.len() == 4 && text.parse::<u32>().is_ok_and(|year| (1900..3000).contains(&year));
    let is_number =
        |text: &str, max: u32| text.parse::<u32>().is_ok_and(|number| (1..=max).contains(&number));
    let in_path =
        segments.windows(2).any(|pair| is_year(pair[0]) && pair[1].len() <= 2 && is_number(pair[1], 12));
    let is_iso = |text: &str| {
        let mut parts = text.split('-');
        let (year, month) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        is_year(year) && month.len() == 2 && is_number(month, 12)
    };
    let in_query = url.query_pairs().any(|(name, value)| {
        let name = name.to_ascii_lowercase();
        is_iso(&value) || matches!(name.as_str(), "month" | "year" | "week" | "date" | "day" | "mth" | "yr")
    });
    in_path || segments.iter().any(|segment| is_iso(segment)) || in_query
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, depth: usize, visited: usize, lists: usize) -> Option<Trap> {
        let seen = TemplateYield { visited, lists };
        trap(&format!("https://a.example{path}"), depth, seen, &TrapBounds::default())
    }

    #[test]
    fn each_trap_is_named() {
        assert_eq!(check("/list?page=2", 1, 0, 0), None);
        assert_eq!(check("/a/b/a/b/a/b", 1, 0, 0), Some(Trap::RepeatedSegments));
        assert_eq!(check(&"/x".repeat(20), 1, 0, 0), Some(Trap::RepeatedSegments));
        assert_eq!(check("/events/2026/11", 1, 0, 0), None);
        assert_eq!(check("/events/2026/11", 1, 2, 2), Some(Trap::Calendar));
        assert_eq!(check("/events?month=3&year=2031", 1, 2, 0), Some(Trap::Calendar));
        assert_eq!(check("/events/2026-11-19", 1, 2, 0), Some(Trap::Calendar));
        assert_eq!(check("/lamps?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9", 1, 0, 0), Some(Trap::Facets));
        assert_eq!(check("/deep", 9, 0, 0), Some(Trap::Depth));
        assert_eq!(check(&format!("/{}", "x".repeat(3000)), 0, 0, 0), Some(Trap::Length));
        assert_eq!(check("/lamp/7", 1, 3, 0), Some(Trap::Template));
        assert_eq!(check("/lamp/7", 1, 3, 1), None);
        assert_eq!(check("/lamp/7", 1, 24, 20), Some(Trap::Template));
    }

    #[test]
    fn filters_are_one_kind_of_page() {
        let key = |query: &str| trap_key(&format!("https://a.example/lamps?{query}"));
        assert_eq!(key("colour=red&size=3&shade=x"), key("brand=a&size=3&shade=x&wood=oak"));
        assert_ne!(key("page=2"), key("colour=2"));
    }

    #[test]
    fn an_endless_calendar_ends() {
        let mut seen: std::collections::HashMap<String, TemplateYield> = std::collections::HashMap::new();
        let mut visited = 0;
        for month in 0..1_000 {
            let url = format!("https://a.example/events/{}/{}", 2020 + month / 12, month % 12 + 1);
            let own = seen.entry(trap_key(&url)).or_default();
            if trap(&url, 1, *own, &TrapBounds::default()).is_none() {
                own.visited += 1;
                own.lists += 1;
                visited += 1;
            }
        }
        assert_eq!(visited, MAX_CALENDAR_PAGES);
    }
}
