//! Why an output cannot be written.

use std::io;
use std::path::PathBuf;

/// Why an output cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The operating system refused to write.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The path of the output is a folder.
    #[error("is a folder: expected a file name")]
    IsFolder,
    /// The folder of the output does not exist.
    #[error("folder {} does not exist: create it first", .0.display())]
    MissingFolder(PathBuf),
    /// The folder of the output is a file.
    #[error("{} is a file, not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// The CSV file to append to is not valid CSV with one header.
    #[error("cannot be added to: {0}")]
    CannotAppend(String),
    /// A row could not be written as CSV.
    #[error("cannot write CSV: {0}")]
    Csv(String),
    /// An answer could not be written as JSON.
    #[error("cannot write JSON: {0}")]
    Json(String),
    /// The rows could not be written as Parquet.
    #[error("cannot write Parquet: {0}")]
    Parquet(String),
    /// The rows could not be written as Arrow.
    #[error("cannot write Arrow: {0}")]
    Arrow(String),
    /// The rows could not be written as an Excel workbook.
    #[error("cannot write an Excel workbook: {0}")]
    Xlsx(String),
    /// The format was left out of this build.
    #[error("this build has no {format} support: rebuild with --features {feature}")]
    MissingFeature {
        /// The name of the format.
        format: &'static str,
        /// The cargo feature that adds it.
        feature: &'static str,
    },
}

/// Keeps the kind of an I/O error, so that callers can tell a closed pipe from a full disk.
impl From<OutputError> for io::Error {
    fn from(error: OutputError) -> io::Error {
        match error {
            OutputError::Io(error) => error,
            OutputError::MissingFolder(_) => io::Error::new(io::ErrorKind::NotFound, error),
            other => io::Error::other(other),
        }
    }
}

impl From<serde_json::Error> for OutputError {
    fn from(error: serde_json::Error) -> OutputError {
        if error.is_io() { OutputError::Io(error.into()) } else { OutputError::Json(error.to_string()) }
    }
}

#[cfg(feature = "parquet")]
impl From<arrow_schema::ArrowError> for OutputError {
    fn from(error: arrow_schema::ArrowError) -> OutputError {
        match error {
            arrow_schema::ArrowError::IoError(_, error) => OutputError::Io(error),
            other => OutputError::Arrow(other.to_string()),
        }
    }
}
