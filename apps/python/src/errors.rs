//! Exceptions. Each message says what to do about it, if there is something to do.

use copal_tasks::{TaskError, TaskErrorKind};
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};

create_exception!(copal, CopalError, PyException, "What all exceptions of copal are.");
create_exception!(copal, PageError, CopalError, "A page cannot be read.");
create_exception!(copal, NothingFoundError, CopalError, "The pages have nothing of what was asked for.");
create_exception!(copal, SiteChangedError, CopalError, "The site has changed too much for a repair.");

/// The exception for a failed task: wrong arguments are a `ValueError`, as everywhere in Python.
pub(crate) fn exception(error: TaskError) -> PyErr {
    let text = match error.hint {
        Some(hint) => format!("{}; {hint}", error.message),
        None => error.message,
    };
    match error.kind {
        TaskErrorKind::Usage => PyValueError::new_err(text),
        TaskErrorKind::NothingFound => NothingFoundError::new_err(text),
        TaskErrorKind::Changed => SiteChangedError::new_err(text),
        _ => PageError::new_err(text),
    }
}
