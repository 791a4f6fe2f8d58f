//! The compiled part of the Python package `copal`. `python/copal` has the part that users see; this crate turns
//! Python values into requests and answers into JSON and Arrow.
//!
//! | module | job |
//! |---|---|
//! | `archives` | the pages of web archives |
//! | `answers` | an answer: as JSON, as Arrow, as bytes for other processes |
//! | `documents` | pages that Python passes in |
//! | `errors` | the exceptions |
//! | `options` | keyword arguments to a request |
//! | `templates` | templates of sites, learned once |
//! | `wrappers` | learning, applying, checking and repairing wrappers |
//!
//! All work on pages happens without the interpreter's lock.

mod answers;
mod archives;
mod documents;
mod errors;
mod options;
mod templates;
mod wrappers;

/// The compiled part of `copal`.
#[pyo3::pymodule]
mod _copal {
    #[pymodule_export]
    use crate::answers::{RawAnswer, extract, objects};
    #[pymodule_export]
    use crate::archives::ArchiveReader;
    #[pymodule_export]
    use crate::errors::{CopalError, NothingFoundError, PageError, SiteChangedError};
    #[pymodule_export]
    use crate::options::{Domain, Options, domains};
    #[pymodule_export]
    use crate::templates::{Templates, learn_templates};
    #[pymodule_export]
    use crate::wrappers::{Wrapper, learn};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
