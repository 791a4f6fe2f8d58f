//! The cookies of one run, in memory. `Set-Cookie` headers go in, `Cookie` headers come out.
//!
//! A cookie is sent only to the host that set it. With a `Domain` it is also sent to the same name with or
//! without `www.`, but to no other host. That is less than browsers do, but it needs no list of public
//! suffixes, which could be out of date.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use url::Url;

use crate::sync::lock;

const MAX_COOKIE_HOSTS: usize = 1000;
const MAX_COOKIES_PER_HOST: usize = 50;
const MAX_COOKIE_BYTES: usize = 4096;

/// All cookies, by host without `www.`.
#[derive(Debug, Default)]
pub(crate) struct CookieJar {
    hosts: Mutex<HashMap<String, Vec<Cookie>>>,
}

#[derive(Debug, Clone)]
struct Cookie {
    name: String,
    value: String,
    /// The only host that gets it; `None` for the name with and without `www.`.
    only_host: Option<String>,
    path: String,
    secure: bool,
    expires: Option<SystemTime>,
}

impl CookieJar {
    /// Stores the cookie of a `Set-Cookie` header.
    pub(crate) fn set(&self, url: &Url, header: &str) {
        let now = SystemTime::now();
        let Some(cookie) = Cookie::parse(url, header, now) else { return };
        let mut hosts = lock(&self.hosts);
        let key = host_without_www(url).to_owned();
        if hosts.len() >= MAX_COOKIE_HOSTS && !hosts.contains_key(&key) {
            return;
        }
        let cookies = hosts.entry(key).or_default();
        cookies.retain(|old| !old.is_replaced_by(&cookie));
        if cookie.is_alive(now) {
            if cookies.len() >= MAX_COOKIES_PER_HOST {
                cookies.remove(0);
            }
            cookies.push(cookie);
        }
    }

    /// The `Cookie` header for a request, longest path first.
    pub(crate) fn header(&self, url: &Url) -> Option<String> {
        let now = SystemTime::now();
        let hosts = lock(&self.hosts);
        let mut matching: Vec<&Cookie> = hosts
            .get(host_without_www(url))?
            .iter()
            .filter(|cookie| cookie.is_alive(now) && cookie.matches(url))
            .collect();
        matching.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let pairs: Vec<String> =
            matching.iter().map(|cookie| format!("{}={}", cookie.name, cookie.value)).collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }
}

impl Cookie {
    fn parse(url: &Url, header: &str, now: SystemTime) -> Option<Self> {
        if header.len() > MAX_COOKIE_BYTES || header.chars().any(char::is_control) {
            return None;
        }
        let mut parts = header.split(';').map(str::trim);
        let (name, value) = parts.next()?.split_once('=')?;
        let host = url.host_str()?.to_owned();
        let mut cookie = Self {
            name: name.trim().to_owned(),
            value: value.trim().to_owned(),
            only_host: Some(host),
            path: default_path(url.path()).to_owned(),
            secure: false,
            expires: None,
        };
        let mut max_age = None;
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            match key.trim().to_ascii_lowercase().as_str() {
                "domain" => {
                    let domain = value.trim().trim_start_matches('.').to_ascii_lowercase();
                    let host = url.host_str()?;
                    if domain != host && !host.ends_with(&format!(".{domain}")) {
                        return None;
                    }
                    if domain == host_without_www(url) {
                        cookie.only_host = None;
                    }
                }
                "path" if value.starts_with('/') => value.trim().clone_into(&mut cookie.path),
                "secure" => cookie.secure = true,
                "max-age" => max_age = value.trim().parse::<i64>().ok(),
                "expires" => cookie.expires = httpdate::parse_http_date(&value.trim().replace('-', " ")).ok(),
                _ => {}
            }
        }
        if let Some(seconds) = max_age {
            let age = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
            cookie.expires = if seconds <= 0 { Some(SystemTime::UNIX_EPOCH) } else { now.checked_add(age) };
        }
        let scheme_allowed = !cookie.secure || url.scheme() == "https";
        let host_prefix_valid =
            !cookie.name.starts_with("__Host-") || (cookie.secure && cookie.only_host.is_some());
        let secure_prefix_valid = !cookie.name.starts_with("__Secure-") || cookie.secure;
        (!cookie.name.is_empty() && scheme_allowed && host_prefix_valid && secure_prefix_valid)
            .then_some(cookie)
    }

    fn is_replaced_by(&self, other: &Self) -> bool {
        (&self.name, &self.path, &self.only_host) == (&other.name, &other.path, &other.only_host)
    }

    fn is_alive(&self, now: SystemTime) -> bool {
        self.expires.is_none_or(|expires| expires > now)
    }

    fn matches(&self, url: &Url) -> bool {
        let host = self.only_host.as_deref().is_none_or(|only| url.host_str() == Some(only));
        let rest = url.path().strip_prefix(self.path.as_str());
        let path =
            rest.is_some_and(|rest| rest.is_empty() || self.path.ends_with('/') || rest.starts_with('/'));
        host && path && (!self.secure || url.scheme() == "https")
    }
}

fn host_without_www(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host)
}

/// The path up to the last slash, without it.
fn default_path(path: &str) -> &str {
    match path.rfind('/') {
        Some(end) if end > 0 => &path[..end],
        _ => "/",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cookies that are sent to `receiver` after `setter` set `headers`.
    fn sent(setter: &str, headers: &[&str], receiver: &str) -> Option<String> {
        let jar = CookieJar::default();
        for header in headers {
            jar.set(&setter.parse().unwrap(), header);
        }
        jar.header(&receiver.parse().unwrap())
    }

    #[test]
    fn cookies_are_sent_to_their_host_only() {
        let https = "https://a.example/x/y";
        assert_eq!(
            sent(https, &["k=v", "l=w; Path=/"], "https://a.example/x/z").as_deref(),
            Some("k=v; l=w")
        );
        assert_eq!(sent(https, &["k=v", "l=w; Path=/"], "https://a.example/xx").as_deref(), Some("l=w"));
        assert_eq!(sent(https, &["k=v; path=/"], "https://b.example/"), None);
        assert_eq!(sent(https, &["k=v; path=/; domain=example"], "https://b.example/"), None);
        assert_eq!(sent(https, &["k=v; path=/; domain=b.example"], "https://b.example/"), None);
        assert_eq!(sent(https, &["k=v; path=/; secure"], "http://a.example/"), None);
        assert_eq!(sent("http://a.example/", &["k=v; path=/; secure"], https), None);
        assert_eq!(
            sent("https://www.a.co.uk/", &["k=v; domain=.a.co.uk"], "https://a.co.uk/").as_deref(),
            Some("k=v")
        );
        assert_eq!(sent("https://www.a.co.uk/", &["k=v"], "https://a.co.uk/"), None);
        assert_eq!(sent("https://www.a.co.uk/", &["k=v; domain=co.uk"], "https://www.b.co.uk/"), None);
    }

    #[test]
    fn cookies_expire() {
        let url = "http://a.example/";
        assert_eq!(sent(url, &["k=v", "k=w"], url).as_deref(), Some("k=w"));
        assert_eq!(sent(url, &["k=v", "k=; Max-Age=0"], url), None);
        assert_eq!(sent(url, &["k=v", "k=; expires=Thu, 01-Jan-1970 00:00:00 GMT"], url), None);
        assert_eq!(sent(url, &["k=v; max-age=9223372036854775807"], url).as_deref(), Some("k=v"));
        assert_eq!(sent(url, &["=v", "novalue", "a\u{1}=b", "__Host-x=1", "__Secure-x=1"], url), None);
        let many: Vec<String> = (0..200).map(|n| format!("k{n}=v")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(sent(url, &many, url).unwrap().split("; ").count(), MAX_COOKIES_PER_HOST);
    }
}
