//! How URLs are fetched, and how far a list is followed.

use super::render::RenderArguments;
use crate::error::CliError;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;
#[cfg(feature = "fetch")]
use {
    super::request_secrets::{self, RequestSecrets},
    copal::Limits,
    copal_fetch::{CacheOptions, FetchOptions, Politeness, ProxySource},
    std::env,
};

/// Pages of a list that "all" stands for: enough for any list, and an end for endless ones.
const MAX_LIST_PAGES: usize = 10_000;
/// The longest delay, unless the shortest is longer.
#[cfg(feature = "fetch")]
const MAX_DELAY: Duration = Duration::from_secs(30);

#[derive(Debug, Args)]
#[command(next_help_heading = "Following (URLs)")]
pub(crate) struct FollowArguments {
    /// Also read the next pages of the list, N in total or all (at most 10,000), as one table: each record
    /// once, with its page
    #[arg(long, value_name = "N|all", value_parser = parse_page_count)]
    follow: Option<usize>,

    /// Also read the pages that the records link to (on the same site; N of them, or all), and add their
    /// fields. Put URLs before this option
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "all", value_parser = parse_detail_count)]
    details: Option<usize>,
}

/// What is done with a URL.
#[derive(Debug, Clone)]
#[cfg_attr(not(feature = "fetch"), allow(dead_code))]
pub(crate) struct VisitPlan {
    /// Maximum number of pages of a list.
    pub(crate) max_pages: usize,
    /// Maximum number of detail pages.
    pub(crate) max_details: usize,
    /// Give out the pages of a list before the list is complete.
    pub(crate) page_by_page: bool,
    pub(crate) jobs: Option<usize>,
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
}

impl FollowArguments {
    pub(crate) fn max_pages(&self) -> usize {
        self.follow.unwrap_or(1)
    }

    pub(crate) fn max_details(&self) -> usize {
        self.details.unwrap_or(0)
    }
}

/// How URLs are fetched.
#[derive(Debug, Args)]
#[command(next_help_heading = "Network")]
#[cfg_attr(not(feature = "fetch"), allow(dead_code))]
pub(crate) struct FetchArguments {
    /// Minimum delay between requests to one host, in seconds; raised for slow hosts and by Crawl-delay
    /// [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) delay: Option<Duration>,

    /// Time for one page, in seconds, with its redirects and retries [default: 60 per try, 240 in total]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<Duration>,

    /// How to reach you: a URL or e-mail address that is sent with each request
    #[arg(long, value_name = "CONTACT", value_parser = parse_header)]
    contact: Option<String>,

    /// User agent, instead of copal's
    #[arg(long, value_name = "NAME", value_parser = parse_header, conflicts_with = "contact")]
    user_agent: Option<String>,

    /// Send a header, "NAME: VALUE", or @FILE with one per line (may be repeated). Also from the variable
    /// `COPAL_HEADERS`. Headers and cookies go to the site of the given URL only, and its pages are not cached
    #[arg(long, value_name = "HEADER|@FILE")]
    header: Vec<String>,

    /// Send cookies, "NAME=VALUE; NAME=VALUE", or @FILE. Also from the variable `COPAL_COOKIE`
    #[arg(long, value_name = "COOKIES|@FILE")]
    cookie: Option<String>,

    /// Send the cookies of this file that are for the site (Netscape format, as browsers and curl write it). Also
    /// from the variable `COPAL_COOKIES`
    #[arg(long, value_name = "FILE")]
    cookies: Option<PathBuf>,

    /// Use this proxy, or @FILE with its URL. Also from the variable `COPAL_PROXY`, else from `HTTPS_PROXY` and the like
    #[arg(long, value_name = "URL|@FILE")]
    proxy: Option<String>,

    /// Ignore robots.txt
    #[arg(long)]
    ignore_robots: bool,

    /// Allow localhost and private networks
    #[arg(long)]
    allow_private: bool,

    /// Where pages are cached. They are reused for an hour, and then only if the server says that they did
    /// not change [default: copal in the user's cache folder]
    #[arg(long, value_name = "FOLDER", conflicts_with = "no_cache")]
    cache_dir: Option<PathBuf>,

    /// Do not use the cache
    #[arg(long)]
    no_cache: bool,

    /// Ask the server about every cached page, however young.
    #[arg(skip)]
    pub(crate) revalidates: bool,

    #[command(flatten)]
    pub(crate) render: RenderArguments,
}

#[cfg(feature = "fetch")]
impl FetchArguments {
    /// Options of the fetcher; `limits` are those of a page, and `urls` the URLs that the user named.
    pub(crate) fn options(&self, limits: &Limits, urls: &[&str]) -> Result<FetchOptions, CliError> {
        let mut options = FetchOptions::default();
        let secrets = RequestSecrets {
            headers: &self.header,
            cookie: self.cookie.as_deref(),
            cookies: self.cookies.as_deref(),
        };
        options.credentials = secrets.credentials(urls)?;
        if let Some(proxy) = request_secrets::proxy(self.proxy.as_deref())? {
            options.proxies = ProxySource::Url(proxy);
        }
        options.allow_private = self.allow_private;
        options.obey_robots = !self.ignore_robots;
        // one byte more shows that there was more
        options.limits.decoded_bytes = limits.bytes.saturating_add(1);
        options.limits.wire_bytes = limits.bytes.saturating_add(1);
        if let Some(timeout) = self.timeout {
            options.limits.attempt_time = timeout;
            options.limits.total_time = timeout;
        }
        if let Some(min_delay) = self.delay {
            // no delay at all is for servers of one's own: it does not grow either
            let factor = if min_delay.is_zero() { 0.0 } else { 2.0 };
            let max_delay = MAX_DELAY.max(min_delay);
            options.politeness = Politeness::Adaptive { min_delay, max_delay, factor };
        }
        if let Some(contact) = &self.contact {
            options.user_agent = format!("copal/{} (+{contact})", env!("CARGO_PKG_VERSION"));
        }
        if let Some(name) = &self.user_agent {
            options.user_agent.clone_from(name);
        }
        let folder = self.cache_dir.clone().or_else(default_cache_folder).filter(|_| !self.no_cache);
        options.cache = folder.map(CacheOptions::new);
        if let Some(cache) = options.cache.as_mut().filter(|_| self.revalidates) {
            cache.max_age = Duration::ZERO;
        }
        Ok(options)
    }
}

/// The folder for caches of this user's programs.
#[cfg(feature = "fetch")]
pub(crate) fn default_cache_folder() -> Option<PathBuf> {
    let from = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = from("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    folder.or_else(|| Some(from("HOME")?.join(".cache"))).map(|folder| folder.join("copal"))
}

fn parse_page_count(text: &str) -> Result<usize, CliError> {
    if text == "all" {
        return Ok(MAX_LIST_PAGES);
    }
    let count = text.parse().ok().filter(|count| (1..=MAX_LIST_PAGES).contains(count));
    count.ok_or_else(|| {
        CliError::usage(format_args!("expected all, or a whole number from 1 to {MAX_LIST_PAGES}"))
    })
}

fn parse_detail_count(text: &str) -> Result<usize, CliError> {
    if text == "all" {
        return Ok(usize::MAX);
    }
    let count = text.parse().ok().filter(|count| *count > 0);
    count.ok_or_else(|| CliError::usage("expected all, or a whole number from 1 (put URLs before --details)"))
}

pub(crate) fn parse_seconds(text: &str) -> Result<Duration, CliError> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| CliError::usage("expected seconds, such as 2 or 0.5"))
}

/// Text that may be in an HTTP header.
pub(crate) fn parse_header(text: &str) -> Result<String, CliError> {
    let is_plain = !text.trim().is_empty() && text.chars().all(|c| c == ' ' || c.is_ascii_graphic());
    if is_plain {
        Ok(text.trim().to_owned())
    } else {
        Err(CliError::usage("expected ASCII letters, digits and punctuation"))
    }
}
