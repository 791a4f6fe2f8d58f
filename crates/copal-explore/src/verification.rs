//! How complete the records of a site are.
//!
//! In: what was announced, what was found, and how the run ended. Out: a status with a reason code. Pure.

use crate::page_facts::{Announced, ListRead, PageClass};

/// How a site was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SiteStatus {
    /// All records, as far as the site tells.
    Effective,
    /// Some records.
    Partial,
    /// No records.
    Nothing,
}

impl SiteStatus {
    /// The word in output.
    pub fn name(self) -> &'static str {
        match self {
            SiteStatus::Effective => "effective",
            SiteStatus::Partial => "partial",
            SiteStatus::Nothing => "none",
        }
    }
}

/// Why a site has its status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReasonCode {
    /// There are as many unique records as the site announces.
    CounterReached,
    /// The site announces no number; two independent ways to its records gave the same ones.
    TwoWaysAgree,
    /// The site announces no number; all pages of its lists were read, and their records differ.
    ListsComplete,
    /// The site is about one object, which was read.
    SingleObject,
    /// The site shows only the first records of a list, and dividing it did not reach the others.
    Capped,
    /// There are fewer unique records than the site announces.
    FewerThanAnnounced,
    /// The site announces no number, and another way to its records gave further ones.
    WaysDiffer,
    /// Many records are equal to others: pages may have been read twice.
    ManyRepetitions,
    /// A list ended before its last page.
    ListIncomplete,
    /// Promising pages were not visited.
    NotAllExplored,
    /// The budget of pages or minutes was spent.
    BudgetSpent,
    /// The run was interrupted.
    Interrupted,
    /// No page has a list of records.
    NoList,
    /// There are lists, but not of the domain.
    OtherDomain,
    /// The pages want a login.
    LoginRequired,
    /// The site asks visitors to prove that they are people.
    Challenge,
    /// The pages are empty until their scripts run.
    NeedsScripts,
    /// The search form wants a value that is not known.
    RequiredFieldUnknown,
    /// robots.txt forbids the start page.
    Disallowed,
    /// The start page could not be read.
    Unreachable,
}

impl ReasonCode {
    /// The code in output.
    pub fn code(self) -> &'static str {
        match self {
            ReasonCode::CounterReached => "counter_reached",
            ReasonCode::TwoWaysAgree => "two_ways_agree",
            ReasonCode::ListsComplete => "lists_complete",
            ReasonCode::SingleObject => "single_object",
            ReasonCode::Capped => "capped",
            ReasonCode::FewerThanAnnounced => "fewer_than_announced",
            ReasonCode::WaysDiffer => "ways_differ",
            ReasonCode::ManyRepetitions => "many_repetitions",
            ReasonCode::ListIncomplete => "list_incomplete",
            ReasonCode::NotAllExplored => "not_all_explored",
            ReasonCode::BudgetSpent => "budget_spent",
            ReasonCode::Interrupted => "interrupted",
            ReasonCode::NoList => "no_list",
            ReasonCode::OtherDomain => "other_domain",
            ReasonCode::LoginRequired => "login_required",
            ReasonCode::Challenge => "challenge",
            ReasonCode::NeedsScripts => "needs_scripts",
            ReasonCode::RequiredFieldUnknown => "required_field_unknown",
            ReasonCode::Disallowed => "disallowed",
            ReasonCode::Unreachable => "unreachable",
        }
    }

    /// The reason in words.
    pub fn describe(self) -> &'static str {
        match self {
            ReasonCode::CounterReached => "as many unique records as the site announces",
            ReasonCode::TwoWaysAgree => {
                "the site announces no number; two independent ways gave the same records"
            }
            ReasonCode::ListsComplete => "the site announces no number; all pages of its lists were read",
            ReasonCode::SingleObject => "the site is about one object",
            ReasonCode::Capped => "the site shows only the first records of its list",
            ReasonCode::FewerThanAnnounced => "fewer unique records than the site announces",
            ReasonCode::WaysDiffer => "another way to the records of the site gave further ones",
            ReasonCode::ManyRepetitions => "many records are repeated",
            ReasonCode::ListIncomplete => "a list ended before its last page",
            ReasonCode::NotAllExplored => "promising pages were not visited",
            ReasonCode::BudgetSpent => "the budget was spent",
            ReasonCode::Interrupted => "interrupted",
            ReasonCode::NoList => "no page with a list of records was found",
            ReasonCode::OtherDomain => "the records are not of the domain",
            ReasonCode::LoginRequired => "the pages want a login",
            ReasonCode::Challenge => "the site asks visitors to prove that they are people",
            ReasonCode::NeedsScripts => "the pages are empty until their scripts run",
            ReasonCode::RequiredFieldUnknown => "the search form wants a value that is not known",
            ReasonCode::Disallowed => "robots.txt forbids the start page",
            ReasonCode::Unreachable => "the start page could not be read",
        }
    }
}

/// A list that was read, and what it announced.
#[derive(Debug, Clone)]
pub struct ListEvidence {
    /// How many records it announces.
    pub announced: Option<Announced>,
    /// What came of it.
    pub read: ListRead,
}

/// What is known at the end of a run.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// Unique records.
    pub unique: u64,
    /// The largest number that a list of the chosen kind announces.
    pub announced: Option<Announced>,
    /// What came of the lists of the chosen kind.
    pub lists: Vec<ListEvidence>,
    /// Another way to the records gave the same ones.
    pub two_ways_agree: bool,
    /// Another way gave further ones, and none gave the same.
    pub ways_differ: bool,
    /// Promising pages that were not visited.
    pub unexplored: u64,
    /// An object was stored instead of a list.
    pub has_object: bool,
    /// Lists were found that are not of the domain.
    pub has_other_lists: bool,
    /// The classes of the pages that were visited.
    pub classes: Vec<PageClass>,
    /// A form complained about a field that could not be filled.
    pub lacks_value: bool,
    /// The budget was spent before the end.
    pub budget_spent: bool,
    /// The run was interrupted.
    pub interrupted: bool,
    /// The start page could not be read.
    pub unreachable: bool,
    /// Because robots.txt forbids it.
    pub disallowed: bool,
}

/// Records may be fewer than announced by this share: advertisements and records that changed pages.
const TOLERANCE: f64 = 0.02;
/// Share of repeated records from which something is wrong.
const MAX_REPEATED: f64 = 0.5;

/// The status of a site and the reason.
pub fn verify(evidence: &Evidence) -> (SiteStatus, ReasonCode) {
    let stopped = if evidence.interrupted {
        Some(ReasonCode::Interrupted)
    } else if evidence.budget_spent {
        Some(ReasonCode::BudgetSpent)
    } else {
        None
    };
    if evidence.unique == 0 && evidence.has_object {
        return (SiteStatus::Effective, ReasonCode::SingleObject);
    }
    if evidence.unique == 0 {
        return (SiteStatus::Nothing, stopped.unwrap_or_else(|| reason_for_nothing(evidence)));
    }
    let reaches = |announced: Announced, records: u64| {
        !announced.at_least && records as f64 >= (1.0 - TOLERANCE) * announced.total as f64
    };
    // a list that hides records is complete if its parts brought them
    let is_reached = |list: &ListEvidence| {
        list.announced.is_some_and(|announced| {
            reaches(announced, list.read.records as u64) || reaches(announced, evidence.unique)
        })
    };
    let mut productive = evidence.lists.iter().filter(|list| list.read.new > 0).peekable();
    if productive.peek().is_some()
        && productive.all(is_reached)
        && evidence.announced.is_some_and(|announced| reaches(announced, evidence.unique))
    {
        return (SiteStatus::Effective, ReasonCode::CounterReached);
    }
    if let Some(reason) = stopped {
        return (SiteStatus::Partial, reason);
    }
    if evidence.lists.iter().any(|list| list.read.cut) {
        return (SiteStatus::Partial, ReasonCode::ListIncomplete);
    }
    if let Some(announced) = evidence.announced.filter(|announced| evidence.unique < announced.total) {
        // every list ended in order, and still records are missing: the site does not show them
        let is_capped =
            announced.total >= 2 * evidence.unique || evidence.lists.iter().all(|list| !list.read.whole);
        let reason = if is_capped { ReasonCode::Capped } else { ReasonCode::FewerThanAnnounced };
        return (SiteStatus::Partial, reason);
    }
    let read: usize = evidence.lists.iter().map(|list| list.read.records).max().unwrap_or(0);
    if (evidence.unique as f64) < (1.0 - MAX_REPEATED) * read as f64 {
        return (SiteStatus::Partial, ReasonCode::ManyRepetitions);
    }
    if evidence.lists.iter().any(|list| !list.read.whole && !is_reached(list)) {
        return (SiteStatus::Partial, ReasonCode::ListIncomplete);
    }
    if evidence.unexplored > 0 {
        return (SiteStatus::Partial, ReasonCode::NotAllExplored);
    }
    if evidence.ways_differ {
        return (SiteStatus::Partial, ReasonCode::WaysDiffer);
    }
    let is_confirmed = evidence.two_ways_agree;
    (SiteStatus::Effective, if is_confirmed { ReasonCode::TwoWaysAgree } else { ReasonCode::ListsComplete })
}

fn reason_for_nothing(evidence: &Evidence) -> ReasonCode {
    let has = |class: PageClass| evidence.classes.contains(&class);
    if evidence.disallowed {
        ReasonCode::Disallowed
    } else if evidence.unreachable {
        ReasonCode::Unreachable
    } else if has(PageClass::Challenge) {
        ReasonCode::Challenge
    } else if evidence.has_other_lists {
        ReasonCode::OtherDomain
    } else if evidence.lacks_value {
        ReasonCode::RequiredFieldUnknown
    } else if has(PageClass::Login) {
        ReasonCode::LoginRequired
    } else if has(PageClass::NeedsScripts) {
        ReasonCode::NeedsScripts
    } else {
        ReasonCode::NoList
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(announced: Option<u64>, records: usize, new: usize, whole: bool) -> ListEvidence {
        ListEvidence {
            announced: announced.map(|total| Announced { total, at_least: false }),
            read: ListRead { pages: 2, records, new, whole, cut: false, stopped: String::new() },
        }
    }

    fn status(lists: Vec<ListEvidence>, unique: u64) -> (SiteStatus, ReasonCode) {
        let announced = lists.iter().filter_map(|list| list.announced).max_by_key(|one| one.total);
        verify(&Evidence { unique, announced, lists, ..Evidence::default() })
    }

    #[test]
    fn counters_decide_if_there_are_any() {
        use ReasonCode::*;
        use SiteStatus::*;
        assert_eq!(status(vec![list(Some(23), 23, 23, true)], 23), (Effective, CounterReached));
        assert_eq!(status(vec![list(Some(100), 99, 99, true)], 99), (Effective, CounterReached));
        assert_eq!(status(vec![list(Some(100), 80, 80, true)], 80), (Partial, FewerThanAnnounced));
        assert_eq!(status(vec![list(Some(100), 20, 20, false)], 20), (Partial, Capped));
        assert_eq!(status(vec![list(None, 31, 31, true)], 31), (Effective, ListsComplete));
        assert_eq!(status(vec![list(None, 31, 31, false)], 31), (Partial, ListIncomplete));
        // a counter of one list says nothing about another list
        let both = vec![list(Some(20), 20, 20, true), list(None, 10, 10, true)];
        assert_eq!(status(both, 30), (Effective, ListsComplete));
        // the parts of a capped list
        let parts = vec![list(Some(48), 12, 12, false), list(Some(12), 12, 9, true)];
        assert_eq!(status(parts, 48), (Effective, CounterReached));
        assert_eq!(status(vec![list(None, 100, 10, true)], 10), (Partial, ManyRepetitions));
    }

    #[test]
    fn nothing_has_a_reason() {
        let reason = |evidence: Evidence| {
            let (status, reason) = verify(&evidence);
            assert_eq!(status, SiteStatus::Nothing);
            reason
        };
        assert_eq!(reason(Evidence::default()), ReasonCode::NoList);
        let other = Evidence { has_other_lists: true, ..Evidence::default() };
        assert_eq!(reason(other), ReasonCode::OtherDomain);
        let login = Evidence { classes: vec![PageClass::Login], ..Evidence::default() };
        assert_eq!(reason(login), ReasonCode::LoginRequired);
        let spent = Evidence { budget_spent: true, ..Evidence::default() };
        assert_eq!(reason(spent), ReasonCode::BudgetSpent);
        let form = Evidence { lacks_value: true, ..Evidence::default() };
        assert_eq!(reason(form), ReasonCode::RequiredFieldUnknown);
    }

    #[test]
    fn a_second_way_confirms_what_is_complete_and_nothing_else() {
        let whole = Evidence {
            unique: 8,
            lists: vec![list(None, 8, 8, true)],
            two_ways_agree: true,
            ..Evidence::default()
        };
        assert_eq!(verify(&whole), (SiteStatus::Effective, ReasonCode::TwoWaysAgree));
        let more = Evidence { two_ways_agree: false, ways_differ: true, ..whole.clone() };
        assert_eq!(verify(&more), (SiteStatus::Partial, ReasonCode::WaysDiffer));
        let cut = Evidence { lists: vec![list(None, 8, 8, false)], ..whole.clone() };
        assert_eq!(verify(&cut), (SiteStatus::Partial, ReasonCode::ListIncomplete));
        let unexplored = Evidence { unexplored: 1, ..whole };
        assert_eq!(verify(&unexplored), (SiteStatus::Partial, ReasonCode::NotAllExplored));
    }

    #[test]
    fn unvisited_promising_pages_are_told() {
        let evidence =
            Evidence { unique: 8, lists: vec![list(None, 8, 8, true)], unexplored: 3, ..Evidence::default() };
        assert_eq!(verify(&evidence), (SiteStatus::Partial, ReasonCode::NotAllExplored));
    }
}
