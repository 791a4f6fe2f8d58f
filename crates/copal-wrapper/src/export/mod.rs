//! Exports: wrappers for other tools.
//!
//! In: a [`Wrapper`]. Out: [`Exported`]: the text of a file that reads the same records with Scrapy,
//! crawl4ai, OXPath, Playwright or any engine of XPath 1.0, and warnings about what that tool cannot express.
//! A wrapper may be hostile: its texts become quoted strings in the target's language and nothing else.
//! O(wrapper).

mod crawl4ai;
mod css_to_xpath;
mod exported;
mod literal;
mod oxpath;
mod plan;
mod playwright;
mod scrapy;
mod value_paths;
mod xpath_json;

pub use exported::Exported;

use crate::error::WrapperError;
use crate::format::Wrapper;

/// The tool that a wrapper is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// A Scrapy spider in Python.
    Scrapy,
    /// A schema of crawl4ai's `JsonCssExtractionStrategy`.
    Crawl4ai,
    /// An OXPath expression.
    Oxpath,
    /// A script for Node with Playwright.
    Playwright,
    /// XPaths as JSON.
    XpathJson,
}

/// Writes a wrapper for another tool. `url` is the URL of a page, for targets whose files contain one
/// (OXPath).
pub fn export(wrapper: &Wrapper, target: Target, url: Option<&str>) -> Result<Exported, WrapperError> {
    match target {
        Target::Scrapy => scrapy::export(wrapper),
        Target::Crawl4ai => crawl4ai::export(wrapper),
        Target::Oxpath => oxpath::export(wrapper, url),
        Target::Playwright => playwright::export(wrapper),
        Target::XpathJson => xpath_json::export(wrapper),
    }
}
