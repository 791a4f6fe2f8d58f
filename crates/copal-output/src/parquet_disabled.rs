//! Stands in for the Parquet writer in a build without the cargo feature `parquet`.

use crate::error::OutputError;
use crate::format::Format;
use crate::rows::RowOptions;
use copal_model::Answer;
use std::io::Write;

/// A format that always fails: this build has no Parquet support.
#[derive(Debug, Default)]
pub struct Parquet;

impl Parquet {
    /// Takes the same options as the real writer, and ignores them.
    pub fn new(_: RowOptions) -> Parquet {
        Parquet
    }
}

fn missing_feature() -> OutputError {
    OutputError::MissingFeature { format: "Parquet", feature: "parquet" }
}

impl Format for Parquet {
    // The first page fails, before a user has waited for all of them.
    fn page(&mut self, _: &mut (dyn Write + Send), _: &str, _: &Answer) -> Result<(), OutputError> {
        Err(missing_feature())
    }

    fn finish(&mut self, _: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        Err(missing_feature())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_names_the_feature() {
        let error = Parquet::new(RowOptions::default()).finish(&mut Vec::new()).unwrap_err().to_string();
        assert_eq!(error, "this build has no Parquet support: rebuild with --features parquet");
    }
}
