//! The page as a tree to look at.

use copal_dom::Node;
use std::ops::Range;

/// A page's visible elements in document order.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outline {
    /// The lines.
    pub lines: Vec<OutlineLine>,
}

/// One line of an [`Outline`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OutlineLine {
    /// How many lines enclose it.
    pub depth: usize,
    /// The node that it starts at, up to the end of that node's subtree; empty for [`OutlineContent::More`].
    pub nodes: Range<Node>,
    /// What it shows.
    pub what: OutlineContent,
    /// The first words of its visible text, or of an image's alternative text.
    pub words: String,
    /// The region whose records are all in here, by its position in the answer.
    pub region: Option<usize>,
    /// The region and the record that this is a part of, by their positions.
    pub record: Option<(usize, usize)>,
    /// Columns of the enclosing record that were read from here.
    pub columns: Vec<usize>,
}

/// What a line of an [`Outline`] represents.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OutlineContent {
    /// An element, or several that each contain only the next, outermost first.
    Elements(Vec<OutlineElement>),
    /// A text beside elements.
    Text,
    /// Records and elements that are not shown.
    More {
        /// Records.
        records: usize,
        /// Elements and texts that are not records.
        others: usize,
    },
}

/// An element's own names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OutlineElement {
    /// Its tag.
    pub tag: String,
    /// Its id.
    pub id: Option<String>,
    /// Its first classes.
    pub classes: Vec<String>,
}
