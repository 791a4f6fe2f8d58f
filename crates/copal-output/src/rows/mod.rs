//! Answers as typed rows: what Parquet files and databases store.
//!
//! In: an [`Answer`](copal_model::Answer). Out: [`PageRows`], one per list or object, whose fields
//! have a [`ColumnType`] and whose rows have a key that stays the same from run to run. A [`TableSchema`]
//! joins the fields of many pages into the columns of one table.

mod cell_rows;
pub(crate) mod components;
mod nested_rows;
mod page_rows;
mod record_keys;
mod row_bytes;
mod row_value;
mod site_column;
mod table_schema;
mod typed_table;

pub use cell_rows::{CellRows, cell_columns};
pub use components::is_component_column;
pub use nested_rows::nested_rows;
pub use page_rows::{PageRow, PageRows, RowField, RowOptions};
pub(crate) use record_keys::list_keys;
pub use record_keys::{KeyNumbering, hash_texts};
pub use row_value::{ColumnType, RowValue};
pub(crate) use row_value::{TableRows, ValueRef};
pub use site_column::{SITE_COLUMN, page_rows};
pub use table_schema::{SchemaChange, TableColumn, TableSchema, joined_name};
#[cfg_attr(not(any(feature = "parquet", feature = "xlsx")), allow(unused_imports))]
pub(crate) use typed_table::{OwnColumns, TableContent, TypedTable};
