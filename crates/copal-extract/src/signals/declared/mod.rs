//! What a page declares about itself: JSON-LD, microdata, `RDFa`, Open Graph.
//!
//! In: a [`Page`]. Out: [`Declared`], which every stage asks instead of reading the markup itself. What the
//! types mean is in `schema.rs`, in one list. O(nodes + JSON-LD), the latter up to a fixed number of bytes.

pub(crate) mod json_ld;
pub(crate) mod markup;
pub(crate) mod schema;

use crate::signals::scripts::objects::Objects;
use crate::signals::scripts::sources::media_type;
use copal_dom::{Node, Page, attrs, tags};
use json_ld::{LinkedData, ListedThing};
use markup::MarkedItems;
use std::cell::OnceCell;

/// A `meta` element with a `property`, as Open Graph has them, or with a bibliographic name.
pub(crate) struct MetaProperty<'p> {
    pub(crate) property: &'p str,
    pub(crate) content: Option<&'p str>,
}

/// What a page declares; see the module.
pub(crate) struct Declared<'p> {
    linked_data: LinkedData,
    /// The properties of Open Graph and the like, in document order.
    pub(crate) metas: Vec<MetaProperty<'p>>,
    page: &'p Page,
    /// Read when it is first asked for: lists do not need it.
    marked: OnceCell<MarkedItems>,
    names_one_thing: bool,
    names_list: bool,
}

impl<'p> Declared<'p> {
    /// Reads all declarations of a page.
    pub(crate) fn read(page: &'p Page) -> Declared<'p> {
        let tree = &page.tree;
        let mut linked_data = LinkedData::new();
        let mut metas: Vec<MetaProperty<'p>> = Vec::new();
        let (mut names_one_thing, mut names_list) = (false, false);
        for node in tree.nodes().filter(|&node| !tree.is_text(node)) {
            match tree.tag(node) {
                tags::META => {
                    let property = tree.attr(node, attrs::PROPERTY);
                    let bibliographic = || tree.attr(node, attrs::NAME).filter(|name| is_bibliographic(name));
                    if let Some(property) = property.or_else(bibliographic) {
                        metas.push(MetaProperty { property, content: tree.attr(node, attrs::CONTENT) });
                    }
                }
                tags::SCRIPT if is_json_ld(page, node) => linked_data.read(node, tree.raw_text(node)),
                _ => {}
            }
            if let Some(kind) = tree.attr(node, attrs::ITEMTYPE) {
                names_one_thing |= schema::is_one_thing(kind);
                names_list |= schema::is_list(kind);
            }
        }
        for meta in &metas {
            match meta.property {
                "og:type" => {
                    let kind = meta.content.unwrap_or_default();
                    names_one_thing |= schema::is_one_thing(kind);
                    names_list |= schema::is_list(kind);
                }
                "article:published_time" | "product:price:amount" => names_one_thing = true,
                _ => {}
            }
        }
        names_one_thing |= linked_data.names_one_thing;
        names_list |= linked_data.names_list;
        Declared { linked_data, metas, page, marked: OnceCell::new(), names_one_thing, names_list }
    }

    /// The single things that JSON-LD declares, one row of dotted fields each.
    pub(crate) fn things(&self) -> &[Objects] {
        &self.linked_data.things
    }

    /// Things that are declared in JSON-LD or marked in microdata or `RDFa`, whichever has more of them: one
    /// thing is often declared in both. Texts, parts of other things and what belongs to the site do not count.
    pub(crate) fn thing_count(&self) -> usize {
        let has_text_type = |thing: &Objects| thing.kind.as_deref().is_some_and(schema::is_text);
        let linked = self.things().iter().filter(|thing| thing.kind.is_some() && !has_text_type(thing));
        let is_thing = |kind: &str| {
            !kind.is_empty()
                && !schema::is_text(kind)
                && !schema::is_of_site(kind)
                && !schema::is_frame(kind)
                && !schema::is_part_of_page_or_thing(kind)
        };
        let marked = self.marked().items.iter().enumerate();
        let marked = marked.filter(|(at, item)| item.root == *at && is_thing(&item.kind));
        linked.count().max(marked.count())
    }

    /// The page says that it is about one object, not a text: by its type, or because it declares one or two
    /// things.
    pub(crate) fn names_one_object(&self) -> bool {
        self.open_graph_types().next().is_some_and(schema::is_open_graph_object)
            || (1..=2).contains(&self.thing_count())
    }

    /// The lists that JSON-LD declares.
    pub(crate) fn lists(&self) -> &[Vec<ListedThing>] {
        &self.linked_data.lists
    }

    /// Something on the page, at any depth, has a type of single things: an article, a product.
    pub(crate) fn names_one_thing(&self) -> bool {
        self.names_one_thing
    }

    /// Something on the page, at any depth, has a type of lists: search results, a collection.
    pub(crate) fn names_list(&self) -> bool {
        self.names_list
    }

    /// Microdata and `RDFa`.
    pub(crate) fn marked(&self) -> &MarkedItems {
        self.marked.get_or_init(|| MarkedItems::read(&self.page.tree))
    }

    /// The content of the first `meta` element with this property.
    pub(crate) fn meta(&self, property: &str) -> Option<&'p str> {
        self.metas.iter().find(|meta| meta.property == property)?.content
    }

    /// The types that Open Graph gives the page.
    pub(crate) fn open_graph_types(&self) -> impl Iterator<Item = &'p str> {
        self.metas
            .iter()
            .filter(|meta| meta.property == "og:type")
            .filter_map(|meta| meta.content)
            .map(str::trim)
    }

    /// True if the page declares one thing as what it is about, and no list. Stricter than
    /// [`names_one_thing`](Self::names_one_thing): only objects at the top of the JSON-LD count.
    pub(crate) fn is_about_one_thing(&self) -> bool {
        let types = &self.linked_data.top_types;
        if types.keys().any(|kind| schema::is_list_or_catalogue(kind)) {
            return false;
        }
        types.iter().any(|(kind, count)| *count == 1 && !schema::is_of_site(kind))
            || self.open_graph_types().any(schema::is_open_graph_thing)
    }
}

/// Names of `meta` elements in which libraries and search engines for papers read authors and titles: Dublin
/// Core and the tags of Highwire Press.
fn is_bibliographic(name: &str) -> bool {
    const FAMILIES: [&str; 3] = ["citation_", "dc.", "dcterms."];
    FAMILIES
        .iter()
        .any(|family| name.get(..family.len()).is_some_and(|start| start.eq_ignore_ascii_case(family)))
}

fn is_json_ld(page: &Page, script: Node) -> bool {
    page.tree.attr(script, attrs::TYPE).is_some_and(|kind| media_type(kind) == "application/ld+json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    fn page(html: &str) -> Page {
        Page::from_text(html, &Limits::default())
    }

    #[test]
    fn json_ld_gives_things_lists_and_types() {
        let page = page(
            r#"<script type="application/ld+json; charset=utf-8">{"@graph": [{"@type": "WebSite", "name": "Shop"},
            {"@type": "Product", "name": "Oak table", "offers": {"price": 12}}]}</script>"#,
        );
        let declared = Declared::read(&page);
        assert_eq!(declared.things().len(), 1);
        assert_eq!(declared.things()[0].keys, ["name", "offers.price"]);
        assert!(declared.names_one_thing() && declared.is_about_one_thing() && !declared.names_list());
        assert!(declared.lists().is_empty());
    }

    #[test]
    fn broken_json_still_names_its_types() {
        let page = page(r#"<script type="application/ld+json">{"@type": "Product", oops</script>"#);
        let declared = Declared::read(&page);
        assert!(declared.names_one_thing() && declared.things().is_empty());
    }

    #[test]
    fn microdata_and_open_graph_are_read() {
        let page = page(
            "<meta property=og:type content=article><div itemscope itemtype=http://schema.org/Book>\
             <b itemprop=name>A</b><span itemprop=author itemscope><i itemprop=givenName>B</i></span></div>",
        );
        let declared = Declared::read(&page);
        let names: Vec<&str> =
            declared.marked().properties.iter().map(|property| property.name.as_str()).collect();
        assert_eq!(names, ["name", "author given name"]);
        assert_eq!((declared.marked().items[0].kind.as_str(), declared.marked().items[1].root), ("Book", 0));
        assert_eq!(declared.open_graph_types().collect::<Vec<_>>(), ["article"]);
        // the author is a property of the book
        assert!(declared.thing_count() == 1 && declared.names_one_object());
    }

    #[test]
    fn many_marked_things_and_parts_of_the_site_are_not_one_object() {
        let things =
            "<div itemscope itemtype=http://schema.org/Product><b itemprop=name>A</b></div>".repeat(3);
        let page = page(&format!(
            "<div itemscope itemtype=http://schema.org/WebPage><b itemprop=name>S</b></div>{things}"
        ));
        let declared = Declared::read(&page);
        assert!(declared.thing_count() == 3 && !declared.names_one_object());
    }
}
