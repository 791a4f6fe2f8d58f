//! What styles cost compared with parsing: reads names of pages from standard input, and prints the ratio of both times
//! over all of them, and over those that have stylesheets.
//!
//! ```sh
//! find pages -name '*.html' | cargo run --release -p copal-css --example style_cost
//! ```

use copal_css::{Stylesheets, style_page};
use copal_dom::{Limits, Page, PageSource};
use std::io::BufRead;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut all, mut styled) = ((Duration::ZERO, Duration::ZERO), (Duration::ZERO, Duration::ZERO));
    let (mut pages, mut styled_pages) = (0, 0);
    for path in std::io::stdin().lock().lines() {
        let bytes = std::fs::read(path?)?;
        let start = Instant::now();
        let Ok(mut page) = Page::from_bytes(&bytes, PageSource::default(), &Limits::default()) else {
            continue;
        };
        let parse = start.elapsed();
        let start = Instant::now();
        let report = style_page(&mut page, &Stylesheets::default());
        let style = start.elapsed();
        pages += 1;
        all = (all.0 + parse, all.1 + style);
        if report.is_styled {
            styled_pages += 1;
            styled = (styled.0 + parse, styled.1 + style);
        }
    }
    let ratio = |(parse, style): (Duration, Duration)| style.as_secs_f64() / parse.as_secs_f64().max(1e-9);
    println!("{pages} pages: styles take {:.3} of the parse", ratio(all));
    println!("{styled_pages} of them have stylesheets: {:.3}", ratio(styled));
    Ok(())
}
