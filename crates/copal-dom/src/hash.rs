//! Hashes for keys within one run; none of them is stored.
//!
//! In: a value or a number. Out: 64 bits. O(size of the value).

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A hash of any value. Fast, but its low bits are weak: [`mix`] it before it becomes part of another key.
pub fn hash_of<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A hash of a sequence of values, without collecting it.
pub fn hash_each<T: Hash>(values: impl Iterator<Item = T>) -> u64 {
    let mut hasher = FxHasher::default();
    values.for_each(|value| value.hash(&mut hasher));
    hasher.finish()
}

/// The finaliser of `SplitMix64`: spreads every bit of a key over all bits. Weak keys once cost seconds on
/// nested pages.
#[inline]
pub fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
