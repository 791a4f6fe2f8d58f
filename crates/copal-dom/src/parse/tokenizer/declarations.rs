//! Comments, DOCTYPE and CDATA sections (13.2.5.41 to 13.2.5.71 of the standard).
//!
//! In: the position after `<!`. Out: tokens. O(bytes).

use super::{Doctype, TokenSink, Tokenizer, is_space};
use memchr::{memchr, memchr_iter, memmem};

/// Longer names and identifiers are cut: the longest that means anything has 76 bytes.
const MAX_IDENTIFIER_BYTES: usize = 1 << 12;

impl<S: TokenSink> Tokenizer<'_, S> {
    /// The markup declaration open state.
    pub(super) fn declaration(&mut self, at: usize) {
        let rest = &self.text.as_bytes()[at..];
        if rest.starts_with(b"--") {
            self.comment(at + 2);
        } else if starts_with_word(rest, b"doctype") {
            self.doctype(at + 7);
        } else if rest.starts_with(b"[CDATA[") && self.sink.is_in_foreign_content() {
            self.cdata(at + 7);
        } else {
            self.bogus_comment(at);
        }
    }

    /// A comment that ends at the next `>`.
    pub(super) fn bogus_comment(&mut self, start: usize) {
        let found = memchr(b'>', &self.text.as_bytes()[start..]);
        let end = found.map_or(self.text.len(), |found| start + found);
        self.emit_comment(start, end, end + 1);
    }

    fn comment(&mut self, start: usize) {
        let bytes = &self.text.as_bytes()[start..];
        if bytes.starts_with(b">") {
            return self.emit_comment(start, start, start + 1);
        }
        if bytes.starts_with(b"->") {
            return self.emit_comment(start, start, start + 2);
        }
        for at in memchr_iter(b'>', bytes) {
            let content = bytes[..at].strip_suffix(b"--").or_else(|| bytes[..at].strip_suffix(b"--!"));
            if let Some(content) = content {
                return self.emit_comment(start, start + content.len(), start + at + 1);
            }
        }
        // hyphens at the end of the text might have been those of the end
        let content = [&b"--!"[..], b"--", b"-"].iter().find_map(|end| bytes.strip_suffix(*end));
        let length = content.unwrap_or(bytes).len();
        self.emit_comment(start, start + length, self.text.len());
    }

    fn emit_comment(&mut self, start: usize, end: usize, after: usize) {
        self.at = after.min(self.text.len());
        self.sink.comment(&self.text[start..end]);
    }

    /// Text until `]]>`, without references and tags.
    pub(super) fn cdata(&mut self, start: usize) {
        let bytes = self.text.as_bytes();
        let found = memmem::find(&bytes[start..], b"]]>");
        let end = found.map_or(bytes.len(), |found| start + found);
        self.at = start;
        while let Some(found) = memchr(b'\0', &bytes[self.at..end]) {
            let at = self.at + found;
            self.emit_text(at);
            self.at = at + 1;
            self.sink.null();
        }
        self.emit_text(end);
        self.at = (end + 3).min(bytes.len());
    }

    /// `at` is after the word DOCTYPE.
    fn doctype(&mut self, at: usize) {
        let mut reader = DoctypeReader { text: self.text, at, doctype: Doctype::default() };
        reader.read();
        self.at = reader.at;
        self.sink.doctype(&reader.doctype);
    }
}

fn starts_with_word(bytes: &[u8], word: &[u8]) -> bool {
    bytes.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Reads a DOCTYPE; `at` is after its `>` at the end.
struct DoctypeReader<'t> {
    text: &'t str,
    at: usize,
    doctype: Doctype,
}

impl DoctypeReader<'_> {
    fn read(&mut self) {
        // whatever ends the DOCTYPE too early makes the page one in quirks mode
        if self.contents().is_none() {
            self.doctype.force_quirks = true;
        }
        let rest = &self.text.as_bytes()[self.at..];
        self.at += memchr(b'>', rest).map_or(rest.len(), |found| found + 1);
    }

    /// Reads until the `>` or the first thing that is wrong. `None` if quirks mode follows from it.
    fn contents(&mut self) -> Option<()> {
        self.skip_spaces();
        self.doctype.name = Some(self.name()?);
        self.skip_spaces();
        let rest = &self.text.as_bytes()[self.at..];
        if starts_with_word(rest, b"public") {
            self.at += 6;
            self.skip_spaces();
            let (identifier, complete) = self.identifier()?;
            self.doctype.public_id = Some(identifier);
            complete.then_some(())?;
            self.skip_spaces();
            if self.peek()? == b'>' {
                return Some(());
            }
        } else if starts_with_word(rest, b"system") {
            self.at += 6;
            self.skip_spaces();
        } else {
            return (self.peek()? == b'>').then_some(());
        }
        let (identifier, complete) = self.identifier()?;
        self.doctype.system_id = Some(identifier);
        complete.then_some(())?;
        self.skip_spaces();
        // what follows a system identifier is ignored
        self.peek().map(|_| ())
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|&&byte| is_space(byte)).count();
    }

    /// `None` if there is no name. A name that the text ends in is kept.
    fn name(&mut self) -> Option<String> {
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(|&byte| !is_space(byte) && byte != b'>').count();
        self.at += length;
        (length > 0).then(|| passed_on(&rest[..length].to_ascii_lowercase()))
    }

    /// A quoted identifier, and whether it has its second quotation mark.
    fn identifier(&mut self) -> Option<(String, bool)> {
        let quote = self.peek().filter(|byte| matches!(byte, b'"' | b'\''))?;
        let rest = &self.text[self.at + 1..];
        let length = rest.bytes().take_while(|&byte| byte != quote && byte != b'>').count();
        self.at += 1 + length;
        let complete = self.peek() == Some(quote);
        self.at += usize::from(complete);
        Some((passed_on(&rest[..length]), complete))
    }
}

fn passed_on(text: &str) -> String {
    text[..text.floor_char_boundary(MAX_IDENTIFIER_BYTES)].replace('\0', "\u{fffd}")
}
