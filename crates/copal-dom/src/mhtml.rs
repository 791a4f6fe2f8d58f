//! Saved pages in one file (MHTML, RFC 2557).
//!
//! In: bytes that begin with mail headers. Out: the first HTML part, its URL and the archive's stylesheets.
//! O(bytes). The mail parser has its own limit on nesting.

use mail_parser::{MessageParser, MimeHeaders, PartType};

/// The parts of an archive that a page is made from.
pub(crate) struct MhtmlArchive {
    pub(crate) html: Vec<u8>,
    pub(crate) charset: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) stylesheets: Vec<SavedStylesheet>,
}

/// A stylesheet that was saved with a page.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SavedStylesheet {
    /// The URL that the page links to; `cid:` and the part's id if it has no other.
    pub url: String,
    /// Its text.
    pub text: String,
}

/// True if the bytes begin like an MHTML file: mail headers, one of them a multipart content type.
pub(crate) fn is_mhtml(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let head = head.trim_start();
    let header_first =
        ["mime-version:", "from:", "content-type:", "subject:", "date:", "snapshot-content-location:"]
            .iter()
            .any(|name| head.starts_with(name));
    header_first && head.contains("content-type:") && head.contains("multipart/")
}

pub(crate) fn read(bytes: &[u8]) -> Option<MhtmlArchive> {
    let message = MessageParser::default().parse(bytes)?;
    let (mut html, mut charset, mut url) = (None, None, None);
    let mut stylesheets = Vec::new();
    for part in &message.parts {
        let subtype = part.content_type().and_then(|t| t.c_subtype.as_deref()).unwrap_or_default();
        let text = |body: &PartType<'_>| match body {
            // the mail parser has already decoded these to UTF-8
            PartType::Text(text) | PartType::Html(text) => {
                Some((text.as_bytes().to_vec(), Some("utf-8".to_owned())))
            }
            PartType::Binary(bytes) | PartType::InlineBinary(bytes) => Some((bytes.to_vec(), None)),
            _ => None,
        };
        let is_html = matches!(part.body, PartType::Html(_)) || subtype.eq_ignore_ascii_case("xhtml+xml");
        if is_html && html.is_none() {
            if let Some((bytes, known)) = text(&part.body) {
                html = Some(bytes);
                charset = known;
                url = part.content_location().map(str::to_owned);
            }
        } else if subtype.eq_ignore_ascii_case("css")
            && let Some((bytes, _)) = text(&part.body)
        {
            let id = || part.content_id().map(|id| format!("cid:{id}"));
            let url = part.content_location().map(str::to_owned).or_else(id).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            stylesheets.push(SavedStylesheet { url, text });
        }
    }
    Some(MhtmlArchive { html: html?, charset, url, stylesheets })
}
