//! What was found on a page, by the element where it begins: for its outline.
//!
//! In: a page and its answer. Out: marks of records, fields, the counter, the next link and forms. O(nodes).

use crate::form_refusal::sendable_action;
use copal_dom::{Node, Page, attrs, tags};
use copal_extract::{Answer, paging};
use copal_forms::{Control, Form, find_forms};
use std::collections::HashMap;

/// Records that are shown with their fields.
pub(crate) const MAX_SHOWN_RECORDS: usize = 3;
/// Characters of a text.
pub(crate) const MAX_BLOCK_TEXT: usize = 140;

/// What a block of an outline is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlockKind {
    /// A part of the page: header, navigation, main content …
    Zone,
    /// A heading.
    Heading,
    /// Texts that nothing was read from.
    Text,
    /// A record of the list.
    Record,
    /// A field of a record: the columns that are read there.
    Field,
    /// Records that are not shown.
    MoreRecords,
    /// The link to the next page.
    NextLink,
    /// The number of records that the page announces.
    Counter,
    /// A search form.
    SearchForm,
    /// Another form, which is never sent.
    OtherForm,
    /// A field of a form.
    FormField,
}

/// What is marked at a node.
pub(crate) struct Mark {
    pub(crate) kind: BlockKind,
    pub(crate) label: String,
    /// What was read, if it is no visible text: the URL of a link or an image.
    pub(crate) value: String,
}

impl Mark {
    fn new(kind: BlockKind, label: String) -> Mark {
        Mark { kind, label, value: String::new() }
    }
}

/// What was found, by the node where it begins.
pub(crate) fn outline_marks(page: &Page, answer: &Answer) -> HashMap<Node, Mark> {
    let mut marks: HashMap<Node, Mark> = HashMap::new();
    let list = answer.primary();
    for (number, record) in list.into_iter().flat_map(|list| list.records.iter().enumerate()) {
        if let Some(part) = record.place.parts.first() {
            marks.insert(part.start, Mark::new(BlockKind::Record, format!("record {}", number + 1)));
        }
        if number >= MAX_SHOWN_RECORDS {
            continue;
        }
        let columns = list.into_iter().flat_map(|list| &list.columns);
        for (cell, column) in record.cells.iter().zip(columns) {
            let Some(text) = cell.texts.first() else { continue };
            let Some(source) = &text.source else { continue };
            let is_record = marks.get(&source.node).is_some_and(|mark| mark.kind == BlockKind::Record);
            if is_record {
                continue;
            }
            let mark = marks.entry(source.node).or_insert(Mark::new(BlockKind::Field, String::new()));
            // the heading above several records is a field of each
            if mark.label.split(", ").all(|name| name != column.name) {
                let separator = if mark.label.is_empty() { "" } else { ", " };
                mark.label.push_str(separator);
                mark.label.push_str(&column.name);
            }
            if source.attribute.is_some() && mark.value.is_empty() {
                mark.value.clone_from(&text.text);
            }
        }
    }
    if let Some((node, total)) = list.and_then(|list| paging::counter_element(page, list)) {
        marks.insert(node, Mark::new(BlockKind::Counter, format!("announces {total} records")));
    }
    let next = paging::next_links(page, list).into_iter().find(|link| link.score >= paging::SURE);
    if let Some(next) = next {
        let leads_there = |node: &Node| {
            page.tree.tag(*node) == tags::A
                && page.tree.attr(*node, attrs::HREF) == Some(next.href.as_str())
                && page.styles.is_shown(*node)
        };
        if let Some(node) = page.tree.nodes().find(leads_there) {
            marks.insert(node, Mark::new(BlockKind::NextLink, next.url.clone()));
        }
    }
    for form in find_forms(page).iter().filter(|form| form.node != 0) {
        add_form(page, form, &mut marks);
    }
    marks
}

fn add_form(page: &Page, form: &Form, marks: &mut HashMap<Node, Mark>) {
    let is_search = sendable_action(page, form).is_ok();
    let kind = if is_search { BlockKind::SearchForm } else { BlockKind::OtherForm };
    let sure = 100.0 * form.confidence;
    let label = format!("{}, {sure:.0}% sure", form.form_type.name());
    // a form may be the record, or announce the number of records
    marks.entry(form.node).or_insert_with(|| Mark::new(kind, label));
    for field in form.fields.iter().filter(|_| is_search) {
        let label = field.label.as_deref().filter(|label| !label.trim().is_empty()).unwrap_or(&field.name);
        let what = match field.control {
            Control::Submit => "button".to_owned(),
            _ if field.options.len() == 1 => "1 choice".to_owned(),
            _ if !field.options.is_empty() => format!("{} choices", field.options.len()),
            _ => "text".to_owned(),
        };
        let label: String = label.chars().take(MAX_BLOCK_TEXT).collect();
        marks.insert(field.node, Mark::new(BlockKind::FormField, format!("{} ({what})", label.trim())));
    }
}
