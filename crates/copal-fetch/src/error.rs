//! Why a page could not be fetched, in messages for users.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Characters of foreign text that a message shows.
const MAX_SHOWN_CHARS: usize = 200;

/// Why a page could not be fetched. The fields are the values that the messages mention.
#[allow(missing_docs)]
#[derive(Debug, Clone, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchError {
    /// The text is not a URL of a web page.
    #[error("{url} is not a valid URL: {reason}")]
    InvalidUrl { url: String, reason: String },
    /// The scheme is neither http nor https.
    #[error("{scheme}: URLs cannot be fetched, only http: and https:")]
    UnsupportedScheme { scheme: String },
    /// The URL contains a user name or a password.
    #[error("the URL of {host} contains a user name or a password: remove it")]
    Userinfo { host: String },
    /// The port belongs to another protocol.
    #[error("port {port} of {host} is blocked: it belongs to another protocol than HTTP")]
    BlockedPort { host: String, port: u16 },
    /// The host name is only known on this machine or in a private network.
    #[error("{host} is a local host name: use --allow-private to allow it")]
    LocalName { host: String },
    /// The host has an address that is not global.
    #[error("{} is a private address: use --allow-private to allow it", host_and_address(.host, .address))]
    PrivateAddress { host: String, address: IpAddr },
    /// robots.txt disallows the page.
    #[error("robots.txt of {host} disallows {path}: use --ignore-robots to fetch it anyway")]
    RobotsDisallowed { host: String, path: String },
    /// robots.txt could not be read, which disallows everything for now.
    #[error(
        "robots.txt of {host} could not be read ({reason}), which disallows everything for now: \
         use --ignore-robots to fetch anyway"
    )]
    RobotsUnavailable { host: String, reason: String },
    /// The host name has no address.
    #[error("host {host} was not found: {reason}")]
    HostNotFound { host: String, reason: String },
    /// The connection failed.
    #[error("could not connect to {host}: {reason}")]
    Connect { host: String, reason: String },
    /// The certificate cannot be trusted.
    #[error("the certificate of {host} is not valid: {reason}")]
    Certificate { host: String, reason: String },
    /// Encryption failed for another reason.
    #[error("could not set up an encrypted connection to {host}: {reason}")]
    Tls { host: String, reason: String },
    /// The server was too slow.
    #[error("{host} did not respond within {} seconds", .after.as_secs_f32())]
    Timeout { host: String, after: Duration },
    /// The redirects did not end.
    #[error("{url} redirects more than {limit} times")]
    TooManyRedirects { url: String, limit: usize },
    /// A redirect leads to a URL that may not be fetched.
    #[error("{from} redirects to a URL that is not allowed: {reason}")]
    RefusedRedirect { from: String, reason: Box<FetchError> },
    /// A redirect asks for a form to be sent to another place.
    #[error("{from} asks for the form to be sent to another place: {to}")]
    RedirectedForm { from: String, to: String },
    /// The headers of the response are too long.
    #[error("{host} sent more than {limit} bytes of headers")]
    HeadersTooLarge { host: String, limit: usize },
    /// The compression of the body is unknown, or decoding it needs too much memory.
    #[error("{host} sent a body in an unsupported encoding: {encoding}")]
    UnsupportedEncoding { host: String, encoding: String },
    /// The response is not valid HTTP.
    #[error("{host} did not send a valid HTTP response: {reason}")]
    Protocol { host: String, reason: String },
    /// The body did not arrive completely, or not as it was sent.
    #[error("the body that {host} sent is incomplete or damaged: {reason}")]
    BrokenBody { host: String, reason: String },
    /// The status is not a success, see [`FetchedPage::successful`](crate::FetchedPage::successful).
    #[error("{url} returned {}", status_and_reason(*.status))]
    Status { url: String, status: u16 },
    /// The server answers with a page that asks visitors to prove that they are people.
    #[error("{url} returned {}: it asks visitors to prove that they are people", status_and_reason(*.status))]
    Challenge { url: String, status: u16 },
    /// The proxy settings are wrong.
    #[error("the proxy {proxy} cannot be used: {reason}")]
    Proxy { proxy: String, reason: String },
    /// The options cannot work.
    #[error("the fetcher could not be set up: {reason}")]
    Setup { reason: String },
    /// Pages cannot be stored in the folder of the cache.
    #[error("the cache {} cannot be written: {reason}", .folder.display())]
    Cache { folder: PathBuf, reason: String },
}

/// The categories of [`FetchError`], for callers that treat them differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FetchErrorKind {
    /// The URL is invalid or may not be fetched.
    Url,
    /// robots.txt disallows the page.
    Robots,
    /// Name lookup, connection or protocol failed.
    Network,
    /// The host cannot prove its identity.
    Certificate,
    /// A limit was hit before any content arrived.
    Limit,
    /// The server responded, but not with a usable page.
    Response,
    /// The options, the proxy or the cache folder are wrong.
    Setup,
}

impl FetchError {
    /// True if the same request could work later.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::RobotsUnavailable { .. }
            | Self::Connect { .. }
            | Self::Timeout { .. }
            | Self::BrokenBody { .. }
            | Self::Protocol { .. } => true,
            // The system's message for a name server that does not respond. Unknown names stay unknown.
            Self::HostNotFound { reason, .. } => reason.contains("Temporary failure"),
            Self::Status { status, .. } => is_temporary_status(*status),
            _ => false,
        }
    }

    /// The category of the error.
    pub fn kind(&self) -> FetchErrorKind {
        match self {
            Self::InvalidUrl { .. }
            | Self::UnsupportedScheme { .. }
            | Self::Userinfo { .. }
            | Self::BlockedPort { .. }
            | Self::LocalName { .. }
            | Self::PrivateAddress { .. } => FetchErrorKind::Url,
            Self::RefusedRedirect { reason, .. } => reason.kind(),
            Self::RobotsDisallowed { .. } | Self::RobotsUnavailable { .. } => FetchErrorKind::Robots,
            Self::HostNotFound { .. }
            | Self::Connect { .. }
            | Self::Tls { .. }
            | Self::BrokenBody { .. }
            | Self::Protocol { .. } => FetchErrorKind::Network,
            Self::Certificate { .. } => FetchErrorKind::Certificate,
            Self::Timeout { .. } | Self::TooManyRedirects { .. } | Self::HeadersTooLarge { .. } => {
                FetchErrorKind::Limit
            }
            Self::RedirectedForm { .. }
            | Self::UnsupportedEncoding { .. }
            | Self::Status { .. }
            | Self::Challenge { .. } => FetchErrorKind::Response,
            Self::Proxy { .. } | Self::Setup { .. } | Self::Cache { .. } => FetchErrorKind::Setup,
        }
    }
}

/// True for statuses that mean "try again later".
pub(crate) fn is_temporary_status(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
}

/// What the system reports, without the number of its error, which helps no user.
pub(crate) fn in_words(error: &(impl std::error::Error + ?Sized)) -> String {
    let mut text = error.to_string();
    if let Some(at) = text.find(" (os error") {
        text.truncate(at);
    }
    text
}

/// Foreign text for a message: short, and without characters that a terminal would act on.
pub(crate) fn printable(text: &str) -> String {
    let mut short: String = text.chars().take(MAX_SHOWN_CHARS).flat_map(char::escape_debug).collect();
    if text.chars().nth(MAX_SHOWN_CHARS).is_some() {
        short.push('…');
    }
    short
}

fn host_and_address(host: &str, address: &IpAddr) -> String {
    let address = address.to_string();
    if host.trim_matches(['[', ']']) == address { address } else { format!("{host} ({address})") }
}

fn status_and_reason(status: u16) -> String {
    let reason = reqwest::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    reason.map_or_else(|| status.to_string(), |reason| format!("{status} {reason}"))
}
