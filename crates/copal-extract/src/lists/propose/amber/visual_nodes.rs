//! The nodes that one record chooses as its title, description, image and link.
//!
//! In: a record and its annotations. Out: [`VisualChoice`]. The choice uses only the record itself: fonts,
//! positions, links, lengths. [`visual_attributes`](super::visual_attributes) aligns the choices of all
//! records. O(nodes of the record).

use crate::structure::element_urls::image_address;
use copal_dom::style::Display;
use copal_dom::url::page_link;
use copal_dom::{NONE, Node, Page, attrs, tags};
use copal_domain::AttributeAnnotation;
use copal_model::Parts;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Maximum number of characters in a title.
const MAX_RECORD_TITLE_CHARS: u32 = 120;
/// Minimum number of characters in the longest text of a description.
const MIN_DESCRIPTION_CHARS: u32 = 40;
/// Minimum number of similar siblings that are a list in the record.
const MIN_LIST_ITEMS: usize = 3;
/// An image whose declared sides are at most this long is an icon.
const MAX_ICON_SIDE: u32 = 40;
/// A text is not a title if the pivot's value has at least this share of it.
const MIN_PIVOT_SHARE: f64 = 0.6;

fn range(page: &Page, node: Node) -> Range<Node> {
    node..page.tree.end(node)
}

/// The nodes that one record chooses on its own.
#[derive(Default)]
pub(super) struct VisualChoice {
    pub(super) title: Option<Node>,
    pub(super) description: Option<Node>,
    pub(super) image: Option<Node>,
    /// The first link with the most frequent URL of the record.
    pub(super) link: Option<Node>,
}

impl VisualChoice {
    pub(super) fn new(
        page: &Page,
        parts: &Parts,
        annotations: &[AttributeAnnotation],
        pivot: Option<usize>,
    ) -> VisualChoice {
        let listed = listed(page, parts);
        let mut choice = VisualChoice::default();
        let description = description(page, parts, &listed, annotations);
        choice.title = title(page, parts, &listed, annotations, pivot, description);
        choice.description =
            description.filter(|&node| choice.title.is_none_or(|title| !page.tree.contains(node, title)));
        choice.image = image(page, parts);
        choice.link = common_link(page, parts);
        choice
    }
}

/// The lists inside a record, as ranges of nodes in document order.
fn listed(page: &Page, parts: &Parts) -> Vec<Range<Node>> {
    let tree = &page.tree;
    let mut lists: Vec<Range<Node>> = Vec::new();
    for part in parts {
        for node in part.clone().filter(|&node| !tree.is_text(node)) {
            if lists.last().is_some_and(|last| last.end > node) {
                continue;
            }
            // all items must have the same tag and class
            let children: Vec<Node> =
                tree.elements(node).filter(|&child| page.styles.is_shown(child)).collect();
            let alike = |child: &&Node| {
                tree.tag(**child) == tree.tag(children[0])
                    && page.index.class(**child) == page.index.class(children[0])
                    && matches!(tree.tag(**child), tags::LI | tags::DD | tags::DT | tags::TD)
            };
            if children.len() >= MIN_LIST_ITEMS
                && children.iter().filter(alike).count() == children.len()
                && node != part.start
            {
                lists.push(range(page, node));
            }
        }
    }
    lists
}

fn is_listed(listed: &[Range<Node>], node: Node) -> bool {
    let after = listed.partition_point(|list| list.start <= node);
    after > 0 && listed[after - 1].end > node
}

/// The title: an element with only inline elements and texts in the first half of the record. A large font, a
/// link, an early position and annotations speak for an element.
fn title(
    page: &Page,
    parts: &Parts,
    listed: &[Range<Node>],
    annotations: &[AttributeAnnotation],
    pivot: Option<usize>,
    description: Option<Node>,
) -> Option<Node> {
    let tree = &page.tree;
    let whole: u32 = parts.iter().map(|part| page.index.chars(part)).sum();
    let largest = parts
        .iter()
        .flat_map(Clone::clone)
        .filter(|&node| tree.is_text(node) && page.styles.is_shown(node))
        .map(|node| page.styles.style(tree.parent(node)).size)
        .max()?;
    let mut before = 0;
    let mut best: Option<(f64, Node)> = None;
    for part in parts {
        let mut skip_to = part.start;
        for node in part.clone() {
            if node < skip_to || tree.is_text(node) || !page.styles.is_shown(node) {
                continue;
            }
            let within = range(page, node);
            let chars = page.index.chars(&within);
            let at = before + page.index.chars(&(part.start..node));
            if chars == 0
                || chars > MAX_RECORD_TITLE_CHARS
                || Some(node) == description
                || is_listed(listed, node)
                || !is_line(page, node)
            {
                continue;
            }
            // the outermost element of a line is taken instead of those inside it, unless it contains the
            // pivot too
            let has_pivot = annotations_in(annotations, &within)
                .any(|found| Some(found.attribute) == pivot && !found.label);
            if !has_pivot {
                skip_to = within.end;
            }
            if 2 * at > whole || is_pivot_value(page, &within, annotations, pivot) || !has_words(page, node) {
                continue;
            }
            let font = font_of(page, node) / f64::from(largest.max(1));
            let link = f64::from(u8::from(has_link(page, node)));
            let early = 1.0 - f64::from(at) / f64::from(whole.max(1));
            let annotated =
                f64::from(u8::from(annotations_in(annotations, &within).any(|found| !found.label)));
            let pivot_penalty = f64::from(u8::from(has_pivot));
            let score = 2.0 * font + link + early + 0.5 * annotated - 1.5 * pivot_penalty;
            if best.is_none_or(|(best, _)| score > best) {
                best = Some((score, node));
            }
        }
        before += page.index.chars(part);
    }
    best.map(|(_, node)| node)
}

/// The largest font size of the texts inside. Bold text counts as slightly larger.
fn font_of(page: &Page, node: Node) -> f64 {
    let texts = range(page, node).filter(|&inner| page.tree.is_text(inner));
    let size = |text: Node| {
        let style = page.styles.style(page.tree.parent(text));
        f64::from(style.size) * if style.bold { 1.15 } else { 1.0 }
    };
    texts.map(size).fold(0.0, f64::max)
}

fn has_words(page: &Page, node: Node) -> bool {
    page.text_of(node).chars().filter(|c| c.is_alphabetic()).count() >= 2
}

/// True if nothing inside the node breaks the line.
fn is_line(page: &Page, node: Node) -> bool {
    (node + 1..page.tree.end(node)).all(|inner| {
        page.tree.is_text(inner)
            || !page.styles.is_shown(inner)
            || page.tree.tag(inner) != tags::BR && page.styles.display(inner) == Display::Inline
    })
}

/// True if most of the text is a value of the pivot.
fn is_pivot_value(
    page: &Page,
    within: &Range<Node>,
    annotations: &[AttributeAnnotation],
    pivot: Option<usize>,
) -> bool {
    let chars = f64::from(page.index.chars(within)) * MIN_PIVOT_SHARE;
    annotations_in(annotations, within)
        .any(|found| Some(found.attribute) == pivot && found.text.chars().count() as f64 >= chars)
}

fn annotations_in<'a>(
    annotations: &'a [AttributeAnnotation],
    nodes: &Range<Node>,
) -> impl Iterator<Item = &'a AttributeAnnotation> {
    let from = annotations.partition_point(|found| found.node < nodes.start);
    let to = annotations.partition_point(|found| found.node < nodes.end);
    annotations[from..to].iter()
}

/// True if there is a link around the node or inside it.
fn has_link(page: &Page, node: Node) -> bool {
    let inside = range(page, node).any(|inner| page.tree.tag(inner) == tags::A);
    inside || page.tree.ancestors(node).take(3).any(|above| page.tree.tag(above) == tags::A)
}

/// The description: the largest element around the longest text that contains nothing else than text of one
/// font size.
fn description(
    page: &Page,
    parts: &Parts,
    listed: &[Range<Node>],
    annotations: &[AttributeAnnotation],
) -> Option<Node> {
    let tree = &page.tree;
    let texts =
        parts.iter().flat_map(Clone::clone).filter(|&node| tree.is_text(node) && page.styles.is_shown(node));
    let longest = texts
        .filter(|&node| !is_listed(listed, node))
        .max_by_key(|&node| (page.index.chars(&(node..node + 1)), std::cmp::Reverse(node)))?;
    if page.index.chars(&(longest..longest + 1)) < MIN_DESCRIPTION_CHARS || !is_prose(tree.raw_text(longest))
    {
        return None;
    }
    let part = parts.iter().find(|part| part.contains(&longest))?;
    let mut best = tree.parent(longest);
    if best < part.start || best == NONE {
        return None;
    }
    let size = page.styles.style(best).size;
    loop {
        let above = tree.parent(best);
        // the larger element must not add values of other attributes
        let values =
            |node: Node| annotations_in(annotations, &range(page, node)).filter(|found| !found.label).count();
        if above == NONE
            || above < part.start
            || !is_uniform_text(page, above, size)
            || values(above) > values(best)
        {
            break;
        }
        best = above;
    }
    is_uniform_text(page, best, size).then_some(best)
}

/// True for sentences, as opposed to a row of values: most words begin in lower case, if the script has case.
fn is_prose(text: &str) -> bool {
    let words = || text.split_whitespace();
    let (all, small) = (words().count(), words().filter(|word| word.starts_with(char::is_lowercase)).count());
    let cased = text.contains(char::is_uppercase) || small > 0;
    !cased || all >= 6 && 2 * small >= all
}

/// True if the node contains only texts of one font size, paragraphs and formatting: no images, tables, lists
/// or controls.
fn is_uniform_text(page: &Page, node: Node, size: u16) -> bool {
    range(page, node).skip(1).all(|inner| {
        if page.tree.is_text(inner) {
            return page.styles.style(page.tree.parent(inner)).size == size;
        }
        !page.styles.is_shown(inner)
            || matches!(page.tree.tag(inner), tags::P | tags::BR | tags::A)
            || tags::is_formatting(page.tree.tag(inner))
    })
}

/// The largest image by its declared size; without declared sizes, the first one.
fn image(page: &Page, parts: &Parts) -> Option<Node> {
    let side = |node: Node, name| {
        page.tree.attr(node, name).and_then(|text| text.trim().trim_end_matches("px").parse::<u32>().ok())
    };
    let images = parts.iter().flat_map(Clone::clone).filter(|&node| {
        page.tree.tag(node) == tags::IMG && page.styles.is_shown(node) && image_address(page, node).is_some()
    });
    let sized = images.map(|node| (node, side(node, attrs::WIDTH), side(node, attrs::HEIGHT)));
    let area = |(_, width, height): &(Node, Option<u32>, Option<u32>)| match (width, height) {
        (Some(width), Some(height)) if (*width).max(*height) <= MAX_ICON_SIDE => 0,
        (Some(width), Some(height)) => width.saturating_mul(*height),
        (Some(one), None) | (None, Some(one)) if *one <= MAX_ICON_SIDE => 0,
        // an unknown size is assumed to be larger than an icon
        _ => MAX_ICON_SIDE * MAX_ICON_SIDE,
    };
    let best = sized.max_by_key(|image| (area(image), std::cmp::Reverse(image.0)))?;
    (area(&best) > 0).then_some(best.0)
}

/// The URL of a link that a person would follow.
pub(super) fn link_url(page: &Page, node: Node) -> Option<&str> {
    page.tree.attr(node, attrs::HREF).and_then(page_link)
}

/// The link inside a title or around it.
pub(super) fn link_of_title(page: &Page, title: Node, parts: &Parts) -> Option<Node> {
    let in_record = |node: &Node| parts.iter().any(|part| part.contains(node));
    let inside = range(page, title).find(|&node| page.tree.tag(node) == tags::A);
    let around =
        || page.tree.ancestors(title).take_while(in_record).find(|&node| page.tree.tag(node) == tags::A);
    inside.or_else(around).filter(|&node| link_url(page, node).is_some())
}

/// The first link with the URL that most links of the record have.
fn common_link(page: &Page, parts: &Parts) -> Option<Node> {
    let mut counts: FxHashMap<&str, (u32, Node)> = FxHashMap::default();
    for node in parts.iter().flat_map(Clone::clone).filter(|&node| page.tree.tag(node) == tags::A) {
        if let Some(href) = link_url(page, node) {
            counts.entry(href).or_insert((0, node)).0 += 1;
        }
    }
    counts.into_values().max_by_key(|&(count, node)| (count, std::cmp::Reverse(node))).map(|(_, node)| node)
}
