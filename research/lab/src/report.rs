//! How a run ended, and messages on standard error.

use std::fmt::Display;
use std::io;

/// How a run ended when it did not stop early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// Answers or scores are not what was recorded.
    Differs,
    /// Some pages could not be read; the others were processed.
    PagesFailed,
}

impl Outcome {
    pub(crate) fn code(self) -> u8 {
        match self {
            Outcome::Done => 0,
            Outcome::Differs => 1,
            Outcome::PagesFailed => 3,
        }
    }

    pub(crate) fn of_failures(failed: usize) -> Outcome {
        if failed > 0 { Outcome::PagesFailed } else { Outcome::Done }
    }
}

/// Writes `error: …`. Ids and page texts come from outside, so control characters are replaced.
pub(crate) fn error(message: impl Display) {
    let printable = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    eprintln!("error: {}", message.to_string().chars().map(printable).collect::<String>());
}

/// The message of an I/O error without the operating system's error number.
pub(crate) fn in_words(error: &io::Error) -> String {
    match error.kind() {
        // errors that we made ourselves already say what was expected
        _ if error.raw_os_error().is_none() => error.to_string(),
        io::ErrorKind::NotFound => "no such file or folder".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::StorageFull => "no space left on the device".into(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".into(),
        _ => error.to_string(),
    }
}
