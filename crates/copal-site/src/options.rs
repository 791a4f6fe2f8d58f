//! Settings of a visit.

use copal_extract::Request;

use crate::rendering::Rendering;

/// Settings of a [`Visitor`](crate::Visitor). Start with `VisitOptions::default()`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct VisitOptions {
    /// What to extract.
    pub request: Request,
    /// Maximum number of pages of a list. 1 reads only the first page.
    pub max_pages: usize,
    /// Maximum number of detail pages to read. 0 reads none.
    pub max_details: usize,
    /// With [`Request::stylesheets`]: also fetch the stylesheets that pages link to.
    pub fetch_stylesheets: bool,
    /// Show pages in a browser.
    pub rendering: Option<Rendering>,
}

impl Default for VisitOptions {
    fn default() -> Self {
        VisitOptions {
            request: Request::default(),
            max_pages: 1,
            max_details: 0,
            fetch_stylesheets: false,
            rendering: None,
        }
    }
}
