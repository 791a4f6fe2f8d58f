//! A picture of a page that a browser showed, and where the answer is in it.

use copal_dom::Rect;
use std::sync::Arc;

/// A picture of the page.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Picture {
    /// The picture itself, if one was taken. One pixel of it is one CSS pixel.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub png: Option<Arc<[u8]>>,
    /// What is where.
    pub marks: Vec<PictureMark>,
}

/// The place of a list, a record or a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PictureMark {
    /// The position of the list in the answer.
    pub region: usize,
    /// The position of the record in the list; `None` for the list itself.
    pub record: Option<usize>,
    /// The position of the cell's column; `None` for the whole record.
    pub column: Option<usize>,
    /// Where it is.
    pub rect: Rect,
}
