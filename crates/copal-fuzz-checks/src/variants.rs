//! The ways in which a check reads an input: the fuzzer tries one of them per input, tests try all.
//!
//! A check that reads each input ten times is ten times slower, and the fuzzer finds by the number of inputs. Which way is
//! taken depends on all bytes of the input, so that an input always gets the same one and its changed copies get others.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Every input is read in all ways.
static TRIES_ALL: AtomicBool = AtomicBool::new(false);

/// From now on, every input is read in all ways.
pub fn try_all_variants() {
    TRIES_ALL.store(true, Ordering::Relaxed);
}

/// The ways, from 0 to `count`, in which this input is read.
pub(crate) fn variants(bytes: &[u8], count: usize) -> Range<usize> {
    if TRIES_ALL.load(Ordering::Relaxed) {
        return 0..count;
    }
    let chosen = hash(bytes) as usize % count;
    chosen..chosen + 1
}

/// True if this input is read twice, to see that the answer is the same: each fourth one.
pub(crate) fn is_repeated(bytes: &[u8]) -> bool {
    TRIES_ALL.load(Ordering::Relaxed) || (hash(bytes) >> 32).is_multiple_of(4)
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
