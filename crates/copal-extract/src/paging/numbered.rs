//! Numbered pagers: `1 2 3 … 18`.
//!
//! In: the numbers of a page in document order, linked or not. Out: [`Pager`]s: runs of ascending numbers with hardly any
//! text between them, the number of the page that is shown, and the link to the one behind it. O(numbers).

use super::links::{Figure, Links};
use copal_dom::{Page, tags};

/// Most characters between two numbers of a pager.
const BETWEEN: u32 = 12;

/// A run of numbers.
#[derive(Debug)]
pub(super) struct Pager {
    /// The numbers: value, place among the links.
    pub(super) numbers: Vec<Figure>,
    /// The page that is shown.
    pub(super) current: Option<u64>,
    /// How sure that is, from 0 to 1.
    pub(super) sure: f64,
}

impl Pager {
    /// The link of a number.
    pub(super) fn link(&self, value: u64) -> Option<usize> {
        self.numbers.iter().find(|number| number.value == value).and_then(|number| number.link)
    }
}

/// The pagers of a page. `own` tells whether a link is the page itself.
pub(super) fn pagers(page: &Page, links: &Links<'_>, own: &dyn Fn(usize) -> bool) -> Vec<Pager> {
    let mut pagers = Vec::new();
    let mut run: Vec<Figure> = Vec::new();
    for &figure in &links.figures {
        let goes_on = run.last().is_some_and(|last| {
            last.value < figure.value && page.index.chars(&(page.tree.end(last.node)..figure.node)) <= BETWEEN
        });
        if !goes_on {
            pagers.extend(pager(page, links, std::mem::take(&mut run), own));
        }
        run.push(figure);
    }
    pagers.extend(pager(page, links, run, own));
    pagers
}

fn pager(page: &Page, links: &Links<'_>, run: Vec<Figure>, own: &dyn Fn(usize) -> bool) -> Option<Pager> {
    let href = |figure: &Figure| figure.link.and_then(|link| links.links[link].href);
    let linked = run.iter().filter(|figure| href(figure).is_some()).count();
    let steps = run.windows(2).filter(|pair| pair[0].value + 1 == pair[1].value).count();
    if linked == 0
        || run.len() < 2 && run[0].value != 2
        || run.len() > 2 && steps == 0
        || is_calendar(page, &run)
    {
        return None;
    }
    if run.iter().all(|figure| (1900..2100).contains(&figure.value)) || !same_shape(&run, &href) {
        return None;
    }
    let (current, sure) = current(links, &run, own);
    Some(Pager { numbers: run, current, sure })
}

/// The page that is shown, and how sure that is.
fn current(links: &Links<'_>, run: &[Figure], own: &dyn Fn(usize) -> bool) -> (Option<u64>, f64) {
    let is_marked = |figure: &&Figure| figure.link.is_some_and(|link| links.links[link].signs.current);
    let is_dead = |figure: &&Figure| figure.link.is_none_or(|link| links.links[link].href.is_none());
    let mut marked = run.iter().filter(is_marked);
    if let (Some(one), None) = (marked.next(), marked.next()) {
        return (Some(one.value), 1.0);
    }
    let mut dead = run.iter().filter(is_dead);
    if let Some(one) = dead.next() {
        return (Some(one.value), if dead.next().is_none() { 1.0 } else { 0.3 });
    }
    if let Some(itself) = run.iter().find(|figure| figure.link.is_some_and(own)) {
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

/// Days of a month.
fn is_calendar(page: &Page, run: &[Figure]) -> bool {
    let cells = run
        .iter()
        .filter(|figure| page.tree.ancestors(figure.node).take(3).any(|at| page.tree.tag(at) == tags::TD));
    run.len() >= 15
        && run.last().is_some_and(|last| (28..=31).contains(&last.value))
        && 2 * cells.count() > run.len()
}

/// The addresses of most numbers differ in digits only.
fn same_shape<'a>(run: &[Figure], href: &dyn Fn(&Figure) -> Option<&'a str>) -> bool {
    fn shape(href: &str) -> impl Iterator<Item = u8> {
        href.bytes().filter(|b| !b.is_ascii_digit())
    }
    let hrefs: Vec<&str> = run.iter().filter_map(href).take(64).collect();
    // the first page is often written otherwise
    let Some(&last) = hrefs.last() else { return false };
    let alike = hrefs.iter().filter(|href| shape(href).eq(shape(last))).count();
    hrefs.len() < 3 || 2 * alike > hrefs.len()
}
