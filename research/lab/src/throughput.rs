//! `copal-lab throughput`: how many pages per second threads of one process extract, with nothing around it.
//!
//! In: pages and a time. Out: one line of JSON with the pages, the seconds and the rate. Each thread takes the pages in
//! turn, extracts each on its own and writes it as one line of JSON, as a worker of the service does. The measure of
//! the service is compared with this one (`research/compare/service_overhead.py`).

use crate::error::LabError;
use crate::report::Outcome;
use clap::Args;
use copal::{Document, Received, Request, SetPage};
use copal_output::{Format, PageLines};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Count how many pages per second are extracted in this process
#[derive(Debug, Args)]
pub(crate) struct ThroughputArgs {
    /// Saved pages
    #[arg(required = true)]
    pages: Vec<PathBuf>,

    /// Threads that extract
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: usize,

    /// Seconds after which no further page is begun
    #[arg(long, default_value_t = 10, value_name = "N")]
    seconds: u64,
}

pub(crate) fn run(args: &ThroughputArgs) -> Result<Outcome, LabError> {
    let read =
        |path: &PathBuf| std::fs::read(path).map_err(|cause| LabError::Read { path: path.clone(), cause });
    let pages = args.pages.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let request = Request::default();
    // what is built once per process (domains, patterns) is not counted
    for bytes in &pages {
        extract_page(bytes, &request)?;
    }
    let (next, begun) = (AtomicUsize::new(0), Instant::now());
    let end = Duration::from_secs(args.seconds);
    let work = || {
        while begun.elapsed() < end {
            let at = next.fetch_add(1, Ordering::Relaxed);
            extract_page(&pages[at % pages.len()], &request)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..args.threads.max(1)).map(|_| scope.spawn(work)).collect();
        let panicked = |_| Err(LabError::Usage("a page ended its thread".to_owned()));
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(panicked))
    })?;
    let (count, seconds) = (next.into_inner(), begun.elapsed().as_secs_f64());
    let rate = count as f64 / seconds;
    println!("{}", serde_json::json!({ "pages": count, "seconds": seconds, "pages_per_second": rate }));
    Ok(Outcome::Done)
}

fn extract_page(bytes: &[u8], request: &Request) -> Result<(), LabError> {
    let failed = |error: &dyn std::fmt::Display| LabError::Usage(format!("a page cannot be read: {error}"));
    let document = copal::read(bytes, &Received::default(), request).map_err(|error| failed(&error))?;
    let answer = match document {
        Document::Data(answer) => *answer,
        Document::Page(page) => {
            let set = vec![SetPage::analyse("page".to_owned(), *page, request)];
            let answered = copal::answer_set(set, request).pop();
            answered.ok_or_else(|| failed(&"no answer"))?.1.answer
        }
    };
    let mut out = Vec::new();
    let mut writer = PageLines::default();
    writer.page(&mut out, "page", &answer).map_err(|error| failed(&error))?;
    writer.finish(&mut out).map_err(|error| failed(&error))
}
