//! Which saved pages would be shown in a browser with `--render auto`, and why:
//! `find pages -name '*.html' | cargo run -p copal-site --example needs_browser`

use std::io::{self, BufRead};

use copal_dom::{Limits, Page, PageSource};
use copal_extract::{Request, extract};

fn main() -> io::Result<()> {
    let (mut pages, mut needing) = (0, 0);
    for path in io::stdin().lock().lines() {
        let path = path?;
        let Ok(page) = Page::from_bytes(&std::fs::read(&path)?, PageSource::default(), &Limits::default())
        else {
            continue;
        };
        pages += 1;
        if let Some(reason) = copal_site::reason_to_render(&page, &extract(&page, &Request::default())) {
            needing += 1;
            println!("{path}: {reason}");
        }
    }
    println!("{needing} of {pages} pages");
    Ok(())
}
