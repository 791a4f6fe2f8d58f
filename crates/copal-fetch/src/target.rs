//! Addresses that may be asked. A text goes in, a parsed address comes out; it is parsed once, and what was checked is
//! what is connected to. Names are resolved later, and their addresses checked again (`resolve.rs`).

use std::net::IpAddr;

use url::{Host, Url};

use crate::FetchError;
use crate::address::is_global;

/// No address of a page is longer; servers refuse far shorter ones.
const MAX_LENGTH: usize = 16 * 1024;

/// Ports of other protocols ("bad ports" of the fetch standard): a request there could be read as something else.
const BAD_PORTS: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514,
    515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723,
    2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/// Ends of names that only a machine or a network of one's own knows.
const LOCAL_ENDS: &[&str] = &[
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

/// Which hosts may be asked.
#[derive(Debug, Clone)]
pub(crate) struct Policy {
    pub(crate) allow_private: bool,
    /// Tests only: addresses that stand for global ones.
    pub(crate) global: Vec<IpAddr>,
}

impl Policy {
    /// May a connection go to this address?
    pub(crate) fn permits(&self, address: IpAddr) -> bool {
        self.allow_private || is_global(address) || self.global.contains(&address)
    }
}

/// The address of a page that may be asked, without fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) url: Url,
}

impl Target {
    /// An address that a person or a page wrote.
    pub(crate) fn parse(raw: &str, policy: &Policy) -> Result<Self, FetchError> {
        if raw.len() > MAX_LENGTH {
            return Err(unreadable(raw, &format!("longer than {MAX_LENGTH} bytes")));
        }
        let url = Url::parse(raw).map_err(|error| unreadable(raw, &error.to_string()))?;
        Self::check(url, policy)
    }

    /// Where a redirect leads.
    pub(crate) fn join(&self, location: &str, policy: &Policy) -> Result<Self, FetchError> {
        if location.len() > MAX_LENGTH {
            return Err(unreadable(location, &format!("longer than {MAX_LENGTH} bytes")));
        }
        let url = self.url.join(location).map_err(|error| unreadable(location, &error.to_string()))?;
        Self::check(url, policy)
    }

    fn check(mut url: Url, policy: &Policy) -> Result<Self, FetchError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(FetchError::Scheme { scheme: shown(url.scheme()) });
        }
        url.set_fragment(None);
        // "example.org." is the same host as "example.org": one name for turns, cookies and certificates
        if let Some(bare) = url.host_str().and_then(|host| host.strip_suffix('.')).map(str::to_owned) {
            url.set_host(Some(&bare)).map_err(|error| unreadable(url.as_str(), &error.to_string()))?;
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        if host.is_empty() || host.ends_with('.') || host.starts_with('.') || host.contains("..") {
            return Err(unreadable(url.as_str(), "no name of a host"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(FetchError::Userinfo { host });
        }
        let port = url.port_or_known_default().unwrap_or_default();
        if BAD_PORTS.contains(&port) {
            return Err(FetchError::Port { host, port });
        }
        match literal(&url) {
            Some(address) if !policy.permits(address) => Err(FetchError::Private { host, address }),
            None if !policy.allow_private && is_local_name(&host) => Err(FetchError::LocalName { host }),
            _ => Ok(Self { url }),
        }
    }

    /// Name or address.
    pub(crate) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// Host and port: who waits for whose turn.
    pub(crate) fn authority(&self) -> String {
        format!("{}:{}", self.host(), self.url.port_or_known_default().unwrap_or_default())
    }

    /// Path and query, what robots.txt speaks of.
    pub(crate) fn path_and_query(&self) -> &str {
        &self.url[url::Position::BeforePath..]
    }

    /// Is the host of this machine or of a private network, as far as the name says? Proxies are not for those.
    pub(crate) fn is_local(&self) -> bool {
        literal(&self.url).map_or_else(|| is_local_name(self.host()), |address| !is_global(address))
    }

    /// The address of robots.txt for this host.
    pub(crate) fn robots(&self) -> Self {
        let mut url = self.url.clone();
        url.set_path("/robots.txt");
        url.set_query(None);
        Self { url }
    }
}

fn literal(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

fn is_local_name(host: &str) -> bool {
    let ends =
        |end: &str| host.strip_suffix(end).is_some_and(|front| front.is_empty() || front.ends_with('.'));
    !host.contains('.') || LOCAL_ENDS.iter().any(|end| ends(end))
}

fn unreadable(raw: &str, reason: &str) -> FetchError {
    FetchError::Url { url: shown(raw), reason: reason.to_owned() }
}

/// A stranger's text in a message: short, and nothing that a terminal acts on.
pub(crate) fn shown(text: &str) -> String {
    let mut short: String = text.chars().take(200).flat_map(char::escape_debug).collect();
    if text.chars().nth(200).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(raw: &str, allow_private: bool) -> Result<String, FetchError> {
        Target::parse(raw, &Policy { allow_private, global: Vec::new() }).map(|target| target.url.to_string())
    }

    #[test]
    fn addresses_are_normalised_once() {
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
    fn messages_show_no_control_characters() {
        let error = parse("http://\u{1b}[31m", false).unwrap_err().to_string();
        assert!(!error.contains('\u{1b}'), "{error}");
    }
}
