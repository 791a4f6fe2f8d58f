//! URLs that may be fetched. Text goes in, a checked URL comes out.
//!
//! A URL is parsed only once, so the URL that was checked is the one that is fetched. Host names are looked
//! up later, and `resolver.rs` checks their addresses. O(length).

use std::net::IpAddr;

use url::{Host, Url};

use crate::error::{FetchError, printable};
use crate::ip_ranges::is_global;

/// Longer URLs are refused. Servers refuse much shorter ones.
const MAX_URL_LENGTH: usize = 16 * 1024;

/// Ports of other protocols ("bad ports" in the Fetch standard): their servers could interpret a request as
/// commands.
const BLOCKED_PORTS: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514,
    515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723,
    2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/// Ports of databases, queues and remote desktops that are not in the Fetch standard's list. On this machine
/// or in a private network, where `allow_private` is needed anyway, developers use some of them for web
/// servers.
const BLOCKED_PUBLIC_PORTS: &[u16] = &[
    445, 873, 1433, 1521, 1883, 2181, 2483, 3306, 3389, 5432, 5671, 5672, 5900, 5901, 6379, 8883, 9042, 9092,
    11211, 27017,
];

/// Suffixes of names that exist only on one machine or in one network.
const LOCAL_SUFFIXES: &[&str] = &[
    "localhost",
    "local",
    "internal",
    "localdomain",
    "lan",
    "home",
    "corp",
    "intranet",
    "private",
    "home.arpa",
];

/// Which hosts may be contacted.
#[derive(Debug, Clone)]
pub(crate) struct HostPolicy {
    pub(crate) allow_private: bool,
    /// Loopback addresses that tests treat as global.
    pub(crate) global: Vec<IpAddr>,
}

impl HostPolicy {
    /// True if connections to this address are allowed.
    pub(crate) fn permits(&self, address: IpAddr) -> bool {
        self.allow_private || is_global(address) || self.global.contains(&address)
    }
}

/// A URL that may be fetched, without a fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AllowedUrl {
    pub(crate) url: Url,
}

impl AllowedUrl {
    /// Checks a URL that comes from a user or a page.
    pub(crate) fn parse(raw: &str, policy: &HostPolicy) -> Result<Self, FetchError> {
        if raw.len() > MAX_URL_LENGTH {
            return Err(invalid(raw, &format!("longer than {MAX_URL_LENGTH} bytes")));
        }
        let url = Url::parse(raw).map_err(|error| invalid(raw, &error.to_string()))?;
        Self::check(url, policy)
    }

    /// Checks the target of a redirect.
    pub(crate) fn join(&self, location: &str, policy: &HostPolicy) -> Result<Self, FetchError> {
        if location.len() > MAX_URL_LENGTH {
            return Err(invalid(location, &format!("longer than {MAX_URL_LENGTH} bytes")));
        }
        let url = self.url.join(location).map_err(|error| invalid(location, &error.to_string()))?;
        Self::check(url, policy)
    }

    fn check(mut url: Url, policy: &HostPolicy) -> Result<Self, FetchError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(FetchError::UnsupportedScheme { scheme: printable(url.scheme()) });
        }
        url.set_fragment(None);
        // "example.org." is the same host as "example.org": delays, cookies and certificates need one name.
        if let Some(bare) = url.host_str().and_then(|host| host.strip_suffix('.')).map(str::to_owned) {
            url.set_host(Some(&bare)).map_err(|error| invalid(url.as_str(), &error.to_string()))?;
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        if host.is_empty() || host.ends_with('.') || host.starts_with('.') || host.contains("..") {
            return Err(invalid(url.as_str(), "it has no valid host name"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(FetchError::Userinfo { host });
        }
        let port = url.port_or_known_default().unwrap_or_default();
        if BLOCKED_PORTS.contains(&port) {
            return Err(FetchError::BlockedPort { host, port });
        }
        match literal_address(&url) {
            Some(address) if !policy.permits(address) => {
                return Err(FetchError::PrivateAddress { host, address });
            }
            None if !policy.allow_private && is_local_name(&host) => {
                return Err(FetchError::LocalName { host });
            }
            _ => {}
        }
        let allowed = Self { url };
        if BLOCKED_PUBLIC_PORTS.contains(&port) && !allowed.is_local() {
            return Err(FetchError::BlockedPort { host, port });
        }
        Ok(allowed)
    }

    /// The host: a name or a literal address.
    pub(crate) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// Host and port. The rate limiter treats each as one server.
    pub(crate) fn authority(&self) -> String {
        format!("{}:{}", self.host(), self.url.port_or_known_default().unwrap_or_default())
    }

    /// Path and query, which the rules of robots.txt are matched against.
    pub(crate) fn path_and_query(&self) -> &str {
        &self.url[url::Position::BeforePath..]
    }

    /// True if the URL alone shows that the host is on this machine or in a private network. Such hosts are
    /// not contacted through a proxy.
    pub(crate) fn is_local(&self) -> bool {
        literal_address(&self.url).map_or_else(|| is_local_name(self.host()), |address| !is_global(address))
    }

    /// The URL of robots.txt on this host.
    pub(crate) fn robots_txt(&self) -> Self {
        let mut url = self.url.clone();
        url.set_path("/robots.txt");
        url.set_query(None);
        Self { url }
    }
}

fn literal_address(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

fn is_local_name(host: &str) -> bool {
    let has_suffix = |suffix: &str| {
        host.strip_suffix(suffix).is_some_and(|front| front.is_empty() || front.ends_with('.'))
    };
    !host.contains('.') || LOCAL_SUFFIXES.iter().any(|suffix| has_suffix(suffix))
}

fn invalid(raw: &str, reason: &str) -> FetchError {
    FetchError::InvalidUrl { url: printable(raw), reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(raw: &str, allow_private: bool) -> Result<String, FetchError> {
        AllowedUrl::parse(raw, &HostPolicy { allow_private, global: Vec::new() })
            .map(|allowed| allowed.url.to_string())
    }

    #[test]
    fn urls_are_normalised_once() {
        assert_eq!(parse("HTTP://Example.ORG.:80/a b#c", false).unwrap(), "http://example.org/a%20b");
        assert_eq!(parse("https://bücher.example/ü", false).unwrap(), "https://xn--bcher-kva.example/%C3%BC");
        assert_eq!(
            parse("http://example.org\\@127.0.0.1/", false).unwrap(),
            "http://example.org/@127.0.0.1/"
        );
        assert_eq!(parse("http://0x7f.1:8080/", true).unwrap(), "http://127.0.0.1:8080/");
    }

    #[test]
    fn local_names_need_permission() {
        for host in
            ["localhost", "a.localhost", "printer.local", "metadata.google.internal", "router", "x.home.arpa"]
        {
            let url = format!("http://{host}/");
            assert!(matches!(parse(&url, false), Err(FetchError::LocalName { .. })), "{host}");
            assert_eq!(parse(&url, true).unwrap(), url);
        }
        assert!(parse("http://notlocal.example/", false).is_ok());
        assert!(parse("http://my-local/", false).is_err());
    }

    #[test]
    fn ports_of_other_protocols_are_blocked() {
        for port in [0, 1, 22, 25, 53, 110, 143, 465, 587, 993, 2049, 5060, 6000, 6667, 6697, 10080] {
            for host in ["example.org", "93.184.215.14", "127.0.0.1", "localhost"] {
                let error = parse(&format!("http://{host}:{port}/"), true).unwrap_err();
                assert!(matches!(error, FetchError::BlockedPort { .. }), "{host}:{port} {error}");
            }
        }
        for port in [445, 3306, 5432, 6379, 11211, 27017] {
            for host in ["example.org", "93.184.215.14", "[2606:4700::1111]"] {
                for allow_private in [false, true] {
                    let error = parse(&format!("https://{host}:{port}/"), allow_private).unwrap_err();
                    assert!(matches!(error, FetchError::BlockedPort { .. }), "{host}:{port} {error}");
                }
            }
            for host in ["127.0.0.1", "10.0.0.1", "[::1]", "localhost"] {
                assert!(parse(&format!("http://{host}:{port}/"), true).is_ok(), "{host}:{port}");
            }
        }
        for port in [80, 443, 591, 3000, 5000, 8000, 8080, 8443, 9000] {
            assert!(parse(&format!("http://example.org:{port}/"), false).is_ok(), "{port}");
        }
    }

    #[test]
    fn messages_contain_no_control_characters() {
        let error = parse("http://\u{1b}[31m", false).unwrap_err().to_string();
        assert!(!error.contains('\u{1b}'), "{error}");
    }
}
