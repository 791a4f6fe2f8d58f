//! Repair: a wrapper that reads its pages again after the site has changed.
//!
//! In: a [`Wrapper`], pages as they are now. Out: a new version of it, with what was changed, or the reason why there is none.
//! In order: a locator that still works takes the place of one that does not; else the pages are extracted anew, the list is
//! taken whose columns are those of the wrapper ([`crate::matching`]), and locators are learned from it. The new version is
//! taken only if it reads the pages as they were extracted, on enough of them. The old rule stays behind the new one: a site
//! often shows both for a while. Costs an extraction a page.

use crate::check::{check, rule_of};
use crate::file::{ColumnRule, Locator, PageKind, PageRule, Wrapper};
use crate::matching::{Matched, matched};
use crate::{apply, groups, learn};
use copal_dom::Page;
use copal_extract::located::aligned;
use copal_extract::{Answer, Options, Origin, Parts, Record, Region, Role, extract};
use rustc_hash::FxHashSet;

/// Pages that a repair is tested on, unless told otherwise.
pub const PAGES: usize = 3;
/// Least share of the columns that nearly all records had which must be found again.
const COLUMNS: f64 = 0.7;
/// Columns that this share of the records had.
const EXPECTED: f64 = 0.9;
/// Least agreement of what the new version reads with what was extracted.
const AGREEMENT: f64 = 0.95;
/// Least likeness of a list to the wrapper's.
const LIKENESS: f64 = 0.45;
/// How much a list counts whose records look like none of the samples'.
const LOOKLESS: f64 = 0.3;
/// Sets of elements that look like records which are tried.
const GROUPS: usize = 5;
/// Locators of one thing: those of the new version and one of the old.
const LOCATORS: usize = 5;

/// A thing that a repair changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The region, the records, or a column's name.
    pub what: String,
    /// Its locators before.
    pub before: Vec<String>,
    /// Its locators now.
    pub after: Vec<String>,
    /// For a column: a value as the samples had it …
    pub value_before: Option<String>,
    /// … and as it is read now.
    pub value_after: Option<String>,
}

/// A repaired wrapper.
#[derive(Debug)]
pub struct Repaired {
    /// The new version.
    pub wrapper: Wrapper,
    /// What is different.
    pub changes: Vec<Change>,
    /// What could not be repaired.
    pub notes: Vec<String>,
    /// On how many pages it was tested.
    pub pages: usize,
}

/// Why there is no new version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoRepair {
    /// Nothing is broken.
    #[error("the wrapper reads these pages as it should: nothing to repair")]
    Healthy,
    /// Nothing can be trusted that was tested on less.
    #[error("{pages} of the pages can be used: expected at least {least} to test a repair on")]
    TooFew {
        /// What there is.
        pages: usize,
        /// What is needed.
        least: usize,
    },
    /// A person has to look.
    #[error("{0}")]
    Failed(String),
}

/// Repairs a wrapper with pages as they are now; a repair is tested on `least` pages or more.
pub fn repair(wrapper: &Wrapper, pages: &[&Page], least: usize) -> Result<Repaired, NoRepair> {
    let least = least.max(1);
    let state = check(wrapper, pages);
    if !state.drifted() && state.worn.is_empty() {
        return Err(NoRepair::Healthy);
    }
    if pages.len() < least {
        return Err(NoRepair::TooFew { pages: pages.len(), least });
    }
    if !state.drifted()
        && let Some(repaired) = promoted(wrapper, pages, least)
    {
        return Ok(repaired);
    }
    renewed(wrapper, pages, least)
}

/// The wrapper with those locators first that read what all together read.
fn promoted(wrapper: &Wrapper, pages: &[&Page], least: usize) -> Option<Repaired> {
    let voted: Vec<Answer> = pages.iter().map(|page| apply(wrapper, page)).collect();
    let at = voted.iter().find_map(|read| {
        let rule = rule_of(wrapper, read.primary()?)?;
        wrapper.pages.iter().position(|other| std::ptr::eq(other, rule))
    })?;
    let mut new = wrapper.clone();
    let record = wrapper.pages[at].record.as_ref()?;
    let alone = |region: usize, find: usize| {
        let mut one = wrapper.clone();
        one.pages[at].region = vec![wrapper.pages[at].region[region].clone()];
        if let Some(rule) = &mut one.pages[at].record {
            rule.find = vec![record.find[find].clone()];
        }
        one
    };
    let pairs = (0..wrapper.pages[at].region.len())
        .flat_map(|region| (0..record.find.len()).map(move |find| (region, find)));
    let (region, find) = pairs.min_by_key(|&(region, find)| {
        let one = alone(region, find);
        let right = pages.iter().zip(&voted).filter(|(page, voted)| same_records(&apply(&one, page), voted));
        (pages.len() - right.count(), region + find)
    })?;
    new.pages[at].region.rotate_from(region);
    if let Some(rule) = &mut new.pages[at].record {
        rule.find.rotate_from(find);
    }
    for column in 0..wrapper.pages[at].columns.len() {
        let find = &wrapper.pages[at].columns[column].find;
        let wrong = |locator: &Locator| -> usize {
            let mut one = new.clone();
            one.pages[at].columns[column].find = vec![locator.clone()];
            let reads = pages.iter().map(|page| apply(&one, page));
            reads.zip(&voted).map(|(read, voted)| differing(&read, voted, column)).sum()
        };
        if find.len() > 1
            && let Some(best) = (0..find.len()).min_by_key(|&at| (wrong(&find[at]), at))
        {
            new.pages[at].columns[column].find.rotate_from(best);
        }
    }
    let right = pages.iter().zip(&voted).filter(|(page, voted)| same_records(&apply(&new, page), voted));
    let tested = right.count();
    let changes = changes(&wrapper.pages[at], &new.pages[at], voted.iter().find_map(Answer::primary));
    (tested >= least && !changes.is_empty()).then(|| Repaired {
        wrapper: next_version(new, &changes),
        changes,
        notes: Vec::new(),
        pages: tested,
    })
}

/// The element of this number goes to the front, the others stay in order.
trait RotateFrom {
    fn rotate_from(&mut self, at: usize);
}

impl<T> RotateFrom for Vec<T> {
    fn rotate_from(&mut self, at: usize) {
        self[..=at].rotate_right(1);
    }
}

fn same_records(a: &Answer, b: &Answer) -> bool {
    let places = |read: &Answer| {
        read.primary()
            .map(|list| list.records.iter().map(|record| record.place.parts.clone()).collect::<Vec<_>>())
    };
    places(a) == places(b)
}

/// True if two records have the same texts in a column, wherever these were read.
pub(crate) fn same_texts(a: &Record, b: &Record, column: usize) -> bool {
    match (a.cells.get(column), b.cells.get(column)) {
        (Some(a), Some(b)) => a.same_texts(b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// Records whose cells of a column differ.
fn differing(a: &Answer, b: &Answer, column: usize) -> usize {
    let (Some(a), Some(b)) = (a.primary(), b.primary()) else { return 1 };
    let pairs = a.records.iter().zip(&b.records);
    pairs.filter(|(a, b)| !same_texts(a, b, column)).count() + a.records.len().abs_diff(b.records.len())
}

/// A rule learned anew from what the extractor finds on the pages.
fn renewed(wrapper: &Wrapper, pages: &[&Page], least: usize) -> Result<Repaired, NoRepair> {
    let failed = |why: String| Err(NoRepair::Failed(why));
    let Some(at) = wrapper.pages.iter().position(|rule| rule.kind == PageKind::List) else {
        return failed("only lists can be repaired: learn sections and pages of objects anew".into());
    };
    let old = &wrapper.pages[at];
    let mut samples: Vec<(&Page, Answer)> = Vec::new();
    for page in pages {
        let Some((list, found)) = best_list(wrapper, old, page) else { continue };
        let mut known = Answer::default();
        known.regions.push(as_known(old, list, &found));
        samples.push((page, known));
    }
    if samples.is_empty() {
        return failed(
            "no list on these pages is like that of the wrapper: look at them, and learn anew".into(),
        );
    }
    if samples.len() < least {
        return Err(NoRepair::TooFew { pages: samples.len(), least });
    }
    let pairs: Vec<(&Page, &Answer)> = samples.iter().map(|(page, known)| (*page, known)).collect();
    let learned = match learn(&pairs) {
        Ok(learned) => learned,
        Err(why) => return failed(format!("the list was found again, but {why}")),
    };
    let mut fresh = learned.wrapper;
    let mut notes: Vec<String> = learned.notes;
    merge_columns(old, &mut fresh.pages[0], &mut notes);
    let tested = samples.iter().filter(|(page, known)| agrees(&apply(&fresh, page), known)).count();
    if tested < least {
        return failed(format!("new locators read {tested} of {} pages as extracted", samples.len()));
    }
    let rule = fresh.pages.swap_remove(0);
    let first = samples.first().and_then(|(_, known)| known.primary());
    let changes = changes(old, &rule, first);
    let mut new = wrapper.clone();
    if fresh.navigation.as_ref().is_some_and(|navigation| !navigation.next.is_empty())
        && let (Some(kept), Some(now)) = (&mut new.navigation, fresh.navigation)
    {
        kept.next = now.next;
    }
    // the rule before the last repair goes: one old rule is enough
    let names = |rule: &PageRule| rule.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
    let same = names(&rule);
    let mut behind = 0;
    new.pages.retain(|other| {
        behind += usize::from(names(other) == same);
        names(other) != same || behind == 1
    });
    let at = new.pages.iter().position(|other| names(other) == same).unwrap_or(0);
    new.pages.insert(at, rule);
    Ok(Repaired { wrapper: next_version(new, &changes), changes, notes, pages: tested })
}

/// The list of a page that is most like the wrapper's, with its columns.
fn best_list(wrapper: &Wrapper, old: &PageRule, page: &Page) -> Option<(Region, Matched)> {
    let expected = |column: &&ColumnRule| column.presence.unwrap_or(0.0) >= EXPECTED;
    let mandatory = old.columns.iter().filter(expected).count();
    let mut best: Option<(f64, Region, Matched)> = None;
    for records in record_sets(wrapper, old, page) {
        let like = old.record.as_ref().and_then(|record| record.looks.as_ref());
        let like = like.map_or(1.0, |looks| LOOKLESS + (1.0 - LOOKLESS) * looks.fit(page, &records));
        let list = aligned(page, records);
        let found = matched(old, &list);
        let again = old.columns.iter().zip(&found.columns).filter(|(rule, _)| expected(rule));
        let again = again.filter(|(_, found)| found.is_some()).count();
        let score = found.score * count_fits(old, list.records.len());
        if again as f64 >= COLUMNS * mandatory as f64
            && score >= LIKENESS
            && best.as_ref().is_none_or(|(highest, ..)| score * like > *highest)
        {
            best = Some((score * like, list, found));
        }
    }
    best.map(|(_, list, found)| (list, found))
}

/// What may be the records: of every list that is found anew, of what the wrapper still finds, and of elements that look like
/// them, without what is much smaller or larger than any record was.
fn record_sets(wrapper: &Wrapper, old: &PageRule, page: &Page) -> Vec<Vec<Parts>> {
    let mut options = Options::default();
    options.all = true;
    let lists = apply(wrapper, page).regions.into_iter().chain(extract(page, &options).regions);
    let mut sets: Vec<Vec<Parts>> = lists
        .filter(|list| list.origin == Origin::Page)
        .map(|list| list.records.into_iter().map(|record| record.place.parts).collect())
        .collect();
    if let Some(record) = &old.record
        && let Some(looks) = &record.looks
    {
        for records in &mut sets {
            looks.retain(page, records);
        }
        sets.extend(groups::best(page, record, looks).into_iter().take(GROUPS).map(|(_, records)| records));
    }
    let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
    sets.retain(|records| {
        let starts = records.iter().filter_map(|parts| Some(parts.first()?.start)).collect();
        !records.is_empty() && seen.insert(starts)
    });
    sets
}

/// 1 if there are as many records as on the samples, less the further it is from that.
fn count_fits(old: &PageRule, found: usize) -> f64 {
    let Some(profile) = &old.profile else { return 1.0 };
    let (fewest, most) = (profile.records.0.max(1) as f64, profile.records.1.max(1) as f64);
    let found = found.max(1) as f64;
    let off = if found < fewest { fewest / found } else { (found / most).max(1.0) };
    // a last page has fewer: half as many cost a tenth
    1.0 / (1.0 + 0.11 * (off - 1.0))
}

/// The list with the wrapper's names, without columns that the wrapper does not have.
fn as_known(old: &PageRule, mut list: Region, found: &Matched) -> Region {
    let kept: Vec<(usize, usize)> =
        found.columns.iter().enumerate().filter_map(|(rule, column)| Some((rule, (*column)?))).collect();
    let columns = kept.iter().map(|&(rule, column)| {
        let mut one = list.columns[column].clone();
        one.name.clone_from(&old.columns[rule].name);
        one
    });
    list.columns = columns.collect();
    for record in &mut list.records {
        record.cells = kept.iter().map(|&(_, column)| std::mem::take(&mut record.cells[column])).collect();
        record.cells.iter_mut().for_each(|cell| cell.value = None);
        record.children.clear();
    }
    list.role = Role::Primary;
    list
}

/// Columns in the old order, with what is old of them, and the old first locator last.
fn merge_columns(old: &PageRule, fresh: &mut PageRule, notes: &mut Vec<String>) {
    let mut columns = Vec::with_capacity(old.columns.len());
    for column in &old.columns {
        let Some(new) = fresh.columns.iter().find(|new| new.name == column.name) else {
            notes
                .push(format!("column {:?} was not found again: its locators stay as they are", column.name));
            columns.push(column.clone());
            continue;
        };
        let mut merged = new.clone();
        merged.kind.clone_from(&column.kind);
        if merged.find.len() < LOCATORS
            && merged.cut == column.cut
            && merged.many == column.many
            && !merged.find.contains(&column.find[0])
        {
            merged.find.push(column.find[0].clone());
        }
        columns.push(merged);
    }
    fresh.columns = columns;
}

/// True if a page is read as it was extracted: its records, and nearly all cells of the columns that were found.
fn agrees(read: &Answer, known: &Answer) -> bool {
    let (Some(read), Some(known)) = (read.primary(), known.primary()) else { return false };
    let places: FxHashSet<&Parts> = known.records.iter().map(|record| &record.place.parts).collect();
    let same = read.records.iter().filter(|record| places.contains(&record.place.parts)).count();
    2.0 * same as f64 >= AGREEMENT * (read.records.len() + known.records.len()) as f64
}

fn changes(old: &PageRule, new: &PageRule, list: Option<&Region>) -> Vec<Change> {
    let mut out = Vec::new();
    let mut push =
        |what: &str, before: Vec<String>, after: Vec<String>, values: (Option<String>, Option<String>)| {
            if before != after {
                let (value_before, value_after) = values;
                out.push(Change { what: what.to_owned(), before, after, value_before, value_after });
            }
        };
    push("region", old.region.clone(), new.region.clone(), (None, None));
    let find = |rule: &PageRule| rule.record.as_ref().map(|record| record.find.clone()).unwrap_or_default();
    push("records", find(old), find(new), (None, None));
    for column in &new.columns {
        let Some(before) = old.columns.iter().find(|other| other.name == column.name) else { continue };
        let locators = |column: &ColumnRule| column.find.iter().map(ToString::to_string).collect::<Vec<_>>();
        let example =
            before.profile.as_ref().and_then(|profile| profile.examples.iter().find(|text| !text.is_empty()));
        let at = list.and_then(|list| list.columns.iter().position(|other| other.name == column.name));
        let now = list.zip(at).and_then(|(list, at)| {
            list.records.iter().find_map(|record| record.cells.get(at)?.first().map(str::to_owned))
        });
        push(&column.name, locators(before), locators(column), (example.cloned(), now));
    }
    out
}

/// Counts on, and writes down what was changed.
fn next_version(mut wrapper: Wrapper, changes: &[Change]) -> Wrapper {
    wrapper.version += 1;
    let what: Vec<&str> = changes.iter().map(|change| change.what.as_str()).collect();
    if wrapper.changes.len() >= crate::file::MOST_CHANGES {
        wrapper.changes.remove(0);
    }
    wrapper.changes.push(format!("version {}: {} located anew", wrapper.version, what.join(", ")));
    wrapper
}
