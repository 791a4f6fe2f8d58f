//! Corrections of a wrapper as JSON, against any page: followed or refused without a panic.

pub(crate) fn check(bytes: &[u8]) {
    copal_service::fuzz_corrections(bytes);
}
