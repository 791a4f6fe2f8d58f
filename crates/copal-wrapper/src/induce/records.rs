//! Locators of records.
//!
//! In: samples. Out: a [`RecordRule`] whose selectors find the first elements of the samples' records.
//! Selectors that find just these are preferred. If there are none, a selector that finds too much gets a
//! `needs` (what only records have inside), or several that find too little are joined. O(candidates x
//! elements).

use super::candidates::{LocatorFamily, SelectorCandidate, best_of_families, names, selector_candidates};
use super::sample::{MAX_SAMPLED_RECORDS, Sample};
use crate::apply::regions::{has_inside, record_heads, records_by_selector};
use crate::error::WrapperError;
use crate::format::{MAX_LOCATORS, RecordRule};
use crate::locate::css::{Css, identifier};
use copal_dom::Node;
use copal_extract::located::tops;
use rustc_hash::FxHashSet;

/// Minimum agreement (F1) of a selector with the records of the samples.
const MIN_RECORD_AGREEMENT: f64 = 0.9;
/// Maximum number of elements inside a record that may distinguish it from what is not a record.
const MAX_INNER_ELEMENTS: usize = 300;
/// Maximum number of selectors that are tried as `needs`.
const MAX_NEEDS_TRIED: usize = 60;
/// Maximum number of selectors that are joined.
const MAX_JOINED_RECORD_SELECTORS: usize = 4;
/// How many different numbers of elements per record are tried.
const MAX_ELEMENT_COUNTS: usize = 8;

type ScoredSelector = (LocatorFamily, f64, String);

/// A candidate selector for records, with what it finds.
struct RecordTrial {
    candidate: SelectorCandidate,
    /// The elements it finds, per sample.
    found: Vec<Vec<Node>>,
}

/// The rule that finds the records of the samples.
pub(super) fn record_rule(samples: &[Sample<'_>]) -> Result<RecordRule, WrapperError> {
    let mut tried: Vec<RecordTrial> = Vec::new();
    let mut seen = FxHashSet::default();
    for sample in samples.iter().take(MAX_SAMPLED_RECORDS) {
        let step = sample.heads.len().div_ceil(MAX_SAMPLED_RECORDS).max(1);
        let some = sample.heads.iter().step_by(step).chain(sample.heads.last());
        for candidate in some.flat_map(|&head| selector_candidates(&sample.page.tree, sample.root, head)) {
            if !seen.insert(candidate.css.clone()) {
                continue;
            }
            let Ok(css) = Css::parse(&candidate.css) else { continue };
            let found = samples
                .iter()
                .map(|sample| record_heads(sample.page, &sample.index, sample.root, &css))
                .collect();
            tried.push(RecordTrial { candidate, found });
        }
    }
    let (mut find, mut needs) = (matching_selectors(&tried, samples), None);
    if find.iter().all(|(_, score, _)| *score < 0.0) {
        if let Some((css, inside)) = with_needs(&tried, samples) {
            (find, needs) = (css, Some(inside));
        } else if let Some(both) = joined_selectors(&tried, samples) {
            find = vec![both];
        }
    }
    for (_, score, _) in &mut find {
        *score = score.abs();
    }
    let find = best_of_families(find, MAX_LOCATORS);
    if find.is_empty() {
        return Err(WrapperError::NoRecordSelector);
    }
    let elements = element_count(samples, &find[0], needs.as_deref());
    Ok(RecordRule { find, needs, elements, fingerprint: None })
}

/// Selectors that find the records or nearly so. Those that find exactly the records have a positive score,
/// the others a negative one; the latter are returned only if there are none of the former.
fn matching_selectors(tried: &[RecordTrial], samples: &[Sample<'_>]) -> Vec<ScoredSelector> {
    let all = tried.iter().filter_map(|one| {
        let f1 = record_agreement(&one.found, samples);
        let exact = f1 >= 1.0;
        let score = one.candidate.score * f1.powi(8);
        (f1 >= MIN_RECORD_AGREEMENT)
            .then(|| (one.candidate.family, if exact { score } else { -score }, one.candidate.css.clone()))
    });
    let all: Vec<_> = all.collect();
    if all.iter().any(|(_, score, _)| *score > 0.0) {
        return all.into_iter().filter(|(_, score, _)| *score > 0.0).collect();
    }
    all
}

/// The F1 score of the elements that were found.
fn record_agreement(found: &[Vec<Node>], samples: &[Sample<'_>]) -> f64 {
    let (mut right, mut all) = (0, 0);
    for (found, sample) in found.iter().zip(samples) {
        right += found.iter().filter(|node| sample.heads.binary_search(node).is_ok()).count();
        all += found.len() + sample.heads.len();
    }
    2.0 * right as f64 / all.max(1) as f64
}

/// Selectors that find all records and more, and a selector of something that only the records have inside.
fn with_needs(tried: &[RecordTrial], samples: &[Sample<'_>]) -> Option<(Vec<ScoredSelector>, String)> {
    let covers = |one: &&RecordTrial| {
        one.found.iter().zip(samples).all(|(found, sample)| {
            sample.heads.iter().all(|head| found.binary_search(head).is_ok())
                && found.len() < 20 * sample.heads.len() + 20
        })
    };
    let first = &samples[0];
    let &head = first.heads.first()?;
    let tree = &first.page.tree;
    let mut inside: Vec<(f64, String)> = Vec::new();
    for node in (head + 1..tree.end(head)).filter(|&node| !tree.is_text(node)).take(MAX_INNER_ELEMENTS) {
        inside.extend(names(tree, node));
        inside.push((0.75, identifier(tree.tag_name(node))));
    }
    inside.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    inside.dedup();
    let wide: Vec<&RecordTrial> = tried.iter().filter(covers).collect();
    for (_, needs) in inside.into_iter().take(MAX_NEEDS_TRIED) {
        let css = Css::parse(&needs).ok()?;
        let have: Vec<Vec<Node>> =
            samples.iter().map(|sample| css.select_below(&sample.index, sample.root)).collect();
        let mut right: Vec<ScoredSelector> = Vec::new();
        for one in &wide {
            let exact = one.found.iter().zip(samples).zip(&have).all(|((found, sample), have)| {
                let kept = found.iter().filter(|&&node| has_inside(&sample.page.tree, node, have));
                kept.eq(&sample.heads)
            });
            if exact {
                right.push((one.candidate.family, one.candidate.score, one.candidate.css.clone()));
            }
        }
        if !right.is_empty() {
            return Some((right, needs));
        }
    }
    None
}

/// Several selectors that each find only records, chosen greedily until no other adds any. None if too many
/// are missing.
fn joined_selectors(tried: &[RecordTrial], samples: &[Sample<'_>]) -> Option<ScoredSelector> {
    let pure = |one: &&RecordTrial| {
        one.found
            .iter()
            .zip(samples)
            .all(|(found, sample)| found.iter().all(|node| sample.heads.binary_search(node).is_ok()))
    };
    let pure: Vec<&RecordTrial> = tried.iter().filter(pure).collect();
    let mut covered: Vec<FxHashSet<Node>> = vec![FxHashSet::default(); samples.len()];
    let mut parts: Vec<String> = Vec::new();
    let mut score = 1.0f64;
    while parts.len() < MAX_JOINED_RECORD_SELECTORS {
        let gain = |one: &RecordTrial| -> usize {
            one.found
                .iter()
                .zip(&covered)
                .map(|(found, covered)| found.iter().filter(|node| !covered.contains(node)).count())
                .sum()
        };
        let best = pure.iter().max_by(|a, b| {
            (gain(a) as f64 * a.candidate.score).total_cmp(&(gain(b) as f64 * b.candidate.score))
        })?;
        if gain(best) == 0 {
            break;
        }
        for (found, covered) in best.found.iter().zip(&mut covered) {
            covered.extend(found);
        }
        score = score.min(best.candidate.score);
        parts.push(best.candidate.css.clone());
    }
    let all: usize = samples.iter().map(|sample| sample.heads.len()).sum();
    let have: usize = covered.iter().map(FxHashSet::len).sum();
    (have as f64 >= MIN_RECORD_AGREEMENT * all as f64).then(|| (LocatorFamily::Name, score, parts.join(", ")))
}

/// How many neighbouring elements make a record: the number with which most records come out as they are on
/// the samples.
fn element_count(samples: &[Sample<'_>], find: &str, needs: Option<&str>) -> usize {
    let counts: FxHashSet<usize> = samples
        .iter()
        .flat_map(|sample| {
            sample.list.records.iter().map(|record| tops(sample.page, &record.place.parts[0]).len())
        })
        .collect();
    let mut options: Vec<usize> = counts.into_iter().collect();
    options.sort_unstable();
    if options.len() > 1 {
        options.insert(0, 0);
    }
    options.truncate(MAX_ELEMENT_COUNTS);
    let right = |elements: usize| -> usize {
        let rule = RecordRule {
            find: vec![find.to_owned()],
            needs: needs.map(str::to_owned),
            elements,
            fingerprint: None,
        };
        samples
            .iter()
            .map(|sample| {
                let again = records_by_selector(sample.page, &sample.index, sample.root, &rule, 0);
                let known: FxHashSet<_> =
                    sample.list.records.iter().map(|record| record.place.parts[0].clone()).collect();
                again.iter().filter(|parts| known.contains(&parts[0])).count()
            })
            .sum()
    };
    let mut best = (1, 0);
    for option in options {
        let right = right(option);
        if right > best.1 {
            best = (option, right);
        }
    }
    best.0
}
