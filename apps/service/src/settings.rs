//! Settings of the service and of the MCP server, with their defaults.

use crate::task::{NetworkSettings, WorkerSettings};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

/// Limits on pages and on the work that is done at once.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ServiceLimits {
    /// Bytes of a request body.
    pub body_bytes: usize,
    /// Time for one page, without fetching it.
    pub page_time: Duration,
    /// Memory for one page, in bytes.
    pub page_memory: u64,
    /// Pages that are read at once.
    pub workers: usize,
    /// Requests that wait for a worker.
    pub queue: usize,
    /// Pages of one job.
    pub job_pages: usize,
    /// Jobs that are not finished.
    pub jobs: usize,
    /// Connections that are open at once.
    pub connections: usize,
    /// Time for a client to send a request, or to take a part of the answer.
    pub client_time: Duration,
}

impl Default for ServiceLimits {
    fn default() -> ServiceLimits {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        ServiceLimits {
            body_bytes: 20_000_000,
            page_time: Duration::from_secs(30),
            page_memory: 500_000_000,
            workers: 2 * cores,
            queue: 64,
            job_pages: 10_000,
            jobs: 20,
            connections: 512,
            client_time: Duration::from_secs(30),
        }
    }
}

/// How pages are fetched.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ServiceNetwork {
    /// Allow localhost and private networks.
    pub allow_private: bool,
    /// Read robots.txt and obey it.
    pub obey_robots: bool,
    /// Minimum delay between requests to one host.
    pub delay: Duration,
    /// Time to fetch one page.
    pub timeout: Duration,
    /// How to reach the operator.
    pub contact: Option<String>,
    /// The program of the browser.
    pub browser: Option<PathBuf>,
    /// Run the browser in its sandbox.
    pub browser_sandbox: bool,
}

impl Default for ServiceNetwork {
    fn default() -> ServiceNetwork {
        ServiceNetwork {
            allow_private: false,
            obey_robots: true,
            delay: Duration::from_secs(1),
            timeout: Duration::from_secs(30),
            contact: None,
            browser: None,
            browser_sandbox: true,
        }
    }
}

/// Settings of the HTTP service.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ServeSettings {
    /// The address that is listened on.
    pub address: IpAddr,
    /// The port; 0 for any free one.
    pub port: u16,
    /// What clients have to send. Without a token only loopback is listened on.
    pub token: Option<String>,
    /// The workspace.
    pub workspace: PathBuf,
    /// Bytes that the workspace may have.
    pub quota: u64,
    /// How long finished jobs are kept.
    pub retention: Duration,
    /// PostgreSQL databases by name.
    pub databases: BTreeMap<String, String>,
    /// Limits on pages and work.
    pub limits: ServiceLimits,
    /// How pages are fetched.
    pub network: ServiceNetwork,
    /// The page that the studio opens first.
    pub start: Option<StartPage>,
}

/// A page that the studio opens first.
#[derive(Debug, Clone)]
pub enum StartPage {
    /// A URL.
    Url(String),
    /// A file that was read when the service was started.
    File {
        /// Its name.
        name: String,
        /// The URL that it came from.
        url: Option<String>,
        /// What is in it, in whatever encoding.
        bytes: Vec<u8>,
    },
}

impl ServeSettings {
    /// The defaults, with a workspace.
    pub fn new(workspace: PathBuf) -> ServeSettings {
        ServeSettings {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            token: None,
            workspace,
            quota: 10_000_000_000,
            retention: Duration::from_hours(7 * 24),
            databases: BTreeMap::new(),
            limits: ServiceLimits::default(),
            network: ServiceNetwork::default(),
            start: None,
        }
    }
}

/// Settings of the MCP server.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct McpSettings {
    /// The folder whose files may be read.
    pub root: Option<PathBuf>,
    /// Where wrappers and databases are kept.
    pub workspace: Option<PathBuf>,
    /// Limits on pages and work.
    pub limits: ServiceLimits,
    /// How pages are fetched.
    pub network: ServiceNetwork,
}

/// The settings of workers.
pub(crate) fn worker_settings(
    limits: &ServiceLimits,
    network: &ServiceNetwork,
    cache: Option<PathBuf>,
) -> WorkerSettings {
    WorkerSettings {
        memory_bytes: Some(limits.page_memory),
        page_bytes: limits.body_bytes,
        network: NetworkSettings {
            allow_private: network.allow_private,
            obey_robots: network.obey_robots,
            delay_ms: network.delay.as_millis() as u64,
            timeout_s: network.timeout.as_secs().max(1),
            contact: network.contact.clone(),
            cache,
            browser: network.browser.clone(),
            browser_sandbox: network.browser_sandbox,
        },
    }
}
