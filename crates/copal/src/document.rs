//! Bytes that came from somewhere: a page, or data.
//!
//! In: bytes and what their sender said of them. Out: a [`Page`], or the lists of a JSON document or feed.

use crate::Options;
use copal_dom::{DecodeError, Page, PageSource};
use copal_extract::Answer;
use copal_extract::data::documents::{self as data, DocumentError, DocumentKind, DocumentOptions};

/// What is known of a document that was received.
#[derive(Debug, Clone, Default)]
pub struct Received {
    /// Where it came from.
    pub url: Option<String>,
    /// The type the server stated (`text/html`), small letters, without parameters.
    pub content_type: Option<String>,
    /// The charset the server stated.
    pub charset: Option<String>,
}

/// A document that was read.
#[derive(Debug)]
pub enum Document {
    /// A page, to be extracted.
    Page(Box<Page>),
    /// JSON or a feed: its lists.
    Data(Box<Answer>),
}

/// Why a document cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It is no text.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// It is none of the kinds that are read.
    #[error("{0}, not a web page (HTML, JSON and feeds are read)")]
    Kind(&'static str),
    /// It says it is JSON or XML, and is not.
    #[error(transparent)]
    Malformed(#[from] DocumentError),
}

/// Reads a document: a page becomes a tree, data becomes its lists.
pub fn read(bytes: &[u8], received: &Received, options: &Options) -> Result<Document, ReadError> {
    let kind = data::document_kind(received.content_type.as_deref(), bytes);
    let mut charset = received.charset.clone();
    match kind {
        DocumentKind::Page => {
            let source = PageSource { url: received.url.clone(), charset };
            return Ok(Document::Page(Box::new(Page::from_bytes(bytes, source, &options.limits)?)));
        }
        DocumentKind::Other(what) => return Err(ReadError::Kind(what)),
        // always UTF-8 (RFC 8259)
        DocumentKind::Json => charset = Some("utf-8".to_owned()),
        DocumentKind::Xml => charset = charset.or_else(|| data::declared_charset(bytes).map(str::to_owned)),
    }
    let decoded = copal_dom::decode::decode(bytes, charset.as_deref(), options.limits.bytes)?;
    let read = if kind == DocumentKind::Json { data::read_json } else { data::read_xml };
    let document_options = DocumentOptions { all: options.extract.all, method: options.extract.lists.method };
    let mut extraction = read(&decoded.text, received.url.as_deref(), document_options)?;
    extraction.warnings.splice(0..0, decoded.warnings);
    Ok(Document::Data(Box::new(extraction)))
}
