//! The lists inside records as rows of a second table.
//!
//! In: a list, and the key that each of its records has in the first table. Out: a row per nested record, with the
//! fields `parent` (the key of its record) and `list` (the number of the list inside its record) before its own.
//! Lists inside nested records have the nested record as parent. Deep nesting is walked with a queue. O(cells).

use crate::rows::page_rows::{PageRow, PageRows, RowOptions};
use crate::rows::record_keys::bounded;
use crate::rows::row_value::{ColumnType, RowValue};
use copal_model::Region;
use std::collections::VecDeque;

/// The rows of the lists inside the records of `region`; `keys` has one key per record. `name` is the file or URL
/// that the page was read from.
pub fn nested_rows(name: &str, region: &Region, keys: &[String], options: &RowOptions) -> PageRows {
    let mut table = PageRows::default();
    table.field("parent", String::new(), ColumnType::Text);
    table.field("list", String::new(), ColumnType::Integer);
    let method = options.method.clone().unwrap_or_else(|| region.method.name().to_owned());
    for (record, key) in region.records.iter().zip(keys) {
        let page = record.page.as_ref().map_or(name, |page| &page.url);
        let mut open: VecDeque<(&[Region], String)> = VecDeque::from([(&record.children[..], key.clone())]);
        while let Some((lists, parent)) = open.pop_front() {
            for (number, list) in lists.iter().enumerate() {
                for (at, nested) in list.records.iter().enumerate() {
                    let key = bounded(format!("{parent}/{}.{}", number + 1, at + 1));
                    let mut values = vec![RowValue::text(&parent), RowValue::count(number + 1)];
                    table.set_cells(&mut values, &list.columns, &nested.cells);
                    open.push_back((&nested.children, key.clone()));
                    let (page, method) = (page.to_owned(), method.clone());
                    table.rows.push(PageRow { key, page, region: RowValue::Null, method, values });
                }
            }
        }
    }
    table.fill_rows();
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_model::{Cell, CellSource, Column, Layout, Method, NamedBy, Origin, Record, RegionPlace, Role};

    fn list(records: Vec<(&str, Vec<Region>)>) -> Region {
        let record = |(text, children): (&str, Vec<Region>)| Record {
            cells: vec![Cell::found([text.to_owned()])],
            children,
            ..Record::default()
        };
        Region {
            role: Role::Primary,
            layout: Layout::List,
            method: Method::Combined,
            origin: Origin::Page,
            score: 0.0,
            confidence: None,
            place: RegionPlace::Unknown,
            columns: vec![Column::new("text", NamedBy::Class, CellSource::Text)],
            records: records.into_iter().map(record).collect(),
            sections: Vec::new(),
        }
    }

    #[test]
    fn nested_records_have_the_key_of_their_record() {
        let inner =
            list(vec![("reply", vec![list(vec![("reply to it", Vec::new())])]), ("other", Vec::new())]);
        let threads = list(vec![("a", vec![inner]), ("b", Vec::new())]);
        let keys = ["k1".to_owned(), "k2".to_owned()];
        let rows = nested_rows("page.html", &threads, &keys, &RowOptions::default());
        let columns: Vec<&str> = rows.fields.iter().map(|field| field.column.as_str()).collect();
        assert_eq!(columns, ["parent", "list", "text"]);
        let keys: Vec<&str> = rows.rows.iter().map(|row| row.key.as_str()).collect();
        assert_eq!(keys, ["k1/1.1", "k1/1.2", "k1/1.1/1.1"]);
        let last = &rows.rows[2].values;
        assert_eq!(*last, [RowValue::text("k1/1.1"), RowValue::count(1), RowValue::text("reply to it")]);
    }

    #[test]
    fn deep_nesting_keeps_keys_short() {
        let deep = (0..2000).fold(list(vec![("x", Vec::new())]), |inner, _| list(vec![("x", vec![inner])]));
        let rows = nested_rows("p", &deep, &["k".to_owned()], &RowOptions::default());
        assert_eq!(rows.rows.len(), 2000);
        assert!(rows.rows.iter().all(|row| row.key.len() <= 1000));
        // dropping a list that deep must not recurse without end either
        let mut open = vec![deep];
        while let Some(mut list) = open.pop() {
            open.extend(list.records.iter_mut().flat_map(|record| std::mem::take(&mut record.children)));
        }
    }
}
