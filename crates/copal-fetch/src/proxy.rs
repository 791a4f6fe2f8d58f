//! Which proxy a request goes through: the usual variables, read once. A proxy looks names up by itself, so behind one
//! only literal addresses and local names can be checked; hosts of this machine or network are never asked through it.

use hyper_util::client::proxy::matcher::Matcher;

use crate::target::Target;
use crate::{FetchError, FetchOptions, Proxies};

/// The variables, as read when the fetcher was made.
#[derive(Debug)]
pub(crate) struct Environment {
    matcher: Option<Matcher>,
}

impl Environment {
    pub(crate) fn read(options: &FetchOptions) -> Self {
        if options.proxies == Proxies::None {
            return Self { matcher: None };
        }
        let given = options.hooks.environment.as_ref();
        let value = |name: &str| match given {
            Some(given) => given.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone()),
            None => std::env::var(name).ok(),
        };
        let either =
            |name: &str| value(name).or_else(|| value(&name.to_ascii_lowercase())).unwrap_or_default();
        // in a CGI program HTTP_PROXY is what a client sent as its header "Proxy"
        let http = if value("REQUEST_METHOD").is_some() { String::new() } else { either("HTTP_PROXY") };
        let builder = Matcher::builder().http(http).https(either("HTTPS_PROXY"));
        Self { matcher: Some(builder.all(either("ALL_PROXY")).no(either("NO_PROXY")).build()) }
    }

    /// The proxy for a page, if it goes through one.
    pub(crate) fn proxy_for(&self, target: &Target) -> Result<Option<Proxy>, FetchError> {
        if target.is_local() {
            return Ok(None);
        }
        let Some(matcher) = &self.matcher else { return Ok(None) };
        let Ok(uri) = target.url.as_str().parse() else { return Ok(None) };
        let Some(found) = matcher.intercept(&uri) else { return Ok(None) };
        let address = found.uri().to_string();
        let wrong = |reason: &str| FetchError::Proxy { proxy: address.clone(), reason: reason.to_owned() };
        if !matches!(found.uri().scheme_str(), Some("http" | "https")) {
            return Err(wrong("expected http: or https:, other kinds of proxies are not supported"));
        }
        let mut proxy = reqwest::Proxy::all(address.as_str()).map_err(|error| wrong(&error.to_string()))?;
        if let Some(secret) = found.basic_auth() {
            proxy = proxy.custom_http_auth(secret.clone());
        }
        Ok(Some(Proxy { address, proxy }))
    }
}

/// A proxy, and the address that tells it apart.
pub(crate) struct Proxy {
    pub(crate) address: String,
    pub(crate) proxy: reqwest::Proxy,
}
