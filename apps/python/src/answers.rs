//! Answers: extracted here, or taken over as bytes from another process.

use crate::documents::{Content, Input, ReadInput, pages};
use crate::errors::{CopalError, PageError, exception};
use crate::options::Options;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use copal::objects::ObjectOptions;
use copal::{Answer, Request};
use copal_output::rows::RowOptions;
use copal_output::{cell_batch, page_value, record_batch};
use copal_tasks::{TaskError, catch_panic};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use std::sync::OnceLock;

/// The name under which consumers look for a stream of record batches.
const STREAM_CAPSULE: &std::ffi::CStr = c"arrow_array_stream";

/// What was found on a page. Its representations are made when they are asked for.
#[pyclass(frozen, module = "copal._copal")]
pub(crate) struct RawAnswer {
    name: String,
    content: AnswerContent,
    json: OnceLock<Vec<u8>>,
}

enum AnswerContent {
    /// Extracted in this process.
    Own(Box<Answer>),
    /// Made by another process: records and cells as Arrow streams. The JSON is in `json`.
    Taken { records: Vec<u8>, cells: Vec<u8> },
}

impl RawAnswer {
    pub(crate) fn new(name: String, answer: Answer) -> RawAnswer {
        RawAnswer { name, content: AnswerContent::Own(Box::new(answer)), json: OnceLock::new() }
    }

    fn json_bytes(&self) -> &[u8] {
        self.json.get_or_init(|| match &self.content {
            AnswerContent::Own(answer) => page_value(&self.name, answer).to_string().into_bytes(),
            AnswerContent::Taken { .. } => Vec::new(),
        })
    }

    fn records(&self) -> PyResult<RecordBatch> {
        match &self.content {
            AnswerContent::Own(answer) => {
                record_batch([(self.name.as_str(), &**answer)], row_options(answer))
            }
            AnswerContent::Taken { records, .. } => return batch_of_stream(records),
        }
        .map_err(failed)
    }

    fn cells(&self) -> PyResult<RecordBatch> {
        match &self.content {
            AnswerContent::Own(answer) => cell_batch([(self.name.as_str(), &**answer)]).map_err(failed),
            AnswerContent::Taken { cells, .. } => batch_of_stream(cells),
        }
    }
}

#[pymethods]
impl RawAnswer {
    /// An answer from what `__reduce__` gives.
    #[staticmethod]
    fn taken(name: String, json: Vec<u8>, records: Vec<u8>, cells: Vec<u8>) -> RawAnswer {
        let content = AnswerContent::Taken { records, cells };
        RawAnswer { name, content, json: OnceLock::from(json) }
    }

    /// The answer as the JSON that the command writes for a page.
    fn json<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, py.detach(|| self.json_bytes()))
    }

    /// The records as an Arrow IPC stream of typed columns.
    fn records_stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &py.detach(|| stream_of_batch(&self.records()?))?))
    }

    /// The cells as an Arrow IPC stream in the long form.
    fn cells_stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &py.detach(|| stream_of_batch(&self.cells()?))?))
    }

    /// The records for any library that understands Arrow's `PyCapsule` interface.
    fn records_capsule<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule(py, py.detach(|| self.records())?)
    }

    /// The cells for any library that understands Arrow's `PyCapsule` interface.
    fn cells_capsule<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule(py, py.detach(|| self.cells())?)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<ReducedAnswer<'py>> {
        let (py, own) = (slf.py(), slf.get());
        let parts = (own.name.clone(), own.json(py), own.records_stream(py)?, own.cells_stream(py)?);
        Ok((slf.get_type().getattr("taken")?, parts))
    }
}

type ReducedAnswer<'py> =
    (Bound<'py, PyAny>, (String, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>));

/// Extracts one page.
#[pyfunction]
pub(crate) fn extract(
    py: Python<'_>,
    content: Content,
    url: Option<String>,
    options: &Bound<'_, Options>,
) -> PyResult<RawAnswer> {
    let request = &options.get().request;
    let input = Input::new(content, url);
    let name = input.name(0);
    let answer = py.detach(|| answer_of(&input, request)).map_err(exception)?;
    Ok(RawAnswer::new(name, answer))
}

fn answer_of(input: &Input, request: &Request) -> Result<Answer, TaskError> {
    match input.read(request)? {
        ReadInput::Page(page) => catch_panic(|| Ok(copal::extract_page(&page, request))),
        ReadInput::Data(answer) => Ok(*answer),
    }
}

/// Reads pages of single objects together, so that their template is known.
#[pyfunction]
pub(crate) fn objects(
    py: Python<'_>,
    inputs: Vec<Input>,
    options: &Bound<'_, Options>,
) -> PyResult<Vec<RawAnswer>> {
    let request = &options.get().request;
    let answers = py.detach(|| {
        let pages = pages(&inputs, request)?;
        let mut object_options = ObjectOptions::default();
        object_options.domain = request.domain().cloned();
        let all: Vec<&copal::Page> = pages.iter().collect();
        catch_panic(|| Ok(copal::read_details(&all, &object_options))).map_err(exception)
    })?;
    let named = answers.into_iter().zip(&inputs).enumerate();
    Ok(named.map(|(at, (answer, input))| RawAnswer::new(input.name(at), answer)).collect())
}

/// The lists of an answer with several are numbered.
fn row_options(answer: &Answer) -> RowOptions {
    let mut options = RowOptions::default();
    options.all_regions = answer.object.is_none() && answer.regions.len() > 1;
    options
}

fn capsule(py: Python<'_>, batch: RecordBatch) -> PyResult<Bound<'_, PyCapsule>> {
    let schema = batch.schema();
    let reader = RecordBatchIterator::new([Ok(batch)], schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), STREAM_CAPSULE)
}

fn stream_of_batch(batch: &RecordBatch) -> PyResult<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::try_new(&mut bytes, &batch.schema()).map_err(failed)?;
    writer.write(batch).map_err(failed)?;
    writer.finish().map_err(failed)?;
    drop(writer);
    Ok(bytes)
}

fn batch_of_stream(bytes: &[u8]) -> PyResult<RecordBatch> {
    let mut reader = StreamReader::try_new(bytes, None).map_err(failed)?;
    let batch = reader.next().ok_or_else(|| PageError::new_err("the stored answer has no records"))?;
    batch.map_err(failed)
}

fn failed(error: impl std::fmt::Display) -> PyErr {
    CopalError::new_err(error.to_string())
}
