//! The answer for one page.

use crate::explanation::Explanation;
use crate::object::{Object, PageKind};
use crate::outline::Outline;
use crate::picture::Picture;
use crate::region::Region;
use crate::role::Role;
use copal_dom::Warning;

/// What is known about the page itself.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PageInfo {
    /// Its URL.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its declared language.
    pub lang: Option<String>,
    /// The next page of the list: absolute if the page's own URL is known, else as the page writes it.
    pub next: Option<String>,
    /// How many records the list has on all its pages, as the page announces.
    pub counter: Option<Counter>,
    /// Which of them this page shows, counted from 1 ("1-20 of 345").
    pub range: Option<(u64, u64)>,
    /// Which page of the list this is, and of how many.
    pub pages: Option<(u64, Option<u64>)>,
    /// Why a browser showed the page; `None` if none did.
    pub rendered: Option<String>,
    /// The page's stylesheets were read without a browser.
    pub has_stylesheet_styles: bool,
}

/// A number of records that a page announces.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counter {
    /// The number.
    pub total: u64,
    /// The number is a lower bound or rounded ("1000+", "about 12,000").
    pub at_least: bool,
    /// The text it was read from.
    pub text: String,
}

/// How a list was followed over its pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FollowReport {
    /// The pages that were read, in their order.
    pub pages: Vec<String>,
    /// How many of these pages were read without the browser that showed the first ones, from the data that the
    /// page's script loads.
    #[cfg_attr(feature = "serde", serde(default))]
    pub replayed: usize,
    /// Records that were on more than one page. Each is given once.
    pub repeated: usize,
    /// Why following stopped, in words.
    pub stopped: String,
    /// The list is complete, as far as its pages tell.
    pub whole: bool,
    /// Following stopped early: a page could not be read, or the run was interrupted.
    pub cut: bool,
}

/// The answer for one page.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer {
    /// The page.
    pub page: PageInfo,
    /// What the page is.
    pub kind: PageKind,
    /// The regions: the main list first, then the others as the method ranks them.
    pub regions: Vec<Region>,
    /// What a user should know about the result, such as limits that were hit.
    pub warnings: Vec<Warning>,
    /// The reasons, if the request asked for them.
    pub explanation: Option<Explanation>,
    /// The page as a tree to look at, if the request asked for it.
    pub outline: Option<Outline>,
    /// Where the lists are on the page as a browser shows it, if one did and the request asked for an outline.
    pub picture: Option<Picture>,
    /// How the list was followed over several pages, if it was.
    pub followed: Option<FollowReport>,
    /// The object, if the page is about one.
    pub object: Option<Object>,
    /// The lists that could be chosen instead, best first; empty if all lists were asked for, or if the list that
    /// was chosen is there.
    pub alternatives: Vec<ListSummary>,
    /// What the page seems to be, if nothing was found on it.
    pub impression: Option<Impression>,
}

/// What a page without a list or an object seems to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Impression {
    /// It is empty until its scripts run.
    NeedsScripts,
    /// It asks for a password.
    Login,
    /// It asks visitors to prove that they are people.
    Challenge,
    /// It is a text to read.
    Article,
    /// It shows no text at all.
    Empty,
}

impl Impression {
    /// What the page seems to be, in words that follow "the page".
    pub fn describe(self) -> &'static str {
        match self {
            Impression::NeedsScripts => "is empty until its scripts run",
            Impression::Login => "asks for a login",
            Impression::Challenge => "asks visitors to prove that they are people",
            Impression::Article => "seems to be an article",
            Impression::Empty => "shows no text",
        }
    }
}

/// A list that could have been chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// The page's main list; its role is [`Role::Possible`] if it is not clearly the main one.
    pub fn primary(&self) -> Option<&Region> {
        self.regions.iter().find(|region| region.role.is_main())
    }

    /// True if a limit or a network failure cut the result short.
    pub fn is_partial(&self) -> bool {
        self.followed.as_ref().is_some_and(|followed| followed.cut)
            || self.warnings.iter().any(Warning::is_about_partial_result)
    }
}
