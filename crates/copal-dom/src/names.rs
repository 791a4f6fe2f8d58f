//! Names of elements or attributes as small numbers.
//!
//! In: names. Out: their numbers on one page. Names that code asks for have fixed numbers; the others get the next
//! one when the page first has them. A lookup is O(length) and compares names of up to eight bytes as one number.
//! Names whose places in the table are taken, which a hostile page can arrange, are in an ordinary map.

use std::collections::HashMap;

/// Places of the table; a power of two, far above the number of different names of nearly all pages.
const SLOTS: usize = 512;
/// Places that are looked at for one name.
const MAX_PROBES: usize = 8;

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// The first eight bytes of the name.
    start: u64,
    /// The length of the name; 0 if the place is free.
    len: u32,
    number: u32,
}

/// The numbers of names; see the module's documentation.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    fixed: &'static [&'static str],
    /// All names without a fixed number, one after the other.
    text: String,
    /// Where each of them ends.
    ends: Vec<u32>,
    slots: Box<[Slot]>,
    overflow: HashMap<Box<str>, u32>,
}

impl Names {
    /// Only these names, numbered by their position. The first `reserved` are not names of a page: a page that
    /// has them gets other numbers.
    pub(crate) fn new(fixed: &'static [&'static str], reserved: usize) -> Names {
        let slots = vec![Slot::default(); SLOTS].into_boxed_slice();
        let mut names =
            Names { fixed, text: String::new(), ends: Vec::new(), slots, overflow: HashMap::new() };
        for (number, name) in fixed.iter().enumerate().skip(reserved) {
            names.place(name, number as u32);
        }
        names
    }

    /// The number of all names so far.
    pub(crate) fn len(&self) -> usize {
        self.fixed.len() + self.ends.len()
    }

    /// The number of a name, if it has one.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        let (start, hash) = key(name.as_bytes());
        for probe in 0..MAX_PROBES {
            let slot = &self.slots[hash.wrapping_add(probe) % SLOTS];
            if slot.len == 0 {
                return None;
            }
            let starts_equal = slot.start == start && slot.len as usize == name.len();
            if starts_equal && (name.len() <= 8 || self.name(slot.number) == name) {
                return Some(slot.number);
            }
        }
        self.overflow.get(name).copied()
    }

    /// The number of a name, which is added if it is new and there are fewer than `max` names. An empty name is
    /// never added.
    #[inline]
    pub(crate) fn intern(&mut self, name: &str, max: usize) -> Option<u32> {
        self.find(name).or_else(|| self.add(name, max))
    }

    #[cold]
    fn add(&mut self, name: &str, max: usize) -> Option<u32> {
        if self.len() >= max || name.is_empty() {
            return None;
        }
        let number = self.len() as u32;
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
        self.place(name, number);
        Some(number)
    }

    fn place(&mut self, name: &str, number: u32) {
        let (start, hash) = key(name.as_bytes());
        for probe in 0..MAX_PROBES {
            let slot = &mut self.slots[hash.wrapping_add(probe) % SLOTS];
            if slot.len == 0 {
                *slot = Slot { start, len: name.len() as u32, number };
                return;
            }
        }
        self.overflow.insert(name.into(), number);
    }

    /// The name with this number; empty if there is none.
    pub(crate) fn name(&self, number: u32) -> &str {
        let number = number as usize;
        if let Some(name) = self.fixed.get(number) {
            return name;
        }
        let at = number - self.fixed.len();
        let start = if at == 0 { 0 } else { self.ends.get(at - 1).copied().unwrap_or(u32::MAX) };
        let end = self.ends.get(at).copied().unwrap_or(u32::MAX);
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }
}

/// The first eight bytes of a name as a number, and its place in the table. The place depends on the first and
/// the last eight bytes and on the length.
#[inline]
fn key(name: &[u8]) -> (u64, usize) {
    let (start, end) = match (name.first_chunk::<8>(), name.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => (short(name), 0),
    };
    let sum = start ^ end.rotate_left(23) ^ (name.len() as u64) << 56;
    (start, (sum.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize)
}

/// Up to seven bytes as a number, from reads that overlap.
#[inline]
fn short(name: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (name.first_chunk::<4>(), name.last_chunk::<4>()) {
        let shift = 8 * (name.len() - 4);
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << shift;
    }
    let byte = |at: usize| u64::from(name[at]) << (8 * at);
    match name.len() {
        0 => 0,
        length => byte(0) | byte(length / 2) | byte(length - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, key, short};

    #[test]
    fn every_name_gets_its_own_number() {
        let mut names = Names::new(&["#text", "div", "span"], 1);
        assert_eq!((names.find("div"), names.find("#text"), names.find("")), (Some(1), None, None));
        assert_eq!(names.intern("#text", 10), Some(3), "the page's own name");
        // far more names than places
        let more: Vec<String> = (0..5000)
            .flat_map(|i| [format!("x-{i}"), format!("data-attribute-{i}-with-a-long-name"), format!("{i}")])
            .collect();
        for round in 0..2 {
            for (at, name) in more.iter().enumerate() {
                assert_eq!(names.intern(name, 100_000), Some(4 + at as u32), "{name}, round {round}");
            }
        }
        assert!(!names.overflow.is_empty());
        assert!(more.iter().enumerate().all(|(at, name)| names.name(4 + at as u32) == name));
        assert_eq!((names.name(2), names.name(3), names.name(90_000)), ("span", "#text", ""));
    }

    #[test]
    fn no_more_names_are_added_than_allowed() {
        let mut names = Names::new(&["a"], 0);
        assert_eq!(["b", "c", "d", "b"].map(|name| names.intern(name, 3)), [Some(1), Some(2), None, Some(1)]);
    }

    #[test]
    fn short_names_are_equal_if_their_numbers_and_lengths_are() {
        let bytes = b"\0a\0b\0cde";
        for from in 0..=bytes.len() {
            for to in from..=bytes.len() {
                let name = &bytes[from..to];
                if name.len() < 8 {
                    let mut padded = [0; 8];
                    padded[..name.len()].copy_from_slice(name);
                    assert_eq!(short(name), u64::from_le_bytes(padded), "{name:?}");
                }
                assert_eq!(key(name), key(name));
            }
        }
    }
}
