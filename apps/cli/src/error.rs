//! The error type of the command line: a message, an exit code, and a hint where something can be done.

use crate::outcome::Outcome;
use copal_tasks::{TaskError, TaskErrorKind};
use std::fmt::Display;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a command, or one page of it, failed.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum CliError {
    #[error("{message}")]
    Failed { outcome: Outcome, message: String, hint: Option<String> },
    /// The program that reads standard output went away (`copal … | head`). This is not a failure.
    #[error("standard output was closed")]
    OutputClosed,
}

impl CliError {
    pub(crate) fn new(outcome: Outcome, message: impl Display) -> CliError {
        CliError::Failed { outcome, message: message.to_string(), hint: None }
    }

    /// The arguments contradict each other, or name something that does not exist.
    pub(crate) fn usage(message: impl Display) -> CliError {
        CliError::new(Outcome::Usage, message)
    }

    /// An input cannot be read.
    pub(crate) fn unreadable(message: impl Display) -> CliError {
        CliError::new(Outcome::Unreadable, message)
    }

    /// A file or standard input cannot be read.
    pub(crate) fn reading(error: &io::Error) -> CliError {
        CliError::unreadable(describe_io_error(error))
    }

    /// The output cannot be written.
    pub(crate) fn writing(error: &io::Error, target: impl Display) -> CliError {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return CliError::OutputClosed;
        }
        CliError::unreadable(format_args!("cannot write {target}: {}", describe_io_error(error)))
    }

    /// Support was left out of this build.
    pub(crate) fn missing_feature(what: &str, feature: &str) -> CliError {
        CliError::unreadable(format_args!("this build cannot {what}: rebuild with --features {feature}"))
            .with_hint("copal doctor shows the command")
    }

    /// The same error with advice, which is printed on a line of its own.
    pub(crate) fn with_hint(self, advice: impl Display) -> CliError {
        match self {
            CliError::Failed { outcome, message, .. } => {
                CliError::Failed { outcome, message, hint: Some(advice.to_string()) }
            }
            CliError::OutputClosed => self,
        }
    }

    /// The same error about an input, which is named first unless the message names it already.
    pub(crate) fn about(self, name: impl Display) -> CliError {
        match self {
            CliError::Failed { outcome, message, hint } => {
                let name = name.to_string();
                let message = if message.starts_with(&name) { message } else { format!("{name}: {message}") };
                CliError::Failed { outcome, message, hint }
            }
            CliError::OutputClosed => self,
        }
    }

    pub(crate) fn outcome(&self) -> Outcome {
        match self {
            CliError::Failed { outcome, .. } => *outcome,
            CliError::OutputClosed => Outcome::Done,
        }
    }

    pub(crate) fn hint(&self) -> Option<&str> {
        match self {
            CliError::Failed { hint, .. } => hint.as_deref(),
            CliError::OutputClosed => None,
        }
    }
}

impl From<TaskError> for CliError {
    fn from(error: TaskError) -> CliError {
        let outcome = match error.kind {
            TaskErrorKind::Usage => Outcome::Usage,
            TaskErrorKind::NothingFound => Outcome::NothingFound,
            TaskErrorKind::Changed => Outcome::Changed,
            _ => Outcome::Unreadable,
        };
        CliError::Failed { outcome, message: error.message, hint: error.hint }
    }
}

/// What the system reports, in plain words where it is common.
pub(crate) fn describe_io_error(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::InvalidData if error.to_string() == "stream did not contain valid UTF-8" => {
            "not a text in UTF-8".into()
        }
        // errors of our own crates say already what was expected
        kind if error.raw_os_error().is_none() && error.to_string() != kind.to_string() => error.to_string(),
        io::ErrorKind::NotFound => "no such file or folder".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::StorageFull => "no space left on the device".into(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".into(),
        io::ErrorKind::NotADirectory => "a part of the path is not a folder".into(),
        // the number of the system's error helps no user
        _ => match error.to_string().split_once(" (os error") {
            Some((words, _)) => words.to_owned(),
            None => error.to_string(),
        },
    }
}

/// Turns a panic into an error of one page, so that a bug ends that page and not the run.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> Result<T, CliError>) -> Result<T, CliError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(internal_error()))
}

/// The error for a bug in copal.
pub(crate) fn internal_error() -> CliError {
    CliError::unreadable("internal error on this page: please report it")
}
