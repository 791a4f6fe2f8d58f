//! One run of a crawl: reads pages, gives them to workers, and writes their rows in the order of the input.

use super::checkpoint::{Checkpoint, CrawlCounts};
use super::crawl_output::CrawlOutput;
use super::crawl_point::CrawlPoint;
use super::messages::{PageHead, PageKindFound, PageReport, WorkerTask};
use super::progress::CrawlProgress;
use super::sources::{CrawlPage, CrawlSource, SourceItem, SourceReader};
use super::template_learning::TemplateLearning;
use super::worker_pool::{WorkerPool, WorkerReply};
use crate::error::CliError;
use crate::outcome::Outcome;
use crate::reporting;
use crate::worker_process::WorkerFailure;
use copal_archive::ArchiveLimits;
use std::collections::VecDeque;
use std::sync::mpsc::Receiver;

/// Pages in flight per worker.
const PAGES_PER_WORKER: usize = 8;
/// Bytes of the pages in flight.
const MAX_BYTES_IN_FLIGHT: usize = 128 << 20;
/// Damaged records and failed pages that are reported one by one.
const MAX_REPORTED: usize = 20;

/// What a run reads, and how.
pub(super) struct CrawlRun<'a> {
    pub(super) sources: &'a [CrawlSource],
    pub(super) url_patterns: &'a [glob::Pattern],
    pub(super) limits: ArchiveLimits,
    pub(super) workers: usize,
    pub(super) by_template: bool,
    pub(super) template_pages: usize,
    pub(super) quiet: bool,
    pub(super) verbose: bool,
}

/// Something that was read and is not written yet.
struct PendingItem {
    /// Where a later run goes on once this is written.
    point: CrawlPoint,
    bytes_read: u64,
    work: PendingWork,
}

enum PendingWork {
    Page {
        head: PageHead,
        bytes: usize,
        /// Kept for learning templates.
        body: Option<Vec<u8>>,
        reply: Receiver<WorkerReply>,
    },
    Unreadable(String, CliError),
    Damaged(String),
    LeftOut,
    Elsewhere,
}

/// The state of a run.
struct RunState<'a> {
    run: &'a CrawlRun<'a>,
    pool: &'a WorkerPool,
    output: CrawlOutput,
    counts: CrawlCounts,
    progress: CrawlProgress,
    pending: VecDeque<PendingItem>,
    bytes_in_flight: usize,
    point: Option<CrawlPoint>,
    templates: TemplateLearning,
    /// Pages of the block that were given to workers.
    block_pages: usize,
    /// Pages after which the block ends.
    max_block_pages: usize,
    /// A source could not be read to its end.
    is_unreadable: bool,
    reported: usize,
}

impl CrawlRun<'_> {
    /// Reads everything after the checkpoint.
    pub(super) fn run(
        &self,
        pool: &WorkerPool,
        output: CrawlOutput,
        checkpoint: Option<Checkpoint>,
    ) -> Result<Outcome, CliError> {
        let (counts, point) = checkpoint.map(|one| (one.counts, one.point)).unwrap_or_default();
        let first = point.as_ref().map_or(0, |point| point.source);
        let total: u64 = self.sources.iter().map(|source| source.bytes).sum();
        let before: u64 = self.sources.iter().take(first).map(|source| source.bytes).sum();
        let progress = CrawlProgress::new(total, counts.pages, before, self.quiet);
        let mut state = RunState {
            run: self,
            pool,
            output,
            counts,
            progress,
            pending: VecDeque::new(),
            bytes_in_flight: 0,
            point,
            templates: TemplateLearning::new(self.template_pages),
            block_pages: 0,
            max_block_pages: 0,
            is_unreadable: false,
            reported: 0,
        };
        state.begin_block();
        let mut done_bytes = before;
        for (number, source) in self.sources.iter().enumerate().skip(first) {
            state.read_source(number, source, done_bytes)?;
            done_bytes += source.bytes;
        }
        state.drain()?;
        state.finish(total)
    }

    fn keeps(&self, page: &CrawlPage) -> bool {
        let url = page.url.as_deref().unwrap_or_default();
        self.url_patterns.is_empty() || self.url_patterns.iter().any(|pattern| pattern.matches(url))
    }
}

impl RunState<'_> {
    fn read_source(&mut self, number: usize, source: &CrawlSource, done_bytes: u64) -> Result<(), CliError> {
        let after = self.point.clone();
        let mut reader = match SourceReader::open(source, number, &self.run.limits, after.as_ref()) {
            Ok(reader) => reader,
            Err(error) => {
                self.report_unreadable(&error);
                return Ok(());
            }
        };
        while let Some(next) = reader.next(self.run.limits.page_bytes) {
            let (item, point) = match next {
                Ok(next) => next,
                Err(error) => {
                    self.report_unreadable(&CliError::reading(&error).about(&source.name));
                    break;
                }
            };
            let work = match item {
                SourceItem::Page(page) if self.run.keeps(&page) => self.submit(page),
                SourceItem::Page(_) => PendingWork::LeftOut,
                SourceItem::Unreadable(name, error) => PendingWork::Unreadable(name, error),
                SourceItem::Damaged(record) => PendingWork::Damaged(format!("{}: {record}", source.name)),
                SourceItem::ContentElsewhere => PendingWork::Elsewhere,
            };
            self.block_pages += usize::from(matches!(work, PendingWork::Page { .. }));
            let bytes_read = done_bytes + reader.consumed();
            self.pending.push_back(PendingItem { point, bytes_read, work });
            if self.run.by_template && self.block_pages >= self.max_block_pages {
                self.end_block()?;
            }
            while self.pending.len() >= self.run.workers * PAGES_PER_WORKER
                || self.bytes_in_flight > MAX_BYTES_IN_FLIGHT
            {
                self.write_next()?;
            }
        }
        Ok(())
    }

    fn submit(&mut self, page: CrawlPage) -> PendingWork {
        let head = PageHead {
            name: page.name,
            url: page.url,
            content_type: page.content_type,
            charset: page.charset,
            is_cut: page.is_cut,
        };
        let bytes = page.body.len();
        self.bytes_in_flight += bytes;
        let body = self.run.by_template.then(|| page.body.clone());
        let reply = self.pool.submit(WorkerTask::Page(head.clone()), vec![page.body]);
        PendingWork::Page { head, bytes, body, reply }
    }

    /// Begins a block. It is never longer than what is left of the part, because parts end with a block.
    fn begin_block(&mut self) {
        self.block_pages = 0;
        self.max_block_pages = self.templates.block_pages().min(self.output.part_pages_left());
    }

    /// Writes everything that is pending, and learns from it.
    fn end_block(&mut self) -> Result<(), CliError> {
        self.drain()?;
        if self.output.is_part_full() {
            self.end_part()?;
            self.templates.forget(self.pool);
        } else {
            self.templates.learn(self.pool);
        }
        self.begin_block();
        Ok(())
    }

    fn drain(&mut self) -> Result<(), CliError> {
        while !self.pending.is_empty() {
            self.write_next()?;
        }
        Ok(())
    }

    /// Waits for the first pending item and writes it.
    fn write_next(&mut self) -> Result<(), CliError> {
        let Some(item) = self.pending.pop_front() else { return Ok(()) };
        match item.work {
            PendingWork::Page { head, bytes, body, reply } => {
                self.bytes_in_flight -= bytes;
                let gone = || Err(WorkerFailure::NoWorker("all workers have ended".to_owned()));
                let reply = reply.recv().unwrap_or_else(|_| gone());
                self.write_page(&head, body, reply)?;
            }
            PendingWork::Unreadable(name, error) => {
                self.report_unreadable(&error.about(&name));
            }
            PendingWork::Damaged(message) => {
                self.counts.damaged += 1;
                self.warn(&message);
            }
            PendingWork::LeftOut => self.counts.left_out += 1,
            PendingWork::Elsewhere => self.counts.elsewhere += 1,
        }
        self.point = Some(item.point);
        self.progress.update(&self.counts, item.bytes_read);
        // with templates, parts end with a block
        if !self.run.by_template && self.output.is_part_full() {
            self.end_part()?;
        }
        Ok(())
    }

    fn write_page(
        &mut self,
        head: &PageHead,
        body: Option<Vec<u8>>,
        reply: WorkerReply,
    ) -> Result<(), CliError> {
        let (report, rows) = match reply {
            Ok(reply) => reply,
            Err(error @ WorkerFailure::NoWorker(_)) => return Err(CliError::unreadable(error)),
            Err(failure) => {
                self.counts.pages += 1;
                self.counts.failed += 1;
                self.warn(&format!("{}: {failure}", head.name));
                return self.output.failed_page(&head.name, head.url.as_deref(), &failure.to_string());
            }
        };
        if report.is_other_language {
            self.counts.other_language += 1;
            return Ok(());
        }
        self.count(&report);
        if let Some(reason) = &report.error {
            if self.run.verbose {
                self.warn(&format!("{}: {reason}", head.name));
            }
            return self.output.failed_page(&head.name, head.url.as_deref(), reason);
        }
        if self.run.by_template {
            self.templates.add(head, body, &report);
        }
        self.output.page(&rows)
    }

    fn count(&mut self, report: &PageReport) {
        let counts = &mut self.counts;
        counts.pages += 1;
        counts.by_template += usize::from(report.is_by_template);
        if let Some(reason) = report.full_reason {
            *counts.in_full.entry(reason).or_default() += 1;
        }
        counts.partial += usize::from(report.is_partial);
        match report.found {
            _ if report.error.is_some() => counts.unreadable += 1,
            PageKindFound::Object => counts.objects += 1,
            PageKindFound::List => {
                counts.lists += 1;
                counts.records += report.records;
            }
            PageKindFound::Nothing => {}
        }
    }

    fn end_part(&mut self) -> Result<(), CliError> {
        self.output.end_part(self.point.as_ref(), &self.counts, false)
    }

    fn warn(&mut self, message: &str) {
        self.reported += 1;
        if !self.run.quiet && self.reported <= MAX_REPORTED {
            self.progress.bar.suspend(|| reporting::warning(message));
        }
    }

    fn report_unreadable(&mut self, error: &CliError) {
        self.is_unreadable = true;
        self.progress.bar.suspend(|| reporting::error(error));
    }

    fn finish(self, total_bytes: u64) -> Result<Outcome, CliError> {
        let rate = self.progress.rate(&self.counts);
        self.progress.bar.finish_and_clear();
        let name = self.output.finish(self.point.as_ref(), &self.counts)?;
        if !self.run.quiet {
            let name = reporting::printable(&name);
            let text = format!("{name}: {}", self.counts.describe(total_bytes, rate));
            reporting::summary(&text, "counts", &self.counts);
        }
        let counts = &self.counts;
        Ok(if self.is_unreadable {
            Outcome::Unreadable
        } else if counts.damaged + counts.failed + counts.partial > 0 {
            Outcome::Partial
        } else if counts.lists + counts.objects == 0 {
            Outcome::NothingFound
        } else {
            Outcome::Done
        })
    }
}
