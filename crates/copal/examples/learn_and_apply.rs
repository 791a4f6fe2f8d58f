//! Learns a wrapper from one page of a site and reads another page with it.
//!
//! `cargo run -p copal --example learn_and_apply -- page1.html page2.html`
//!
//! A wrapper is faster than extraction, gives the same columns on every page, and survives most redesigns.

use copal::wrapper::{Wrapper, apply, learn};
use copal::{Limits, Page, PageSource, Request};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut paths = std::env::args().skip(1);
    let (Some(sample), Some(other)) = (paths.next(), paths.next()) else {
        eprintln!("usage: learn_and_apply SAMPLE.html OTHER.html");
        std::process::exit(2);
    };
    let sample = open(&sample)?;
    let answer = copal::extract_page(&sample, &Request::default());
    let learned = learn(&[(&sample, &answer)])?;
    for note in &learned.notes {
        eprintln!("note: {note}");
    }
    // A wrapper is a text file: write it, read it again next week.
    let file = learned.wrapper.to_string();
    println!("{file}");
    let wrapper = Wrapper::parse(&file)?;

    let answer = apply(&wrapper, &open(&other)?);
    let records = answer.primary().map(copal::output::record_objects).unwrap_or_default();
    println!("{} records", records.len());
    for record in records {
        println!("{record}");
    }
    Ok(())
}

fn open(path: &str) -> Result<Page, Box<dyn std::error::Error>> {
    Ok(Page::from_bytes(&std::fs::read(path)?, PageSource::default(), &Limits::default())?)
}
