//! Answers written to files: one trait for all formats, one file per format.
//!
//! In: pages in order, each a name and an [`Answer`](copal_model::Answer). Out: bytes to a writer.
//! A [`Destination`](destination::Destination) writes a file completely or not at all. [`rows`] flattens an
//! answer into typed rows, for Parquet and for databases (`copal-store`).
//!
//! The cargo feature `parquet` adds Parquet and Arrow, and `xlsx` adds Excel workbooks. Without them [`Parquet`],
//! [`Arrow`] and [`Xlsx`] exist, and fail with an error that names the feature.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

mod append_lock;
#[cfg(feature = "parquet")]
mod arrow;
mod csv;
pub mod destination;
mod error;
mod feed;
mod format;
mod html;
mod json;
mod json_records;
mod long_file;
mod markdown;
#[cfg(not(all(feature = "parquet", feature = "xlsx")))]
mod missing_formats;
mod nested;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod record_batches;
mod record_lines;
mod record_objects;
pub mod rows;
mod temporary_files;
mod text_table;
#[cfg(feature = "parquet")]
mod typed_file;
mod value_json;
mod visible_text;
#[cfg(feature = "xlsx")]
mod xlsx;

pub use crate::append_lock::AppendLock;
#[cfg(feature = "parquet")]
pub use crate::arrow::{Arrow, ArrowEncoder};
pub use crate::csv::Csv;
pub use crate::error::OutputError;
pub use crate::feed::{Feed, FeedEntry, FeedKind, system_time};
pub use crate::format::Format;
pub use crate::html::Html;
pub use crate::json::{Json, PageLines, page_value};
pub use crate::json_records::JsonOptions;
pub use crate::long_file::{LongFile, LongFormat};
pub use crate::markdown::Markdown;
#[cfg(not(feature = "xlsx"))]
pub use crate::missing_formats::Xlsx;
#[cfg(not(feature = "parquet"))]
pub use crate::missing_formats::{Arrow, Parquet};
pub use crate::nested::{NestedSplitter, SplitAnswer};
#[cfg(feature = "parquet")]
pub use crate::parquet::{Parquet, ParquetEncoder};
#[cfg(feature = "parquet")]
pub use crate::record_batches::{cell_batch, record_batch};
pub use crate::record_lines::RecordLines;
pub use crate::record_objects::{record_objects, record_value_objects};
pub use crate::text_table::TextTable;
#[cfg(feature = "parquet")]
pub use crate::typed_file::{TableEncoder, TypedFile};
pub use crate::visible_text::shown_text;
#[cfg(feature = "xlsx")]
pub use crate::xlsx::Xlsx;

/// The JSON Schema of one page's answer in JSON and in lines of pages (an array of several pages has one of these per
/// item).
///
/// Its version is the number in `copal`, and the last part of the schema's `$id`.
pub const ANSWER_SCHEMA: &str = include_str!("../schema/answer.schema.json");
