//! Finding elements of a page: CSS selectors, XPaths and fingerprints.
//!
//! Everything here works on one page and knows nothing of wrapper files.

pub mod css;
pub(crate) mod fingerprint;
pub(crate) mod page_fingerprint;
pub(crate) mod url_parts;
pub mod xpath;

pub use copal_css::ElementIndex;
pub(crate) use copal_css::{SelectorName, SelectorNames, hash};

use crate::error::WrapperError;
use copal_dom::{Node, Page};
use css::Css;

/// The elements of a page that a CSS selector selects, or an XPath if the path starts with a slash.
pub fn select(page: &Page, path: &str) -> Result<Vec<Node>, WrapperError> {
    if path.trim_start().starts_with('/') {
        return xpath::select(&page.tree, path);
    }
    Ok(Css::parse(path)?.select(&ElementIndex::new(&page.tree)))
}
