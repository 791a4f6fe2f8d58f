//! Decides which proxy a request goes through, from the usual environment variables, which are read once.
//!
//! A proxy looks up names itself, so only literal addresses and local names can be checked when one is used.
//! Hosts of this machine or network are never contacted through a proxy.

use hyper_util::client::proxy::matcher::Matcher;

use crate::allowed_url::AllowedUrl;
use crate::error::FetchError;
use crate::options::{FetchOptions, ProxySource};

/// The proxy variables, as they were when the fetcher was created.
#[derive(Debug)]
pub(crate) struct ProxySettings {
    matcher: Option<Matcher>,
}

impl ProxySettings {
    pub(crate) fn read(options: &FetchOptions) -> Self {
        match &options.proxies {
            ProxySource::None => return Self { matcher: None },
            ProxySource::Url(url) => {
                return Self { matcher: Some(Matcher::builder().all(url.as_str()).build()) };
            }
            ProxySource::Environment => {}
        }
        let replaced = options.hooks.environment.as_ref();
        let variable = |name: &str| match replaced {
            Some(pairs) => pairs.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone()),
            None => std::env::var(name).ok(),
        };
        let either_case =
            |name: &str| variable(name).or_else(|| variable(&name.to_ascii_lowercase())).unwrap_or_default();
        // In a CGI program HTTP_PROXY is the "Proxy" header that the client sent, so it cannot be trusted.
        let is_cgi = variable("REQUEST_METHOD").is_some();
        let http = if is_cgi { String::new() } else { either_case("HTTP_PROXY") };
        let builder = Matcher::builder().http(http).https(either_case("HTTPS_PROXY"));
        Self { matcher: Some(builder.all(either_case("ALL_PROXY")).no(either_case("NO_PROXY")).build()) }
    }

    /// The proxy for a page, or nothing if the page is fetched directly.
    pub(crate) fn proxy_for(&self, page: &AllowedUrl) -> Result<Option<SelectedProxy>, FetchError> {
        if page.is_local() {
            return Ok(None);
        }
        let Some(matcher) = &self.matcher else { return Ok(None) };
        let Ok(uri) = page.url.as_str().parse() else { return Ok(None) };
        let Some(found) = matcher.intercept(&uri) else { return Ok(None) };
        let url = found.uri().to_string();
        let unusable = |reason: &str| FetchError::Proxy { proxy: url.clone(), reason: reason.to_owned() };
        if !matches!(found.uri().scheme_str(), Some("http" | "https")) {
            return Err(unusable("expected http: or https:, other kinds of proxies are not supported"));
        }
        let mut proxy = reqwest::Proxy::all(url.as_str()).map_err(|error| unusable(&error.to_string()))?;
        if let Some(credentials) = found.basic_auth() {
            proxy = proxy.custom_http_auth(credentials.clone());
        }
        Ok(Some(SelectedProxy { url, proxy }))
    }
}

/// A proxy, and the URL that identifies it.
pub(crate) struct SelectedProxy {
    pub(crate) url: String,
    pub(crate) proxy: reqwest::Proxy,
}
