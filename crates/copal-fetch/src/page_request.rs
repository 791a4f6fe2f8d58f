//! What is asked for: a URL, and the fields of a form if it is sent by POST.

use reqwest::Method;
use reqwest::header::{self, HeaderMap, HeaderValue};

use crate::http_exchange::OutgoingRequest;

/// The media type of a form's fields.
const FORM_TYPE: &str = "application/x-www-form-urlencoded";

/// A request for a page. Everything is a GET request, except forms that are sent by POST.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PageRequest {
    /// The URL.
    pub url: String,
    /// The fields of a form that is sent by POST, encoded as in the query of a URL.
    pub form: Option<String>,
    /// The host is asked even if the cache has the page.
    pub is_fresh: bool,
}

impl PageRequest {
    /// A GET request.
    pub fn get(url: impl Into<String>) -> Self {
        Self { url: url.into(), form: None, is_fresh: false }
    }

    /// A form that is sent by POST. The caller has to know that sending it changes nothing: that it is a search.
    pub fn post(url: impl Into<String>, form: impl Into<String>) -> Self {
        Self { url: url.into(), form: Some(form.into()), is_fresh: false }
    }

    /// The same request, for a page as it is now: not from the cache.
    #[must_use]
    pub fn fresh(self) -> Self {
        Self { is_fresh: true, ..self }
    }

    /// The name under which the response is stored. URLs have no spaces, so that a form has a name of its own.
    pub(crate) fn cache_key(&self, url: &str) -> String {
        match &self.form {
            None => url.to_owned(),
            Some(form) => format!("POST {url} {form}"),
        }
    }
}

impl From<&str> for PageRequest {
    fn from(url: &str) -> Self {
        Self::get(url)
    }
}

/// The request that is sent for a page: POST with the fields of a form, else GET.
pub(crate) fn outgoing(form: Option<&str>, mut headers: HeaderMap) -> OutgoingRequest {
    let Some(form) = form else { return OutgoingRequest::get(headers) };
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(FORM_TYPE));
    OutgoingRequest { method: Method::POST, headers, body: form.as_bytes().to_vec() }
}
