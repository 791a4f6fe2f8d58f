//! Pages for wrappers: files and addresses in, trees out, in the order of the inputs.
//!
//! In: what the user named. Out: batches of pages, each readable or with the reason why not. Files are read on all cores,
//! addresses one at a time a host, as politely as by `copal extract`.

use crate::extract::guarded;
use crate::inputs::Input;
use crate::net_args::FetchArgs;
use copal::{Document, Options, Page, Received};
use copal_site::{VisitOptions, Visitor};
use futures_util::stream::{self, StreamExt};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Pages in memory at once, for each job.
const BATCH: usize = 16;

/// A page, or why there is none.
pub(crate) type Named = (String, Result<Page, String>);

/// Reads all inputs, batch by batch, until the sink has enough. The error says why nothing could be begun.
pub(crate) fn read(
    inputs: &[Input],
    options: &Options,
    fetch: &FetchArgs,
    sink: &mut dyn FnMut(Vec<Named>) -> ControlFlow<()>,
) -> Result<(), String> {
    let mut web = None;
    for batch in inputs.chunks(BATCH * rayon::current_num_threads()) {
        let pages: Vec<Named> = if batch.iter().any(|input| matches!(input, Input::Url(_))) {
            let web = match &web {
                Some(web) => web,
                None => web.insert(Web::new(options, fetch)?),
            };
            web.pages(batch, options)
        } else {
            batch.par_iter().map(|input| (input.name(), file(input, options))).collect()
        };
        if sink(pages).is_break() {
            break;
        }
    }
    Ok(())
}

/// All pages at once; the first that cannot be read is the error.
pub(crate) fn all(inputs: &[Input], options: &Options, fetch: &FetchArgs) -> Result<Vec<Page>, String> {
    let mut pages = Vec::with_capacity(inputs.len());
    let mut failed = None;
    read(inputs, options, fetch, &mut |batch| {
        for (name, page) in batch {
            match page {
                Ok(page) => pages.push(page),
                Err(why) => {
                    failed = Some(format!("{name}: {why}"));
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    })?;
    failed.map_or(Ok(pages), Err)
}

fn file(input: &Input, options: &Options) -> Result<Page, String> {
    let bytes = input.read(options.limits.bytes)?;
    let received = Received { url: options.url.clone(), ..Received::default() };
    guarded(|| page(copal::read(&bytes, &received, options).map_err(|error| error.to_string())?))
}

/// Data has no elements that a wrapper could find.
fn page(document: Document) -> Result<Page, String> {
    match document {
        Document::Page(page) => Ok(*page),
        Document::Data(_) => Err("is data, not a page: expected HTML".into()),
    }
}

struct Web {
    runtime: tokio::runtime::Runtime,
    visitor: Visitor,
}

impl Web {
    fn new(options: &Options, fetch: &FetchArgs) -> Result<Web, String> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let mut visit = VisitOptions::default();
        visit.extract = options.clone();
        let visitor = runtime.block_on(async { Visitor::new(fetch.options(&options.limits), visit) });
        Ok(Web { runtime, visitor: visitor.map_err(|error| error.to_string())? })
    }

    fn pages(&self, batch: &[Input], options: &Options) -> Vec<Named> {
        let one = |input: &Input| {
            let (input, visitor, options) = (input.clone(), self.visitor.clone(), options.clone());
            async move {
                let read = match &input {
                    Input::Url(url) => {
                        let opened = visitor.open(url).await.map_err(|error| error.to_string());
                        opened.and_then(|opened| page(opened.document))
                    }
                    other => file(other, &options),
                };
                (input.name(), read)
            }
        };
        self.runtime.block_on(stream::iter(batch).map(one).buffered(batch.len()).collect())
    }
}
