//! Texts of sites as text in HTML. O(text).

/// Characters of a text that are shown.
const MAX_TEXT: usize = 300;

/// The text, cut and escaped.
pub(crate) fn escaped(text: &str) -> String {
    let cut: String = text.chars().take(MAX_TEXT).collect();
    let mut shown = escape(&cut);
    if cut.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// The text, escaped.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
