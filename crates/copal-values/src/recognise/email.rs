//! E-mail addresses.
//!
//! In: a text. Out: e-mail addresses in lower case: `name+tag@mail.example.co.uk`, but neither `@handle` nor
//! `a@b` nor file names with an at sign (`logo@2x.png`). Each `@` costs at most 64 bytes back and 253 ahead:
//! O(length).

use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use crate::notation::Notation;
use crate::value::Value;
use crate::value_type::ValueType;

#[derive(Debug, Clone, Copy)]
pub(super) struct EmailRecogniser;

/// Longest name before the `@`, and longest host name after it (RFC 5321).
const MAX_MAILBOX_BYTES: usize = 64;
const MAX_MAIL_HOST_BYTES: usize = 253;

/// Extensions of file names, which are not top-level domains.
const FILE_EXTENSIONS: [&str; 12] =
    ["png", "jpg", "jpeg", "gif", "webp", "svg", "css", "js", "json", "html", "php", "pdf"];

impl Recogniser for EmailRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::Email
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        scan.at && scan.dot
    }

    fn find(&self, text: &str, _: Notation, matches: &mut Vec<ValueMatch>) {
        let bytes = text.as_bytes();
        let mut last = 0;
        for at in (0..bytes.len()).filter(|&at| bytes[at] == b'@') {
            let Some(start) = mailbox_start(bytes, at) else { continue };
            let Some(end) = host_end(bytes, at) else { continue };
            if start >= last {
                last = end;
                let value = Value::Email(text[start..end].to_ascii_lowercase());
                matches.push(ValueMatch { span: start..end, value_type: ValueType::Email, value });
            }
        }
    }
}

fn is_mailbox_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._%+-!#$&*/=?^{|}~'".contains(&byte)
}

/// Where the name before the `@` begins.
fn mailbox_start(bytes: &[u8], at: usize) -> Option<usize> {
    let floor = at.saturating_sub(MAX_MAILBOX_BYTES + 1);
    let mut start = at;
    while start > floor && is_mailbox_byte(bytes[start - 1]) {
        start -= 1;
    }
    // Signs and dots in front belong to the text: "|mail@example.com", "=mail@example.com",
    // "/mail@example.com"
    if let Some(cut) = bytes[start..at].iter().rposition(|b| b"|=/?#&!*{}~$^".contains(b)) {
        start += cut + 1;
    }
    while start < at && !(bytes[start].is_ascii_alphanumeric() || bytes[start] == b'_') {
        start += 1;
    }
    let name = &bytes[start..at];
    let clean = !name.is_empty()
        && name.len() <= MAX_MAILBOX_BYTES
        && !name.ends_with(b".")
        && !name.windows(2).any(|pair| pair == b"..");
    // Another `@` makes it a handle with its server.
    let before = start.checked_sub(1).map(|before| bytes[before]);
    let apart = !before.is_some_and(|b| b == b'@' || b.is_ascii_alphanumeric());
    (clean && apart).then_some(start)
}

/// Where the host name after the `@` ends: labels, dots, and a top-level domain of two letters or more.
fn host_end(bytes: &[u8], at: usize) -> Option<usize> {
    let start = at + 1;
    let ceiling = bytes.len().min(start + MAX_MAIL_HOST_BYTES);
    let mut end = start;
    while end < ceiling && (bytes[end].is_ascii_alphanumeric() || matches!(bytes[end], b'.' | b'-')) {
        end += 1;
    }
    // A dot may end the sentence, and a dash may belong to a list.
    while end > start && matches!(bytes[end - 1], b'.' | b'-') {
        end -= 1;
    }
    if bytes.get(end) == Some(&b'@') {
        return None;
    }
    let domain = std::str::from_utf8(&bytes[start..end]).ok()?;
    let (front, ending) = domain.rsplit_once('.')?;
    let labels = front
        .split('.')
        .all(|label| (1..=63).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-'));
    let lower = ending.to_ascii_lowercase();
    let letters =
        lower.len() >= 2 && (lower.bytes().all(|b| b.is_ascii_alphabetic()) || lower.starts_with("xn--"));
    (labels && letters && lower.len() <= 63 && !FILE_EXTENSIONS.contains(&lower.as_str())).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str) -> Vec<ValueMatch> {
        let mut matches = Vec::new();
        EmailRecogniser.find(text, Notation::default(), &mut matches);
        matches
    }

    const CASES: &[(&str, &[&str])] = &[
        ("info@example.com", &["info@example.com"]),
        ("Info@Example.COM", &["info@example.com"]),
        ("john.smith@mail.example.co.uk", &["john.smith@mail.example.co.uk"]),
        ("ann+news@example.org", &["ann+news@example.org"]),
        ("a_b-c%d@ex-ample.de", &["a_b-c%d@ex-ample.de"]),
        ("x@y.io", &["x@y.io"]),
        ("1234@qq.com", &["1234@qq.com"]),
        ("o'neil@example.ie", &["o'neil@example.ie"]),
        ("mailto:sales@example.com", &["sales@example.com"]),
        ("E-mail: sales@example.com.", &["sales@example.com"]),
        ("<sales@example.com>", &["sales@example.com"]),
        ("(sales@example.com)", &["sales@example.com"]),
        ("sales@example.com, help@example.com", &["sales@example.com", "help@example.com"]),
        ("sales@example.com;help@example.net", &["sales@example.com", "help@example.net"]),
        ("sales@example.com/help@example.net", &["sales@example.com", "help@example.net"]),
        ("Tel 01865 123456 | office@lettings.example.com", &["office@lettings.example.com"]),
        ("|office@example.com|", &["office@example.com"]),
        ("write to 'office@example.com'", &["office@example.com"]),
        ("メール：info@example.co.jp まで", &["info@example.co.jp"]),
        ("メールinfo@example.co.jpまで", &["info@example.co.jp"]),
        ("почта: info@example.ru", &["info@example.ru"]),
        ("info@xn--mller-kva.de", &["info@xn--mller-kva.de"]),
        ("info@example.xn--p1ai", &["info@example.xn--p1ai"]),
        ("info@sub.sub2.example.museum", &["info@sub.sub2.example.museum"]),
        ("..info@example.com", &["info@example.com"]),
        ("-info@example.com-", &["info@example.com"]),
        ("info@example.com?subject=Hi", &["info@example.com"]),
        ("?to=info@example.com&x=1", &["info@example.com"]),
        ("info@example.com...", &["info@example.com"]),
        ("\u{a0}info@example.com\u{a0}", &["info@example.com"]),
        ("_anna_@example.com", &["_anna_@example.com"]),
        ("@handle", &[]),
        ("follow @handle.", &[]),
        ("a@b", &[]),
        ("user@localhost", &[]),
        ("@user@mastodon.social", &[]),
        ("a@b@c.com", &[]),
        ("logo@2x.png", &[]),
        ("react@18.2.0", &[]),
        ("5 @ 10.00", &[]),
        ("12 eggs @ $2.50 each", &[]),
        ("info @ example.com", &[]),
        ("info@.com", &[]),
        ("info@example..com", &[]),
        ("in..fo@example.com", &[]),
        ("info.@example.com", &[]),
        ("info@-example.com", &[]),
        ("info@example.c", &[]),
        ("info@example.123", &[]),
        ("@", &[]),
        ("@.", &[]),
        ("", &[]),
        ("info(at)example.com", &[]),
        ("git@github", &[]),
    ];

    #[test]
    fn addresses() {
        for (text, want) in CASES {
            let got: Vec<Value> = found(text).into_iter().map(|value_match| value_match.value).collect();
            let want: Vec<Value> = want.iter().map(|&mail| Value::Email(mail.to_owned())).collect();
            assert_eq!(got, want, "{text}");
        }
    }

    #[test]
    fn long_names_and_hosts_are_refused() {
        assert!(found(&format!("{}@example.com", "a".repeat(65))).is_empty());
        assert!(found(&format!("a@{}.com", "b".repeat(64))).is_empty());
        assert!(found(&"@a.".repeat(10_000)).is_empty());
    }

    proptest! {
        #[test]
        fn any_text_is_safe(text in "\\PC*|[a-c@.é=\\- ]{0,40}") {
            let mut last = 0;
            for value_match in found(&text) {
                prop_assert!(value_match.span.start >= last && value_match.span.start < value_match.span.end);
                prop_assert!(text.get(value_match.span.clone()).is_some());
                last = value_match.span.end;
            }
        }
    }
}
