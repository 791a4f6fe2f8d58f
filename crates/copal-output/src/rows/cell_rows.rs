//! The long form: one row per text of a cell, with the same columns for every page of every site.
//!
//! In: an [`Answer`]. Out: [`CellRows`] with the columns of [`cell_columns`]. Lists and objects of any number of sites
//! fit into one table, because the names of their columns are data and not part of the schema. O(cells).
//!
//! The texts of all rows are in one buffer, and what many rows repeat (the page, the names of columns, the key of a
//! record) is in it once: a page of a crawl has a hundred rows, and one allocation per value would cost more than
//! everything else about writing them.

use crate::rows::record_keys::list_keys;
use crate::rows::row_value::{ColumnType, TableRows, ValueRef};
use crate::rows::table_schema::TableColumn;
use crate::value_json::value_json;
use copal_dom::xpath::XPathBudget;
use copal_model::{Answer, Cell, Object, Record, Region};
use copal_values::{Value, ValueType};
use std::ops::Range;

/// Names and types of the columns, in their order.
const CELL_COLUMNS: [(&str, ColumnType); CELL_COLUMN_COUNT] = [
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
/// The number of columns.
pub(super) const CELL_COLUMN_COUNT: usize = 13;

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

/// A value of the long form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum CellValue {
    Null,
    Integer(i64),
    Real(f64),
    /// A piece of the text buffer: where it begins, and its length.
    Text(u32, u32),
}

/// Rows of the long form.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CellRows {
    pub(super) texts: String,
    /// Row after row.
    pub(super) values: Vec<CellValue>,
}

impl CellRows {
    /// The cells of a page: of its object, and of its lists in their order.
    pub fn of_page(name: &str, answer: &Answer) -> CellRows {
        let mut rows = CellRows::default();
        let page = PageTexts {
            name: rows.add_text(name),
            url: rows.add_optional(answer.page.url.as_deref()),
            kind: rows.add_text(answer.kind.name()),
        };
        let mut writer = PageCells { page, xpaths: XPathBudget::default(), rows };
        if let Some(object) = &answer.object {
            writer.add_object(object);
        }
        for (at, region) in answer.regions.iter().enumerate() {
            writer.add_list(at + 1, region);
        }
        writer.rows
    }

    /// The row of a page that could not be read: its kind is `error`, and its text is the reason.
    pub fn of_failed_page(name: &str, url: Option<&str>, reason: &str) -> CellRows {
        let mut rows = CellRows::default();
        for (column, _) in CELL_COLUMNS {
            let value = match column {
                "page" => rows.add_text(name),
                "url" => rows.add_optional(url),
                "kind" => rows.add_text("error"),
                "text" => rows.add_text(reason),
                _ => CellValue::Null,
            };
            rows.values.push(value);
        }
        rows
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Adds some rows of another table. Its texts are added once for all of them.
    pub(crate) fn append(&mut self, other: &CellRows, rows: Range<usize>) {
        let before = self.texts.len();
        self.texts.push_str(&other.texts);
        let values = &other.values[rows.start * CELL_COLUMN_COUNT..rows.end * CELL_COLUMN_COUNT];
        self.values.extend(values.iter().map(|value| match *value {
            // what does not fit is absent, as in `add_text`
            CellValue::Text(start, length) => {
                let start = u32::try_from(before + start as usize);
                let end = u32::try_from(self.texts.len());
                start.ok().zip(end.ok()).map_or(CellValue::Null, |(start, _)| CellValue::Text(start, length))
            }
            other => other,
        }));
    }

    /// Bytes of the values of a row, each text counted as often as it is there.
    pub(crate) fn row_bytes(&self, row: usize) -> usize {
        let bytes = |value: &CellValue| match value {
            CellValue::Text(_, length) => *length as usize,
            _ => size_of::<CellValue>(),
        };
        self.values[row * CELL_COLUMN_COUNT..][..CELL_COLUMN_COUNT].iter().map(bytes).sum()
    }

    /// Adds a text to the buffer, without NUL, which databases do not accept. Texts beyond 4 GB are absent: the limits
    /// of a page are far below.
    fn add_text(&mut self, text: &str) -> CellValue {
        let start = self.texts.len();
        for (at, piece) in text.split('\0').enumerate() {
            if at > 0 {
                self.texts.push('\u{fffd}');
            }
            self.texts.push_str(piece);
        }
        self.text_from(start)
    }

    /// What was written to the buffer since `start`.
    fn text_from(&mut self, start: usize) -> CellValue {
        if u32::try_from(self.texts.len()).is_err() {
            self.texts.truncate(start);
            return CellValue::Null;
        }
        CellValue::Text(start as u32, (self.texts.len() - start) as u32)
    }

    fn add_optional(&mut self, text: Option<&str>) -> CellValue {
        text.map_or(CellValue::Null, |text| self.add_text(text))
    }
}

impl TableRows for CellRows {
    fn row_count(&self) -> usize {
        self.values.len() / CELL_COLUMN_COUNT
    }

    fn value(&self, row: usize, column: usize) -> ValueRef<'_> {
        match self.values[row * CELL_COLUMN_COUNT + column] {
            CellValue::Null => ValueRef::Null,
            CellValue::Integer(integer) => ValueRef::Integer(integer),
            CellValue::Real(real) => ValueRef::Real(real),
            CellValue::Text(start, length) => {
                let (start, length) = (start as usize, length as usize);
                ValueRef::Text(self.texts.get(start..start + length).unwrap_or_default())
            }
        }
    }
}

/// What all rows of a page have in common.
struct PageTexts {
    name: CellValue,
    url: CellValue,
    kind: CellValue,
}

struct PageCells {
    page: PageTexts,
    /// Bounds the bytes of XPaths: those of a long list in a deep page would fill the memory.
    xpaths: XPathBudget,
    rows: CellRows,
}

/// What the rows of one record have in common.
struct RecordHead {
    url: CellValue,
    region: usize,
    role: CellValue,
    record: usize,
    key: CellValue,
}

/// One text of a cell.
struct CellOfRecord<'a> {
    column: CellValue,
    text: &'a str,
    value: Option<&'a Value>,
    value_type: Option<&'static str>,
    confidence: Option<f64>,
    xpath: Option<&'a str>,
}

impl PageCells {
    fn add_object(&mut self, object: &Object) {
        let url = self.page.url;
        let head = RecordHead { url, region: 0, role: CellValue::Null, record: 1, key: CellValue::Null };
        for field in &object.fields {
            let column = self.rows.add_text(&field.name);
            for (at, text) in field.texts.iter().enumerate() {
                let first = at == 0;
                let value = field.value.as_ref().filter(|_| first);
                self.push(
                    &head,
                    &CellOfRecord {
                        column,
                        text,
                        value,
                        value_type: value.and_then(Value::value_type).map(ValueType::name),
                        confidence: Some(field.confidence),
                        xpath: field.xpath.as_deref().filter(|_| first),
                    },
                );
            }
        }
    }

    fn add_list(&mut self, number: usize, region: &Region) {
        let keys = list_keys(region, &[]);
        let role = self.rows.add_text(region.role.name());
        let columns: Vec<CellValue> =
            region.columns.iter().map(|column| self.rows.add_text(&column.name)).collect();
        for (at, (record, key)) in region.records.iter().zip(&keys).enumerate() {
            let own_url = record.page.as_ref().map(|page| self.rows.add_text(&page.url));
            let head = RecordHead {
                url: own_url.unwrap_or(self.page.url),
                region: number,
                role,
                record: at + 1,
                key: self.rows.add_text(key),
            };
            for ((column, name), cell) in region.columns.iter().zip(&columns).zip(&record.cells) {
                self.add_cell(&head, record, *name, column.value_type, cell);
            }
        }
    }

    fn add_cell(
        &mut self,
        head: &RecordHead,
        record: &Record,
        column: CellValue,
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
                    xpath: xpath.as_deref(),
                },
            );
        }
    }

    fn push(&mut self, head: &RecordHead, cell: &CellOfRecord<'_>) {
        let rows = &mut self.rows;
        let text = rows.add_text(cell.text);
        let value = cell.value.map_or(CellValue::Null, |value| rows.add_text(&value_json(value).to_string()));
        let value_type = rows.add_optional(cell.value_type);
        let xpath = rows.add_optional(cell.xpath);
        let count = |count: usize| CellValue::Integer(i64::try_from(count).unwrap_or(i64::MAX));
        rows.values.extend([
            self.page.name,
            head.url,
            self.page.kind,
            count(head.region),
            head.role,
            count(head.record),
            head.key,
            cell.column,
            text,
            value,
            value_type,
            cell.confidence.map_or(CellValue::Null, CellValue::Real),
            xpath,
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trees() -> CellRows {
        let page = copal_dom::Page::from_text(
            "<ul><li><b>Oak</b> <i>£3</i></li><li><b>Ash</b> <i>£4</i></li><li><b>Elm</b> <i>£5</i></li></ul>",
            &copal_dom::Limits::default(),
        );
        let answer = copal_extract::extract(&page, &copal_extract::Request::default());
        CellRows::of_page("trees.html", &answer)
    }

    #[test]
    fn every_text_of_a_page_is_a_row_of_the_same_columns() {
        let rows = trees();
        assert_eq!(rows.row_count(), 6);
        let at = |name: &str| CELL_COLUMNS.iter().position(|(column, _)| *column == name).expect("a column");
        let price = |column: &str| rows.value(3, at(column));
        assert_eq!(price("page"), ValueRef::Text("trees.html"));
        assert_eq!(price("url"), ValueRef::Null);
        assert_eq!(price("column"), ValueRef::Text("price"));
        assert_eq!(price("text"), ValueRef::Text("£4"));
        assert_eq!(price("record"), ValueRef::Integer(2));
        assert_eq!(price("value"), ValueRef::Text(r#"{"amount":"4","currency":"GBP"}"#));
        assert_eq!(price("type"), ValueRef::Text("money"));
        assert_eq!(price("xpath"), ValueRef::Text("/html/body/ul[1]/li[2]/i[1]"));
        assert_eq!(rows.texts.matches("trees.html").count(), 1, "the page is stored once");
    }

    #[test]
    fn rows_keep_their_texts_in_another_table() {
        let rows = trees();
        let mut all = CellRows::of_failed_page("näme\0", Some("https://x.example/"), "too deep");
        assert_eq!(all.value(0, 0), ValueRef::Text("näme\u{fffd}"));
        assert_eq!(all.value(0, 2), ValueRef::Text("error"));
        all.append(&rows, 2..5);
        assert_eq!(all.row_count(), 4);
        for row in 0..3 {
            for column in 0..CELL_COLUMN_COUNT {
                assert_eq!(all.value(1 + row, column), rows.value(2 + row, column));
            }
        }
    }
}
