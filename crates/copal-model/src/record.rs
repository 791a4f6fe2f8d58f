//! Records and their cells.

use crate::region::Region;
use copal_dom::Node;
use copal_values::Value;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// A record as a method finds it: one or more ranges of nodes, each one or more whole sibling subtrees.
/// Several parts make a non-contiguous record. Nearly all records have one: no allocation for these.
pub type Parts = SmallVec<[Range<Node>; 1]>;

/// One record.
#[derive(Debug, Clone)]
pub struct Record {
    /// Places of its top elements.
    pub xpaths: Vec<String>,
    /// Its node ranges.
    pub parts: Parts,
    /// Its visible text, pieces separated by one space.
    pub text: String,
    /// One entry a column: the values (none, one, or several).
    pub cells: Vec<Vec<String>>,
    /// One entry a column, or empty if no column has a type: the normalised value.
    pub values: Vec<Option<Value>>,
    /// With a domain one entry a column: the value was taken from where other records have it; else empty.
    pub inferred: Vec<bool>,
    /// How likely its borders are right; none if unknown.
    pub confidence: Option<f64>,
    /// One entry a column, or empty: how likely the cell is right if the record is; none if unknown.
    pub sure: Vec<Option<f64>>,
    /// Lists inside of the record.
    pub children: Vec<Region>,
    /// The page it stands on, if the list goes over several.
    pub page: Option<ListPage>,
    /// What its own page said, if that was read too.
    pub joined: Option<DetailJoin>,
}

impl Record {
    /// A record of which nothing but its place is known.
    pub fn at(parts: Parts) -> Record {
        Record {
            xpaths: Vec::new(),
            parts,
            text: String::new(),
            cells: Vec::new(),
            values: Vec::new(),
            inferred: Vec::new(),
            confidence: None,
            sure: Vec::new(),
            children: Vec::new(),
            page: None,
            joined: None,
        }
    }
}

/// How a record's own page and its list agree. Columns of which nothing is said here are the list's, or, if their source says so, the
/// page's alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetailJoin {
    /// The page's file or address.
    pub page: Arc<str>,
    /// Columns of which both say the same.
    pub both: Vec<String>,
    /// Columns of which they say different things: the page's words are in `detail_…`.
    pub differ: Vec<String>,
}

/// One of the pages of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPage {
    /// Its place among them, from 1.
    pub number: u32,
    /// Its address.
    pub url: Arc<str>,
}
