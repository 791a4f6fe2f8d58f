//! URLs written in a text.
//!
//! In: a text. Out: URLs with `http://` or `https://`, those that begin with `www.`, and bare host names with
//! a well-known top-level domain (`example.co.uk/help`). E-mail addresses, file names and names of software
//! (`ASP.NET`) do not match. Punctuation after a URL belongs to the sentence. Looks at every word once:
//! O(length).

use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use crate::notation::Notation;
use crate::value::Value;
use crate::value_type::ValueType;

#[derive(Debug, Clone, Copy)]
pub(super) struct UrlRecogniser;

/// Top-level domains that a bare host name may have.
const TOP_LEVEL_DOMAINS: &str = "\
    com org net edu gov info biz eu uk de fr es it nl be ch at pl cz sk se no dk fi ie pt gr ru ua tr br \
    mx ar cl co pe ca us au nz jp cn kr tw hk sg th vn in id my ph za il ae ro hu bg hr si rs lt lv ee \
    lu io ai app dev me tv cc shop store online site blog travel cat mobi museum";

/// Second-level labels that are not names: `co.uk` is not a host.
const SECOND_LEVEL_LABELS: [&str; 8] = ["co", "com", "org", "net", "ac", "gov", "edu", "ne"];

impl Recogniser for UrlRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::Url
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        scan.letter && scan.len > 3 && (scan.dot || scan.colon)
    }

    fn find(&self, text: &str, _: Notation, matches: &mut Vec<ValueMatch>) {
        let mut start = None;
        for (at, c) in text.char_indices() {
            match (start, ends_url(c)) {
                (None, false) => start = Some(at),
                (Some(from), true) => {
                    find_in_word(text, from, at, matches);
                    start = None;
                }
                _ => {}
            }
        }
        if let Some(from) = start {
            find_in_word(text, from, text.len(), matches);
        }
    }
}

/// True for characters that no URL contains, among them punctuation of other scripts.
fn ends_url(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '<' | '>' | '"' | '`' | '\\' | '^' | '|' | '«' | '»' | '“' | '”' | '„' | '‘' | '’' | '…'
        )
        || matches!(
            c,
            '\u{3000}'
                ..='\u{301f}'
                    | '\u{ff01}'
                    | '\u{ff08}'
                    | '\u{ff09}'
                    | '\u{ff0c}'
                    | '\u{ff1a}'
                    | '\u{ff1b}'
                    | '\u{200b}'
        )
}

/// Finds the URLs in a word.
fn find_in_word(text: &str, start: usize, end: usize, matches: &mut Vec<ValueMatch>) {
    let mut at = start;
    while at < end {
        let Some((from, to, scheme)) = next_url(text, at, end) else { return };
        let url = &text[from..to];
        let value = Value::Url(if scheme { url.to_owned() } else { format!("http://{url}") });
        matches.push(ValueMatch { span: from..to, value_type: ValueType::Url, value });
        at = to;
    }
}

/// The first URL at or after `at`: its span, and whether it has a scheme.
fn next_url(text: &str, at: usize, end: usize) -> Option<(usize, usize, bool)> {
    let bytes = text.as_bytes();
    let mut from = at;
    while from < end {
        let starts = from == at || !is_host_byte(bytes[from - 1]);
        if starts && bytes[from].is_ascii_alphanumeric() {
            if let Some(to) = with_scheme_end(text, from, end) {
                return Some((from, to, true));
            }
            let host = from + bytes[from..end].iter().position(|&b| !is_host_byte(b)).unwrap_or(end - from);
            if let Some(to) = without_scheme_end(text, from, host, end) {
                return Some((from, to, false));
            }
            from = host.max(from + 1);
        } else {
            from += 1;
        }
    }
    None
}

fn is_host_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_')
}

/// The end of a URL with a scheme.
fn with_scheme_end(text: &str, from: usize, end: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[from..end];
    let scheme = ["https://", "http://"]
        .iter()
        .find(|s| bytes.len() > s.len() && bytes[..s.len()].eq_ignore_ascii_case(s.as_bytes()))?;
    let host = from + scheme.len();
    let name = text.get(host..end)?.chars().next()?;
    name.is_alphanumeric().then(|| trim_punctuation(text, from, end))
}

/// The end of a URL without a scheme whose host is `from..host`.
fn without_scheme_end(text: &str, from: usize, host: usize, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mail =
        bytes.get(host) == Some(&b'@') || (from > 0 && matches!(bytes[from - 1], b'@' | b'/' | b'\\' | b'='));
    let other_letters =
        text[host..].chars().next().is_some_and(|c| !c.is_ascii() && c.is_alphabetic() && c.is_lowercase())
            || text[..from].chars().next_back().is_some_and(|c| c.is_alphanumeric() && c.is_lowercase());
    if mail || other_letters {
        return None;
    }
    let name = text[from..host].trim_end_matches(['.', '-', '_']);
    let whole = name.len() == host - from;
    let lower = name.to_ascii_lowercase();
    let labels: Vec<&str> = lower.split('.').collect();
    let plain = labels
        .iter()
        .all(|label| (1..=63).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-'));
    let ending = labels.last().copied().unwrap_or_default();
    if !plain || labels.len() < 2 || name.len() > 253 {
        return None;
    }
    let www = labels[0] == "www"
        && labels.len() > 2
        && ending.len() > 1
        && ending.bytes().all(|b| b.is_ascii_alphabetic());
    if !www && !is_host_name(name, &labels, ending) {
        return None;
    }
    // A path, query, fragment or port continues the URL; a sentence does not.
    let goes_on = whole && host < end && matches!(bytes[host], b'/' | b'?' | b'#' | b':');
    let port = host < end && bytes[host] == b':' && !bytes.get(host + 1).is_some_and(u8::is_ascii_digit);
    Some(if goes_on && !port { trim_punctuation(text, from, end) } else { from + name.len() })
}

/// True if a bare name is certainly a host name.
fn is_host_name(name: &str, labels: &[&str], ending: &str) -> bool {
    let written = &name[name.len() - ending.len()..];
    let before = labels[labels.len() - 2];
    // "end.It is", "ASP.NET": a top-level domain in capitals needs a name in capitals
    let capitals = written.bytes().any(|b| b.is_ascii_uppercase());
    let shouted = name.bytes().all(|b| !b.is_ascii_lowercase());
    let named = before.bytes().any(|b| b.is_ascii_alphabetic()) || before.len() > 2;
    let own = labels.len() > 2 || !SECOND_LEVEL_LABELS.contains(&before);
    let initials = labels.iter().all(|label| label.len() <= 2) && labels.len() > 2;
    TOP_LEVEL_DOMAINS.split_whitespace().any(|known| known == ending)
        && named
        && own
        && !initials
        && !name.contains('_')
        && (!capitals || (shouted && written != "NET" && written.len() > 2))
}

/// The end of a URL without the punctuation after it and without a bracket that was opened before it.
fn trim_punctuation(text: &str, from: usize, end: usize) -> usize {
    let mut open = [0i32; 2];
    for b in text[from..end].bytes() {
        match b {
            b'(' => open[0] += 1,
            b')' => open[0] -= 1,
            b'[' => open[1] += 1,
            b']' => open[1] -= 1,
            _ => {}
        }
    }
    let bytes = text.as_bytes();
    let mut to = end;
    while to > from {
        match bytes[to - 1] {
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*' | b'}' | b'{' | b'(' | b'[' => {}
            b')' if open[0] < 0 => open[0] += 1,
            b']' if open[1] < 0 => open[1] += 1,
            _ => break,
        }
        to -= 1;
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str) -> Vec<ValueMatch> {
        let mut matches = Vec::new();
        UrlRecogniser.find(text, Notation::default(), &mut matches);
        matches
    }

    const CASES: &[(&str, &[&str])] = &[
        ("http://example.com", &["http://example.com"]),
        ("https://www.example.com/a/b?c=d&e=f#g", &["https://www.example.com/a/b?c=d&e=f#g"]),
        ("HTTP://EXAMPLE.COM", &["HTTP://EXAMPLE.COM"]),
        ("see http://example.com.", &["http://example.com"]),
        ("see http://example.com/a, or not", &["http://example.com/a"]),
        ("(http://example.com/a)", &["http://example.com/a"]),
        ("http://en.wikipedia.org/wiki/Rust_(film)", &["http://en.wikipedia.org/wiki/Rust_(film)"]),
        ("(see http://en.wikipedia.org/wiki/Rust_(film)).", &["http://en.wikipedia.org/wiki/Rust_(film)"]),
        ("http://localhost:8080/x", &["http://localhost:8080/x"]),
        ("http://192.168.1.1/", &["http://192.168.1.1/"]),
        ("http://müller.de/straße", &["http://müller.de/straße"]),
        ("<a href=\"http://example.com/x\">", &["http://example.com/x"]),
        ("href=http://example.com/x", &["http://example.com/x"]),
        ("http://a.com http://b.com", &["http://a.com", "http://b.com"]),
        ("詳細は http://example.jp/a。", &["http://example.jp/a"]),
        ("www.example.com", &["http://www.example.com"]),
        ("Visit www.example.travel!", &["http://www.example.travel"]),
        ("WWW.EXAMPLE.COM", &["http://WWW.EXAMPLE.COM"]),
        ("www.example.com/shop?id=3", &["http://www.example.com/shop?id=3"]),
        ("Web: www.example.co.uk, tel", &["http://www.example.co.uk"]),
        ("example.com", &["http://example.com"]),
        ("Booking.com", &["http://Booking.com"]),
        ("amazon.co.uk", &["http://amazon.co.uk"]),
        ("at example.de.", &["http://example.de"]),
        ("example.fr/contact", &["http://example.fr/contact"]),
        ("example.com:8080/x", &["http://example.com:8080/x"]),
        ("example.com: a site", &["http://example.com"]),
        ("shop.example.org/a,", &["http://shop.example.org/a"]),
        ("my-shop.nl", &["http://my-shop.nl"]),
        ("EXAMPLE.COM", &["http://EXAMPLE.COM"]),
        ("a.com,b.org", &["http://a.com", "http://b.org"]),
        ("[example.com]", &["http://example.com"]),
        ("youtube.com/watch?v=abc", &["http://youtube.com/watch?v=abc"]),
        ("x.com", &["http://x.com"]),
        ("123.com", &["http://123.com"]),
        ("info@example.com", &[]),
        ("john.smith@example.com", &[]),
        ("mailto:john@example.com", &[]),
        ("http://", &[]),
        ("https://.", &[]),
        ("index.html", &[]),
        ("photo.jpg", &[]),
        ("Node.js", &[]),
        ("ASP.NET", &[]),
        ("the end.It is", &[]),
        ("the end.In all", &[]),
        ("3.de", &[]),
        ("1.5", &[]),
        ("e.g.", &[]),
        ("i.e. this", &[]),
        ("co.uk", &[]),
        (".com", &[]),
        ("com", &[]),
        ("www", &[]),
        ("www.", &[]),
        ("U.S.A.", &[]),
        ("a.b.c", &[]),
        ("/images/example.com", &[]),
        ("wait...what", &[]),
        ("etc.and so on", &[]),
        ("Mr.Smith", &[]),
        ("12:30", &[]),
        ("", &[]),
    ];

    #[test]
    fn urls() {
        for (text, want) in CASES {
            let matches = found(text);
            let got: Vec<Value> = matches.iter().map(|value_match| value_match.value.clone()).collect();
            let want: Vec<Value> = want.iter().map(|&url| Value::Url(url.to_owned())).collect();
            assert_eq!(got, want, "{text}");
            for value_match in matches {
                let Value::Url(url) = &value_match.value else { panic!("not a URL") };
                assert!(url.ends_with(&text[value_match.span]), "{text}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_safe(text in "\\PC*|(http://|www\\.|[a-cé.:/()@\\- ]|\\.com|\\.de){0,20}") {
            let mut last = 0;
            for value_match in found(&text) {
                prop_assert!(value_match.span.start >= last && value_match.span.start < value_match.span.end);
                prop_assert!(text.get(value_match.span.clone()).is_some());
                last = value_match.span.end;
            }
        }
    }
}
