//! Cells: what one record has in one column, and where it was read.

use copal_dom::{AttrName, Node};
use copal_values::Value;
use smallvec::SmallVec;
use std::ops::Range;

/// Where a text was read.
///
/// The node is always an element: the one that was read, or the parent if a text node or several siblings
/// were read. Without an HTML attribute, the span is in bytes of the element's *line text*, the visible text
/// as cells have it (`copal_extract::source_text` writes it). With one, it is in bytes of the attribute's
/// value as the page has it, before a URL is made absolute.
///
/// The text at the span is the text of the cell, with two exceptions: URLs are made absolute, and texts of a
/// domain's attributes may differ in white space between two nodes, because recognisers join words that
/// columns separate.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Source {
    /// The element.
    pub node: Node,
    /// Bytes of its line text, or of the value of its HTML attribute.
    pub span: Range<u32>,
    /// The HTML attribute, if the text is not visible text.
    pub attribute: Option<AttrName>,
}

impl Source {
    /// The name of the HTML attribute, if it is a common one, whose number is the same on every page.
    pub fn attribute_name(&self) -> Option<&'static str> {
        self.attribute.and_then(copal_dom::attrs::fixed_name)
    }
}

/// How a cell was obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Provenance {
    /// Read from the record.
    #[default]
    Found,
    /// Not recognised by itself, but in the place where other records have the attribute.
    Inferred,
    /// Added from data that the page carries for its scripts.
    Embedded,
    /// Added from the record's detail page.
    Detail,
}

/// One text of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellText {
    /// The text. For a link or an image, its absolute URL.
    pub text: String,
    /// Where it was read; `None` if it is not on the page.
    pub source: Option<Source>,
}

impl From<String> for CellText {
    fn from(text: String) -> CellText {
        CellText { text, source: None }
    }
}

/// What one record has in one column. Most cells have one text: no allocation for the list of these.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// The texts: none, one, or several.
    #[cfg_attr(feature = "serde", serde(with = "crate::exact_values::small_vec"))]
    pub texts: SmallVec<[CellText; 1]>,
    /// What the text says, if the column has a type and the cell one text.
    pub value: Option<Value>,
    /// How the cell was obtained.
    pub provenance: Provenance,
    /// How likely the cell is right if its record is; `None` if unknown.
    #[cfg_attr(feature = "serde", serde(with = "crate::exact_values::optional_bits"))]
    pub confidence: Option<f64>,
}

impl Cell {
    /// A cell of texts without sources.
    pub fn found(texts: impl IntoIterator<Item = String>) -> Cell {
        Cell::with(texts, Provenance::Found)
    }

    /// A cell of texts that were not read from the record itself.
    pub fn with(texts: impl IntoIterator<Item = String>, provenance: Provenance) -> Cell {
        let texts = texts.into_iter().map(CellText::from).collect();
        Cell { texts, provenance, ..Cell::default() }
    }

    /// True if the record has nothing in this column.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// How many texts the cell has.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// The first text.
    pub fn first(&self) -> Option<&str> {
        self.texts.first().map(|text| text.text.as_str())
    }

    /// The texts in their order.
    pub fn texts(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.texts.iter().map(|text| text.text.as_str())
    }

    /// The texts in their order, to be changed.
    pub fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.texts.iter_mut().map(|text| &mut text.text)
    }

    /// The texts with a separator between them.
    pub fn join(&self, separator: &str) -> String {
        let mut out = String::new();
        for (at, text) in self.texts().enumerate() {
            if at > 0 {
                out.push_str(separator);
            }
            out.push_str(text);
        }
        out
    }

    /// True if two cells have the same texts, wherever they were read.
    pub fn same_texts(&self, other: &Cell) -> bool {
        self.texts().eq(other.texts())
    }
}

/// A cell equals a list of its texts.
impl<T: AsRef<str>, const N: usize> PartialEq<[T; N]> for Cell {
    fn eq(&self, texts: &[T; N]) -> bool {
        self.texts().eq(texts.iter().map(AsRef::as_ref))
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Provenance};

    #[test]
    fn a_cell_is_its_texts() {
        let cell = Cell::found(["a".to_owned(), "b".to_owned()]);
        assert_eq!(cell, ["a", "b"]);
        assert_eq!((cell.len(), cell.first(), cell.join(" + ").as_str()), (2, Some("a"), "a + b"));
        assert!(Cell::default().is_empty() && Cell::default().join("|").is_empty());
        let other = Cell::with(["a".to_owned(), "b".to_owned()], Provenance::Detail);
        assert!(cell.same_texts(&other) && cell != other);
    }
}
