//! Keyword arguments become a request.

use crate::errors::exception;
use copal::{KindRequest, Method, Request};
use copal_tasks::{OptionStyle, TaskError, closest, list_choice, parse_field};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// What records are about: the attributes that they have, and how these are recognised.
#[pyclass(frozen, module = "copal")]
pub(crate) struct Domain {
    /// What it was loaded by, so that other processes can load it too.
    source: String,
    pub(crate) domain: Arc<copal::Domain>,
}

#[pymethods]
impl Domain {
    /// Loads a built-in domain by its name, or a domain by the path of its `domain.yaml` or of its folder.
    #[new]
    fn new(py: Python<'_>, name: String) -> PyResult<Domain> {
        let loaded = py.detach(|| copal::Domain::load(&name)).map_err(|error| {
            let is_name = !name.contains(['/', '\\', '.']);
            match closest(&name, copal::Domain::built_in()).filter(|_| is_name) {
                Some(similar) => PyValueError::new_err(format!("{error}; did you mean {similar}?")),
                None => PyValueError::new_err(error.to_string()),
            }
        })?;
        Ok(Domain { source: name, domain: Arc::new(loaded) })
    }

    /// The name or the path that it was loaded by.
    #[getter]
    fn name(&self) -> &str {
        &self.source
    }

    fn __repr__(&self) -> String {
        format!("Domain({:?})", self.source)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().source.clone(),))
    }
}

/// The names of the built-in domains.
#[pyfunction]
pub(crate) fn domains() -> Vec<&'static str> {
    copal::Domain::built_in()
}

/// How pages are read. It is made once for many pages.
#[pyclass(frozen, module = "copal._copal")]
pub(crate) struct Options {
    pub(crate) request: Request,
}

#[pymethods]
impl Options {
    #[new]
    #[pyo3(signature = (*, kind="auto", all=false, navigation=false, list=None, near=None, select=None, fields=None,
        domain=None, method="combined", embedded=false, min_confidence=None, max_bytes=None, max_seconds=None))]
    fn new(
        kind: &str,
        all: bool,
        navigation: bool,
        list: Option<usize>,
        near: Option<&str>,
        select: Option<&str>,
        fields: Option<Vec<(String, String)>>,
        domain: Option<PyRef<'_, Domain>>,
        method: &str,
        embedded: bool,
        min_confidence: Option<f64>,
        max_bytes: Option<usize>,
        max_seconds: Option<f64>,
    ) -> PyResult<Options> {
        let mut request = Request::default();
        request.kind = match kind {
            "auto" => KindRequest::Auto,
            "list" => KindRequest::List,
            "object" => KindRequest::Object,
            other => return Err(wrong(format!("kind={other:?}: expected \"auto\", \"list\" or \"object\""))),
        };
        let choices = [list.is_some(), near.is_some(), select.is_some(), min_confidence.is_some()];
        if choices.iter().filter(|given| **given).count() > 1 {
            return Err(wrong("give only one of list, near, select and min_confidence"));
        }
        if list == Some(0) {
            return Err(wrong("list=0: lists are counted from 1, the main list"));
        }
        if near.is_some_and(|text| text.trim().is_empty()) {
            return Err(wrong("near: expected some words of a record"));
        }
        if min_confidence.is_some_and(|probability| !(0.0..=1.0).contains(&probability)) {
            return Err(wrong("min_confidence: expected a number from 0 to 1"));
        }
        request.choice =
            list_choice(list, near, select, request.kind, OptionStyle::Parameter).map_err(exception)?;
        let parsed =
            fields.into_iter().flatten().map(|(name, place)| parse_field(&format!("{name}={place}")));
        request.fields = parsed.collect::<Result<_, TaskError>>().map_err(exception)?;
        request.lists.method = method.parse::<Method>().map_err(|error| wrong(error.to_string()))?;
        request.set_domain(domain.map(|domain| Arc::clone(&domain.domain)));
        request.lists.combined.min_confidence = min_confidence;
        (request.all, request.navigation, request.embedded) = (all || navigation, navigation, embedded);
        if let Some(bytes) = max_bytes {
            request.limits.bytes = bytes;
        }
        if let Some(seconds) = max_seconds {
            request.limits.time = Duration::try_from_secs_f64(seconds)
                .map_err(|_| wrong("max_seconds: expected a positive number"))?;
        }
        Ok(Options { request })
    }
}

fn wrong(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}
