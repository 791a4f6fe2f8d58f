//! The same record on several sites: which offers are of one thing, and how sure that is.
//!
//! In: records with their site and their cells. Out: pairs of records of different sites with a confidence and the reasons,
//! and groups of them. The model is that of Fellegi and Sunter ("A Theory for Record Linkage", 1969): each column that two
//! records share speaks for or against a match, by how much more often it agrees in one thing than by chance. What is chance
//! is measured: two records of one site are two things, so that whatever agrees between them agrees by chance.
//!
//! The steps, one module each: `field_values` makes cells comparable, `candidate_pairs` finds records that share rare words,
//! `evidence` weighs what a pair has in common, and `assignment` lets the pairs of a record compete. O(candidate pairs); at most
//! [`MAX_PAIRS`] of them.

mod assignment;
mod candidate_pairs;
mod evidence;
mod field_values;

use assignment::{assign, groups_of};
use candidate_pairs::candidate_pairs;
use evidence::{Chance, compare};
use field_values::FieldTable;

/// Pairs that are compared.
const MAX_PAIRS: usize = 3_000_000;

/// A record of a site.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SiteRecord {
    /// Its site.
    pub site: String,
    /// Names of columns and texts of cells; absent cells are left out.
    pub cells: Vec<(String, String)>,
}

/// Two records that are probably the same thing.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordMatch {
    /// The first one, as a position in the records.
    pub first: usize,
    /// The other one, of another site.
    pub second: usize,
    /// The probability that they are the same.
    pub confidence: f64,
    /// What speaks for it and against it, the most important first.
    pub reasons: Vec<String>,
}

/// The result of [`match_records`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordMatches {
    /// Pairs of records, each record at most once per other site; the surest first.
    pub pairs: Vec<RecordMatch>,
    /// Records that are the same, two or more and at most one per site, as positions.
    pub groups: Vec<Vec<usize>>,
    /// Not all pairs were compared: there are too many.
    pub is_cut: bool,
}

/// Finds the records that several sites have. Pairs with a lower confidence than `min_confidence` are left out.
pub fn match_records(records: &[SiteRecord], min_confidence: f64) -> RecordMatches {
    let table = FieldTable::new(records);
    let candidates = candidate_pairs(&table, MAX_PAIRS);
    let chance = Chance::new(&table, &candidates.of_one_site);
    let weighed = candidates.of_two_sites.iter().map(|&(first, second)| {
        let compared = compare(&table, first, second, &chance);
        (first, second, compared)
    });
    let pairs = assign(&table, weighed, min_confidence);
    let groups = groups_of(&table, &pairs);
    RecordMatches { pairs, groups, is_cut: candidates.is_cut }
}
