//! Wrapper files that are made of valid parts, so that most of them are read: see `wrapper_file` for what must hold.

use crate::checks::wrapper_file::check_text;
use crate::generated_wrapper::generated_wrapper;

pub(crate) fn check(bytes: &[u8]) {
    check_text(&generated_wrapper(bytes));
}
