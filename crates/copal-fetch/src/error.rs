//! Why a page could not be had, in words for a person.

use std::path::PathBuf;
use std::time::Duration;

/// Why a page could not be had. The fields are what the messages name.
#[allow(missing_docs)]
#[derive(Debug, Clone, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum FetchError {
    /// Not an address at all.
    #[error("{url} is no address of a page: {reason}")]
    Url { url: String, reason: String },
    /// Another scheme than http and https.
    #[error("{scheme}: addresses are not fetched, only http: and https:")]
    Scheme { scheme: String },
    /// A name or password in the address.
    #[error("the address of {host} holds a user name or a password: take it out")]
    Userinfo { host: String },
    /// A port that belongs to another protocol.
    #[error("port {port} of {host} is not one of web pages: it is never asked")]
    Port { host: String, port: u16 },
    /// A name that only this machine or network knows.
    #[error("{host} is a name of this machine or network: --allow-private permits it")]
    LocalName { host: String },
    /// An address that is not global.
    #[error("{} is a private address: --allow-private permits it", private_name(.host, .address))]
    Private { host: String, address: std::net::IpAddr },
    /// robots.txt says no.
    #[error("robots.txt of {host} forbids {path}: --ignore-robots asks anyway")]
    Robots { host: String, path: String },
    /// robots.txt could not be read, which means no for now.
    #[error(
        "robots.txt of {host} could not be read ({reason}), which forbids all for now: --ignore-robots asks anyway"
    )]
    RobotsUnreadable { host: String, reason: String },
    /// No such name.
    #[error("the name {host} was not found: {reason}")]
    Name { host: String, reason: String },
    /// No connection.
    #[error("no connection to {host}: {reason}")]
    Connect { host: String, reason: String },
    /// A certificate that cannot be trusted.
    #[error("the certificate of {host} is not valid: {reason}")]
    Certificate { host: String, reason: String },
    /// Encryption failed otherwise.
    #[error("no encrypted connection to {host}: {reason}")]
    Tls { host: String, reason: String },
    /// Too slow.
    #[error("{host} did not answer within {} seconds", .after.as_secs_f32())]
    Timeout { host: String, after: Duration },
    /// Too many redirects.
    #[error("{url} redirects more than {limit} times")]
    Redirects { url: String, limit: usize },
    /// A redirect to somewhere that is not asked.
    #[error("{from} redirects to where copal does not go: {reason}")]
    Redirect { from: String, reason: Box<FetchError> },
    /// Too long a head.
    #[error("{host} sent more than {limit} bytes of headers")]
    Headers { host: String, limit: usize },
    /// A compression we do not know, or that needs too much memory.
    #[error("{host} sent a body in an encoding that cannot be read: {encoding}")]
    Encoding { host: String, encoding: String },
    /// Something that is no HTTP.
    #[error("{host} did not answer as a web server does: {reason}")]
    Protocol { host: String, reason: String },
    /// An answer, but not a page ([`Fetched::successful`](crate::Fetched::successful)).
    #[error("{url} answered {}", status_words(*.status))]
    Status { url: String, status: u16 },
    /// The proxy's settings are wrong.
    #[error("the proxy {proxy} cannot be used: {reason}")]
    Proxy { proxy: String, reason: String },
    /// Options that cannot work.
    #[error("fetching cannot begin: {reason}")]
    Setup { reason: String },
    /// The folder of the cache cannot be used.
    #[error("the cache {} cannot be used: {reason}", .folder.display())]
    Cache { folder: PathBuf, reason: String },
}

/// The sorts of [`FetchError`], for callers that treat them differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The address is wrong, or one that is not asked.
    Address,
    /// robots.txt forbids it.
    Robots,
    /// Name, connection, protocol.
    Network,
    /// The host cannot prove who it is.
    Certificate,
    /// A cap was hit with nothing to show for it.
    Limit,
    /// The server answered, but not with a page.
    Answer,
    /// Options, proxy or cache folder are wrong.
    Setup,
}

impl FetchError {
    /// Could the same request work later?
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::RobotsUnreadable { .. }
            | Self::Connect { .. }
            | Self::Timeout { .. }
            | Self::Protocol { .. } => true,
            // the system's words for a server of names that does not answer; a name that is not there stays so
            Self::Name { reason, .. } => reason.contains("Temporary failure"),
            Self::Status { status, .. } => is_temporary_status(*status),
            _ => false,
        }
    }

    /// Which sort of error it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Url { .. }
            | Self::Scheme { .. }
            | Self::Userinfo { .. }
            | Self::Port { .. }
            | Self::LocalName { .. }
            | Self::Private { .. } => ErrorKind::Address,
            Self::Redirect { reason, .. } => reason.kind(),
            Self::Robots { .. } | Self::RobotsUnreadable { .. } => ErrorKind::Robots,
            Self::Name { .. } | Self::Connect { .. } | Self::Tls { .. } | Self::Protocol { .. } => {
                ErrorKind::Network
            }
            Self::Certificate { .. } => ErrorKind::Certificate,
            Self::Timeout { .. } | Self::Redirects { .. } | Self::Headers { .. } => ErrorKind::Limit,
            Self::Encoding { .. } | Self::Status { .. } => ErrorKind::Answer,
            Self::Proxy { .. } | Self::Setup { .. } | Self::Cache { .. } => ErrorKind::Setup,
        }
    }
}

/// Statuses that say "not now".
pub(crate) fn is_temporary_status(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
}

fn private_name(host: &str, address: &std::net::IpAddr) -> String {
    let address = address.to_string();
    if host.trim_matches(['[', ']']) == address { address } else { format!("{host} ({address})") }
}

fn status_words(status: u16) -> String {
    let words = reqwest::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    words.map_or_else(|| status.to_string(), |words| format!("{status} {words}"))
}
