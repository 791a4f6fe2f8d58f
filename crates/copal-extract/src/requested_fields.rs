//! Fields that the user asks for by selector: added to lists and objects that were found.
//!
//! In: a page, a region or an object of it, and [`FieldRequest`]s. Out: one more column, or field, per
//! request. A value is the text or an HTML attribute of the first element that is selected in the record.
//! Linear in what the selectors cost.

use crate::located::{kind_of, tops};
use crate::request::FieldRequest;
use crate::structure::line_text::{attribute_source, line_text};
use crate::table::build_region::PageContext;
use crate::table::column_values::{TypedTexts, read_columns};
use crate::table::record_values::text_value;
use copal_dom::{Node, Page};
use copal_model::{Cell, CellSource, CellText, Column, Field, FieldSource, NamedBy, Object, Origin, Region};
use copal_values::ValueType;
use copal_values::columns::reader::ColumnReader;

/// HTML attributes with a URL, which is made absolute.
const URL_ATTRIBUTES: &[&str] = &["action", "data-href", "data-src", "href", "poster", "src"];

/// Adds a column per request to a list. Lists of embedded data have no elements, and stay as they are.
pub(crate) fn add_columns(context: &PageContext<'_>, list: &mut Region, fields: &[FieldRequest]) {
    if list.origin != Origin::Page || fields.is_empty() {
        return;
    }
    let page = context.page;
    let scopes: Vec<(usize, Node)> = list
        .records
        .iter()
        .enumerate()
        .flat_map(|(number, record)| {
            let tops = record.place.parts.iter().flat_map(|part| tops(page, part));
            tops.map(move |node| (number, node)).collect::<Vec<_>>()
        })
        .collect();
    let nodes: Vec<Node> = scopes.iter().map(|(_, node)| *node).collect();
    for field in fields {
        let mut texts: Vec<Option<CellText>> = vec![None; list.records.len()];
        for ((record, _), found) in scopes.iter().zip(field.selector.select_in(page, &nodes)) {
            if texts[*record].is_none() {
                texts[*record] = found.into_iter().find_map(|node| text_at(context, node, field));
            }
        }
        set_column(page, list, field, texts);
    }
}

/// Adds the fields to an object. The whole page is searched.
pub(crate) fn add_fields(page: &Page, object: &mut Object, fields: &[FieldRequest]) {
    if fields.is_empty() {
        return;
    }
    let context = PageContext::new(page);
    for field in fields {
        let mut found = field.selector.select_in(page, &[0]).into_iter().flatten();
        let Some(CellText { text, .. }) = found.find_map(|node| text_at(&context, node, field)) else {
            continue;
        };
        let kind = kind_of(std::iter::once([text.clone()].as_slice()));
        let read = TypedTexts { value_type: kind, texts: vec![&text], learned_order: None };
        let value =
            read_columns(page, &[read], &mut ColumnReader::default()).remove(0).values.pop().flatten();
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

/// The value of an element: its visible text, or one of its HTML attributes.
fn text_at(context: &PageContext<'_>, node: Node, field: &FieldRequest) -> Option<CellText> {
    let page = context.page;
    let Some(name) = field.html_attribute.as_deref() else {
        let nodes = node..page.tree.end(node);
        let value = text_value(line_text(page, nodes.clone())).filter(|_| page.styles.is_shown(node))?;
        let source = context.lines.source(page, &nodes, value.start, &value.text);
        return Some(CellText { text: value.text, source: Some(source) });
    };
    let written = page.tree.attr_named(node, name)?;
    let part = Some(written.trim()).filter(|part| !part.is_empty())?;
    let attribute = page.tree.attr_name(name)?;
    let text = if URL_ATTRIBUTES.contains(&name) { context.base.resolve(part) } else { part.to_owned() };
    Some(CellText { text, source: Some(attribute_source(node, attribute, written, part)) })
}

/// Sets the column of a field: the one that has its name, or a new one after all others.
fn set_column(page: &Page, list: &mut Region, field: &FieldRequest, texts: Vec<Option<CellText>>) {
    let present: Vec<[String; 1]> = texts.iter().flatten().map(|text| [text.text.clone()]).collect();
    let kind = kind_of(present.iter().map(<[String; 1]>::as_slice)).filter(|_| !present.is_empty());
    let read = TypedTexts {
        value_type: kind,
        texts: present.iter().map(|[text]| text.as_str()).collect(),
        learned_order: None,
    };
    let read = read_columns(page, &[read], &mut ColumnReader::default()).remove(0);
    let source = match field.html_attribute.as_deref() {
        Some("href") => CellSource::Href,
        Some("src") => CellSource::Src,
        _ => CellSource::Text,
    };
    let column = Column {
        value_type: kind.map(ValueType::name),
        date_order: read.date_order,
        support: present.len() as f64 / list.records.len().max(1) as f64,
        ..Column::new(field.name.as_str(), NamedBy::Wrapper, source)
    };
    let known = list.columns.iter().position(|column| column.name == field.name);
    let at = known.unwrap_or(list.columns.len());
    list.columns.splice(at..at + usize::from(known.is_some()), [column]);
    let count = list.columns.len();
    let mut values = read.values.into_iter();
    for (record, text) in list.records.iter_mut().zip(texts) {
        let value = text.as_ref().and_then(|_| values.next().flatten());
        record.cells.resize(count, Cell::default());
        record.cells[at] = Cell { texts: text.into_iter().collect(), value, ..Cell::default() };
    }
}
