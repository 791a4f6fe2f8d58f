//! Records and where they are.

use crate::cell::Cell;
use crate::region::Region;
use copal_dom::Node;
use copal_dom::xpath::XPathTable;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

/// A record as a method finds it: one or more ranges of nodes, each one or more whole sibling subtrees.
/// Several parts make a non-contiguous record. Nearly all records have one: no allocation for these.
pub type Parts = SmallVec<[Range<Node>; 1]>;

/// The table of records that are not on a page. It is shared, because an empty table per record would be an allocation
/// per record.
static NO_XPATHS: LazyLock<Arc<XPathTable>> = LazyLock::new(Arc::default);

/// Where a record is on its page. XPaths are written only when somebody asks for them: as strings, those of a long list
/// in a deep page would need gigabytes.
#[derive(Debug, Clone)]
pub struct RecordPlace {
    /// Its node ranges; empty if the record is not on the page that the answer is about.
    pub parts: Parts,
    /// Its visible top elements.
    pub tops: SmallVec<[Node; 1]>,
    /// Writes the XPaths of the top elements and of the cells' sources.
    pub xpaths: Arc<XPathTable>,
}

impl Default for RecordPlace {
    fn default() -> Self {
        RecordPlace { parts: Parts::new(), tops: SmallVec::new(), xpaths: NO_XPATHS.clone() }
    }
}

impl RecordPlace {
    /// A place whose XPaths are not known.
    pub fn of(parts: Parts) -> RecordPlace {
        RecordPlace { parts, ..RecordPlace::default() }
    }
}

/// One record.
#[derive(Debug, Clone, Default)]
pub struct Record {
    /// One cell per column.
    pub cells: Vec<Cell>,
    /// Where it is.
    pub place: RecordPlace,
    /// Its visible text, pieces separated by one space.
    pub text: String,
    /// Lists nested in the record.
    pub children: Vec<Region>,
    /// How likely its boundaries are right; none if unknown.
    pub confidence: Option<f64>,
    /// The page it was read from, if the list goes over several.
    pub page: Option<ListPage>,
    /// How its detail page agrees with it, if that was read too.
    pub joined: Option<DetailJoin>,
}

impl Record {
    /// A record of which only its place is known.
    pub fn at(parts: Parts) -> Record {
        Record { place: RecordPlace::of(parts), ..Record::default() }
    }

    /// The texts of all cells, column by column.
    pub fn cell_texts(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().flat_map(Cell::texts)
    }

    /// True if two records have the same texts in a column, wherever these were read.
    pub fn has_same_texts(&self, other: &Record, column: usize) -> bool {
        match (self.cells.get(column), other.cells.get(column)) {
            (Some(own), Some(other)) => own.same_texts(other),
            (own, other) => own.is_none() && other.is_none(),
        }
    }

    /// The XPaths of its top elements. Those longer than [`copal_dom::xpath::MAX_XPATH_BYTES`] are left out.
    pub fn xpaths(&self) -> Vec<String> {
        self.place.tops.iter().filter_map(|&node| self.place.xpaths.xpath(node)).collect()
    }
}

/// How a record's detail page and its list agree. Columns that are not named here are the list's, or, if their source
/// says so, only the detail page's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetailJoin {
    /// The page's file or URL.
    pub page: Arc<str>,
    /// Columns of which both say the same.
    pub both: Vec<String>,
    /// Columns of which they say different things: the detail page's texts are in `detail_…`.
    pub differ: Vec<String>,
}

/// One of the pages of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPage {
    /// Its position among them, from 1.
    pub number: u32,
    /// Its URL.
    pub url: Arc<str>,
}
