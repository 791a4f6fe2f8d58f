//! Prints every list of a saved page: its role, its columns and its first records.

use copal_dom::{Limits, Page, PageSource};
use copal_extract::{Request, extract};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: extract_lists PAGE.html")?;
    let page = Page::from_bytes(&std::fs::read(path)?, PageSource::default(), &Limits::default())?;
    let mut request = Request::for_lists();
    request.all = true;
    for list in extract(&page, &request).regions {
        let names: Vec<&str> = list.columns.iter().map(|column| column.name.as_str()).collect();
        println!("{}: {} records ({})", list.role.name(), list.records.len(), names.join(", "));
        for record in list.records.iter().take(3) {
            println!("  {}", record.text);
        }
    }
    Ok(())
}
