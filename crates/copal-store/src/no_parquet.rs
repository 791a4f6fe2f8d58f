//! What stands for Parquet in a build without it.

use crate::{Error, Reading};
use copal_extract::Answer;
use std::io::Write;

/// A file that cannot be written.
#[derive(Debug, Default)]
pub struct Parquet;

impl Parquet {
    /// A file without pages.
    pub fn new(_: Reading) -> Parquet {
        Parquet
    }

    /// Takes a page.
    pub fn page(&mut self, _: &str, _: &Answer) {}

    /// Says why nothing is written.
    pub fn finish(self, _: &mut (dyn Write + Send)) -> Result<(), Error> {
        Err(Error::Place("this copal was built without Parquet (cargo feature parquet)".into()))
    }
}
