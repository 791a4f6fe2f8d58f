//! Text to tokens, as section 13.2.5 of the HTML standard says, for html5ever's tree builder.
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
mod names;
mod references;
mod script;
mod slices;
mod tags;

use html5ever::LocalName;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult};
use memchr::{memchr, memchr2, memchr3};
use names::NameCache;
use slices::SharedSlices;
use std::borrow::Cow;

/// The longest text that becomes one token. Between tokens the sink looks at the clock.
const MAX_TEXT_BYTES: usize = 1 << 20;
/// Sinks that use line numbers are not supported.
const LINE: u64 = 1;

/// How the text that follows is read. The tree builder chooses it when it gets a start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Data,
    Rcdata,
    Rawtext,
    Script,
    Plaintext,
}

/// What a tag may have. The sink gets at most one attribute and a few bytes more, so that it can say that there
/// was too much.
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
    slices: SharedSlices<'t>,
    names: NameCache,
    content: Content,
    /// The name that an end tag must have to end RCDATA, RAWTEXT or a script.
    last_start_tag: LocalName,
    limits: TagLimits,
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
            slices: SharedSlices::new(text),
            names: NameCache::new(),
            content: Content::Data,
            last_start_tag: LocalName::default(),
            limits,
        }
    }

    /// Reads the next few tokens. False at the end of the text.
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

    /// Tells the sink that nothing follows.
    pub(super) fn end(&mut self) {
        self.emit(Token::EOFToken);
        self.sink.end();
    }

    fn emit(&mut self, token: Token) {
        // only tags change how the following text is read
        let _ = self.sink.process_token(token, LINE);
    }

    fn emit_tag(&mut self, tag: html5ever::tokenizer::Tag) {
        if tag.kind == TagKind::StartTag {
            self.last_start_tag = tag.name.clone();
        }
        self.content = match self.sink.process_token(Token::TagToken(tag), LINE) {
            TokenSinkResult::RawData(RawKind::Rcdata) => Content::Rcdata,
            TokenSinkResult::RawData(RawKind::Rawtext) => Content::Rawtext,
            TokenSinkResult::RawData(_) => Content::Script,
            TokenSinkResult::Plaintext => Content::Plaintext,
            // scripts are not run, and the text is decoded already
            TokenSinkResult::Continue
            | TokenSinkResult::Script(_)
            | TokenSinkResult::EncodingIndicator(_) => Content::Data,
        };
    }

    /// Emits the text before `to` that did not become a token yet.
    fn emit_text(&mut self, to: usize) {
        if self.decoded.is_empty() {
            while to - self.at > MAX_TEXT_BYTES {
                let cut = self.text.floor_char_boundary(self.at + MAX_TEXT_BYTES);
                let piece = self.slices.tendril(self.at..cut);
                self.at = cut;
                self.emit(Token::CharacterTokens(piece));
            }
            if to > self.at {
                let text = self.slices.tendril(self.at..to);
                self.at = to;
                self.emit(Token::CharacterTokens(text));
            }
            return;
        }
        let mut decoded = std::mem::take(&mut self.decoded);
        decoded.push_str(&self.text[self.at..to]);
        self.at = to;
        let mut rest = &*decoded;
        while !rest.is_empty() {
            let (piece, tail) = rest.split_at(rest.floor_char_boundary(MAX_TEXT_BYTES));
            rest = tail;
            self.emit(Token::CharacterTokens(StrTendril::from_slice(piece)));
        }
        decoded.clear();
        self.decoded = decoded;
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
                    self.emit(Token::NullCharacterToken);
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
            (b'/', Some(byte)) if byte.is_ascii_alphabetic() => self.tag(TagKind::EndTag, at + 2),
            (b'/', Some(b'>')) => self.at = at + 3,
            (b'/', _) => self.bogus_comment(at + 2),
            _ => self.tag(TagKind::StartTag, at + 1),
        }
    }

    /// The RCDATA, RAWTEXT and script data states: text until the end tag of the element, and that tag.
    fn until_end_tag(&mut self) {
        let end = match self.content {
            Content::Script => script::end(self.text.as_bytes(), self.at, &self.last_start_tag),
            _ => end_tag_position(self.text.as_bytes(), self.at, &self.last_start_tag),
        };
        self.raw(end);
        if end < self.text.len() {
            self.tag(TagKind::EndTag, end + 2);
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
