//! All pages of a run as one table of typed columns: what Parquet, Arrow and Excel files contain.
//!
//! In: answers. Out: columns and rows. Rows are kept until the end, because the columns are those of all pages. A
//! column without values is not written. O(cells) in time and memory.

// Only the formats behind cargo features use it.
#![cfg_attr(not(all(feature = "parquet", feature = "xlsx")), allow(dead_code))]

use crate::rows::nested_rows::nested_rows;
use crate::rows::page_rows::{PageRows, RowOptions};
use crate::rows::record_keys::KeyNumbering;
use crate::rows::row_value::{ColumnType, RowValue};
use crate::rows::site_column::page_rows;
use crate::rows::table_schema::{TableColumn, TableSchema};
use copal_model::Answer;

/// The columns that a table has besides those of the lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum OwnColumns {
    /// `key` first, `page`, `region` and `method` last: for programs.
    #[default]
    All,
    /// `page` and `region` first, if they differ: for people.
    Few {
        /// There is more than one page.
        page: bool,
    },
}

/// What the rows of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TableContent {
    /// The records of lists, and objects.
    #[default]
    Records,
    /// The records of lists inside records.
    NestedRecords,
}

/// The table so far.
#[derive(Debug, Default)]
pub(crate) struct TypedTable {
    options: RowOptions,
    own: OwnColumns,
    content: TableContent,
    /// Equal keys are numbered, in tables of records and of nested records alike: the keys say which belong together.
    keys: KeyNumbering,
    schema: TableSchema,
    /// The rows of each list, with the column of each of their fields.
    pages: Vec<(PageRows, Vec<usize>)>,
}

impl TypedTable {
    /// A table without rows.
    pub(crate) fn new(options: RowOptions, own: OwnColumns) -> TypedTable {
        TypedTable { options, own, ..TypedTable::default() }
    }

    /// A table of the lists inside records.
    pub(crate) fn of(content: TableContent, options: RowOptions) -> TypedTable {
        TypedTable { content, ..TypedTable::new(options, OwnColumns::All) }
    }

    /// Adds the rows of a page.
    pub(crate) fn add(&mut self, name: &str, answer: &Answer) {
        if let OwnColumns::Few { page } = &mut self.own {
            *page |= answer.followed.is_some();
        }
        let mut lists = answer.regions.iter();
        for mut table in page_rows(name, answer, &self.options) {
            for row in &mut table.rows {
                row.key = self.keys.next(&row.key);
            }
            if self.content == TableContent::NestedRecords {
                // rows of lists are in the order of the lists, after those of an object
                let Some(list) = (!table.is_object).then(|| lists.next()).flatten() else { continue };
                let keys: Vec<String> = table.rows.into_iter().map(|row| row.key).collect();
                let name = answer.page.url.as_deref().unwrap_or(name);
                table = nested_rows(name, list, &keys, &self.options);
            }
            let (_, places) = self.schema.add_fields(&table.fields);
            self.pages.push((table, places));
        }
    }

    /// True if no row was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.pages.iter().all(|(table, _)| table.rows.is_empty())
    }

    /// All columns and all rows, without the columns that have no value.
    pub(crate) fn columns_and_rows(&self) -> (Vec<TableColumn>, Vec<Vec<RowValue>>) {
        let own_column = |name: &str, column_type| TableColumn {
            name: name.to_owned(),
            source_column: String::new(),
            component: String::new(),
            column_type,
        };
        let page = own_column("page", ColumnType::Text);
        let region = own_column("region", ColumnType::Integer);
        let (first, last) = match self.own {
            OwnColumns::All => {
                let method = own_column("method", ColumnType::Text);
                (vec![own_column("key", ColumnType::Text)], vec![page, region, method])
            }
            OwnColumns::Few { page: true } => (vec![page, region], Vec::new()),
            OwnColumns::Few { page: false } => (vec![region], Vec::new()),
        };
        let always_kept = usize::from(self.own == OwnColumns::All);
        let columns: Vec<TableColumn> =
            first.into_iter().chain(self.schema.columns.iter().cloned()).chain(last).collect();
        let mut rows = Vec::new();
        for (table, places) in &self.pages {
            for row in &table.rows {
                let fitted = self.schema.fit_row(row, &table.fields, places);
                let page = RowValue::text(&row.page);
                rows.push(match self.own {
                    OwnColumns::All => {
                        let mut values = vec![RowValue::text(&row.key)];
                        values.extend(fitted);
                        values.extend([page, row.region.clone(), RowValue::text(&row.method)]);
                        values
                    }
                    OwnColumns::Few { page: true } => {
                        [page, row.region.clone()].into_iter().chain(fitted).collect()
                    }
                    OwnColumns::Few { page: false } => {
                        std::iter::once(row.region.clone()).chain(fitted).collect()
                    }
                });
            }
        }
        let keep: Vec<bool> = (0..columns.len())
            .map(|at| at < always_kept || rows.iter().any(|row| row[at] != RowValue::Null))
            .collect();
        let kept = |row| kept_items(row, &keep);
        (kept_items(columns, &keep), rows.into_iter().map(kept).collect())
    }
}

fn kept_items<T>(items: Vec<T>, keep: &[bool]) -> Vec<T> {
    items.into_iter().zip(keep).filter(|(_, keep)| **keep).map(|(item, _)| item).collect()
}
