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
mod site_steps;
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

/// What an exported file is to contain beside the wrapper's lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportOptions {
    /// The URL of a page, for targets whose files contain one (OXPath).
    pub url: Option<String>,
    /// By default the file reads all pages of the list, if the wrapper knows the next link.
    pub follow: bool,
}

impl ExportOptions {
    /// A file for a page with this URL.
    pub fn for_url(url: Option<&str>) -> ExportOptions {
        ExportOptions { url: url.map(str::to_owned), follow: false }
    }

    /// The same options for a file that reads all pages of the list.
    #[must_use]
    pub fn following(mut self, follow: bool) -> ExportOptions {
        self.follow = follow;
        self
    }
}

/// Writes a wrapper for another tool. `url` is the URL of a page, for targets whose files contain one
/// (OXPath).
pub fn export(wrapper: &Wrapper, target: Target, url: Option<&str>) -> Result<Exported, WrapperError> {
    export_with(wrapper, target, &ExportOptions::for_url(url))
}

/// Writes a wrapper for another tool, with options.
pub fn export_with(
    wrapper: &Wrapper,
    target: Target,
    options: &ExportOptions,
) -> Result<Exported, WrapperError> {
    let mut exported = match target {
        Target::Scrapy => scrapy::export(wrapper, options),
        Target::Crawl4ai => crawl4ai::export(wrapper),
        Target::Oxpath => oxpath::export(wrapper, options),
        Target::Playwright => playwright::export(wrapper, options),
        Target::XpathJson => xpath_json::export(wrapper),
    }?;
    let keys = ["steps", "lists", "searches"];
    let tool = match target {
        Target::Crawl4ai => Some("crawl4ai's extraction"),
        Target::XpathJson => Some("an XPath engine"),
        // they say it in their files
        Target::Scrapy | Target::Oxpath | Target::Playwright => None,
    };
    if let Some(tool) = tool {
        site_steps::warn_of_navigation(wrapper, tool, &keys, &mut exported.warnings);
    }
    let has_next = wrapper.navigation.as_ref().is_some_and(|navigation| !navigation.next.is_empty());
    if options.follow && !has_next {
        exported.warnings.push("the wrapper knows no next link: one page is read".into());
    } else if options.follow && matches!(target, Target::Crawl4ai | Target::XpathJson) {
        exported.warnings.push("this format has no next link: one page is read".into());
    }
    Ok(exported)
}
