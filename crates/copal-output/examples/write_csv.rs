//! Extracts the list of a page and prints it as CSV.
//!
//! `cargo run -p copal-output --example write_csv [-- page.html]`

use copal_dom::{Limits, Page};
use copal_extract::{Request, extract};
use copal_output::destination::Destination;
use copal_output::{Csv, Format, OutputError};

const SHOP: &str = "<title>Lamps</title><ul>
  <li><h3><a href='/1'>Blue lamp</a></h3> <b class=price>£12.00</b> <p class=about>Small and round</p></li>
  <li><h3><a href='/2'>Red lamp</a></h3> <b class=price>£14.50</b> <p class=about>For the desk</p></li>
  <li><h3><a href='/3'>Green lamp</a></h3> <b class=price>£9.99</b> <p class=about>Made of glass</p></li>
</ul>";

fn main() -> Result<(), OutputError> {
    let file = std::env::args().nth(1);
    let html = match &file {
        Some(path) => std::fs::read_to_string(path)?,
        None => SHOP.to_owned(),
    };
    let page = Page::from_text(&html, &Limits::default());
    let extraction = extract(&page, &Request::default());

    // A path instead of `None` writes a file, which appears only when `commit` is called.
    let mut out = Destination::open(None)?;
    let mut csv = Csv::new();
    csv.page(&mut out, file.as_deref().unwrap_or("shop.html"), &extraction)?;
    csv.finish(&mut out)?;
    out.commit()?;
    Ok(())
}
