//! Where the nodes of a page are, if a browser showed it.

use crate::tree::Node;

/// A rectangle on the page, in CSS pixels from its top left corner.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rect {
    /// Left edge.
    pub x: f32,
    /// Top edge.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

/// Where the nodes of a rendered page are.
#[derive(Debug, Clone, Default)]
pub struct Boxes {
    rects: Vec<Option<Rect>>,
}

impl Boxes {
    pub(crate) fn new(rects: Vec<Option<Rect>>) -> Boxes {
        Boxes { rects }
    }

    /// The box of a node; `None` if it is not rendered.
    pub fn rect(&self, node: Node) -> Option<Rect> {
        self.rects.get(node as usize).copied().flatten()
    }
}
