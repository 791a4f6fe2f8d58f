//! Where a script ends: the script data states of the standard (13.2.5.4 and 13.2.5.15 to 13.2.5.31).
//!
//! In: the text from the beginning of the script. Out: the position of the end tag that ends it. The states only
//! decide that; the text of a script is passed on as it is. O(bytes).

use super::{is_end_tag, is_space};
use memchr::{memchr, memchr2};

/// What a `<!--` in a script began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    /// An end tag ends the script, a `<script` begins a double escape.
    Single,
    /// An end tag ends the double escape only.
    Double,
}

/// Where the `</name` is that ends the script, or the end of the text.
pub(super) fn end(bytes: &[u8], mut from: usize, name: &str) -> usize {
    while let Some(found) = memchr(b'<', &bytes[from..]) {
        let at = from + found;
        if is_end_tag(bytes, at, name) {
            return at;
        }
        from = at + 1;
        if bytes[from..].starts_with(b"!--") {
            match escaped_end(bytes, at + 4, name) {
                EscapedEnd::Script(end) => return end,
                EscapedEnd::Escape(after) => from = after,
            }
        }
    }
    bytes.len()
}

enum EscapedEnd {
    /// The script ends here.
    Script(usize),
    /// After the `-->`, the script goes on.
    Escape(usize),
}

/// Reads from after `<!--`, whose hyphens may already be those of `-->`.
fn escaped_end(bytes: &[u8], start: usize, name: &str) -> EscapedEnd {
    let mut escape = Escape::Single;
    let mut from = start;
    while let Some(found) = memchr2(b'<', b'>', &bytes[from..]) {
        let at = from + found;
        from = at + 1;
        if bytes[at] == b'>' {
            // the hyphens of `<!--` count, but nothing before them
            if bytes[start - 2..at].ends_with(b"--") {
                return EscapedEnd::Escape(from);
            }
            continue;
        }
        let letters = match escape {
            Escape::Single if is_end_tag(bytes, at, name) => return EscapedEnd::Script(at),
            Escape::Single => from,
            Escape::Double if bytes.get(from) == Some(&b'/') => from + 1,
            Escape::Double => continue,
        };
        let length = bytes[letters..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let after = letters + length;
        if !bytes.get(after).is_some_and(|&byte| is_space(byte) || matches!(byte, b'/' | b'>')) {
            from = after;
            continue;
        }
        // a `>` here belongs to the tag
        if length > 0 || escape == Escape::Double {
            from = after + 1;
        }
        if bytes[letters..after].eq_ignore_ascii_case(b"script") {
            escape = match escape {
                Escape::Single => Escape::Double,
                Escape::Double => Escape::Single,
            };
        }
    }
    EscapedEnd::Script(bytes.len())
}
