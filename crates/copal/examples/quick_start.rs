//! Prints the main list of a saved page, one line per record.
//!
//! `cargo run -p copal --example quick_start -- page.html`

use copal::{ReadError, Request};

const SAMPLE: &str = "<ul>
  <li><a href='/1'>Blue lamp</a> <span class='price'>£12</span></li>
  <li><a href='/2'>Red lamp</a> <span class='price'>£14</span></li>
  <li><a href='/3'>Green lamp</a> <span class='price'>£9</span></li>
</ul>";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = match std::env::args().nth(1) {
        Some(path) => std::fs::read(path)?,
        None => SAMPLE.into(),
    };
    print_main_list(&bytes)?;
    Ok(())
}

fn print_main_list(bytes: &[u8]) -> Result<(), ReadError> {
    let answer = copal::extract_bytes(bytes, &Request::default())?;
    let Some(list) = answer.primary() else {
        println!("no list found");
        return Ok(());
    };
    let names: Vec<&str> = list.columns.iter().map(|column| column.name.as_str()).collect();
    println!("{} records with {}", list.records.len(), names.join(", "));
    for record in copal::output::record_objects(list) {
        println!("{record}");
    }
    Ok(())
}
