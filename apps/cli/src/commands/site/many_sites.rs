//! `copal site --urls`: many sites side by side, one table.
//!
//! In: start URLs. Out: records of all sites in one database, a line per site, and an exit code for all of them. A bounded
//! number of threads takes sites from a queue; one fetcher serves all, so that each host gets one request at a time. Each
//! site has a frontier of its own, and the batch file says which sites are done: the same command continues. A site that
//! fails ends nothing but itself; a database that cannot be written ends the run.

use super::SiteArguments;
use super::batch_progress::BatchProgress;
use super::learned_wrapper::learned_wrapper;
use super::site_list::start_urls;
use super::site_outlines::site_outlines;
use super::site_output::{SiteOutput, redacted_types};
use super::site_setup::{
    beside, default_output_of_list, explore_error, explore_options, fetch_options, outcome_of, page_request,
    runtime, sqlite_output, visit_options,
};
use crate::error::{CliError, internal_error};
use crate::interrupts::{Interrupts, end_on_interrupt};
use crate::outcome::Outcome;
use crate::output_target::write_text;
use crate::reporting;
use copal::Request;
use copal_explore::{
    BatchSite, ExploreError, Explorer, Frontier, ReportParts, ReportSample, SiteBatch, SiteProgress,
    SiteQueue, SiteReport, SiteResult, redact_report, report_html, site_names,
};
use copal_fetch::Fetcher;
use copal_site::{Stopper, VisitOptions, Visitor};
use copal_store::short_hash;
use std::collections::HashMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Characters of the name of a site in names of files.
const MAX_FILE_NAME_CHARS: usize = 80;

pub(super) fn run(arguments: &SiteArguments, list: &Path) -> Result<Outcome, CliError> {
    arguments.run.start_threads()?;
    let quiet = arguments.run.quiet;
    let urls = start_urls(list, quiet)?;
    let request = page_request(arguments);
    let runtime = runtime()?;
    let named: Vec<&str> = urls.iter().map(String::as_str).collect();
    let fetch = fetch_options(arguments, &named, &request)?;
    let visit = visit_options(arguments, &request)?;
    let fetcher = runtime.block_on(async { Fetcher::new(fetch) }).map_err(CliError::unreadable)?;
    let database = arguments.output.clone().map_or_else(|| default_output_of_list(list), Ok)?;
    sqlite_output(&database)?;
    let frontiers = beside(&database, "frontiers");
    for folder in
        [Some(&frontiers), arguments.wrapper.as_ref(), arguments.report.as_ref()].into_iter().flatten()
    {
        fs::create_dir_all(folder).map_err(|error| CliError::writing(&error, folder.display()))?;
    }
    let output = SiteOutput::open(&database, &format!("--urls {}", list.display()), &arguments.redact)?;
    let batch =
        SiteBatch::open(&beside(&database, "sites"), &identity(arguments), &urls).map_err(explore_error)?;
    let known = batch.sites(&urls).map_err(explore_error)?;
    let left: Vec<String> =
        known.iter().filter(|site| site.result.is_none()).map(|site| site.url.clone()).collect();
    let done = urls.len() - left.len();
    if batch.is_continued() && !quiet {
        reporting::line(format_args!(
            "continuing the interrupted run: {done} of {} sites are done",
            urls.len()
        ));
    }
    let workers = arguments.at_once.min(left.len());
    let run = BatchRun {
        arguments,
        request,
        visit,
        fetcher,
        runtime: &runtime,
        names: urls.iter().cloned().zip(site_names(&urls)).collect(),
        frontiers,
        label: batch.label().to_owned(),
        progress: BatchProgress::new(arguments, urls.len(), done),
        stoppers: Arc::new(SiteStoppers::default()),
        state: Mutex::new(BatchState {
            queue: SiteQueue::new(left),
            batch,
            output,
            ended: HashMap::new(),
            failure: None,
        }),
        turn: Condvar::new(),
    };
    let listener = {
        let _in_runtime = runtime.enter();
        let interrupts = Interrupts::listen().map_err(CliError::unreadable)?;
        let stoppers = Arc::clone(&run.stoppers);
        runtime.spawn(end_on_interrupt(move || stoppers.stop(), interrupts))
    };
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| run.work());
        }
    });
    listener.abort();
    run.progress.clear();
    let BatchState { output, mut ended, failure, .. } =
        run.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(failure) = failure {
        return Err(failure);
    }
    let sites: Vec<BatchSite> = known
        .into_iter()
        .map(|site| BatchSite { result: site.result.or_else(|| ended.remove(&site.url)), ..site })
        .collect();
    let outcome = outcome_of_all(&sites);
    output.finish(outcome.name())?;
    if !quiet {
        reporting::line(summary(&sites));
        reporting::line(database.display());
    }
    Ok(outcome)
}

/// The options that change what is read.
fn identity(arguments: &SiteArguments) -> String {
    let domain = arguments.domain.as_ref().map_or("", |domain| &domain.name);
    let SiteArguments { depth, details, no_forms, redact, .. } = arguments;
    format!("{domain} depth={depth} details={details:?} forms={} redact={}", !no_forms, redact.join(","))
}

/// Stops all sites, those too that begin later.
#[derive(Default)]
struct SiteStoppers {
    state: Mutex<(bool, Vec<Stopper>)>,
}

impl SiteStoppers {
    fn add(&self, stopper: Stopper) {
        let mut state = locked(&self.state);
        if state.0 {
            stopper.stop();
        }
        state.1.push(stopper);
    }

    fn stop(&self) {
        let mut state = locked(&self.state);
        state.0 = true;
        state.1.drain(..).for_each(|stopper| stopper.stop());
    }

    fn is_stopped(&self) -> bool {
        locked(&self.state).0
    }
}

/// What the threads share.
struct BatchState {
    queue: SiteQueue,
    batch: SiteBatch,
    output: SiteOutput,
    /// What came of the sites of this run, done or not.
    ended: HashMap<String, SiteResult>,
    /// Why no site can be read.
    failure: Option<CliError>,
}

struct BatchRun<'a> {
    arguments: &'a SiteArguments,
    request: Request,
    visit: VisitOptions,
    fetcher: Fetcher,
    runtime: &'a tokio::runtime::Runtime,
    /// The names of the sites by their start URLs.
    names: HashMap<String, String>,
    frontiers: PathBuf,
    label: String,
    progress: BatchProgress,
    stoppers: Arc<SiteStoppers>,
    state: Mutex<BatchState>,
    /// A host has become free.
    turn: Condvar,
}

/// What came of one site in this run.
struct SiteEnd {
    result: SiteResult,
    /// It was not stopped before its end.
    is_done: bool,
}

impl BatchRun<'_> {
    /// Reads sites until none is left.
    fn work(&self) {
        while let Some(url) = self.next_site() {
            self.progress.begin(&url);
            let read = catch_unwind(AssertUnwindSafe(|| self.read_site(&url)));
            let read = read.unwrap_or_else(|_| Err(SiteFailure::Site(internal_error())));
            let mut state = locked(&self.state);
            match read {
                Err(SiteFailure::All(error)) => {
                    state.failure.get_or_insert(error);
                    self.stoppers.stop();
                }
                read => {
                    let end = read.unwrap_or_else(|failure| failed_end(&failure));
                    let remembered = if end.is_done { state.batch.finish(&url, &end.result) } else { Ok(()) };
                    if let Err(error) = remembered {
                        state.failure.get_or_insert(explore_error(error));
                        self.stoppers.stop();
                    }
                    self.progress.end(&url, &format!("{}: {}", self.names[&url], end.result.summary));
                    state.ended.insert(url.clone(), end.result);
                }
            }
            state.queue.release(&url);
            self.turn.notify_all();
        }
    }

    /// The next site; waits while the hosts of all that are left are busy. `None` if none is left or the run was stopped.
    fn next_site(&self) -> Option<String> {
        let mut state = locked(&self.state);
        loop {
            if self.stoppers.is_stopped() {
                state.queue.clear();
            }
            if let Some(url) = state.queue.take() {
                return Some(url);
            }
            if state.queue.is_empty() {
                return None;
            }
            state = self.turn.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn read_site(&self, url: &str) -> Result<SiteEnd, SiteFailure> {
        let name = &self.names[url];
        let visitor = Visitor::with_fetcher(self.fetcher.clone(), self.visit.clone());
        self.stoppers.add(visitor.stopper());
        let frontier = Frontier::open(&self.file(&self.frontiers, url, "frontier"))?;
        let mut options = explore_options(self.arguments);
        options.run_label.clone_from(&self.label);
        let on_progress = |progress: &SiteProgress| self.progress.show(url, name, progress);
        let mut explorer = Explorer::new(url, visitor.clone(), frontier, options, &on_progress)?;
        let mut sample = ReportSample::default();
        let mut sink = |page: &str, answer: &copal::Answer| {
            // a database that is busy must not block a thread of the runtime
            tokio::task::block_in_place(|| {
                locked(&self.state).output.store(Some(name.as_str()), page, answer, &mut sample)
            })
            .map_err(Into::into)
        };
        let mut report = self.runtime.block_on(explorer.run_to_end(&mut sink))?;
        let is_done = explorer.is_finished();
        let redacted = redacted_types(&self.arguments.redact);
        redact_report(&mut report, &redacted);
        self.write_files(&visitor, &report, &sample).map_err(SiteFailure::All)?;
        if self.arguments.explain {
            let text = format!("{name}\n{}\n", report.map_text());
            reporting::print(&text).map_err(SiteFailure::All)?;
        }
        Ok(SiteEnd { result: result_of(&report), is_done })
    }

    /// Writes the wrapper and the report of a site.
    fn write_files(
        &self,
        visitor: &Visitor,
        report: &SiteReport,
        sample: &ReportSample,
    ) -> Result<(), CliError> {
        let (wrappers, reports) = (&self.arguments.wrapper, &self.arguments.report);
        if wrappers.is_none() && reports.is_none() {
            return Ok(());
        }
        let redacted = redacted_types(&self.arguments.redact);
        let wrapper = learned_wrapper(
            self.runtime,
            visitor,
            report,
            &self.request,
            &redacted,
            self.arguments.run.quiet,
        );
        if let (Some(folder), Some(wrapper)) = (wrappers, &wrapper) {
            write_text(Some(&self.file(folder, &report.start, "copal.yaml")), wrapper)?;
        }
        if let Some(folder) = reports {
            let outlines =
                site_outlines(self.runtime, visitor, report, &self.request, &redacted, self.arguments);
            let parts =
                ReportParts { sample: Some(sample), wrapper: wrapper.as_deref(), outlines: &outlines };
            let html = report_html(report, parts);
            write_text(Some(&self.file(folder, &report.start, "html")), &html)?;
        }
        Ok(())
    }

    /// The file of a site in a folder.
    fn file(&self, folder: &Path, url: &str, ending: &str) -> PathBuf {
        let name = &self.names[url];
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
        let mut stem: String = name.chars().take(MAX_FILE_NAME_CHARS).filter(|c| is_plain(*c)).collect();
        // names of sites that differ elsewhere
        if stem != *name {
            stem = format!("{stem}-{}", short_hash(url));
        }
        folder.join(format!("{stem}.{ending}"))
    }
}

/// Why a site could not be read.
enum SiteFailure {
    /// Only this one.
    Site(CliError),
    /// None can be.
    All(CliError),
}

impl From<ExploreError> for SiteFailure {
    fn from(error: ExploreError) -> SiteFailure {
        match error {
            ExploreError::Sink(_) => SiteFailure::All(explore_error(error)),
            error => SiteFailure::Site(explore_error(error)),
        }
    }
}

/// A site that could not be explored is tried again by the same command.
fn failed_end(failure: &SiteFailure) -> SiteEnd {
    let (SiteFailure::Site(error) | SiteFailure::All(error)) = failure;
    let result = SiteResult {
        status: "error".to_owned(),
        reason: error.to_string(),
        records: 0,
        pages: 0,
        exit_code: error.outcome().exit_code(),
        summary: format!("error: {error}"),
    };
    SiteEnd { result, is_done: false }
}

fn result_of(report: &SiteReport) -> SiteResult {
    SiteResult {
        status: report.status.name().to_owned(),
        reason: report.reason.code().to_owned(),
        records: report.records,
        pages: report.pages as u64,
        exit_code: outcome_of(report).exit_code(),
        summary: report.summary(),
    }
}

/// How the run ended: done if every site was read completely; partial if there are records.
fn outcome_of_all(sites: &[BatchSite]) -> Outcome {
    let results: Vec<&SiteResult> = sites.iter().filter_map(|site| site.result.as_ref()).collect();
    let has_code = |outcome: Outcome| results.iter().any(|site| site.exit_code == outcome.exit_code());
    match () {
        () if results.len() < sites.len() => Outcome::Partial,
        () if results.iter().all(|site| site.exit_code == Outcome::Done.exit_code()) => Outcome::Done,
        () if has_code(Outcome::Partial) || results.iter().any(|site| site.records > 0) => Outcome::Partial,
        () if has_code(Outcome::Unreadable) => Outcome::Unreadable,
        () => Outcome::NothingFound,
    }
}

/// All sites in one line.
fn summary(sites: &[BatchSite]) -> String {
    let results: Vec<&SiteResult> = sites.iter().filter_map(|site| site.result.as_ref()).collect();
    let mut parts = Vec::new();
    for status in ["effective", "partial", "none", "error"] {
        let count = results.iter().filter(|site| site.status == status).count();
        if count > 0 {
            parts.push(format!("{count} {status}"));
        }
    }
    if results.len() < sites.len() {
        parts.push(format!("{} not begun", sites.len() - results.len()));
    }
    let records: u64 = results.iter().map(|site| site.records).sum();
    format!(
        "{}: {}; {} in all",
        reporting::count(sites.len(), "site"),
        parts.join(", "),
        reporting::count(usize::try_from(records).unwrap_or(usize::MAX), "record")
    )
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
