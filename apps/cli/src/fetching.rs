//! Fetches URLs, single documents or whole visits, from several hosts at once. Results are in input order.
//!
//! In: URLs, or inputs of which some are URLs. Out: a document per URL, or an answer per input, given in
//! order as soon as it is there. After the first interrupt a run ends in an orderly way and returns what was
//! read. The second interrupt ends it at once.

use crate::arguments::network::{FetchArguments, VisitPlan};
use crate::error::{CliError, internal_error};
use crate::inputs::Input;
use crate::reporting;
use copal::{Answer, Document, Request};
use copal_site::{VisitOptions, VisitProgress, Visitor};
use futures_util::stream::{self, StreamExt};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::time::Duration;

/// Inputs that are processed at once. Hosts differ in speed, and each gets one request at a time.
const MAX_CONCURRENT_INPUTS: usize = 32;
/// Milliseconds between two frames of a spinner.
const SPINNER_MILLISECONDS: u64 = 120;

/// The answer for one input; `None` if the run was interrupted before the input was read.
pub(crate) type InputAnswer = Result<Option<Answer>, CliError>;

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProgressDisplay {
    Hidden,
    Bars,
    Lines,
}

impl ProgressDisplay {
    fn of(plan: &VisitPlan) -> ProgressDisplay {
        if plan.quiet {
            ProgressDisplay::Hidden
        } else if plan.verbose {
            ProgressDisplay::Lines
        } else if io::stderr().is_terminal() {
            ProgressDisplay::Bars
        } else {
            ProgressDisplay::Hidden
        }
    }
}

/// Fetches URLs with one fetcher, which enforces politeness.
pub(crate) struct Fetching {
    runtime: tokio::runtime::Runtime,
    visitor: Visitor,
    request: Request,
    display: ProgressDisplay,
}

impl Fetching {
    /// Prepares fetching. Does not send any request.
    pub(crate) fn new(
        fetch: &FetchArguments,
        request: &Request,
        plan: Option<&VisitPlan>,
    ) -> Result<Fetching, CliError> {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        if let Some(jobs) = plan.and_then(|plan| plan.jobs) {
            runtime.worker_threads(jobs);
        }
        let runtime = runtime.enable_all().build().map_err(CliError::unreadable)?;
        let mut options = VisitOptions::default();
        options.request = request.clone();
        if let Some(plan) = plan {
            options.max_pages = plan.max_pages;
            options.max_details = plan.max_details;
        }
        let visitor = runtime.block_on(async { Visitor::new(fetch.options(&request.limits), options) });
        let visitor = visitor.map_err(CliError::unreadable)?;
        let display = plan.map_or(ProgressDisplay::Hidden, ProgressDisplay::of);
        Ok(Fetching { runtime, visitor, request: request.clone(), display })
    }

    /// Fetches and parses documents, in the order of their URLs.
    pub(crate) fn documents(&self, urls: &[&str]) -> Vec<Result<Document, CliError>> {
        let open = |url: &&str| {
            let (url, visitor) = ((*url).to_owned(), self.visitor.clone());
            async move {
                let opened = visitor.open(&url).await.map_err(CliError::unreadable)?;
                Ok(opened.document)
            }
        };
        self.runtime.block_on(stream::iter(urls).map(open).buffered(urls.len().max(1)).collect())
    }

    /// The answers for inputs, URLs with their following pages and detail pages. Files are answered by
    /// `file_answer`.
    pub(crate) fn visit_all(
        &self,
        inputs: Vec<Input>,
        file_answer: fn(&Input, &Request) -> Result<Answer, CliError>,
        sink: &mut dyn FnMut(String, InputAnswer) -> ControlFlow<()>,
    ) -> Result<(), CliError> {
        self.runtime.block_on(async {
            let interrupts = Interrupts::listen().map_err(CliError::unreadable)?;
            tokio::spawn(stop_on_interrupt(self.visitor.clone(), interrupts));
            let bars = MultiProgress::new();
            let display = self.display;
            let answer = |input: Input| {
                let (visitor, request) = (self.visitor.clone(), self.request.clone());
                let bar = if display == ProgressDisplay::Bars {
                    bars.add(ProgressBar::new_spinner())
                } else {
                    ProgressBar::hidden()
                };
                let name = input.name();
                let work = tokio::spawn(async move {
                    if visitor.stopper().is_stopped() {
                        return Ok(None);
                    }
                    let on_progress = |progress: &VisitProgress| show_progress(display, &bar, progress);
                    let answer = match &input {
                        Input::Url(url) => {
                            start_spinner(&bar, url);
                            visitor.visit(url, on_progress).await.map_err(CliError::unreadable)
                        }
                        file => tokio::task::block_in_place(|| file_answer(file, &request).map(Some)),
                    };
                    bar.finish_and_clear();
                    answer
                });
                async move { (name, work.await.unwrap_or_else(|_| Err(internal_error()))) }
            };
            let mut answers = stream::iter(inputs).map(answer).buffered(MAX_CONCURRENT_INPUTS);
            while let Some((name, answer)) = answers.next().await {
                // the client of a database blocks on a runtime of its own, which must not run inside this one
                if tokio::task::block_in_place(|| bars.suspend(|| sink(name, answer))).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }
}

/// Stops the visits in good order at the first interrupt, and the process at the second.
async fn stop_on_interrupt(visitor: Visitor, mut interrupts: Interrupts) {
    if !interrupts.next().await {
        return;
    }
    reporting::warning(
        "interrupted: writing what was read; run the same command again to continue from the cache \
         (interrupt again to quit at once)",
    );
    visitor.stopper().stop();
    if interrupts.next().await {
        std::process::exit(130);
    }
}

/// Interrupts of the user, caught from the moment this is made.
struct Interrupts {
    #[cfg(unix)]
    signal: tokio::signal::unix::Signal,
}

impl Interrupts {
    fn listen() -> io::Result<Interrupts> {
        #[cfg(unix)]
        let signal = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())?;
        Ok(Interrupts {
            #[cfg(unix)]
            signal,
        })
    }

    /// Waits for the next interrupt; false if there will be none.
    async fn next(&mut self) -> bool {
        #[cfg(unix)]
        return self.signal.recv().await.is_some();
        #[cfg(not(unix))]
        return tokio::signal::ctrl_c().await.is_ok();
    }
}

fn start_spinner(bar: &ProgressBar, url: &str) {
    bar.set_style(
        ProgressStyle::with_template("{spinner} {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()),
    );
    bar.set_message(reporting::printable(url));
    bar.enable_steady_tick(Duration::from_millis(SPINNER_MILLISECONDS));
}

fn show_progress(display: ProgressDisplay, bar: &ProgressBar, progress: &VisitProgress) {
    let announced = progress.announced.as_ref().map_or_else(String::new, |counter| {
        format!(" of {}{}", counter.total, if counter.at_least { " or more" } else { "" })
    });
    let details = progress
        .details
        .map_or_else(String::new, |details| format!(", details {} of {}", details.read, details.total));
    let line = format!(
        "{}: {}, {}{announced} records{details}",
        reporting::printable(&progress.url),
        reporting::count(progress.pages, "page"),
        progress.records
    );
    match display {
        ProgressDisplay::Hidden => {}
        ProgressDisplay::Bars => bar.set_message(line),
        ProgressDisplay::Lines => eprintln!("{line}"),
    }
}
