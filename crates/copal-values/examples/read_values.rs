//! Prints the values in its arguments, or in the lines of standard input.
//!
//! `cargo run -p copal-values --example read_values -- "£1,250 pcm" "26 January 2017, 3 bedrooms"`

use copal_values::find_values;
use std::io::{self, BufRead};

fn print_values(text: &str) {
    println!("{text}");
    for found in find_values(text) {
        let (start, end) = (found.span.start, found.span.end);
        println!(
            "  {:10} {start}..{end} {:?}: {:?}",
            found.value_type.name(),
            &text[start..end],
            found.value
        );
    }
}

fn main() -> io::Result<()> {
    let texts: Vec<String> = std::env::args().skip(1).collect();
    if texts.is_empty() {
        for line in io::stdin().lock().lines() {
            print_values(&line?);
        }
    }
    for text in &texts {
        print_values(text);
    }
    Ok(())
}
