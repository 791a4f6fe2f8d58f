//! Metrics in the text format of Prometheus.

use crate::engine::EngineCounts;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the histogram of durations, in seconds.
const BUCKETS: [f64; 10] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0, 120.0];

/// Counts of requests.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: Mutex<RequestCounts>,
}

#[derive(Debug, Default)]
struct RequestCounts {
    /// By route and status. Routes are templates, so that there are few of them.
    by_status: BTreeMap<(String, u16), u64>,
    buckets: [u64; BUCKETS.len()],
    seconds: f64,
    total: u64,
}

impl Metrics {
    pub(crate) fn count(&self, route: &str, status: u16, time: Duration) {
        let mut counts = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.by_status.entry((route.to_owned(), status)).or_default() += 1;
        let seconds = time.as_secs_f64();
        for (bound, count) in BUCKETS.iter().zip(&mut counts.buckets) {
            *count += u64::from(seconds <= *bound);
        }
        counts.seconds += seconds;
        counts.total += 1;
    }

    /// The text that Prometheus reads.
    pub(crate) fn text(&self, engine: &EngineCounts, jobs: usize) -> String {
        let counts = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        let head = |text: &mut String, name: &str, kind: &str, help: &str| {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        };
        head(&mut text, "copal_requests_total", "counter", "Requests by route and status.");
        for ((route, status), count) in &counts.by_status {
            let _ = writeln!(text, "copal_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}");
        }
        head(&mut text, "copal_request_seconds", "histogram", "Time of requests.");
        for (bound, count) in BUCKETS.iter().zip(&counts.buckets) {
            let _ = writeln!(text, "copal_request_seconds_bucket{{le=\"{bound}\"}} {count}");
        }
        let _ = writeln!(text, "copal_request_seconds_bucket{{le=\"+Inf\"}} {}", counts.total);
        let _ = writeln!(text, "copal_request_seconds_sum {}", counts.seconds);
        let _ = writeln!(text, "copal_request_seconds_count {}", counts.total);
        let totals = [
            ("copal_tasks_total", "Tasks that workers were given.", &engine.tasks),
            ("copal_task_timeouts_total", "Tasks that took too long.", &engine.timeouts),
            ("copal_task_aborts_total", "Tasks whose worker aborted.", &engine.aborts),
            ("copal_workers_started_total", "Worker processes that were started.", &engine.workers_started),
            (
                "copal_requests_shed_total",
                "Requests that were refused because the queue was full.",
                &engine.shed,
            ),
        ];
        for (name, help, count) in totals {
            head(&mut text, name, "counter", help);
            let _ = writeln!(text, "{name} {}", count.load(Ordering::Relaxed));
        }
        let gauges = [
            (
                "copal_tasks_waiting",
                "Requests that wait for a worker.",
                engine.waiting.load(Ordering::Relaxed),
            ),
            ("copal_tasks_running", "Tasks that run.", engine.running.load(Ordering::Relaxed)),
            ("copal_jobs_unfinished", "Jobs that are not finished.", jobs),
        ];
        for (name, help, value) in gauges {
            head(&mut text, name, "gauge", help);
            let _ = writeln!(text, "{name} {value}");
        }
        text
    }
}
