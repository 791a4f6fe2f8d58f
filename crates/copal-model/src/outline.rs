//! The page as a tree to look at.

/// A page's visible elements in document order.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    /// The lines.
    pub lines: Vec<OutlineLine>,
}

/// One line of an [`Outline`].
#[derive(Debug, Clone, PartialEq)]
pub struct OutlineLine {
    /// How many lines are around it.
    pub depth: usize,
    /// What it shows.
    pub what: OutlineContent,
    /// The first words of its visible text; what an image says instead.
    pub words: String,
    /// The region whose records are all in here, by its place in the extraction.
    pub region: Option<usize>,
    /// Region and record that this is (a part of), by their places.
    pub record: Option<(usize, usize)>,
    /// Columns of the record around it that are read from here.
    pub columns: Vec<usize>,
}

/// What a line of an [`Outline`] stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutlineContent {
    /// An element, or several that have nothing beside each other, outermost first.
    Elements(Vec<OutlineElement>),
    /// A text beside elements.
    Text,
    /// Records and elements that are not shown.
    More {
        /// Records.
        records: usize,
        /// Elements and texts that are no records.
        others: usize,
    },
}

/// An element's own names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineElement {
    /// Its tag.
    pub tag: String,
    /// Its id.
    pub id: Option<String>,
    /// Its first classes.
    pub classes: Vec<String>,
}
