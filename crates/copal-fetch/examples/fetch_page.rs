//! Fetches one URL and prints its status, media type and length.
//!
//! `cargo run -p copal-fetch --example fetch_page -- https://example.org/`

use copal_fetch::{FetchError, FetchOptions, Fetcher};

#[tokio::main]
async fn main() {
    let Some(url) = std::env::args().nth(1) else {
        eprintln!("usage: fetch_page URL");
        std::process::exit(2);
    };
    if let Err(error) = print_page(&url).await {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

async fn print_page(url: &str) -> Result<(), FetchError> {
    let fetcher = Fetcher::new(FetchOptions::default())?;
    let page = fetcher.get(url).await?;
    println!("URL:    {}", page.url);
    println!("status: {}", page.status);
    println!("type:   {}", page.content_type.as_deref().unwrap_or("unknown"));
    println!("length: {} bytes{}", page.body.len(), if page.truncated { " (truncated)" } else { "" });
    Ok(())
}
