//! The one reader of inputs: files, standard input and URLs in, documents out, in the order of the inputs.
//!
//! Files are read on all cores. URLs are fetched concurrently, one request at a time per host. At most one
//! batch of pages is in memory. An input that cannot be read gives an error in its place, so that the others
//! are still processed.

use crate::arguments::network::FetchArguments;
use crate::error::{CliError, catch_panic};
use crate::fetching::Fetching;
use crate::inputs::Input;
use crate::reporting;
use crate::saved_stylesheets;
use copal::{Document, Page, Received, Request};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::Path;

/// Pages in memory at once, per thread.
const PAGES_PER_THREAD: usize = 16;

/// The name of an input and what was read.
pub(crate) type Named<T> = (String, Result<T, CliError>);

/// Reads the inputs of one run.
pub(crate) struct PageReader<'a> {
    inputs: &'a [Input],
    request: &'a Request,
    /// Only there if an input is a URL.
    fetching: Option<Fetching>,
}

impl<'a> PageReader<'a> {
    /// Prepares reading. Fails if an input is a URL and URLs cannot be fetched at all.
    pub(crate) fn new(
        inputs: &'a [Input],
        request: &'a Request,
        fetch: &FetchArguments,
    ) -> Result<PageReader<'a>, CliError> {
        if fetch.render.screenshot.is_some() {
            return Err(CliError::usage("--screenshot is for copal extract"));
        }
        let is_fetched = |input: &Input| matches!(input, Input::Url(_) | Input::Search(_));
        if fetch.render.is_on() && !inputs.iter().all(is_fetched) {
            return Err(CliError::usage(
                "--render is for URLs here: only copal extract shows saved pages in a browser",
            ));
        }
        fetch.render.check_stylesheets()?;
        let has_url = inputs.iter().any(is_fetched);
        let fetching = has_url.then(|| Fetching::new(fetch, request, None, inputs)).transpose()?;
        Ok(PageReader { inputs, request, fetching })
    }

    /// Reads one input as a page.
    pub(crate) fn page(&self, input: &Input) -> Result<Page, CliError> {
        match (input, &self.fetching) {
            (Input::Url(url), Some(fetching)) => page_of(
                fetching
                    .documents(&[url.as_str()])
                    .pop()
                    .unwrap_or_else(|| Err(crate::error::internal_error()))?,
            ),
            (Input::Search(search), Some(fetching)) => page_of(fetching.search_document(search)?),
            _ => page_of(file_document(input, self.request)?),
        }
    }

    /// Reads all inputs as pages, batch by batch, until the sink has enough.
    pub(crate) fn for_each_batch(&self, mut sink: impl FnMut(Vec<Named<Page>>) -> ControlFlow<()>) {
        // asking for their number starts the threads
        let is_one_batch = self.inputs.len() <= PAGES_PER_THREAD;
        let threads = if is_one_batch { 1 } else { rayon::current_num_threads() };
        for batch in self.inputs.chunks(PAGES_PER_THREAD * threads) {
            if sink(self.batch(batch)).is_break() {
                return;
            }
        }
    }

    /// Reads all inputs as pages, with progress on a terminal unless `quiet`. The first that cannot be read is the
    /// error.
    pub(crate) fn all(&self, quiet: bool) -> Result<Vec<Page>, CliError> {
        let bar = reporting::progress_bar(self.inputs.len(), quiet);
        let mut pages = Vec::with_capacity(self.inputs.len());
        let mut failed = None;
        self.for_each_batch(|batch| {
            for (name, page) in batch {
                bar.inc(1);
                match page {
                    Ok(page) => pages.push(page),
                    Err(error) => {
                        failed = Some(error.about(name));
                        return ControlFlow::Break(());
                    }
                }
            }
            ControlFlow::Continue(())
        });
        bar.finish_and_clear();
        failed.map_or(Ok(pages), Err)
    }

    fn batch(&self, batch: &[Input]) -> Vec<Named<Page>> {
        let urls: Vec<&str> = batch.iter().filter_map(Input::url).collect();
        let fetched = match &self.fetching {
            Some(fetching) if !urls.is_empty() => fetching.documents(&urls),
            _ => Vec::new(),
        };
        let read_file = |input: &Input| {
            let is_file = !matches!(input, Input::Url(_) | Input::Search(_));
            is_file.then(|| file_document(input, self.request).and_then(page_of))
        };
        // threads for one page would only wait
        let files: Vec<Option<Result<Page, CliError>>> = match batch {
            [input] => vec![read_file(input)],
            _ => batch.par_iter().map(read_file).collect(),
        };
        let mut fetched = fetched.into_iter();
        let mut next_fetched = || fetched.next().unwrap_or_else(|| Err(crate::error::internal_error()));
        let pages = batch.iter().zip(files);
        pages
            .map(|(input, page)| {
                let page = match (input, page) {
                    (_, Some(page)) => page,
                    (Input::Search(_), None) => self.page(input),
                    (_, None) => next_fetched().and_then(page_of),
                };
                (input.name(), page)
            })
            .collect()
    }
}

/// Reads a file or standard input.
pub(crate) fn file_document(input: &Input, request: &Request) -> Result<Document, CliError> {
    let bytes = input.read_bytes(request.limits.bytes)?;
    let received = Received { url: request.url.clone(), ..Received::default() };
    let file = if let Input::File(path) = input { Some(path.as_path()) } else { None };
    bytes_document(&bytes, &received, file, request)
}

/// Parses bytes. The stylesheets of a saved page are next to its file.
pub(crate) fn bytes_document(
    bytes: &[u8],
    received: &Received,
    file: Option<&Path>,
    request: &Request,
) -> Result<Document, CliError> {
    let mut document = catch_panic(|| copal::read(bytes, received, request).map_err(CliError::unreadable))?;
    if let (Some(path), Document::Page(page), true) = (file, &mut document, request.stylesheets) {
        catch_panic(|| {
            saved_stylesheets::add_saved_styles(page, path);
            Ok(())
        })?;
    }
    Ok(document)
}

/// Data documents have no elements, so that only `copal extract` reads them.
fn page_of(document: Document) -> Result<Page, CliError> {
    match document {
        Document::Page(page) => Ok(*page),
        Document::Data(_) => Err(CliError::unreadable("is data, not a page: expected HTML")),
    }
}
