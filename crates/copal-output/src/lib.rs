//! Extractions written down: one file a format, one trait for all.
//!
//! In: pages in order, each a name and an [`Answer`]. Out: bytes to a writer. [`destination`] writes files
//! whole or not at all.

mod csv;
pub mod destination;
mod html;
mod json;
mod table;
mod values;

pub use crate::csv::Csv;
pub use crate::html::Html;
pub use crate::json::{Json, JsonOptions, Jsonl, page_value};
pub use crate::table::Table;

use copal_extract::Answer;
use std::io::{self, Write};

/// A format that takes pages one after the other.
pub trait Format {
    /// Writes (or keeps) one page.
    fn page(&mut self, out: &mut dyn Write, name: &str, extraction: &Answer) -> io::Result<()>;

    /// Writes what is left.
    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()>;
}
