//! Parses files and prints how many nodes they have: a program to count instructions of
//! (`research/compare/parse_instructions.py`).
//!
//! ```sh
//! cargo run --release -p copal-dom --example parse_cost -- copal page.html
//! ```
//!
//! The first argument is `decode` (no parse), `html5ever` (its tokenizer and tree builder with a sink that keeps
//! nothing), `copal` (the parse) or `page` (the parse, styles and index).

#[path = "../../copal/benches/bare_sink/mod.rs"]
mod bare_sink;

use bare_sink::parse_with_html5ever;
use copal_dom::{Limits, Page, decode, parse};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let parser = arguments.next().ok_or("no parser given: expected decode, html5ever, copal or page")?;
    let limits = Limits::default();
    let (mut bytes, mut nodes) = (0, 0);
    for file in arguments {
        let text = decode::decode(&std::fs::read(file)?, None, limits.bytes)?.text;
        bytes += text.len();
        nodes += match &*parser {
            "decode" => 0,
            "html5ever" => parse_with_html5ever(&text),
            "copal" => parse::parse(&text, &limits).0.len(),
            "page" => Page::from_text(&text, &limits).tree.len(),
            other => return Err(format!("{other}: expected decode, html5ever, copal or page").into()),
        };
    }
    println!("{bytes} bytes, {nodes} nodes");
    Ok(())
}
