//! `--sitemap`: the URLs that a site lists.
//!
//! In: the URL or file of a sitemap, or of an index of sitemaps. Out: the URLs of pages. At most
//! [`MAX_SITEMAP_COUNT`] sitemaps of an index are read, and at most [`MAX_PAGES`] pages are given.

use crate::error::CliError;
use crate::inputs::Input;
use crate::reporting;
use copal_fetch::{FetchOptions, Fetcher, Sitemap};

/// Sitemaps of an index that are read.
const MAX_SITEMAP_COUNT: usize = 100;
/// Pages of a run.
const MAX_PAGES: usize = 10_000;

/// Bytes of a sitemap that are read.
pub(crate) const MAX_BYTES: usize = copal_fetch::MAX_SITEMAP_BYTES;

/// The pages that a sitemap lists; `options` are those for fetching a URL.
pub(crate) fn pages(
    name: &str,
    options: impl FnOnce(&str) -> Result<FetchOptions, CliError>,
    quiet: bool,
) -> Result<Vec<Input>, CliError> {
    let input = Input::single(name)?;
    let mut sitemap = Sitemap::default();
    let mut left_out = 0;
    if let Some(url) = input.url() {
        let options = options(url)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(CliError::unreadable)?;
        let read = runtime.block_on(async {
            let fetcher = Fetcher::new(options).map_err(CliError::unreadable)?;
            let mut found = fetch_one(&fetcher, url).await?;
            left_out = found.sitemaps.len().saturating_sub(MAX_SITEMAP_COUNT);
            for url in std::mem::take(&mut found.sitemaps).iter().take(MAX_SITEMAP_COUNT) {
                if found.pages.len() >= MAX_PAGES {
                    break;
                }
                match fetch_one(&fetcher, url).await {
                    Ok(more) => found.pages.extend(more.pages),
                    Err(error) => reporting::error(&error.about(url)),
                }
            }
            Ok::<Sitemap, CliError>(found)
        });
        sitemap = read.map_err(|error| error.about(name))?;
    } else {
        let bytes = input.read_bytes(MAX_BYTES).map_err(|error| error.about(name))?;
        sitemap.pages = Sitemap::parse(&bytes).pages;
    }
    if sitemap.pages.is_empty() {
        let message = format!("{name}: no URLs: expected a sitemap in XML, or one URL per line");
        return Err(CliError::unreadable(message));
    }
    if !quiet && (sitemap.pages.len() > MAX_PAGES || left_out > 0) {
        let message =
            format!("{name}: only the first {MAX_PAGES} pages of {MAX_SITEMAP_COUNT} sitemaps are read");
        reporting::warning(message);
    }
    Ok(sitemap.pages.into_iter().take(MAX_PAGES).map(Input::Url).collect())
}

async fn fetch_one(fetcher: &Fetcher, url: &str) -> Result<Sitemap, CliError> {
    let fetched = fetcher.get(url).await.and_then(copal_fetch::FetchedPage::successful);
    Ok(Sitemap::parse(&fetched.map_err(CliError::unreadable)?.body))
}
