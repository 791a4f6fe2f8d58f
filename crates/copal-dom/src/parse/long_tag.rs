//! Counts the attributes of an enormous tag before the tokenizer reads it, because the tokenizer is quadratic
//! in them.
//!
//! In: the input since the last token, piece by piece. Out: the number of attributes, if it is a tag. What is
//! inside comments and long values (data URIs, JSON) does not count. The states are those of the HTML
//! standard (13.2.5.32 and following). O(bytes).

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TagState {
    /// Before the `<`.
    Outside,
    /// After `<` or `</`.
    Open,
    TagName,
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    Quoted(u8),
    Unquoted,
    /// After the tag, or in something that is not a tag.
    Done,
}

/// A count that continues with the next piece of input.
#[derive(Debug, Clone, Copy)]
pub(super) struct LongTag {
    state: TagState,
    pub(super) attributes: usize,
}

impl LongTag {
    pub(super) fn new() -> Self {
        LongTag { state: TagState::Outside, attributes: 0 }
    }

    /// Reads the next piece of input.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        for &b in bytes {
            if self.state == TagState::Done {
                return;
            }
            self.step(b);
        }
    }

    fn step(&mut self, b: u8) {
        let space = b.is_ascii_whitespace();
        self.state = match self.state {
            TagState::Outside if b == b'<' => TagState::Open,
            TagState::Open if b == b'/' => TagState::Open,
            TagState::Open if b.is_ascii_alphabetic() => TagState::TagName,
            TagState::Open => TagState::Done,
            TagState::Quoted(quote) if b == quote => TagState::BeforeName,
            TagState::BeforeValue if matches!(b, b'"' | b'\'') => TagState::Quoted(b),
            same @ (TagState::Outside | TagState::Quoted(_)) => same,
            _ if b == b'>' => TagState::Done,
            TagState::TagName | TagState::Name | TagState::BeforeName | TagState::AfterName if b == b'/' => {
                TagState::BeforeName
            }
            TagState::Name | TagState::AfterName if b == b'=' => TagState::BeforeValue,
            TagState::TagName | TagState::Unquoted if space => TagState::BeforeName,
            TagState::Name if space => TagState::AfterName,
            TagState::BeforeName | TagState::AfterName if !space => {
                self.attributes += 1;
                TagState::Name
            }
            TagState::BeforeValue if !space => TagState::Unquoted,
            same => same,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::LongTag;

    #[test]
    fn only_attributes_are_counted() {
        for (text, count) in [
            ("<p a b=1 c='x y=z' d = \"/ /\"e f", 6),
            ("</p a/b/ =c", 3),
            ("x y z <p a\n\tb", 2),
            ("<p \"a' b", 2),
            ("<p a=b/c=d e", 2),
            ("<p a b> <q c d e", 2),
            ("<!-- <p a b c d", 0),
            ("<?php a b c", 0),
            ("<p title='a b c d e", 1),
        ] {
            let mut tag = LongTag::new();
            let (head, tail) = text.as_bytes().split_at(4);
            tag.read(head);
            tag.read(tail);
            assert_eq!(tag.attributes, count, "{text}");
        }
    }
}
