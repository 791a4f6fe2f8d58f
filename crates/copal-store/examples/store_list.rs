//! Stores a list twice in SQLite and prints what changed in between.
//!
//! `cargo run -p copal-store --example store_list [-- data.sqlite]`

use copal_dom::{Limits, Page};
use copal_extract::{Answer, Request, extract};
use copal_store::{DatabaseLocation, RowOptions, Store, StoreError, compare_runs};
use std::path::PathBuf;

/// A page with three lamps.
fn shop(lamps: [(&str, &str, &str); 3]) -> Answer {
    let lamp = |(id, title, price): (&str, &str, &str)| {
        format!("<li><h3><a href='/{id}'>{title}</a></h3> <b class=price>{price}</b></li>")
    };
    let html = format!("<title>Lamps</title><ul>{}</ul>", lamps.map(lamp).concat());
    let mut page = Page::from_text(&html, &Limits::default());
    // With a URL the links are absolute, and become the keys of the records.
    page.url = Some("https://shop.example/lamps".to_owned());
    extract(&page, &Request::default())
}

fn main() -> Result<(), StoreError> {
    let folder = std::env::temp_dir().join(format!("copal-example-{}", std::process::id()));
    let file = std::env::args().nth(1).map_or_else(|| folder.join("lamps.sqlite"), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    let location = DatabaseLocation::Sqlite(file);

    let monday = shop([("1", "Blue lamp", "£12"), ("2", "Red lamp", "£14"), ("3", "Green lamp", "£9")]);
    let tuesday = shop([("1", "Blue lamp", "£12"), ("2", "Red lamp", "£11"), ("4", "Black lamp", "£20")]);
    for page in [&monday, &tuesday] {
        let mut store = Store::begin(&location, None, "example", RowOptions::default())?;
        store.page("lamps.html", page)?;
        let done = store.finish("done")?;
        println!("run {}: {} records, {} new, {} changed", done.run, done.records, done.new, done.changed);
    }

    let (_, differences) = compare_runs(&location, None, None)?;
    for difference in differences {
        difference.new.iter().for_each(|record| println!("+ {}", record.key));
        difference.gone.iter().for_each(|record| println!("- {}", record.key));
        for record in &difference.changed {
            let changes = record.changes.iter().map(|c| format!("{}: {} → {}", c.column, c.old, c.new));
            println!("~ {}  {}", record.key, changes.collect::<Vec<_>>().join(", "));
        }
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
