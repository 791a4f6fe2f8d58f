//! The links of a page that might lead to its next page, and its page numbers.
//!
//! In: a [`Page`]. Out: [`PagingLink`]s with a short text or another sign of paging, and [`PageNumber`]s:
//! linked numbers and numbers without a link, such as that of the current page. Links with long texts
//! are never part of a pager, so they are skipped before anything else is examined. O(nodes).

use super::class_signs::{AroundSigns, OwnSigns, mentions_next, own_signs, signs_around};
use super::digits::digit;
use super::link_labels::{is_rel_next, labels, text};
use super::link_text::{LinkMeaning, link_meaning};
use super::list_extent::ListExtent;
use copal_dom::url::page_link;
use copal_dom::{AttrName, Node, Page, attrs, tags};

/// Maximum length of a link's text as written, in bytes.
const MAX_RAW_LINK_BYTES: usize = 240;
/// Maximum length of a visible text that may have a meaning for paging, in bytes.
const MAX_VISIBLE_LINK_BYTES: usize = 80;
/// Up to this length in bytes, a text may be an icon, and the label or class of the link may say what it
/// means.
const MAX_ICON_TEXT_BYTES: usize = 24;
/// Maximum number of nodes in a link.
const MAX_LINK_NODES: Node = 60;
/// Maximum number of links, and of numbers, that are collected.
const MAX_LINKS: usize = 20_000;

/// A link that may belong to a pager.
#[derive(Debug, Clone)]
pub(super) struct PagingLink<'a> {
    pub(super) node: Node,
    /// The URL as written. `None` if the link does not lead to another page (no URL, a script, a fragment).
    pub(super) href: Option<&'a str>,
    /// The meaning of its text, or of its label if the text has none.
    pub(super) meaning: LinkMeaning,
    /// True if the meaning comes from the label.
    pub(super) by_label: bool,
    /// True if it has `rel=next`.
    pub(super) rel: bool,
    /// True for an invisible `link` element.
    pub(super) head: bool,
}

impl PagingLink<'_> {
    /// What its classes say, and those of the element around it.
    pub(super) fn own_signs(&self, page: &Page) -> OwnSigns {
        if self.head { OwnSigns::default() } else { own_signs(page, self.node) }
    }

    /// What its classes say, and those of its ancestors.
    pub(super) fn signs_around(&self, page: &Page) -> AroundSigns {
        if self.head { AroundSigns::default() } else { signs_around(page, self.node) }
    }
}

/// A text that is a page number, linked or not.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageNumber {
    pub(super) node: Node,
    pub(super) value: u64,
    /// The index of its link in [`PagingLinks::links`].
    pub(super) link: Option<usize>,
}

/// The links and numbers of a page.
#[derive(Debug, Default)]
pub(super) struct PagingLinks<'a> {
    pub(super) links: Vec<PagingLink<'a>>,
    pub(super) numbers: Vec<PageNumber>,
}

/// Collects the links of a page. Links in records are skipped: they lead to detail pages.
pub(super) fn collect<'a>(page: &'a Page, extent: &ListExtent) -> PagingLinks<'a> {
    let tree = &page.tree;
    let rtl = is_rtl(page);
    let scripted = ScriptedUrls::of(page);
    let mut found = PagingLinks::default();
    let (mut link_end, mut record, mut skip_to) = (0, 0, 0);
    for node in tree.nodes() {
        if node < skip_to {
            continue;
        }
        if let Some(end) = extent.record_end_from(&mut record, node) {
            skip_to = end;
            continue;
        }
        if found.links.len() >= MAX_LINKS || found.numbers.len() >= MAX_LINKS {
            break;
        }
        match tree.tag(node) {
            tags::TEXT if node >= link_end => found.add_number(page, node, rtl),
            tags::LINK => {
                if let Some(href) = tree.attr(node, attrs::HREF).filter(|_| is_rel_next(page, node)) {
                    found.links.push(PagingLink {
                        node,
                        href: page_link(href),
                        meaning: LinkMeaning::Nothing,
                        by_label: false,
                        rel: true,
                        head: true,
                    });
                }
            }
            tags::A => {
                link_end = link_end.max(tree.end(node));
                let href = tree.attr(node, attrs::HREF).and_then(page_link);
                found.add_link(page, node, href.or_else(|| scripted.url(page, node)), rtl);
            }
            tags::BUTTON | tags::INPUT | tags::SPAN | tags::DIV | tags::LI | tags::TD if scripted.any => {
                if let Some(href) = scripted.url(page, node) {
                    found.add_link(page, node, Some(href), rtl);
                }
            }
            _ => {}
        }
    }
    found
}

impl<'a> PagingLinks<'a> {
    /// Adds a link if it may belong to a pager.
    fn add_link(&mut self, page: &'a Page, node: Node, href: Option<&'a str>, rtl: bool) {
        let tree = &page.tree;
        if tree.raw_text(node).len() > MAX_RAW_LINK_BYTES || tree.end(node) - node > MAX_LINK_NODES {
            return;
        }
        let rel = is_rel_next(page, node);
        let text = text(page, node);
        let mut meaning = if text.len() <= MAX_VISIBLE_LINK_BYTES {
            link_meaning(&text, rtl)
        } else {
            LinkMeaning::Nothing
        };
        let mut by_label = false;
        if matches!(
            meaning,
            LinkMeaning::Nothing | LinkMeaning::Arrow | LinkMeaning::Guillemet | LinkMeaning::DoubleArrow
        ) && text.len() <= MAX_ICON_TEXT_BYTES
            && let Some(label) =
                labels(page, node).map(|label| link_meaning(label, rtl)).find(|label| is_direction(*label))
        {
            (meaning, by_label) = (label, true);
        }
        // "Next" with the label "Next month"
        if is_direction(meaning) && labels(page, node).any(|label| is_elsewhere(label, rtl)) {
            meaning = LinkMeaning::Elsewhere;
        }
        // nearly all links of a page are dropped here
        if meaning == LinkMeaning::Nothing
            && !rel
            && !(text.len() <= MAX_ICON_TEXT_BYTES && mentions_next(page, node))
        {
            return;
        }
        if meaning == LinkMeaning::Nothing && !rel && !own_signs(page, node).next {
            return;
        }
        if let LinkMeaning::Number(value) = meaning {
            self.numbers.push(PageNumber { node, value, link: Some(self.links.len()) });
        }
        if href.is_some() || matches!(meaning, LinkMeaning::Number(_)) {
            self.links.push(PagingLink { node, href, meaning, by_label, rel, head: false });
        }
    }

    /// Adds a text without a link if it is only a number.
    fn add_number(&mut self, page: &Page, node: Node, rtl: bool) {
        let text = page.tree.raw_text(node);
        let digits = page.index.digits(&(node..node + 1)) > 0;
        if text.len() > 60 || !digits && (text.is_ascii() || !text.chars().any(|c| digit(c).is_some())) {
            return;
        }
        if !page.styles.is_shown(node) {
            return;
        }
        if let LinkMeaning::Number(value) = link_meaning(text, rtl) {
            self.numbers.push(PageNumber { node, value, link: None });
        }
    }
}

fn is_direction(meaning: LinkMeaning) -> bool {
    matches!(
        meaning,
        LinkMeaning::Next
            | LinkMeaning::Older
            | LinkMeaning::Previous
            | LinkMeaning::Back
            | LinkMeaning::End
            | LinkMeaning::More
            | LinkMeaning::Elsewhere
    )
}

fn is_elsewhere(label: &str, rtl: bool) -> bool {
    link_meaning(label, rtl) == LinkMeaning::Elsewhere
}

/// Finds URLs in HTML attributes that scripts use.
struct ScriptedUrls {
    data: Vec<AttrName>,
    click: Option<AttrName>,
    any: bool,
}

impl ScriptedUrls {
    fn of(page: &Page) -> ScriptedUrls {
        let names = ["data-href", "data-url", "data-next", "data-next-url", "data-next-page"];
        let data: Vec<AttrName> = names.iter().filter_map(|name| page.tree.attr_name(name)).collect();
        let click = page.tree.attr_name("onclick");
        ScriptedUrls { any: !data.is_empty() || click.is_some(), data, click }
    }

    fn url<'a>(&self, page: &'a Page, node: Node) -> Option<&'a str> {
        if !self.any {
            return None;
        }
        let data = self.data.iter().filter_map(|&name| page.tree.attr(node, name)).find_map(|value| {
            let href = page_link(value)?;
            (href.starts_with(['/', '?', '.']) || href.starts_with("http")).then_some(href)
        });
        data.or_else(|| {
            let script = page.tree.attr(node, self.click?)?;
            let rest = &script[script.find("location")?..];
            let open = rest.find(['\'', '"'])?;
            let quote = rest[open..].chars().next()?;
            let (inside, _) = rest[open + 1..].split_once(quote)?;
            page_link(inside)
        })
    }
}

/// True for a page that is read from right to left.
fn is_rtl(page: &Page) -> bool {
    let tree = &page.tree;
    let mut direction = [tags::HTML, tags::BODY].into_iter().filter_map(|tag| tree.find(tag));
    let direction = direction.find_map(|node| tree.attr_named(node, "dir"));
    match direction {
        Some(direction) => direction.trim().eq_ignore_ascii_case("rtl"),
        None => page.lang().is_some_and(|lang| {
            let main = lang.split(['-', '_']).next().unwrap_or_default();
            ["ar", "he", "iw", "fa", "ur", "yi", "ps"].iter().any(|rtl| main.eq_ignore_ascii_case(rtl))
        }),
    }
}
