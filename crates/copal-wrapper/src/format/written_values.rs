//! Values of a wrapper file in the form in which copal writes it.
//!
//! In: a text. Out: a value of a type with `serde::Deserialize`, or `None` if the text is not what copal writes for
//! this type; the full reader reads it then. A scalar without quotes is only read if every YAML reader understands
//! it in the same way: where a text is expected, a word that is neither a truth value nor null, and where a number is
//! expected, a decimal number without leading zeros. O(text).

use super::written_yaml::{YamlEvent, written_events};
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::slice;

/// Words that some readers do not take for texts. The writer puts them in quotes.
const SPECIAL_WORDS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];

/// The value of a text that is in the form in which copal writes wrappers; `None` for any other text.
pub(super) fn written_value<T: de::DeserializeOwned>(text: &str) -> Option<T> {
    let events = written_events(text)?;
    let mut reader = ValueReader { events: events.iter() };
    let value = T::deserialize(&mut reader).ok()?;
    reader.events.as_slice().is_empty().then_some(value)
}

/// The text is not in the form in which copal writes wrappers.
#[derive(Debug)]
struct NotWritten;

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not in the form that is written")
    }
}

impl std::error::Error for NotWritten {}

impl de::Error for NotWritten {
    // The full reader reads the text again and has the message.
    fn custom<T: fmt::Display>(_: T) -> NotWritten {
        NotWritten
    }
}

struct ValueReader<'e> {
    events: slice::Iter<'e, YamlEvent<'e>>,
}

impl<'e> ValueReader<'e> {
    fn text(&mut self) -> Result<&'e str, NotWritten> {
        match self.events.next() {
            Some(YamlEvent::Quoted(text)) => Ok(text),
            Some(YamlEvent::Plain(word)) if is_plain_text(word) => Ok(word),
            _ => Err(NotWritten),
        }
    }

    /// A decimal number as it is written.
    fn number(&mut self) -> Result<&'e str, NotWritten> {
        match self.events.next() {
            Some(YamlEvent::Plain(number)) if is_decimal(number) => Ok(number),
            _ => Err(NotWritten),
        }
    }

    fn is_at_end(&self) -> bool {
        matches!(self.events.as_slice().first(), Some(YamlEvent::End) | None)
    }

    /// What a visitor of a sequence or mapping has read must be all of it.
    fn leave<T>(&mut self, value: T) -> Result<T, NotWritten> {
        match self.events.next() {
            Some(YamlEvent::End) => Ok(value),
            _ => Err(NotWritten),
        }
    }

    fn whole_number<N: std::str::FromStr>(&mut self) -> Result<N, NotWritten> {
        self.number()?.parse().map_err(|_| NotWritten)
    }
}

/// True for a word without quotes that is a text for every reader.
fn is_plain_text(word: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.bytes().all(is_part)
        && !SPECIAL_WORDS.iter().any(|special| special.eq_ignore_ascii_case(word))
}

/// True for `0`, `12` and `0.274`: digits, and maybe a point and further digits.
fn is_decimal(number: &str) -> bool {
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    are_digits(whole) && are_digits(part) && (whole == "0" || !whole.starts_with('0'))
}

impl<'de> Deserializer<'de> for &mut ValueReader<'_> {
    type Error = NotWritten;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotWritten> {
        match self.events.as_slice().first() {
            Some(YamlEvent::Mapping) => self.deserialize_map(visitor),
            _ => self.deserialize_str(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotWritten> {
        visitor.visit_str(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotWritten> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotWritten> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotWritten> {
        visitor.visit_some(self)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotWritten> {
        match self.events.next() {
            Some(YamlEvent::Plain("true")) => visitor.visit_bool(true),
            Some(YamlEvent::Plain("false")) => visitor.visit_bool(false),
            _ => Err(NotWritten),
        }
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotWritten> {
        visitor.visit_u32(self.whole_number()?)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotWritten> {
        visitor.visit_u64(self.whole_number()?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotWritten> {
        visitor.visit_f64(self.number()?.parse().map_err(|_| NotWritten)?)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotWritten> {
        let Some(YamlEvent::Sequence) = self.events.next() else { return Err(NotWritten) };
        let value = visitor.visit_seq(&mut *self)?;
        self.leave(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, NotWritten> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotWritten> {
        let Some(YamlEvent::Mapping) = self.events.next() else { return Err(NotWritten) };
        let value = visitor.visit_map(&mut *self)?;
        self.leave(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NotWritten> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NotWritten> {
        visitor.visit_enum(self.text()?.into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u128 f32 char bytes byte_buf unit unit_struct newtype_struct tuple_struct ignored_any
    }
}

impl<'de> SeqAccess<'de> for &mut ValueReader<'_> {
    type Error = NotWritten;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, NotWritten> {
        if self.is_at_end() { Ok(None) } else { seed.deserialize(&mut **self).map(Some) }
    }
}

impl<'de> MapAccess<'de> for &mut ValueReader<'_> {
    type Error = NotWritten;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, NotWritten> {
        if self.is_at_end() { Ok(None) } else { seed.deserialize(&mut **self).map(Some) }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, NotWritten> {
        seed.deserialize(&mut **self)
    }
}

#[cfg(test)]
mod tests {
    use super::written_value;
    use crate::format::Wrapper;

    /// A file as copal writes it, with every kind of line.
    const WRITTEN: &str = "\
# A wrapper
copal: 1
url: 'https://a.example/*'
version: 2
changes:
  - 'column \"price\": the class is ''p'' now'
navigation:
  open: 'https://a.example/'
  searches:  # search forms that are sent by POST
    - {page: 'https://a.example/', url: 'https://a.example/s', form: 'q=ä'}
  routes:
    - from: 'https://a.example/'
      to: 'https://a.example/l'
      steps:
        - {fill: '#q', with: lamps}
        - {click: '[type=\"submit\"]'}
  next:
    - 'a[rel=\"next\"]'
pages:
  - kind: list
    region:  # the element that holds the records
      - '#list'
      - main
    record:
      find:
        - li
      needs: h2  # an element without such an element inside is not a record
      elements: 0
      looks:
        texts: [7, 8, 12]
        chars: [125, 156, 202]
        images: 1
        linked: 0.27
        digits: 0
        alike: 1
        paths: 0.967
        words: [Compare, 'Add to basket']
    columns:
      - name: date
        from: text
        type: date
        order: day-first
        find:
          - ':scope > .date'
          - {label: 'Date:', nth: 2}
        many: true
        cut: {after: 'on ', split: ',', piece: 1}
        presence: 0.5
        profile: {typed: 1, length: [6, 7], distinct: 0.667, letters: 0, digits: 0.709, examples: ['', '1.2.2026']}
    profile:
      samples: 1
      records: [30, 30]
      coverage: 0.222
  - kind: section
    region: [table]
    columns: []
";

    fn full(text: &str) -> Option<Wrapper> {
        serde_saphyr::from_str(text).ok()
    }

    #[test]
    fn what_copal_writes_is_read_as_the_full_reader_does() {
        let wrapper = written_value::<Wrapper>(WRITTEN);
        assert!(wrapper.is_some());
        assert_eq!(wrapper, full(WRITTEN));
        let again = wrapper.unwrap().to_string();
        assert_eq!(written_value::<Wrapper>(&again), full(WRITTEN));
    }

    #[test]
    fn other_forms_are_left_to_the_full_reader() {
        for text in [
            "",
            "copal: 1",
            "copal: 1\npages:\n- {kind: section, region: [table]}\n",
            "copal: 1\npages:\n  - {kind: section, region: [table],}\n",
            "copal: 1\npages:\n  - {kind: section, region: [\"table\"]}\n",
            "copal: 1\npages:\n  - {kind: section, region: [&a table, *a]}\n",
            "copal: 1\npages:\n  - {kind: section, region: [true]}\n",
            "copal: 1\npages:\n  - {kind: section, region: ['a'b]}\n",
            "copal: 01\npages:\n  - {kind: section, region: [table]}\n",
            "copal: 1\nurl: two words\npages:\n  - {kind: section, region: [table]}\n",
            "copal: 1\nurl: null\npages:\n  - {kind: section, region: [table]}\n",
            "copal: 1\nurl:\npages:\n  - {kind: section, region: [table]}\n",
            "copal: 1\nurl: 'a\n  b'\npages:\n  - {kind: section, region: [table]}\n",
            "copal: 1\nurl: a\n  b\npages:\n  - {kind: section, region: [table]}\n",
            "copal: 1\r\npages:\r\n  - {kind: section, region: [table]}\r\n",
            "copal: 1\ncopal: 1\npages:\n  - {kind: section, region: [table]}\n",
            "copal: 1\npages:\n  - {kind: section, region: [table]}\n  wrong: 1\n",
            "---\ncopal: 1\npages:\n  - {kind: section, region: [table]}\n",
        ] {
            assert!(written_value::<Wrapper>(text).is_none(), "{text}");
        }
    }

    #[test]
    fn changed_files_are_read_as_the_full_reader_does_or_not_at_all() {
        let mut read = 0;
        let signs = " \n#:-'\",[]{}&*!|>0a~\t\u{85}";
        for (at, c) in WRITTEN.char_indices() {
            let (before, after) = (&WRITTEN[..at], &WRITTEN[at + c.len_utf8()..]);
            // one other sign in each place, so that the test stays short
            let sign = signs.chars().cycle().nth(at * 7).unwrap();
            for changed in [
                format!("{before}{after}"),
                format!("{before}{sign}{after}"),
                format!("{before}{sign}{c}{after}"),
                format!("{before}\n{c}{after}"),
            ] {
                if let Some(wrapper) = written_value::<Wrapper>(&changed) {
                    read += 1;
                    assert_eq!(Some(wrapper), full(&changed), "{changed}");
                }
            }
        }
        assert!(read > 500, "{read}");
    }
}
