//! Corrections of a wrapper as JSON, against any page: followed or refused without a panic.

#![no_main]

use copal_service::fuzz_corrections;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| fuzz_corrections(bytes));
