//! Fetches the stylesheets that a page links to, by the same rules as pages: robots.txt, addresses, limits, pauses.

use copal_css::{Stylesheets, linked_stylesheets, style_page};
use copal_dom::{Page, Warning};
use copal_fetch::Fetcher;

/// Stylesheets of one page that are fetched.
const MAX_FETCHED_SHEETS: usize = 32;
/// How often stylesheets may name further ones.
const MAX_ROUNDS: usize = 4;

/// Computes the styles of a page with the stylesheets that it links to. Those that cannot be fetched are left out, and
/// a warning says how many.
pub(crate) async fn add_linked_styles(page: &mut Page, fetcher: &Fetcher) {
    let mut sheets = Stylesheets::saved_with(page);
    let (mut fetched, mut failed) = (0, 0);
    let mut missing = linked_stylesheets(page, &sheets);
    if missing.is_empty() {
        // style elements may import stylesheets without a link to any
        missing = style_page(page, &sheets).missing;
    }
    for _ in 0..MAX_ROUNDS {
        if missing.is_empty() {
            break;
        }
        for url in missing {
            let text = if fetched < MAX_FETCHED_SHEETS { fetched_text(fetcher, &url).await } else { None };
            fetched += 1;
            failed += usize::from(text.is_none());
            sheets.add(url, text);
        }
        missing = style_page(page, &sheets).missing;
    }
    if failed > 0 {
        let what = if failed == 1 { "1 stylesheet".to_owned() } else { format!("{failed} stylesheets") };
        page.warnings.push(Warning::Note(format!("{what} of the page could not be read")));
    }
}

async fn fetched_text(fetcher: &Fetcher, url: &str) -> Option<String> {
    let response = fetcher.get(url).await.ok()?.successful().ok()?;
    // servers answer with a page where a file is missing
    let is_page = response.content_type.as_deref().is_some_and(|kind| kind.contains("html"));
    (!is_page).then(|| String::from_utf8_lossy(&response.body).into_owned())
}
