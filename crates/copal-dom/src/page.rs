//! A page ready for extraction: tree, styles and index together.
//!
//! In: bytes or text, and [`Limits`]. Out: [`Page`]. Cost: one parse and two passes over the nodes.

use crate::attrs;
use crate::decode::{self, DecodeError};
use crate::index::Index;
use crate::limits::{Limits, Warning};
use crate::parse;
use crate::style::Styles;
use crate::tags;
use crate::text::push_collapsed;
use crate::tree::Tree;

/// Where a page came from.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// Its address, if known: for relative links and for the words of a query in it.
    pub url: Option<String>,
    /// The charset its HTTP header named.
    pub charset: Option<String>,
}

/// A parsed page.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Page {
    /// The tree.
    pub tree: Tree,
    /// What is shown and how.
    pub styles: Styles,
    /// Numbers about the nodes.
    pub index: Index,
    /// Its address, if known.
    pub url: Option<String>,
    /// Encoding of the bytes.
    pub encoding: &'static str,
    /// Stylesheets saved with the page (MHTML); read by the cascade to come.
    pub stylesheets: Vec<String>,
    /// What was odd.
    pub warnings: Vec<Warning>,
}

impl Page {
    /// Reads a page from bytes.
    pub fn from_bytes(bytes: &[u8], source: Source, limits: &Limits) -> Result<Page, DecodeError> {
        let decoded = decode::decode(bytes, source.charset.as_deref(), limits.bytes)?;
        let mut page = Page::from_text(&decoded.text, limits);
        page.url = source.url.or(decoded.url);
        page.encoding = decoded.encoding;
        page.stylesheets = decoded.stylesheets;
        page.warnings.splice(0..0, decoded.warnings);
        Ok(page)
    }

    /// Reads a page from text.
    pub fn from_text(text: &str, limits: &Limits) -> Page {
        let (tree, hit) = parse::parse(text, limits);
        let mut page = Page::from_tree(tree);
        page.warnings = hit.into_iter().map(Warning::Limit).collect();
        page
    }

    /// A page of a tree made otherwise (tests, snapshots).
    pub fn from_tree(tree: Tree) -> Page {
        let styles = Styles::compute(&tree);
        let index = Index::compute(&tree, &styles);
        Page {
            tree,
            styles,
            index,
            url: None,
            encoding: "UTF-8",
            stylesheets: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The text of `<title>`.
    pub fn title(&self) -> Option<String> {
        let node = self.tree.find(tags::TITLE).filter(|&n| !self.tree.is_foreign(n))?;
        let mut out = String::new();
        push_collapsed(&mut out, self.tree.raw_text(node)).then_some(out)
    }

    /// The language the page declares.
    pub fn lang(&self) -> Option<&str> {
        let html = self.tree.find(tags::HTML)?;
        self.tree.attr(html, attrs::LANG).map(str::trim).filter(|lang| !lang.is_empty())
    }
}
