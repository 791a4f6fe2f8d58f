//! The copy of any page that the studio shows: nothing in it runs, loads or leads anywhere.

#![no_main]

use copal_service::fuzz_page_copy;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| fuzz_page_copy(text));
