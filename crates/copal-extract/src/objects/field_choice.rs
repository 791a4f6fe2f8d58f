//! Which candidate becomes the field of each page (thesis section 6.6, Algorithm 8): the scoreboard.
//!
//! In: the candidates of one attribute on all pages of a template. Out: the best candidate per page. Every
//! candidate has the seven yes/no features of the thesis ([`FieldFeature`]), and further evidence in numbers
//! (`field_evidence.rs`). One set of weights for all domains, fitted by `research/fit/fit_fields.py`, makes a
//! score of them. The score of a candidate is mostly the mean over the pages that have its path, so that one
//! page cannot overrule its template. O(candidates log candidates).

use super::choice_weights::{CHOICE_FEATURE_COUNT, CHOICE_WEIGHTS};
use super::field_candidates::{CandidateOrigin, FieldCandidate};
#[cfg(feature = "research")]
use super::field_evidence::EVIDENCE_NAMES;
use super::field_evidence::{EVIDENCE_COUNT, amount, evidence, indicator, is_instalment, is_price_range};
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
const MIN_SINGLE_PAGE_SCORE: f64 = 1.0;
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
    let features = choice_features(all, &compared, pages, record_values, switches);
    let scores: Vec<f64> = features.iter().map(score).collect();
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

/// The features of a candidate, in the order of the weights.
type ChoiceFeatures = [f64; CHOICE_FEATURE_COUNT];

/// The number of features that compare a candidate with others: the seven of the thesis, and five more.
const COMPARED_COUNT: usize = FieldFeature::ALL.len() + 5;

const _: () = assert!(COMPARED_COUNT + EVIDENCE_COUNT == CHOICE_FEATURE_COUNT, "a weight per feature");

/// The score of a candidate on its own page.
fn score(features: &ChoiceFeatures) -> f64 {
    CHOICE_WEIGHTS.iter().zip(features).map(|(weight, value)| weight * value).sum()
}

/// The features of each candidate on its own page.
fn choice_features(
    all: &[PageCandidate<'_>],
    compared: &[String],
    pages: &[PageFindings<'_>],
    record_values: &[Vec<String>],
    switches: &Switches,
) -> Vec<ChoiceFeatures> {
    let board = Scoreboard::new(all, compared);
    let titles: Vec<String> = pages.iter().map(|findings| squash(&findings.page.title)).collect();
    let features = |(PageCandidate { page, candidate }, text): (&PageCandidate<'_>, &String)| {
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
        // What the titles of all pages contain is the site, not the object.
        let is_of_site = candidate.origin == CandidateOrigin::Title
            && pages.len() > 1
            && path.pages.len() == pages.len()
            && path.texts.len() == 1;
        let value_count = board.values_at_path.get(&(*page, candidate.key)).map_or(1, FxHashSet::len);
        let is_periodic = board.periodic_amounts.contains(&(*page, text.as_str()));
        let largest = board.largest_price.get(page).copied();
        let mut features: ChoiceFeatures = [0.0; CHOICE_FEATURE_COUNT];
        for (value, (feature, on)) in features.iter_mut().zip(FieldFeature::ALL.iter().zip(switches.features))
        {
            *value = indicator(on && holds(*feature));
        }
        features[FieldFeature::ALL.len()..COMPARED_COUNT].copy_from_slice(&[
            indicator(is_of_site),
            indicator(value_count > MAX_VALUES_PER_PATH && !candidate.is_labelled),
            indicator(text.len() >= 6),
            indicator(is_instalment(candidate, largest, is_periodic)),
            indicator(is_price_range(candidate) && largest.is_some()),
        ]);
        let own = evidence(candidate, &findings.page, findings.headline);
        features[COMPARED_COUNT..].copy_from_slice(&own);
        features
    };
    all.iter().zip(compared).map(features).collect()
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

/// The names of the features that are not the thesis's, in the order of their values.
#[cfg(feature = "research")]
const COMPARED_NAMES: [&str; 5] = ["of_site", "of_list", "long", "instalment", "price_range"];

/// A candidate as it is written for fitting.
#[cfg(feature = "research")]
pub(super) struct DescribedCandidate {
    pub(super) page: usize,
    pub(super) texts: Vec<String>,
    /// Names and values, mixed with those of its path as scores are.
    pub(super) features: Vec<(&'static str, f64)>,
}

/// The candidates of one attribute with their features.
#[cfg(feature = "research")]
pub(super) fn describe_candidates(
    all: &[PageCandidate<'_>],
    pages: &[PageFindings<'_>],
    switches: &Switches,
) -> Vec<DescribedCandidate> {
    let compared: Vec<String> = all.iter().map(|own| compared_text(own.candidate)).collect();
    let features = choice_features(all, &compared, pages, &[], switches);
    let mut best: FxHashMap<(u64, usize), usize> = FxHashMap::default();
    for (i, own) in all.iter().enumerate() {
        let known = best.entry((own.candidate.key, own.page)).or_insert(i);
        if score(&features[i]) > score(&features[*known]) {
            *known = i;
        }
    }
    let mut means: FxHashMap<u64, (ChoiceFeatures, f64)> = FxHashMap::default();
    for ((key, _), i) in best {
        let (sum, count) = means.entry(key).or_insert(([0.0; CHOICE_FEATURE_COUNT], 0.0));
        *count += 1.0;
        for (sum, value) in sum.iter_mut().zip(features[i]) {
            *sum += value;
        }
    }
    let thesis = FieldFeature::ALL.into_iter().map(FieldFeature::name);
    let names: Vec<&'static str> = thesis.chain(COMPARED_NAMES).chain(EVIDENCE_NAMES).collect();
    let described = |(own, features): (&PageCandidate<'_>, &ChoiceFeatures)| {
        let (sum, count) = &means[&own.candidate.key];
        let mixed =
            sum.iter().zip(features).map(|(sum, value)| TEMPLATE_WEIGHT * sum / count + OWN_WEIGHT * value);
        DescribedCandidate {
            page: own.page,
            texts: own.candidate.texts.clone(),
            features: names.iter().copied().zip(mixed).collect(),
        }
    };
    all.iter().zip(&features).map(described).collect()
}
