//! The pages of web archives, answered one by one.
//!
//! In: a WARC file, also in a WACZ file. Out: answers in the order of the file. Pages are answered on all cores, one
//! batch is in memory at a time, and damaged records are reported with their position while reading goes on.

use super::answer_sink::AnswerSink;
use super::crawl::sources::{CrawlPage, CrawlSource, SourceItem, SourceReader};
use crate::answering::isolated_inputs::answer_alone;
use crate::error::{CliError, catch_panic};
use crate::isolation::{IsolatedPage, WorkerPool};
use crate::outcome::Outcome;
use crate::page_pipeline::Named;
use crate::reporting;
use copal::{Answer, Document, Received, Request};
use copal_archive::ArchiveLimits;
use indicatif::{HumanBytes, HumanCount, ProgressBar};
use rayon::prelude::*;

/// Pages of one batch.
const BATCH_PAGES: usize = 256;
/// Bytes of the pages of one batch.
const BATCH_BYTES: usize = 64 << 20;
/// Damaged records that are reported one by one.
const MAX_REPORTED_DAMAGE: usize = 20;

/// Which pages of an archive are read, and how.
#[derive(Debug, Default)]
pub(super) struct ArchiveFilter {
    /// Patterns that the address of a page must match, one of them at least.
    pub(super) url_patterns: Vec<glob::Pattern>,
    pub(super) limits: ArchiveLimits,
}

impl ArchiveFilter {
    fn keeps(&self, page: &CrawlPage) -> bool {
        let url = page.url.as_deref().unwrap_or_default();
        self.url_patterns.is_empty() || self.url_patterns.iter().any(|pattern| pattern.matches(url))
    }
}

/// What was found in an archive.
#[derive(Default)]
struct ArchiveSummary {
    pages: usize,
    lists: usize,
    records: usize,
    objects: usize,
    unreadable: usize,
    damaged: usize,
    left_out: usize,
    elsewhere: usize,
}

/// Answers the pages of an archive.
pub(super) fn answer_archive(
    source: &CrawlSource,
    filter: &ArchiveFilter,
    request: &Request,
    pool: Option<&WorkerPool>,
    sink: &mut AnswerSink<'_>,
) {
    let (name, bytes) = (source.name.clone(), source.bytes);
    let mut archive = match SourceReader::open(source, 0, &filter.limits, None) {
        Ok(opened) => opened,
        Err(error) => {
            let _ = sink.take(&name, Err(error));
            return;
        }
    };
    let bar = reporting::byte_progress_bar(bytes, sink.quiet);
    let mut summary = ArchiveSummary::default();
    loop {
        let (batch, is_last) = match next_batch(&mut archive, filter, &mut summary, &bar, sink.quiet, &name) {
            Ok(batch) => batch,
            Err(error) => {
                sink.worst = sink.worst.max(Outcome::Unreadable);
                bar.suspend(|| reporting::error(&CliError::reading(&error).about(&name)));
                break;
            }
        };
        let answer = |page: CrawlPage| match pool {
            Some(pool) => isolated_page(page, pool),
            None => answer_page(page, request),
        };
        let answers: Vec<Named<Answer>> = batch.into_par_iter().map(answer).collect();
        for (page, answer) in answers {
            summary.add(&answer);
            if let (Err(error), true) = (&answer, pool.is_some()) {
                report_failure(&page, error, &summary, &bar, sink);
            }
            if bar.suspend(|| sink.take_archived(&page, answer)).is_break() {
                return;
            }
        }
        bar.set_position(archive.consumed());
        bar.set_message(format!("{} pages", HumanCount(summary.pages as u64)));
        if is_last {
            break;
        }
    }
    bar.finish_and_clear();
    if summary.damaged > 0 {
        sink.worst = sink.worst.max(Outcome::Partial);
    }
    if summary.lists + summary.objects == 0 {
        sink.worst = sink.worst.max(Outcome::NothingFound);
    }
    if !sink.quiet {
        reporting::line(format_args!("{}: {}", reporting::printable(&name), summary.describe(bytes)));
    }
}

/// Reports a page that its worker process could not answer. Elsewhere, what is not a page is only counted: archives are
/// full of it.
fn report_failure(
    page: &str,
    error: &CliError,
    summary: &ArchiveSummary,
    bar: &ProgressBar,
    sink: &mut AnswerSink<'_>,
) {
    sink.worst = sink.worst.max(Outcome::Partial);
    if !sink.quiet && summary.unreadable <= MAX_REPORTED_DAMAGE {
        bar.suspend(|| reporting::warning(format_args!("{page}: {error}")));
    }
}

/// The next pages, and whether they are the last.
fn next_batch(
    archive: &mut SourceReader<'_>,
    filter: &ArchiveFilter,
    summary: &mut ArchiveSummary,
    bar: &ProgressBar,
    quiet: bool,
    name: &str,
) -> std::io::Result<(Vec<CrawlPage>, bool)> {
    let (mut batch, mut bytes) = (Vec::new(), 0);
    while batch.len() < BATCH_PAGES && bytes < BATCH_BYTES {
        match archive.next(filter.limits.page_bytes).transpose()? {
            None => return Ok((batch, true)),
            Some((SourceItem::Page(page), _)) if filter.keeps(&page) => {
                bytes += page.body.len();
                batch.push(page);
            }
            Some((SourceItem::Page(_), _)) => summary.left_out += 1,
            Some((SourceItem::Damaged(record), _)) => {
                summary.damaged += 1;
                if !quiet && summary.damaged <= MAX_REPORTED_DAMAGE {
                    bar.suspend(|| reporting::warning(format_args!("{name}: {record}")));
                }
            }
            Some((SourceItem::Unreadable(..) | SourceItem::ContentElsewhere, _)) => summary.elsewhere += 1,
        }
    }
    Ok((batch, false))
}

fn answer_page(page: CrawlPage, request: &Request) -> Named<Answer> {
    let name = page.name;
    let mut received = Received::default();
    (received.url, received.content_type, received.charset) = (page.url, page.content_type, page.charset);
    let is_cut = page.is_cut;
    let answer = catch_panic(|| {
        let mut answer = match copal::read(&page.body, &received, request).map_err(CliError::unreadable)? {
            Document::Page(page) => copal::extract_page(&page, request),
            Document::Data(answer) => *answer,
        };
        mark_cut(&mut answer, is_cut);
        Ok(answer)
    });
    (name, answer)
}

/// The answer of a worker process.
fn isolated_page(page: CrawlPage, pool: &WorkerPool) -> Named<Answer> {
    let described = IsolatedPage {
        name: page.name.clone(),
        fetched_from: page.url,
        content_type: page.content_type,
        charset: page.charset,
        ..IsolatedPage::default()
    };
    let answer = answer_alone(pool, described, page.body).map(|mut answer| {
        mark_cut(&mut answer, page.is_cut);
        answer
    });
    (page.name, answer)
}

/// The answer for a page that was cut when it was stored is partial.
fn mark_cut(answer: &mut Answer, is_cut: bool) {
    if is_cut && answer.warnings.is_empty() {
        answer.warnings.push(copal::Warning::Limit(copal::Limit::Bytes));
    }
}

impl ArchiveSummary {
    fn add(&mut self, answer: &Result<Answer, CliError>) {
        self.pages += 1;
        match answer {
            Err(_) => self.unreadable += 1,
            Ok(answer) if answer.object.as_ref().is_some_and(|object| !object.fields.is_empty()) => {
                self.objects += 1;
            }
            Ok(answer) if !answer.regions.is_empty() => {
                self.lists += 1;
                self.records += answer.regions.iter().map(|region| region.records.len()).sum::<usize>();
            }
            Ok(_) => {}
        }
    }

    fn describe(&self, bytes: u64) -> String {
        let mut parts = vec![
            match (reporting::count(self.pages, "page"), bytes) {
                // a pipe has no size that is known before its end
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
        let rest = self.pages - self.lists - self.objects - self.unreadable;
        let others = [
            (rest, "without either"),
            (self.unreadable, "unreadable"),
            (self.left_out, "left out by --url-match"),
            (self.elsewhere, "not pages or stored elsewhere"),
            (self.damaged, if self.damaged == 1 { "damaged record" } else { "damaged records" }),
        ];
        parts.extend(
            others.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")),
        );
        parts.join(", ")
    }
}
