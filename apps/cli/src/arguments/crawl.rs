//! Arguments for web archives and large sets of pages.

use crate::error::CliError;
use crate::worker_process::WorkerLimits;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// Megabytes that a worker process may use for a page.
const DEFAULT_PAGE_MEGABYTES: u64 = 500;
/// Seconds that a page may take.
const DEFAULT_PAGE_SECONDS: u64 = 30;
/// Pages of a template before it is learned: enough to show that the group is large.
const DEFAULT_TEMPLATE_PAGES: usize = 32;
/// Pages of a part.
const DEFAULT_PART_PAGES: usize = 10_000;

#[derive(Debug, Args)]
#[command(next_help_heading = "Web archives and many saved pages")]
pub(crate) struct CrawlArguments {
    /// Write the long form: one row per text of a cell, with the same columns for every site (page, url, kind, region,
    /// role, record, key, column, text, value, type, confidence, xpath). For Parquet, Arrow, CSV and records; a folder
    /// (-o cells/) gets parts that are written one after the other. Pages are answered one by one, in processes of
    /// their own
    #[arg(long)]
    pub(crate) long: bool,

    /// With --long and a folder: continue a run that was interrupted, after its last complete part
    #[arg(long, requires = "long")]
    pub(crate) resume: bool,

    /// With --long and a folder: pages per part [default: 10000]
    #[arg(long, value_name = "N", requires = "long", value_parser = parse_count)]
    part_pages: Option<usize>,

    /// Group pages by site and template, learn each template once and read its other pages with what was learned;
    /// pages that do not fit are extracted in full. For --long and --format pages, with the main list of each page
    #[arg(long, conflicts_with_all = ["all", "near", "select"])]
    pub(crate) by_template: bool,

    /// With --by-template: pages of a template that are extracted in full before it is learned, which costs as much as
    /// several pages [default: 32]
    #[arg(long, value_name = "N", requires = "by_template", value_parser = parse_count)]
    template_pages: Option<usize>,

    /// From an archive: only pages whose URL matches this pattern (* stands for any text; may be repeated)
    #[arg(long, value_name = "PATTERN", value_parser = parse_url_pattern)]
    pub(crate) url_match: Vec<glob::Pattern>,

    /// From an archive: only content of this type (may be repeated) [default: text/html and application/xhtml+xml]
    #[arg(long, value_name = "TYPE", value_parser = parse_mime)]
    pub(crate) mime: Vec<String>,

    /// Only pages that declare this language: en stands for en-GB too (may be repeated). For --long and
    /// --format pages
    #[arg(long, value_name = "LANGUAGE", value_parser = parse_language)]
    pub(crate) lang: Vec<String>,

    /// From archives: only the records that this CDX or CDXJ index names; nothing else is read
    #[arg(long, value_name = "FILE")]
    pub(crate) cdx: Option<PathBuf>,

    /// From an archive: also give pages of repeated visits, with the content of the visit that has it
    #[arg(long)]
    pub(crate) revisits: bool,

    /// For --isolate, --long and --format pages: seconds that a page may take, without fetching it [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = parse_count)]
    page_time: Option<usize>,

    /// For --isolate, --long and --format pages: memory that a page may take, in MB, on Linux [default: 500]
    #[arg(long, value_name = "MB", value_parser = parse_count)]
    page_memory: Option<usize>,

    /// For --long and --format pages: answer pages in threads of this process. A page that aborts then ends the run
    #[arg(long, conflicts_with_all = ["page_time", "page_memory"])]
    pub(crate) in_process: bool,

    /// Answer pages for another process (internal)
    #[arg(long, hide = true)]
    pub(crate) page_worker: bool,
}

impl CrawlArguments {
    /// The limits on a page that is read in a process of its own.
    pub(crate) fn worker_limits(&self) -> WorkerLimits {
        let seconds = self.page_time.map_or(DEFAULT_PAGE_SECONDS, |seconds| seconds as u64);
        WorkerLimits { page_time: Duration::from_secs(seconds), megabytes: self.page_megabytes() }
    }

    pub(crate) fn page_megabytes(&self) -> u64 {
        self.page_memory.map_or(DEFAULT_PAGE_MEGABYTES, |megabytes| megabytes as u64)
    }

    pub(crate) fn template_pages(&self) -> usize {
        self.template_pages.unwrap_or(DEFAULT_TEMPLATE_PAGES)
    }

    pub(crate) fn part_pages(&self) -> usize {
        self.part_pages.unwrap_or(DEFAULT_PART_PAGES)
    }

    /// The option that only crawls understand, if one is given. The limits are also those of --isolate.
    pub(crate) fn streaming_option(&self, is_isolated: bool) -> Option<&'static str> {
        let options = [
            (self.by_template, "--by-template"),
            (!self.lang.is_empty(), "--lang"),
            (self.page_time.is_some() && !is_isolated, "--page-time"),
            (self.page_memory.is_some() && !is_isolated, "--page-memory"),
            (self.in_process, "--in-process"),
        ];
        options.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
    }
}

fn parse_url_pattern(text: &str) -> Result<glob::Pattern, CliError> {
    glob::Pattern::new(text).map_err(|error| {
        CliError::usage(format_args!("not a pattern: {} at character {}", error.msg, error.pos + 1))
    })
}

fn parse_count(text: &str) -> Result<usize, CliError> {
    let count = text.parse().ok().filter(|count| (1..=1_000_000_000).contains(count));
    count.ok_or_else(|| CliError::usage("expected a whole number from 1 to 1000000000"))
}

fn parse_mime(text: &str) -> Result<String, CliError> {
    let name = text.trim().to_ascii_lowercase();
    let is_type = name.split_once('/').is_some_and(|(kind, rest)| !kind.is_empty() && !rest.is_empty());
    if !is_type || name.contains([';', ' ', '*']) {
        return Err(CliError::usage("expected a content type such as text/html"));
    }
    Ok(name)
}

fn parse_language(text: &str) -> Result<String, CliError> {
    let name = text.trim().to_ascii_lowercase();
    let is_tag = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if is_tag { Ok(name) } else { Err(CliError::usage("expected a language such as en or pt-BR")) }
}
