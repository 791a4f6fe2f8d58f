//! Fields that the user asks for by selector: added to lists and objects that were found.
//!
//! In: a page, a region or an object of it, and [`FieldRequest`]s. Out: one more column, or field, per request. A value is
//! the text or an HTML attribute of the first element that is selected in the record. Linear in what the selectors cost.

use crate::located::{cell_text, kind_of, tops};
use crate::request::FieldRequest;
use crate::table::kinds::Reader;
use copal_dom::url::BaseUrl;
use copal_dom::{Node, Page};
use copal_model::{Cell, CellSource, Column, Field, FieldSource, NamedBy, Object, Origin, Region};
use copal_values::ValueType;

/// Adds a column per request to a list. Lists of embedded data have no elements, and stay as they are.
pub(crate) fn add_columns(page: &Page, list: &mut Region, fields: &[FieldRequest]) {
    if list.origin != Origin::Page {
        return;
    }
    let scopes: Vec<(usize, Node)> = list
        .records
        .iter()
        .enumerate()
        .flat_map(|(r, record)| {
            record
                .place
                .parts
                .iter()
                .flat_map(|part| tops(page, part))
                .map(move |node| (r, node))
                .collect::<Vec<_>>()
        })
        .collect();
    let nodes: Vec<Node> = scopes.iter().map(|(_, node)| *node).collect();
    for field in fields {
        let mut texts: Vec<Option<String>> = vec![None; list.records.len()];
        for ((record, _), found) in scopes.iter().zip(field.selector.select_in(page, &nodes)) {
            if texts[*record].is_none() {
                texts[*record] = found.into_iter().find_map(|node| value_at(page, node, field));
            }
        }
        add_column(list, field, texts);
    }
}

/// Adds the fields to an object. The whole page is searched.
pub(crate) fn add_fields(page: &Page, object: &mut Object, fields: &[FieldRequest]) {
    for field in fields {
        let found = field.selector.select_in(page, &[0]).into_iter().flatten();
        let Some(text) = found.into_iter().find_map(|node| value_at(page, node, field)) else { continue };
        let kind = kind_of(std::iter::once([text.clone()].as_slice()));
        let value = kind.and_then(|kind| Reader::default().value_of(kind, &text));
        object.fields.retain(|known| known.name != field.name);
        object.fields.push(Field {
            name: field.name.clone(),
            texts: vec![text],
            value,
            source: if field.html_attribute.is_some() { FieldSource::Role } else { FieldSource::Text },
            confidence: 1.0,
            xpath: None,
        });
    }
}

/// What an element says: its visible text, or an HTML attribute of it. Links and images become absolute.
fn value_at(page: &Page, node: Node, field: &FieldRequest) -> Option<String> {
    match field.html_attribute.as_deref() {
        Some(name) => {
            let text = page.tree.attr_named(node, name).map(str::trim).filter(|text| !text.is_empty())?;
            let is_url = matches!(name, "href" | "src" | "action" | "poster" | "data-src" | "data-href");
            Some(if is_url { BaseUrl::of(page).resolve(text) } else { text.to_owned() })
        }
        None if page.styles.is_shown(node) => cell_text(page, node..page.tree.end(node)),
        None => None,
    }
}

fn add_column(list: &mut Region, field: &FieldRequest, texts: Vec<Option<String>>) {
    let known = list.columns.iter().position(|column| column.name == field.name);
    let present: Vec<[String; 1]> = texts.iter().flatten().map(|text| [text.clone()]).collect();
    let kind = kind_of(present.iter().map(<[String; 1]>::as_slice)).filter(|_| !present.is_empty());
    let support = present.len() as f64 / list.records.len().max(1) as f64;
    let source = match field.html_attribute.as_deref() {
        Some("href") => CellSource::Href,
        Some("src") => CellSource::Src,
        _ => CellSource::Text,
    };
    let column = Column {
        name: field.name.clone(),
        named_by: NamedBy::Wrapper,
        source,
        kind: kind.map(ValueType::name),
        support,
        confidence: None,
    };
    let at = known.unwrap_or(list.columns.len());
    if known.is_some() {
        list.columns[at] = column;
    } else {
        list.columns.push(column);
    }
    set_cells(list, at, kind, texts);
}

/// Sets the cells of a column, which is an old one or comes after all others.
fn set_cells(list: &mut Region, column: usize, kind: Option<ValueType>, texts: Vec<Option<String>>) {
    let mut reader = Reader::default();
    let count = list.columns.len();
    for (record, text) in list.records.iter_mut().zip(texts) {
        let value = kind.zip(text.as_deref()).and_then(|(kind, text)| reader.value_of(kind, text));
        record.cells.resize(count, Cell::default());
        record.cells[column] = Cell { value, ..Cell::found(text) };
    }
}
