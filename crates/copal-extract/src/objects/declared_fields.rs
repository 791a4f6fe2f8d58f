//! Fields that a page declares about its object: JSON-LD, microdata, Open Graph.
//!
//! In: a [`DetailPage`] and what the page declares. Out: [`DeclaredField`]s whose values the page shows too:
//! a value that a reader cannot see is not believed. Names are the words of the property ("date published").
//! O(nodes + text); each property is searched for in the page's text.

use super::detail_page::DetailPage;
use super::marked_fields::{self, MarkedField};
use super::shown_text::{ShownText, iso_duration};
use crate::signals::declared::Declared;
use crate::signals::declared::schema::{self, name_words};
use std::cell::LazyCell;

/// A declared property of the object.
#[derive(Debug, Clone)]
pub(super) struct DeclaredField {
    /// The words of its name, outermost first: "offers price".
    pub(super) name: String,
    pub(super) texts: Vec<String>,
    /// The line that shows the first of them, if one line shows nothing else.
    pub(super) line: Option<usize>,
}

/// Maximum number of properties of a page.
const MAX_DECLARED_FIELDS: usize = 300;

/// The declared properties that the page shows.
pub(super) fn find(
    page: &DetailPage<'_>,
    declared: &Declared<'_>,
    headline: Option<usize>,
) -> Vec<DeclaredField> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for thing in declared.things() {
        let is_text = thing.kind.as_deref().is_some_and(schema::is_text);
        for (key, values) in thing.rows.iter().flat_map(|row| &row.cells) {
            let name = name_words(&thing.keys[*key as usize]);
            // where an article is filed says nothing about the object that it is about
            if !is_text || !matches!(name.as_str(), "keywords" | "article section" | "genre") {
                all.push((name, values.clone()));
            }
        }
    }
    all.extend(meta_fields(declared));
    let (mut elements, attributes): (Vec<MarkedField>, Vec<MarkedField>) =
        marked_fields::find(page, headline, declared.marked())
            .into_iter()
            .partition(|field| field.line.is_some());
    all.extend(attributes.into_iter().map(|field| (field.name, field.texts)));
    elements.truncate(MAX_DECLARED_FIELDS);
    let has_durations = all.iter().flat_map(|(_, texts)| texts).any(|text| iso_duration(text).is_some());
    // many pages declare nothing
    let shown = LazyCell::new(|| ShownText::new(page, has_durations));
    let mut found: Vec<DeclaredField> = Vec::new();
    for (name, texts) in all.into_iter().take(MAX_DECLARED_FIELDS) {
        let texts: Vec<String> = texts.iter().flat_map(|text| shown.shown_texts(text)).collect();
        if let [text] = texts.as_slice()
            && let Some(line) = shown.line_that_continues(text)
        {
            found.push(DeclaredField { name, texts: vec![page.lines[line].text.clone()], line: Some(line) });
            continue;
        }
        if let Some(first) = texts.first() {
            let line = shown.line(first);
            found.push(DeclaredField { name, texts, line });
        }
    }
    found.extend(elements.into_iter().map(|MarkedField { name, texts, line }| DeclaredField {
        name,
        texts,
        line,
    }));
    found
}

/// Open Graph and the like, without what is about the site.
fn meta_fields(declared: &Declared<'_>) -> Vec<(String, Vec<String>)> {
    let is_of_site = |property: &str| {
        matches!(property, "og:site_name" | "og:type" | "og:url" | "og:locale") || property.starts_with("fb:")
    };
    let metas = declared.metas.iter().filter(|meta| !is_of_site(meta.property));
    metas
        .filter_map(|meta| {
            let name = meta.property.trim_start_matches("og:").replace(':', " ");
            Some((name_words(&name), vec![meta.content?.trim().to_owned()]))
        })
        .collect()
}
