//! Wrappers: learned from pages, read from files, applied to other pages.

use crate::answers::RawAnswer;
use crate::documents::{Content, Input, pages};
use crate::errors::{NothingFoundError, SiteChangedError, exception};
use crate::options::Options;
use copal::SetPage;
use copal::wrapper::{RepairError, apply, check, repair};
use copal_tasks::{ColumnSelection, catch_panic, check_report, learn_pages, repair_report, with_columns};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Where a site's records and fields are.
#[pyclass(frozen, module = "copal._copal")]
pub(crate) struct Wrapper {
    wrapper: copal::wrapper::Wrapper,
    notes: Vec<String>,
}

#[pymethods]
impl Wrapper {
    /// Reads the text of a wrapper file.
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<Wrapper> {
        let parsed = py.detach(|| copal::wrapper::Wrapper::parse(text));
        let wrapper = parsed.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Wrapper { wrapper, notes: Vec::new() })
    }

    /// What could not be learned, in sentences.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// The names of the columns that it reads.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for column in self.wrapper.pages.iter().flat_map(|rule| &rule.columns) {
            if !names.contains(&column.name) {
                names.push(column.name.clone());
            }
        }
        names
    }

    fn apply(
        &self,
        py: Python<'_>,
        content: Content,
        url: Option<String>,
        options: &Bound<'_, Options>,
    ) -> PyResult<RawAnswer> {
        let request = &options.get().request;
        let input = Input::new(content, url);
        let name = input.name(0);
        let answer = py.detach(|| {
            let page = pages(std::slice::from_ref(&input), request)?;
            catch_panic(|| Ok(apply(&self.wrapper, &page[0]))).map_err(exception)
        })?;
        Ok(RawAnswer::new(name, answer))
    }

    /// The report of a check as JSON.
    fn check(&self, py: Python<'_>, inputs: Vec<Input>, options: &Bound<'_, Options>) -> PyResult<String> {
        let request = &options.get().request;
        py.detach(|| {
            let pages = pages(&inputs, request)?;
            let all: Vec<&copal::Page> = pages.iter().collect();
            let names: Vec<String> = inputs.iter().enumerate().map(|(at, input)| input.name(at)).collect();
            let report = catch_panic(|| Ok(check(&self.wrapper, &all))).map_err(exception)?;
            Ok(check_report(&report, &names).to_string())
        })
    }

    /// The repaired wrapper and a report as JSON.
    fn repair(
        &self,
        py: Python<'_>,
        inputs: Vec<Input>,
        min_pages: usize,
        options: &Bound<'_, Options>,
    ) -> PyResult<(Wrapper, String)> {
        let request = &options.get().request;
        py.detach(|| {
            let pages = pages(&inputs, request)?;
            let all: Vec<&copal::Page> = pages.iter().collect();
            let repaired = catch_panic(|| Ok(repair(&self.wrapper, &all, min_pages))).map_err(exception)?;
            let repaired = repaired.map_err(|error| match error {
                RepairError::Healthy => NothingFoundError::new_err(error.to_string()),
                RepairError::TooFewPages { .. } => PyValueError::new_err(error.to_string()),
                other => SiteChangedError::new_err(other.to_string()),
            })?;
            let report = repair_report(self.wrapper.revision, &repaired).to_string();
            Ok((Wrapper { notes: repaired.notes.clone(), wrapper: repaired.wrapper }, report))
        })
    }

    fn __str__(&self) -> String {
        self.wrapper.to_string()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().wrapper.to_string(),))
    }
}

/// Learns a wrapper from pages, with a rule for each kind of page.
#[pyfunction]
pub(crate) fn learn(
    py: Python<'_>,
    inputs: Vec<Input>,
    columns: Vec<String>,
    rename: Vec<(String, String)>,
    options: &Bound<'_, Options>,
) -> PyResult<Wrapper> {
    let request = &options.get().request;
    py.detach(|| {
        let read = pages(&inputs, request)?;
        let learned = catch_panic(|| {
            let set = read.into_iter().zip(&inputs).enumerate();
            let set = set.map(|(at, (page, input))| SetPage::analyse(input.name(at), page, request));
            learn_pages(set.collect(), request)
        });
        let learned = learned.map_err(exception)?;
        let mut selection = ColumnSelection::default();
        (selection.fields, selection.rename) = (columns, rename);
        let wrapper = with_columns(learned.wrapper, &selection).map_err(exception)?;
        Ok(Wrapper { wrapper, notes: learned.notes })
    })
}
