//! Follows a list over its pages and stores the records in SQLite. A second run reports what is new and what changed.
//!
//! `cargo run -p copal --features fetch,store --example list_into_sqlite -- https://shop.example/lamps lamps.sqlite`

use copal::fetch::FetchOptions;
use copal::site::{VisitOptions, Visitor};
use copal::store::{DatabaseLocation, RowOptions, Store};
use std::path::Path;

const MAX_PAGES: usize = 50;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(url), Some(file)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: list_into_sqlite URL FILE.sqlite");
        std::process::exit(2);
    };
    let database =
        DatabaseLocation::from_name(Path::new(&file)).ok_or("expected a name ending in .sqlite")?;

    let mut options = VisitOptions::default();
    options.max_pages = MAX_PAGES;
    // The default fetcher obeys robots.txt and waits between two requests to one host.
    let visitor = Visitor::new(FetchOptions::default(), options)?;
    let progress = |progress: &copal::site::VisitProgress| {
        eprintln!("{} pages, {} records", progress.pages, progress.records);
    };
    let Some(answer) = visitor.visit(&url, progress).await? else { return Ok(()) };

    let mut store = Store::begin(&database, None, "list_into_sqlite", RowOptions::default())?;
    store.page(&url, &answer)?;
    let run = store.finish("done")?;
    println!("run {}: {} records, {} new, {} changed", run.run, run.records, run.new, run.changed);
    Ok(())
}
