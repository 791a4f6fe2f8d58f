//! The combined extractor: candidates of every method, one ranking, exact boundaries.
//!
//! In: the `Signals` of a page. Out: regions, best first. `candidates of BUW, RDR, AMBER (links, and the
//! pivots of a domain), MDR, declared lists and plain groups → merged → boundaries repaired → features → score → roles`. A region that
//! several methods propose is one candidate with several proposers. Whether it is the main list, a possible
//! one, another list of records or navigation is decided by probabilities (`rank`).

use super::boundaries::{BoundaryChanges, BoundaryRepair};
use super::candidate::{ListCandidate, Proposers, RankedLists};
use super::domain_evidence::DomainEvidence;
use super::features::overlap::NodeSpans;
use super::features::page_facts::PageFacts;
use super::features::record_facts::PageContents;
use super::features::vector::{Feature, Features};
use super::features::{self, nesting};
use super::options::ListOptions;
use super::propose::{amber, buw, declared_lists, groups, mdr, rdr};
use super::rank;
use crate::signals::Signals;
use copal_dom::{Node, Page, attrs, tags};
use copal_model::{Parts, Role};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Candidates beyond this many are not measured.
const MAX_CANDIDATES: usize = 112;
/// Regions that are returned at most.
const MAX_RANKED_REGIONS: usize = 24;

/// Least probability of a main list. With less, a list can still be a possible one.
const MIN_PRIMARY: f64 = 0.55;
/// Least probability of a possible main list.
const MIN_POSSIBLE: f64 = 0.1;
/// The same for a list that is clearly one of records: on a long page, a short main list looks like a side list.
const MIN_POSSIBLE_OF_RECORDS: f64 = 0.03;
/// Least probability of a list of records for that.
const MIN_CLEAR_RECORDS: f64 = 0.7;

/// A candidate with what is known about it.
struct MeasuredCandidate {
    found: ListCandidate,
    proposers: Proposers,
    changes: BoundaryChanges,
    features: Features,
}

/// The different candidates of a page, with repaired boundaries.
fn merged(
    signals: &Signals<'_>,
    options: &ListOptions,
    domain: Option<&DomainEvidence<'_>>,
) -> Vec<ProposedCandidate> {
    let mut merged = distinct(proposed(signals, options, domain), &|_, _| {});
    merged.truncate(MAX_CANDIDATES);
    if options.combined.refine { repaired(signals.page, merged) } else { merged }
}

/// The records of all candidates, also of those that the ranking drops because they overlap with better ones.
pub(crate) fn all_candidates(page: &Page, options: &ListOptions) -> Vec<Vec<Parts>> {
    let domain = DomainEvidence::of(page, &options.amber);
    let merged = merged(&Signals::new(page), options, domain.as_ref());
    merged.into_iter().map(|one| one.found.records).collect()
}

/// All candidates of a page with their features.
fn candidates(
    signals: &Signals<'_>,
    options: &ListOptions,
    domain: Option<&DomainEvidence<'_>>,
) -> Vec<MeasuredCandidate> {
    let page = signals.page;
    let merged = merged(signals, options, domain);
    let (facts, contents) = (PageFacts::new(signals), PageContents::new(page));
    let mut features: Vec<Features> = merged
        .iter()
        .map(|one| features::measure(page, &facts, &contents, &one.found, one.proposers))
        .collect();
    features::add_ranks(&mut features);
    let found: Vec<&ListCandidate> = merged.iter().map(|one| &one.found).collect();
    nesting::add(page, &found, &mut features);
    let measured = |(one, features): (ProposedCandidate, Features)| MeasuredCandidate {
        found: one.found,
        proposers: one.proposers,
        changes: one.changes,
        features,
    };
    merged.into_iter().zip(features).map(measured).collect()
}

/// A candidate before it is measured.
struct ProposedCandidate {
    found: ListCandidate,
    proposers: Proposers,
    changes: BoundaryChanges,
}

/// What every method proposes, without what cannot be a list of records.
fn proposed(
    signals: &Signals<'_>,
    options: &ListOptions,
    domain: Option<&DomainEvidence<'_>>,
) -> Vec<ProposedCandidate> {
    let page = signals.page;
    // of AMBER's areas the best come first; further ones are small
    let links = amber::AmberOptions { domain: None, areas: 8, image_pivots: false, ..options.amber.clone() };
    let all = [
        (first(buw::find(page, &options.buw), 24), Proposers::BUW),
        (first(rdr::find(page, &options.rdr), 8), Proposers::RDR),
        (first(amber::find(page, &links), 16), Proposers::AMBER),
        (first(mdr::find(page, &options.mdr), 16), Proposers::MDR),
        (declared_lists::find(page, signals.declared()), Proposers::DECLARED),
        (groups::find(page), Proposers::GROUPS),
        (domain.map(DomainEvidence::areas).unwrap_or_default(), Proposers::DOMAIN),
    ];
    let has_text = |parts: &&Parts| parts.iter().any(|part| page.index.chars(part) > 0);
    let mut proposed = Vec::new();
    for (regions, proposers) in all {
        for found in regions {
            let texts = found.records.iter().filter(has_text).count();
            if texts >= 2 && !are_paragraphs(page, &found.records) && !are_header_cells(page, &found.records)
            {
                proposed.push(ProposedCandidate { found, proposers, changes: BoundaryChanges::default() });
            }
        }
    }
    proposed
}

fn first(mut lists: RankedLists, most: usize) -> Vec<ListCandidate> {
    lists.regions.truncate(most);
    lists.regions
}

/// Minimum mean length of paragraphs that are running text, in characters.
const MIN_PARAGRAPH_CHARS: usize = 120;

/// Long paragraphs without a link or an image are the text of an article, not records.
fn are_paragraphs(page: &Page, records: &[Parts]) -> bool {
    let plain = |parts: &&Parts| {
        page.tree.tag(parts[0].start) == tags::P
            && parts.iter().all(|part| page.index.link_chars(part) == 0 && page.index.images(part) == 0)
    };
    let (mut count, mut chars) = (0usize, 0usize);
    for parts in records.iter().filter(plain) {
        count += 1;
        chars += parts.iter().map(|part| page.index.chars(part) as usize).sum::<usize>();
    }
    5 * count >= 4 * records.len() && chars >= MIN_PARAGRAPH_CHARS * count
}

/// The header cells of a table are not records.
fn are_header_cells(page: &Page, records: &[Parts]) -> bool {
    records.iter().all(|parts| page.tree.tag(parts[0].start) == tags::TH)
}

/// Candidates with repaired boundaries. Repair comes before measuring, so that what is judged is what is
/// returned.
fn repaired(page: &Page, all: Vec<ProposedCandidate>) -> Vec<ProposedCandidate> {
    let repair = BoundaryRepair::new(page);
    // the costly steps run only for what still differs after the cheap one
    let all = distinct(all, &|found, changes| repair.climb(found, changes));
    distinct(all, &|found, changes| repair.repair(found, changes))
}

/// Runs a step on each candidate. Those with the same records after it become one, with the proposers of all.
fn distinct(
    all: Vec<ProposedCandidate>,
    step: &dyn Fn(&mut ListCandidate, &mut BoundaryChanges),
) -> Vec<ProposedCandidate> {
    let mut known: FxHashMap<u64, usize> = FxHashMap::default();
    let mut out: Vec<ProposedCandidate> = Vec::with_capacity(all.len());
    for mut one in all {
        step(&mut one.found, &mut one.changes);
        match known.entry(key_of(&one.found.records)) {
            Entry::Occupied(at) => out[*at.get()].proposers.add(one.proposers),
            Entry::Vacant(free) => {
                free.insert(out.len());
                out.push(one);
            }
        }
    }
    out
}

fn key_of(records: &[Parts]) -> u64 {
    let mut key = 0u64;
    for part in records.iter().flatten() {
        key = (key ^ (u64::from(part.start) << 32 | u64::from(part.end))).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key ^= key >> 29;
    }
    key
}

/// Finds the regions of a page, best first: the main list if there is one, then other lists of records, then
/// menus.
pub(crate) fn find(signals: &Signals<'_>, options: &ListOptions) -> RankedLists {
    let domain = DomainEvidence::of(signals.page, &options.amber);
    let mut all = candidates(signals, options, domain.as_ref());
    for candidate in &mut all {
        candidate.found.score = rank::score(&candidate.features, options.combined.ranker);
    }
    all.sort_by(|a, b| b.found.score.total_cmp(&a.found.score).then(a.found.root.cmp(&b.found.root)));
    // a list of the domain's objects comes before other lists
    let of_domain = domain.as_ref().and_then(|domain| first_of_domain(signals.page, domain, &all));
    if let Some(of_domain) = of_domain {
        all[..=of_domain].rotate_right(1);
    }
    let mut kept = disjoint(all);
    add_score_and_gap(&mut kept);
    let best = match of_domain {
        Some(_) => Some(0),
        None => kept.iter().position(|candidate| !is_menu(&candidate.features)),
    };
    let mut lists = RankedLists { no_primary: true, ..RankedLists::default() };
    lists.warnings.extend(domain.as_ref().and_then(DomainEvidence::warning));
    let mut judged: Vec<(MeasuredCandidate, Role, f64)> = Vec::with_capacity(kept.len());
    for (rank, candidate) in kept.into_iter().enumerate() {
        let features = &candidate.features;
        let records = rank::records_probability(features);
        let has_records = records >= options.combined.records
            && !is_menu(features)
            && !is_in_nav_element(signals.page, candidate.found.root);
        let main = (best == Some(rank)).then(|| match of_domain {
            // objects of the domain that the user named, in an area that is the page's main one
            Some(_) => rank::main_list_probability(features).max(MIN_PRIMARY),
            None => rank::main_list_probability(features),
        });
        lists.main_probability = lists.main_probability.or(main);
        let main = main.and_then(|probability| {
            let records = if has_records { records } else { 0.0 };
            let role = main_list_role(probability, records, options.combined.min_confidence)?;
            Some((role, probability))
        });
        let other_role = if has_records { Role::Secondary } else { Role::Navigation };
        judged.push(match main {
            Some((Role::Possible, probability)) => {
                lists.replaced = Some((other_role, records));
                (candidate, Role::Possible, probability)
            }
            Some((role, _)) => {
                let right = rank::boundary_probability(features);
                (candidate, role, right)
            }
            None => (candidate, other_role, records),
        });
    }
    judged.sort_by_key(|(_, role, _)| *role);
    for (MeasuredCandidate { mut found, proposers, changes, features }, role, confidence) in judged {
        if let Some(domain) = domain.as_ref().filter(|_| role != Role::Navigation) {
            found.attributes = domain.attributes(&found.records);
        }
        if options.explain {
            lists.grounds.push(rank::evidence(proposers, changes, &features, (role, confidence)));
        }
        lists.no_primary &= role != Role::Primary;
        lists.judged.push((role, confidence));
        lists.regions.push(found);
    }
    lists
}

/// The best-ranked list of the domain's objects. Where records are several siblings, many shifts of the records
/// look alike; those of AMBER begin where its pivots say.
fn first_of_domain(page: &Page, domain: &DomainEvidence<'_>, all: &[MeasuredCandidate]) -> Option<usize> {
    let first = all.iter().position(|one| domain.is_primary(&one.found))?;
    let best = &all[first].found;
    let are_runs = |found: &ListCandidate| {
        found.records.iter().filter(|parts| page.tree.end(parts[0].start) < parts[0].end).count() * 2
            > found.records.len()
    };
    let is_shift = |one: &MeasuredCandidate| {
        one.proposers.include(Proposers::DOMAIN)
            && one.found.root == best.root
            && one.found.records.len().abs_diff(best.records.len()) <= 1
            && are_runs(&one.found)
            && domain.is_primary(&one.found)
    };
    if !are_runs(best) {
        return Some(first);
    }
    Some(all.iter().position(is_shift).unwrap_or(first))
}

/// The role of the best candidate, which is a list of records with the second probability; `None` if it is not
/// likely enough to be used as the main list. This is the only place that decides it.
fn main_list_role(probability: f64, records: f64, min_confidence: Option<f64>) -> Option<Role> {
    let min_possible = if records >= MIN_CLEAR_RECORDS { MIN_POSSIBLE_OF_RECORDS } else { MIN_POSSIBLE };
    let is_likely = probability >= min_confidence.unwrap_or(min_possible);
    is_likely.then_some(if probability >= MIN_PRIMARY { Role::Primary } else { Role::Possible })
}

/// Single links in what the page calls its navigation.
fn is_menu(features: &Features) -> bool {
    features.get(Feature::SingleLink) >= 0.8 && features.get(Feature::InNavigation) >= 0.8
}

/// True below an element by which the page declares its navigation. Classes such as "menu" or "sidebar" are
/// used for lists of records too.
fn is_in_nav_element(page: &Page, node: Node) -> bool {
    let is_nav =
        |at: Node| page.tree.tag(at) == tags::NAV || page.tree.attr(at, attrs::ROLE) == Some("navigation");
    std::iter::once(node).chain(page.tree.ancestors(node)).any(is_nav)
}

/// The best candidates that share no node.
fn disjoint(all: Vec<MeasuredCandidate>) -> Vec<MeasuredCandidate> {
    let mut kept: Vec<MeasuredCandidate> = Vec::new();
    let mut taken: Vec<NodeSpans> = Vec::new();
    for candidate in all {
        if kept.len() == MAX_RANKED_REGIONS {
            break;
        }
        let spans = NodeSpans::of(&candidate.found);
        if !taken.iter().any(|other| other.overlaps(&spans)) {
            taken.push(spans);
            kept.push(candidate);
        }
    }
    kept
}

/// The gap of a candidate that is the only one.
const GAP_WITHOUT_RIVAL: f64 = 5.0;

/// Adds each candidate's score, and its gap to the best of the others: a main list without a rival is more
/// certain.
fn add_score_and_gap(kept: &mut [MeasuredCandidate]) {
    let scores: Vec<f64> = kept.iter().map(|one| rank::linear_score(&one.features)).collect();
    for (rank, candidate) in kept.iter_mut().enumerate() {
        let rival = if rank == 0 { scores.get(1) } else { scores.first() };
        candidate.features.set(Feature::Score, scores[rank]);
        candidate.features.set(Feature::Gap, rival.map_or(GAP_WITHOUT_RIVAL, |rival| scores[rank] - rival));
    }
}

/// A candidate before it is ranked: its records and its features, for fitting.
#[cfg(feature = "research")]
pub type DescribedCandidate = (Vec<Parts>, Vec<f64>);

/// The candidates of a page for fitting; the names of the features come first.
#[cfg(feature = "research")]
pub fn describe(page: &Page, options: &ListOptions) -> (&'static [&'static str], Vec<DescribedCandidate>) {
    let described = candidates(&Signals::new(page), options, None).into_iter();
    (
        features::vector::FEATURE_NAMES,
        described.map(|one| (one.found.records, one.features.values().to_vec())).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::{MIN_CLEAR_RECORDS, MIN_POSSIBLE, MIN_POSSIBLE_OF_RECORDS, MIN_PRIMARY, main_list_role};
    use copal_model::Role;

    #[test]
    fn a_doubtful_list_is_possible_and_an_unlikely_one_is_not_the_main_list() {
        let role = |probability| main_list_role(probability, 0.0, None);
        assert_eq!(role(MIN_PRIMARY), Some(Role::Primary));
        assert_eq!(role(MIN_PRIMARY - 0.01), Some(Role::Possible));
        assert_eq!(role(MIN_POSSIBLE), Some(Role::Possible));
        assert_eq!(role(MIN_POSSIBLE - 0.01), None);
    }

    #[test]
    fn a_clear_list_of_records_is_possible_with_less() {
        let role = |probability, records| main_list_role(probability, records, None);
        assert_eq!(role(MIN_POSSIBLE_OF_RECORDS, MIN_CLEAR_RECORDS), Some(Role::Possible));
        assert_eq!(role(MIN_POSSIBLE_OF_RECORDS - 0.01, 1.0), None);
        assert_eq!(role(MIN_POSSIBLE_OF_RECORDS, MIN_CLEAR_RECORDS - 0.01), None);
        // whoever asks for certainty gets it
        assert_eq!(main_list_role(MIN_POSSIBLE_OF_RECORDS, 1.0, Some(0.5)), None);
    }

    #[test]
    fn a_least_probability_replaces_the_other_thresholds() {
        let role = |probability, least| main_list_role(probability, 0.0, Some(least));
        assert_eq!(role(0.9, 0.9), Some(Role::Primary));
        assert_eq!(role(0.8, 0.9), None);
        assert_eq!(role(MIN_PRIMARY - 0.01, 0.9), None);
        assert_eq!(role(MIN_PRIMARY - 0.01, 0.1), Some(Role::Possible));
        assert_eq!(role(0.0, 0.0), Some(Role::Possible));
    }
}
