//! Visual attributes (section 4.6): title, url, image and description, found by their looks and place in the record.
//!
//! In: records and the annotations on them. Out: for each of the four at most one text a record. A node is chosen for each
//! record by itself (among visible nodes that are not items of a list in the record), then the choices are aligned: the
//! path most records agree on wins, and records that chose otherwise take what stands there. Without boxes "above the
//! centre" is the first half of the record's text, and fonts are those of tags and inline styles. O(nodes).

use super::attributes::Ways;
use crate::table::image_address;
use copal_dom::style::Display;
use copal_dom::url::page_link;
use copal_dom::{NONE, Node, Page, attrs, tags};
use copal_domain::AttributeAnnotation;
use copal_model::Parts;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The value of a visual attribute in one record: its text, and whether the record itself chose another node.
pub(super) type Seen = Option<(String, bool)>;

/// A visual attribute with its values, by record.
pub(super) struct Visual {
    pub(super) name: &'static str,
    pub(super) kind: &'static str,
    pub(super) cells: Vec<Seen>,
}

/// Characters of a title at most, and of a description at least.
const TITLE: u32 = 120;
const DESCRIPTION: u32 = 40;
/// Items from which siblings of one kind are a list in the record.
const LIST: usize = 3;
/// Images with a declared side up to this are icons.
const ICON: u32 = 40;
/// Share of a text that is the pivot's value from which it is no title.
const VALUE: f64 = 0.6;
/// Least share of records that must agree on a path, and from which others follow it.
const KEEP: f64 = 0.25;
const FOLLOW: f64 = 0.5;

/// Finds the visual attributes of records; `pivots` are the annotations of the pivot.
pub(super) fn find(
    page: &Page,
    records: &[Parts],
    ways: &[Ways],
    annotations: &[AttributeAnnotation],
    pivot: Option<usize>,
) -> Vec<Visual> {
    let looks: Vec<Looks> = records.iter().map(|parts| Looks::new(page, parts, annotations, pivot)).collect();
    let choose =
        |pick: &dyn Fn(&Looks) -> Option<Node>| -> Vec<Option<Node>> { looks.iter().map(pick).collect() };
    let titles = agree(page, ways, &choose(&|looks| looks.title), &|node| !page.text_of(node).is_empty());
    let descriptions = agree(page, ways, &choose(&|looks| looks.description), &|node| {
        page.index.chars(&range(page, node)) > 0
    });
    let images =
        agree(page, ways, &choose(&|looks| looks.image), &|node| image_address(page, node).is_some());
    let own_links: Vec<Option<Node>> = (0..records.len())
        .map(|r| titles[r].and_then(|(title, _)| link_of(page, title, &records[r])).or(looks[r].link))
        .collect();
    let links = agree(page, ways, &own_links, &|node| address(page, node).is_some());
    let texts = |nodes: Vec<Option<(Node, bool)>>, text: &dyn Fn(Node) -> Option<String>| -> Vec<Seen> {
        nodes.into_iter().map(|node| node.and_then(|(node, other)| Some((text(node)?, other)))).collect()
    };
    let shown = |node: Node| Some(page.text_of(node)).filter(|text| !text.is_empty());
    vec![
        Visual { name: "title", kind: "text", cells: texts(titles, &shown) },
        Visual {
            name: "url",
            kind: "link",
            cells: texts(links, &|node| address(page, node).map(str::to_owned)),
        },
        Visual {
            name: "image",
            kind: "image",
            cells: texts(images, &|node| image_address(page, node).map(str::to_owned)),
        },
        Visual { name: "description", kind: "text", cells: texts(descriptions, &shown) },
    ]
}

fn range(page: &Page, node: Node) -> Range<Node> {
    node..page.tree.end(node)
}

/// The node of each record at the path most agree on; true if the record itself chose another or none.
fn agree(
    page: &Page,
    ways: &[Ways],
    chosen: &[Option<Node>],
    has_value: &dyn Fn(Node) -> bool,
) -> Vec<Option<(Node, bool)>> {
    let n = chosen.len() as f64;
    let mut support: FxHashMap<_, u32> = FxHashMap::default();
    for (node, ways) in chosen.iter().zip(ways) {
        for way in node.and_then(|node| ways.of(node)).into_iter().flatten() {
            *support.entry(way).or_default() += 1;
        }
    }
    let mut order: Vec<_> = support.into_iter().filter(|(_, count)| f64::from(*count) >= KEEP * n).collect();
    order.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let place = |own: Option<Node>, ways: &Ways| {
        for &(way, count) in &order {
            let there = ways.node(way).filter(|&node| page.styles.is_shown(node) && has_value(node));
            match there {
                Some(node) if Some(node) == own => return Some((node, false)),
                Some(node) if f64::from(count) > FOLLOW * n => return Some((node, true)),
                _ => {}
            }
        }
        // what only this record has is noise, unless there is nothing to agree on
        own.filter(|_| order.is_empty()).map(|node| (node, false))
    };
    chosen.iter().zip(ways).map(|(&own, ways)| place(own, ways)).collect()
}

/// What each record shows by itself.
#[derive(Default)]
struct Looks {
    title: Option<Node>,
    description: Option<Node>,
    image: Option<Node>,
    /// The link that most links of the record lead to.
    link: Option<Node>,
}

impl Looks {
    fn new(page: &Page, parts: &Parts, annotations: &[AttributeAnnotation], pivot: Option<usize>) -> Looks {
        let listed = listed(page, parts);
        let mut looks = Looks::default();
        let description = description(page, parts, &listed, annotations);
        looks.title = title(page, parts, &listed, annotations, pivot, description);
        looks.description =
            description.filter(|&node| looks.title.is_none_or(|title| !page.tree.contains(node, title)));
        looks.image = image(page, parts);
        looks.link = common_link(page, parts);
        looks
    }
}

/// Nodes that are, or are in, one of several sibling items of one kind: ranges in document order.
fn listed(page: &Page, parts: &Parts) -> Vec<Range<Node>> {
    let tree = &page.tree;
    let mut lists: Vec<Range<Node>> = Vec::new();
    for part in parts {
        for node in part.clone().filter(|&node| !tree.is_text(node)) {
            if lists.last().is_some_and(|last| last.end > node) {
                continue;
            }
            // an item must look like its siblings, and have short text like them
            let children: Vec<Node> =
                tree.elements(node).filter(|&child| page.styles.is_shown(child)).collect();
            let alike = |child: &&Node| {
                tree.tag(**child) == tree.tag(children[0])
                    && page.index.class(**child) == page.index.class(children[0])
                    && matches!(tree.tag(**child), tags::LI | tags::DD | tags::DT | tags::TD)
            };
            if children.len() >= LIST
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

/// An element of inline elements and texts only, in the first half of the record: the one with the largest font, a link,
/// early, and with annotations.
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
                || chars > TITLE
                || Some(node) == description
                || is_listed(listed, node)
                || !is_line(page, node)
            {
                continue;
            }
            // the outermost element of a line stands for those inside it, unless the line is more than a title
            let priced = annotations_in(annotations, &within)
                .any(|found| Some(found.attribute) == pivot && !found.label);
            if !priced {
                skip_to = within.end;
            }
            if 2 * at > whole || is_value(page, &within, annotations, pivot) || !has_words(page, node) {
                continue;
            }
            let font = font_of(page, node) / f64::from(largest.max(1));
            let link = f64::from(u8::from(has_link(page, node)));
            let early = 1.0 - f64::from(at) / f64::from(whole.max(1));
            let annotated =
                f64::from(u8::from(annotations_in(annotations, &within).any(|found| !found.label)));
            let more = f64::from(u8::from(priced));
            let score = 2.0 * font + link + early + 0.5 * annotated - 1.5 * more;
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, node));
            }
        }
        before += page.index.chars(part);
    }
    best.map(|(_, node)| node)
}

/// The largest font of the texts inside; bold counts a little.
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

/// Nothing inside breaks the line.
fn is_line(page: &Page, node: Node) -> bool {
    (node + 1..page.tree.end(node)).all(|inner| {
        page.tree.is_text(inner)
            || !page.styles.is_shown(inner)
            || page.tree.tag(inner) != tags::BR && page.styles.display(inner) == Display::Inline
    })
}

/// Most of the text is the pivot's value.
fn is_value(
    page: &Page,
    within: &Range<Node>,
    annotations: &[AttributeAnnotation],
    pivot: Option<usize>,
) -> bool {
    let chars = f64::from(page.index.chars(within)) * VALUE;
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

/// A link around the node, or inside it.
fn has_link(page: &Page, node: Node) -> bool {
    let inside = range(page, node).any(|inner| page.tree.tag(inner) == tags::A);
    inside || page.tree.ancestors(node).take(3).any(|above| page.tree.tag(above) == tags::A)
}

/// The largest element around the longest text that has no gap and no other font.
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
    if page.index.chars(&(longest..longest + 1)) < DESCRIPTION || !is_prose(tree.raw_text(longest)) {
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
        // what is around it must be more of the same, not values of their own
        let values =
            |node: Node| annotations_in(annotations, &range(page, node)).filter(|found| !found.label).count();
        if above == NONE || above < part.start || !is_even(page, above, size) || values(above) > values(best)
        {
            break;
        }
        best = above;
    }
    is_even(page, best, size).then_some(best)
}

/// Sentences, not a row of values: most words begin small, where a script has small letters.
fn is_prose(text: &str) -> bool {
    let words = || text.split_whitespace();
    let (all, small) = (words().count(), words().filter(|word| word.starts_with(char::is_lowercase)).count());
    let cased = text.contains(char::is_uppercase) || small > 0;
    !cased || all >= 6 && 2 * small >= all
}

/// Texts of one size, paragraphs at most: no images, tables, lists or controls between them.
fn is_even(page: &Page, node: Node, size: u16) -> bool {
    range(page, node).skip(1).all(|inner| {
        if page.tree.is_text(inner) {
            return page.styles.style(page.tree.parent(inner)).size == size;
        }
        !page.styles.is_shown(inner)
            || matches!(page.tree.tag(inner), tags::P | tags::BR | tags::A)
            || tags::is_formatting(page.tree.tag(inner))
    })
}

/// The largest image by its declared size; the first of those without.
fn image(page: &Page, parts: &Parts) -> Option<Node> {
    let side = |node: Node, name| {
        page.tree.attr(node, name).and_then(|text| text.trim().trim_end_matches("px").parse::<u32>().ok())
    };
    let images = parts.iter().flat_map(Clone::clone).filter(|&node| {
        page.tree.tag(node) == tags::IMG && page.styles.is_shown(node) && image_address(page, node).is_some()
    });
    let sized = images.map(|node| (node, side(node, attrs::WIDTH), side(node, attrs::HEIGHT)));
    let area = |(_, width, height): &(Node, Option<u32>, Option<u32>)| match (width, height) {
        (Some(width), Some(height)) if (*width).max(*height) <= ICON => 0,
        (Some(width), Some(height)) => width.saturating_mul(*height),
        (Some(one), None) | (None, Some(one)) if *one <= ICON => 0,
        // unknown: larger than an icon
        _ => ICON * ICON,
    };
    let best = sized.max_by_key(|image| (area(image), std::cmp::Reverse(image.0)))?;
    (area(&best) > 0).then_some(best.0)
}

/// An address a person would follow.
fn address(page: &Page, node: Node) -> Option<&str> {
    page.tree.attr(node, attrs::HREF).and_then(page_link)
}

/// The link a title is in, or has.
fn link_of(page: &Page, title: Node, parts: &Parts) -> Option<Node> {
    let in_record = |node: &Node| parts.iter().any(|part| part.contains(node));
    let inside = range(page, title).find(|&node| page.tree.tag(node) == tags::A);
    let around =
        || page.tree.ancestors(title).take_while(in_record).find(|&node| page.tree.tag(node) == tags::A);
    inside.or_else(around).filter(|&node| address(page, node).is_some())
}

/// The first link to the address most links of the record have.
fn common_link(page: &Page, parts: &Parts) -> Option<Node> {
    let mut counts: FxHashMap<&str, (u32, Node)> = FxHashMap::default();
    for node in parts.iter().flat_map(Clone::clone).filter(|&node| page.tree.tag(node) == tags::A) {
        if let Some(href) = address(page, node) {
            counts.entry(href).or_insert((0, node)).0 += 1;
        }
    }
    counts.into_values().max_by_key(|&(count, node)| (count, std::cmp::Reverse(node))).map(|(_, node)| node)
}
