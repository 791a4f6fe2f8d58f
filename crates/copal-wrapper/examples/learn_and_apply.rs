//! Learns a wrapper from one saved page and reads another page with it.
//!
//! ```text
//! cargo run -p copal-wrapper --example learn_and_apply page1.html page2.html
//! ```

use copal_dom::{Limits, Page, PageSource};
use copal_extract::{Request, extract};
use copal_wrapper::{apply, learn};
use std::error::Error;

fn read_page(path: &str) -> Result<Page, Box<dyn Error>> {
    Ok(Page::from_bytes(&std::fs::read(path)?, PageSource::default(), &Limits::default())?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [sample, other] = &arguments[..] else {
        return Err("expected two files: the page to learn from, and the page to read".into());
    };

    let sample = read_page(sample)?;
    let extraction = extract(&sample, &Request::default());
    let learned = learn(&[(&sample, &extraction)])?;
    for note in &learned.notes {
        eprintln!("note: {note}");
    }
    // `learned.wrapper.to_string()` is the wrapper file; `Wrapper::parse` reads it.

    let found = apply(&learned.wrapper, &read_page(other)?);
    let Some(list) = found.primary() else {
        return Err("the wrapper matches nothing on this page".into());
    };
    for (number, record) in list.records.iter().enumerate() {
        println!("record {}", number + 1);
        for (column, cell) in list.columns.iter().zip(&record.cells) {
            if !cell.is_empty() {
                println!("  {}: {}", column.name, cell.join(" | "));
            }
        }
    }
    Ok(())
}
