//! Text of a page as HTML that can only be text.
//!
//! In: any text. Out: text for elements and quoted HTML attributes. `& < > " '` are escaped, and characters
//! that hide or reorder text are shown as [`visible_text`](crate::visible_text) says (the report sets
//! `dir="auto"`), so that no text affects anything outside its own element. O(length).

use crate::visible_text::shown_chars;
use std::fmt::{self, Display, Write};

/// Longest URL, in bytes, that becomes a link.
const MAX_LINK_BYTES: usize = 2000;
/// Maximum number of characters that are shown of a URL.
const MAX_SHOWN_URL_CHARS: usize = 300;

/// A text, escaped when it is written.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        shown_chars(self.0).try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            c => f.write_char(c),
        })
    }
}

/// The first characters of a text, escaped; `…` says that there were more.
pub(super) struct Truncated<'a>(pub(super) &'a str, pub(super) usize);

impl Display for Truncated<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(self.1) {
            Some((at, _)) => write!(f, "{}…", Escaped(&self.0[..at])),
            None => Escaped(self.0).fmt(f),
        }
    }
}

/// A URL: a link if it is a web URL that a browser reads as it is written, else a text.
pub(super) struct WebLink<'a>(pub(super) &'a str);

impl Display for WebLink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Truncated(self.0, MAX_SHOWN_URL_CHARS);
        if is_web_url(self.0) {
            write!(f, "<a class=\"address\" rel=\"noreferrer\" href=\"{}\">{text}</a>", Escaped(self.0))
        } else {
            write!(f, "<span class=\"address\">{text}</span>")
        }
    }
}

fn is_web_url(url: &str) -> bool {
    let has = |scheme: &str| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    let is_shown_whole = || shown_chars(url).filter(|c| !c.is_whitespace()).eq(url.chars());
    (has("https://") || has("http://")) && url.len() <= MAX_LINK_BYTES && is_shown_whole()
}

/// A language tag as an HTML attribute; nothing if it does not look like one.
pub(super) struct LangAttribute<'a>(pub(super) Option<&'a str>);

impl Display for LangAttribute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_tag = |lang: &&str| {
            (2..=35).contains(&lang.len()) && lang.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        };
        self.0.filter(is_tag).map_or(Ok(()), |lang| write!(f, " lang=\"{lang}\""))
    }
}

/// An integer with thousands separators.
pub(super) fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 record`, `2,000 records`.
pub(super) fn count(n: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_texts() {
        assert_eq!(Escaped("<a b='c'>&\"").to_string(), "&lt;a b=&#39;c&#39;&gt;&amp;&quot;");
        assert_eq!(
            Escaped("a\u{0}\u{1b}\u{9b}b\u{202e}c\nd").to_string(),
            "a\u{fffd}\u{fffd}\u{fffd}b\u{fffd}c d"
        );
        assert_eq!(Truncated("<<<<", 2).to_string(), "&lt;&lt;…");
        assert_eq!(Truncated("日本", 2).to_string(), "日本");
    }

    #[test]
    fn only_web_urls_become_links() {
        let is_link = |url: &str| WebLink(url).to_string().starts_with("<a ");
        for good in ["https://a.example/?b=c&d", "HTTP://A.example", "http://a.example/日本"] {
            assert!(is_link(good), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            "java\nscript:alert(1)",
            " https://a.example",
            "https://a.example/\u{202e}gpj",
            "https://a.example/\u{0}",
            "https://a.example/a b",
            "//a.example",
            "/a",
            "data:text/html,x",
            "file:///etc/passwd",
            "https:a.example",
            "vbscript:x",
            "",
            "https:/",
        ] {
            assert!(!is_link(bad), "{bad}");
        }
        assert!(!is_link(&format!("https://a.example/{}", "a".repeat(3000))));
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!(["1", "999", "1,000", "1,234,567"], [1, 999, 1000, 1_234_567].map(grouped));
        assert_eq!(count(1, "record"), "1 record");
        assert_eq!(LangAttribute(Some("pt-BR")).to_string(), " lang=\"pt-BR\"");
        assert_eq!(LangAttribute(Some("x\" onload=\"")).to_string(), "");
    }
}
