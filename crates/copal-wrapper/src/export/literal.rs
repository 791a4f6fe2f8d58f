//! Data as it stands in a program's text.
//!
//! In: texts, numbers, lists and maps. Out: the same as JSON, which JavaScript reads too, or as Python. A text cannot end
//! early or hide anything: quotes, backslashes, what is not seen and what turns the direction of writing are escapes that all three
//! languages share, and so is `<` where HTML could take it for markup. O(text).

use std::fmt::Write;

/// Longest list or map that is written on one line.
const LINE: usize = 110;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Data {
    Text(String),
    Count(usize),
    Share(f64),
    Yes,
    List(Vec<Data>),
    Map(Vec<(String, Data)>),
}

/// The language that a value is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Json,
    Python,
}

impl From<&str> for Data {
    fn from(text: &str) -> Data {
        Data::Text(text.to_owned())
    }
}

impl Data {
    /// The value as text, whose further lines begin with `indent` spaces.
    pub(super) fn write(&self, language: Language, indent: usize) -> String {
        let line = self.line(language);
        if line.len() + indent <= LINE {
            return line;
        }
        let inner = " ".repeat(indent + 2);
        let outer = " ".repeat(indent);
        // Python and JavaScript would take a comma at the end, JSON does not
        match self {
            Data::List(list) => {
                let items: Vec<String> =
                    list.iter().map(|item| format!("{inner}{}", item.write(language, indent + 2))).collect();
                format!("[\n{}\n{outer}]", items.join(",\n"))
            }
            Data::Map(map) => {
                let item = |(name, value): &(String, Data)| {
                    format!("{inner}{}: {}", quoted(name), value.write(language, indent + 2))
                };
                format!("{{\n{}\n{outer}}}", map.iter().map(item).collect::<Vec<_>>().join(",\n"))
            }
            _ => line,
        }
    }

    fn line(&self, language: Language) -> String {
        match self {
            Data::Text(text) => quoted(text),
            Data::Count(count) => count.to_string(),
            Data::Share(share) => format!("{}", (share * 1000.0).round() / 1000.0),
            Data::Yes => if language == Language::Python { "True" } else { "true" }.to_owned(),
            Data::List(list) => {
                let items: Vec<String> = list.iter().map(|item| item.line(language)).collect();
                format!("[{}]", items.join(", "))
            }
            Data::Map(map) => {
                let item =
                    |(name, value): &(String, Data)| format!("{}: {}", quoted(name), value.line(language));
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
            // escapes with four digits end where they do; what needs more is no control
            c if (c as u32) < 0x1_0000 && (markup || is_unseen(c)) => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Controls, marks that turn the direction of writing, ends of lines, and what has no width.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::{Data, Language, quoted};

    #[test]
    fn texts_stay_inside_their_quotes() {
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
    fn long_values_are_broken() {
        let map = Data::Map(vec![("a".into(), Data::Yes), ("b".into(), Data::List(vec!["x".into(); 40]))]);
        assert!(map.write(Language::Json, 0).starts_with("{\n  \"a\": true,\n  \"b\": [\n    \"x\",\n"));
        assert!(map.write(Language::Python, 0).starts_with("{\n  \"a\": True,\n"));
        assert_eq!(Data::Share(2.0 / 3.0).write(Language::Json, 0), "0.667");
    }
}
