//! The stylesheets of a page: those in its `style` elements, and those that it links to or imports.
//!
//! Nothing is fetched or opened here. [`style_page`](crate::style_page) says which stylesheets are missing, and the
//! caller adds those that it may read.

use crate::conditions::media_text_matches;
use crate::given_sheets::{GivenSheet, Stylesheets};
use crate::stylesheet::RuleSet;
use copal_dom::{Node, Page, Tree, attrs, tags};
use url::Url;

/// True if the page has a stylesheet of its own or links to one.
pub(crate) fn has_stylesheets(tree: &Tree) -> bool {
    tree.nodes().any(|node| match tree.tag(node) {
        tags::STYLE => true,
        tags::LINK => tree.attr(node, attrs::REL).is_some_and(is_stylesheet),
        _ => false,
    })
}

fn is_stylesheet(rel: &str) -> bool {
    let has = |word: &str| rel.split_ascii_whitespace().any(|own| own.eq_ignore_ascii_case(word));
    has("stylesheet") && !has("alternate")
}

/// A stylesheet that applies on a screen.
enum PageSheet {
    /// The text of this element.
    Inside(Node),
    /// The one at this URL.
    Linked(Url),
}

/// The stylesheets of a page in document order.
fn page_sheets<'t>(tree: &'t Tree, sheets: &'t Stylesheets) -> impl Iterator<Item = PageSheet> + 't {
    let media = tree.attr_name("media");
    let disabled = tree.attr_name("disabled");
    let mut hidden_until = 0;
    tree.nodes().filter_map(move |node| {
        let tag = tree.tag(node);
        if tag == tags::TEMPLATE || tag == tags::NOSCRIPT {
            // what is in a template is not part of the page; what is in noscript is for browsers without scripts
            hidden_until = hidden_until.max(tree.end(node));
        }
        if !matches!(tag, tags::STYLE | tags::LINK) || node < hidden_until {
            return None;
        }
        let media = media.and_then(|media| tree.attr(node, media)).unwrap_or_default();
        if !media_text_matches(media) {
            return None;
        }
        if tag == tags::STYLE {
            let kind = tree.attr(node, attrs::TYPE).unwrap_or_default().trim();
            let is_css = kind.is_empty() || kind.eq_ignore_ascii_case("text/css");
            return is_css.then_some(PageSheet::Inside(node));
        }
        let is_on = disabled.is_none_or(|disabled| tree.attr(node, disabled).is_none());
        if !is_on || !tree.attr(node, attrs::REL).is_some_and(is_stylesheet) {
            return None;
        }
        sheets.resolve(None, tree.attr(node, attrs::HREF)?).map(PageSheet::Linked)
    })
}

/// Reads the stylesheets of a page.
pub(crate) fn read_stylesheets(tree: &Tree, sheets: &Stylesheets, rules: &mut RuleSet) {
    for sheet in page_sheets(tree, sheets) {
        match sheet {
            PageSheet::Inside(node) => rules.read(tree.raw_text(node), None, sheets),
            PageSheet::Linked(url) => match sheets.sheet(&url) {
                GivenSheet::Text(text) => rules.read(text, Some(&url), sheets),
                GivenSheet::Unreadable => {}
                GivenSheet::Missing => rules.missing.push(url.into()),
            },
        }
    }
}

/// The URLs of the stylesheets that a page links to and that were not added yet.
pub fn linked_stylesheets(page: &Page, sheets: &Stylesheets) -> Vec<String> {
    let all = page_sheets(&page.tree, sheets);
    let linked = all.filter_map(|sheet| match sheet {
        PageSheet::Linked(url) if matches!(sheets.sheet(&url), GivenSheet::Missing) => Some(url.into()),
        _ => None,
    });
    linked.collect()
}
