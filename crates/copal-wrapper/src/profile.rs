//! What the samples of a wrapper were like: algorithms for telling whether a page still is.
//!
//! In: what a wrapper reads from pages. Out: a [`Profile`] of the pages and a [`ColumnProfile`] of each column, small enough for
//! the wrapper file. O(text of the cells + elements of the pages).

use crate::file::{From, PageRule};
use copal_dom::{Page, attrs, stable_classes, tags};
use copal_extract::Region;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Records whose cells are kept as examples.
const EXAMPLES: usize = 5;
/// Longest text of an example, in characters.
pub(crate) const LONGEST: usize = 80;
/// Hashes of a page's look.
const LOOKS: usize = 32;

/// What the pages were like.
#[derive(Debug, Clone, PartialEq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// How many pages it was learned from.
    pub samples: usize,
    /// The fewest and the most records of one.
    pub records: (usize, usize),
    /// Share of a page's visible text that stands in its records.
    #[serde(default)]
    pub coverage: Option<f64>,
    /// A sketch of the page's tags and class words: the smallest of their hashes.
    #[serde(default)]
    pub look: Option<String>,
}

/// What the cells of a column were like.
#[derive(Debug, Clone, PartialEq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnProfile {
    /// Share of the cells that are of the column's type.
    #[serde(default)]
    pub typed: Option<f64>,
    /// Between these lengths are nine of ten cells, in characters.
    pub length: (usize, usize),
    /// Share of the cells that are unlike all before.
    pub distinct: f64,
    /// Share of letters among the characters that are no spaces.
    pub letters: f64,
    /// Share of digits.
    pub digits: f64,
    /// Cells of some records, the same records in all columns.
    #[serde(default)]
    pub examples: Vec<String>,
}

/// The cells of one column, counted.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    pub(crate) records: usize,
    pub(crate) there: usize,
    pub(crate) typed: usize,
    lengths: Vec<usize>,
    distinct: FxHashSet<u64>,
    letters: usize,
    digits: usize,
    signs: usize,
}

impl Counted {
    /// Adds the cells of a column of a list.
    pub(crate) fn add(&mut self, list: &Region, column: usize) {
        for record in &list.records {
            self.records += 1;
            let Some(text) = record.cells.get(column).and_then(|cell| cell.first()) else { continue };
            self.there += 1;
            let value = record.cells[column].value.is_some();
            // a list of values has no one value to be typed
            self.typed += usize::from(value || record.cells[column].len() > 1);
            self.lengths.push(text.chars().count());
            let mut hasher = FxHasher::default();
            text.hash(&mut hasher);
            self.distinct.insert(hasher.finish());
            for c in text.chars().filter(|c| !c.is_whitespace()) {
                self.signs += 1;
                self.letters += usize::from(c.is_alphabetic());
                self.digits += usize::from(c.is_numeric());
            }
        }
    }

    pub(crate) fn presence(&self) -> f64 {
        share(self.there, self.records)
    }

    pub(crate) fn typed(&self) -> f64 {
        share(self.typed, self.there)
    }

    pub(crate) fn distinct(&self) -> f64 {
        share(self.distinct.len(), self.there)
    }

    pub(crate) fn letters(&self) -> f64 {
        share(self.letters, self.signs)
    }

    pub(crate) fn digits(&self) -> f64 {
        share(self.digits, self.signs)
    }

    /// The length that this share of the cells does not exceed.
    pub(crate) fn length(&mut self, quantile: f64) -> usize {
        self.lengths.sort_unstable();
        let at = (self.lengths.len().saturating_sub(1) as f64 * quantile).round() as usize;
        self.lengths.get(at).copied().unwrap_or(0)
    }

    fn profile(&mut self, has_type: bool, examples: Vec<String>) -> ColumnProfile {
        ColumnProfile {
            typed: has_type.then(|| rounded(self.typed())),
            length: (self.length(0.05), self.length(0.95)),
            distinct: rounded(self.distinct()),
            letters: rounded(self.letters()),
            digits: rounded(self.digits()),
            examples,
        }
    }
}

/// Fills a rule's profiles from what it reads on its samples.
pub(crate) fn fill(rule: &mut PageRule, samples: &[(&Page, &Region)]) {
    let Some((page, first)) = samples.first() else { return };
    let counts = || samples.iter().map(|(_, list)| list.records.len());
    let covered: f64 = samples.iter().map(|(page, list)| coverage(page, list)).sum();
    rule.profile = Some(Profile {
        samples: samples.len(),
        records: (counts().min().unwrap_or(0), counts().max().unwrap_or(0)),
        coverage: Some(rounded(covered / samples.len() as f64)),
        look: Some(look_text(&look(page))),
    });
    let step = first.records.len().div_ceil(EXAMPLES).max(1);
    for (at, column) in rule.columns.iter_mut().enumerate() {
        let mut counted = Counted::default();
        for (_, list) in samples {
            counted.add(list, at);
        }
        let cells = first.records.iter().step_by(step).map(|record| record.cells[at].first());
        let examples = cells.map(|cell| cell.map(example).unwrap_or_default()).collect();
        let typed = column.kind.is_some() && column.from == From::Text;
        column.profile = Some(counted.profile(typed, examples));
    }
}

/// A cell as an example keeps it.
pub(crate) fn example(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

/// Share of a page's visible text that stands in the records.
pub(crate) fn coverage(page: &Page, list: &Region) -> f64 {
    let inside: u64 = list
        .records
        .iter()
        .flat_map(|record| &record.place.parts)
        .map(|part| u64::from(page.index.chars(part)))
        .sum();
    let all = page.tree.find(tags::BODY).map_or(0, |body| page.index.chars(&(body..page.tree.end(body))));
    (inside as f64 / f64::from(all.max(1))).min(1.0)
}

/// The smallest hashes of the page's steps from element to element: its tags and stable class words.
pub(crate) fn look(page: &Page) -> Vec<u32> {
    let tree = &page.tree;
    let mut steps: FxHashSet<u32> = FxHashSet::default();
    let Some(body) = tree.find(tags::BODY) else { return Vec::new() };
    for node in (body + 1..tree.end(body)).filter(|&node| !tree.is_text(node) && page.styles.is_shown(node)) {
        let parent = tree.parent(node);
        let mut hasher = FxHasher::default();
        (tree.tag_name(parent), tree.tag_name(node)).hash(&mut hasher);
        let mut words: Vec<&str> =
            tree.attr(node, attrs::CLASS).map(|all| stable_classes(all).collect()).unwrap_or_default();
        words.sort_unstable();
        words.hash(&mut hasher);
        steps.insert(mixed(hasher.finish()));
    }
    let mut all: Vec<u32> = steps.into_iter().collect();
    all.sort_unstable();
    all.truncate(LOOKS);
    all
}

/// Spreads the bits of a hash: the smallest of many must be a fair sample of them (splitmix64).
fn mixed(hash: u64) -> u32 {
    let mut z = hash.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 32) as u32
}

fn look_text(look: &[u32]) -> String {
    look.iter().map(|hash| format!("{hash:08x}")).collect()
}

/// How alike two looks are, 0 to 1: the share of the smallest hashes of both that both have. None if there is none to compare.
pub(crate) fn likeness(known: &str, look: &[u32]) -> Option<f64> {
    let known: Vec<u32> = known
        .as_bytes()
        .chunks(8)
        .filter_map(|hex| u32::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok())
        .collect();
    if known.is_empty() || look.is_empty() {
        return None;
    }
    let mut all: Vec<u32> = known.iter().chain(look).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(LOOKS);
    let both = all.iter().filter(|hash| known.contains(hash) && look.contains(hash)).count();
    Some(both as f64 / all.len() as f64)
}

fn share(part: usize, all: usize) -> f64 {
    part as f64 / all.max(1) as f64
}

fn rounded(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}
