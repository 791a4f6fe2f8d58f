//! The answer for one page.

use crate::explanation::Explanation;
use crate::object::{Object, PageKind};
use crate::outline::Outline;
use crate::region::{Region, Role};
use copal_dom::Warning;

/// What is known of the page itself.
#[derive(Debug, Clone, Default)]
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
pub struct FollowReport {
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
pub struct Answer {
    /// The page.
    pub page: PageInfo,
    /// What the page is.
    pub kind: PageKind,
    /// The regions: the primary one first, then the others as the method ranks them.
    pub regions: Vec<Region>,
    /// What was odd, limits that were hit.
    pub warnings: Vec<Warning>,
    /// Why, if that was asked.
    pub explanation: Option<Explanation>,
    /// The page as a tree to look at, if that was asked.
    pub outline: Option<Outline>,
    /// If the list was followed over several pages: which, and why it ended.
    pub followed: Option<FollowReport>,
    /// The page's object, if it was read as an object's own page.
    pub object: Option<Object>,
    /// The lists of the page, best first, if the list that was chosen is not among them; else empty.
    pub alternatives: Vec<ListSummary>,
}

/// A list that could have been chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListSummary {
    /// Its rank, from 1.
    pub rank: usize,
    /// What it is to its page.
    pub role: Role,
    /// The number of its records.
    pub records: usize,
    /// The beginning of the first record's text.
    pub first_text: String,
}

impl Answer {
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
