//! Lists: regions and their records. Both types are in one file because records may hold nested lists.

use crate::cell::Cell;
use crate::column::{CellSource, Column};
use crate::method::Method;
use crate::place::{Parts, RecordPlace, RegionPlace};
use crate::role::{Layout, Origin, Role};
use std::collections::HashSet;
use std::sync::Arc;

/// A list of records on a page.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Region {
    /// What it is to the page.
    pub role: Role,
    /// List, grid or table.
    pub layout: Layout,
    /// The method that found it.
    pub method: Method,
    /// What it was read from.
    pub origin: Origin,
    /// The method's own measure. Comparable only within one page and method.
    #[cfg_attr(feature = "serde", serde(with = "crate::exact_values::bits"))]
    pub score: f64,
    /// The probability that this is a list of records and its boundaries are right; `None` if the method
    /// cannot say.
    #[cfg_attr(feature = "serde", serde(with = "crate::exact_values::optional_bits"))]
    pub confidence: Option<f64>,
    /// Where it is.
    pub place: RegionPlace,
    /// The aligned columns.
    pub columns: Vec<Column>,
    /// The records in document order.
    pub records: Vec<Record>,
    /// Its data sections, in the order of their first records. Only BUW finds them.
    pub sections: Vec<RegionSection>,
}

/// A data section (BUW, section 3.4): the lowest element that holds a record and another one of its region.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RegionSection {
    /// Where it is.
    pub place: RegionPlace,
    /// Its records, as positions in the region. Records in a section inside this one belong to that.
    pub records: Vec<usize>,
}

impl Region {
    /// The XPath of the element that holds all records, or the path in a data document. Empty if there is
    /// none, or if it is longer than [`copal_dom::xpath::MAX_XPATH_BYTES`].
    pub fn xpath(&self) -> String {
        match &self.place {
            RegionPlace::Unknown => String::new(),
            RegionPlace::Element { node, xpaths } => xpaths.xpath(*node).unwrap_or_default(),
            RegionPlace::DataPath(path) => path.clone(),
        }
    }

    /// The column that says what each record is: `title`, or `name` in lists of people and the like.
    pub fn title_column(&self) -> Option<usize> {
        let column = |name: &str| self.columns.iter().position(|column| column.name == name);
        column("title").or_else(|| column("name"))
    }

    /// The column with the link to each record's detail page. It is the record's main link if that differs
    /// between records, otherwise the link that differs most.
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

/// One record.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Record {
    /// One cell per column.
    pub cells: Vec<Cell>,
    /// Where it is.
    pub place: RecordPlace,
    /// Its visible text, pieces separated by one space.
    pub text: String,
    /// Lists nested in the record.
    pub children: Vec<Region>,
    /// The probability that its boundaries are right; `None` if unknown.
    #[cfg_attr(feature = "serde", serde(with = "crate::exact_values::optional_bits"))]
    pub confidence: Option<f64>,
    /// The page it was read from, if the list goes over several.
    pub page: Option<ListPage>,
    /// How its detail page agrees with it, if that was read too.
    pub joined: Option<DetailJoin>,
}

impl Record {
    /// A record without cells, of which only the place is known.
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

/// Which columns of a record agree with its detail page. Columns that are not named here are only in the list
/// or, if their source says so, only on the detail page.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DetailJoin {
    /// The page's file or URL.
    #[cfg_attr(feature = "serde", serde(with = "crate::exact_values::shared_text"))]
    pub page: Arc<str>,
    /// Columns that are equal in both.
    pub both: Vec<String>,
    /// Columns that differ. The texts of the detail page are in the column `detail_…`.
    pub differ: Vec<String>,
}

/// One of the pages of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ListPage {
    /// Its position among them, from 1.
    pub number: u32,
    /// Its URL.
    #[cfg_attr(feature = "serde", serde(with = "crate::exact_values::shared_text"))]
    pub url: Arc<str>,
}
