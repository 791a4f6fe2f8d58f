//! Data as literals of a program.
//!
//! In: texts, numbers, lists and maps. Out: the same as JSON, which JavaScript reads too, or as Python. A
//! text cannot end early or hide anything: quotes, backslashes, invisible characters and those that change
//! the writing direction become escapes that all three languages share, and so does `<` where HTML could take
//! it for markup. O(text).

use std::fmt::Write;

/// Longest list or map that is written on one line, with its indentation.
const MAX_LINE_BYTES: usize = 110;

/// A value to be written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Text(String),
    Count(usize),
    Share(f64),
    Yes,
    List(Vec<Literal>),
    Map(Vec<(String, Literal)>),
}

/// The language that a value is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LiteralLanguage {
    Json,
    Python,
}

impl From<&str> for Literal {
    fn from(text: &str) -> Literal {
        Literal::Text(text.to_owned())
    }
}

impl Literal {
    /// The value as text. Lines after the first begin with `indent` spaces.
    pub(super) fn write(&self, language: LiteralLanguage, indent: usize) -> String {
        let line = self.line(language);
        if line.len() + indent <= MAX_LINE_BYTES {
            return line;
        }
        let inner = " ".repeat(indent + 2);
        let outer = " ".repeat(indent);
        // No trailing commas: Python and JavaScript accept them, JSON does not.
        match self {
            Literal::List(list) => {
                let items: Vec<String> =
                    list.iter().map(|item| format!("{inner}{}", item.write(language, indent + 2))).collect();
                format!("[\n{}\n{outer}]", items.join(",\n"))
            }
            Literal::Map(map) => {
                let item = |(name, value): &(String, Literal)| {
                    format!("{inner}{}: {}", quoted(name), value.write(language, indent + 2))
                };
                format!("{{\n{}\n{outer}}}", map.iter().map(item).collect::<Vec<_>>().join(",\n"))
            }
            _ => line,
        }
    }

    fn line(&self, language: LiteralLanguage) -> String {
        match self {
            Literal::Text(text) => quoted(text),
            Literal::Count(count) => count.to_string(),
            Literal::Share(share) => format!("{}", (share * 1000.0).round() / 1000.0),
            Literal::Yes => if language == LiteralLanguage::Python { "True" } else { "true" }.to_owned(),
            Literal::List(list) => {
                let items: Vec<String> = list.iter().map(|item| item.line(language)).collect();
                format!("[{}]", items.join(", "))
            }
            Literal::Map(map) => {
                let item =
                    |(name, value): &(String, Literal)| format!("{}: {}", quoted(name), value.line(language));
                format!("{{{}}}", map.iter().map(item).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// A text in double quotes, for JSON, JavaScript and Python alike.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let markup = c == '<' && matches!(chars.peek(), Some('/' | '!'));
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            // Four digits are enough: no character that needs an escape is beyond them.
            c if (c as u32) < 0x1_0000 && (markup || is_invisible(c)) => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Control characters, marks that change the writing direction, line ends, and characters without width.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::{Literal, LiteralLanguage, quoted};

    #[test]
    fn texts_cannot_leave_their_quotes() {
        for (text, expected) in [
            ("plain é 😀", "\"plain é 😀\""),
            ("a\"b\\c\n", "\"a\\\"b\\\\c\\u000a\""),
            ("</script><!-- <b", "\"\\u003c/script>\\u003c!-- <b\""),
            ("\u{202e}\u{2028}\0", "\"\\u202e\\u2028\\u0000\""),
        ] {
            assert_eq!(quoted(text), expected);
        }
    }

    #[test]
    fn long_values_are_broken_into_lines() {
        let map =
            Literal::Map(vec![("a".into(), Literal::Yes), ("b".into(), Literal::List(vec!["x".into(); 40]))]);
        assert!(
            map.write(LiteralLanguage::Json, 0).starts_with("{\n  \"a\": true,\n  \"b\": [\n    \"x\",\n")
        );
        assert!(map.write(LiteralLanguage::Python, 0).starts_with("{\n  \"a\": True,\n"));
        assert_eq!(Literal::Share(2.0 / 3.0).write(LiteralLanguage::Json, 0), "0.667");
    }
}
