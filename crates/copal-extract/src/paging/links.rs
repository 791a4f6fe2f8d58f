//! What of a page can be followed and might lead to its next page.
//!
//! In: a [`Page`]. Out: [`Link`]s with an address and a short text or another sign, and numbers that are no links (the page
//! that is shown is one). Long texts are no pagers: they are passed over before anything else is looked at. O(nodes).

use super::place::Place;
use super::words::{Says, digit, says};
use copal_dom::url::page_link;
use copal_dom::{AttrName, NONE, Node, Page, attrs, push_collapsed, tags};

/// Longest text of a link, in bytes as written.
const LONGEST: usize = 240;
/// Longest text of a link that says something, and of one whose label or class may say it instead.
const SHOWN: usize = 80;
const ICON: usize = 24;
/// Most nodes of a link.
const NODES: Node = 60;
/// Most links and numbers that are kept.
const MOST: usize = 20_000;
/// Ancestors whose classes are looked at.
const NEAR: usize = 5;

/// Something that leads to an address.
#[derive(Debug, Clone)]
pub(super) struct Link<'a> {
    pub(super) node: Node,
    /// The address as written; none if it leads nowhere (no address, a script, a place on the page itself).
    pub(super) href: Option<&'a str>,
    /// What its text says, or its label if the text says nothing.
    pub(super) says: Says,
    /// It is the label that says so.
    pub(super) by_label: bool,
    /// It has `rel=next`.
    pub(super) rel: bool,
    /// A `link` in the head: not to be seen.
    pub(super) head: bool,
    /// What its classes say.
    pub(super) signs: Signs,
}

/// Signs in classes and ids.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Signs {
    /// "next" on the link or the element around it.
    pub(super) next: bool,
    /// "previous" there.
    pub(super) back: bool,
    /// "current", "active" there, or `aria-current`.
    pub(super) current: bool,
    /// "pagination", "pager" on an element around it.
    pub(super) pager: bool,
    /// "carousel", "calendar" there.
    pub(super) other: bool,
}

/// A number of a page, linked or not.
#[derive(Debug, Clone, Copy)]
pub(super) struct Figure {
    pub(super) node: Node,
    pub(super) value: u64,
    /// Its place among the links.
    pub(super) link: Option<usize>,
}

/// Everything that is looked at.
#[derive(Debug, Default)]
pub(super) struct Links<'a> {
    pub(super) links: Vec<Link<'a>>,
    pub(super) figures: Vec<Figure>,
}

/// Collects the links of a page. Those of records lead to what the records are about.
pub(super) fn collect<'a>(page: &'a Page, place: &Place) -> Links<'a> {
    let tree = &page.tree;
    let rtl = is_rtl(page);
    let scripted = Scripted::of(page);
    let mut found = Links::default();
    let (mut inside, mut record, mut behind) = (0, 0, 0);
    for node in tree.nodes() {
        if node < behind {
            continue;
        }
        if let Some(end) = place.record_end_from(&mut record, node) {
            behind = end;
            continue;
        }
        if found.links.len() >= MOST || found.figures.len() >= MOST {
            break;
        }
        match tree.tag(node) {
            tags::TEXT if node >= inside => found.number(page, node, rtl),
            tags::LINK => {
                if let Some(href) = tree.attr(node, attrs::HREF).filter(|_| is_next(page, node)) {
                    found.links.push(Link {
                        node,
                        href: page_link(href),
                        says: Says::Nothing,
                        by_label: false,
                        rel: true,
                        head: true,
                        signs: Signs::default(),
                    });
                }
            }
            tags::A => {
                inside = inside.max(tree.end(node));
                let href = tree.attr(node, attrs::HREF).and_then(page_link);
                found.link(page, node, href.or_else(|| scripted.address(page, node)), rtl);
            }
            tags::BUTTON | tags::INPUT | tags::SPAN | tags::DIV | tags::LI | tags::TD if scripted.any => {
                if let Some(href) = scripted.address(page, node) {
                    found.link(page, node, Some(href), rtl);
                }
            }
            _ => {}
        }
    }
    found
}

impl<'a> Links<'a> {
    fn link(&mut self, page: &'a Page, node: Node, href: Option<&'a str>, rtl: bool) {
        let tree = &page.tree;
        if tree.raw_text(node).len() > LONGEST || tree.end(node) - node > NODES {
            return;
        }
        let rel = is_next(page, node);
        let text = text(page, node);
        let mut said = if text.len() <= SHOWN { says(&text, rtl) } else { Says::Nothing };
        let mut by_label = false;
        if matches!(said, Says::Nothing | Says::Arrow | Says::Guillemet | Says::DoubleArrow)
            && text.len() <= ICON
            && let Some(label) =
                labels(page, node).map(|label| says(label, rtl)).find(|said| is_direction(*said))
        {
            (said, by_label) = (label, true);
        }
        // nearly all links of a page end here
        if said == Says::Nothing && !rel && !(text.len() <= ICON && mentions_next(page, node)) {
            return;
        }
        let own = own_signs(page, node);
        if said == Says::Nothing && !rel && !own.next {
            return;
        }
        let signs = around(page, node, own);
        if let Says::Number(value) = said {
            self.figures.push(Figure { node, value, link: Some(self.links.len()) });
        }
        if href.is_some() || matches!(said, Says::Number(_)) {
            self.links.push(Link { node, href, says: said, by_label, rel, head: false, signs });
        }
    }

    /// A text that is but a number and no link.
    fn number(&mut self, page: &Page, node: Node, rtl: bool) {
        let text = page.tree.raw_text(node);
        let digits = page.index.digits(&(node..node + 1)) > 0;
        if text.len() > 60 || !digits && (text.is_ascii() || !text.chars().any(|c| digit(c).is_some())) {
            return;
        }
        if !page.styles.is_shown(node) {
            return;
        }
        if let Says::Number(value) = says(text, rtl) {
            self.figures.push(Figure { node, value, link: None });
        }
    }
}

fn is_direction(said: Says) -> bool {
    matches!(said, Says::Next | Says::Back | Says::End | Says::More)
}

fn is_next(page: &Page, node: Node) -> bool {
    let rel = page.tree.attr(node, attrs::REL);
    rel.is_some_and(|rel| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("next")))
}

/// The text of a link, also if it is hidden: links that scripts follow are.
pub(super) fn text(page: &Page, node: Node) -> String {
    let shown = page.text_of(node);
    if !shown.is_empty() || page.styles.is_shown(node) {
        return shown;
    }
    let mut text = String::new();
    for at in node..page.tree.end(node) {
        if page.tree.is_text(at) {
            push_collapsed(&mut text, page.tree.raw_text(at));
        }
    }
    text
}

/// What a link is called besides its text.
fn labels(page: &Page, node: Node) -> impl Iterator<Item = &str> {
    let tree = &page.tree;
    let own = [attrs::ARIA_LABEL, attrs::TITLE, attrs::ALT, attrs::VALUE].into_iter();
    let own = own.filter_map(move |name| tree.attr(node, name));
    let inside = (node + 1..tree.end(node).min(node + 8)).flat_map(move |at| {
        let names = [attrs::ALT, attrs::ARIA_LABEL, attrs::TITLE].into_iter();
        names.filter_map(move |name| tree.attr(at, name))
    });
    own.chain(inside)
}

/// Addresses in attributes of scripts.
struct Scripted {
    data: Vec<AttrName>,
    click: Option<AttrName>,
    any: bool,
}

impl Scripted {
    fn of(page: &Page) -> Scripted {
        let names = ["data-href", "data-url", "data-next", "data-next-url", "data-next-page"];
        let data: Vec<AttrName> = names.iter().filter_map(|name| page.tree.attr_name(name)).collect();
        let click = page.tree.attr_name("onclick");
        Scripted { any: !data.is_empty() || click.is_some(), data, click }
    }

    fn address<'a>(&self, page: &'a Page, node: Node) -> Option<&'a str> {
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

/// The words of a class or id: `nav-next`, `nextPage`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).flat_map(|word| {
        let camel = word.char_indices().skip(1).find(|(_, c)| c.is_ascii_uppercase());
        let (first, rest) = word.split_at(camel.map_or(word.len(), |(at, _)| at));
        [first, rest].into_iter().filter(|word| !word.is_empty())
    })
}

fn each_word(page: &Page, node: Node, mut with: impl FnMut(&str)) {
    for name in [attrs::CLASS, attrs::ID] {
        if let Some(value) = page.tree.attr(node, name) {
            words(value).take(24).for_each(&mut with);
        }
    }
}

/// A quick look for the words of [`own_signs`].
fn mentions_next(page: &Page, node: Node) -> bool {
    let has = |text: &str| {
        text.as_bytes()
            .windows(4)
            .any(|part| part.eq_ignore_ascii_case(b"next") || part.eq_ignore_ascii_case(b"olde"))
    };
    let nodes = [node, page.tree.parent(node)];
    let values =
        nodes.into_iter().flat_map(|at| [attrs::CLASS, attrs::ID].map(|name| page.tree.attr(at, name)));
    values.flatten().any(has)
}

/// Signs of the link, and of an element that holds nothing else.
fn own_signs(page: &Page, node: Node) -> Signs {
    let tree = &page.tree;
    let mut signs = Signs::default();
    let parent = tree.parent(node);
    let around =
        (parent != NONE && tree.end(parent) - parent <= 2 * (tree.end(node) - node) + 4).then_some(parent);
    for at in [Some(node), around].into_iter().flatten() {
        each_word(page, at, |word| {
            let is = |list: &[&str]| list.iter().any(|other| word.eq_ignore_ascii_case(other));
            signs.next |= is(&["next", "older"]);
            signs.back |= is(&["prev", "previous", "newer", "back", "first", "last", "zurueck"]);
            signs.current |=
                is(&["current", "active", "selected", "curr", "cur", "highlight", "aktiv", "here"]);
        });
    }
    let aria = |at: Node| tree.attr_named(at, "aria-current").is_some_and(|value| value != "false");
    signs.current |= aria(node) || around.is_some_and(aria);
    signs
}

/// The signs with those of the elements around.
fn around(page: &Page, node: Node, mut signs: Signs) -> Signs {
    for at in std::iter::once(node).chain(page.tree.ancestors(node).take(NEAR)) {
        each_word(page, at, |word| {
            let begins = |list: &[&str]| {
                list.iter()
                    .any(|start| word.get(..start.len()).is_some_and(|w| w.eq_ignore_ascii_case(start)))
            };
            signs.pager |=
                begins(&["pagin", "pager", "paging", "pagenav", "pagelink", "pagelist", "pages", "pagebar"]);
            signs.other |= begins(&[
                "carousel",
                "carrousel",
                "slider",
                "slide",
                "slick",
                "swiper",
                "gallery",
                "calendar",
                "datepicker",
                "lightbox",
                "flexslider",
                "owl",
                "rotator",
                "month",
            ]);
        });
    }
    signs
}
