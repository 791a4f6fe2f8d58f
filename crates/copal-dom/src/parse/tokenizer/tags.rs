//! Tags and their attributes (13.2.5.6 to 13.2.5.8 and 13.2.5.32 to 13.2.5.40 of the standard).
//!
//! In: the position of a tag's name. Out: the tag token. A tag that the text ends in is dropped. Attributes
//! beyond the limit are skipped, and only the first attribute of a name counts. O(bytes of the tag).

use super::{Tokenizer, is_space, references};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, TokenSink};
use html5ever::{Attribute, LocalName, QualName, ns};
use memchr::memchr3;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Longest value that is passed on, whatever the limit is: tendrils count bytes with 32 bits.
const MAX_VALUE_BYTES: usize = 1 << 30;
/// With more attributes than this, the names of a tag are looked up instead of compared.
const MAX_COMPARED_NAMES: usize = 32;

const ENDS_TAG_NAME: u8 = 1;
const ENDS_ATTRIBUTE_NAME: u8 = 2;
/// An upper-case letter or NUL: the name is not a slice of the text.
const CHANGES: u8 = 4;
const ENDS_VALUE: u8 = 8;

/// What a byte does to a name or an unquoted value.
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'\t' | b'\n' | b'\x0c' | b' ' | b'>' => ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | ENDS_VALUE,
            b'/' => ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME,
            b'=' => ENDS_ATTRIBUTE_NAME,
            b'&' => ENDS_VALUE,
            b'\0' => CHANGES | ENDS_VALUE,
            b'A'..=b'Z' => CHANGES,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// Which names a tag already has.
#[derive(Default)]
struct TagAttributes {
    attributes: Vec<Attribute>,
    names: FxHashSet<LocalName>,
    duplicates: bool,
}

impl TagAttributes {
    fn has(&mut self, name: &LocalName) -> bool {
        if self.attributes.len() < MAX_COMPARED_NAMES {
            return self.attributes.iter().any(|attribute| attribute.name.local == *name);
        }
        if self.names.is_empty() {
            self.names.extend(self.attributes.iter().map(|attribute| attribute.name.local.clone()));
        }
        self.names.contains(name)
    }

    fn push(&mut self, name: LocalName, value: StrTendril) {
        if !self.names.is_empty() {
            self.names.insert(name.clone());
        }
        self.attributes.push(Attribute { name: QualName::new(None, ns!(), name), value });
    }
}

/// The value of an attribute: a slice of the page, or decoded.
enum AttributeValue {
    Slice(Range<usize>),
    Decoded(String),
}

impl<S: TokenSink> Tokenizer<'_, S> {
    /// Reads a tag whose name begins at `at`, and emits it.
    pub(super) fn tag(&mut self, kind: TagKind, at: usize) {
        match self.read_tag(kind, at) {
            Some((tag, end)) => {
                self.at = end;
                self.emit_tag(tag);
            }
            None => self.at = self.text.len(),
        }
    }

    /// The tag, and where it ends; `None` if the text ends first.
    fn read_tag(&mut self, kind: TagKind, at: usize) -> Option<(Tag, usize)> {
        let bytes = self.text.as_bytes();
        let (name, mut at) = self.name(at, ENDS_TAG_NAME)?;
        let mut attributes = TagAttributes::default();
        let mut self_closing = false;
        loop {
            match *bytes.get(at)? {
                b'>' => break,
                b'/' if bytes.get(at + 1) == Some(&b'>') => {
                    self_closing = true;
                    at += 1;
                    break;
                }
                b'/' => at += 1,
                byte if is_space(byte) => at += 1,
                _ => at = self.attribute(at, &mut attributes)?,
            }
        }
        let TagAttributes { attributes: attrs, duplicates: had_duplicate_attributes, .. } = attributes;
        Some((Tag { kind, name, self_closing, attrs, had_duplicate_attributes }, at + 1))
    }

    /// The name in lower case, and where it ends: at a byte of class `end`. Its first byte always belongs to it.
    fn name(&mut self, start: usize, end: u8) -> Option<(LocalName, usize)> {
        let bytes = &self.text.as_bytes()[start..];
        let mut classes = CLASSES[usize::from(bytes[0])];
        let mut length = 1;
        loop {
            let class = CLASSES[usize::from(*bytes.get(length)?)];
            if class & end != 0 {
                break;
            }
            classes |= class;
            length += 1;
        }
        let name = &self.text[start..start + length];
        let atom = if classes & CHANGES == 0 {
            self.names.name(name)
        } else {
            self.names.name(&name.to_ascii_lowercase().replace('\0', "\u{fffd}"))
        };
        Some((atom, start + length))
    }

    /// Reads the attribute whose name begins at `at` and returns where it ends.
    fn attribute(&mut self, at: usize, attributes: &mut TagAttributes) -> Option<usize> {
        let full = attributes.attributes.len() > self.limits.attributes;
        // names beyond the limit must not become atoms
        let (name, mut at) = if full {
            (None, name_end(self.text.as_bytes(), at)?)
        } else {
            let (name, at) = self.name(at, ENDS_ATTRIBUTE_NAME)?;
            (Some(name), at)
        };
        at = self.skip_spaces(at);
        let mut value = AttributeValue::Slice(at..at);
        if *self.text.as_bytes().get(at)? == b'=' {
            at = self.skip_spaces(at + 1);
            (value, at) = match *self.text.as_bytes().get(at)? {
                quote @ (b'"' | b'\'') => self.quoted_value(at + 1, quote)?,
                _ => self.unquoted_value(at)?,
            };
        }
        if let Some(name) = name {
            if attributes.has(&name) {
                attributes.duplicates = true;
            } else {
                attributes.push(name, self.value(value));
            }
        }
        Some(at)
    }

    /// A longer value than the limit is cut to a length that is still too long.
    fn value(&mut self, value: AttributeValue) -> StrTendril {
        let max = self.limits.value_bytes.saturating_add(8).min(MAX_VALUE_BYTES);
        match value {
            AttributeValue::Slice(range) => {
                let end = self.text.floor_char_boundary(range.end.min(range.start.saturating_add(max)));
                self.slices.tendril(range.start..end)
            }
            AttributeValue::Decoded(text) => StrTendril::from_slice(&text[..text.floor_char_boundary(max)]),
        }
    }

    fn skip_spaces(&self, at: usize) -> usize {
        let rest = &self.text.as_bytes()[at..];
        at + rest.iter().take_while(|&&byte| is_space(byte)).count()
    }

    /// The value from `start` to the quotation mark, and where it ends after that.
    fn quoted_value(&self, start: usize, quote: u8) -> Option<(AttributeValue, usize)> {
        let find = |from: usize| Some(from + memchr3(quote, b'&', b'\0', &self.text.as_bytes()[from..])?);
        let (value, end) = self.value_until(start, |byte| byte == quote, find)?;
        Some((value, end + 1))
    }

    fn unquoted_value(&self, start: usize) -> Option<(AttributeValue, usize)> {
        let find = |from: usize| {
            let rest = &self.text.as_bytes()[from..];
            Some(from + rest.iter().position(|&byte| CLASSES[usize::from(byte)] & ENDS_VALUE != 0)?)
        };
        self.value_until(start, |byte| is_space(byte) || byte == b'>', find)
    }

    /// `find` gives the next byte that ends the value or is not passed on as it is.
    fn value_until(
        &self,
        start: usize,
        ends: impl Fn(u8) -> bool,
        find: impl Fn(usize) -> Option<usize>,
    ) -> Option<(AttributeValue, usize)> {
        let bytes = self.text.as_bytes();
        let mut decoded: Option<String> = None;
        // from `kept`, the text was not added to `decoded`
        let (mut kept, mut from) = (start, start);
        loop {
            let at = find(from)?;
            if ends(bytes[at]) {
                let Some(mut decoded) = decoded else { return Some((AttributeValue::Slice(start..at), at)) };
                decoded.push_str(&self.text[kept..at]);
                return Some((AttributeValue::Decoded(decoded), at));
            }
            from = at + 1;
            let reference = if bytes[at] == b'&' { references::read(self.text, at, true) } else { None };
            if bytes[at] == b'&' && reference.is_none() {
                continue;
            }
            let decoded = decoded.get_or_insert_default();
            decoded.push_str(&self.text[kept..at]);
            match reference {
                Some(reference) => {
                    decoded.extend(reference.chars());
                    from = reference.end;
                }
                None => decoded.push(char::REPLACEMENT_CHARACTER),
            }
            kept = from;
        }
    }
}

/// Where the attribute name ends that begins at `start`.
fn name_end(bytes: &[u8], start: usize) -> Option<usize> {
    let rest = &bytes[start + 1..];
    let length = rest.iter().position(|&byte| CLASSES[usize::from(byte)] & ENDS_ATTRIBUTE_NAME != 0)?;
    Some(start + 1 + length)
}
