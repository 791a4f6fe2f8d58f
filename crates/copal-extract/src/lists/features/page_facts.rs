//! What is known of a page before its candidates are judged.
//!
//! In: a [`Page`]. Out: [`PageFacts`]: which parts are navigation or the main part, where prose stands, what the page says
//! that it is, whether it has a pager, whether something was searched for. O(nodes).

use crate::lists::candidate::ListCandidate;
use copal_dom::{NONE, Node, Page, attrs, tags};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Characters from which a text is prose.
const PROSE: u32 = 160;
/// Longest text of a link to a page of the list.
const PAGE_NUMBER: usize = 4;
/// Bytes of declared data that are looked at.
const DECLARED: usize = 200_000;

/// What is the same for all candidates of a page.
pub(crate) struct PageFacts {
    /// Visible characters, at least one.
    pub(crate) chars: f64,
    /// Visible characters before each node that are neither navigation nor link, and all outside of navigation.
    plain: Vec<u32>,
    content: Vec<u32>,
    /// Nodes inside navigation: menus, heads, feet, side columns.
    pub(crate) navigation: Vec<bool>,
    /// Nodes inside what the page calls its main part.
    pub(crate) main: Vec<bool>,
    /// Nodes inside what the page calls comments, related or sponsored things.
    pub(crate) aside: Vec<bool>,
    /// The page says which part is its main one.
    pub(crate) has_main: bool,
    /// Long texts that are no links: where, and how long.
    prose: Vec<(Node, f64)>,
    /// There are links to further pages by their numbers, or one to the next.
    pub(crate) has_pager: bool,
    /// It says that it is one thing: an article, a product.
    pub(crate) says_one: bool,
    /// It says that it is a list: of search results, a collection.
    pub(crate) says_list: bool,
    /// The first `h1`.
    pub(crate) head: Option<Node>,
    /// Something was searched for.
    pub(crate) has_query: bool,
}

impl PageFacts {
    pub(crate) fn new(page: &Page) -> PageFacts {
        let tree = &page.tree;
        let all = page.index.chars(&(0..tree.len() as Node));
        let mut facts = PageFacts {
            chars: f64::from(all.max(1)),
            plain: Vec::with_capacity(tree.len() + 1),
            content: Vec::with_capacity(tree.len() + 1),
            navigation: vec![false; tree.len()],
            main: vec![false; tree.len()],
            aside: vec![false; tree.len()],
            has_main: false,
            prose: Vec::new(),
            has_pager: false,
            says_one: false,
            says_list: false,
            head: None,
            has_query: false,
        };
        let mut hints = Hints::default();
        let (mut numbers, mut plain, mut content) = (0, 0, 0);
        for node in tree.nodes() {
            facts.plain.push(plain);
            facts.content.push(content);
            let (parent, at) = (tree.parent(node), node as usize);
            if parent != NONE {
                let above = parent as usize;
                facts.navigation[at] = facts.navigation[above];
                facts.main[at] = facts.main[above];
                facts.aside[at] = facts.aside[above];
            }
            if tree.is_text(node) {
                let one = node..node + 1;
                let (chars, links) = (page.index.chars(&one), page.index.link_chars(&one));
                if !facts.navigation[at] {
                    plain += chars - links;
                    content += chars;
                }
                if chars >= PROSE && links == 0 {
                    facts.prose.push((node, f64::from(chars)));
                }
                continue;
            }
            let part = page.index.chars(&(node..tree.end(node)));
            let small = part * 3 < all;
            let says = hints.of(page, node);
            facts.navigation[at] |= is_navigation(page, node, small) || small && says & SAYS_NAVIGATION != 0;
            facts.main[at] |= is_main(page, node) || says & SAYS_MAIN != 0;
            facts.aside[at] |= small && says & SAYS_ASIDE != 0;
            facts.read(page, node, &mut numbers);
        }
        facts.plain.push(plain);
        facts.content.push(content);
        facts.has_main = facts.main.iter().any(|&is| is);
        facts
    }

    /// What single elements say of the page.
    fn read(&mut self, page: &Page, node: Node, numbers: &mut u32) {
        let tree = &page.tree;
        let attr = |name| tree.attr(node, name).unwrap_or_default();
        match tree.tag(node) {
            tags::H1 if self.head.is_none() && page.styles.is_shown(node) => self.head = Some(node),
            tags::INPUT if matches!(attr(attrs::TYPE), "" | "text" | "search") => {
                let value = attr(attrs::VALUE);
                if value.len() < 100 && value.chars().any(char::is_alphabetic) {
                    self.has_query = true;
                }
            }
            tags::LINK | tags::A if attr(attrs::REL).split_ascii_whitespace().any(|rel| rel == "next") => {
                self.has_pager = true;
            }
            tags::A => {
                let text = page.index.chars(&(node..tree.end(node)));
                if text > 0 && text as usize <= PAGE_NUMBER {
                    // 2, 3, 4: the next number follows soon
                    let number = page.text_of(node).parse::<u32>().ok();
                    self.has_pager |= number == Some(3) && *numbers == 2;
                    *numbers = number.unwrap_or(*numbers);
                }
            }
            tags::META => {
                let content = attr(attrs::CONTENT);
                match tree.attr(node, attrs::PROPERTY).unwrap_or_default() {
                    "og:type" => self.declare(content),
                    "article:published_time" | "product:price:amount" => self.says_one = true,
                    _ => {}
                }
            }
            tags::SCRIPT if attr(attrs::TYPE).eq_ignore_ascii_case("application/ld+json") => {
                let text = tree.children(node).filter(|&child| tree.is_text(child));
                for text in text.map(|child| tree.raw_text(child)).filter(|text| text.len() < DECLARED) {
                    for (at, _) in text.match_indices("\"@type\"") {
                        let value = text[at + 7..].trim_start().trim_start_matches(':').trim_start();
                        let value = value.trim_start_matches('[').trim_start().trim_start_matches('"');
                        self.declare(value.split('"').next().unwrap_or_default());
                    }
                }
            }
            _ => {}
        }
        if let Some(kind) = tree.attr(node, attrs::ITEMTYPE) {
            self.declare(kind.rsplit('/').next().unwrap_or_default());
        }
    }

    fn declare(&mut self, kind: &str) {
        let is = |kinds: &[&str]| kinds.iter().any(|one| one.eq_ignore_ascii_case(kind));
        self.says_one |= is(&[
            "article",
            "newsarticle",
            "blogposting",
            "product",
            "recipe",
            "movie",
            "video.movie",
            "book",
            "scholarlyarticle",
            "howto",
            "event",
            "jobposting",
            "realestatelisting",
        ]);
        self.says_list |=
            is(&["itemlist", "searchresultspage", "collectionpage", "product.group", "datafeed"]);
    }

    /// Share of the page's text that is prose outside of a region's records, before them and behind.
    pub(crate) fn prose_outside(&self, found: &ListCandidate) -> (f64, f64) {
        let first = found.records[0][0].start;
        let last = found.records.last().and_then(|parts| parts.last()).map_or(0, |part| part.end);
        let sum = |nodes: &dyn Fn(Node) -> bool| {
            self.prose.iter().filter(|(node, _)| nodes(*node)).map(|(_, chars)| chars).sum::<f64>()
        };
        (sum(&|node| node < first) / self.chars, sum(&|node| node >= last) / self.chars)
    }

    /// Share of the text outside of navigation that is in a region's records.
    pub(crate) fn content_coverage(&self, found: &ListCandidate) -> f64 {
        let sum = |from: Node, to: Node| f64::from(self.content[to as usize] - self.content[from as usize]);
        let inside: f64 = found.records.iter().flatten().map(|part| sum(part.start, part.end)).sum();
        inside / sum(0, (self.content.len() - 1) as Node).max(1.0)
    }

    /// Share of the plain text outside of navigation that stands before a region, behind the page's head.
    pub(crate) fn plain_before(&self, found: &ListCandidate) -> f64 {
        let first = found.records[0][0].start;
        let from = self.head.filter(|&head| head < first).unwrap_or(0);
        let all = self.plain.last().copied().unwrap_or(0);
        f64::from(self.plain[first as usize] - self.plain[from as usize]) / f64::from(all.max(1))
    }
}

/// By its tag or its role.
fn is_navigation(page: &Page, node: Node, small: bool) -> bool {
    let tree = &page.tree;
    match tree.tag(node) {
        // on a page that its scripts fill the menu may be all there is
        tags::NAV => return true,
        // a form or a header may be around everything
        tags::FOOTER | tags::ASIDE | tags::HEADER | tags::SELECT | tags::FORM => return small,
        _ => {}
    }
    let role = tree.attr(node, attrs::ROLE).unwrap_or_default();
    matches!(role, "navigation" | "menu" | "menubar" | "contentinfo" | "banner" | "complementary" | "tablist")
}

fn is_main(page: &Page, node: Node) -> bool {
    page.tree.tag(node) == tags::MAIN || page.tree.attr(node, attrs::ROLE) == Some("main")
}

/// What the words of a class or an id say. Pages repeat their classes: each is looked at once.
#[derive(Default)]
struct Hints<'a> {
    known: FxHashMap<&'a str, u8>,
}

const SAYS_NAVIGATION: u8 = 1;
const SAYS_MAIN: u8 = 2;
const SAYS_ASIDE: u8 = 4;
/// Longer classes are a program's.
const LONGEST: usize = 200;

impl<'a> Hints<'a> {
    fn of(&mut self, page: &'a Page, node: Node) -> u8 {
        let mut says = 0;
        for name in [attrs::CLASS, attrs::ID] {
            if let Some(text) = page.tree.attr(node, name).filter(|text| text.len() < LONGEST) {
                says |= *self.known.entry(text).or_insert_with(|| hints_in(text));
            }
        }
        says
    }
}

/// A word is one of the hints, or begins with a long one (not for the main part: "searchbox" is none).
fn hints_in(text: &str) -> u8 {
    let mut says = 0;
    for word in text.as_bytes().split(|c| !c.is_ascii_alphanumeric()) {
        let Some(first) = word.first().filter(|first| first.is_ascii_alphabetic()) else { continue };
        for &(hint, flag) in &HINTS[usize::from(first.to_ascii_lowercase() - b'a')] {
            let longer = flag != SAYS_MAIN && word.len() > hint.len() && hint.len() > 4;
            if (word.len() == hint.len() || longer)
                && word[..hint.len()].eq_ignore_ascii_case(hint.as_bytes())
            {
                says |= flag;
            }
        }
    }
    says
}

/// The hints by their first letter.
static HINTS: LazyLock<[Vec<(&str, u8)>; 26]> = LazyLock::new(|| {
    let mut by_letter = [const { Vec::new() }; 26];
    for (hints, flag) in [(NAVIGATION, SAYS_NAVIGATION), (MAIN, SAYS_MAIN), (ASIDE, SAYS_ASIDE)] {
        for hint in hints {
            by_letter[usize::from(hint.as_bytes()[0] - b'a')].push((*hint, flag));
        }
    }
    by_letter
});

const MAIN: &[&str] =
    &["main", "results", "result", "listing", "listings", "products", "items", "search", "content", "feed"];

const ASIDE: &[&str] = &[
    "related",
    "similar",
    "recommend",
    "recommended",
    "comment",
    "comments",
    "review",
    "reviews",
    "reply",
    "replies",
    "also",
    "popular",
    "trending",
    "latest",
    "recent",
    "widget",
    "promo",
    "sponsored",
    "carousel",
    "upsell",
    "crosssell",
    "suggested",
    "suggestions",
];

const NAVIGATION: &[&str] = &[
    "nav",
    "menu",
    "navbar",
    "navigation",
    "breadcrumb",
    "breadcrumbs",
    "footer",
    "header",
    "sidebar",
    "pagination",
    "pager",
    "paging",
    "tabs",
    "toolbar",
    "filter",
    "filters",
    "facet",
    "facets",
    "refine",
    "related",
    "share",
    "social",
    "cookie",
    "dropdown",
    "subnav",
    "topnav",
    "sitemap",
    "tags",
    "tagcloud",
];
