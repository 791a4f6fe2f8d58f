//! Where a page keeps data for its scripts.
//!
//! In: a [`Page`]. Out: the texts that may hold JSON, in document order: scripts that are declared data, scripts that are
//! code, `data-` attributes. Nothing is read or run here. O(nodes + attributes).

use copal_dom::{Node, Page, attrs, tags};

/// A text that may hold JSON.
pub(crate) struct Source<'p> {
    /// The element that has it.
    pub(crate) node: Node,
    pub(crate) text: &'p str,
    pub(crate) kind: Kind<'p>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind<'p> {
    /// Declared as JSON.
    Data,
    /// Code with values in it.
    Code,
    /// An attribute of this name.
    Attribute(&'p str),
}

/// Words in names of attributes that say how an element is watched or behaves, not what it shows.
const NO_DATA: &[&str] = &[
    "track",
    "tracking",
    "analytics",
    "click",
    "clicks",
    "viewport",
    "impression",
    "impressions",
    "interactions",
    "event",
    "events",
    "ga",
    "gtm",
    "beacon",
    "telemetry",
    "popover",
    "tooltip",
    "modal",
    "options",
    "config",
    "settings",
    "animation",
    "slick",
    "swiper",
    "carousel",
];

/// Shorter texts hold no list.
const SHORTEST: usize = 12;

pub(crate) fn sources(page: &Page) -> impl Iterator<Item = Source<'_>> {
    page.tree.nodes().filter(|&node| !page.tree.is_text(node)).flat_map(|node| {
        let script = (page.tree.tag(node) == tags::SCRIPT).then(|| script(page, node)).flatten();
        script.into_iter().chain(attributes(page, node))
    })
}

fn script(page: &Page, node: Node) -> Option<Source<'_>> {
    let kind = match page.tree.attr(node, attrs::TYPE).map(media_type) {
        None => Kind::Code,
        Some(kind) if kind.is_empty() || kind == "module" || kind.ends_with("javascript") => Kind::Code,
        Some(kind) if kind == "application/json" || kind.ends_with("+json") || kind == "text/json" => {
            Kind::Data
        }
        // templates, import maps, shaders
        Some(_) => return None,
    };
    let text = page.tree.raw_text(node);
    (text.len() >= SHORTEST).then_some(Source { node, text, kind })
}

/// A media type in lower case, without its parameters.
pub(crate) fn media_type(kind: &str) -> String {
    kind.split(';').next().unwrap_or(kind).trim().to_ascii_lowercase()
}

fn attributes(page: &Page, node: Node) -> impl Iterator<Item = Source<'_>> {
    page.tree.attributes(node).filter_map(move |(name, value)| {
        let text = value.trim();
        let long = name.starts_with("data-") && text.len() >= SHORTEST && text.starts_with(['{', '[']);
        let data = long && text.contains('"') && !name.split('-').any(|word| NO_DATA.contains(&word));
        data.then_some(Source { node, text, kind: Kind::Attribute(name) })
    })
}
