//! Where regions and records are on a page. XPaths share their steps and are written on demand.

use copal_dom::Node;
use copal_dom::xpath::XPathTable;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

/// A record as a method finds it: one or more ranges of nodes, each one or more whole sibling subtrees.
/// Several parts make a non-contiguous record. Nearly all records have one part, which needs no allocation.
pub type Parts = SmallVec<[Range<Node>; 1]>;

/// The table of records that are not on a page. It is shared, because an empty table per record would be an
/// allocation per record.
static NO_XPATHS: LazyLock<Arc<XPathTable>> = LazyLock::new(Arc::default);

#[cfg(feature = "serde")]
fn no_xpaths() -> Arc<XPathTable> {
    NO_XPATHS.clone()
}

/// Where a record is on its page. XPaths are written only when somebody asks for them: as strings, those of a
/// long list in a deep page would need gigabytes.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RecordPlace {
    /// Its node ranges; empty if the record is not on the page that the answer is about.
    #[cfg_attr(feature = "serde", serde(with = "crate::exact_values::small_vec"))]
    pub parts: Parts,
    /// Its visible top elements.
    #[cfg_attr(feature = "serde", serde(with = "crate::exact_values::small_vec"))]
    pub tops: SmallVec<[Node; 1]>,
    /// Writes the XPaths of the top elements and of the cells' sources.
    #[cfg_attr(feature = "serde", serde(skip, default = "no_xpaths"))]
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

/// Where a region is.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RegionPlace {
    /// Not on the page that the answer is about.
    #[default]
    Unknown,
    /// On the page: the lowest element that holds all records, or the script that carries them.
    Element {
        /// The element.
        node: Node,
        /// Writes its XPath.
        #[cfg_attr(feature = "serde", serde(skip))]
        xpaths: Arc<XPathTable>,
    },
    /// In a data document: the keys that lead to the list.
    DataPath(String),
}

impl RegionPlace {
    /// An element whose XPath is not known yet.
    pub fn element(node: Node) -> RegionPlace {
        RegionPlace::Element { node, xpaths: Arc::default() }
    }
}
