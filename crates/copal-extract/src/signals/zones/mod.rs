//! The zones of a page: navigation, main part, asides, boilerplate.
//!
//! In: a [`Page`]. Out: [`Zones`], which nodes are inside which zone, for lists; and [`is_boilerplate`] for
//! single elements of a detail page (thesis section 6.3, Algorithm 6). Both read the same tags, roles and
//! words (`words.rs`). O(nodes + class names).

pub(crate) mod titles_of_others;
pub(crate) mod words;

use copal_dom::{NONE, Node, Page, attrs, tags};
use rustc_hash::FxHashMap;
use words::{
    ASIDE, BOILERPLATE, IF_LINKED, MAIN, NAVIGATION, ZoneFlags, any_class_word, zones_of_class, zones_of_word,
};

/// ARIA roles that name a zone. A tab list or a menu can hold parts of an object, a search form or a dialog
/// can hold a list: each role counts for the reader that it is safe for.
const ZONE_ROLES: &[(ZoneFlags, &str)] = &[
    (NAVIGATION | BOILERPLATE, "navigation"),
    (NAVIGATION | BOILERPLATE, "contentinfo"),
    (NAVIGATION | BOILERPLATE, "banner"),
    (NAVIGATION | BOILERPLATE, "complementary"),
    (NAVIGATION, "menu"),
    (NAVIGATION, "menubar"),
    (NAVIGATION, "tablist"),
    (BOILERPLATE, "search"),
    (BOILERPLATE, "dialog"),
    (BOILERPLATE, "alertdialog"),
    (MAIN, "main"),
];

/// The zones that the ARIA role of an element names.
fn zones_of_role(page: &Page, node: Node) -> ZoneFlags {
    let Some(role) = page.tree.attr(node, attrs::ROLE) else { return 0 };
    ZONE_ROLES.iter().find(|(_, known)| *known == role).map_or(0, |(flags, _)| *flags)
}

/// An element with at least this share of the page's text (one in so many) can be around everything: its
/// words and most tags do not make it navigation.
const LARGE_SHARE: u32 = 3;
/// Longer class attributes are generated.
const MAX_CLASS_BYTES: usize = 200;

/// Which nodes are inside which zone.
pub(crate) struct Zones {
    flags: Vec<ZoneFlags>,
    has_main: bool,
}

impl Zones {
    /// Reads the zones of a page. A node is in the zones of its ancestors too.
    pub(crate) fn read(page: &Page) -> Zones {
        let tree = &page.tree;
        let all = page.index.chars(&(0..tree.len() as Node));
        let mut flags: Vec<ZoneFlags> = vec![0; tree.len()];
        // pages repeat their classes: each is read once
        let mut known: FxHashMap<&str, ZoneFlags> = FxHashMap::default();
        for node in tree.nodes() {
            let parent = tree.parent(node);
            let above = if parent == NONE { 0 } else { flags[parent as usize] };
            flags[node as usize] = above;
            if tree.is_text(node) {
                continue;
            }
            let is_small = page.index.chars(&(node..tree.end(node))) * LARGE_SHARE < all;
            let mut own = zones_of_element(page, node, is_small);
            for name in [attrs::CLASS, attrs::ID] {
                if let Some(class) = tree.attr(node, name).filter(|class| class.len() < MAX_CLASS_BYTES) {
                    let named = *known.entry(class).or_insert_with(|| zones_of_class(class));
                    own |= if is_small { named } else { named & MAIN };
                }
            }
            flags[node as usize] |= own & (NAVIGATION | MAIN | ASIDE);
        }
        let has_main = flags.iter().any(|flags| flags & MAIN != 0);
        Zones { flags, has_main }
    }

    /// True inside menus, heads, feet, side columns.
    pub(crate) fn is_navigation(&self, node: Node) -> bool {
        self.flags[node as usize] & NAVIGATION != 0
    }

    /// True inside what the page calls its main part.
    pub(crate) fn is_main(&self, node: Node) -> bool {
        self.flags[node as usize] & MAIN != 0
    }

    /// True inside what the page calls comments, related or sponsored things.
    pub(crate) fn is_aside(&self, node: Node) -> bool {
        self.flags[node as usize] & ASIDE != 0
    }

    /// True if the page says which part is its main one.
    pub(crate) fn has_main(&self) -> bool {
        self.has_main
    }
}

/// The list zones that the tag and the role of an element name.
fn zones_of_element(page: &Page, node: Node, is_small: bool) -> ZoneFlags {
    let by_role = zones_of_role(page, node);
    match page.tree.tag(node) {
        // on a page that its scripts fill the menu can be all there is
        tags::NAV => by_role | NAVIGATION,
        // a form or a header can be around everything, whatever its role
        tags::FOOTER | tags::ASIDE | tags::HEADER | tags::SELECT | tags::FORM if is_small => {
            by_role | NAVIGATION
        }
        tags::FOOTER | tags::ASIDE | tags::HEADER | tags::SELECT | tags::FORM => by_role & !NAVIGATION,
        tags::MAIN => by_role | MAIN,
        _ => by_role,
    }
}

/// True if an element of a detail page is about the site or about other objects.
pub(crate) fn is_boilerplate(page: &Page, node: Node) -> bool {
    is_boilerplate_by_tag(page, node) || is_boilerplate_by_words(page, node) || is_link_list(page, node)
}

/// What HTML and ARIA call so.
fn is_boilerplate_by_tag(page: &Page, node: Node) -> bool {
    // a header inside the article belongs to the object
    let is_outside_content = || {
        let content = |above| matches!(page.tree.tag(above), tags::ARTICLE | tags::MAIN | tags::SECTION);
        !page.tree.ancestors(node).any(content)
    };
    zones_of_role(page, node) & BOILERPLATE != 0
        || match page.tree.tag(node) {
            tags::NAV | tags::DIALOG => true,
            tags::FOOTER | tags::HEADER => is_outside_content(),
            _ => false,
        }
}

/// The words of class and id. Some words count only if the element consists mostly of links.
fn is_boilerplate_by_words(page: &Page, node: Node) -> bool {
    let mut classes = [attrs::CLASS, attrs::ID].into_iter().filter_map(|name| page.tree.attr(node, name));
    let subtree = node..page.tree.end(node);
    let is_linked = 2 * page.index.link_chars(&subtree) >= page.index.chars(&subtree);
    classes.any(|class| {
        any_class_word(class, |word| {
            let zones = zones_of_word(word);
            zones & BOILERPLATE != 0 && (is_linked || zones & IF_LINKED == 0)
        })
    })
}

/// Minimum number of texts of a list of links; minimum share of its characters in links.
const MIN_LINK_LIST_TEXTS: u32 = 10;
const MIN_LINKED_SHARE: f64 = 0.92;

/// Many links and next to nothing else.
fn is_link_list(page: &Page, node: Node) -> bool {
    let tree = &page.tree;
    if !matches!(
        tree.tag(node),
        tags::UL | tags::OL | tags::DIV | tags::TABLE | tags::TR | tags::TD | tags::MENU
    ) {
        return false;
    }
    let subtree = node..tree.end(node);
    let (chars, linked) = (page.index.chars(&subtree), page.index.link_chars(&subtree));
    page.index.leaves(&subtree) >= MIN_LINK_LIST_TEXTS
        && f64::from(linked) >= MIN_LINKED_SHARE * f64::from(chars)
        && page.index.digits(&subtree) * 10 < chars
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    #[test]
    fn zones_are_inherited() {
        let text = "Some words that are long enough to be the main part of this page.";
        let html =
            format!("<div class=related><p>x</p></div><main><p>{text}</p></main><nav><a href=/>y</a></nav>");
        let page = Page::from_text(&html, &Limits::default());
        let zones = Zones::read(&page);
        let of = |text: &str| {
            page.tree.nodes().find(|&node| page.tree.is_text(node) && page.text_of(node) == text)
        };
        let (aside, main, menu) = (of("x").unwrap(), of(text).unwrap(), of("y").unwrap());
        assert!(zones.is_aside(aside) && zones.is_navigation(aside) && !zones.is_main(aside));
        assert!(zones.is_main(main) && !zones.is_navigation(main) && zones.has_main());
        assert!(zones.is_navigation(menu));
    }
}
