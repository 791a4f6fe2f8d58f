//! The text of a string literal of JavaScript.
//!
//! In: code that begins with a quote. Out: the text and where the literal ends; nothing if it does not end.
//! O(length).

/// Reads the string literal that `code` begins with. A template with `${…}` in it has no fixed text, so it is
/// not read.
pub(crate) fn read(code: &str) -> Option<(String, usize)> {
    let mut chars = code.char_indices().peekable();
    let (_, quote) = chars.next()?;
    let mut out = String::new();
    // halves of characters beyond 16 bits, each written as a separate escape
    let mut units: Vec<u16> = Vec::new();
    while let Some((at, c)) = chars.next() {
        let escape = if c == '\\' { chars.next().map(|(_, c)| c) } else { None };
        if let Some(kind @ ('u' | 'x')) = escape {
            let rest = &code[at + 2..];
            let (digits, len) = hex(rest, kind)?;
            for _ in 0..len {
                chars.next();
            }
            match u16::try_from(digits) {
                Ok(unit) => units.push(unit),
                Err(_) => {
                    flush(&mut out, &mut units);
                    out.push(char::from_u32(digits)?);
                }
            }
            continue;
        }
        flush(&mut out, &mut units);
        match (c, escape) {
            (_, Some('n')) => out.push('\n'),
            (_, Some('t')) => out.push('\t'),
            (_, Some('r')) => out.push('\r'),
            (_, Some('b')) => out.push('\u{8}'),
            (_, Some('f')) => out.push('\u{c}'),
            (_, Some('v')) => out.push('\u{b}'),
            (_, Some('0')) => out.push('\0'),
            // the literal continues on the next line
            (_, Some('\n')) => {}
            (_, Some(other)) => out.push(other),
            ('\\', None) => return None,
            ('$', None) if quote == '`' && chars.peek().is_some_and(|&(_, next)| next == '{') => return None,
            (c, None) if c == quote => return Some((out, at + c.len_utf8())),
            (c, None) => out.push(c),
        }
    }
    None
}

/// The number of `\u0041`, `\u{1F600}` or `\x41`, and how many characters it takes.
fn hex(rest: &str, kind: char) -> Option<(u32, usize)> {
    if kind == 'u'
        && let Some(braced) = rest.strip_prefix('{')
    {
        let digits = braced.get(..braced.find('}').filter(|len| *len <= 6)?)?;
        return Some((u32::from_str_radix(digits, 16).ok()?, digits.len() + 2));
    }
    let len = if kind == 'u' { 4 } else { 2 };
    let digits = rest.get(..len).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    Some((u32::from_str_radix(digits, 16).ok()?, len))
}

fn flush(out: &mut String, units: &mut Vec<u16>) {
    out.extend(char::decode_utf16(units.drain(..)).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
}

#[cfg(test)]
mod tests {
    use super::read;

    fn text(code: &str) -> Option<String> {
        read(code).map(|(text, _)| text)
    }

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(
            text(r#""a\"b\n\x41\u00e9\ud83d\ude00\u{1F600}\/" rest"#).as_deref(),
            Some("a\"b\nAé😀😀/")
        );
        assert_eq!(read("'é' rest"), Some(("é".to_owned(), 4)));
        assert_eq!(text("`a$b`").as_deref(), Some("a$b"));
        assert_eq!(text("'\\ud83d'").as_deref(), Some("\u{fffd}"));
    }

    #[test]
    fn a_literal_must_end() {
        for code in ["\"abc", "'a\\", "'\\u00", "'\\u{1234567}'", "`a${b}`", "'\\xZZ'", ""] {
            assert_eq!(text(code), None, "{code}");
        }
    }
}
