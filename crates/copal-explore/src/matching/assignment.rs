//! From odds to confidences: the candidates of a record compete, because it is at most one record of another site.
//!
//! In: weighed pairs. Out: pairs with a probability, each record at most once per other site; and groups. O(n log n).

use super::RecordMatch;
use super::evidence::Comparison;
use super::field_values::FieldTable;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Odds beyond this are as good as certain.
const MAX_LOG_ODDS: f64 = 20.0;
/// Reasons per pair.
const MAX_REASONS: usize = 5;

/// The best pairs.
pub(super) fn assign(
    table: &FieldTable,
    weighed: impl Iterator<Item = (usize, usize, Comparison)>,
    min_confidence: f64,
) -> Vec<RecordMatch> {
    // what cannot be half sure, and hardly competes, is not kept
    let pairs: Vec<(usize, usize, Comparison)> = weighed.filter(|pair| pair.2.log_odds > -5.0).collect();
    let odds = |comparison: &Comparison| comparison.log_odds.min(MAX_LOG_ODDS).exp();
    let mut sums: HashMap<(usize, usize), f64> = HashMap::new();
    for (first, second, comparison) in &pairs {
        *sums.entry((*first, table.sites[*second])).or_default() += odds(comparison);
        *sums.entry((*second, table.sites[*first])).or_default() += odds(comparison);
    }
    let mut matches: Vec<RecordMatch> = pairs
        .iter()
        .map(|(first, second, comparison)| {
            let own = odds(comparison);
            let share = |record: usize, site: usize| own / (1.0 + sums[&(record, site)]);
            let confidence = share(*first, table.sites[*second]).min(share(*second, table.sites[*first]));
            let told = comparison.evidence.iter().take(MAX_REASONS);
            let reasons = told.map(|one| format!("{} ({:+.1})", one.reason, one.weight)).collect();
            RecordMatch { first: *first, second: *second, confidence, reasons }
        })
        .filter(|one| one.confidence >= min_confidence)
        .collect();
    matches.sort_by(|a, b| {
        b.confidence.total_cmp(&a.confidence).then_with(|| (a.first, a.second).cmp(&(b.first, b.second)))
    });
    let mut taken: HashSet<(usize, usize)> = HashSet::new();
    matches.retain(|one| {
        let ends = [(one.first, table.sites[one.second]), (one.second, table.sites[one.first])];
        let is_free = ends.iter().all(|end| !taken.contains(end));
        if is_free {
            taken.extend(ends);
        }
        is_free
    });
    matches
}

/// Joins pairs to groups, the surest first. A pair that would put two records of one site into a group is not used.
pub(super) fn groups_of(table: &FieldTable, pairs: &[RecordMatch]) -> Vec<Vec<usize>> {
    let mut group_of: HashMap<usize, usize> = HashMap::new();
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for pair in pairs {
        let [first, second] = [pair.first, pair.second].map(|record| {
            *group_of.entry(record).or_insert_with(|| {
                groups.insert(record, vec![record]);
                record
            })
        });
        let sites = |group: usize| groups[&group].iter().map(|record| table.sites[*record]);
        let own: HashSet<usize> = sites(first).collect();
        if first == second || sites(second).any(|site| own.contains(&site)) {
            continue;
        }
        let moved = groups.remove(&second).unwrap_or_default();
        for record in &moved {
            group_of.insert(*record, first);
        }
        groups.entry(first).or_default().extend(moved);
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().filter(|group| group.len() > 1).collect();
    for group in &mut groups {
        group.sort_unstable();
    }
    groups.sort();
    groups
}
