//! Drift: do a site's pages still look like those its wrapper was learned on?
//!
//! In: a [`Wrapper`] and, page by page, what it reads there. Out: a [`Check`]: what is odd on each page, and alarms for what
//! is odd again and again. One odd page (an empty result, the last page of a list) is no alarm: a sum per reason grows with
//! each odd page and shrinks with each good one (CUSUM). O(text of the cells + elements of the page).

use crate::apply;
use crate::file::{ColumnRule, PageKind, PageRule, Wrapper};
use crate::profile::{Counted, Profile, coverage, likeness, look};
use copal_dom::Page;
use copal_extract::objects::Object;
use copal_extract::{Answer, Region};
use rustc_hash::FxHashMap;

/// What a good page takes from a reason's sum; an odd page adds the rest to one.
const SLACK: f64 = 0.34;
/// The sum that is an alarm: three odd pages in a row, or more with good ones between.
const ALARM: f64 = 1.9;
/// A share that fell by chance alone would do so in one of a hundred pages.
const UNLIKELY: f64 = 2.33;
/// Cells from which on a column's looks are judged.
const VARIED: usize = 5;
/// Looks of pages that are less alike are those of another page.
const LOOK: f64 = 0.2;
/// Samples from which on it is known how far pages of the site differ.
const SAMPLES: usize = 3;

/// How far a page may be from the samples.
struct Tolerance {
    /// Least presence of a column that is held against it.
    frequent: f64,
    /// Share of its presence that a column may lose.
    presence: f64,
    /// Share of the well typed cells that a column may lose.
    typed: f64,
    /// How far the shares of letters and digits may move.
    shape: f64,
    /// How many times longer or shorter the middle cell may be than nearly all samples.
    length: usize,
    /// How varied a column is that may not say the same everywhere.
    varied: f64,
    /// Share of its coverage that the list may lose.
    coverage: f64,
    /// How many times more or fewer records there may be.
    count: usize,
}

/// Three samples or more show how far pages of one site differ.
const MANY: Tolerance = Tolerance {
    frequent: 0.3,
    presence: 0.3,
    typed: 0.2,
    shape: 0.6,
    length: 4,
    varied: 0.5,
    coverage: 0.6,
    count: 3,
};

/// One or two do not: columns that half the records have on one page are missing on the next, and a page of 30 results is
/// followed by one of 4. Measured on unchanged pages (`make survive`): with the tolerance above one page in four is an alarm.
const FEW: Tolerance = Tolerance {
    frequent: 0.9,
    presence: 0.85,
    typed: 0.85,
    shape: 1.3,
    length: 10,
    varied: 0.9,
    coverage: 0.9,
    count: 8,
};

fn tolerance(profile: Option<&Profile>) -> &'static Tolerance {
    if profile.is_some_and(|profile| profile.samples >= SAMPLES) { &MANY } else { &FEW }
}

/// What kind of thing is odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Cells are not what they were.
    Value,
    /// Records are not where they were, or the page is another.
    Structure,
    /// There are too few or too many records.
    Count,
}

impl Level {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Level::Value => "value",
            Level::Structure => "structure",
            Level::Count => "count",
        }
    }
}

/// Something odd.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Odd {
    /// What kind.
    pub level: Level,
    /// The column, if it is about one.
    pub column: Option<String>,
    /// In words.
    pub what: String,
}

/// A page that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageCheck {
    /// How many records the wrapper reads there.
    pub records: usize,
    /// What is odd.
    pub odd: Vec<Odd>,
}

/// Something that is odd on too many pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alarm {
    /// As on the last page that has it.
    pub odd: Odd,
    /// On how many pages.
    pub pages: usize,
}

/// The answer for a set of pages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Check {
    /// In the order they were given.
    pub pages: Vec<PageCheck>,
    /// The worst level first.
    pub alarms: Vec<Alarm>,
    /// What is still read right, but not by its first locator any more: a repair would be in time now.
    pub worn: Vec<String>,
}

impl Check {
    /// True if the wrapper needs a repair.
    pub fn drifted(&self) -> bool {
        !self.alarms.is_empty()
    }
}

struct Sum {
    now: f64,
    highest: f64,
    pages: usize,
    last: Odd,
}

/// Checks pages one after the other.
pub struct Checker<'a> {
    wrapper: &'a Wrapper,
    first: Wrapper,
    pages: Vec<PageCheck>,
    sums: FxHashMap<(Level, Option<String>), Sum>,
    worn: Vec<String>,
}

/// Checks all pages.
pub fn check(wrapper: &Wrapper, pages: &[&Page]) -> Check {
    let mut checker = Checker::new(wrapper);
    for page in pages {
        checker.page(page, &apply(wrapper, page));
    }
    checker.finish()
}

impl<'a> Checker<'a> {
    /// Begins with no page.
    pub fn new(wrapper: &'a Wrapper) -> Checker<'a> {
        let (pages, sums, worn) = (Vec::new(), FxHashMap::default(), Vec::new());
        Checker { wrapper, first: first_only(wrapper), pages, sums, worn }
    }

    /// Takes a page and what the wrapper reads on it.
    pub fn page(&mut self, page: &Page, read: &Answer) -> &PageCheck {
        let list = read.primary();
        let odd = odd_of(self.wrapper, page, read);
        for sum in self.sums.values_mut() {
            sum.now = (sum.now - SLACK).max(0.0);
        }
        for one in &odd {
            let key = (one.level, one.column.clone());
            let sum =
                self.sums.entry(key).or_insert(Sum { now: 0.0, highest: 0.0, pages: 0, last: one.clone() });
            // the slack was taken from those that were there before
            sum.now += if sum.pages == 0 { 1.0 - SLACK } else { 1.0 };
            sum.highest = sum.highest.max(sum.now);
            sum.pages += 1;
            sum.last = one.clone();
        }
        if odd.is_empty()
            && let Some(list) = list
            && let Some(rule) = rule_of(self.wrapper, list)
        {
            for what in worn(rule, list, apply(&self.first, page).primary()) {
                if !self.worn.contains(&what) {
                    self.worn.push(what);
                }
            }
        }
        let records = list.map_or(usize::from(read.object.is_some()), |list| list.records.len());
        let at = self.pages.len();
        self.pages.push(PageCheck { records, odd });
        &self.pages[at]
    }

    /// The answer for all pages that were taken.
    pub fn finish(self) -> Check {
        let all = self.pages.len();
        let alarming = |sum: &Sum| sum.highest >= ALARM || sum.pages == all;
        let mut alarms: Vec<Alarm> = self
            .sums
            .into_values()
            .filter(alarming)
            .map(|sum| Alarm { odd: sum.last, pages: sum.pages })
            .collect();
        alarms.sort_by(|a, b| (b.odd.level, &a.odd.column).cmp(&(a.odd.level, &b.odd.column)));
        Check { pages: self.pages, alarms, worn: self.worn }
    }
}

/// The wrapper with its first locators alone.
fn first_only(wrapper: &Wrapper) -> Wrapper {
    let mut first = wrapper.clone();
    for rule in &mut first.pages {
        rule.region.truncate(1);
        if let Some(record) = &mut rule.record {
            record.find.truncate(1);
        }
        for column in &mut rule.columns {
            column.find.truncate(1);
        }
    }
    first
}

/// The rule that read a list.
pub(crate) fn rule_of<'a>(wrapper: &'a Wrapper, list: &Region) -> Option<&'a PageRule> {
    let names = |rule: &&PageRule| {
        rule.columns.len() == list.columns.len()
            && rule.columns.iter().zip(&list.columns).all(|(rule, column)| rule.name == column.name)
    };
    wrapper.pages.iter().find(names)
}

/// What the first locators alone read otherwise.
fn worn(rule: &PageRule, list: &Region, first: Option<&Region>) -> Vec<String> {
    let Some(first) = first else { return vec!["records".into()] };
    let same =
        |list: &Region| list.records.iter().map(|record| record.place.parts.clone()).collect::<Vec<_>>();
    if same(first) != same(list) {
        return vec!["records".into()];
    }
    let differs = |&column: &usize| {
        list.records.iter().zip(&first.records).any(|(a, b)| !crate::repair::same_texts(a, b, column))
    };
    (0..rule.columns.len()).filter(differs).map(|column| rule.columns[column].name.clone()).collect()
}

fn odd_of(wrapper: &Wrapper, page: &Page, read: &Answer) -> Vec<Odd> {
    let structure = |what: String| vec![Odd { level: Level::Structure, column: None, what }];
    if let Some(detail) = &read.object {
        return object_odds(wrapper, detail);
    }
    let Some(list) = read.primary().filter(|list| !list.records.is_empty()) else {
        let what = match wrapper.pages.first().map(|rule| rule.kind) {
            Some(PageKind::Section) => "the section is not found",
            Some(PageKind::Detail) => "no object is found",
            _ => "no records are found",
        };
        return if read.regions.is_empty() { structure(what.into()) } else { Vec::new() };
    };
    let Some(rule) = rule_of(wrapper, list) else { return Vec::new() };
    let mut odd = Vec::new();
    let tolerance = tolerance(rule.profile.as_ref());
    if let Some(profile) = &rule.profile {
        odd.extend(page_odds(profile, tolerance, page, read, list));
    }
    for (at, column) in rule.columns.iter().enumerate() {
        let mut counted = Counted::default();
        counted.add(list, at);
        let what = column_odd(column, tolerance, counted);
        odd.extend(what.map(|what| Odd { level: Level::Value, column: Some(column.name.clone()), what }));
    }
    odd
}

/// Of one object only that is odd which all objects had, or what is not of its type any more; one page is little to go by, and
/// it takes several to make an alarm.
fn object_odds(wrapper: &Wrapper, detail: &Object) -> Vec<Odd> {
    let Some(rule) = wrapper.pages.iter().find(|rule| rule.kind == PageKind::Detail) else {
        return Vec::new();
    };
    let mut odd = Vec::new();
    for column in rule.columns.iter().filter(|column| column.presence.unwrap_or(0.0) >= FEW.frequent) {
        let field = detail.fields.iter().find(|field| field.name == column.name);
        let typed = column
            .profile
            .as_ref()
            .and_then(|profile| profile.typed)
            .is_some_and(|typed| typed >= FEW.frequent);
        let what = match field {
            None => "is not there, and was on nearly all pages".to_owned(),
            Some(field) if typed && field.value.is_none() => {
                format!("is not of type {}", column.kind.as_deref().unwrap_or_default())
            }
            Some(_) => continue,
        };
        odd.push(Odd { level: Level::Value, column: Some(column.name.clone()), what });
    }
    odd
}

fn page_odds(
    profile: &Profile,
    tolerance: &Tolerance,
    page: &Page,
    read: &Answer,
    list: &Region,
) -> Vec<Odd> {
    let mut odd = Vec::new();
    let mut push = |level, what: String| odd.push(Odd { level, column: None, what });
    let found = list.records.len();
    let (fewest, most) = profile.records;
    if let Some(shown) = read.page.range.map(|(first, last)| (last + 1).saturating_sub(first) as usize)
        && (10 * found < 7 * shown || 10 * found > 25 * shown)
    {
        push(Level::Count, format!("{found} records, and the page says that it shows {shown}"));
    } else if tolerance.count * found < fewest || found > tolerance.count * most {
        push(Level::Count, format!("{found} records, between {fewest} and {most} on the samples"));
    }
    if let Some(before) = profile.coverage {
        let now = coverage(page, list);
        if now < (1.0 - tolerance.coverage) * before {
            let (now, before) = (percent(now), percent(before));
            push(Level::Structure, format!("records have {now} of the page's text, {before} before"));
        }
    }
    if let Some(alike) = profile.look.as_deref().and_then(|known| likeness(known, &look(page)))
        && alike < LOOK
    {
        let alike = percent(alike);
        push(Level::Structure, format!("the page looks like another: {alike} of its elements are as before"));
    }
    odd
}

/// What is odd with the cells of a column; the first thing that is.
fn column_odd(column: &ColumnRule, tolerance: &Tolerance, mut counted: Counted) -> Option<String> {
    let before = column.presence.unwrap_or(0.0);
    if before < tolerance.frequent {
        return None;
    }
    let now = counted.presence();
    if now < (1.0 - tolerance.presence) * before && fell(before, now, counted.records) {
        return Some(format!("{} of the records have it, {} before", percent(now), percent(before)));
    }
    let profile = column.profile.as_ref()?;
    if counted.there == 0 {
        return None;
    }
    if let Some(typed) = profile.typed
        && counted.typed() < (1.0 - tolerance.typed) * typed
        && fell(typed, counted.typed(), counted.there)
    {
        let kind = column.kind.as_deref().unwrap_or("typed");
        let (now, before) = (percent(counted.typed()), percent(typed));
        return Some(format!("{now} of the cells are of type {kind}, {before} before"));
    }
    if counted.there < VARIED {
        return None;
    }
    if profile.distinct > tolerance.varied && counted.distinct() * counted.there as f64 <= 1.0 {
        return Some("all cells say the same, which they did not before".into());
    }
    let moved = (counted.letters() - profile.letters).abs() + (counted.digits() - profile.digits).abs();
    if moved > tolerance.shape {
        return Some(format!(
            "{} letters and {} digits, {} and {} before",
            percent(counted.letters()),
            percent(counted.digits()),
            percent(profile.letters),
            percent(profile.digits)
        ));
    }
    let (middle, (short, long)) = (counted.length(0.5), profile.length);
    if middle > tolerance.length * long.max(4) || tolerance.length * middle < short {
        return Some(format!("cells have {middle} characters, {short} to {long} before"));
    }
    None
}

/// True if a share of so many fell too far for chance.
fn fell(before: f64, now: f64, count: usize) -> bool {
    let before = before.clamp(0.05, 0.95);
    (before - now) / (before * (1.0 - before) / count.max(1) as f64).sqrt() > UNLIKELY
}

fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}
