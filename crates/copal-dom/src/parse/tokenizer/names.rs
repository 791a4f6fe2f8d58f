//! Names of tags and attributes as atoms, without asking for the same one again and again.
//!
//! In: a name in lower case. Out: its atom. An atom costs a hash of the name and, for names that html5ever does
//! not know, a global lock; a page has few different names, so those it had last are kept. O(length).

use html5ever::LocalName;

/// A power of two; more than the different names of nearly all pages.
const SLOTS: usize = 512;

pub(super) struct NameCache {
    slots: Vec<LocalName>,
}

impl NameCache {
    pub(super) fn new() -> Self {
        NameCache { slots: vec![LocalName::default(); SLOTS] }
    }

    pub(super) fn name(&mut self, name: &str) -> LocalName {
        let slot = &mut self.slots[slot_of(name.as_bytes())];
        if **slot != *name {
            *slot = LocalName::from(name);
        }
        slot.clone()
    }
}

/// From the length and at most 16 bytes: names that share them only cost time.
fn slot_of(name: &[u8]) -> usize {
    let word = |bytes: &[u8]| bytes.iter().fold(0, |word: u64, &byte| word << 8 | u64::from(byte));
    let sum = match (name.first_chunk::<8>(), name.last_chunk::<8>()) {
        (Some(first), Some(last)) => u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(23),
        _ => word(name),
    };
    let hash = (sum ^ name.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash >> 55) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::NameCache;

    #[test]
    fn every_name_gets_its_own_atom() {
        let mut cache = NameCache::new();
        // far more names than slots, twice
        for round in 0..2 {
            for i in 0..5000 {
                for name in [format!("x-{i}"), format!("data-attribute-{i}-with-a-long-name"), "class".into()]
                {
                    assert_eq!(*cache.name(&name), *name, "round {round}");
                }
            }
        }
    }
}
