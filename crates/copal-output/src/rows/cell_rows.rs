//! The long form: one row per text of a cell, with the same columns for every page of every site.
//!
//! In: an [`Answer`]. Out: rows with the columns of [`cell_columns`]. Lists and objects of any number of sites fit
//! into one table, because the names of their columns are data and not part of the schema. O(cells).

use crate::rows::record_keys::list_keys;
use crate::rows::row_value::{ColumnType, RowValue};
use crate::rows::table_schema::TableColumn;
use crate::value_json::value_json;
use copal_dom::xpath::XPathBudget;
use copal_model::{Answer, Cell, Object, Record, Region};
use copal_values::{Value, ValueType};

/// Names and types of the columns, in their order.
const CELL_COLUMNS: [(&str, ColumnType); 13] = [
    ("page", ColumnType::Text),
    ("url", ColumnType::Text),
    ("kind", ColumnType::Text),
    ("region", ColumnType::Integer),
    ("role", ColumnType::Text),
    ("record", ColumnType::Integer),
    ("key", ColumnType::Text),
    ("column", ColumnType::Text),
    ("text", ColumnType::Text),
    ("value", ColumnType::Text),
    ("type", ColumnType::Text),
    ("confidence", ColumnType::Real),
    ("xpath", ColumnType::Text),
];

/// The columns of the long form.
///
/// `page` is the name under which the page was given and `url` its address; `kind` is what the page is; `region` and
/// `record` count from 1, and the object of a page is region 0; `value` is JSON.
pub fn cell_columns() -> Vec<TableColumn> {
    let column = |(name, column_type): &(&str, ColumnType)| TableColumn {
        name: (*name).to_owned(),
        source_column: String::new(),
        component: String::new(),
        column_type: *column_type,
    };
    CELL_COLUMNS.iter().map(column).collect()
}

/// The cells of a page: of its object, and of its lists in their order.
pub fn cell_rows(name: &str, answer: &Answer) -> Vec<Vec<RowValue>> {
    let mut rows = PageCells { name, answer, xpaths: XPathBudget::default(), rows: Vec::new() };
    if let Some(object) = &answer.object {
        rows.add_object(object);
    }
    for (at, region) in answer.regions.iter().enumerate() {
        rows.add_list(at + 1, region);
    }
    rows.rows
}

/// The row of a page that could not be read: its kind is `error`, and its text is the reason.
pub fn failed_page_row(name: &str, url: Option<&str>, reason: &str) -> Vec<RowValue> {
    let value = |(column, _): &(&str, ColumnType)| match *column {
        "page" => RowValue::text(name),
        "url" => url.map_or(RowValue::Null, RowValue::text),
        "kind" => RowValue::text("error"),
        "text" => RowValue::text(reason),
        _ => RowValue::Null,
    };
    CELL_COLUMNS.iter().map(value).collect()
}

struct PageCells<'a> {
    name: &'a str,
    answer: &'a Answer,
    /// Bounds the bytes of XPaths: those of a long list in a deep page would fill the memory.
    xpaths: XPathBudget,
    rows: Vec<Vec<RowValue>>,
}

/// What the rows of one record have in common.
struct RecordHead<'a> {
    url: Option<&'a str>,
    region: usize,
    role: Option<&'static str>,
    record: usize,
    key: Option<&'a str>,
}

/// One text of a cell.
struct CellOfRecord<'a> {
    column: &'a str,
    text: &'a str,
    value: Option<&'a Value>,
    value_type: Option<&'static str>,
    confidence: Option<f64>,
    xpath: Option<String>,
}

impl PageCells<'_> {
    fn add_object(&mut self, object: &Object) {
        let url = self.answer.page.url.as_deref();
        let head = RecordHead { url, region: 0, role: None, record: 1, key: None };
        for field in &object.fields {
            for (at, text) in field.texts.iter().enumerate() {
                let first = at == 0;
                let value = field.value.as_ref().filter(|_| first);
                self.push(
                    &head,
                    &CellOfRecord {
                        column: &field.name,
                        text,
                        value,
                        value_type: value.and_then(Value::value_type).map(ValueType::name),
                        confidence: Some(field.confidence),
                        xpath: field.xpath.clone().filter(|_| first),
                    },
                );
            }
        }
    }

    fn add_list(&mut self, number: usize, region: &Region) {
        let keys = list_keys(region, &[]);
        for (at, (record, key)) in region.records.iter().zip(&keys).enumerate() {
            let url = record.page.as_ref().map(|page| &*page.url).or(self.answer.page.url.as_deref());
            let head = RecordHead {
                url,
                region: number,
                role: Some(region.role.name()),
                record: at + 1,
                key: Some(key),
            };
            for (column, cell) in region.columns.iter().zip(&record.cells) {
                self.add_cell(&head, record, &column.name, column.value_type, cell);
            }
        }
    }

    fn add_cell(
        &mut self,
        head: &RecordHead<'_>,
        record: &Record,
        column: &str,
        value_type: Option<&'static str>,
        cell: &Cell,
    ) {
        for (at, text) in cell.texts.iter().enumerate() {
            let place = text.source.as_ref();
            let xpath = place.and_then(|source| self.xpaths.xpath(&record.place.xpaths, source.node));
            let value = cell.value.as_ref().filter(|_| at == 0);
            let value_type = value_type.filter(|_| value.is_some());
            self.push(
                head,
                &CellOfRecord {
                    column,
                    text: &text.text,
                    value,
                    value_type,
                    confidence: cell.confidence,
                    xpath,
                },
            );
        }
    }

    fn push(&mut self, head: &RecordHead<'_>, cell: &CellOfRecord<'_>) {
        let optional = |text: Option<&str>| text.map_or(RowValue::Null, RowValue::text);
        self.rows.push(vec![
            RowValue::text(self.name),
            optional(head.url),
            RowValue::text(self.answer.kind.name()),
            RowValue::count(head.region),
            optional(head.role),
            RowValue::count(head.record),
            optional(head.key),
            RowValue::text(cell.column),
            RowValue::text(cell.text),
            cell.value.map_or(RowValue::Null, |value| RowValue::text(&value_json(value).to_string())),
            optional(cell.value_type),
            cell.confidence.map_or(RowValue::Null, RowValue::Real),
            optional(cell.xpath.as_deref()),
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_of_a_page_is_a_row_of_the_same_columns() {
        let page = copal_dom::Page::from_text(
            "<ul><li><b>Oak</b> <i>£3</i></li><li><b>Ash</b> <i>£4</i></li><li><b>Elm</b> <i>£5</i></li></ul>",
            &copal_dom::Limits::default(),
        );
        let answer = copal_extract::extract(&page, &copal_extract::Request::default());
        let columns = cell_columns();
        let at = |name: &str| columns.iter().position(|column| column.name == name).expect("a column");
        let rows = cell_rows("trees.html", &answer);
        assert_eq!(rows.len(), 6);
        assert!(rows.iter().all(|row| row.len() == columns.len()));
        let price = &rows[3];
        assert_eq!(price[at("column")], RowValue::text("price"));
        assert_eq!(price[at("text")], RowValue::text("£4"));
        assert_eq!(price[at("record")], RowValue::Integer(2));
        assert_eq!(price[at("value")], RowValue::text(r#"{"amount":"4","currency":"GBP"}"#));
        assert_eq!(price[at("type")], RowValue::text("money"));
        assert_eq!(price[at("xpath")], RowValue::text("/html/body/ul[1]/li[2]/i[1]"));
    }
}
