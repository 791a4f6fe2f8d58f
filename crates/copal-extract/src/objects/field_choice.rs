//! Which candidate becomes the field of each page (thesis section 6.6, Algorithm 8): the scoreboard.
//!
//! In: the candidates of one attribute on all pages of a template. Out: the best candidate per page. Every
//! candidate has seven yes/no features; their number decides, and ties follow their order (see
//! [`FieldFeature`]). What the features do not see is added as further evidence (`field_evidence.rs`). The
//! score of a candidate is mostly the mean over the pages that have its path, so that one page cannot
//! overrule its template. O(candidates log candidates).

use super::field_candidates::{CandidateOrigin, FieldCandidate};
use super::field_evidence::{amount, evidence_score, is_instalment, is_price_range};
use super::field_features::FieldFeature;
use super::page_findings::PageFindings;
use super::switches::Switches;
use copal_dom::squash;
use copal_domain::FoundBy;
use copal_values::Value;
use rustc_hash::{FxHashMap, FxHashSet};

/// Smallest score of a field.
const MIN_SCORE: f64 = 2.0;
/// The same for a single page, where the features DC and CE never hold.
const MIN_SINGLE_PAGE_SCORE: f64 = 1.3;
/// Share of the pages at whose path the attribute is found, for the feature TPS.
const MIN_PATH_SUPPORT: f64 = 0.6;
/// Values at one path of a page from which it belongs to a list.
const MAX_VALUES_PER_PATH: usize = 3;
/// Weight of the template's mean in the score of a candidate.
const TEMPLATE_WEIGHT: f64 = 0.7;
/// Weight of the candidate's own score.
const OWN_WEIGHT: f64 = 0.3;
/// Distance in lines up to which a value at the same path is a further value of the field.
const MAX_SIBLING_DISTANCE: usize = 10;
/// Texts of one field.
const MAX_FIELD_TEXTS: usize = 20;

/// A candidate and the number of its page in the template.
#[derive(Clone, Copy)]
pub(super) struct PageCandidate<'c> {
    pub(super) page: usize,
    pub(super) candidate: &'c FieldCandidate,
}

/// A candidate that was chosen.
pub(super) struct ChosenCandidate {
    pub(super) page: usize,
    pub(super) candidate: FieldCandidate,
    pub(super) score: f64,
}

/// What all pages have at one path.
#[derive(Default)]
struct PathFacts {
    pages: FxHashSet<usize>,
    texts: FxHashSet<String>,
    roles: FxHashSet<u8>,
}

/// What the features of a candidate are computed from.
struct Scoreboard<'c> {
    paths: FxHashMap<u64, PathFacts>,
    /// By page and path: the different values there.
    values_at_path: FxHashMap<(usize, u64), FxHashSet<&'c str>>,
    /// By page and value: the lines that show it.
    lines_of_value: FxHashMap<(usize, &'c str), FxHashSet<usize>>,
    /// By page: its largest price.
    largest_price: FxHashMap<usize, f64>,
    /// By page: amounts that are per month or the like somewhere, and are so wherever they occur.
    periodic_amounts: FxHashSet<(usize, &'c str)>,
}

impl<'c> Scoreboard<'c> {
    /// `compared` are the candidates' values in the form in which they are compared.
    fn new(all: &[PageCandidate<'_>], compared: &'c [String]) -> Scoreboard<'c> {
        let mut board = Scoreboard {
            paths: FxHashMap::default(),
            values_at_path: FxHashMap::default(),
            lines_of_value: FxHashMap::default(),
            largest_price: FxHashMap::default(),
            periodic_amounts: FxHashSet::default(),
        };
        for (PageCandidate { page, candidate }, text) in all.iter().zip(compared) {
            let path = board.paths.entry(candidate.key).or_default();
            path.pages.insert(*page);
            path.texts.insert(text.clone());
            path.roles.insert(role(candidate.origin));
            board.values_at_path.entry((*page, candidate.key)).or_default().insert(text);
            if let Some(line) = candidate.line {
                board.lines_of_value.entry((*page, text)).or_default().insert(line);
            }
            match amount(candidate) {
                Some((_, Some(_))) => {
                    board.periodic_amounts.insert((*page, text));
                }
                Some((amount, None)) if !candidate.is_outside => {
                    let largest = board.largest_price.entry(*page).or_default();
                    *largest = largest.max(amount);
                }
                _ => {}
            }
        }
        board
    }
}

/// Chooses the fields of one attribute. `record_values` are, per page, the values of the record that links to
/// it.
pub(super) fn choose_fields(
    all: &[PageCandidate<'_>],
    pages: &[PageFindings<'_>],
    record_values: &[Vec<String>],
    switches: &Switches,
    is_place: bool,
) -> Vec<ChosenCandidate> {
    let compared: Vec<String> = all.iter().map(|own| compared_text(own.candidate)).collect();
    let scores = scores(all, &compared, pages, record_values, switches);
    let path_sums = path_sums(all, &scores);
    let total = |i: usize| {
        let (sum, count) = path_sums[&all[i].candidate.key];
        TEMPLATE_WEIGHT * sum / f64::from(count) + OWN_WEIGHT * scores[i]
    };
    let mut best: FxHashMap<usize, usize> = FxHashMap::default();
    for (i, own) in all.iter().enumerate() {
        let known = best.entry(own.page).or_insert(i);
        // Of candidates with equal scores, the first one is taken.
        if total(i) > total(*known) + 1e-9 {
            *known = i;
        }
    }
    let min_score = if pages.len() > 1 { MIN_SCORE } else { MIN_SINGLE_PAGE_SCORE };
    let mut chosen: Vec<ChosenCandidate> = Vec::new();
    for (page, i) in best {
        let score = total(i);
        if score < min_score {
            continue;
        }
        // An address in the headline is taken as a whole.
        let is_fuller = |&j: &usize| {
            let (other, text) = (&all[j], &compared[j]);
            let line = other.candidate.line;
            other.page == page
                && line.is_some()
                && line == pages[page].headline
                && text.len() > compared[i].len()
                && text.starts_with(&compared[i])
        };
        let i = (0..all.len()).find(|j| is_place && is_fuller(j)).unwrap_or(i);
        let mut candidate = all[i].candidate.clone();
        if matches!(candidate.origin, CandidateOrigin::Recognised(FoundBy::Term | FoundBy::Rule)) {
            add_siblings(&mut candidate, all, page);
        }
        chosen.push(ChosenCandidate { page, candidate, score });
    }
    chosen.sort_by_key(|chosen| chosen.page);
    chosen
}

/// The score of each candidate on its own page.
fn scores(
    all: &[PageCandidate<'_>],
    compared: &[String],
    pages: &[PageFindings<'_>],
    record_values: &[Vec<String>],
    switches: &Switches,
) -> Vec<f64> {
    let board = Scoreboard::new(all, compared);
    let titles: Vec<String> = pages.iter().map(|findings| squash(&findings.page.title)).collect();
    let score = |(PageCandidate { page, candidate }, text): (&PageCandidate<'_>, &String)| {
        let findings = &pages[*page];
        let path = &board.paths[&candidate.key];
        let support = path.pages.len() as f64 / pages.len() as f64;
        let in_headline = findings.headline.is_some_and(|line| candidate.line == Some(line));
        let lines_of_value = board.lines_of_value.get(&(*page, text.as_str()));
        let holds = |feature: FieldFeature| match feature {
            FieldFeature::DynamicContent => pages.len() > 1 && path.texts.len() > 1,
            FieldFeature::ResultPage => record_values.get(*page).is_some_and(|values| values.contains(text)),
            FieldFeature::InTitle => {
                findings.page.title_varies
                    && text.len() > 2
                    && (titles[*page].contains(text.as_str()) || in_headline)
            }
            FieldFeature::PathSupport => support >= MIN_PATH_SUPPORT,
            FieldFeature::Label => candidate.is_labelled,
            FieldFeature::Context => {
                pages.len() > 1 && path.roles.len() == 1 && path.pages.len() > 1 && candidate.is_labelled
            }
            FieldFeature::Redundancy => lines_of_value.is_some_and(|lines| lines.len() > 1),
        };
        let features: f64 = FieldFeature::WEIGHTS
            .iter()
            .zip(switches.features)
            .filter(|((feature, _), on)| *on && holds(*feature))
            .map(|((_, weight), _)| weight)
            .sum();
        // What the titles of all pages contain is the site, not the object.
        let is_of_site = candidate.origin == CandidateOrigin::Title
            && pages.len() > 1
            && path.pages.len() == pages.len()
            && path.texts.len() == 1;
        let of_site = if is_of_site { -2.5 } else { 0.0 };
        let value_count = board.values_at_path.get(&(*page, candidate.key)).map_or(1, FxHashSet::len);
        let of_list = if value_count > MAX_VALUES_PER_PATH && !candidate.is_labelled { -0.8 } else { 0.0 };
        let long = if text.len() >= 6 { 0.2 } else { 0.0 };
        let is_periodic = board.periodic_amounts.contains(&(*page, text.as_str()));
        let largest = board.largest_price.get(page).copied();
        let instalment = if is_instalment(candidate, largest, is_periodic) { -1.2 } else { 0.0 };
        let range = if is_price_range(candidate) && largest.is_some() { -1.2 } else { 0.0 };
        let evidence = evidence_score(candidate, &findings.page, findings.headline);
        features + of_site + of_list + long + instalment + range + evidence
    };
    all.iter().zip(compared).map(score).collect()
}

/// By path: the sum of the best scores of all pages, and the number of these pages.
fn path_sums(all: &[PageCandidate<'_>], scores: &[f64]) -> FxHashMap<u64, (f64, u32)> {
    let mut best_scores: FxHashMap<(u64, usize), f64> = FxHashMap::default();
    for (own, score) in all.iter().zip(scores) {
        let best = best_scores.entry((own.candidate.key, own.page)).or_insert(f64::MIN);
        *best = best.max(*score);
    }
    let mut sums: FxHashMap<u64, (f64, u32)> = FxHashMap::default();
    for ((key, _), score) in best_scores {
        let sum = sums.entry(key).or_default();
        *sum = (sum.0 + score, sum.1 + 1);
    }
    sums
}

/// The form in which values are compared: letters and digits, or the amount of a price, whatever its
/// currency.
fn compared_text(candidate: &FieldCandidate) -> String {
    match &candidate.value {
        Some(Value::Money { amount, max: None, .. }) => amount.clone(),
        _ => candidate.texts.first().map(|text| squash(text)).unwrap_or_default(),
    }
}

/// Adds values near the candidate at the same path of its page: the second director of a film.
fn add_siblings(candidate: &mut FieldCandidate, all: &[PageCandidate<'_>], page: usize) {
    let (key, line) = (candidate.key, candidate.line.unwrap_or(0));
    for PageCandidate { candidate: other, .. } in
        all.iter().filter(|other| other.page == page && other.candidate.key == key)
    {
        let is_near = other.line.is_some_and(|other| other.abs_diff(line) <= MAX_SIBLING_DISTANCE);
        let has_room = candidate.texts.len() < MAX_FIELD_TEXTS;
        if is_near && !other.is_outside && other.origin == candidate.origin && has_room {
            let text = &other.texts[0];
            if !candidate.texts.contains(text) {
                candidate.texts.push(text.clone());
            }
        }
    }
}

/// The role of a candidate in the structure of its page (feature CE), as a number.
fn role(origin: CandidateOrigin) -> u8 {
    match origin {
        CandidateOrigin::Labelled(layout) => layout as u8,
        CandidateOrigin::Recognised(_) => 20,
        CandidateOrigin::Declared => 21,
        CandidateOrigin::Headline => 22,
        CandidateOrigin::Title => 23,
        CandidateOrigin::Class => 24,
        CandidateOrigin::Place => 25,
    }
}
