//! Microdata and `RDFa`: elements that are properties of things.
//!
//! In: a [`DetailPage`] whose area is known, and its headline. Out: [`Property`]s, all values of one together. A thing is an element with
//! `itemscope` or `typeof`; the properties of a thing that is itself a property have both names ("author name"). Left out: what is
//! outside of the area, things of the site (breadcrumbs, menus), and things of which there are several, but for the one that the
//! headline is in: they are a list. O(nodes).

use super::declared::name_words;
use super::detail_page::DetailPage;
use crate::data::embedded::is_of_site;
use copal_dom::{Node, Tree, attrs, tags};
use rustc_hash::FxHashMap;

/// A property of a thing.
pub(super) struct Property {
    /// The words of its name, outermost first.
    pub(super) name: String,
    pub(super) texts: Vec<String>,
    /// The line of the first text; none if an attribute has it.
    pub(super) line: Option<usize>,
}

/// A thing, or a property that is one.
struct Thing {
    end: Node,
    /// Words before the names of its properties.
    prefix: String,
    /// The thing that it belongs to: the outermost by properties.
    root: usize,
    kind: String,
    holds_headline: bool,
}

/// Most things and properties of a page; most lines of a value; most values of a property.
const THINGS: usize = 400;
const PROPERTIES: usize = 600;
const LINES: usize = 60;
const VALUES: usize = 100;
/// Longest name of a thing inside of things.
const NAME: usize = 200;

/// The properties of the page's things, in the order of the page.
pub(super) fn find(sheet: &DetailPage<'_>, headline: Option<usize>) -> Vec<Property> {
    let tree = &sheet.dom.tree;
    // most pages have none
    if !tree.nodes().any(|node| tree.attr(node, attrs::ITEMPROP).is_some() || rdfa(tree, node).is_some()) {
        return Vec::new();
    }
    let named = headline.map(|line| sheet.lines[line].first());
    let mut things: Vec<Thing> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    // (root, name) of each property, in the order of the page
    let mut found: Vec<(Option<usize>, Property)> = Vec::new();
    let mut known: FxHashMap<(Option<usize>, String), usize> = FxHashMap::default();
    for node in tree.nodes().filter(|&node| !tree.is_text(node)) {
        while open.last().is_some_and(|&thing| things[thing].end <= node) {
            open.pop();
        }
        let within = open.last().map(|&thing| &things[thing]);
        let property = property_name(tree, node)
            .map(|name| format!("{} {name}", within.map_or("", |thing| &thing.prefix)).trim().to_owned());
        let root = within.map(|thing| thing.root);
        if is_thing(tree, node) {
            if things.len() < THINGS {
                let own = things.len();
                let range = node..tree.end(node);
                open.push(own);
                things.push(Thing {
                    end: range.end,
                    root: root.filter(|_| property.is_some()).unwrap_or(own),
                    prefix: property.filter(|name| root.is_some() && name.len() <= NAME).unwrap_or_default(),
                    kind: kind(tree, node),
                    holds_headline: named.is_some_and(|named| range.contains(&named)),
                });
            }
            continue;
        }
        let Some(name) = property.filter(|_| found.len() < PROPERTIES) else { continue };
        let Some((texts, line)) = value(sheet, node) else { continue };
        match known.get(&(root, name.clone())) {
            Some(&at) if found[at].1.texts.len() < VALUES => found[at].1.texts.extend(texts),
            Some(_) => {}
            None => {
                known.insert((root, name.clone()), found.len());
                found.push((root, Property { name, texts, line }));
            }
        }
    }
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for (_, thing) in things.iter().enumerate().filter(|(at, thing)| thing.root == *at) {
        *counts.entry(&thing.kind).or_default() += 1;
    }
    let about = |root: usize| {
        let thing = &things[root];
        thing.holds_headline && !is_frame(&thing.kind)
            || counts.get(thing.kind.as_str()) == Some(&1)
                && !is_of_site(&thing.kind)
                && !is_frame(&thing.kind)
    };
    found.into_iter().filter(|(root, _)| root.is_none_or(about)).map(|(_, property)| property).collect()
}

/// The words of the property that an element is.
fn property_name(tree: &Tree, node: Node) -> Option<String> {
    let microdata = tree.attr(node, attrs::ITEMPROP);
    let name = microdata.or_else(|| rdfa(tree, node)).filter(|name| name.len() <= 60)?;
    let first = name.split_ascii_whitespace().next()?;
    let last = first.rsplit(['/', ':', '#']).next()?;
    Some(name_words(last)).filter(|words| !words.is_empty())
}

/// A property of `RDFa`; in the head these are Open Graph's.
fn rdfa(tree: &Tree, node: Node) -> Option<&str> {
    tree.attr(node, attrs::PROPERTY).filter(|_| tree.tag(node) != tags::META)
}

fn is_thing(tree: &Tree, node: Node) -> bool {
    ["itemscope", "typeof"].into_iter().any(|name| tree.attr_named(node, name).is_some())
}

/// The type of a thing without its vocabulary.
fn kind(tree: &Tree, node: Node) -> String {
    let of =
        ["itemtype", "typeof"].into_iter().find_map(|name| tree.attr_named(node, name)).unwrap_or_default();
    let first = of.split_ascii_whitespace().next().unwrap_or_default();
    first.rsplit(['/', ':', '#']).next().unwrap_or_default().chars().take(60).collect()
}

/// Things around the page's own: where it is in the site, what the site is.
fn is_frame(kind: &str) -> bool {
    kind.starts_with("Breadcrumb")
        || matches!(
            kind,
            "ListItem" | "SiteNavigationElement" | "WPHeader" | "WPFooter" | "WPSideBar" | "WPAdBlock"
        )
}

/// The line that an element is a later part of: a number behind the name.
fn line_around(sheet: &DetailPage<'_>, node: Node) -> Option<usize> {
    let at = sheet.lines.partition_point(|line| line.first() < node).checked_sub(1)?;
    let (line, end) = (&sheet.lines[at], sheet.dom.tree.end(node));
    (!line.outside && line.leaves.iter().any(|leaf| (node..end).contains(&leaf.node))).then_some(at)
}

/// The texts of a property and the line of the first.
fn value(sheet: &DetailPage<'_>, node: Node) -> Option<(Vec<String>, Option<usize>)> {
    let page = sheet.dom;
    if page.tree.tag(node) == tags::META {
        let text = page.tree.attr(node, attrs::CONTENT)?.trim();
        return (!text.is_empty()).then(|| (vec![text.to_owned()], None));
    }
    let lines = sheet.lines_of(node);
    if let (true, Some(line)) = (lines.is_empty(), line_around(sheet, node)) {
        return Some((vec![page.text_of(node)], Some(line)));
    }
    if lines.is_empty()
        || lines.len() > LINES
        || !page.styles.is_shown(node)
        || sheet.lines[lines.start].outside
    {
        return None;
    }
    let texts = if lines.len() == 1 {
        vec![page.text_of(node)]
    } else {
        lines.clone().map(|line| sheet.lines[line].text.clone()).collect()
    };
    Some((texts, Some(lines.start)))
}
