//! Tags and their attributes (13.2.5.6 to 13.2.5.8 and 13.2.5.32 to 13.2.5.40 of the standard).
//!
//! In: the position of a tag's name. Out: the tag token. A tag that the text ends in is dropped. Attributes
//! beyond the limit are skipped, and only the first attribute of a name counts. O(bytes of the tag).

use super::{Content, TagParts, TokenSink, Tokenizer, is_space, references};
use crate::attrs::{AttrName, AttrRange};
use memchr::memchr3;
use std::ops::Range;

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

/// The name of a tag: a slice of the page, or kept in the tokenizer.
enum TagNameText {
    Slice,
    Changed,
}

/// The value of an attribute: a slice of the page, or decoded.
enum AttributeValue {
    Slice(Range<usize>),
    Decoded(String),
}

impl<S: TokenSink> Tokenizer<'_, S> {
    /// Reads a start tag whose name begins at `at`, and emits it.
    pub(super) fn start_tag(&mut self, at: usize) {
        let mark = self.sink.attributes().mark();
        let Some((name, end)) = self.tag_name(at) else { return self.drop_rest() };
        let name_end = end;
        let Some((parts, end)) = self.attributes(end) else {
            self.sink.attributes().take_back(mark);
            return self.drop_rest();
        };
        let parts = TagParts { attrs: self.sink.attributes().since(mark), ..parts };
        self.at = end;
        self.content = match name {
            TagNameText::Slice => self.sink.start_tag(&self.text[at..name_end], parts),
            TagNameText::Changed => self.sink.start_tag(&self.changed_tag_name, parts),
        };
        if self.content != Content::Data {
            self.last_start_tag = &self.text[at..name_end];
        }
    }

    /// Reads an end tag whose name begins at `at`, and emits it.
    pub(super) fn end_tag(&mut self, at: usize) {
        self.content = Content::Data;
        let Some((name, name_end)) = self.tag_name(at) else { return self.drop_rest() };
        let Some(end) = self.skip_attributes(name_end) else { return self.drop_rest() };
        self.at = end;
        match name {
            TagNameText::Slice => self.sink.end_tag(&self.text[at..name_end]),
            TagNameText::Changed => self.sink.end_tag(&self.changed_tag_name),
        }
    }

    /// A tag that the text ends in is dropped.
    fn drop_rest(&mut self) {
        self.at = self.text.len();
    }

    /// What the name is, in lower case, and where it ends.
    #[inline]
    fn tag_name(&mut self, start: usize) -> Option<(TagNameText, usize)> {
        let (end, classes) = self.name(start, ENDS_TAG_NAME)?;
        if classes & CHANGES == 0 {
            return Some((TagNameText::Slice, end));
        }
        change_name(&self.text[start..end], &mut self.changed_tag_name);
        Some((TagNameText::Changed, end))
    }

    /// Where the name ends that begins at `start` (at a byte of class `end`), and the classes of its bytes. Its first
    /// byte always belongs to it.
    #[inline]
    fn name(&self, start: usize, end: u8) -> Option<(usize, u8)> {
        let bytes = &self.text.as_bytes()[start..];
        let mut classes = CLASSES[usize::from(bytes[0])];
        for (at, &byte) in bytes.iter().enumerate().skip(1) {
            let class = CLASSES[usize::from(byte)];
            if class & end != 0 {
                return Some((start + at, classes));
            }
            classes |= class;
        }
        None
    }

    /// Reads the attributes that begin at `at`, and where the tag ends; `None` if the text ends first.
    fn attributes(&mut self, mut at: usize) -> Option<(TagParts, usize)> {
        let bytes = self.text.as_bytes();
        let mut parts =
            TagParts { attrs: AttrRange::default(), self_closing: false, too_many: false, too_long: false };
        let mut count = 0;
        self.tag_count = self.tag_count.wrapping_add(1);
        loop {
            match *bytes.get(at)? {
                b'>' => break,
                b'/' if bytes.get(at + 1) == Some(&b'>') => {
                    parts.self_closing = true;
                    at += 1;
                    break;
                }
                b'/' => at += 1,
                byte if is_space(byte) => at += 1,
                _ => at = self.attribute(at, &mut parts, &mut count)?,
            }
        }
        Some((parts, at + 1))
    }

    /// Where a tag ends whose attributes do not count; `None` if the text ends first.
    fn skip_attributes(&self, mut at: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        loop {
            match *bytes.get(at)? {
                b'>' => return Some(at + 1),
                byte if is_space(byte) || byte == b'/' => at += 1,
                _ => {
                    let name_end = self.name(at, ENDS_ATTRIBUTE_NAME)?.0;
                    at = self.attribute_value(name_end)?.1;
                }
            }
        }
    }

    /// Reads the attribute whose name begins at `start` and returns where it ends.
    fn attribute(&mut self, start: usize, parts: &mut TagParts, count: &mut usize) -> Option<usize> {
        let (name_end, classes) = self.name(start, ENDS_ATTRIBUTE_NAME)?;
        let (value, end) = self.attribute_value(name_end)?;
        // names beyond the limit are not kept
        if *count > self.limits.attributes {
            return Some(end);
        }
        let name = if classes & CHANGES == 0 {
            self.sink.attributes().intern(&self.text[start..name_end])
        } else {
            change_name(&self.text[start..name_end], &mut self.changed_attribute_name);
            self.sink.attributes().intern(&self.changed_attribute_name)
        };
        let Some(name) = name.filter(|name| self.is_new(*name)) else { return Some(end) };
        *count += 1;
        if *count > self.limits.attributes {
            parts.too_many = true;
            return Some(end);
        }
        let value = match &value {
            AttributeValue::Slice(range) => &self.text[range.clone()],
            AttributeValue::Decoded(text) => text,
        };
        let is_long = value.len() > self.limits.value_bytes;
        parts.too_long |= is_long;
        self.sink.attributes().push(name, if is_long { "" } else { value });
        Some(end)
    }

    /// True if the tag did not have this attribute yet.
    #[inline]
    fn is_new(&mut self, name: AttrName) -> bool {
        let at = usize::from(name);
        if at >= self.attribute_seen.len() {
            self.attribute_seen.resize(at + 64, 0);
        }
        std::mem::replace(&mut self.attribute_seen[at], self.tag_count) != self.tag_count
    }

    /// The value of the attribute whose name ends at `at`, and where it ends.
    #[inline]
    fn attribute_value(&self, at: usize) -> Option<(AttributeValue, usize)> {
        let at = self.skip_spaces(at);
        if *self.text.as_bytes().get(at)? != b'=' {
            return Some((AttributeValue::Slice(at..at), at));
        }
        let at = self.skip_spaces(at + 1);
        match *self.text.as_bytes().get(at)? {
            quote @ (b'"' | b'\'') => self.quoted_value(at + 1, quote),
            _ => self.unquoted_value(at),
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

/// The name in lower case and without NUL.
fn change_name(name: &str, changed: &mut String) {
    changed.clear();
    let change = |c: char| if c == '\0' { char::REPLACEMENT_CHARACTER } else { c.to_ascii_lowercase() };
    changed.extend(name.chars().map(change));
}
