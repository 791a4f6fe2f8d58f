//! A page that is ready for extraction: tree, styles and index together.
//!
//! In: bytes or text, and [`Limits`]. Out: [`Page`]. Cost: one parse and two passes over the nodes.

use crate::attrs;
use crate::boxes::Boxes;
use crate::decode::{self, DecodeError};
use crate::index::Index;
use crate::limits::{Limits, Warning};
use crate::mhtml::SavedStylesheet;
use crate::parse;
use crate::style::Styles;
use crate::tags;
use crate::text::push_collapsed;
use crate::tree::{Node, Tree};
use std::ops::Range;

/// What is known about a page apart from its bytes.
#[derive(Debug, Clone, Default)]
pub struct PageSource {
    /// The page's URL: relative links are resolved against it, and its query tells what was searched for.
    pub url: Option<String>,
    /// The charset in its HTTP header.
    pub charset: Option<String>,
}

/// A parsed page.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Page {
    /// Elements and texts.
    pub tree: Tree,
    /// Which nodes are visible, and their styles.
    pub styles: Styles,
    /// Counts, paths and hashes of the nodes.
    pub index: Index,
    /// The page's URL, if known.
    pub url: Option<String>,
    /// The encoding of the bytes.
    pub encoding: &'static str,
    /// Stylesheets saved with the page (MHTML). `copal-css` reads them.
    pub stylesheets: Vec<SavedStylesheet>,
    /// The styles are those of the page's stylesheets.
    pub has_stylesheet_styles: bool,
    /// Where the nodes are, if a browser showed the page.
    pub boxes: Option<Boxes>,
    /// What a user should know about the result.
    pub warnings: Vec<Warning>,
}

impl Page {
    /// Reads a page from bytes.
    pub fn from_bytes(bytes: &[u8], source: PageSource, limits: &Limits) -> Result<Page, DecodeError> {
        let decoded = decode::decode(bytes, source.charset.as_deref(), limits.bytes)?;
        let mut page = Page::from_text(&decoded.text, limits);
        page.url = source.url.or(decoded.url);
        page.encoding = decoded.encoding;
        page.stylesheets = decoded.stylesheets;
        page.warnings.splice(0..0, decoded.warnings);
        Ok(page)
    }

    /// Reads a page from text. Limits that are hit become warnings.
    pub fn from_text(text: &str, limits: &Limits) -> Page {
        let (tree, hit) = parse::parse(text, limits);
        let mut page = Page::from_tree(tree);
        page.warnings = hit.into_iter().map(Warning::Limit).collect();
        page
    }

    /// A page from a tree that was not parsed but built: from a [`Draft`](crate::draft::Draft) or from parts
    /// of others.
    pub fn from_tree(tree: Tree) -> Page {
        let styles = Styles::compute(&tree);
        Page::from_styled_tree(tree, styles)
    }

    /// A page whose styles are known.
    pub fn from_styled_tree(tree: Tree, styles: Styles) -> Page {
        let index = Index::compute(&tree, &styles);
        Page {
            tree,
            styles,
            index,
            url: None,
            encoding: "UTF-8",
            stylesheets: Vec::new(),
            has_stylesheet_styles: false,
            boxes: None,
            warnings: Vec::new(),
        }
    }

    /// Replaces the styles by those of the page's stylesheets, and counts what is visible again.
    pub fn set_stylesheet_styles(&mut self, styles: Styles) {
        self.has_stylesheet_styles = true;
        self.index = Index::compute(&self.tree, &styles);
        self.styles = styles;
    }

    /// The same page with the content that inline styles and the attribute `hidden` hide; `None` if that has
    /// fewer than `min_chars` characters. Nodes are the same. Also `None` if a browser has shown the page: its
    /// scripts have run, and what is hidden then is hidden from readers too.
    pub fn with_hidden_content(&self, min_chars: u32) -> Option<Page> {
        if self.boxes.is_some() {
            return None;
        }
        let styles = Styles::compute_revealed(&self.tree);
        if self.tree.nodes().all(|node| styles.is_shown(node) == self.styles.is_shown(node)) {
            return None;
        }
        let index = Index::compute(&self.tree, &styles);
        let all = self.tree.nodes();
        let added = index.chars(&all).saturating_sub(self.index.chars(&all));
        (added >= min_chars).then(|| Page {
            tree: self.tree.clone(),
            styles,
            index,
            url: self.url.clone(),
            encoding: self.encoding,
            stylesheets: Vec::new(),
            has_stylesheet_styles: false,
            boxes: None,
            warnings: Vec::new(),
        })
    }

    /// The text of `<title>`.
    pub fn title(&self) -> Option<String> {
        let node = self.tree.find(tags::TITLE).filter(|&n| !self.tree.is_foreign(n))?;
        let mut out = String::new();
        push_collapsed(&mut out, self.tree.raw_text(node)).then_some(out)
    }

    /// The visible text of a range of nodes: texts are joined by one space, white space is collapsed.
    pub fn visible_text(&self, nodes: Range<Node>) -> String {
        let mut out = String::new();
        for node in nodes {
            if self.tree.is_text(node) && self.styles.is_shown(node) {
                push_collapsed(&mut out, self.tree.raw_text(node));
            }
        }
        out
    }

    /// The visible text of one subtree.
    pub fn text_of(&self, node: Node) -> String {
        self.visible_text(node..self.tree.end(node))
    }

    /// The language that the page declares.
    pub fn lang(&self) -> Option<&str> {
        let html = self.tree.find(tags::HTML)?;
        self.tree.attr(html, attrs::LANG).map(str::trim).filter(|lang| !lang.is_empty())
    }
}
