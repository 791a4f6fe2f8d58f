//! Wrappers for other tools.
//!
//! In: a [`Wrapper`]. Out: [`Exported`]: the text of a file that reads the same records with Scrapy, crawl4ai, OXPath, Playwright or
//! any engine of XPath 1.0, and what of the wrapper that tool cannot say. A wrapper may be hostile: its texts become strings
//! of the target's language and nothing else. O(wrapper).

mod crawl4ai;
mod literal;
mod oxpath;
mod paths;
mod plan;
mod playwright;
mod scrapy;
mod values;
mod xpath_json;

use crate::file::Wrapper;

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

/// A wrapper in another form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub text: String,
    /// What the target cannot say, by column.
    pub warnings: Vec<String>,
}

/// Writes a wrapper for another tool. `url` is a page's address, for targets that name it (OXPath).
pub fn export(wrapper: &Wrapper, target: Target, url: Option<&str>) -> Result<Exported, String> {
    match target {
        Target::Scrapy => scrapy::export(wrapper),
        Target::Crawl4ai => crawl4ai::export(wrapper),
        Target::Oxpath => oxpath::export(wrapper, url),
        Target::Playwright => playwright::export(wrapper),
        Target::XpathJson => xpath_json::export(wrapper),
    }
}

/// The number, spelled for a message.
fn ordinal(number: usize) -> String {
    match number {
        1 => "first".into(),
        2 => "second".into(),
        3 => "third".into(),
        _ => format!("{number}th"),
    }
}
