//! Follows a list from a URL and prints the number of records per page.
//!
//! `cargo run -p copal-site --example follow_list -- https://example.org/list [max pages]`

use copal_fetch::FetchOptions;
use copal_site::{SiteError, VisitOptions, Visitor};

const DEFAULT_MAX_PAGES: usize = 10;

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(url) = arguments.next() else {
        eprintln!("usage: follow_list URL [max pages]");
        std::process::exit(2);
    };
    let max_pages = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(DEFAULT_MAX_PAGES);
    if let Err(error) = print_list(&url, max_pages).await {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

async fn print_list(url: &str, max_pages: usize) -> Result<(), SiteError> {
    let mut options = VisitOptions::default();
    options.max_pages = max_pages;
    let visitor = Visitor::new(FetchOptions::default(), options)?;
    let Some(answer) = visitor.visit(url, |_| {}).await? else { return Ok(()) };
    let Some(list) = answer.primary() else {
        println!("no list found");
        return Ok(());
    };
    let Some(followed) = &answer.followed else {
        println!("{url}: {} records", list.records.len());
        return Ok(());
    };
    for (index, page_url) in followed.pages.iter().enumerate() {
        let page_of = |record: &copal_extract::Record| record.page.as_ref().map(|page| page.number as usize);
        let count = list.records.iter().filter(|record| page_of(record) == Some(index + 1)).count();
        println!("{page_url}: {count} records");
    }
    println!("{} records in total: {}", list.records.len(), followed.stopped);
    Ok(())
}
