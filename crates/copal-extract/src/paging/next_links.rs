//! Which link leads to the next page of a list.
//!
//! In: the [`links`](super::links) of a page, its pagers and the extent of its list. Out: [`NextLink`]s, best
//! first. Each sign adds its weight to the score of a link. Links that lead back, to the page itself or
//! to another host are dropped, and on the last page all that the pager does not confirm. O(links log links).

use super::announced_end::AnnouncedEnd;
use super::class_signs::AroundSigns;
use super::link_labels;
use super::link_text::LinkMeaning;
use super::link_urls::{PageUrl, ends_with_month, has_page_number, has_small_number};
use super::links::{self, PagingLink, PagingLinks};
use super::list_extent::ListExtent;
use super::pager::{self, Pager};
use super::{NextKind, NextLink, SURE};
use copal_dom::Page;
use rustc_hash::FxHashMap;
use std::cell::LazyCell;

/// Maximum number of links that are returned.
const MAX_NEXT_LINKS: usize = 20;
/// A link with at most this many characters between it and the list is near the list.
const MAX_CHARS_TO_LIST: u32 = 400;
/// Maximum number of links between two links of one pager.
const MAX_PAGER_LINKS: usize = 16;
/// Maximum number of nodes between two links of one pager.
const MAX_PAGER_NODES: u32 = 200;

// Weights of the signs. They were set by hand on the development pages; `docs/measurements/2026-11-dev.md`
// has the figures.

/// `rel=next` on a visible link.
const REL_WEIGHT: f64 = 4.5;
/// `rel=next` on a `link` element in the head.
const HEAD_WEIGHT: f64 = 4.5;
/// `rel=next` on a title, or without a page number: articles have it too.
const REL_TITLE_WEIGHT: f64 = 1.5;
/// The text says "next".
const NEXT_WEIGHT: f64 = 4.5;
/// The text says "next" and an unknown word.
const NEXT_OF_WEIGHT: f64 = 2.0;
/// The label says "next".
const LABEL_WEIGHT: f64 = 4.0;
/// A single arrow.
const ARROW_WEIGHT: f64 = 2.5;
/// A double arrow.
const DOUBLE_WEIGHT: f64 = 1.0;
/// The text says "show more".
const MORE_WEIGHT: f64 = 2.0;
/// A class says "next".
const CLASS_WEIGHT: f64 = 1.5;
/// A class of an ancestor says "pager".
const PAGER_WEIGHT: f64 = 1.5;
/// The number after that of the current page.
const NUMBERED_WEIGHT: f64 = 4.0;
/// The URL has a number one step further.
const STEP_WEIGHT: f64 = 3.0;
/// The URL has a page number.
const NAMED_WEIGHT: f64 = 1.5;
/// The link is near the list.
const NEAR_WEIGHT: f64 = 1.0;
/// The URL is in a pager.
const BESIDE_NUMBERS_WEIGHT: f64 = 1.0;
/// The text says "previous", but the URL is that of the following page.
const PREVIOUS_WEIGHT: f64 = 0.5;
/// A class of an ancestor says "carousel", "calendar" or the like, or "comments" away from the list.
const OTHER_WEIGHT: f64 = -5.0;
/// The link leads from article to article.
const ARTICLE_WEIGHT: f64 = -5.0;
/// The page has no list.
const NO_LIST_WEIGHT: f64 = -2.5;
/// The highest score of a link that may lead to the next item: a guess.
const MAX_UNNUMBERED_SCORE: f64 = SURE - 1.0;
/// The highest certainty of the current page of a pager that leads out of the folder of the page.
const OTHER_FOLDER_CERTAINTY: f64 = 0.3;

/// Whether the page has a list that can continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListCertainty {
    NoList,
    /// It may not be the main list.
    Possible,
    Sure,
}

/// The links that may lead to the next page, best first.
pub(super) fn rank(
    page: &Page,
    list: ListCertainty,
    extent: &ListExtent,
    end: Option<AnnouncedEnd>,
) -> Vec<NextLink> {
    let own = PageUrl::of(page);
    let links = links::collect(page, extent);
    let is_same_page =
        |link: usize| links.links[link].href.is_some_and(|href| own.is_same_page(&own.resolve(href)));
    let pagers: Vec<Pager> = pager::pagers(page, &links, &is_same_page);
    let numbered = NumberedUrls::of(&links, &pagers, &own);
    let ranking = Ranking { page, own, links: &links, numbered, extent, list, end };
    let mut ranked: Vec<(f64, NextKind, usize)> = (0..links.links.len())
        .filter_map(|i| ranking.evaluate(i).map(|(score, kind)| (score, kind, i)))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
    to_next_links(page, &ranking.own, &links, &ranked)
}

/// What the links of a page are judged by.
struct Ranking<'a> {
    page: &'a Page,
    own: PageUrl,
    links: &'a PagingLinks<'a>,
    numbered: NumberedUrls<'a>,
    extent: &'a ListExtent,
    list: ListCertainty,
    end: Option<AnnouncedEnd>,
}

impl Ranking<'_> {
    /// The score of a link and its strongest evidence. `None` if it is not a next link.
    fn evaluate(&self, at: usize) -> Option<(f64, NextKind)> {
        let (link, own) = (&self.links.links[at], &self.own);
        let href = link.href?;
        // what costs little comes first: most links end here
        let numbered = self.numbered.next.get(href);
        let is_number = matches!(link.meaning, LinkMeaning::Number(_) | LinkMeaning::Range(..));
        if self.numbered.is_back(href) || is_number && numbered.is_none() && !link.rel {
            return None;
        }
        let url = own.resolve(href);
        if own.is_same_page(&url) || own.is_other_host(&url) {
            return None;
        }
        let is_numbered = has_page_number(href) && !own.is_other_item(&url);
        let (mut score, mut kind) = self.text_evidence(at, is_numbered, &url)?;
        if self.is_refuted(link, href, &url) {
            return None;
        }
        let around = LazyCell::new(|| link.signs_around(self.page));
        let is_article = LazyCell::new(|| self.is_article(link, href, &url, || around.article));
        let says_next = score > 0.0;
        if link.rel {
            score += self.rel_weight(link, href, *is_article, says_next);
            kind = NextKind::Rel;
        }
        if let Some(&(value, _)) = numbered {
            score += NUMBERED_WEIGHT * value + BESIDE_NUMBERS_WEIGHT;
            if !says_next && !link.rel {
                kind = NextKind::Numbered;
            }
        }
        let signs = link.own_signs(self.page);
        if signs.next && !signs.back {
            score += CLASS_WEIGHT;
        } else if signs.back && !says_next {
            return None;
        }
        if score <= 0.0 {
            return None;
        }
        score += context(self.page, link, *around, self.extent);
        if *is_article {
            score += ARTICLE_WEIGHT;
        }
        if is_numbered {
            score += NAMED_WEIGHT;
        } else if ends_with_month(href) && link.meaning != LinkMeaning::Older {
            return None;
        }
        let is_following = is_numbered && own.is_following_page(&url);
        if is_following {
            score += STEP_WEIGHT;
        }
        if numbered.is_none() {
            if self.list == ListCertainty::NoList {
                score += NO_LIST_WEIGHT;
            }
            if !is_numbered && self.may_be_item(link, href, &url) {
                score = score.min(MAX_UNNUMBERED_SCORE);
            }
        }
        Some((score, kind))
    }

    /// True if a link without a page number may lead to the next item: articles and galleries say "next" and
    /// declare it too. A doubtful list is enough for a link with a query, which can be a position in the list.
    fn may_be_item(&self, link: &PagingLink<'_>, href: &str, url: &str) -> bool {
        match self.list {
            ListCertainty::NoList => true,
            ListCertainty::Possible => {
                link.meaning != LinkMeaning::Older && (!href.contains('?') || self.own.is_other_item(url))
            }
            ListCertainty::Sure => false,
        }
    }

    /// What the text of a link says. `None` if it leads back or to the last page.
    fn text_evidence(&self, at: usize, is_numbered: bool, url: &str) -> Option<(f64, NextKind)> {
        let link = &self.links.links[at];
        let is_beside = |meanings: &[LinkMeaning]| is_beside(self.links, at, meanings);
        match link.meaning {
            // on blogs the previous articles are the older ones, and these are on the next page
            LinkMeaning::Previous if self.own.is_surely_following_page(url) => {
                Some((PREVIOUS_WEIGHT, NextKind::Url))
            }
            LinkMeaning::Previous | LinkMeaning::Back | LinkMeaning::End | LinkMeaning::Elsewhere => None,
            // next to a simpler arrow they lead to the last page
            LinkMeaning::Guillemet if is_beside(&[LinkMeaning::Arrow]) => None,
            LinkMeaning::DoubleArrow
                if is_beside(&[LinkMeaning::Arrow, LinkMeaning::Guillemet, LinkMeaning::Next]) =>
            {
                None
            }
            LinkMeaning::Next | LinkMeaning::Older if link.by_label => Some((LABEL_WEIGHT, NextKind::Next)),
            LinkMeaning::Next | LinkMeaning::Older => Some((NEXT_WEIGHT, NextKind::Next)),
            LinkMeaning::NextOf if is_numbered => Some((NEXT_OF_WEIGHT, NextKind::Next)),
            LinkMeaning::Arrow | LinkMeaning::Guillemet => Some((ARROW_WEIGHT, NextKind::Next)),
            LinkMeaning::DoubleArrow => Some((DOUBLE_WEIGHT, NextKind::Next)),
            LinkMeaning::More => Some((MORE_WEIGHT, NextKind::More)),
            _ => Some((0.0, NextKind::Url)),
        }
    }

    /// True if the page or the URL says that the link does not lead on. A numbered pager is believed more.
    fn is_refuted(&self, link: &PagingLink<'_>, href: &str, url: &str) -> bool {
        let is_after_end = match self.end {
            Some(AnnouncedEnd::LastPage) => true,
            Some(AnnouncedEnd::OnlyPage) => !link.rel && !has_page_number(href),
            None => false,
        };
        // "older" leads on even if the site counts its pages down
        let leads_back = || link.meaning != LinkMeaning::Older && self.own.is_preceding_page(url);
        !self.numbered.is_surely_next(href) && (is_after_end || leads_back())
    }

    /// True if the link leads from article to article. `has_article_class` says whether a class around it does.
    fn is_article(
        &self,
        link: &PagingLink<'_>,
        href: &str,
        url: &str,
        has_article_class: impl FnOnce() -> bool,
    ) -> bool {
        let is_plain = !has_page_number(href) && !href.contains('?') && link.meaning != LinkMeaning::Older;
        !self.numbered.is_surely_next(href) && (self.own.is_article(url) || is_plain && has_article_class())
    }

    /// The weight of `rel=next`.
    fn rel_weight(&self, link: &PagingLink<'_>, href: &str, is_article: bool, says_next: bool) -> f64 {
        let has_title = || link.head || is_title(&link_labels::text(self.page, link.node), href);
        let moves_number =
            || self.list == ListCertainty::Sure && self.own.is_one_step_further(&self.own.resolve(href));
        let is_unnumbered = !(has_page_number(href) || has_small_number(href) || moves_number());
        if is_article || !says_next && is_unnumbered && has_title() {
            REL_TITLE_WEIGHT
        } else if link.head {
            HEAD_WEIGHT
        } else {
            REL_WEIGHT
        }
    }
}

/// True if the text of a link with `rel=next` is the title of an article: it has a space, or it is a word
/// and the URL has no query that could hold a position in the list.
fn is_title(text: &str, href: &str) -> bool {
    text.contains(' ') || !href.contains('?') && text.chars().any(char::is_alphabetic)
}

/// True if a link with one of these meanings is in the same pager.
fn is_beside(links: &PagingLinks<'_>, at: usize, meanings: &[LinkMeaning]) -> bool {
    let near =
        &links.links[at.saturating_sub(MAX_PAGER_LINKS)..(at + MAX_PAGER_LINKS).min(links.links.len())];
    let node = links.links[at].node;
    near.iter().any(|link| meanings.contains(&link.meaning) && link.node.abs_diff(node) <= MAX_PAGER_NODES)
}

/// The score of the surroundings of a link.
fn context(page: &Page, link: &PagingLink<'_>, around: AroundSigns, extent: &ListExtent) -> f64 {
    if link.head {
        return 0.0;
    }
    let mut score = 0.0;
    if around.pager {
        score += PAGER_WEIGHT;
    }
    let is_near = extent.is_near(page, link.node, MAX_CHARS_TO_LIST);
    if around.slider || around.comments && !is_near {
        score += OTHER_WEIGHT;
    }
    if is_near {
        score += NEAR_WEIGHT;
    }
    score
}

/// What the pagers say about URLs.
struct NumberedUrls<'a> {
    /// Next pages: how certain they are, and the index of their pager.
    next: FxHashMap<&'a str, (f64, usize)>,
    /// Earlier pages and the page itself, with the index of their pager.
    back: FxHashMap<&'a str, usize>,
}

impl<'a> NumberedUrls<'a> {
    fn of(links: &PagingLinks<'a>, pagers: &[Pager], own: &PageUrl) -> NumberedUrls<'a> {
        let mut numbered = NumberedUrls { next: FxHashMap::default(), back: FxHashMap::default() };
        for (i, pager) in pagers.iter().enumerate() {
            let Some(current) = pager.current else { continue };
            let mut certainty = pager.certainty;
            if let Some(href) = pager.link(current + 1).and_then(|link| links.links[link].href) {
                // the missing number need not be that of this page
                if certainty < 1.0 && own.is_other_folder(&own.resolve(href)) {
                    certainty = certainty.min(OTHER_FOLDER_CERTAINTY);
                }
                let next = numbered.next.entry(href).or_insert((certainty, i));
                next.0 = next.0.max(certainty);
            }
            if certainty > 0.5 {
                let before = pager.numbers.iter().filter(|number| number.value <= current);
                let before = before.filter_map(|number| links.links[number.link?].href);
                numbered.back.extend(before.map(|href| (href, i)));
            }
        }
        numbered
    }

    /// True if the link has the number after that of the current page, and that page is marked or unlinked.
    fn is_surely_next(&self, href: &str) -> bool {
        self.next.get(href).is_some_and(|(certainty, _)| *certainty > 0.5)
    }

    fn is_back(&self, href: &str) -> bool {
        self.back.contains_key(href) && !self.next.contains_key(href)
    }
}

/// The ranked links in the form of the public interface: each URL once, with its best link.
fn to_next_links(
    page: &Page,
    own: &PageUrl,
    links: &PagingLinks<'_>,
    ranked: &[(f64, NextKind, usize)],
) -> Vec<NextLink> {
    let mut next_links: Vec<NextLink> = Vec::new();
    for &(score, kind, i) in ranked {
        let link = &links.links[i];
        let Some(href) = link.href else { continue };
        if next_links.iter().any(|other| other.href == href) {
            continue;
        }
        next_links.push(NextLink {
            href: href.to_owned(),
            url: own.resolve(href),
            score,
            kind,
            text: if link.head { String::new() } else { link_labels::text(page, link.node) },
        });
        if next_links.len() == MAX_NEXT_LINKS {
            break;
        }
    }
    next_links
}
