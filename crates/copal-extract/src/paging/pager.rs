//! Numbered pagers: `1 2 3 … 18`.
//!
//! In: the numbers on a page in document order, linked or not. Out: [`Pager`]s, which are runs of ascending
//! numbers with hardly any text between them, each with the number of the current page. O(numbers).

use super::links::{PageNumber, PagingLinks};
use copal_dom::{Page, tags};

/// Maximum number of characters between two numbers of a pager.
const MAX_CHARS_BETWEEN_NUMBERS: u32 = 12;

/// A run of page numbers.
#[derive(Debug)]
pub(super) struct Pager {
    /// The numbers in ascending order.
    pub(super) numbers: Vec<PageNumber>,
    /// The number of the current page.
    pub(super) current: Option<u64>,
    /// How certain the current page is, from 0 to 1.
    pub(super) certainty: f64,
}

impl Pager {
    /// The index of the link with a number.
    pub(super) fn link(&self, value: u64) -> Option<usize> {
        self.numbers.iter().find(|number| number.value == value).and_then(|number| number.link)
    }
}

/// The pagers of a page. `is_same_page` says whether the link with an index leads to the page itself.
pub(super) fn pagers(
    page: &Page,
    links: &PagingLinks<'_>,
    is_same_page: &dyn Fn(usize) -> bool,
) -> Vec<Pager> {
    let mut pagers = Vec::new();
    let mut run: Vec<PageNumber> = Vec::new();
    for &number in &links.numbers {
        let goes_on = run.last().is_some_and(|last| {
            last.value < number.value
                && page.index.chars(&(page.tree.end(last.node)..number.node)) <= MAX_CHARS_BETWEEN_NUMBERS
        });
        if !goes_on {
            pagers.extend(pager(page, links, std::mem::take(&mut run), is_same_page));
        }
        run.push(number);
    }
    pagers.extend(pager(page, links, run, is_same_page));
    pagers
}

/// The pager of a run of numbers, if the run is one.
fn pager(
    page: &Page,
    links: &PagingLinks<'_>,
    run: Vec<PageNumber>,
    is_same_page: &dyn Fn(usize) -> bool,
) -> Option<Pager> {
    let href = |number: &PageNumber| number.link.and_then(|link| links.links[link].href);
    let linked = run.iter().filter(|number| href(number).is_some()).count();
    let steps = run.windows(2).filter(|pair| pair[0].value + 1 == pair[1].value).count();
    if linked == 0
        || run.len() < 2 && run[0].value != 2
        || run.len() > 2 && steps == 0
        || is_calendar(page, &run)
    {
        return None;
    }
    if run.iter().all(|number| (1900..2100).contains(&number.value)) || !same_shape(&run, &href) {
        return None;
    }
    let (current, certainty) = current(page, links, &run, is_same_page);
    Some(Pager { numbers: run, current, certainty })
}

/// The number of the current page, and how certain it is. The current page is marked as such, has no link, or
/// is missing from the run.
fn current(
    page: &Page,
    links: &PagingLinks<'_>,
    run: &[PageNumber],
    is_same_page: &dyn Fn(usize) -> bool,
) -> (Option<u64>, f64) {
    let is_marked =
        |number: &&PageNumber| number.link.is_some_and(|link| links.links[link].own_signs(page).current);
    let is_unlinked = |number: &&PageNumber| number.link.is_none_or(|link| links.links[link].href.is_none());
    let mut marked = run.iter().filter(is_marked);
    if let (Some(one), None) = (marked.next(), marked.next()) {
        return (Some(one.value), 1.0);
    }
    let mut unlinked = run.iter().filter(is_unlinked);
    if let Some(one) = unlinked.next() {
        return (Some(one.value), if unlinked.next().is_none() { 1.0 } else { 0.3 });
    }
    if let Some(itself) = run.iter().find(|number| number.link.is_some_and(is_same_page)) {
        return (Some(itself.value), 1.0);
    }
    match run[0].value {
        2 => return (Some(1), if run.len() > 1 { 0.75 } else { 0.2 }),
        0 => return (None, 0.0),
        _ => {}
    }
    let mut gaps = run.windows(2).filter(|pair| pair[0].value + 2 == pair[1].value);
    match (gaps.next(), gaps.next()) {
        (Some(gap), None) => (Some(gap[0].value + 1), 0.6),
        _ if run[0].value == 1 && run.len() > 1 => (Some(1), 0.2),
        _ => (None, 0.0),
    }
}

/// True for the days of a month in a calendar.
fn is_calendar(page: &Page, run: &[PageNumber]) -> bool {
    let cells = run
        .iter()
        .filter(|number| page.tree.ancestors(number.node).take(3).any(|at| page.tree.tag(at) == tags::TD));
    run.len() >= 15
        && run.last().is_some_and(|last| (28..=31).contains(&last.value))
        && 2 * cells.count() > run.len()
}

/// True if the URLs of most numbers differ only in digits.
fn same_shape<'a>(run: &[PageNumber], href: &dyn Fn(&PageNumber) -> Option<&'a str>) -> bool {
    fn shape(href: &str) -> impl Iterator<Item = u8> {
        href.bytes().filter(|b| !b.is_ascii_digit())
    }
    let hrefs: Vec<&str> = run.iter().filter_map(href).take(64).collect();
    // the URL of the first page often has another form
    let Some(&last) = hrefs.last() else { return false };
    let alike = hrefs.iter().filter(|href| shape(href).eq(shape(last))).count();
    hrefs.len() < 3 || 2 * alike > hrefs.len()
}
