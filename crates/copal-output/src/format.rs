//! The trait that every format implements.

use crate::error::OutputError;
use copal_model::Answer;
use std::io::Write;

/// A format that receives pages one after the other.
///
/// Some formats write each page as it comes. Others (CSV, Parquet, HTML) need all pages before they know
/// their header, so they keep them and write in [`Format::finish`].
pub trait Format {
    /// Writes (or keeps) one page. `name` is the file or URL that the page was read from.
    fn page(
        &mut self,
        out: &mut (dyn Write + Send),
        name: &str,
        extraction: &Answer,
    ) -> Result<(), OutputError>;

    /// Writes what is left. Nothing may be written after this.
    fn finish(&mut self, out: &mut (dyn Write + Send)) -> Result<(), OutputError>;
}
