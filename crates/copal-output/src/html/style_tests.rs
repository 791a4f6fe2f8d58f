//! The content security policy of the report names its style sheet.

use super::STYLE;
use sha2::{Digest, Sha256};

#[test]
fn the_policy_has_the_hash_of_the_style_sheet() {
    let digest = Sha256::digest(STYLE.as_bytes());
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut hash = String::new();
    for chunk in digest.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        hash.extend((0..=chunk.len()).map(|i| char::from(letters[(bits >> (18 - 6 * i) & 63) as usize])));
    }
    assert_eq!(super::STYLE_HASH, format!("{hash}="), "style.css has changed: update STYLE_HASH in mod.rs");
}
