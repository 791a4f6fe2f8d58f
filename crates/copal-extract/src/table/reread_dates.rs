//! Dates in digits that were read one by one, read again in one order.
//!
//! In: finished columns, or the fields of an object. Out: the same with other values, and the order that was
//! decided. O(text of the dates).

use super::column_values::{TypedTexts, read_columns, read_columns_of};
use copal_dom::Page;
use copal_model::{Cell, Column, Field, Object};
use copal_values::columns::date_order::{DateOrderDecision, DateOrderFinding, date_order};
use copal_values::columns::reader::ColumnReader;
use copal_values::{Value, ValueType};
use std::borrow::BorrowMut;

/// The name of the type of dates.
const DATE: &str = "date";

/// Reads the dates in digits of finished columns again, all in one order: those of a domain's attributes, which
/// were read one by one, and those of pages that were joined by the names of their columns.
pub(crate) fn reread_dates<R: BorrowMut<Vec<Cell>>>(
    page: Option<&Page>,
    columns: &mut [Column],
    rows: &mut [R],
) {
    let mut reader = ColumnReader::default();
    // a cell that has a date, and nothing but one text
    let is_date = |cell: &Cell| cell.len() == 1 && matches!(cell.value, Some(Value::Date(_)));
    for (c, column) in columns.iter_mut().enumerate().filter(|(_, column)| column.value_type == Some(DATE)) {
        let cells = rows.iter().map(|row| &row.borrow()[c]).filter(|cell| is_date(cell));
        let texts: Vec<&str> = cells.filter_map(Cell::first).collect();
        if date_order(texts.iter().copied()) == DateOrderFinding::NoDates {
            continue;
        }
        let learned_order = match column.date_order {
            Some(DateOrderDecision::Decided(order)) => Some(order),
            _ => None,
        };
        let texts = [TypedTexts { value_type: Some(ValueType::Date), texts, learned_order }];
        let read = read_columns_of(page, &texts, &mut reader).remove(0);
        column.date_order = read.date_order;
        let cells = rows.iter_mut().map(|row| &mut row.borrow_mut()[c]).filter(|cell| is_date(cell));
        for (cell, value) in cells.zip(read.values) {
            cell.value = value.or_else(|| cell.value.take());
        }
    }
}

/// Reads the dates in digits of an object again. All of its dates have one order, that of the page.
pub(crate) fn reread_object_dates(page: &Page, object: &mut Object) {
    let is_date = |field: &Field| {
        let is_one = field.texts.len() == 1 && matches!(field.value, Some(Value::Date(_)));
        is_one && date_order([field.texts[0].as_str()]) != DateOrderFinding::NoDates
    };
    let dates = object.fields.iter().filter(|field| is_date(field));
    let texts: Vec<TypedTexts<'_>> = dates
        .map(|field| TypedTexts {
            value_type: Some(ValueType::Date),
            texts: vec![&field.texts[0]],
            learned_order: None,
        })
        .collect();
    if texts.is_empty() {
        return;
    }
    let read = read_columns(page, &texts, &mut ColumnReader::default());
    let dates = object.fields.iter_mut().filter(|field| is_date(field));
    for (field, mut read) in dates.zip(read) {
        if let Some(value) = read.values.pop().flatten() {
            field.value = Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;
    use copal_model::FieldSource;

    fn object(dates: &[&str]) -> Object {
        let field = |date: &&str| Field {
            name: "date".into(),
            texts: vec![(*date).to_owned()],
            value: Some(Value::Date("as read alone".into())),
            source: FieldSource::Text,
            confidence: 1.0,
            xpath: None,
        };
        Object { fields: dates.iter().map(field).collect(), ..Object::default() }
    }

    #[test]
    fn the_dates_of_an_object_agree() {
        let page = Page::from_text("<html lang=en><p>", &Limits::default());
        let mut found = object(&["10/12/2023", "10/31/2023", "12 May 2020"]);
        reread_object_dates(&page, &mut found);
        let values: Vec<Option<Value>> = found.fields.into_iter().map(|field| field.value).collect();
        let date = |iso: &str| Some(Value::Date(iso.to_owned()));
        assert_eq!(values, [date("2023-10-12"), date("2023-10-31"), date("as read alone")]);
    }
}
