//! The title, link and image that represent a record.
//!
//! In: column drafts, some of them named. Out: the names `title`, `url` and `image` for the columns that have
//! these roles. O(cells).

use super::column_draft::{ColumnDraft, self_and_ancestors};
use copal_dom::{Page, tags};
use copal_model::{CellSource, NamedBy};
use copal_values::ValueType;

/// Names the text, the link and the image that represent a record. `n` is the number of records.
pub(super) fn name_by_role(
    page: &Page,
    names: &mut [Option<(String, NamedBy)>],
    drafts: &[ColumnDraft],
    value_types: &[Option<ValueType>],
    n: usize,
) {
    let frequent = |draft: &ColumnDraft| 5 * draft.record_count() >= 4 * n;
    let known = |names: &[Option<(String, NamedBy)>], name: &str| {
        names.iter().flatten().any(|(known, _)| known == name)
    };
    let title = title_column(page, names, drafts, value_types, n);
    if let Some(c) = title {
        names[c] = Some(("title".into(), NamedBy::Role));
    }
    if !known(names, "url") {
        let free = |c: &usize| {
            names[*c].is_none()
                && drafts[*c].source == CellSource::Href
                && frequent(&drafts[*c])
                && drafts[*c].is_mostly_distinct()
        };
        let links: Vec<usize> = (0..drafts.len()).filter(free).collect();
        // the link around the title or inside it; otherwise the first link
        let around = |&c: &usize| {
            title.is_some_and(|t| {
                let (title, link) = (drafts[t].sample, drafts[c].sample);
                page.tree.contains(link, title) || page.tree.contains(title, link)
            })
        };
        if let Some(c) = links.iter().copied().find(around).or_else(|| links.first().copied()) {
            names[c] = Some(("url".into(), NamedBy::Role));
        }
    }
    if !known(names, "image") {
        let image =
            |c: &usize| names[*c].is_none() && drafts[*c].source == CellSource::Src && frequent(&drafts[*c]);
        let images: Vec<usize> = (0..drafts.len()).filter(image).collect();
        let differs = images.iter().copied().find(|&c| drafts[c].is_mostly_distinct());
        if let Some(c) = differs.or_else(|| images.first().copied()) {
            names[c] = Some(("image".into(), NamedBy::Role));
        }
    }
}

/// The text that represents a record: most records have it, it has letters and no value type, and it differs
/// between records. Headings are preferred, then links, then large or bold text, then the first text.
fn title_column(
    page: &Page,
    names: &[Option<(String, NamedBy)>],
    drafts: &[ColumnDraft],
    value_types: &[Option<ValueType>],
    n: usize,
) -> Option<usize> {
    if names.iter().flatten().any(|(name, _)| name == "title" || name == "name" || name == "headline") {
        return None;
    }
    let good = |c: &usize| {
        let draft = &drafts[*c];
        let letters =
            || draft.cells.iter().filter(|cell| cell.text().chars().any(char::is_alphabetic)).count();
        names[*c].is_none()
            && draft.source == CellSource::Text
            && value_types[*c].is_none()
            && 5 * draft.record_count() >= 4 * n
            && 2 * letters() > draft.cells.len()
            && draft.is_mostly_distinct()
    };
    let rank = |c: &usize| {
        let node = drafts[*c].sample;
        let tree = &page.tree;
        let near = || self_and_ancestors(page, node).take(3);
        let is_row_header = |node| {
            tree.tag(node) == tags::TH
                && tree.attr_named(node, "scope").is_some_and(|scope| scope.eq_ignore_ascii_case("row"))
        };
        let heading = near().any(|node| tags::is_heading(tree.tag(node)) || is_row_header(node));
        // a link inside a longer text is only a word of that text
        let link = near().any(|node| tree.tag(node) == tags::A)
            || drafts
                .iter()
                .any(|other| other.source == CellSource::Href && tree.contains(node, other.sample));
        let style = page.styles.style(node);
        (heading, link, style.size, style.bold, std::cmp::Reverse(*c))
    };
    (0..drafts.len()).filter(good).max_by_key(rank)
}
