//! Who may ask: the token, and the checks against web pages that ask for the user of a browser.
//!
//! A page in the user's browser can send requests to loopback (CSRF), and with a name of its own that resolves to
//! loopback it could even read the answers (DNS rebinding). So a service without a token accepts only the names of this
//! machine in `Host`, and no service accepts a foreign `Origin`.

use super::problem::Problem;
use axum::http::{HeaderMap, StatusCode, header};
use std::net::SocketAddr;

/// What requests have to show.
#[derive(Debug, Clone)]
pub(crate) struct RequestGuard {
    pub(crate) token: Option<String>,
    pub(crate) address: SocketAddr,
}

impl RequestGuard {
    /// Refuses requests that are not for this service, or without its token. `is_open` is for the health check
    /// and the files of the studio.
    pub(crate) fn check(&self, headers: &HeaderMap, is_open: bool) -> Result<(), Problem> {
        let host = text(headers, &header::HOST);
        if self.token.is_none() && !host.is_some_and(|host| self.is_own_host(host)) {
            let detail = "the Host header is not an address of this service";
            return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "wrong-host", detail)
                .with_hint(format!("use http://{}", self.address)));
        }
        if let Some(origin) = text(headers, &header::ORIGIN) {
            let own = host.is_some_and(|host| origin.eq_ignore_ascii_case(&format!("http://{host}")));
            if !own {
                let detail = "requests of other web pages are not accepted (Origin)";
                return Err(Problem::new(StatusCode::FORBIDDEN, "foreign-origin", detail));
            }
        }
        let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
        if matches!(site, Some("cross-site" | "same-site")) {
            let detail = "requests of other web pages are not accepted (Sec-Fetch-Site)";
            return Err(Problem::new(StatusCode::FORBIDDEN, "foreign-origin", detail));
        }
        match &self.token {
            Some(token) if !is_open => {
                let given =
                    text(headers, &header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
                if given.is_some_and(|given| is_equal(given.trim().as_bytes(), token.as_bytes())) {
                    return Ok(());
                }
                let detail = "the token is missing or wrong: expected Authorization: Bearer TOKEN";
                Err(Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", detail))
            }
            _ => Ok(()),
        }
    }

    /// True for the names of loopback with the port of this service.
    fn is_own_host(&self, host: &str) -> bool {
        let port = format!(":{}", self.address.port());
        let name = host.strip_suffix(&port).unwrap_or(if self.address.port() == 80 { host } else { "" });
        name.eq_ignore_ascii_case("localhost") || matches!(name, "127.0.0.1" | "[::1]")
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Compares without telling by the time it takes how much is right.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let mut difference = one.len() ^ other.len();
    for (at, byte) in one.iter().enumerate() {
        difference |= usize::from(byte ^ other.get(at % other.len().max(1)).copied().unwrap_or(0));
    }
    difference == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (header::HeaderName::from_static(name), value.parse().unwrap()))
            .collect()
    }

    fn status(guard: &RequestGuard, pairs: &[(&'static str, &str)]) -> u16 {
        guard.check(&headers(pairs), false).map_or_else(|problem| problem.status, |()| 200)
    }

    #[test]
    fn without_a_token_only_own_names_are_accepted() {
        let guard = RequestGuard { token: None, address: "127.0.0.1:8080".parse().unwrap() };
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"] {
            assert_eq!(status(&guard, &[("host", host)]), 200, "{host}");
        }
        for host in ["evil.example:8080", "127.0.0.1", "127.0.0.1:81", "localhost.evil.example:8080", ""] {
            assert_eq!(status(&guard, &[("host", host)]), 421, "{host}");
        }
        assert_eq!(status(&guard, &[]), 421);
    }

    #[test]
    fn other_origins_are_refused() {
        let guard = RequestGuard { token: None, address: "127.0.0.1:8080".parse().unwrap() };
        let host = ("host", "127.0.0.1:8080");
        assert_eq!(status(&guard, &[host, ("origin", "http://127.0.0.1:8080")]), 200);
        for origin in ["http://evil.example", "null", "https://127.0.0.1:8080", "http://127.0.0.1:9"] {
            assert_eq!(status(&guard, &[host, ("origin", origin)]), 403, "{origin}");
        }
        assert_eq!(status(&guard, &[host, ("sec-fetch-site", "cross-site")]), 403);
    }

    #[test]
    fn the_token_is_needed_where_there_is_one() {
        let guard = RequestGuard { token: Some("secret".into()), address: "0.0.0.0:80".parse().unwrap() };
        assert_eq!(status(&guard, &[("authorization", "Bearer secret")]), 200);
        for wrong in
            ["Bearer secre", "Bearer secrets", "Bearer ", "secret", "Basic secret", "Bearer secretsecret"]
        {
            assert_eq!(status(&guard, &[("authorization", wrong)]), 401, "{wrong}");
        }
        assert!(guard.check(&headers(&[]), true).is_ok());
    }
}
