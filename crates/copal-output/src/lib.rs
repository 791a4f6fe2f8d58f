//! Answers written to files: one trait for all formats, one file per format.
//!
//! In: pages in order, each a name and an [`Answer`](copal_model::Answer). Out: bytes to a writer.
//! A [`Destination`](destination::Destination) writes a file completely or not at all. [`rows`] flattens an
//! answer into typed rows, for Parquet and for databases (`copal-store`).
//!
//! The cargo feature `parquet` adds Parquet. Without it [`Parquet`] exists, and fails with an error that
//! names the feature.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

mod append_lock;
mod csv;
pub mod destination;
mod error;
mod format;
mod html;
mod json;
#[cfg_attr(not(feature = "parquet"), path = "parquet_disabled.rs")]
mod parquet;
mod record_objects;
pub mod rows;
mod temporary_files;
mod text_table;
mod value_json;
mod visible_text;

pub use crate::append_lock::AppendLock;
pub use crate::csv::Csv;
pub use crate::error::OutputError;
pub use crate::format::Format;
pub use crate::html::Html;
pub use crate::json::{Json, JsonOptions, Jsonl, page_value};
pub use crate::parquet::Parquet;
pub use crate::record_objects::{record_objects, record_value_objects};
pub use crate::text_table::TextTable;
pub use crate::visible_text::shown_text;

/// The JSON Schema of one page's answer in JSON and JSONL (an array of several pages has one of these per
/// item).
///
/// Its version is the number in `copal`, and the last part of the schema's `$id`.
pub const ANSWER_SCHEMA: &str = include_str!("../schema/answer.schema.json");
