//! Runs the check that `COPAL_FUZZ_CHECK` names on what the fuzzer makes up.

#![no_main]

use copal_fuzz_checks::{FUZZ_CHECKS, FuzzCheck};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static CHECK: LazyLock<FuzzCheck> = LazyLock::new(|| {
    let name = std::env::var("COPAL_FUZZ_CHECK").unwrap_or_default();
    let known = || FUZZ_CHECKS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let found = FUZZ_CHECKS.iter().find(|(known, _)| *known == name);
    *found.unwrap_or_else(|| panic!("COPAL_FUZZ_CHECK is {name:?}: expected one of {}", known()))
});

fuzz_target!(|bytes: &[u8]| (CHECK.1)(bytes));
