//! Where a page carries data for its scripts.
//!
//! In: a [`Page`]. Out: the texts that can contain JSON, in document order: scripts that are declared as
//! data, scripts that are code, `data-` attributes. Nothing is parsed or run here. O(nodes + attributes).

use copal_dom::{Node, Page, attrs, tags};

/// A text that can contain JSON.
pub(crate) struct JsonSource<'p> {
    /// The element with the text.
    pub(crate) node: Node,
    pub(crate) text: &'p str,
    pub(crate) kind: JsonSourceKind<'p>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonSourceKind<'p> {
    /// Declared as JSON.
    Data,
    /// Code with values in it.
    Code,
    /// An attribute of this name.
    Attribute(&'p str),
}

/// Words in the names of attributes that are about tracking or behaviour, not about what an element shows.
const BEHAVIOUR_WORDS: &[&str] = &[
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

/// Shorter texts have no room for a list.
const MIN_JSON_BYTES: usize = 12;

pub(crate) fn sources(page: &Page) -> impl Iterator<Item = JsonSource<'_>> {
    page.tree.nodes().filter(|&node| !page.tree.is_text(node)).flat_map(|node| {
        let script = (page.tree.tag(node) == tags::SCRIPT).then(|| script(page, node)).flatten();
        script.into_iter().chain(attributes(page, node))
    })
}

fn script(page: &Page, node: Node) -> Option<JsonSource<'_>> {
    let kind = match page.tree.attr(node, attrs::TYPE).map(media_type) {
        None => JsonSourceKind::Code,
        Some(kind) if kind.is_empty() || kind == "module" || kind.ends_with("javascript") => {
            JsonSourceKind::Code
        }
        Some(kind) if kind == "application/json" || kind.ends_with("+json") || kind == "text/json" => {
            JsonSourceKind::Data
        }
        // templates, import maps, shaders
        Some(_) => return None,
    };
    let text = page.tree.raw_text(node);
    (text.len() >= MIN_JSON_BYTES).then_some(JsonSource { node, text, kind })
}

/// A media type in lower case, without its parameters.
pub(crate) fn media_type(kind: &str) -> String {
    kind.split(';').next().unwrap_or(kind).trim().to_ascii_lowercase()
}

fn attributes(page: &Page, node: Node) -> impl Iterator<Item = JsonSource<'_>> {
    page.tree.attributes(node).filter_map(move |(name, value)| {
        // most values are no JSON, and need not be trimmed at both ends; other white space than that of ASCII may precede it
        let begins = value.trim_ascii_start().as_bytes().first();
        if !begins.is_some_and(|first| matches!(first, b'{' | b'[' | 0x0b | 0x80..)) {
            return None;
        }
        let text = value.trim();
        let long = name.starts_with("data-") && text.len() >= MIN_JSON_BYTES && text.starts_with(['{', '[']);
        let data = long && text.contains('"') && !name.split('-').any(|word| BEHAVIOUR_WORDS.contains(&word));
        data.then_some(JsonSource { node, text, kind: JsonSourceKind::Attribute(name) })
    })
}
