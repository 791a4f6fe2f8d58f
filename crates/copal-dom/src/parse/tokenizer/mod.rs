//! Text to tokens, as section 13.2.5 of the HTML standard says.
//!
//! In: the whole text of a page, with line feeds only. Out: tokens to a [`TokenSink`]. Because the text is
//! there from the beginning, each token is found by searching for the bytes that end it instead of by stepping
//! through states, and its text is a slice. Parse errors are not reported. O(bytes), without recursion.
//!
//! The standard's states are in: this file (data, RCDATA, RAWTEXT, PLAINTEXT), [`tags`] (tags and attributes),
//! [`script`] (script data and its escapes), [`declarations`] (comments, DOCTYPE, CDATA) and [`references`]
//! (character references).

mod declarations;
#[cfg(test)]
mod html5lib_tests;
mod references;
mod script;
mod tags;

use crate::attrs::{AttrRange, Attrs};
use memchr::{memchr, memchr2, memchr3};
use std::borrow::Cow;

/// How the text that follows is read. The tree builder chooses it when it gets a start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Data,
    Rcdata,
    Rawtext,
    Script,
    Plaintext,
}

/// A start tag without its name. Its attributes are in the table of the sink.
#[derive(Debug, Clone, Copy)]
pub(super) struct TagParts {
    pub(super) attrs: AttrRange,
    pub(super) self_closing: bool,
    /// Attributes were left out, because there were too many.
    pub(super) too_many: bool,
    /// The value of an attribute was emptied, because it was too long.
    pub(super) too_long: bool,
}

/// A DOCTYPE token.
#[derive(Debug, Default)]
pub(super) struct Doctype {
    pub(super) name: Option<String>,
    pub(super) public_id: Option<String>,
    pub(super) system_id: Option<String>,
    pub(super) force_quirks: bool,
}

/// What takes the tokens.
pub(super) trait TokenSink {
    /// Where the attributes of the next start tag are written.
    fn attributes(&mut self) -> &mut Attrs;

    /// Names of tags are in lower case.
    fn start_tag(&mut self, name: &str, parts: TagParts) -> Content;

    fn end_tag(&mut self, name: &str);

    /// Never empty, and without NUL unless it was replaced.
    fn text(&mut self, text: &str);

    /// U+0000 outside of RCDATA, RAWTEXT and scripts.
    fn null(&mut self);

    /// The comment as it is in the page: NUL is not replaced.
    fn comment(&mut self, text: &str);

    fn doctype(&mut self, doctype: &Doctype);

    /// Nothing follows.
    fn end(&mut self);

    /// True if there is an adjusted current node and it is not an HTML element: CDATA sections are allowed there.
    fn is_in_foreign_content(&self) -> bool;
}

/// What a tag may have.
#[derive(Debug, Clone, Copy)]
pub(super) struct TagLimits {
    pub(super) attributes: usize,
    pub(super) value_bytes: usize,
}

pub(super) struct Tokenizer<'t, S> {
    pub(super) sink: S,
    text: &'t str,
    /// Where the text begins that did not become a token yet.
    at: usize,
    /// Text before `at` that did not become a token yet, because it is not a slice of the page.
    decoded: String,
    /// The name of a tag, if it is not a slice of the page.
    changed_tag_name: String,
    changed_attribute_name: String,
    content: Content,
    /// The name that an end tag must have to end RCDATA, RAWTEXT or a script.
    last_start_tag: &'t str,
    limits: TagLimits,
    /// By attribute name: the last tag that had it.
    attribute_seen: Vec<u32>,
    tag_count: u32,
}

/// Replaces carriage returns by line feeds, as the standard does before it tokenizes.
pub(super) fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr(b'\r', text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut normalised = String::with_capacity(text.len());
    let (mut from, mut next) = (0, Some(first));
    while let Some(at) = next {
        normalised.push_str(&text[from..at]);
        normalised.push('\n');
        from = at + 1 + usize::from(text.as_bytes().get(at + 1) == Some(&b'\n'));
        next = memchr(b'\r', &text.as_bytes()[from..]).map(|found| from + found);
    }
    normalised.push_str(&text[from..]);
    Cow::Owned(normalised)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b' ')
}

impl<'t, S: TokenSink> Tokenizer<'t, S> {
    /// The text must have no carriage returns ([`with_line_feeds`]).
    pub(super) fn new(text: &'t str, sink: S, limits: TagLimits) -> Self {
        Tokenizer {
            sink,
            text,
            at: 0,
            decoded: String::new(),
            changed_tag_name: String::new(),
            changed_attribute_name: String::new(),
            content: Content::Data,
            last_start_tag: "",
            limits,
            attribute_seen: Vec::new(),
            tag_count: 0,
        }
    }

    /// Reads the next few tokens. False at the end of the text.
    #[inline]
    pub(super) fn step(&mut self) -> bool {
        if self.at >= self.text.len() {
            return false;
        }
        match self.content {
            Content::Data => self.data(),
            Content::Plaintext => self.raw(self.text.len()),
            Content::Rcdata | Content::Rawtext | Content::Script => self.until_end_tag(),
        }
        true
    }

    /// Emits the text before `to` that did not become a token yet.
    #[inline]
    fn emit_text(&mut self, to: usize) {
        if !self.decoded.is_empty() {
            self.decoded.push_str(&self.text[self.at..to]);
            self.at = to;
            self.sink.text(&self.decoded);
            self.decoded.clear();
        } else if to > self.at {
            let text = &self.text[self.at..to];
            self.at = to;
            self.sink.text(text);
        }
    }

    /// The data state: text until markup or NUL, and what follows it.
    fn data(&mut self) {
        let bytes = self.text.as_bytes();
        let mut from = self.at;
        while let Some(found) = memchr3(b'<', b'&', b'\0', &bytes[from..]) {
            let at = from + found;
            from = match bytes[at] {
                b'&' => self.reference_in_text(at),
                b'<' if self.opens_markup(at + 1) => {
                    self.emit_text(at);
                    self.markup(at);
                    return;
                }
                b'<' => at + 1,
                _ => {
                    self.emit_text(at);
                    self.at = at + 1;
                    self.sink.null();
                    return;
                }
            };
        }
        self.emit_text(bytes.len());
    }

    /// Decodes the character reference at `at` and returns where it ends.
    fn reference_in_text(&mut self, at: usize) -> usize {
        let Some(reference) = references::read(self.text, at, false) else { return at + 1 };
        self.decoded.push_str(&self.text[self.at..at]);
        self.decoded.extend(reference.chars());
        self.at = reference.end;
        reference.end
    }

    /// The tag open state: true if the `<` before `at` is not text.
    fn opens_markup(&self, at: usize) -> bool {
        match self.text.as_bytes().get(at) {
            Some(b'!' | b'?') => true,
            Some(b'/') => at + 1 < self.text.len(),
            Some(byte) => byte.is_ascii_alphabetic(),
            None => false,
        }
    }

    /// Reads the tag, comment or declaration whose `<` is at `at`.
    fn markup(&mut self, at: usize) {
        let bytes = self.text.as_bytes();
        match (bytes[at + 1], bytes.get(at + 2)) {
            (b'!', _) => self.declaration(at + 2),
            (b'?', _) => self.bogus_comment(at + 1),
            (b'/', Some(byte)) if byte.is_ascii_alphabetic() => self.end_tag(at + 2),
            (b'/', Some(b'>')) => self.at = at + 3,
            (b'/', _) => self.bogus_comment(at + 2),
            _ => self.start_tag(at + 1),
        }
    }

    /// The RCDATA, RAWTEXT and script data states: text until the end tag of the element, and that tag.
    fn until_end_tag(&mut self) {
        let end = match self.content {
            Content::Script => script::end(self.text.as_bytes(), self.at, self.last_start_tag),
            _ => end_tag_position(self.text.as_bytes(), self.at, self.last_start_tag),
        };
        self.raw(end);
        if end < self.text.len() {
            self.end_tag(end + 2);
        }
    }

    /// Text until `to` in which NUL becomes a replacement character, and references count only in RCDATA.
    fn raw(&mut self, to: usize) {
        let bytes = &self.text.as_bytes()[..to];
        let rcdata = self.content == Content::Rcdata;
        let mut from = self.at;
        loop {
            let rest = &bytes[from..];
            let next = if rcdata { memchr2(b'&', b'\0', rest) } else { memchr(b'\0', rest) };
            let Some(found) = next else { break };
            let at = from + found;
            from = if bytes[at] == b'&' {
                self.reference_in_text(at)
            } else {
                self.decoded.push_str(&self.text[self.at..at]);
                self.decoded.push(char::REPLACEMENT_CHARACTER);
                self.at = at + 1;
                at + 1
            };
        }
        self.emit_text(to);
    }
}

/// Where the first `</name` is that ends an element, or the end of the text.
fn end_tag_position(bytes: &[u8], mut from: usize, name: &str) -> usize {
    while let Some(found) = memchr(b'<', &bytes[from..]) {
        let at = from + found;
        if is_end_tag(bytes, at, name) {
            return at;
        }
        from = at + 1;
    }
    bytes.len()
}

/// True if `</name` is at `at`, and what follows ends the name.
fn is_end_tag(bytes: &[u8], at: usize, name: &str) -> bool {
    let name_end = at + 2 + name.len();
    bytes.get(at + 1) == Some(&b'/')
        && bytes.get(name_end).is_some_and(|&byte| is_space(byte) || matches!(byte, b'/' | b'>'))
        && bytes[at + 2..name_end].eq_ignore_ascii_case(name.as_bytes())
        && !name.is_empty()
}

#[cfg(test)]
mod tests {
    use super::with_line_feeds;
    use std::borrow::Cow;

    #[test]
    fn carriage_returns_become_line_feeds() {
        for (text, normalised) in [
            ("", ""),
            ("\r", "\n"),
            ("\r\n", "\n"),
            ("a\r\r\nb\n\rc", "a\n\nb\n\nc"),
            ("\r\n\r\né\r", "\n\né\n"),
        ] {
            assert_eq!(with_line_feeds(text), normalised, "{text:?}");
        }
        assert!(matches!(with_line_feeds("a\nb"), Cow::Borrowed(_)));
    }
}
