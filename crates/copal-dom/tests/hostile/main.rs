//! Hostile pages. Whatever the page, reading it must end soon, on a small stack, with a consistent tree
//! within the limits.

#[path = "../common/mod.rs"]
mod common;

mod content;
mod encodings;
mod limits;
mod reopening;
mod shapes;
mod support;
