//! What can be said about fetching.

use clap::Args;
use copal::Limits;
use copal_fetch::{CacheOptions, FetchOptions, Politeness};
use std::env;
use std::path::PathBuf;
use std::time::Duration;

/// Pages of a list that "all" means at most: enough for any list, and an end for traps.
const ALL: usize = 10_000;

#[derive(Debug, Args)]
#[command(next_help_heading = "Addresses (http and https)")]
pub(crate) struct NetArgs {
    /// Read also the next pages of the list, N in all or as many as there are (10,000 at most), as one table: each record once,
    /// with its page
    #[arg(long, value_name = "N|all", value_parser = pages)]
    pub(crate) follow: Option<usize>,

    /// Read also the pages that the records link to (of the same site; N of them, or all), and add their fields. Addresses stand
    /// before it
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "all", value_parser = details)]
    details: Option<usize>,

    /// A file with an address (or path) on each line; - for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) urls: Option<PathBuf>,

    #[command(flatten)]
    fetch: FetchArgs,
}

/// How addresses are asked for.
#[derive(Debug, Args)]
#[command(next_help_heading = "Addresses (http and https)")]
pub(crate) struct FetchArgs {
    /// Ask also hosts of this machine and of private networks
    #[arg(long)]
    allow_private: bool,

    /// Ask also for what robots.txt forbids
    #[arg(long)]
    ignore_robots: bool,

    /// Seconds between two requests to one host, at least; a slow host, or its robots.txt, makes them more, and 0 is for
    /// servers of your own [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    delay: Option<Duration>,

    /// How to reach you: an address or a mail address that is sent along with each request
    #[arg(long, value_name = "CONTACT", value_parser = header)]
    contact: Option<String>,

    /// What the program calls itself instead of copal
    #[arg(long, value_name = "NAME", value_parser = header, conflicts_with = "contact")]
    user_agent: Option<String>,

    /// Seconds that a page may take [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,

    /// Folder of pages read before: within an hour they are not asked for again, then only if they changed [default: copal in
    /// the user's cache folder]
    #[arg(long, value_name = "FOLDER", conflicts_with = "no_cache")]
    cache_dir: Option<PathBuf>,

    /// Neither use nor keep pages read before
    #[arg(long)]
    no_cache: bool,
}

impl FetchArgs {
    /// How pages are fetched; `limits` are those of a page.
    pub(crate) fn options(&self, limits: &Limits) -> FetchOptions {
        let mut options = FetchOptions::default();
        options.allow_private = self.allow_private;
        options.obey_robots = !self.ignore_robots;
        // one byte more, so that the reader sees that there was more
        options.limits.decoded_bytes = limits.bytes.saturating_add(1);
        options.limits.wire_bytes = limits.bytes.saturating_add(1);
        options.limits.total_time = self.timeout.unwrap_or(options.limits.total_time);
        if let Some(delay) = self.delay {
            let longest = Duration::from_secs(30).max(delay);
            // a pause of none is for servers of one's own
            let factor = if delay.is_zero() { 0.0 } else { 2.0 };
            options.politeness = Politeness::Adaptive { min_delay: delay, max_delay: longest, factor };
        }
        if let Some(contact) = &self.contact {
            options.user_agent = format!("copal/{} (+{contact})", env!("CARGO_PKG_VERSION"));
        }
        if let Some(name) = &self.user_agent {
            options.user_agent.clone_from(name);
        }
        let folder = self.cache_dir.clone().or_else(cache_folder).filter(|_| !self.no_cache);
        options.cache = folder.map(CacheOptions::new);
        options
    }
}

impl NetArgs {
    /// How pages are fetched; `limits` are those of a page.
    pub(crate) fn options(&self, limits: &Limits) -> FetchOptions {
        self.fetch.options(limits)
    }

    /// Most pages of a list.
    pub(crate) fn pages(&self) -> usize {
        self.follow.unwrap_or(1)
    }

    /// Most pages of records.
    pub(crate) fn details(&self) -> usize {
        self.details.unwrap_or(0)
    }
}

/// Where programs of this user keep what can be had again.
fn cache_folder() -> Option<PathBuf> {
    let from = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = from("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    folder.or_else(|| Some(from("HOME")?.join(".cache"))).map(|folder| folder.join("copal"))
}

fn pages(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(ALL),
        _ => text
            .parse()
            .ok()
            .filter(|n| (1..=ALL).contains(n))
            .ok_or_else(|| format!("expected all, or a whole number from 1 to {ALL}")),
    }
}

fn details(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(usize::MAX),
        _ => text.parse().ok().filter(|n| *n > 0).ok_or_else(|| {
            "expected all, or a whole number from 1 (addresses stand before --details)".into()
        }),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|n| (0.0..=86_400.0).contains(n));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected seconds, such as 2 or 0.5".into())
}

/// Text that may stand in a header.
fn header(text: &str) -> Result<String, String> {
    let plain = !text.trim().is_empty() && text.chars().all(|c| c == ' ' || c.is_ascii_graphic());
    if plain { Ok(text.trim().to_owned()) } else { Err("expected plain letters, digits and signs".into()) }
}
