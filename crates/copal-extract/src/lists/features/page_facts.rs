//! What is known about a page before its candidates are judged.
//!
//! In: the [`Signals`] of a page. Out: [`PageFacts`]: its zones, its prose, what it declares to be, whether
//! it has a pager, whether something was searched for. O(nodes).

use crate::lists::candidate::ListCandidate;
use crate::signals::Signals;
use crate::signals::zones::Zones;
use copal_dom::{Node, Page, attrs, tags};

/// Minimum number of characters of a text that is prose.
const MIN_PROSE_CHARS: u32 = 160;
/// Longest text of a link to another page of the list.
const MAX_PAGE_NUMBER_CHARS: usize = 4;
/// Longest text in a search field that counts as a query, in bytes.
const MAX_QUERY_BYTES: usize = 100;

/// What is the same for all candidates of a page.
pub(crate) struct PageFacts<'s> {
    pub(crate) zones: &'s Zones,
    /// Visible characters, at least one.
    pub(crate) chars: f64,
    /// For each node, the visible characters before it that are neither navigation nor link.
    plain_before: Vec<u32>,
    /// For each node, the visible characters before it that are not navigation.
    content_before: Vec<u32>,
    /// Number of shown elements with text by class path. These are numbered in the order of their first element.
    places: Vec<u32>,
    /// Long texts that are not links, with their lengths.
    prose: Vec<(Node, f64)>,
    /// There are links to further pages by their numbers, or one to the next page.
    pub(crate) has_pager: bool,
    /// The page declares one thing: an article, a product.
    pub(crate) says_one: bool,
    /// The page declares a list: search results, a collection.
    pub(crate) says_list: bool,
    /// The first `h1`.
    pub(crate) heading: Option<Node>,
    /// A search field has a query in it.
    pub(crate) has_query: bool,
    /// Fields to fill in. Many are a form that the page is for.
    pub(crate) inputs: u32,
    /// The page asks for a password.
    pub(crate) has_password: bool,
}

impl<'s> PageFacts<'s> {
    pub(crate) fn new(signals: &'s Signals<'_>) -> PageFacts<'s> {
        let page = signals.page;
        let tree = &page.tree;
        let all = page.index.chars(&(0..tree.len() as Node));
        let declared = signals.declared();
        let zones = signals.zones();
        let mut facts = PageFacts {
            zones,
            chars: f64::from(all.max(1)),
            plain_before: Vec::with_capacity(tree.len() + 1),
            content_before: Vec::with_capacity(tree.len() + 1),
            places: Vec::new(),
            prose: Vec::new(),
            has_pager: false,
            says_one: declared.names_one_thing(),
            says_list: declared.names_list(),
            heading: None,
            has_query: false,
            inputs: 0,
            has_password: false,
        };
        let (mut last_number, mut plain, mut content) = (0, 0, 0);
        for node in tree.nodes() {
            facts.plain_before.push(plain);
            facts.content_before.push(content);
            if !tree.is_text(node) {
                if page.index.chars(&(node..tree.end(node))) > 0 {
                    let place = page.index.class_path(node) as usize;
                    if place >= facts.places.len() {
                        facts.places.resize(place + 1, 0);
                    }
                    facts.places[place] += 1;
                }
                facts.read_element(page, node, &mut last_number);
                continue;
            }
            let text = node..node + 1;
            let (chars, links) = (page.index.chars(&text), page.index.link_chars(&text));
            if !zones.is_navigation(node) {
                plain += chars - links;
                content += chars;
            }
            if chars >= MIN_PROSE_CHARS && links == 0 {
                facts.prose.push((node, f64::from(chars)));
            }
        }
        facts.plain_before.push(plain);
        facts.content_before.push(content);
        facts
    }

    /// What a single element says about the page.
    fn read_element(&mut self, page: &Page, node: Node, last_number: &mut u32) {
        let tree = &page.tree;
        let attr = |name| tree.attr(node, name).unwrap_or_default();
        match tree.tag(node) {
            tags::H1 if self.heading.is_none() && page.styles.is_shown(node) => self.heading = Some(node),
            tags::INPUT => {
                let kind = attr(attrs::TYPE);
                self.has_password |= kind == "password";
                if matches!(kind, "" | "text" | "email" | "tel" | "password" | "number" | "date" | "url") {
                    self.inputs += 1;
                }
                let value = attr(attrs::VALUE);
                self.has_query |= matches!(kind, "" | "text" | "search")
                    && value.len() < MAX_QUERY_BYTES
                    && value.chars().any(char::is_alphabetic);
            }
            tags::TEXTAREA => self.inputs += 1,
            tags::LINK | tags::A if attr(attrs::REL).split_ascii_whitespace().any(|rel| rel == "next") => {
                self.has_pager = true;
            }
            tags::A => {
                let text = page.index.chars(&(node..tree.end(node)));
                if text > 0 && text as usize <= MAX_PAGE_NUMBER_CHARS {
                    // a pager has a 3 right after a 2
                    let number = page.text_of(node).parse::<u32>().ok();
                    self.has_pager |= number == Some(3) && *last_number == 2;
                    *last_number = number.unwrap_or(*last_number);
                }
            }
            _ => {}
        }
    }

    /// How many times more elements the page has at the place of most records than the candidate contains, as
    /// a logarithm: a candidate that has only some of them is cut short, or a section of a longer list.
    pub(crate) fn same_place(&self, page: &Page, firsts: &[Node]) -> f64 {
        let mut places: Vec<u32> = firsts.iter().map(|&node| page.index.class_path(node)).collect();
        places.sort_unstable();
        let longest = places.chunk_by(|a, b| a == b).max_by_key(|run| run.len());
        longest.map_or(0.0, |run| {
            let all = self.places.get(run[0] as usize).copied().unwrap_or(0).max(1);
            (f64::from(all) / run.len() as f64).max(1.0).ln()
        })
    }

    /// Shares of the page's text that are prose before a candidate's records and after them.
    pub(crate) fn prose_outside(&self, found: &ListCandidate) -> (f64, f64) {
        let first = found.records[0][0].start;
        let last = found.records.last().and_then(|parts| parts.last()).map_or(0, |part| part.end);
        let sum = |nodes: &dyn Fn(Node) -> bool| {
            self.prose.iter().filter(|(node, _)| nodes(*node)).map(|(_, chars)| chars).sum::<f64>()
        };
        (sum(&|node| node < first) / self.chars, sum(&|node| node >= last) / self.chars)
    }

    /// Share of the text outside navigation that is in a candidate's records.
    pub(crate) fn content_coverage(&self, found: &ListCandidate) -> f64 {
        let sum = |from: Node, to: Node| {
            f64::from(self.content_before[to as usize] - self.content_before[from as usize])
        };
        let inside: f64 = found.records.iter().flatten().map(|part| sum(part.start, part.end)).sum();
        inside / sum(0, (self.content_before.len() - 1) as Node).max(1.0)
    }

    /// Share of the plain text outside navigation that is between the page's heading and a candidate.
    pub(crate) fn plain_before(&self, found: &ListCandidate) -> f64 {
        let first = found.records[0][0].start;
        let from = self.heading.filter(|&heading| heading < first).unwrap_or(0);
        let all = self.plain_before.last().copied().unwrap_or(0);
        f64::from(self.plain_before[first as usize] - self.plain_before[from as usize])
            / f64::from(all.max(1))
    }
}
