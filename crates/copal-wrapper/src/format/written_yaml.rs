//! The lines of a wrapper file in the form in which copal writes them.
//!
//! In: the text of a file. Out: its [`YamlEvent`]s, or `None` if a line is not in the form of [`write`](super::write).
//! A reader of all forms of YAML takes five to ten times the instructions, and this was the largest part of applying a wrapper to
//! a short page. So files as copal writes them, also after edits in the same style, are read here. All other files are read
//! by the full reader, which also knows what to say about errors. A text that is read here must mean the same there, so
//! whatever is doubtful is `None`. O(text), without recursion.

use super::write::needs_escape;
use std::borrow::Cow;

/// Longest text that is read here. Longer ones may exceed limits that only the full reader knows.
const MAX_WRITTEN_BYTES: usize = 500_000;
/// Deepest nesting of brackets in a line. Wrappers have at most two.
const MAX_FLOW_DEPTH: usize = 4;

/// A part of a file, in the order of the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum YamlEvent<'t> {
    /// A mapping begins: keys and values follow in turn.
    Mapping,
    /// A sequence begins.
    Sequence,
    /// The innermost mapping or sequence ends.
    End,
    /// A key, or a word or number without quotes.
    Plain(&'t str),
    /// A text in single quotes.
    Quoted(Cow<'t, str>),
}

/// The events of a text, if all of it is in the form in which copal writes wrappers.
pub(super) fn written_events(text: &str) -> Option<Vec<YamlEvent<'_>>> {
    let is_control = |byte: u8| byte < b' ' && byte != b'\n' || byte == 0x7f;
    let has_other_signs = || text.chars().any(|c| c != '\n' && needs_escape(c));
    if text.len() > MAX_WRITTEN_BYTES || text.bytes().any(is_control) || !text.is_ascii() && has_other_signs()
    {
        return None;
    }
    // a line has three events or four
    let mut reader =
        LineReader { events: Vec::with_capacity(text.len() / 12), open: Vec::new(), awaits_block: false };
    text.split('\n').try_for_each(|line| reader.read_line(line))?;
    if reader.awaits_block {
        return None;
    }
    reader.events.extend(reader.open.iter().map(|_| YamlEvent::End));
    Some(reader.events)
}

/// A mapping or sequence whose lines begin at this column.
struct OpenBlock {
    indent: usize,
    is_sequence: bool,
}

struct LineReader<'t> {
    events: Vec<YamlEvent<'t>>,
    open: Vec<OpenBlock>,
    /// The last line ended with a key whose value is on the next lines.
    awaits_block: bool,
}

impl<'t> LineReader<'t> {
    fn read_line(&mut self, line: &'t str) -> Option<()> {
        let content = line.trim_start_matches(' ');
        if content.is_empty() || content.starts_with('#') {
            return Some(());
        }
        let indent = line.len() - content.len();
        let item = content.strip_prefix("- ");
        self.enter_block(indent, item.is_some())?;
        match item {
            None => {
                let (key, rest) = key_and_rest(content)?;
                self.read_entry(key, rest)
            }
            Some(item) => match key_and_rest(item) {
                // the further keys of this mapping are below its first one
                Some((key, rest)) => {
                    self.open_block(indent + 2, false);
                    self.read_entry(key, rest)
                }
                None => self.read_value(item),
            },
        }
    }

    /// Closes what ends before a line with this indent, or opens the block that begins with it.
    fn enter_block(&mut self, indent: usize, is_sequence: bool) -> Option<()> {
        let Some(innermost) = self.open.last() else {
            self.open_block(indent, is_sequence);
            return (indent == 0).then_some(());
        };
        if self.awaits_block {
            self.awaits_block = false;
            let is_inside = indent > innermost.indent;
            self.open_block(indent, is_sequence);
            return is_inside.then_some(());
        }
        while self.open.last()?.indent > indent {
            self.open.pop();
            self.events.push(YamlEvent::End);
        }
        let block = self.open.last()?;
        (block.indent == indent && block.is_sequence == is_sequence).then_some(())
    }

    fn open_block(&mut self, indent: usize, is_sequence: bool) {
        self.open.push(OpenBlock { indent, is_sequence });
        self.events.push(if is_sequence { YamlEvent::Sequence } else { YamlEvent::Mapping });
    }

    fn read_entry(&mut self, key: &'t str, rest: &'t str) -> Option<()> {
        self.events.push(YamlEvent::Plain(key));
        let value = rest.trim_start_matches(' ');
        if value.is_empty() || value.starts_with('#') {
            self.awaits_block = true;
            return Some(());
        }
        self.read_value(value)
    }

    /// Reads a value that ends with its line, apart from a comment.
    fn read_value(&mut self, mut rest: &'t str) -> Option<()> {
        // the closing brackets that are still to come
        let mut closing: Vec<u8> = Vec::new();
        loop {
            rest = self.read_opening(rest, &mut closing)?;
            loop {
                let Some(&close) = closing.last() else { return is_line_end(rest).then_some(()) };
                let next = rest.trim_start_matches(' ');
                if next.as_bytes().first() == Some(&close) {
                    closing.pop();
                    self.events.push(YamlEvent::End);
                    rest = &next[1..];
                    continue;
                }
                rest = next.strip_prefix(", ")?;
                if close == b'}' {
                    rest = self.read_flow_key(rest)?;
                }
                break;
            }
        }
    }

    /// Reads a scalar, or the opening bracket of a collection and what is before its first scalar.
    fn read_opening(&mut self, mut rest: &'t str, closing: &mut Vec<u8>) -> Option<&'t str> {
        loop {
            let is_mapping = match rest.as_bytes().first()? {
                b'\'' => return self.read_quoted(&rest[1..]),
                b'[' => false,
                b'{' => true,
                _ => return self.read_plain(rest),
            };
            if closing.len() == MAX_FLOW_DEPTH {
                return None;
            }
            self.events.push(if is_mapping { YamlEvent::Mapping } else { YamlEvent::Sequence });
            let close = if is_mapping { b'}' } else { b']' };
            closing.push(close);
            rest = &rest[1..];
            if rest.as_bytes().first() == Some(&close) {
                return Some(rest);
            }
            if is_mapping {
                rest = self.read_flow_key(rest)?;
            }
        }
    }

    fn read_flow_key(&mut self, rest: &'t str) -> Option<&'t str> {
        let (key, rest) = key_and_rest(rest)?;
        self.events.push(YamlEvent::Plain(key));
        rest.strip_prefix(' ')
    }

    /// Reads a text whose opening quote is before `rest`. Two quotes in it mean one.
    fn read_quoted(&mut self, rest: &'t str) -> Option<&'t str> {
        let (mut end, mut has_quote) = (rest.find('\'')?, false);
        while rest[end + 1..].starts_with('\'') {
            has_quote = true;
            end += 2 + rest[end + 2..].find('\'')?;
        }
        let text = &rest[..end];
        let text = if has_quote { text.replace("''", "'").into() } else { text.into() };
        self.events.push(YamlEvent::Quoted(text));
        Some(&rest[end + 1..])
    }

    fn read_plain(&mut self, rest: &'t str) -> Option<&'t str> {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let end = rest.bytes().position(|byte| !is_part(&byte)).unwrap_or(rest.len());
        let (text, rest) = rest.split_at(end);
        text.starts_with(|c: char| c.is_ascii_alphanumeric())
            .then(|| self.events.push(YamlEvent::Plain(text)))?;
        Some(rest)
    }
}

/// The key with which a text begins, and what follows the colon.
fn key_and_rest(text: &str) -> Option<(&str, &str)> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let end = text.bytes().position(|byte| !is_part(byte))?;
    let rest = text[end..].strip_prefix(':')?;
    let is_key =
        text.starts_with(|c: char| c.is_ascii_alphabetic()) && (rest.is_empty() || rest.starts_with(' '));
    is_key.then_some((&text[..end], rest))
}

/// True if only spaces and a comment follow.
fn is_line_end(rest: &str) -> bool {
    let next = rest.trim_start_matches(' ');
    next.is_empty() || next.len() < rest.len() && next.starts_with('#')
}
