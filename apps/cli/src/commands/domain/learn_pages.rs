//! The pages of a learning run: parsed once and kept while they fit into memory, else read again in every round.
//!
//! In: inputs. Out: for every round what a function makes of each page, in the order of the inputs. A page that cannot be
//! read is reported once and gives the default value.

use crate::error::{CliError, catch_panic};
use crate::inputs::Input;
use crate::page_pipeline::PageReader;
use crate::reporting;
use copal::Page;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A parsed page needs about five times the bytes of its HTML.
const PARSED_PAGE_FACTOR: usize = 5;

enum PageState {
    Unread,
    Kept(Box<Page>),
    /// Does not fit into memory: read again in every round.
    ReadAgain,
    Unreadable,
}

pub(super) struct LearningPages<'a> {
    reader: &'a PageReader<'a>,
    pages: Vec<(&'a Input, PageState)>,
    /// Bytes of HTML that may still be kept.
    free_bytes: AtomicUsize,
    quiet: bool,
}

impl<'a> LearningPages<'a> {
    pub(super) fn new(
        inputs: &'a [Input],
        reader: &'a PageReader<'a>,
        megabytes: usize,
        quiet: bool,
    ) -> LearningPages<'a> {
        let pages = inputs.iter().map(|input| (input, PageState::Unread)).collect();
        let free_bytes = AtomicUsize::new(megabytes.saturating_mul(1_000_000) / PARSED_PAGE_FACTOR);
        LearningPages { reader, pages, free_bytes, quiet }
    }

    /// The number of pages that were read at least once.
    pub(super) fn readable_count(&self) -> usize {
        let is_readable = |state: &PageState| matches!(state, PageState::Kept(_) | PageState::ReadAgain);
        self.pages.iter().filter(|(_, state)| is_readable(state)).count()
    }

    /// What `work` makes of every page; pages are processed in parallel.
    pub(super) fn map<T: Default + Send>(&mut self, work: impl Fn(&Page) -> T + Sync) -> Vec<T> {
        let bar = reporting::progress_bar(self.pages.len(), self.quiet);
        let (reader, free_bytes, quiet) = (self.reader, &self.free_bytes, self.quiet);
        let results = self
            .pages
            .par_iter_mut()
            .map(|(input, state)| {
                let warn = |message: &str| warn(&bar, input, message, quiet);
                let result = map_page(input, state, reader, free_bytes, &warn, &work);
                bar.inc(1);
                result.unwrap_or_else(|error| {
                    *state = PageState::Unreadable;
                    warn(&error.to_string());
                    T::default()
                })
            })
            .collect();
        bar.finish_and_clear();
        results
    }
}

fn map_page<T: Default>(
    input: &Input,
    state: &mut PageState,
    reader: &PageReader<'_>,
    free_bytes: &AtomicUsize,
    warn: &dyn Fn(&str),
    work: &(impl Fn(&Page) -> T + Sync),
) -> Result<T, CliError> {
    match state {
        PageState::Unreadable => return Ok(T::default()),
        PageState::Kept(page) => return catch_panic(|| Ok(work(page))),
        PageState::Unread | PageState::ReadAgain => {}
    }
    let page = reader.page(input)?;
    let result = catch_panic(|| Ok(work(&page)))?;
    if matches!(state, PageState::Unread) {
        page.warnings.iter().for_each(|warning| warn(&warning.to_string()));
    }
    *state = match state {
        PageState::Unread if fits(input, free_bytes) => PageState::Kept(Box::new(page)),
        _ => PageState::ReadAgain,
    };
    Ok(result)
}

/// True if the page may be kept. Standard input cannot be read twice, and URLs should not be fetched twice.
fn fits(input: &Input, free_bytes: &AtomicUsize) -> bool {
    let Input::File(path) = input else { return true };
    let bytes = std::fs::metadata(path).map_or(usize::MAX, |metadata| metadata.len() as usize);
    free_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |free| free.checked_sub(bytes)).is_ok()
}

fn warn(bar: &ProgressBar, input: &Input, message: &str, quiet: bool) {
    if !quiet {
        bar.suspend(|| reporting::warning(format_args!("{}: {message}", input.name())));
    }
}
