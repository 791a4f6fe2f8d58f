//! What a page declares of its object: JSON-LD, microdata, Open Graph.
//!
//! In: a [`DetailPage`] and the things of its JSON-LD. Out: [`Declared`] properties whose values the page shows too: what a reader cannot see is not believed. Names are the
//! words of the property ("date published"). O(nodes + text), each property a search in the page's text.

use super::detail_page::DetailPage;
use super::microdata::{self, Property};
use super::page_kind;
use super::shown_text::{ShownText, iso_duration};
use crate::data::embedded::Objects;
use copal_dom::{attrs, tags};

/// A property of the object.
#[derive(Debug, Clone)]
pub(super) struct Declared {
    /// The words of its name, outermost first: "offers price".
    pub(super) name: String,
    pub(super) texts: Vec<String>,
    /// The line that shows the first of them, if one shows it alone.
    pub(super) line: Option<usize>,
}

/// Most properties of a page.
const MOST: usize = 300;

/// The properties of a page that it shows.
pub(super) fn find(sheet: &DetailPage<'_>, things: &[Objects], headline: Option<usize>) -> Vec<Declared> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for thing in things {
        let of_text = thing.kind.as_deref().is_some_and(page_kind::is_text_type);
        for (key, values) in thing.rows.iter().flat_map(|row| &row.cells) {
            let name = name_words(&thing.keys[*key as usize]);
            // where an article is filed says nothing of the object it is about
            if !of_text || !matches!(name.as_str(), "keywords" | "article section" | "genre") {
                all.push((name, values.clone()));
            }
        }
    }
    metas(sheet, &mut all);
    let (mut elements, attributes): (Vec<Property>, Vec<Property>) =
        microdata::find(sheet, headline).into_iter().partition(|property| property.line.is_some());
    all.extend(attributes.into_iter().map(|property| (property.name, property.texts)));
    elements.truncate(MOST);
    let timed = all.iter().flat_map(|(_, texts)| texts).any(|text| iso_duration(text).is_some());
    let shown = ShownText::new(sheet, timed);
    let mut found: Vec<Declared> = Vec::new();
    for (name, texts) in all.into_iter().take(MOST) {
        let texts: Vec<String> = texts.iter().flat_map(|text| shown.shown_texts(text)).collect();
        if let [text] = texts.as_slice()
            && let Some(line) = shown.line_that_continues(text)
        {
            found.push(Declared { name, texts: vec![sheet.lines[line].text.clone()], line: Some(line) });
            continue;
        }
        if let Some(first) = texts.first() {
            let line = shown.line(first);
            found.push(Declared { name, texts, line });
        }
    }
    found.extend(elements.into_iter().map(|Property { name, texts, line }| Declared { name, texts, line }));
    found
}

/// Open Graph and the like.
fn metas(sheet: &DetailPage<'_>, all: &mut Vec<(String, Vec<String>)>) {
    let tree = &sheet.dom.tree;
    for node in tree.nodes().filter(|&node| tree.tag(node) == tags::META) {
        let name = tree.attr(node, attrs::PROPERTY);
        let (Some(name), Some(text)) = (name, tree.attr(node, attrs::CONTENT)) else { continue };
        if matches!(name, "og:site_name" | "og:type" | "og:url" | "og:locale") || name.starts_with("fb:") {
            continue;
        }
        let name = name.trim_start_matches("og:").replace(':', " ");
        all.push((name_words(&name), vec![text.trim().to_owned()]));
    }
}

/// The words of a key: at dots, colons, capitals.
pub(super) fn name_words(key: &str) -> String {
    let mut words = String::new();
    let mut small = false;
    for c in key.chars().take(80) {
        if !c.is_alphanumeric() {
            if !words.ends_with(' ') {
                words.push(' ');
            }
            small = false;
            continue;
        }
        if c.is_uppercase() && small {
            words.push(' ');
        }
        small = c.is_lowercase();
        words.extend(c.to_lowercase());
    }
    words.trim().to_owned()
}
