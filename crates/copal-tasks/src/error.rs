//! Why a task failed: what kind of failure it is, a message, and advice where something can be done.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What kind of failure it is. Programs turn it into an exit code or a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskErrorKind {
    /// The options contradict each other, or name something that does not exist.
    Usage,
    /// There is nothing on the page that was asked for.
    NothingFound,
    /// The page cannot be read.
    Unreadable,
    /// The site has changed so much that nothing can be done automatically.
    Changed,
}

/// Why a task failed.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct TaskError {
    /// What kind of failure it is.
    pub kind: TaskErrorKind,
    /// What was expected and what was found.
    pub message: String,
    /// What can be done about it.
    pub hint: Option<String>,
}

impl TaskError {
    /// An error of any kind.
    pub fn new(kind: TaskErrorKind, message: impl Display) -> TaskError {
        TaskError { kind, message: message.to_string(), hint: None }
    }

    /// The options are wrong.
    pub fn usage(message: impl Display) -> TaskError {
        TaskError::new(TaskErrorKind::Usage, message)
    }

    /// There is nothing that was asked for.
    pub fn nothing_found(message: impl Display) -> TaskError {
        TaskError::new(TaskErrorKind::NothingFound, message)
    }

    /// An input cannot be read.
    pub fn unreadable(message: impl Display) -> TaskError {
        TaskError::new(TaskErrorKind::Unreadable, message)
    }

    /// The same error with advice.
    #[must_use]
    pub fn with_hint(mut self, advice: impl Display) -> TaskError {
        self.hint = Some(advice.to_string());
        self
    }
}

/// Turns a panic into an error of one page, so that a bug ends that page and not the program.
pub fn catch_panic<T>(work: impl FnOnce() -> Result<T, TaskError>) -> Result<T, TaskError> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(TaskError::unreadable("internal error on this page: please report it")))
}
