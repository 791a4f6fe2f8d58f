//! Lists of records: role, layout, origin.

use crate::column::{CellSource, Column};
use crate::method::Method;
use crate::record::Record;
use copal_dom::Node;
use copal_dom::xpath::XPathTable;
use std::collections::HashSet;
use std::sync::Arc;

/// What a region is to its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The page's main list.
    Primary,
    /// Another list of records.
    Secondary,
    /// Menus, filters, links to pages, lists without anything of their own.
    Navigation,
}

impl Role {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Role::Primary => "primary",
            Role::Secondary => "secondary",
            Role::Navigation => "navigation",
        }
    }
}

/// How a region's records are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// One record below the other.
    List,
    /// Several records in a row.
    Grid,
    /// Rows of one table.
    Table,
}

impl Layout {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Layout::List => "list",
            Layout::Grid => "grid",
            Layout::Table => "table",
        }
    }
}

/// Where a region's records stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Origin {
    /// On the page, to be seen.
    #[default]
    Page,
    /// In data that the page carries for its scripts only.
    Embedded,
    /// In a document that is data: JSON, a feed.
    Data,
}

impl Origin {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Page => "page",
            Origin::Embedded => "embedded",
            Origin::Data => "data",
        }
    }
}

/// Where a region is.
#[derive(Debug, Clone, Default)]
pub enum RegionPlace {
    /// Not on the page that the answer is about.
    #[default]
    Unknown,
    /// On the page: the lowest element that holds all records, or the script that carries them.
    Element {
        /// The element.
        node: Node,
        /// Writes its XPath.
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

/// A list of records on a page.
#[derive(Debug, Clone)]
pub struct Region {
    /// Main list or another.
    pub role: Role,
    /// List, grid or table.
    pub layout: Layout,
    /// The method that found it.
    pub method: Method,
    /// Seen on the page, or data behind it.
    pub origin: Origin,
    /// The method's own measure: comparable within one page and method only.
    pub score: f64,
    /// How likely it is that this is a list of records and its borders are right; none if the method cannot say.
    pub confidence: Option<f64>,
    /// Where it is.
    pub place: RegionPlace,
    /// The aligned columns.
    pub columns: Vec<Column>,
    /// The records in document order.
    pub records: Vec<Record>,
}

impl Region {
    /// The XPath of the element that holds all records, or the path in a data document. Empty if there is none, or if it
    /// is longer than [`copal_dom::xpath::MAX_XPATH_BYTES`].
    pub fn xpath(&self) -> String {
        match &self.place {
            RegionPlace::Unknown => String::new(),
            RegionPlace::Element { node, xpaths } => xpaths.xpath(*node).unwrap_or_default(),
            RegionPlace::DataPath(path) => path.clone(),
        }
    }

    /// The column with the link to each record's detail page: the record's link if that tells records apart, else the
    /// link that does best.
    pub fn link_column(&self) -> Option<usize> {
        self.best_link_column(|link| link.starts_with("http"))
    }

    /// The same for links without a host, on pages whose own URL is not known.
    pub fn relative_link_column(&self) -> Option<usize> {
        self.best_link_column(|link| !link.contains(':') && !link.starts_with('#'))
    }

    fn best_link_column(&self, is_link: impl Fn(&str) -> bool) -> Option<usize> {
        let distinct = |c: usize| {
            let links = self.records.iter().filter_map(|record| record.cells[c].first());
            links.filter(|link| is_link(link)).collect::<HashSet<_>>().len()
        };
        let columns = (0..self.columns.len())
            .filter(|&c| matches!(self.columns[c].source, CellSource::Href | CellSource::Embedded));
        let is_named_url = |c: &usize| self.columns[*c].name == "url";
        let counts: Vec<(usize, usize)> =
            columns.map(|c| (distinct(c), c)).filter(|(count, _)| *count > 0).collect();
        let own = counts.iter().find(|(count, c)| is_named_url(c) && 2 * count >= self.records.len());
        own.or_else(|| counts.iter().rev().max_by_key(|(count, _)| *count)).map(|(_, c)| *c)
    }
}
