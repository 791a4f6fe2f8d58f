//! How far a run over many sites is: one line for all, and one per site that ends.

use super::SiteArguments;
use super::site_setup::progress_bar;
use crate::reporting;
use copal_explore::SiteProgress;
use indicatif::ProgressBar;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

pub(super) struct BatchProgress {
    bar: ProgressBar,
    is_quiet: bool,
    is_verbose: bool,
    sites: usize,
    began: Instant,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    done: usize,
    running: usize,
    /// Pages, records and errors of each site.
    each: HashMap<String, (usize, u64, usize)>,
}

impl BatchProgress {
    pub(super) fn new(arguments: &SiteArguments, sites: usize, done: usize) -> BatchProgress {
        BatchProgress {
            bar: progress_bar(arguments),
            is_quiet: arguments.run.quiet,
            is_verbose: arguments.run.is_verbose(),
            sites,
            began: Instant::now(),
            counts: Mutex::new(Counts { done, ..Counts::default() }),
        }
    }

    pub(super) fn begin(&self, url: &str) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.running += 1;
        counts.each.insert(url.to_owned(), (0, 0, 0));
    }

    /// A page of a site was read.
    pub(super) fn show(&self, url: &str, name: &str, progress: &SiteProgress) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.each.insert(url.to_owned(), (progress.pages, progress.records, progress.errors));
        if self.is_verbose {
            let state = progress.state.name();
            let pages = reporting::count(progress.pages, "page");
            let last = reporting::printable(&progress.url);
            reporting::line(format_args!("{name}: {state}: {pages}, {} records: {last}", progress.records));
        } else {
            self.bar.set_message(self.line(&counts, &progress.url));
        }
    }

    /// A site has ended.
    pub(super) fn end(&self, url: &str, summary: &str) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.running -= 1;
        counts.done += 1;
        if !self.is_quiet {
            self.bar.suspend(|| reporting::line(reporting::printable(summary)));
            self.bar.set_message(self.line(&counts, url));
        }
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, counts: &Counts, url: &str) -> String {
        let pages: usize = counts.each.values().map(|site| site.0).sum();
        let records: u64 = counts.each.values().map(|site| site.1).sum();
        let errors: usize = counts.each.values().map(|site| site.2).sum();
        let rate = pages as f64 / self.began.elapsed().as_secs_f64().max(0.001);
        format!(
            "{} of {} sites, {} being read: {}, {records} records, {errors} errors, {rate:.1} pages/s: {}",
            counts.done,
            self.sites,
            counts.running,
            reporting::count(pages, "page"),
            reporting::printable(url)
        )
    }
}
