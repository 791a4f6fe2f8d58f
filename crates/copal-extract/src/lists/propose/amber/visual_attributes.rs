//! Visual attributes (section 4.6): title, URL, image and description, found by their appearance and
//! position.
//!
//! In: records and their annotations. Out: at most one text per record for each of the four. First a node is
//! chosen in each record on its own, among visible nodes that are not items of a list in the record. Then the
//! choices are aligned: the path that most records agree on wins, and other records take the node at that
//! path. There are no boxes without a browser, so "above the centre" means the first half of the record's
//! text, and fonts are those of tags and inline styles. O(nodes).

use super::attribute_alignment::RecordPaths;
use super::attribute_sources::AttributeSources;
use super::visual_nodes::{VisualChoice, link_of_title, link_url};
use crate::structure::element_urls::{image_address, image_value};
use crate::structure::line_text::attribute_source;
use copal_dom::{AttrName, Node, Page, attrs};
use copal_domain::AttributeAnnotation;
use copal_model::{CellText, Parts};
use rustc_hash::FxHashMap;

/// The value of a visual attribute in one record: its text, and whether the record on its own chose another
/// node.
pub(super) type VisualCell = Option<(CellText, bool)>;

/// A visual attribute with its value per record.
pub(super) struct VisualAttribute {
    pub(super) name: &'static str,
    pub(super) kind: &'static str,
    pub(super) cells: Vec<VisualCell>,
}

/// Minimum share of records that must agree on a path.
const MIN_VISUAL_PATH_SUPPORT: f64 = 0.25;
/// If more than this share of the records agrees on a path, the others follow.
const MIN_FOLLOWED_SUPPORT: f64 = 0.5;

/// Finds the visual attributes of records. `pivot` is the attribute whose values cannot be titles.
pub(super) fn find(
    page: &Page,
    records: &[Parts],
    (paths, sources): (&[RecordPaths], &AttributeSources<'_>),
    annotations: &[AttributeAnnotation],
    pivot: Option<usize>,
) -> Vec<VisualAttribute> {
    let choices: Vec<VisualChoice> =
        records.iter().map(|parts| VisualChoice::new(page, parts, annotations, pivot)).collect();
    let choose = |pick: &dyn Fn(&VisualChoice) -> Option<Node>| -> Vec<Option<Node>> {
        choices.iter().map(pick).collect()
    };
    let titles = agree(page, paths, &choose(&|choice| choice.title), &|node| !page.text_of(node).is_empty());
    let descriptions = agree(page, paths, &choose(&|choice| choice.description), &|node| {
        page.index.chars(&(node..page.tree.end(node))) > 0
    });
    let images =
        agree(page, paths, &choose(&|choice| choice.image), &|node| image_address(page, node).is_some());
    let own_links: Vec<Option<Node>> = (0..records.len())
        .map(|r| titles[r].and_then(|(title, _)| link_of_title(page, title, &records[r])).or(choices[r].link))
        .collect();
    let links = agree(page, paths, &own_links, &|node| link_url(page, node).is_some());
    let texts =
        |nodes: Vec<Option<(Node, bool)>>, text: &dyn Fn(Node) -> Option<CellText>| -> Vec<VisualCell> {
            nodes.into_iter().map(|node| node.and_then(|(node, other)| Some((text(node)?, other)))).collect()
        };
    let visible_text = |node: Node| {
        let text = Some(page.text_of(node)).filter(|text| !text.is_empty())?;
        Some(CellText { text, source: sources.element(node) })
    };
    let in_attribute = |node: Node, (name, url): (AttrName, &str)| {
        let value = page.tree.attr(node, name).unwrap_or_default();
        CellText { text: url.to_owned(), source: Some(attribute_source(node, name, value, url)) }
    };
    vec![
        VisualAttribute { name: "title", kind: "text", cells: texts(titles, &visible_text) },
        VisualAttribute {
            name: "url",
            kind: "link",
            cells: texts(links, &|node| Some(in_attribute(node, (attrs::HREF, link_url(page, node)?)))),
        },
        VisualAttribute {
            name: "image",
            kind: "image",
            cells: texts(images, &|node| Some(in_attribute(node, image_value(page, node)?))),
        },
        VisualAttribute { name: "description", kind: "text", cells: texts(descriptions, &visible_text) },
    ]
}

/// The node of each record at the path that most records agree on, and whether the record on its own chose
/// another node or none.
fn agree(
    page: &Page,
    paths: &[RecordPaths],
    chosen: &[Option<Node>],
    has_value: &dyn Fn(Node) -> bool,
) -> Vec<Option<(Node, bool)>> {
    let n = chosen.len() as f64;
    let mut support: FxHashMap<_, u32> = FxHashMap::default();
    for (node, paths) in chosen.iter().zip(paths) {
        for path in node.and_then(|node| paths.of(node)).into_iter().flatten() {
            *support.entry(path).or_default() += 1;
        }
    }
    let mut order: Vec<_> =
        support.into_iter().filter(|(_, count)| f64::from(*count) >= MIN_VISUAL_PATH_SUPPORT * n).collect();
    order.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let choose = |own: Option<Node>, paths: &RecordPaths| {
        for &(path, count) in &order {
            let there = paths.node(path).filter(|&node| page.styles.is_shown(node) && has_value(node));
            match there {
                Some(node) if Some(node) == own => return Some((node, false)),
                Some(node) if f64::from(count) > MIN_FOLLOWED_SUPPORT * n => return Some((node, true)),
                _ => {}
            }
        }
        // a path that only this record has is noise, unless the records agree on nothing at all
        own.filter(|_| order.is_empty()).map(|node| (node, false))
    };
    chosen.iter().zip(paths).map(|(&own, paths)| choose(own, paths)).collect()
}
