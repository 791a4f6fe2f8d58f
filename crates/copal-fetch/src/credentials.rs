//! Headers and cookies that a user gives for one origin.
//!
//! In: header lines, cookie lines, a cookie file in Netscape format. Out: the headers of a request. They are added
//! only if scheme, host and port of the URL are those of the origin, so a redirect to any other origin, also from
//! https to http, is sent without them. Nothing here is written to the cache, and `Debug` shows no value. O(bytes).

use std::fmt;
use std::time::{Duration, SystemTime};

use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use url::{Origin, Url};

/// Bytes of a cookie file that are read.
pub const MAX_COOKIE_FILE_BYTES: usize = 1_000_000;
/// Bytes of all given headers, and of all given cookies that are sent with one request.
const MAX_GIVEN_BYTES: usize = 32 * 1024;
/// Headers that the connection, the cache or another option decides.
const RESERVED_HEADERS: &[&str] = &[
    "host",
    "connection",
    "content-length",
    "transfer-encoding",
    "accept-encoding",
    "upgrade",
    "te",
    "trailer",
    "expect",
    "proxy-authorization",
    "if-none-match",
    "if-modified-since",
    "range",
];

/// Why headers or cookies cannot be used. No message contains a value.
#[derive(Debug, Clone, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CredentialError {
    /// The URL has no origin.
    #[error("expected the URL of a web page")]
    NoOrigin,
    /// The text is not a header.
    #[error("expected NAME: VALUE with printable characters")]
    InvalidHeader,
    /// The header is decided by something else.
    #[error("the header {0} cannot be set")]
    ReservedHeader(String),
    /// The user agent has an option of its own.
    #[error("the user agent is set with --user-agent")]
    UserAgent,
    /// The text is not a cookie.
    #[error("expected NAME=VALUE, several separated by ;")]
    InvalidCookie,
    /// A line of a cookie file is not a cookie.
    #[error("line {line} is not a cookie: expected seven fields separated by tabs (Netscape format)")]
    InvalidCookieLine {
        /// The number of the line, from 1.
        line: usize,
    },
    /// A cookie file has no cookie for the origin.
    #[error("no cookie for {host} in this file")]
    NoCookieForHost {
        /// The host of the origin.
        host: String,
    },
    /// More than a server accepts.
    #[error("more than {MAX_GIVEN_BYTES} bytes of headers or cookies")]
    TooLarge,
}

/// Headers and cookies for one origin.
#[derive(Clone)]
pub struct OriginCredentials {
    origin: Origin,
    url: Url,
    headers: HeaderMap,
    cookies: Vec<GivenCookie>,
}

#[derive(Clone, PartialEq, Eq)]
struct GivenCookie {
    name: String,
    value: String,
    path: String,
}

impl fmt::Debug for OriginCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = self.origin.ascii_serialization();
        write!(
            f,
            "OriginCredentials({origin}, {} headers, {} cookies)",
            self.headers.len(),
            self.cookies.len()
        )
    }
}

impl OriginCredentials {
    /// No headers and cookies yet, for the origin of a URL.
    pub fn for_url(url: &str) -> Result<OriginCredentials, CredentialError> {
        let url = Url::parse(url).map_err(|_| CredentialError::NoOrigin)?;
        let origin = url.origin();
        if !matches!(url.scheme(), "http" | "https") || !origin.is_tuple() {
            return Err(CredentialError::NoOrigin);
        }
        Ok(OriginCredentials { origin, url, headers: HeaderMap::new(), cookies: Vec::new() })
    }

    /// The origin as text: `https://shop.example`.
    pub fn origin(&self) -> String {
        self.origin.ascii_serialization()
    }

    /// True if there is nothing to send.
    pub fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.cookies.is_empty()
    }

    /// Adds a header, `NAME: VALUE`. A header `Cookie` is a cookie line.
    pub fn add_header(&mut self, line: &str) -> Result<(), CredentialError> {
        let (name, value) = line.split_once(':').ok_or(CredentialError::InvalidHeader)?;
        let name: HeaderName = name.trim().parse().map_err(|_| CredentialError::InvalidHeader)?;
        if name == header::COOKIE {
            return self.add_cookies(value);
        }
        if name == header::USER_AGENT {
            return Err(CredentialError::UserAgent);
        }
        if RESERVED_HEADERS.contains(&name.as_str()) {
            return Err(CredentialError::ReservedHeader(name.to_string()));
        }
        let mut value: HeaderValue = value.trim().parse().map_err(|_| CredentialError::InvalidHeader)?;
        value.set_sensitive(true);
        self.headers.append(name, value);
        let bytes: usize = self.headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
        if bytes > MAX_GIVEN_BYTES { Err(CredentialError::TooLarge) } else { Ok(()) }
    }

    /// Adds cookies, `NAME=VALUE; NAME=VALUE`.
    pub fn add_cookies(&mut self, line: &str) -> Result<(), CredentialError> {
        let parts = line.split(';').map(str::trim).filter(|part| !part.is_empty());
        let mut is_empty = true;
        for part in parts {
            let (name, value) = part.split_once('=').ok_or(CredentialError::InvalidCookie)?;
            let cookie = given_cookie(name, value, "/").ok_or(CredentialError::InvalidCookie)?;
            self.add_cookie(cookie)?;
            is_empty = false;
        }
        if is_empty { Err(CredentialError::InvalidCookie) } else { Ok(()) }
    }

    /// Adds the cookies of a file in Netscape format that are for this origin and have not expired. Returns how
    /// many.
    pub fn add_cookie_file(&mut self, text: &str) -> Result<usize, CredentialError> {
        let now =
            SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
        let host = self.url.host_str().unwrap_or_default().to_owned();
        let mut added = 0;
        for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            // Cookies that scripts cannot read have this prefix; other lines with # are comments.
            let line = line.strip_prefix("#HttpOnly_").unwrap_or(line);
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let invalid = CredentialError::InvalidCookieLine { line: at + 1 };
            let fields: Vec<&str> = line.splitn(7, '\t').collect();
            let [domain, subdomains, path, secure, expires, name, value] = fields[..] else {
                return Err(invalid);
            };
            let expires: u64 = expires.trim().parse().map_err(|_| invalid.clone())?;
            let cookie = given_cookie(name, value, path).ok_or_else(|| invalid.clone())?;
            let domain = domain.trim().trim_start_matches('.').to_ascii_lowercase();
            let is_subdomain = subdomains.trim().eq_ignore_ascii_case("true")
                && !domain.is_empty()
                && host.strip_suffix(domain.as_str()).is_some_and(|rest| rest.ends_with('.'));
            let is_secure = secure.trim().eq_ignore_ascii_case("true");
            let is_for_origin =
                (host == domain || is_subdomain) && (!is_secure || self.url.scheme() == "https");
            // 0 means until the browser is closed
            if is_for_origin && (expires == 0 || expires > now) {
                self.add_cookie(cookie)?;
                added += 1;
            }
        }
        if added == 0 { Err(CredentialError::NoCookieForHost { host }) } else { Ok(added) }
    }

    fn add_cookie(&mut self, cookie: GivenCookie) -> Result<(), CredentialError> {
        self.cookies.retain(|old| (&old.name, &old.path) != (&cookie.name, &cookie.path));
        self.cookies.push(cookie);
        let bytes: usize = self
            .cookies
            .iter()
            .map(|cookie| cookie.name.len() + cookie.value.len() + cookie.path.len())
            .sum();
        if bytes > MAX_GIVEN_BYTES { Err(CredentialError::TooLarge) } else { Ok(()) }
    }

    /// True if a URL is of this origin.
    pub(crate) fn are_for(&self, url: &Url) -> bool {
        url.origin() == self.origin
    }

    /// The names of the headers.
    #[cfg(feature = "egress")]
    pub(crate) fn header_names(&self) -> impl Iterator<Item = &HeaderName> {
        self.headers.keys()
    }

    /// Adds the headers and cookies to a request, if its URL is of this origin. `jar` has the cookies that the
    /// server set in this run; they replace given ones of the same name.
    pub(crate) fn add_to(&self, url: &Url, headers: &mut HeaderMap, jar: Option<&str>) {
        if !self.are_for(url) {
            return;
        }
        for (name, value) in &self.headers {
            headers.append(name.clone(), value.clone());
        }
        let set_by_server = |name: &str| {
            let pairs = jar.unwrap_or_default().split("; ").filter_map(|pair| pair.split_once('='));
            pairs.into_iter().any(|(own, _)| own == name)
        };
        let matching =
            self.cookies.iter().filter(|cookie| cookie.matches(url) && !set_by_server(&cookie.name));
        let given = matching.map(|cookie| format!("{}={}", cookie.name, cookie.value));
        let pairs: Vec<String> = given.chain(jar.map(str::to_owned)).collect();
        if let Ok(mut value) = HeaderValue::try_from(pairs.join("; "))
            && !pairs.is_empty()
        {
            value.set_sensitive(true);
            headers.insert(header::COOKIE, value);
        }
    }
}

impl GivenCookie {
    fn matches(&self, url: &Url) -> bool {
        let rest = url.path().strip_prefix(self.path.as_str());
        rest.is_some_and(|rest| rest.is_empty() || self.path.ends_with('/') || rest.starts_with('/'))
    }
}

/// A cookie whose characters may be in a header.
fn given_cookie(name: &str, value: &str, path: &str) -> Option<GivenCookie> {
    let (name, value) = (name.trim(), value.trim());
    let is_plain = |text: &str| text.bytes().all(|byte| (0x20..0x7f).contains(&byte) && byte != b';');
    let is_name = !name.is_empty() && is_plain(name) && !name.contains(['=', ' ', ',']);
    let path = if path.trim().starts_with('/') { path.trim() } else { "/" };
    (is_name && is_plain(value)).then(|| GivenCookie {
        name: name.to_owned(),
        value: value.to_owned(),
        path: path.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn credentials(url: &str) -> OriginCredentials {
        OriginCredentials::for_url(url).unwrap()
    }

    fn sent(credentials: &OriginCredentials, url: &str, jar: Option<&str>) -> Vec<(String, String)> {
        let mut headers = HeaderMap::new();
        credentials.add_to(&url.parse().unwrap(), &mut headers, jar);
        let text = |value: &HeaderValue| value.to_str().unwrap().to_owned();
        headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect()
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn only_the_origin_gets_headers_and_cookies() {
        let mut own = credentials("https://shop.example/list");
        own.add_header("X-Token: s3cret").unwrap();
        own.add_cookies("sid=1; lang=en").unwrap();
        let all = [pair("x-token", "s3cret"), pair("cookie", "sid=1; lang=en")];
        assert_eq!(sent(&own, "https://shop.example:443/other?x", None), all);
        for other in [
            "http://shop.example/",
            "https://www.shop.example/",
            "https://shop.example:8443/",
            "https://b.example/",
        ] {
            assert_eq!(sent(&own, other, Some("k=v")), [], "{other}");
        }
        let merged = sent(&own, "https://shop.example/", Some("sid=2; new=3"));
        assert_eq!(merged[1], pair("cookie", "lang=en; sid=2; new=3"), "the server renews a cookie");
        assert_eq!(format!("{own:?}"), "OriginCredentials(https://shop.example, 1 headers, 2 cookies)");
    }

    #[test]
    fn cookie_files_are_read_for_the_origin() {
        let file = "# Netscape HTTP Cookie File\n\n\
            shop.example\tFALSE\t/\tFALSE\t0\tsession\tabc\n\
            #HttpOnly_.shop.example\tTRUE\t/account\tTRUE\t9999999999\tid\tx=y\n\
            .example\tTRUE\t/\tFALSE\t0\twide\t1\n\
            other.example\tTRUE\t/\tFALSE\t0\tother\t1\n\
            shop.example\tFALSE\t/\tFALSE\t1000000000\told\t1\n";
        let mut own = credentials("https://shop.example/");
        assert_eq!(own.add_cookie_file(file), Ok(3));
        assert_eq!(sent(&own, "https://shop.example/x", None), [pair("cookie", "session=abc; wide=1")]);
        let account = sent(&own, "https://shop.example/account/1", None);
        assert_eq!(account, [pair("cookie", "session=abc; id=x=y; wide=1")]);
        // secure cookies are not sent over http, and a host is not a subdomain by its last letters
        assert_eq!(credentials("http://shop.example/").add_cookie_file(file), Ok(2));
        let none = credentials("https://myshop.example.org/").add_cookie_file(file);
        assert_eq!(none, Err(CredentialError::NoCookieForHost { host: "myshop.example.org".into() }));
        assert_eq!(credentials("https://workshop.example/").add_cookie_file(file), Ok(1), ".example only");
    }

    #[test]
    fn hostile_lines_are_refused_without_showing_them() {
        let mut own = credentials("https://shop.example/");
        for line in [
            "X-Token s3cret",
            ": s3cret",
            "X Y: s3cret",
            "X: s3cret\r\nHost: evil",
            "X: s3\0cret",
            "X: s\u{1b}[31m",
        ] {
            let error = own.add_header(line).unwrap_err();
            assert!(!error.to_string().contains("s3cret"), "{error}");
        }
        for line in ["Host: a", "transfer-encoding: chunked", "Proxy-Authorization: s3cret", "User-Agent: x"]
        {
            assert!(own.add_header(line).is_err(), "{line}");
        }
        for line in ["", "s3cret", "=s3cret", "a=s3\ncret", "a b=s3cret", "a=s3cret\u{7f}", "ä=1"] {
            let error = own.add_cookies(line).unwrap_err();
            assert!(!error.to_string().contains("s3cret"), "{error}");
        }
        for file in [
            "s3cret",
            "a\tb\tc\td\te\tf\tg",
            "a\tTRUE\t/\tTRUE\t-1\tn\ts3cret",
            "a\tTRUE\t/\tTRUE\t0\t\ts3cret",
        ] {
            let error = own.add_cookie_file(&format!("# ok\n{file}\n")).unwrap_err();
            assert_eq!(error, CredentialError::InvalidCookieLine { line: 2 });
        }
        assert!(own.is_empty());
        let long = format!("X: {}", "a".repeat(MAX_GIVEN_BYTES));
        assert_eq!(own.add_header(&long), Err(CredentialError::TooLarge));
        for url in ["", "x", "file:///etc/passwd", "data:text/html,x", "ftp://a.example/"] {
            assert!(OriginCredentials::for_url(url).is_err(), "{url}");
        }
    }
}
