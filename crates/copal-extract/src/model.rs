//! The names used everywhere: regions, records, columns, cells.
//!
//! A method gives [`Found`] regions (node ranges only); [`extract`](crate::extract) turns those that were asked for
//! into [`Region`]s with texts, places and aligned columns.

use crate::candidates::amber::attributes::Aligned;
use crate::detail::Detail;
use crate::explain::Explanation;
use crate::outline::Outline;
use copal_annotate::Value;
use copal_dom::{Node, Warning};
use smallvec::{SmallVec, smallvec};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

/// Which paper's system finds the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Method {
    /// Mining Data Records (Liu, Grossman, Zhai 2003).
    Mdr,
    /// Bottom-Up Wrapper (Thamviset, Wongthanavasu 2014).
    Buw,
    /// Rich data region and common tag sequences (Akhtar et al. 2020).
    Rdr,
    /// AMBER's result pages (Wang 2015), with links as pivots.
    Amber,
    /// All of them and plain groups, with one ranking.
    #[default]
    Combined,
    /// A wrapper's locators; no method to ask for.
    Wrapper,
}

impl Method {
    /// All methods, in the order of the papers.
    pub const ALL: [Method; 5] = [Method::Mdr, Method::Buw, Method::Rdr, Method::Amber, Method::Combined];

    /// The name on the command line and in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Method::Mdr => "mdr",
            Method::Buw => "buw",
            Method::Rdr => "rdr",
            Method::Amber => "amber",
            Method::Combined => "combined",
            Method::Wrapper => "wrapper",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Method::ALL
            .into_iter()
            .find(|method| method.name() == name)
            .ok_or_else(|| format!("unknown method {name:?}: expected mdr, buw, rdr, amber or combined"))
    }
}

/// What a region is to its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
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

/// A record as a method finds it: one or more ranges of nodes, each one or more whole sibling subtrees.
/// Several parts make a non-contiguous record. Nearly all records have one: no allocation for these.
pub type Parts = SmallVec<[Range<Node>; 1]>;

/// A record of one part.
pub(crate) fn one_part(part: Range<Node>) -> Parts {
    smallvec![part]
}

/// An attribute of a region: its name, its type, and one value a record.
pub type AttributeColumn = (String, &'static str, Vec<Option<Aligned>>);

/// A region as a method finds it.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The lowest node that holds all records.
    pub root: Node,
    /// The records in document order.
    pub records: Vec<Parts>,
    /// The method's own measure: higher is better.
    pub score: f64,
    /// Attributes of a domain.
    pub attributes: Vec<AttributeColumn>,
}

/// One thing that was known.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Ground {
    /// What.
    pub text: String,
    /// What it added to the score (below zero: it spoke against); none if it is but told.
    pub weight: Option<f64>,
}

impl Ground {
    pub(crate) fn told(text: String) -> Ground {
        Ground { text, weight: None }
    }
}

/// What a method gives: its regions, best first, and what was odd.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// The regions, best first.
    pub regions: Vec<Found>,
    /// The method says that none of them is the page's main list.
    pub no_primary: bool,
    /// Role and confidence of each region, in their order; empty if the method cannot say.
    pub judged: Vec<(Role, f64)>,
    /// What spoke for each region, in their order; empty if the method has but its score.
    pub grounds: Vec<Vec<Ground>>,
    /// Candidates that were given up: their root, and why.
    pub rejected: Vec<(Node, String)>,
    /// Limits that were hit.
    pub warnings: Vec<Warning>,
}

impl Findings {
    /// What the region of a rank is to the page.
    pub fn role(&self, rank: usize) -> Role {
        match self.judged.get(rank) {
            Some((role, _)) => *role,
            None if rank == 0 && !self.no_primary => Role::Primary,
            None => Role::Secondary,
        }
    }

    /// How sure the method is of that.
    pub fn confidence(&self, rank: usize) -> Option<f64> {
        self.judged.get(rank).map(|(_, confidence)| *confidence)
    }
}

/// Where a region's records stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
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

/// A list of records on a page.
#[derive(Debug, Clone)]
#[non_exhaustive]
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
    /// Place of the lowest element that holds all records.
    pub xpath: String,
    /// The aligned columns.
    pub columns: Vec<Column>,
    /// The records in document order.
    pub records: Vec<Record>,
}

/// What a column's cells are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CellSource {
    /// Visible text.
    Text,
    /// The target of a link.
    Href,
    /// The address of an image.
    Src,
    /// Data of the page's scripts.
    Embedded,
    /// The page of the record's own.
    Detail,
}

/// What a column's name was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NamedBy {
    /// A domain's attribute.
    Domain,
    /// A head of a table's column.
    Header,
    /// `itemprop`, `property` or a key of declared data.
    Property,
    /// Words that every record has before the value, or the term of a definition.
    Label,
    /// The place every list has: its title, its link, its picture.
    Role,
    /// A class word.
    Class,
    /// The type of its values.
    Kind,
    /// Its position: nothing else was there.
    Position,
    /// A wrapper's file.
    Wrapper,
}

impl NamedBy {
    /// The words in outputs.
    pub fn name(self) -> &'static str {
        match self {
            NamedBy::Domain => "domain",
            NamedBy::Header => "header",
            NamedBy::Property => "property",
            NamedBy::Label => "label",
            NamedBy::Role => "role",
            NamedBy::Class => "class",
            NamedBy::Kind => "type",
            NamedBy::Position => "position",
            NamedBy::Wrapper => "wrapper",
        }
    }
}

/// One aligned column.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Column {
    /// Unique within the region.
    pub name: String,
    /// What the name was taken from.
    pub named_by: NamedBy,
    /// What the cells are read from.
    pub source: CellSource,
    /// The type of its values, if they have one.
    pub kind: Option<&'static str>,
    /// Share of records that have a cell here.
    pub support: f64,
    /// How likely its cells are one field of the records; none if unknown.
    pub confidence: Option<f64>,
}

/// One record.
#[derive(Debug, Clone)]
#[non_exhaustive]
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
    pub page: Option<PageOf>,
    /// What its own page said, if that was read too.
    pub joined: Option<Joined>,
}

impl Record {
    /// A record of which nothing but its place is known.
    pub(crate) fn at(parts: Parts) -> Record {
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
#[non_exhaustive]
pub struct Joined {
    /// The page's file or address.
    pub page: Arc<str>,
    /// Columns of which both say the same.
    pub both: Vec<String>,
    /// Columns of which they say different things: the page's words are in `detail_…`.
    pub differ: Vec<String>,
}

/// One of the pages of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageOf {
    /// Its place among them, from 1.
    pub number: u32,
    /// Its address.
    pub url: Arc<str>,
}

/// What is known of the page itself.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct PageInfo {
    /// Its address.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its declared language.
    pub lang: Option<String>,
    /// Where the list goes on: absolute if the page's own address is known, else as written.
    pub next: Option<String>,
    /// How many records the list has on all its pages, as the page says.
    pub counter: Option<Counter>,
    /// Which of them this page shows, counted from 1 ("1-20 of 345").
    pub range: Option<(u64, u64)>,
    /// Which page of the list this is, and of how many.
    pub pages: Option<(u64, Option<u64>)>,
}

/// A number of records that a page tells.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counter {
    /// The number.
    pub total: u64,
    /// There are so many or more ("1000+", "about 12,000").
    pub at_least: bool,
    /// Where it was read.
    pub text: String,
}

/// How a list was followed over its pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Followed {
    /// The pages that were read, in their order.
    pub pages: Vec<String>,
    /// Records that stood on more than one of them, and are given once.
    pub repeated: usize,
    /// Why it ended, in words.
    pub stopped: String,
    /// The list is whole, as far as its pages tell.
    pub whole: bool,
    /// It ended because a page could not be read, or because someone said stop.
    pub cut: bool,
}

/// The answer for one page.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Extraction {
    /// The page.
    pub page: PageInfo,
    /// The regions: the primary one first, then the others as the method ranks them.
    pub regions: Vec<Region>,
    /// What was odd, limits that were hit.
    pub warnings: Vec<Warning>,
    /// Why, if that was asked.
    pub explanation: Option<Explanation>,
    /// The page as a tree to look at, if that was asked.
    pub outline: Option<Outline>,
    /// If the list was followed over several pages: which, and why it ended.
    pub followed: Option<Followed>,
    /// The page's object, if it was read as an object's own page.
    pub detail: Option<Detail>,
    /// What `combined` found, so that it need not be found again for the page's object.
    pub findings: Option<Findings>,
}

impl Extraction {
    /// The page's main list.
    pub fn primary(&self) -> Option<&Region> {
        self.regions.iter().find(|region| region.role == Role::Primary)
    }

    /// True if a limit or the net cut the result short.
    pub fn is_partial(&self) -> bool {
        self.followed.as_ref().is_some_and(|followed| followed.cut)
            || self.warnings.iter().any(|warning| warning.limit().is_some() || *warning == Warning::Cut)
    }
}
