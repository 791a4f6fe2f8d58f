//! One file per check, and the table of all of them by name.

mod annotators;
mod archive;
mod body;
mod columns;
mod config;
mod cookies;
mod corrections;
mod css;
mod decode;
mod details;
mod documents;
mod domain_file;
mod embedded;
mod extract;
mod forms;
mod headers;
mod html_tree;
mod page_copy;
mod replay;
mod request_body;
mod robots;
mod selectors;
mod site_pages;
mod snapshot;
mod style;
mod tree;
mod urls;
mod values;
mod wrapper_file;
mod wrapper_tree;

/// A check: its name, which is that of its fuzz target, and the function that panics if it fails.
pub type FuzzCheck = (&'static str, fn(&[u8]));

/// All checks, by name.
pub const FUZZ_CHECKS: &[FuzzCheck] = &[
    ("annotators", annotators::check),
    ("archive", archive::check),
    ("body", body::check),
    ("columns", columns::check),
    ("config", config::check),
    ("cookies", cookies::check),
    ("corrections", corrections::check),
    ("css", css::check),
    ("decode", decode::check),
    ("details", details::check),
    ("documents", documents::check),
    ("domain_file", domain_file::check),
    ("embedded", embedded::check),
    ("extract", extract::check),
    ("forms", forms::check),
    ("headers", headers::check),
    ("html_tree", html_tree::check),
    ("page_copy", page_copy::check),
    ("replay", replay::check),
    ("request_body", request_body::check),
    ("robots", robots::check),
    ("selectors", selectors::check),
    ("site_pages", site_pages::check),
    ("snapshot", snapshot::check),
    ("style", style::check),
    ("tree", tree::check),
    ("urls", urls::check),
    ("values", values::check),
    ("wrapper_file", wrapper_file::check),
    ("wrapper_tree", wrapper_tree::check),
];

/// Runs the check of this name.
pub fn fuzz_check(name: &str, bytes: &[u8]) {
    let (_, check) = FUZZ_CHECKS.iter().find(|(known, _)| *known == name).expect("the name of a check");
    check(bytes);
}
