//! Changed copies of the stored inputs pass their checks: a little fuzzing without a fuzzer, the same inputs each time.
//!
//! `COPAL_MUTATIONS=5000` tries more of each check, `COPAL_CHECK=headers` only one.

#![allow(clippy::unwrap_used)]

use copal_fuzz_checks::FUZZ_CHECKS;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// Copies per check that every test run tries.
const MUTATIONS: usize = 25;
/// Longest input: some checks take a second for more.
const MAX_BYTES: usize = 6_000;

fn fuzz_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn stored(check: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(fuzz_folder().join("inputs").join(check))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// The words of the fuzzer's dictionary.
fn words() -> Vec<Vec<u8>> {
    let text = fs::read_to_string(fuzz_folder().join("readers.dict")).unwrap();
    let quoted = text.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    quoted.map(|word| word.replace("\\\"", "\"").into_bytes()).collect()
}

/// A generator of numbers that is the same everywhere (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % count.max(1)
    }

    fn of<'a>(&mut self, items: &'a [Vec<u8>]) -> &'a [u8] {
        let at = self.below(items.len());
        items.get(at).map_or(&[], Vec::as_slice)
    }
}

fn mutated(inputs: &[Vec<u8>], words: &[Vec<u8>], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = chance.of(inputs).to_vec();
    bytes.truncate(MAX_BYTES);
    for _ in 0..=chance.below(5) {
        let at = chance.below(bytes.len() + 1);
        let to = at + chance.below(bytes.len() - at + 1).min(200);
        match chance.below(7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << chance.below(8),
            1 if at < bytes.len() => bytes[at] = chance.below(256) as u8,
            2 => drop(bytes.splice(at..at, chance.of(words).iter().copied())),
            3 => drop(bytes.drain(at..to)),
            4 => {
                let part = bytes[at..to].repeat(1 + chance.below(6));
                bytes.splice(at..at, part);
            }
            5 => {
                let other = chance.of(inputs);
                let from = chance.below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
            _ => bytes.truncate(at),
        }
        bytes.truncate(MAX_BYTES);
    }
    bytes
}

#[test]
fn changed_inputs_pass() {
    let count = std::env::var("COPAL_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(MUTATIONS);
    let only = std::env::var("COPAL_CHECK").ok();
    let (words, mut failed) = (words(), Vec::new());
    for (name, check) in
        FUZZ_CHECKS.iter().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name))
    {
        let inputs = stored(name);
        let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
        for number in 0..count {
            let bytes = mutated(&inputs, &words, &mut chance);
            if catch_unwind(|| check(&bytes)).is_err() {
                let file = std::env::temp_dir().join(format!("copal-fault-{name}-{number}"));
                fs::write(&file, &bytes).unwrap();
                failed.push(file);
            }
        }
        println!("{name}: {count} changed inputs");
    }
    assert!(failed.is_empty(), "{} checks fail; the inputs are in {failed:?}", failed.len());
}
