//! Microdata and `RDFa`: elements that a page marks as things and as their properties.
//!
//! In: a [`Tree`]. Out: [`MarkedItems`]. A thing is an element with `itemscope` or `typeof`. The properties
//! of a thing that is itself a property carry both names ("author name"). Values are not read here: which
//! text an element shows depends on the reader. O(nodes).

use super::schema;
use copal_dom::{Node, Tree, attrs, tags};
use std::ops::Range;

/// A thing.
pub(crate) struct MarkedItem {
    /// Its element with everything inside.
    pub(crate) nodes: Range<Node>,
    /// Its type without the vocabulary.
    pub(crate) kind: String,
    /// The outermost thing that it is a property of; itself if it is not a property.
    pub(crate) root: usize,
    /// Words before the names of its properties.
    prefix: String,
}

/// An element that is a property.
pub(crate) struct MarkedProperty {
    pub(crate) node: Node,
    /// The words of its name, outermost first.
    pub(crate) name: String,
    /// The outermost thing that it belongs to.
    pub(crate) root: Option<usize>,
}

/// The things and properties of a page in document order.
#[derive(Default)]
pub(crate) struct MarkedItems {
    pub(crate) items: Vec<MarkedItem>,
    pub(crate) properties: Vec<MarkedProperty>,
}

/// Maximum number of things and properties of a page.
const MAX_ITEMS: usize = 400;
const MAX_PROPERTIES: usize = 20_000;
/// Longest name of a property as written, and of a thing inside other things.
const MAX_PROPERTY_BYTES: usize = 60;
const MAX_PREFIX_BYTES: usize = 200;
/// Longest type.
const MAX_TYPE_CHARS: usize = 60;

impl MarkedItems {
    pub(super) fn read(tree: &Tree) -> MarkedItems {
        let is_marked =
            |node: Node| tree.attr(node, attrs::ITEMPROP).is_some() || rdfa_property(tree, node).is_some();
        // most pages mark nothing
        if !tree.nodes().any(is_marked) {
            return MarkedItems::default();
        }
        let itemscope = tree.attr_name("itemscope");
        let is_item = |node: Node| {
            itemscope.is_some_and(|name| tree.attr(node, name).is_some())
                || tree.attr(node, attrs::TYPEOF).is_some()
        };
        let mut marked = MarkedItems::default();
        let mut open: Vec<usize> = Vec::new();
        for node in tree.nodes().filter(|&node| !tree.is_text(node)) {
            while open.last().is_some_and(|&item| marked.items[item].nodes.end <= node) {
                open.pop();
            }
            let around = open.last().map(|&item| &marked.items[item]);
            let name = property_name(tree, node)
                .map(|name| format!("{} {name}", around.map_or("", |item| &item.prefix)).trim().to_owned());
            let root = around.map(|item| item.root);
            if is_item(node) {
                if marked.items.len() < MAX_ITEMS {
                    let own = marked.items.len();
                    open.push(own);
                    marked.items.push(MarkedItem {
                        nodes: node..tree.end(node),
                        root: root.filter(|_| name.is_some()).unwrap_or(own),
                        prefix: name
                            .filter(|name| root.is_some() && name.len() <= MAX_PREFIX_BYTES)
                            .unwrap_or_default(),
                        kind: schema::local_name(item_type(tree, node).unwrap_or_default())
                            .chars()
                            .take(MAX_TYPE_CHARS)
                            .collect(),
                    });
                }
            } else if let Some(name) = name.filter(|_| marked.properties.len() < MAX_PROPERTIES) {
                marked.properties.push(MarkedProperty { node, name, root });
            }
        }
        marked
    }
}

/// The type that an element has in microdata or `RDFa`, as the page writes it.
pub(crate) fn item_type(tree: &Tree, node: Node) -> Option<&str> {
    tree.attr(node, attrs::ITEMTYPE).or_else(|| tree.attr(node, attrs::TYPEOF))
}

/// A property of `RDFa`. On `meta` elements these are Open Graph's.
fn rdfa_property(tree: &Tree, node: Node) -> Option<&str> {
    tree.attr(node, attrs::PROPERTY).filter(|_| tree.tag(node) != tags::META)
}

/// The words of the property that an element is.
fn property_name(tree: &Tree, node: Node) -> Option<String> {
    let microdata = tree.attr(node, attrs::ITEMPROP);
    let name =
        microdata.or_else(|| rdfa_property(tree, node)).filter(|name| name.len() <= MAX_PROPERTY_BYTES)?;
    let words = schema::name_words(schema::local_name(name));
    (!words.is_empty()).then_some(words)
}
