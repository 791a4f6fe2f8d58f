//! How far a crawl is: a bar on a terminal, else a line now and then.

use super::checkpoint::CrawlCounts;
use crate::reporting;
use copal_tasks::FullReason;
use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar};
use std::cmp::Reverse;
use std::time::{Duration, Instant};

/// Time between two lines where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_mins(1);

/// The progress of a run.
pub(super) struct CrawlProgress {
    pub(super) bar: ProgressBar,
    total_bytes: u64,
    started: Instant,
    last_line: Instant,
    /// Pages and bytes of earlier runs.
    pages_before: usize,
    bytes_before: u64,
    quiet: bool,
}

impl CrawlProgress {
    pub(super) fn new(
        total_bytes: u64,
        pages_before: usize,
        bytes_before: u64,
        quiet: bool,
    ) -> CrawlProgress {
        let bar = reporting::byte_progress_bar(total_bytes, quiet);
        bar.set_position(bytes_before);
        bar.reset_eta();
        let now = Instant::now();
        CrawlProgress { bar, total_bytes, started: now, last_line: now, pages_before, bytes_before, quiet }
    }

    /// Pages per second of this run.
    pub(super) fn rate(&self, counts: &CrawlCounts) -> f64 {
        let seconds = self.started.elapsed().as_secs_f64();
        if seconds > 0.0 { (counts.pages - self.pages_before) as f64 / seconds } else { 0.0 }
    }

    /// Shows where the run is.
    pub(super) fn update(&mut self, counts: &CrawlCounts, bytes: u64) {
        self.bar.set_position(bytes);
        let pages = HumanCount(counts.pages as u64);
        self.bar.set_message(format!("{pages} pages, {:.0} per second", self.rate(counts)));
        if self.quiet || !self.bar.is_hidden() || self.last_line.elapsed() < LINE_INTERVAL {
            return;
        }
        self.last_line = Instant::now();
        let done = (bytes.saturating_sub(self.bytes_before)) as f64;
        // a pipe has no size that is known before its end
        let left = if self.total_bytes == 0 {
            String::new()
        } else if done > 0.0 {
            let left = self.total_bytes.saturating_sub(bytes) as f64;
            let time = Duration::from_secs_f64(self.started.elapsed().as_secs_f64() * left / done);
            format!(" of {}, {} left", HumanBytes(self.total_bytes), HumanDuration(time))
        } else {
            format!(" of {}", HumanBytes(self.total_bytes))
        };
        reporting::line(format_args!(
            "{pages} pages, {:.1} per second, {}{left}",
            self.rate(counts),
            HumanBytes(bytes)
        ));
    }
}

impl CrawlCounts {
    /// One line about a whole run.
    pub(super) fn describe(&self, bytes: u64, rate: f64) -> String {
        let mut parts = vec![
            match (reporting::count(self.pages, "page"), bytes) {
                (pages, 0) => pages,
                (pages, bytes) => format!("{pages} of {}", HumanBytes(bytes)),
            },
            format!(
                "{} with {}",
                reporting::count(self.lists, "list"),
                reporting::count(self.records, "record")
            ),
            reporting::count(self.objects, "object"),
        ];
        let known = self.lists + self.objects + self.unreadable + self.failed;
        let others = [
            (self.pages.saturating_sub(known), "without either"),
            (self.by_template, "read by template"),
            (self.unreadable, "unreadable"),
            (self.failed, "beyond the limits"),
            (self.left_out, "left out by --url-match"),
            (self.other_language, "left out by --lang"),
            (self.elsewhere, "not pages or stored elsewhere"),
            (self.damaged, if self.damaged == 1 { "damaged record" } else { "damaged records" }),
        ];
        parts.extend(
            others.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")),
        );
        parts.push(format!("{rate:.1} pages per second"));
        let mut text = parts.join(", ");
        let mut reasons: Vec<(&FullReason, &usize)> = self.in_full.iter().collect();
        reasons.sort_by_key(|(_, pages)| Reverse(**pages));
        if !reasons.is_empty() {
            let total: usize = self.in_full.values().sum();
            let each: Vec<String> =
                reasons.iter().map(|(reason, pages)| format!("{pages} {}", reason.describe())).collect();
            text += &format!("\n{} extracted in full: {}", reporting::count(total, "page"), each.join(", "));
        }
        text
    }
}
