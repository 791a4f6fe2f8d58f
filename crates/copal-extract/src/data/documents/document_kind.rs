//! Which documents are pages and which are data.
//!
//! In: the content type that a server stated, and the bytes of the document. Out: [`DocumentKind`], and the
//! charset that an XML declaration names. Servers often state wrong types, so the first bytes decide where
//! the type says little. O(1), except that a text which begins like JSON is parsed: O(size).

/// The kind of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DocumentKind {
    /// HTML, XHTML or an MHTML archive.
    Page,
    /// JSON or JSON lines.
    Json,
    /// RSS, Atom or another XML list.
    Xml,
    /// Anything else, in words for a message.
    Other(&'static str),
}

/// Decides the kind of a document by the content type that its server states (lower case, without parameters)
/// and by its first bytes.
pub fn document_kind(content_type: Option<&str>, bytes: &[u8]) -> DocumentKind {
    let stated = content_type.unwrap_or_default();
    let by_bytes = kind_of_bytes(bytes);
    match stated {
        "application/json" | "text/json" | "application/x-ndjson" | "application/jsonl" => DocumentKind::Json,
        other if other.ends_with("+json") => DocumentKind::Json,
        // servers often state these types for feeds too
        "text/html" | "application/xhtml+xml" => {
            if by_bytes == DocumentKind::Xml {
                DocumentKind::Xml
            } else {
                DocumentKind::Page
            }
        }
        "" | "text/plain" | "application/octet-stream" | "binary/octet-stream" => by_bytes,
        "multipart/related" | "message/rfc822" => DocumentKind::Page,
        "application/xml" | "text/xml" => {
            if is_html(bytes) {
                DocumentKind::Page
            } else {
                DocumentKind::Xml
            }
        }
        other if other.ends_with("+xml") && other != "image/svg+xml" => DocumentKind::Xml,
        other => other_kind(other),
    }
}

/// The kind of a document with a content type that is not data; texts are read as pages.
fn other_kind(stated: &str) -> DocumentKind {
    DocumentKind::Other(match stated.split('/').next().unwrap_or_default() {
        "image" => "an image",
        "audio" => "a sound file",
        "video" => "a video",
        "font" => "a font",
        _ if stated == "application/pdf" => "a PDF document",
        _ if stated.contains("zip") || stated.contains("compressed") || stated.contains("x-tar") => {
            "an archive"
        }
        _ if stated.contains("javascript") => "a script",
        _ if stated == "text/css" => "a stylesheet",
        _ if stated.contains("officedocument")
            || stated.contains("opendocument")
            || stated.contains("ms-") =>
        {
            "an office document"
        }
        _ if stated.starts_with("text/") => return DocumentKind::Page,
        _ => "a file that is no page",
    })
}

/// The kind of a document by its first bytes alone.
fn kind_of_bytes(bytes: &[u8]) -> DocumentKind {
    let start = first_bytes(bytes);
    let is_json = matches!(start.first(), Some(b'{' | b'['))
        && start.get(1).is_some_and(|b| {
            // brackets in text, such as wiki links or templates, are not JSON
            matches!(
                b,
                b'"' | b'{' | b'[' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t' | b'-' | b'0'
                    ..=b'9' | b't' | b'f' | b'n'
            )
        });
    let parses = || serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok() || is_json_lines(bytes);
    if is_json && parses() {
        return DocumentKind::Json;
    }
    let named = |name: &str| {
        let rest = start.strip_prefix(name.as_bytes());
        rest.is_some_and(|rest| {
            rest.first().is_none_or(|b| matches!(b, b' ' | b'>' | b'\n' | b'\r' | b'\t' | b':'))
        })
    };
    let declared = start.starts_with(b"<?xml") && !is_html(bytes);
    let is_feed = ["<rss", "<feed", "<rdf:RDF", "<urlset", "<sitemapindex"].into_iter().any(named);
    if declared || is_feed { DocumentKind::Xml } else { DocumentKind::Page }
}

/// True for JSON lines: the first line is an object.
fn is_json_lines(bytes: &[u8]) -> bool {
    let line = bytes.split(|b| *b == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    line.trim_ascii().starts_with(b"{") && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok()
}

/// The bytes without a leading byte order mark and white space.
fn first_bytes(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.trim_ascii_start()
}

/// True for XML whose first kilobytes have an `html` element or its document type.
fn is_html(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(2048)];
    let lower = head.to_ascii_lowercase();
    let has = |what: &[u8]| lower.windows(what.len()).any(|window| window == what);
    has(b"<html") || has(b"<!doctype html")
}

/// The charset that an XML declaration names.
pub fn declared_charset(bytes: &[u8]) -> Option<&str> {
    let start = first_bytes(bytes);
    let declaration = start.strip_prefix(b"<?xml")?;
    let declaration =
        std::str::from_utf8(declaration.get(..declaration.len().min(200))?.split(|b| *b == b'?').next()?)
            .ok()?;
    let rest = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    rest[1..].split(quote).next().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_type_and_first_bytes_decide_the_kind() {
        assert_eq!(document_kind(Some("text/html"), b"<p>x"), DocumentKind::Page);
        assert_eq!(document_kind(Some("application/json"), b"nonsense"), DocumentKind::Json);
        assert_eq!(document_kind(Some("application/geo+json"), b"{}"), DocumentKind::Json);
        assert_eq!(document_kind(None, b" [{\"a\": 1}]"), DocumentKind::Json);
        assert_eq!(document_kind(None, b"{\"a\": 1}\n{\"a\": 2}\n"), DocumentKind::Json);
        assert_eq!(document_kind(None, b"[[wiki]] text <p>x"), DocumentKind::Page);
        assert_eq!(document_kind(None, b"{ not json }<p>x"), DocumentKind::Page);
        assert_eq!(document_kind(Some("application/rss+xml"), b"<rss>"), DocumentKind::Xml);
        assert_eq!(
            document_kind(Some("text/html"), b"<?xml version='1.0'?><rss version=2>"),
            DocumentKind::Xml
        );
        assert_eq!(
            document_kind(Some("text/xml"), b"<?xml version='1.0'?><!DOCTYPE html><html>"),
            DocumentKind::Page
        );
        assert_eq!(document_kind(None, b"\xef\xbb\xbf<?xml version='1.0'?><things>"), DocumentKind::Xml);
        assert_eq!(document_kind(None, b"<feedback>x"), DocumentKind::Page);
        assert_eq!(
            document_kind(Some("application/pdf"), b"%PDF-1.7"),
            DocumentKind::Other("a PDF document")
        );
        assert_eq!(document_kind(Some("image/png"), b""), DocumentKind::Other("an image"));
    }

    #[test]
    fn charset_of_an_xml_declaration_is_read() {
        assert_eq!(declared_charset(b"<?xml version='1.0' encoding='ISO-8859-1'?><a/>"), Some("ISO-8859-1"));
        assert_eq!(declared_charset(b"<?xml version='1.0'?><a encoding='x'/>"), None);
        assert_eq!(declared_charset(b"<a/>"), None);
    }
}
