//! Fetches URLs, single documents or whole visits, from several hosts at once. Results are in input order.
//!
//! In: URLs, or inputs of which some are URLs. Out: a document per URL, or an answer per input, given in
//! order as soon as it is there. If asked for, each page of a list is given out as soon as it was read. After
//! the first interrupt a run ends in an orderly way and returns what was read. The second interrupt ends it
//! at once.

use crate::arguments::network::{FetchArguments, VisitPlan};
use crate::arguments::render::RenderChoice;
use crate::error::{CliError, internal_error};
use crate::inputs::{Input, without_password};
use crate::interrupts::{Interrupts, stop_on_interrupt};
use crate::reporting;
use copal::wrapper::NavigationSearch;
use copal::{Answer, Document, Request};
use copal_explore::renewed_form;
use copal_fetch::{FetchError, PageRequest};
use copal_output::destination::Destination;
use copal_site::{FetchedBytes, PagePicture, SavedPage, SiteError, VisitOptions, VisitProgress, Visitor};
use futures_util::stream::{self, StreamExt};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

pub(crate) use copal_site::refresh_target;

/// Inputs that are processed at once. Hosts differ in speed, and each gets one request at a time.
const MAX_CONCURRENT_INPUTS: usize = 32;
/// The URL of saved pages whose own URL is not known. Its host cannot exist.
const SAVED_PAGE_URL: &str = "http://saved-page.invalid/";
/// Milliseconds between two frames of a spinner.
const SPINNER_MILLISECONDS: u64 = 120;

/// The answer for one input; `None` if the run was interrupted before the input was read.
pub(crate) type InputAnswer = Result<Option<Answer>, CliError>;

/// What is given out for an input.
pub(crate) enum VisitEvent {
    /// A page of a list that is still being read.
    Page(Box<Answer>),
    /// The answer for the input.
    Done(Box<InputAnswer>),
}

/// A page of a list on its way to the output, and who waits until it is written.
struct ArrivedPage {
    name: String,
    answer: Box<Answer>,
    written: oneshot::Sender<()>,
}

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
    /// Give out the pages of a list before the list is complete.
    page_by_page: bool,
    /// Show saved pages in the browser.
    shows_files: bool,
    /// The picture of the page, and the file that gets it, if there is one. Reports show it too.
    picture: Option<(Option<PathBuf>, PagePicture)>,
}

impl Fetching {
    /// Prepares fetching. Does not send any request.
    pub(crate) fn new(
        fetch: &FetchArguments,
        request: &Request,
        plan: Option<&VisitPlan>,
        inputs: &[Input],
    ) -> Result<Fetching, CliError> {
        let named = inputs.iter().filter_map(|input| match input {
            Input::Search(search) => Some(search.page.as_str()),
            input => input.url(),
        });
        let urls: Vec<&str> = named.collect();
        let fetch_options = fetch.options(&request.limits, &urls)?;
        // The proxy of the browser adds them only where it can tell the connections of this user from others.
        if fetch.render.is_on() && fetch_options.credentials.is_some() && !cfg!(target_os = "linux") {
            let message =
                "headers and cookies are sent from a browser on Linux only: leave them or --render out";
            return Err(CliError::usage(message));
        }
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        if let Some(jobs) = plan.and_then(|plan| plan.jobs) {
            runtime.worker_threads(jobs);
        }
        let runtime = runtime.enable_all().build().map_err(CliError::unreadable)?;
        let mut options = VisitOptions::default();
        options.request = request.clone();
        options.fetch_stylesheets = fetch.render.stylesheets;
        let file = fetch.render.screenshot.clone();
        let is_for_report = request.outline && fetch.render.is_on() && inputs.len() == 1;
        let picture = (file.is_some() || is_for_report).then(|| (file, PagePicture::default()));
        options.rendering = rendering(fetch, picture.as_ref().map(|(_, picture)| picture))?;
        if let Some(plan) = plan {
            options.max_pages = plan.max_pages;
            options.max_details = plan.max_details;
        }
        let visitor = runtime.block_on(async { Visitor::new(fetch_options, options) });
        let visitor = visitor.map_err(CliError::unreadable)?;
        if let Some(problem) = visitor.cache_problem()
            && plan.is_none_or(|plan| !plan.quiet)
        {
            reporting::warning(format_args!("{problem} (pages are read, but not stored)"));
        }
        let display = plan.map_or(ProgressDisplay::Hidden, ProgressDisplay::of);
        let page_by_page = plan.is_some_and(|plan| plan.page_by_page);
        let shows_files = fetch.render.render == RenderChoice::Chromium;
        Ok(Fetching {
            runtime,
            visitor,
            request: request.clone(),
            display,
            page_by_page,
            shows_files,
            picture,
        })
    }

    /// Writes the picture of the page, if one was asked for.
    pub(crate) fn write_picture(&self, quiet: bool) -> Result<(), CliError> {
        let Some((Some(path), picture)) = &self.picture else { return Ok(()) };
        let Some(png) = picture.png() else {
            if !quiet {
                reporting::warning("the page was not shown in a browser: there is no picture");
            }
            return Ok(());
        };
        let written = Destination::open(Some(path)).and_then(|mut file| {
            file.write_all(&png)?;
            file.commit()
        });
        written.map_err(|error| CliError::writing(&error, path.display()))
    }

    /// Adds the picture to an answer that knows where its lists are in it.
    pub(crate) fn add_picture(&self, answer: &mut Answer) {
        if let (Some((_, taken)), Some(picture)) = (&self.picture, &mut answer.picture) {
            picture.png = taken.png().map(Into::into);
        }
    }

    /// Fetches a URL, but does not parse what it sends.
    pub(crate) fn bytes(&self, url: &str) -> Result<FetchedBytes, CliError> {
        self.runtime.block_on(self.visitor.fetch_bytes(url)).map_err(|error| site_error(&error))
    }

    /// Fetches and parses documents, in the order of their URLs.
    pub(crate) fn documents(&self, urls: &[&str]) -> Vec<Result<Document, CliError>> {
        let open = |url: &&str| {
            let (url, visitor) = ((*url).to_owned(), self.visitor.clone());
            async move {
                let opened = visitor.open(&url).await.map_err(|error| site_error(&error))?;
                Ok(opened.document)
            }
        };
        self.runtime.block_on(stream::iter(urls).map(open).buffered(urls.len().max(1)).collect())
    }

    /// The results of a search form that is sent by POST. The page of the form is read first, for its token.
    pub(crate) fn search_document(&self, search: &NavigationSearch) -> Result<Document, CliError> {
        let opened = self.runtime.block_on(async {
            let shown = self.visitor.open_request(&PageRequest::get(&search.page).fresh()).await;
            let shown = shown.map_err(|error| site_error(&error).about(&search.page))?;
            let form = match &shown.document {
                Document::Page(page) => renewed_form(page, &search.url, &search.form),
                Document::Data(_) => None,
            };
            let Some(form) = form else {
                let message = format!("{} no longer has the search form that is sent here", search.page);
                return Err(CliError::unreadable(message));
            };
            let results = self.visitor.open_request(&PageRequest::post(&search.url, form)).await;
            results.map_err(|error| site_error(&error))
        })?;
        Ok(opened.document)
    }

    /// The answers for inputs, URLs with their following pages and detail pages. Files are answered by
    /// `file_answer`.
    pub(crate) fn visit_all(
        &self,
        inputs: Vec<Input>,
        file_answer: fn(&Input, &Request) -> Result<Answer, CliError>,
        sink: &mut dyn FnMut(String, VisitEvent) -> ControlFlow<()>,
    ) -> Result<(), CliError> {
        self.runtime.block_on(async {
            let interrupts = Interrupts::listen().map_err(CliError::unreadable)?;
            tokio::spawn(stop_on_interrupt(self.visitor.clone(), interrupts));
            let bars = MultiProgress::new();
            let (display, page_by_page, shows_files) = (self.display, self.page_by_page, self.shows_files);
            let (page_sender, mut pages) = mpsc::channel::<ArrivedPage>(1);
            let answer = |input: Input| {
                let (visitor, request) = (self.visitor.clone(), self.request.clone());
                let bar = if display == ProgressDisplay::Bars {
                    bars.add(ProgressBar::new_spinner())
                } else {
                    ProgressBar::hidden()
                };
                let name = input.name();
                let (page_name, page_sender) = (name.clone(), page_sender.clone());
                let work = tokio::spawn(async move {
                    if visitor.stopper().is_stopped() {
                        return Ok(None);
                    }
                    let on_progress = |progress: &VisitProgress| show_progress(display, &bar, progress);
                    let answer = match &input {
                        Input::Url(url) => {
                            start_spinner(&bar, url);
                            let on_page = |answer| send_page(&page_sender, &page_name, answer);
                            let answer = if page_by_page {
                                visitor.visit_page_by_page(url, on_progress, on_page).await
                            } else {
                                visitor.visit(url, on_progress).await
                            };
                            answer.map_err(|error| site_error(&error))
                        }
                        file if shows_files && !matches!(file, Input::Broken(..)) => {
                            visit_saved(&visitor, file, &request, on_progress).await
                        }
                        file => tokio::task::block_in_place(|| file_answer(file, &request).map(Some)),
                    };
                    bar.finish_and_clear();
                    answer
                });
                async move { (name, work.await.unwrap_or_else(|_| Err(internal_error()))) }
            };
            let mut answers = stream::iter(inputs).map(answer).buffered(MAX_CONCURRENT_INPUTS);
            loop {
                let (name, event, written) = tokio::select! {
                    biased;
                    Some(page) = pages.recv() => {
                        (page.name, VisitEvent::Page(page.answer), Some(page.written))
                    }
                    next = answers.next() => match next {
                        Some((name, answer)) => (name, VisitEvent::Done(Box::new(answer)), None),
                        None => return Ok(()),
                    },
                };
                // the client of a database blocks on a runtime of its own, which must not run inside this one
                if tokio::task::block_in_place(|| bars.suspend(|| sink(name, event))).is_break() {
                    return Ok(());
                }
                if let Some(written) = written {
                    let _ = written.send(());
                }
            }
        })
    }
}

/// The browser that pages are shown in.
fn rendering(
    fetch: &FetchArguments,
    picture: Option<&PagePicture>,
) -> Result<Option<copal_site::Rendering>, CliError> {
    #[cfg(feature = "render")]
    return fetch.render.rendering(fetch.delay, picture);
    #[cfg(not(feature = "render"))]
    if fetch.render.is_on() || picture.is_some() {
        Err(CliError::missing_feature("show pages in a browser", "render"))
    } else {
        Ok(None)
    }
}

/// A saved page as a server would send it; `None` for inputs that cannot be shown in a browser.
fn saved_page(input: &Input, request: &Request) -> Result<SavedPage, CliError> {
    let body = input.read_bytes(request.limits.bytes)?;
    let is_xhtml =
        matches!(input, Input::File(path) if path.extension().is_some_and(|ending| ending == "xhtml"));
    let content_type = if is_xhtml { "application/xhtml+xml" } else { "text/html" };
    Ok(SavedPage { content_type: content_type.to_owned(), body })
}

/// The answer for a saved page that is shown in the browser.
async fn visit_saved(
    visitor: &Visitor,
    input: &Input,
    request: &Request,
    on_progress: impl Fn(&VisitProgress) + Sync,
) -> InputAnswer {
    let page = saved_page(input, request)?;
    let url = request.url.as_deref().unwrap_or(SAVED_PAGE_URL);
    let mut answer = visitor.visit_saved(url, &page, on_progress).await.map_err(CliError::unreadable)?;
    if let Some(answer) = answer.as_mut().filter(|_| request.url.is_none()) {
        answer.page.url = None;
    }
    Ok(answer)
}

/// The error with what can be done about it.
fn site_error(error: &SiteError) -> CliError {
    let shown = CliError::unreadable(error);
    let hint = match error {
        SiteError::Fetch(FetchError::Challenge { .. }) => {
            "open the page in a browser, save it and extract the file; a longer --delay and --contact help to be let in"
        }
        SiteError::Fetch(FetchError::Status { status: 401 | 403, .. }) => {
            "the site may want a login (--cookies FILE) or no programs: save the page from a browser and extract the file"
        }
        SiteError::Fetch(FetchError::Status { status: 407, .. }) => {
            "give the proxy's user and password with --proxy @FILE"
        }
        SiteError::Fetch(FetchError::Status { status: 429, .. }) => {
            "the site wants fewer requests: wait, then use a longer --delay; pages that were read are in the cache"
        }
        SiteError::Fetch(FetchError::Status { status: 500..=599, .. }) => {
            "the server has a problem: try again later"
        }
        _ => return shown,
    };
    shown.with_hint(hint)
}

/// Gives a page out and waits until it is written: the next page is asked for after that. If the run has
/// ended, nobody writes it.
fn send_page(sender: &mpsc::Sender<ArrivedPage>, name: &str, answer: Answer) {
    let (written, is_written) = oneshot::channel();
    let page = ArrivedPage { name: name.to_owned(), answer: Box::new(answer), written };
    if sender.blocking_send(page).is_ok() {
        let _ = is_written.blocking_recv();
    }
}

fn start_spinner(bar: &ProgressBar, url: &str) {
    bar.set_style(
        ProgressStyle::with_template("{spinner} {msg} ({elapsed})")
            .unwrap_or_else(|_| ProgressStyle::default_spinner()),
    );
    bar.set_message(format!("waiting for {}", reporting::printable(&without_password(url))));
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
        ProgressDisplay::Lines => reporting::line(line),
    }
}
