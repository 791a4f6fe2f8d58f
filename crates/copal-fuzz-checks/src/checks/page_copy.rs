//! The copy of any page that the studio shows: nothing in it runs, loads or leads anywhere.

pub(crate) fn check(bytes: &[u8]) {
    copal_service::fuzz_page_copy(&String::from_utf8_lossy(bytes));
}
