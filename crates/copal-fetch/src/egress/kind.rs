//! What a request of the browser is for, from its headers.

use reqwest::header::{HeaderMap, HeaderName};

/// What the browser wants to do with a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestKind {
    /// The page itself.
    Page,
    /// A frame of the page.
    Frame,
    /// A script, a style sheet, data for a script.
    Resource,
    /// An image, a font, sound or video: nothing that has text.
    Media,
}

impl RequestKind {
    /// Browsers send `Sec-Fetch-Dest` only to hosts they call trustworthy (https, loopback), so other headers
    /// decide without it.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let header = |name: &'static str| {
            let value = headers.get(HeaderName::from_static(name)).and_then(|value| value.to_str().ok());
            value.unwrap_or_default()
        };
        match header("sec-fetch-dest") {
            "document" => Self::Page,
            "iframe" | "frame" | "embed" | "object" => Self::Frame,
            "image" | "font" | "audio" | "video" | "track" => Self::Media,
            // Frames have a page that refers to them; a page that was followed by a link has one too, but
            // pages are opened here without links.
            "" if headers.contains_key("upgrade-insecure-requests") => {
                if headers.contains_key("referer") {
                    Self::Frame
                } else {
                    Self::Page
                }
            }
            // "empty": icons of the page, which the browser itself asks for
            "" | "empty" if header("accept").starts_with("image/") => Self::Media,
            _ => Self::Resource,
        }
    }

    /// True for what the rate limiter treats like a page of our own.
    pub(super) fn is_document(self) -> bool {
        matches!(self, Self::Page | Self::Frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_tell_documents_from_media() {
        let kind = |pairs: &[(&'static str, &str)]| {
            let pairs =
                pairs.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()));
            RequestKind::of(&pairs.collect())
        };
        assert_eq!(kind(&[("sec-fetch-dest", "iframe")]), RequestKind::Frame);
        assert_eq!(kind(&[("sec-fetch-dest", "document")]), RequestKind::Page);
        assert_eq!(kind(&[("upgrade-insecure-requests", "1")]), RequestKind::Page);
        assert_eq!(
            kind(&[("upgrade-insecure-requests", "1"), ("referer", "http://a.test/")]),
            RequestKind::Frame
        );
        assert_eq!(kind(&[("sec-fetch-dest", "script")]), RequestKind::Resource);
        assert_eq!(kind(&[("accept", "*/*")]), RequestKind::Resource);
        assert_eq!(kind(&[("accept", "image/avif,image/webp,*/*;q=0.8")]), RequestKind::Media);
        assert_eq!(kind(&[("sec-fetch-dest", "font"), ("accept", "*/*")]), RequestKind::Media);
    }
}
