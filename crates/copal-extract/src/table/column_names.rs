//! Names of columns.
//!
//! In: the column drafts of a list, with their types. Out: one unique name per column, and what it was taken
//! from. The sources, from the most to the least reliable: the header of a table; `itemprop` and `property`;
//! `data-label`, or a label or term before the value; `title`, `url` and `image` for what represents the
//! record; `aria-label`, `title` or `alt` that records share; a class word that is not about layout; the
//! value type; the position. O(cells).

use super::class_names::class_name;
use super::column_draft::{ColumnDraft, self_and_ancestors};
use super::html_tables::HtmlTables;
use super::role_names::name_by_role;
use super::snake_case::snake_case;
use super::value_types::default_column_name;
use crate::lists::candidate::ListCandidate;
use copal_dom::{NONE, Node, Page, attrs, tags};
use copal_model::{CellSource, NamedBy};
use copal_values::ValueType;
use rustc_hash::{FxHashMap, FxHashSet};

/// HTML attributes in which responsive tables keep the headers of their columns.
const LABEL_ATTRIBUTES: &[&str] = &["data-label", "data-title", "data-th"];
/// Longest label that is used as a name, in bytes.
const MAX_LABEL_NAME_BYTES: usize = 40;

/// Names all columns; see the module for the order of the sources.
pub(super) fn name_columns(
    page: &Page,
    found: &ListCandidate,
    tables: &HtmlTables,
    drafts: &[ColumnDraft],
    value_types: &[Option<ValueType>],
) -> Vec<(String, NamedBy)> {
    let n = found.records.len();
    let mut names: Vec<Option<(String, NamedBy)>> =
        drafts.iter().map(|draft| given_name(page, found, tables, draft)).collect();
    for (name, draft) in names.iter_mut().zip(drafts) {
        if name.is_none() {
            *name = label(draft).map(|label| (label, NamedBy::Label));
        }
    }
    name_by_role(page, &mut names, drafts, value_types, n);
    for (name, draft) in names.iter_mut().zip(drafts) {
        if name.is_none() {
            let description = accessible_name(page, draft);
            *name = description.map(|name| (with_source(name, draft.source), NamedBy::Label));
        }
    }
    let tops: FxHashSet<Node> = found.records.iter().flatten().map(|part| part.start).collect();
    for ((name, draft), value_type) in names.iter_mut().zip(drafts).zip(value_types) {
        if name.is_none() && draft.source != CellSource::Text {
            let cell = self_and_ancestors(page, draft.sample)
                .find(|&node| matches!(page.tree.tag(node), tags::TD | tags::TH));
            let header = cell.and_then(|cell| tables.header(page, cell));
            *name = header.map(|header| (with_source(header.to_owned(), draft.source), NamedBy::Header));
        }
        if name.is_none() {
            let word = class_name(page, &tops, draft.sample);
            *name = word.map(|word| (with_source(word, draft.source), NamedBy::Class));
        }
        if name.is_none() {
            let usual = value_type.and_then(default_column_name);
            *name = usual.map(|usual| (usual.to_owned(), NamedBy::ValueType));
        }
    }
    unique_names(names)
}

/// The label of a column: words that were found before its values, or words with a colon that nearly all of
/// its texts begin with.
fn label(draft: &ColumnDraft) -> Option<String> {
    if let Some(label) = &draft.label {
        return snake_case(label);
    }
    let before = |text: &str| text.split_once(':').map(|(label, _)| label.to_owned());
    let first = before(draft.cells[0].text()).filter(|label| label.len() <= MAX_LABEL_NAME_BYTES)?;
    let labelled = draft.cells.iter().filter(|cell| {
        cell.text().strip_prefix(first.as_str()).is_some_and(|rest| rest.starts_with(": ") || rest == ":")
    });
    let all = draft.source == CellSource::Text && draft.cells.len() > 1;
    (all && 10 * labelled.count() >= 9 * draft.cells.len()).then(|| snake_case(&first)).flatten()
}

/// The description for people who cannot see the element, such as `title="Comments"`. It must be the same in
/// the first and the last record: a description that differs is a value.
fn accessible_name(page: &Page, draft: &ColumnDraft) -> Option<String> {
    if draft.sample == draft.last {
        return None;
    }
    let description = |node: Node, name| {
        let text = page.tree.attr(node, name)?.trim();
        (text.len() <= MAX_LABEL_NAME_BYTES && !text.contains(|c: char| c.is_ascii_digit())).then_some(text)
    };
    let names = [attrs::ARIA_LABEL, attrs::TITLE, attrs::ALT];
    let mut nodes = self_and_ancestors(page, draft.sample).zip(self_and_ancestors(page, draft.last)).take(2);
    let same = |(a, b): (Node, Node)| {
        let apart = a != b && page.index.leaves(&(a..page.tree.end(a))) <= 1;
        names
            .iter()
            .filter(|_| apart)
            .find_map(|&name| description(a, name).filter(|&text| description(b, name) == Some(text)))
    };
    nodes.find_map(same).and_then(snake_case)
}

/// Marks names of links and images, because an element often has a text and a link of one name.
fn with_source(word: String, source: CellSource) -> String {
    match source {
        CellSource::Text | CellSource::Embedded | CellSource::Detail => word,
        CellSource::Href => format!("{word}_url"),
        CellSource::Src => format!("{word}_image"),
    }
}

/// A name that the page states itself: a header cell, `itemprop` or `property`.
fn given_name(
    page: &Page,
    found: &ListCandidate,
    tables: &HtmlTables,
    draft: &ColumnDraft,
) -> Option<(String, NamedBy)> {
    let mut at = draft.sample;
    while at != NONE && at > found.root {
        if draft.source == CellSource::Text && matches!(page.tree.tag(at), tags::TD | tags::TH) {
            if draft.label.is_some() && tables.header(page, at).is_none() {
                return None;
            }
            let header = tables.header(page, at).map(str::to_owned);
            return header.map(|name| (name, NamedBy::Header)).or_else(|| {
                let label = LABEL_ATTRIBUTES.iter().find_map(|name| page.tree.attr_named(at, name))?;
                Some((snake_case(label)?, NamedBy::Label))
            });
        }
        let property =
            || page.tree.attr(at, attrs::PROPERTY).map(|name| name.rsplit(':').next().unwrap_or(name));
        if let Some(name) = page.tree.attr(at, attrs::ITEMPROP).or_else(property) {
            let name = snake_case(name)?;
            let name = match draft.source {
                CellSource::Href if name != "url" => format!("{name}_url"),
                _ => name,
            };
            return Some((name, NamedBy::Property));
        }
        at = page.tree.parent(at);
    }
    None
}

/// Makes names unique by appending numbers; columns without a name get one from their position.
pub(crate) fn unique_names(names: Vec<Option<(String, NamedBy)>>) -> Vec<(String, NamedBy)> {
    let mut used: FxHashSet<String> = FxHashSet::default();
    let mut next: FxHashMap<String, usize> = FxHashMap::default();
    let mut out = Vec::with_capacity(names.len());
    for (c, name) in names.into_iter().enumerate() {
        let (base, by) = name.unwrap_or_else(|| (format!("column_{}", c + 1), NamedBy::Position));
        let mut name = base.clone();
        while !used.insert(name.clone()) {
            let n = next.entry(base.clone()).or_insert(1);
            *n += 1;
            name = format!("{base}_{n}");
        }
        out.push((name, by));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_words() {
        assert_eq!(snake_case("productTitle").as_deref(), Some("product_title"));
        assert_eq!(snake_case(" Price (GBP): ").as_deref(), Some("price_gbp"));
        assert_eq!(snake_case("ราคา").as_deref(), Some("ราคา"));
        assert_eq!(snake_case("--- 12"), None);
    }

    #[test]
    fn equal_names_get_numbers() {
        let some = |s: &str| Some((s.to_owned(), NamedBy::Class));
        let names = unique_names(vec![some("a"), None, some("a"), some("a_2")]);
        let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "column_2", "a_2", "a_2_2"]);
    }
}
