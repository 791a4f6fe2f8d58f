//! Which candidate an attribute has on each page (thesis section 6.6, Algorithm 8): the scoreboard.
//!
//! In: the candidates of all pages of a template. Out: for each page the best candidate of each attribute. Every tag path of an attribute has
//! seven yes/no features; the number of those that hold decides, ties go by their order (see [`Feature`]). Beside the
//! features counts what they cannot see: how a label and its value are laid out, declared properties, the distance from the
//! headline, whether the text is in a sentence, outside of the area, or the template's own. O(candidates log candidates).

use super::candidates::{Candidate, Origin};
use super::pairs::How;
use super::sheet::Sheet;
use super::switches::{Feature, Switches};
use copal_dom::squash;
use copal_domain::FoundBy;
use copal_values::Value;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of a path on all pages.
#[derive(Default)]
struct Path {
    pages: FxHashSet<usize>,
    texts: FxHashSet<String>,
    origins: FxHashSet<u8>,
}

/// A candidate that was chosen.
pub(super) struct Chosen {
    pub(super) page: usize,
    pub(super) candidate: Candidate,
    pub(super) score: f64,
}

/// Least score of a value that is given; of a page alone, where DC and CE say nothing.
const LEAST: f64 = 2.0;
const LEAST_ALONE: f64 = 1.3;
/// A price this many times as large is what is paid in rates, not another one.
const RATES: f64 = 10.0;
/// Bytes of a section.
const SECTION: usize = 200;

/// Chooses for one attribute. `all` has its candidates with their pages.
pub(super) fn choose(
    all: &[(usize, &Candidate)],
    sheets: &[Sheet<'_>],
    headlines: &[Option<usize>],
    record_values: &[Vec<String>],
    switches: &Switches,
    is_place: bool,
) -> Vec<Chosen> {
    let squashed: Vec<String> = all.iter().map(|(_, candidate)| compared(candidate)).collect();
    let mut paths: FxHashMap<u64, Path> = FxHashMap::default();
    // what a path says on one page: a path of many values is a list's
    let mut several: FxHashMap<(usize, u64), FxHashSet<&str>> = FxHashMap::default();
    let mut said: FxHashMap<(usize, &str), FxHashSet<usize>> = FxHashMap::default();
    for ((page, candidate), text) in all.iter().zip(&squashed) {
        let path = paths.entry(candidate.key).or_default();
        path.pages.insert(*page);
        path.texts.insert(text.clone());
        path.origins.insert(role(candidate.origin));
        several.entry((*page, candidate.key)).or_default().insert(text);
        if let Some(line) = candidate.line {
            said.entry((*page, text)).or_default().insert(line);
        }
    }
    let mut largest: FxHashMap<usize, f64> = FxHashMap::default();
    for (page, candidate) in all.iter().filter(|(_, candidate)| !candidate.outside) {
        if let Some((amount, None)) = amount(candidate) {
            let known = largest.entry(*page).or_default();
            *known = known.max(amount);
        }
    }
    // an amount that is for a month somewhere is one wherever it stands
    let mut rates: FxHashSet<(usize, &str)> = FxHashSet::default();
    for ((page, candidate), text) in all.iter().zip(&squashed) {
        if amount(candidate).is_some_and(|(_, per)| per.is_some()) {
            rates.insert((*page, text));
        }
    }
    let titles: Vec<String> = sheets.iter().map(|sheet| squash(&sheet.title)).collect();
    let pages = sheets.len();
    let scores: Vec<f64> = all
        .iter()
        .zip(&squashed)
        .map(|((page, candidate), text)| {
            let path = &paths[&candidate.key];
            let support = path.pages.len() as f64 / pages as f64;
            let in_headline = headlines[*page].is_some_and(|line| candidate.line == Some(line));
            let holds = |feature: Feature| match feature {
                Feature::DynamicContent => pages > 1 && path.texts.len() > 1,
                Feature::ResultPage => record_values.get(*page).is_some_and(|values| values.contains(text)),
                Feature::InTitle => {
                    sheets[*page].title_varies
                        && text.len() > 2
                        && (titles[*page].contains(text.as_str()) || in_headline)
                }
                Feature::PathSupport => support >= 0.6,
                Feature::Label => candidate.labelled,
                Feature::Context => {
                    pages > 1 && path.origins.len() == 1 && path.pages.len() > 1 && candidate.labelled
                }
                Feature::Redundancy => said.get(&(*page, text.as_str())).is_some_and(|lines| lines.len() > 1),
            };
            let features: f64 = Feature::ALL
                .iter()
                .zip(switches.features)
                .filter(|((feature, _), on)| *on && holds(*feature))
                .map(|((_, weight), _)| weight)
                .sum();
            let many = several.get(&(*page, candidate.key)).map_or(1, FxHashSet::len);
            let many = if many > 3 && !candidate.labelled { -0.8 } else { 0.0 };
            let long = if text.len() >= 6 { 0.2 } else { 0.0 };
            let is_rate = rates.contains(&(*page, text.as_str()));
            let part = if is_part(candidate, largest.get(page), is_rate) { -1.2 } else { 0.0 };
            let range = if is_range(candidate) && largest.contains_key(page) { -1.2 } else { 0.0 };
            features + many + long + part + range + beyond(candidate, &sheets[*page], headlines[*page])
        })
        .collect();
    let mut means: FxHashMap<(u64, usize), f64> = FxHashMap::default();
    for ((page, candidate), score) in all.iter().zip(&scores) {
        let best = means.entry((candidate.key, *page)).or_insert(f64::MIN);
        *best = best.max(*score);
    }
    let mut sums: FxHashMap<u64, (f64, u32)> = FxHashMap::default();
    for ((key, _), score) in means {
        let sum = sums.entry(key).or_default();
        *sum = (sum.0 + score, sum.1 + 1);
    }
    let total = |i: usize| {
        let (sum, count) = sums[&all[i].1.key];
        0.7 * sum / f64::from(count) + 0.3 * scores[i]
    };
    let mut best: FxHashMap<usize, usize> = FxHashMap::default();
    for (i, (page, _)) in all.iter().enumerate() {
        let known = best.entry(*page).or_insert(i);
        // of equal ones the first
        if total(i) > total(*known) + 1e-9 {
            *known = i;
        }
    }
    let mut chosen: Vec<Chosen> = Vec::new();
    for (page, i) in best {
        let score = total(i);
        // of an address that is the headline all of it
        let fuller = |&j: &usize| {
            let (other, text) = (&all[j], &squashed[j]);
            let headed = other.0 == page && other.1.line.is_some() && other.1.line == headlines[page];
            headed && text.len() > squashed[i].len() && text.starts_with(&squashed[i])
        };
        let i = (0..all.len()).find(|j| is_place && fuller(j)).unwrap_or(i);
        if score < if pages > 1 { LEAST } else { LEAST_ALONE } {
            continue;
        }
        let mut candidate = all[i].1.clone();
        if matches!(candidate.origin, Origin::Recognised(FoundBy::Term | FoundBy::Rule)) {
            beside(&mut candidate, all, page);
        }
        chosen.push(Chosen { page, candidate, score });
    }
    chosen.sort_by_key(|chosen| chosen.page);
    chosen
}

/// What is compared of a value: letters and digits; of a price the amount, wherever its currency stands.
fn compared(candidate: &Candidate) -> String {
    match &candidate.value {
        Some(Value::Money { amount, max: None, .. }) => amount.clone(),
        _ => candidate.texts.first().map(|text| squash(text)).unwrap_or_default(),
    }
}

/// The amount of a price, and the time it is for.
fn amount(candidate: &Candidate) -> Option<(f64, Option<&'static str>)> {
    match candidate.value.as_ref()? {
        // from one amount to another: of several things
        Value::Money { max: Some(_), .. } => None,
        Value::Money { amount, per, .. } => Some((amount.parse().ok()?, *per)),
        _ => None,
    }
}

/// From one amount to another: what several things cost.
fn is_range(candidate: &Candidate) -> bool {
    matches!(candidate.value, Some(Value::Money { max: Some(_), .. }))
}

/// A rate of a price that the page says too: a month of a mortgage, an instalment.
fn is_part(candidate: &Candidate, largest: Option<&f64>, is_rate: bool) -> bool {
    amount(candidate).is_some_and(|(amount, per)| {
        (is_rate || per.is_some()) && largest.is_some_and(|largest| *largest >= RATES * amount)
    })
}

/// Values of the same path on the same page are values too: the second director.
fn beside(candidate: &mut Candidate, all: &[(usize, &Candidate)], page: usize) {
    let (key, line) = (candidate.key, candidate.line.unwrap_or(0));
    for (_, other) in all.iter().filter(|(other_page, other)| *other_page == page && other.key == key) {
        let near = other.line.is_some_and(|other| other.abs_diff(line) <= 10);
        if near && !other.outside && other.origin == candidate.origin && candidate.texts.len() < 20 {
            let text = &other.texts[0];
            if !candidate.texts.contains(text) {
                candidate.texts.push(text.clone());
            }
        }
    }
}

fn role(origin: Origin) -> u8 {
    match origin {
        Origin::Pair(how) => how as u8,
        Origin::Recognised(_) => 20,
        Origin::Declared => 21,
        Origin::Headline => 22,
        Origin::Title => 23,
    }
}

/// Long enough to be a section of a page.
fn is_section(candidate: &Candidate) -> bool {
    candidate.texts.iter().map(String::len).sum::<usize>() >= SECTION
}

/// What speaks for a candidate beyond the features.
fn beyond(candidate: &Candidate, sheet: &Sheet<'_>, headline: Option<usize>) -> f64 {
    let mut score = match candidate.origin {
        Origin::Pair(How::Row | How::Definition | How::Inline | How::Behind) => 1.4,
        Origin::Pair(How::Known) => 1.0,
        // a section is what headings head
        Origin::Pair(How::Heading) if is_section(candidate) => 1.2,
        Origin::Pair(How::Heading) => 0.4,
        Origin::Recognised(FoundBy::Label) => 0.6,
        Origin::Recognised(FoundBy::Rule | FoundBy::Type | FoundBy::Element) => 0.3,
        Origin::Recognised(FoundBy::Term) => 0.0,
        Origin::Declared => 1.8,
        Origin::Headline => 3.6,
        Origin::Title => 0.9,
    };
    score -= 0.02 * candidate.rank.min(15) as f64;
    let line = candidate.line.map(|line| &sheet.lines[line]);
    score += if candidate.share >= 0.6 { 0.5 } else { 0.0 };
    if let Some(line) = line.filter(|line| line.text.len() > 100 && candidate.share < 0.3) {
        score -= if line.text.len() > 250 { 1.6 } else { 1.0 };
    }
    if candidate.outside {
        score -= 2.5;
    } else if line.is_some_and(|line| line.doubtful || line.outside) {
        score -= 0.8;
    }
    if candidate.fixed && sheet.pages > 1 {
        score -= if candidate.labelled { 0.5 } else { 2.5 };
    }
    if let (Some(at), Some(headline)) = (candidate.line, headline) {
        let distance = at as f64 - headline as f64;
        let near = (-distance.abs() / 12.0).exp();
        score += if distance < -3.0 { 0.4 * near - 0.2 } else { 0.6 * near };
        score += if at == headline && matches!(candidate.origin, Origin::Recognised(_)) { 0.5 } else { 0.0 };
    }
    if let Some(line) = line {
        let style = sheet.page.styles.style(line.first());
        score += if style.bold { 0.1 } else { 0.0 } + if style.size > 170 { 0.1 } else { 0.0 };
    }
    score
}
