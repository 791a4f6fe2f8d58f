//! Counts the attributes of an enormous tag before the tokenizer does, which is quadratic in them.
//!
//! In: the input since the last token, piece by piece. Out: how many attributes it has, if it is a tag. Comments and
//! long values (data URIs, JSON) have none, whatever is inside them. The states are those of the standard
//! (13.2.5.32 and following). O(bytes).

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the `<`.
    Outside,
    /// Behind `<` or `</`.
    Open,
    TagName,
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    Quoted(u8),
    Unquoted,
    /// Behind the tag, or in something that is none.
    Done,
}

/// A count that goes on where it stopped.
#[derive(Debug, Clone, Copy)]
pub(super) struct LongTag {
    state: State,
    pub(super) attributes: usize,
}

impl LongTag {
    pub(super) fn new() -> Self {
        LongTag { state: State::Outside, attributes: 0 }
    }

    /// The next piece of input.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        for &b in bytes {
            if self.state == State::Done {
                return;
            }
            self.step(b);
        }
    }

    fn step(&mut self, b: u8) {
        let space = b.is_ascii_whitespace();
        self.state = match self.state {
            State::Outside if b == b'<' => State::Open,
            State::Open if b == b'/' => State::Open,
            State::Open if b.is_ascii_alphabetic() => State::TagName,
            State::Open => State::Done,
            State::Quoted(quote) if b == quote => State::BeforeName,
            State::BeforeValue if matches!(b, b'"' | b'\'') => State::Quoted(b),
            same @ (State::Outside | State::Quoted(_)) => same,
            _ if b == b'>' => State::Done,
            State::TagName | State::Name | State::BeforeName | State::AfterName if b == b'/' => {
                State::BeforeName
            }
            State::Name | State::AfterName if b == b'=' => State::BeforeValue,
            State::TagName | State::Unquoted if space => State::BeforeName,
            State::Name if space => State::AfterName,
            State::BeforeName | State::AfterName if !space => {
                self.attributes += 1;
                State::Name
            }
            State::BeforeValue if !space => State::Unquoted,
            same => same,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::LongTag;

    #[test]
    fn only_attributes_count() {
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
