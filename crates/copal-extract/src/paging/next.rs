//! Which link leads to the next page of a list.
//!
//! In: a page's [`links`](super::links), its numbered pagers and the place of its list. Out: [`NextLink`]s, best first. Each
//! sign adds a weight to a link; links that lead back, to the page itself or to another host are none. O(links log links).

use super::address::{Own, has_number, names_month, names_page};
use super::links::{self, Link, Links};
use super::numbered::{self, Pager};
use super::place::Place;
use super::words::Says;
use super::{NextKind, NextLink};
use copal_dom::Page;
use rustc_hash::FxHashMap;

/// Most links that are given.
const MOST: usize = 20;
/// Most characters between the list and what is near it.
const NEAR: u32 = 400;

/// Most links of a pager, and most nodes.
const PAGER: usize = 16;
const PAGER_NODES: u32 = 200;

/// Weights of signs; see `docs/paging.md` for how they were set.
mod weight {
    pub(super) const REL: f64 = 4.5;
    pub(super) const HEAD: f64 = 4.5;
    /// `rel=next` on a title, or without a number of a page: articles have it too.
    pub(super) const REL_TITLE: f64 = 1.5;
    pub(super) const NEXT: f64 = 4.5;
    pub(super) const NEXT_OF: f64 = 2.0;
    pub(super) const LABEL: f64 = 4.0;
    pub(super) const ARROW: f64 = 2.5;
    pub(super) const DOUBLE: f64 = 1.0;
    pub(super) const MORE: f64 = 2.0;
    pub(super) const CLASS: f64 = 1.5;
    pub(super) const PAGER: f64 = 1.5;
    pub(super) const NUMBERED: f64 = 4.0;
    pub(super) const STEP: f64 = 3.0;
    pub(super) const NAMED: f64 = 1.5;
    pub(super) const NEAR: f64 = 1.0;
    pub(super) const BESIDE_NUMBERS: f64 = 1.0;
    pub(super) const OTHER: f64 = -5.0;
    pub(super) const DATED: f64 = -4.0;
    pub(super) const NO_LIST: f64 = -2.5;
}

/// The links that may lead to the next page, best first.
pub(super) fn rank(page: &Page, has_list: bool, place: &Place) -> Vec<NextLink> {
    let own = Own::of(page);
    let links = links::collect(page, place);
    let itself = |link: usize| links.links[link].href.is_some_and(|href| own.is_itself(&own.resolve(href)));
    let pagers: Vec<Pager> = numbered::pagers(page, &links, &itself);
    let numbers = Numbers::of(&links, &pagers);
    let mut ranked: Vec<(f64, NextKind, usize)> = Vec::new();
    for (i, link) in links.links.iter().enumerate() {
        let Some(href) = link.href else { continue };
        if numbers.is_back(href) {
            continue;
        }
        let (mut score, mut kind) = match link.says {
            Says::Back | Says::End => continue,
            // beside a plainer sign they lead to the last page
            Says::Guillemet if is_beside(&links, i, &[Says::Arrow]) => continue,
            Says::DoubleArrow if is_beside(&links, i, &[Says::Arrow, Says::Guillemet, Says::Next]) => {
                continue;
            }
            Says::Next if link.by_label => (weight::LABEL, NextKind::Next),
            Says::Next => (weight::NEXT, NextKind::Next),
            Says::Arrow | Says::Guillemet => (weight::ARROW, NextKind::Next),
            Says::DoubleArrow => (weight::DOUBLE, NextKind::Next),
            Says::More => (weight::MORE, NextKind::More),
            _ => (0.0, NextKind::Url),
        };
        let named = names_page(href);
        if link.says == Says::NextOf && named {
            (score, kind) = (weight::NEXT_OF, NextKind::Next);
        }
        let said = score > 0.0;
        if link.rel {
            let is_title = !said && !named && !has_number(href) && {
                link.head || links::text(page, link.node).contains(' ')
            };
            score += match (is_title, link.head) {
                (true, _) => weight::REL_TITLE,
                (_, true) => weight::HEAD,
                _ => weight::REL,
            };
            kind = NextKind::Rel;
        }
        if let Some(&(value, _)) = numbers.next.get(href) {
            score += weight::NUMBERED * value + weight::BESIDE_NUMBERS;
            if !said && !link.rel {
                kind = NextKind::Numbered;
            }
        } else if matches!(link.says, Says::Number(_) | Says::Range(..)) && !link.rel {
            continue;
        }
        if link.signs.next && !link.signs.back {
            score += weight::CLASS;
        } else if link.signs.back && !said {
            continue;
        }
        let url = own.resolve(href);
        if own.is_itself(&url) || own.is_elsewhere(&url) {
            continue;
        }
        if score <= 0.0 {
            continue;
        }
        score += context(page, link, place);
        if named {
            score += weight::NAMED;
        } else if names_month(href) {
            score += weight::DATED;
        }
        if own.is_step(&url) {
            score += weight::STEP;
        }
        if !has_list && !numbers.next.contains_key(href) {
            score += weight::NO_LIST;
        }
        ranked.push((score, kind, i));
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
    give(page, &own, &links, &ranked)
}

/// True if a link that says so is in the same pager.
fn is_beside(links: &Links<'_>, at: usize, says: &[Says]) -> bool {
    let near = &links.links[at.saturating_sub(PAGER)..(at + PAGER).min(links.links.len())];
    let node = links.links[at].node;
    near.iter().any(|link| says.contains(&link.says) && link.node.abs_diff(node) <= PAGER_NODES)
}

fn context(page: &Page, link: &Link<'_>, place: &Place) -> f64 {
    if link.head {
        return 0.0;
    }
    let mut score = 0.0;
    if link.signs.pager {
        score += weight::PAGER;
    }
    if link.signs.other {
        score += weight::OTHER;
    }
    if place.is_near(page, link.node, NEAR) {
        score += weight::NEAR;
    }
    score
}

/// What the numbered pagers say of addresses.
struct Numbers<'a> {
    /// Next pages: how sure, and of which pager.
    next: FxHashMap<&'a str, (f64, usize)>,
    /// Pages that were before, or the page itself.
    back: FxHashMap<&'a str, usize>,
}

impl<'a> Numbers<'a> {
    fn of(links: &Links<'a>, pagers: &[Pager]) -> Numbers<'a> {
        let mut numbers = Numbers { next: FxHashMap::default(), back: FxHashMap::default() };
        for (i, pager) in pagers.iter().enumerate() {
            let Some(current) = pager.current else { continue };
            if let Some(href) = pager.link(current + 1).and_then(|link| links.links[link].href) {
                let place = numbers.next.entry(href).or_insert((pager.sure, i));
                place.0 = place.0.max(pager.sure);
            }
            if pager.sure > 0.5 {
                let before = pager.numbers.iter().filter(|number| number.value <= current);
                let before = before.filter_map(|number| links.links[number.link?].href);
                numbers.back.extend(before.map(|href| (href, i)));
            }
        }
        numbers
    }

    fn is_back(&self, href: &str) -> bool {
        self.back.contains_key(href) && !self.next.contains_key(href)
    }
}

/// The links as they are given: an address once, with the best of its links.
fn give(page: &Page, own: &Own, links: &Links<'_>, ranked: &[(f64, NextKind, usize)]) -> Vec<NextLink> {
    let mut given: Vec<NextLink> = Vec::new();
    for &(score, kind, i) in ranked {
        let link = &links.links[i];
        let Some(href) = link.href else { continue };
        if given.iter().any(|other| other.href == href) {
            continue;
        }
        given.push(NextLink {
            href: href.to_owned(),
            url: own.resolve(href),
            score,
            kind,
            text: if link.head { String::new() } else { links::text(page, link.node) },
        });
        if given.len() == MOST {
            break;
        }
    }
    given
}
