//! Pages that Python passes in: text, or bytes in any encoding.

use crate::errors::exception;
use copal::{Answer, Document, Limit, Page, Received, Request, Warning};
use copal_tasks::{TaskError, TemplateSample, catch_panic};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};

/// A page as Python has it. Neither kind is copied.
#[derive(FromPyObject)]
pub(crate) enum Content {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
}

/// A page with its address.
#[derive(FromPyObject)]
pub(crate) struct Input(Content, Option<String>);

/// What was read: pages are extracted, data already has its lists.
pub(crate) enum ReadInput {
    Page(Box<Page>),
    Data(Box<Answer>),
}

impl Input {
    pub(crate) fn new(content: Content, url: Option<String>) -> Input {
        Input(content, url)
    }

    /// The name in messages and in tables: the address, or the position.
    pub(crate) fn name(&self, at: usize) -> String {
        self.1.clone().unwrap_or_else(|| format!("page {}", at + 1))
    }

    /// Its address, or nothing.
    pub(crate) fn url(&self) -> &str {
        self.1.as_deref().unwrap_or_default()
    }

    /// The page as something to learn a template from.
    pub(crate) fn template_sample(&self) -> TemplateSample {
        let (body, charset) = match &self.0 {
            Content::Text(html) => (html.as_bytes().to_vec(), Some("utf-8".to_owned())),
            Content::Bytes(bytes) => (bytes.to_vec(), None),
        };
        TemplateSample { url: self.1.clone(), content_type: None, charset, body }
    }

    /// Reads the page within the limits of the request.
    pub(crate) fn read(&self, request: &Request) -> Result<ReadInput, TaskError> {
        let url = self.1.clone();
        match &self.0 {
            Content::Text(html) => catch_panic(|| {
                // the limit is on what is passed in, text or bytes
                let end = html.floor_char_boundary(request.limits.bytes);
                let mut page = Page::from_text(&html[..end], &request.limits);
                if end < html.len() {
                    page.warnings.insert(0, Warning::Limit(Limit::Bytes));
                }
                page.url = url;
                Ok(ReadInput::Page(Box::new(page)))
            }),
            Content::Bytes(bytes) => catch_panic(|| {
                let received = Received { url, ..Received::default() };
                match copal::read(bytes, &received, request).map_err(TaskError::unreadable)? {
                    Document::Page(page) => Ok(ReadInput::Page(page)),
                    Document::Data(answer) => Ok(ReadInput::Data(answer)),
                }
            }),
        }
    }
}

/// Reads web pages; data documents are refused, because they have no elements.
pub(crate) fn pages(inputs: &[Input], request: &Request) -> PyResult<Vec<Page>> {
    let read = inputs.iter().enumerate().map(|(at, input)| {
        let about = |error: TaskError| {
            let message = format!("{}: {}", input.name(at), error.message);
            exception(TaskError { message, ..error })
        };
        match input.read(request).map_err(about)? {
            ReadInput::Page(page) => Ok(*page),
            ReadInput::Data(_) => Err(about(TaskError::unreadable("expected a web page, not JSON or XML"))),
        }
    });
    read.collect()
}
