//! What a page asked for, counted while it is shown.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::observed::{ObservedResponse, ObservedResponses};
use crate::error::{FetchError, FetchErrorKind};
use crate::sync::lock;

/// Refused requests that are kept with their reasons; the others are only counted.
const MAX_KEPT_REFUSALS: usize = 200;

/// A request that was not sent, or that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedRequest {
    /// The URL, shortened for messages.
    pub url: String,
    /// The category of the reason; `None` if the proxy itself refused it (a limit of the page, a WebSocket).
    pub kind: Option<FetchErrorKind>,
    /// Why, in words.
    pub reason: String,
}

/// A document that the window itself asked for, not one of its frames.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageDocument {
    /// Its URL.
    pub url: String,
    /// The status of the response, or why there is none.
    pub response: Result<u16, FetchError>,
}

/// What a page asked for so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EgressReport {
    /// Requests, refused ones included; images that were left out are not counted.
    pub requests: usize,
    /// Bytes of all bodies, decompressed.
    pub bytes: usize,
    /// Requests that were refused or failed.
    pub refused_count: usize,
    /// The first of them.
    pub refused: Vec<RefusedRequest>,
    /// The last document that the window itself asked for.
    pub page_document: Option<PageDocument>,
    /// The first limit of the page that was hit.
    pub limit: Option<&'static str>,
}

/// The report while requests are made.
#[derive(Debug)]
pub(super) struct Activity {
    state: Mutex<ActivityState>,
}

#[derive(Debug)]
struct ActivityState {
    report: EgressReport,
    observed: ObservedResponses,
    in_flight: usize,
    last_change: Instant,
}

impl Default for Activity {
    fn default() -> Self {
        let (report, observed) = (EgressReport::default(), ObservedResponses::default());
        let state = ActivityState { report, observed, in_flight: 0, last_change: Instant::now() };
        Self { state: Mutex::new(state) }
    }
}

impl Activity {
    /// Counts a request until the returned guard is dropped. Returns `None` beyond `max_requests` or
    /// `max_bytes`.
    pub(super) fn begin(&self, max_requests: usize, max_bytes: usize) -> Option<ActiveRequest<'_>> {
        let mut state = lock(&self.state);
        let report = &mut state.report;
        if report.requests >= max_requests || report.bytes >= max_bytes {
            let limit = if report.requests >= max_requests { "requests" } else { "bytes" };
            report.limit.get_or_insert(limit);
            report.refused_count += 1;
            return None;
        }
        report.requests += 1;
        state.in_flight += 1;
        state.last_change = Instant::now();
        Some(ActiveRequest { activity: self })
    }

    pub(super) fn refuse(&self, refused: RefusedRequest) {
        let report = &mut lock(&self.state).report;
        report.refused_count += 1;
        if report.refused.len() < MAX_KEPT_REFUSALS {
            report.refused.push(refused);
        }
    }

    pub(super) fn note_document(&self, url: &str, response: Result<u16, FetchError>) {
        lock(&self.state).report.page_document = Some(PageDocument { url: url.to_owned(), response });
    }

    pub(super) fn note_limit(&self, limit: &'static str) {
        lock(&self.state).report.limit.get_or_insert(limit);
    }

    pub(super) fn add_bytes(&self, bytes: usize) {
        lock(&self.state).report.bytes += bytes;
    }

    /// Changes what is known of the JSON that the page loaded.
    pub(super) fn observe(&self, note: impl FnOnce(&mut ObservedResponses)) {
        note(&mut lock(&self.state).observed);
    }

    pub(super) fn take_observed(&self) -> Vec<ObservedResponse> {
        lock(&self.state).observed.take()
    }

    pub(super) fn idle_time(&self, now: Instant) -> Option<Duration> {
        let state = lock(&self.state);
        (state.in_flight == 0).then(|| now.saturating_duration_since(state.last_change))
    }

    pub(super) fn report(&self) -> EgressReport {
        lock(&self.state).report.clone()
    }
}

/// A request whose response is awaited.
pub(super) struct ActiveRequest<'a> {
    activity: &'a Activity,
}

impl Drop for ActiveRequest<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.activity.state);
        state.in_flight -= 1;
        state.last_change = Instant::now();
    }
}
