//! The extractor as a program that a browser runs: a page on standard input, JSON on standard output.
//!
//! It is built for `wasm32-wasip1`. Standard input and output need neither `unsafe` code nor generated bindings, and a
//! program that ends after a page leaves no memory behind. `docs/demo/worker.js` is the system that it runs on.
//! Exit codes are those of the command: 0 done, 2 wrong usage, 3 page unreadable.

use copal_wasm::{PageOptions, page_document};
use std::io::{Read, Write, stdin, stdout};
use std::process::ExitCode;

fn main() -> ExitCode {
    let (code, document) = match run() {
        Ok(document) => (ExitCode::SUCCESS, document),
        Err((code, message)) => (ExitCode::from(code), serde_json::json!({ "error": message })),
    };
    match stdout().write_all(document.to_string().as_bytes()) {
        Ok(()) => code,
        Err(_) => ExitCode::from(3),
    }
}

fn run() -> Result<serde_json::Value, (u8, String)> {
    let options = PageOptions::parse(std::env::args().skip(1)).map_err(|message| (2, message))?;
    let mut page = Vec::new();
    stdin().read_to_end(&mut page).map_err(|error| (3, error.to_string()))?;
    page_document(&page, &options).map_err(|message| (3, message))
}
