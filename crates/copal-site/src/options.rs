//! Settings of a visit.

use copal::Options;
use copal::set::Taken;

/// Settings of a [`Visitor`](crate::Visitor). Start with `VisitOptions::default()`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct VisitOptions {
    /// What to extract.
    pub extract: Options,
    /// Maximum number of pages of a list. 1 reads only the first page.
    pub max_pages: usize,
    /// Maximum number of detail pages to read. 0 reads none.
    pub max_details: usize,
    /// Whether a page is treated as a list, as a detail page, or as what it appears to be.
    pub page_kind: Taken,
}

impl Default for VisitOptions {
    fn default() -> Self {
        VisitOptions { extract: Options::default(), max_pages: 1, max_details: 0, page_kind: Taken::Auto }
    }
}
