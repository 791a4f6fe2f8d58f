//! Documents as they were received: a page, or data.
//!
//! In: bytes and what their sender said about them. Out: a [`Page`], or the lists of a JSON document or feed;
//! and the answer for either, in one call ([`extract_html`], [`extract_bytes`]). Linear in the bytes, which
//! are limited.

use crate::data::documents::{self as data, DocumentError, DocumentKind};
use crate::pipeline::extract;
use crate::request::Request;
use copal_css::Stylesheets;
use copal_dom::warc::is_warc;
use copal_dom::{DecodeError, Page, PageSource};
use copal_model::Answer;

/// What is known about a document that was received.
#[derive(Debug, Clone, Default)]
pub struct Received {
    /// Where it came from.
    pub url: Option<String>,
    /// The type that the server stated (`text/html`), in lower case, without parameters.
    pub content_type: Option<String>,
    /// The charset that the server stated.
    pub charset: Option<String>,
}

/// A document that was read.
#[derive(Debug)]
pub enum Document {
    /// A page, to be extracted.
    Page(Box<Page>),
    /// The lists of JSON or a feed.
    Data(Box<Answer>),
}

/// Why a document cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It is not text.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// It is of a kind that is not supported.
    #[error("{0}, not a web page (HTML, JSON and feeds are read)")]
    Kind(&'static str),
    /// It claims to be JSON or XML, and is not.
    #[error(transparent)]
    Malformed(#[from] DocumentError),
}

/// Reads a document: a page becomes a tree, data becomes its lists.
pub fn read(bytes: &[u8], received: &Received, request: &Request) -> Result<Document, ReadError> {
    // servers state any type for archives
    if is_warc(bytes) {
        return Err(DecodeError::WebArchive.into());
    }
    let kind = data::document_kind(received.content_type.as_deref(), bytes);
    let mut charset = received.charset.clone();
    match kind {
        DocumentKind::Page => {
            let source = PageSource { url: received.url.clone(), charset };
            let mut page = Page::from_bytes(bytes, source, &request.limits)?;
            add_styles(&mut page, request);
            return Ok(Document::Page(Box::new(page)));
        }
        DocumentKind::Other(what) => return Err(ReadError::Kind(what)),
        // always UTF-8 (RFC 8259)
        DocumentKind::Json => charset = Some("utf-8".to_owned()),
        DocumentKind::Xml => charset = charset.or_else(|| data::declared_charset(bytes).map(str::to_owned)),
    }
    let decoded = copal_dom::decode::decode(bytes, charset.as_deref(), request.limits.bytes)?;
    let read = if kind == DocumentKind::Json { data::read_json } else { data::read_xml };
    let mut answer = read(&decoded.text, received.url.as_deref(), request)?;
    answer.warnings.splice(0..0, decoded.warnings);
    Ok(Document::Data(Box::new(answer)))
}

/// Computes the styles of a page from its own stylesheets, if the request says so.
fn add_styles(page: &mut Page, request: &Request) {
    if request.stylesheets {
        copal_css::style_page(page, &Stylesheets::saved_with(page));
    }
}

/// The answer for a page given as text. Never fails: a page without a list or an object has an empty answer.
pub fn extract_html(html: &str, request: &Request) -> Answer {
    let mut page = Page::from_text(html, &request.limits);
    page.url.clone_from(&request.url);
    add_styles(&mut page, request);
    extract(&page, request)
}

/// The answer for a page given as bytes in any encoding, or as an MHTML archive. JSON and XML feeds have
/// lists too.
pub fn extract_bytes(bytes: &[u8], request: &Request) -> Result<Answer, ReadError> {
    match read(bytes, &Received { url: request.url.clone(), ..Received::default() }, request)? {
        Document::Page(page) => Ok(extract(&page, request)),
        Document::Data(answer) => Ok(*answer),
    }
}
