//! SHA-256 as hexadecimal text.

use sha2::{Digest, Sha256};

/// A hash that is built from several pieces.
#[derive(Default)]
pub(crate) struct Hasher(Sha256);

impl Hasher {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(crate) fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    let mut hasher = Hasher::default();
    hasher.add(bytes);
    hasher.finish()
}

/// A number that depends on the text only, as a seed.
pub(crate) fn seed_of(text: &str) -> u64 {
    u64::from_str_radix(&sha256(text.as_bytes())[..16], 16).unwrap_or_default()
}
