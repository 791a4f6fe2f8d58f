//! Limits and network settings of the HTTP service and of the MCP server.

use super::network::{parse_header, parse_seconds};
use crate::error::CliError;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits (beyond them a request gets 413, 422, 429 or 503)")]
#[cfg_attr(not(any(feature = "serve", feature = "mcp")), allow(dead_code))]
pub(crate) struct ServiceLimitArguments {
    /// Bytes of a request or page
    #[arg(long, value_name = "BYTES", default_value_t = 20_000_000)]
    body_limit: usize,

    /// Seconds for one page, without fetching it
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = parse_seconds)]
    page_time: Duration,

    /// Memory for one page, in MB. Each page is read in a worker process with this limit (on Linux)
    #[arg(long, value_name = "MB", default_value_t = 500)]
    page_memory: u64,

    /// Pages that are read at once [default: 2 per core]
    #[arg(long, value_name = "N")]
    workers: Option<usize>,

    /// Requests that may wait for a worker
    #[arg(long, value_name = "N", default_value_t = 64)]
    queue: usize,

    /// Pages of one job
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    job_pages: usize,

    /// Jobs that run or wait
    #[arg(long, value_name = "N", default_value_t = 20)]
    max_jobs: usize,

    /// Open connections
    #[arg(long, value_name = "N", default_value_t = 512)]
    connections: usize,

    /// Seconds for a client to send a request or to take a part of the answer
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = parse_seconds)]
    client_time: Duration,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Network")]
#[cfg_attr(not(any(feature = "serve", feature = "mcp")), allow(dead_code))]
pub(crate) struct ServiceNetworkArguments {
    /// Allow requests for localhost and private networks
    #[arg(long)]
    allow_private: bool,

    /// Ignore robots.txt
    #[arg(long)]
    ignore_robots: bool,

    /// Minimum delay between requests to one host, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = parse_seconds)]
    delay: Duration,

    /// Time to fetch one page, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = parse_seconds)]
    timeout: Duration,

    /// How to reach you: a URL or e-mail address that is sent with each request
    #[arg(long, value_name = "CONTACT", value_parser = parse_header)]
    contact: Option<String>,

    /// The browser's program, for requests with "render"
    #[arg(long, value_name = "FILE")]
    browser: Option<PathBuf>,

    /// Switch the browser's sandbox off. Only for pages that you trust
    #[arg(long)]
    no_browser_sandbox: bool,
}

#[cfg(any(feature = "serve", feature = "mcp"))]
impl ServiceLimitArguments {
    pub(crate) fn limits(&self) -> copal_service::ServiceLimits {
        let mut limits = copal_service::ServiceLimits::default();
        limits.body_bytes = self.body_limit;
        limits.page_time = self.page_time;
        limits.page_memory = self.page_memory.saturating_mul(1_000_000);
        limits.workers = self.workers.unwrap_or(limits.workers).max(1);
        limits.queue = self.queue;
        limits.job_pages = self.job_pages;
        limits.jobs = self.max_jobs;
        limits.connections = self.connections.max(1);
        limits.client_time = self.client_time;
        limits
    }
}

#[cfg(any(feature = "serve", feature = "mcp"))]
impl ServiceNetworkArguments {
    pub(crate) fn network(&self) -> copal_service::ServiceNetwork {
        let mut network = copal_service::ServiceNetwork::default();
        network.allow_private = self.allow_private;
        network.obey_robots = !self.ignore_robots;
        network.delay = self.delay;
        network.timeout = self.timeout;
        network.contact.clone_from(&self.contact);
        network.browser.clone_from(&self.browser);
        network.browser_sandbox = !self.no_browser_sandbox;
        network
    }
}

/// A PostgreSQL database under a name: `NAME=postgres://…`.
pub(crate) fn parse_database(text: &str) -> Result<(String, String), crate::error::CliError> {
    match text.split_once('=') {
        Some((name, url))
            if !name.is_empty() && (url.starts_with("postgres://") || url.starts_with("postgresql://")) =>
        {
            Ok((name.to_owned(), url.to_owned()))
        }
        _ => Err(crate::error::CliError::usage("expected NAME=postgres://…")),
    }
}

/// Why the service cannot start, in words for people, with what to do next.
#[cfg(feature = "serve")]
pub(crate) fn serve_error(error: copal_service::ServeError) -> crate::error::CliError {
    use crate::error::CliError;
    use copal_service::{ServeError, WorkspaceError};
    use std::io::ErrorKind;
    match error {
        ServeError::NeedsToken(_) | ServeError::WeakToken => CliError::usage(error),
        ServeError::Listen(address, cause) => match cause.kind() {
            ErrorKind::AddrInUse => {
                CliError::unreadable(format_args!("port {} is in use by another program", address.port()))
                    .with_hint("choose another one with --port, or 0 for any free one")
            }
            ErrorKind::PermissionDenied => {
                CliError::unreadable(format_args!("port {} needs more rights than you have", address.port()))
                    .with_hint("choose one from 1024 on with --port")
            }
            ErrorKind::AddrNotAvailable => {
                CliError::unreadable(format_args!("{} is not an address of this machine", address.ip()))
            }
            _ => CliError::unreadable(format_args!("cannot listen on {address}"))
                .with_hint(crate::error::describe_io_error(&cause)),
        },
        ServeError::Workspace(WorkspaceError::Io(cause)) => {
            let why = crate::error::describe_io_error(&cause);
            CliError::unreadable(format_args!("the workspace folder cannot be used: {why}"))
                .with_hint("choose another one with --dir")
        }
        other => CliError::unreadable(other),
    }
}

pub(crate) fn parse_port(text: &str) -> Result<u16, CliError> {
    text.parse().map_err(|_| CliError::usage("expected a port: a whole number from 0 to 65535"))
}

/// The workspace that was asked for, or the user's own.
#[cfg(feature = "serve")]
pub(crate) fn workspace_folder(given: Option<PathBuf>) -> Result<PathBuf, crate::error::CliError> {
    given.or_else(default_workspace).ok_or_else(|| {
        crate::error::CliError::usage("there is no home folder for the workspace")
            .with_hint("give a folder with --dir")
    })
}

/// The folder for data of this user's programs.
#[cfg(feature = "serve")]
pub(crate) fn default_workspace() -> Option<PathBuf> {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = from("XDG_DATA_HOME").filter(|path| path.is_absolute());
    folder.or_else(|| Some(from("HOME")?.join(".local/share"))).map(|folder| folder.join("copal"))
}
