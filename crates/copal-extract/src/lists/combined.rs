//! The combined extractor: candidates of every method, one ranking, exact borders.
//!
//! In: a [`Page`]. Out: regions, best first. `candidates of BUW, RDR, AMBER (links), MDR and plain groups → merged →
//! borders refined → features → score → roles`. A region that several methods propose is one candidate with several
//! proposers. What is primary, another list of records or navigation is decided by probabilities (`rank`).

use super::ListOptions;
use super::borders::{Changes, Refiner};
use super::features::overlap::Spans;
use super::features::page_facts::PageFacts;
use super::features::record_facts::Sights;
use super::features::{self, Feature, Features, nesting};
use super::rank;
use crate::lists::candidate::{ListCandidate, RankedLists};
use crate::lists::propose::{amber, buw, declared, groups, mdr, rdr};
use copal_dom::{Page, tags};
use copal_model::{Parts, Role};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

pub use super::rank::Ranker;

/// What the combination may be told.
#[derive(Debug, Clone)]
pub struct CombinedOptions {
    /// Which score ranks the candidates.
    pub ranker: Ranker,
    /// Least probability of a main list.
    pub sure: f64,
    /// Least probability of a list of records; below it a region is navigation.
    pub records: f64,
    /// Repair the borders of the regions.
    pub refine: bool,
}

impl Default for CombinedOptions {
    fn default() -> Self {
        CombinedOptions { ranker: Ranker::default(), sure: 0.3, records: 0.5, refine: true }
    }
}

/// Candidates beyond this many are not looked at closely.
const MOST: usize = 112;
/// Regions that are returned at most.
const REGIONS: usize = 24;

/// Who proposed a candidate: one bit each.
pub(crate) mod by {
    pub(crate) const BUW: u8 = 1;
    pub(crate) const RDR: u8 = 2;
    pub(crate) const AMBER: u8 = 4;
    pub(crate) const MDR: u8 = 8;
    pub(crate) const GROUP: u8 = 16;
    /// The page's own JSON-LD.
    pub(crate) const DATA: u8 = 32;
}

/// Their names, lowest bit first.
pub(super) const PROPOSERS: [&str; 6] = ["buw", "rdr", "amber", "mdr", "groups", "declared data"];

/// A region that may be the answer.
pub(crate) struct Candidate {
    pub(crate) found: ListCandidate,
    pub(crate) proposed_by: u8,
    pub(crate) changes: Changes,
    pub(crate) features: Features,
}

/// All candidates of a page with their features.
pub(crate) fn candidates(page: &Page, options: &ListOptions) -> Vec<Candidate> {
    let mut proposed: Vec<Refined> = Vec::new();
    let mut add = |regions: Vec<ListCandidate>, who: u8| {
        for found in regions {
            let has_text = |parts: &Parts| parts.iter().any(|part| page.index.chars(part) > 0);
            let texts = found.records.iter().filter(|parts| has_text(parts)).count();
            if texts < 2 || is_running_text(page, &found.records) || are_heads(page, &found.records) {
                continue;
            }
            proposed.push((found, who, Changes::default()));
        }
    };
    // of AMBER's areas the best come first; more than these are small
    let links = amber::AmberOptions { domain: None, areas: 8, ..options.amber.clone() };
    let methods = [
        (take(buw::find(page, &options.buw), 24), by::BUW),
        (take(rdr::find(page, &options.rdr), 8), by::RDR),
        (take(amber::find(page, &links), 16), by::AMBER),
        (take(mdr::find(page, &options.mdr), 16), by::MDR),
    ];
    for (regions, who) in methods {
        add(regions, who);
    }
    add(declared::find(page), by::DATA);
    add(groups::find(page), by::GROUP);
    let mut merged = distinct(proposed, &|_, _| {});
    merged.truncate(MOST);
    if options.combined.refine {
        merged = refined(page, merged);
    }
    let (facts, sights) = (PageFacts::new(page), Sights::new(page));
    let mut all: Vec<Candidate> = merged
        .into_iter()
        .map(|(found, proposed_by, changes)| {
            let features = features::of(page, &facts, &sights, &found, proposed_by);
            Candidate { found, proposed_by, changes, features }
        })
        .collect();
    features::add_ranks(&mut all);
    nesting::add(page, &mut all);
    all
}

/// Long paragraphs without a link or a picture are an article's text, not records.
fn is_running_text(page: &Page, records: &[Parts]) -> bool {
    let plain = |parts: &&Parts| {
        page.tree.tag(parts[0].start) == tags::P
            && parts.iter().all(|part| page.index.link_chars(part) == 0 && page.index.images(part) == 0)
    };
    let paragraphs = records.iter().filter(plain);
    let (mut count, mut chars) = (0usize, 0usize);
    for parts in paragraphs {
        count += 1;
        chars += parts.iter().map(|part| page.index.chars(part) as usize).sum::<usize>();
    }
    5 * count >= 4 * records.len() && chars >= LONG * count
}

/// The heads of a table's columns are no records.
fn are_heads(page: &Page, records: &[Parts]) -> bool {
    records.iter().all(|parts| page.tree.tag(parts[0].start) == tags::TH)
}

/// Mean characters of a paragraph from which on it is prose.
const LONG: usize = 120;

/// Candidates with exact borders; those that become equal are one. What is judged is what is given.
fn refined(page: &Page, all: Vec<Refined>) -> Vec<Refined> {
    let refiner = Refiner::new(page);
    // the costly steps only for what is still apart after the cheap one
    let all = distinct(all, &|found, changes| refiner.climb(found, changes));
    distinct(all, &|found, changes| refiner.repair(found, changes))
}

/// A region, who proposed it, and what was done to it.
type Refined = (ListCandidate, u8, Changes);

/// A step for each; those with the same records behind it are one, with the proposers of all.
fn distinct(all: Vec<Refined>, step: &dyn Fn(&mut ListCandidate, &mut Changes)) -> Vec<Refined> {
    let mut known: FxHashMap<u64, usize> = FxHashMap::default();
    let mut out: Vec<Refined> = Vec::with_capacity(all.len());
    for (mut found, who, mut changes) in all {
        step(&mut found, &mut changes);
        match known.entry(key_of(&found.records)) {
            Entry::Occupied(at) => out[*at.get()].1 |= who,
            Entry::Vacant(free) => {
                free.insert(out.len());
                out.push((found, who, changes));
            }
        }
    }
    out
}

fn take(mut findings: RankedLists, most: usize) -> Vec<ListCandidate> {
    findings.regions.truncate(most);
    findings.regions
}

fn key_of(records: &[Parts]) -> u64 {
    let mut key = 0u64;
    for part in records.iter().flatten() {
        key = (key ^ (u64::from(part.start) << 32 | u64::from(part.end))).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key ^= key >> 29;
    }
    key
}

/// Finds the regions of a page, best first: the main list if there is one, other lists of records, menus last.
pub fn find(page: &Page, options: &ListOptions) -> RankedLists {
    let mut all = candidates(page, options);
    for candidate in &mut all {
        candidate.found.score = rank::score(&candidate.features, options.combined.ranker);
    }
    all.sort_by(|a, b| b.found.score.total_cmp(&a.found.score).then(a.found.root.cmp(&b.found.root)));
    let mut kept = apart(all);
    add_standing(&mut kept);
    let mut judged: Vec<(Candidate, Role, f64)> = Vec::with_capacity(kept.len());
    for (rank, candidate) in kept.into_iter().enumerate() {
        let features = &candidate.features;
        let is_menu = is_menu(features);
        let is_main = rank == 0 && !is_menu && rank::main_list(features) >= options.combined.sure;
        let records = rank::list_of_records(&candidate.features);
        judged.push(if is_main {
            let right = rank::right(&candidate.features);
            (candidate, Role::Primary, right)
        } else if records >= options.combined.records && !is_menu {
            (candidate, Role::Secondary, records)
        } else {
            (candidate, Role::Navigation, records)
        });
    }
    judged.sort_by_key(|(_, role, _)| *role);
    let mut findings = RankedLists { no_primary: true, ..RankedLists::default() };
    for (candidate, role, confidence) in judged {
        if options.explain {
            findings.grounds.push(rank::grounds(&candidate, role, confidence));
        }
        findings.no_primary &= role != Role::Primary;
        findings.judged.push((role, confidence));
        findings.regions.push(candidate.found);
    }
    findings
}

/// Single links in what the page calls its navigation.
fn is_menu(features: &Features) -> bool {
    features.get(Feature::SingleLink) >= 0.8 && features.get(Feature::InNavigation) >= 0.8
}

/// The best candidates that share no node.
fn apart(all: Vec<Candidate>) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::new();
    let mut taken: Vec<Spans> = Vec::new();
    for candidate in all {
        if kept.len() == REGIONS {
            break;
        }
        let spans = Spans::of(&candidate.found);
        if !taken.iter().any(|other| other.overlaps(&spans)) {
            taken.push(spans);
            kept.push(candidate);
        }
    }
    kept
}

/// How far each stands above the next, or below the best: a main list without a rival is surer.
fn add_standing(kept: &mut [Candidate]) {
    let scores: Vec<f64> = kept.iter().map(|one| rank::RANK.of(&one.features)).collect();
    for (rank, candidate) in kept.iter_mut().enumerate() {
        let rival = if rank == 0 { scores.get(1) } else { scores.first() };
        candidate.features.set(Feature::Score, scores[rank]);
        candidate.features.set(Feature::Gap, rival.map_or(ALONE, |rival| scores[rank] - rival));
    }
}

/// The gap of a list that is alone.
const ALONE: f64 = 5.0;

/// A candidate before it is ranked: its records and features, for fitting.
pub type Described = (Vec<Parts>, Vec<f64>);

/// The candidates of a page; names of the features first.
pub fn describe(page: &Page, options: &ListOptions) -> (&'static [&'static str], Vec<Described>) {
    let described = candidates(page, options).into_iter();
    (features::NAMES, described.map(|one| (one.found.records, one.features.0.to_vec())).collect())
}
