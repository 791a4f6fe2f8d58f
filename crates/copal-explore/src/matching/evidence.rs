//! What two records have in common, and how much that says.
//!
//! In: two records, and what agrees by chance. Out: the logarithm of how many times more likely they are one thing, with a
//! reason per column. How often the columns of one thing agree on two sites is assumed ([`agreement`]); how often those of two
//! things do is counted in pairs of one site. O(columns and words).

use super::field_values::{ColumnRole, FieldTable, FieldValue};
use std::collections::{HashMap, HashSet};

/// Words of equal weight that two texts must share, as a part of all, to be similar.
const MIN_SIMILARITY: f64 = 0.7;
/// Prices that differ by less are similar.
const SIMILAR_PRICE: f64 = 1.15;
/// Prices that differ by more are hardly those of one thing.
const OTHER_PRICE: f64 = 1.6;
/// The share of the records of a site that another site is expected to have.
const EXPECTED_OVERLAP: f64 = 0.3;
/// How much a column counts whose words are in the title too, such as the brand.
const REPEATED_WEIGHT: f64 = 0.25;
/// How much a column counts beside others: things of one kind have similar prices, rooms and descriptions.
const FURTHER_WEIGHT: f64 = 0.8;
/// One thing has titles with different numbers so rarely.
const CONTRADICTION: f64 = 0.0025;
/// Prices of two things are the same, or similar, at least so often: sellers like certain prices.
const EQUAL_PRICES: (f64, f64) = (0.02, 0.1);

/// Texts with more words are as rare.
const MAX_LENGTH_CLASS: usize = 5;

/// How far two values agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Agreement {
    Same,
    Similar,
    Different,
    /// Both have numbers that the other has not.
    Contradiction,
}

/// What speaks for or against a match.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    pub(super) weight: f64,
    pub(super) reason: String,
}

/// The sum of the evidence: the logarithm of the odds that two records are one thing.
#[derive(Debug, Clone)]
pub(super) struct Comparison {
    pub(super) log_odds: f64,
    pub(super) evidence: Vec<Evidence>,
}

/// How often the columns of two things agree.
pub(super) struct Chance {
    /// Per column, number of words ([`length_class`]) and level.
    levels: HashMap<(usize, usize, Agreement), f64>,
    /// Per column and short text: the largest share of the records of a site that have it.
    shares: HashMap<(usize, String), f64>,
}

/// How often a column of one thing is the same or similar on two sites. Not fitted: prices differ, names are written in
/// several ways, and identifiers are copied.
fn agreement(role: ColumnRole) -> (f64, f64) {
    match role {
        ColumnRole::Identifier => (0.97, 0.0),
        ColumnRole::Title | ColumnRole::Address => (0.55, 0.3),
        ColumnRole::Money => (0.4, 0.35),
        ColumnRole::Other => (0.8, 0.0),
        ColumnRole::Prose => (0.3, 0.2),
    }
}

impl Chance {
    pub(super) fn new(table: &FieldTable, of_one_site: &[(usize, usize)]) -> Chance {
        let mut sizes: HashMap<(usize, usize), f64> = HashMap::new();
        let mut counts: HashMap<(usize, usize, &str), f64> = HashMap::new();
        for (record, site) in table.records.iter().zip(&table.sites) {
            for (column, value) in record {
                *sizes.entry((*column, *site)).or_default() += 1.0;
                if let FieldValue::Exact { text, .. } = value {
                    *counts.entry((*column, *site, text)).or_default() += 1.0;
                }
            }
        }
        let mut shares: HashMap<(usize, String), f64> = HashMap::new();
        let mut equal: HashMap<usize, f64> = HashMap::new();
        for ((column, site, text), count) in counts {
            let others = (sizes[&(column, site)] - 1.0).max(1.0);
            let share = shares.entry((column, text.to_owned())).or_default();
            *share = share.max((count - 1.0) / others);
            *equal.entry(column).or_default() += count * (count - 1.0) / 2.0;
        }
        // similar values are only counted among pairs that share rare words: the others differ
        let mut found: HashMap<(usize, usize, Agreement), f64> = HashMap::new();
        for &(first, second) in of_one_site {
            for (column, level, _) in shared_columns(table, first, second) {
                if table.columns[column].role != ColumnRole::Other {
                    let class = pair_class(table, column, first, second);
                    *found.entry((column, class, level)).or_default() += 1.0;
                }
            }
        }
        for (column, count) in equal {
            found.insert((column, 0, Agreement::Same), count);
        }
        let pairs = pair_counts(table);
        let mut all = HashMap::new();
        for column in 0..table.columns.len() {
            for class in 0..=MAX_LENGTH_CLASS {
                for level in [Agreement::Same, Agreement::Similar] {
                    let key = (column, class, level);
                    let chance = match table.columns[column].role {
                        // prices agree with the prices of things that have other names too
                        ColumnRole::Money => money_chance(table, column, level),
                        _ => {
                            let of_class = pairs.get(&(column, class)).copied().unwrap_or(0.0);
                            (found.get(&key).copied().unwrap_or(0.0) + 0.5) / (of_class + 1.0)
                        }
                    };
                    all.insert(key, chance);
                }
            }
        }
        Chance { levels: all, shares }
    }

    fn of(&self, column: usize, class: usize, level: Agreement) -> f64 {
        match level {
            Agreement::Different | Agreement::Contradiction => {
                let agrees =
                    self.of(column, class, Agreement::Same) + self.of(column, class, Agreement::Similar);
                (1.0 - agrees).max(0.05)
            }
            level => self.levels.get(&(column, class, level)).copied().unwrap_or(0.5).clamp(1e-9, 0.95),
        }
    }
}

/// How long a text is: one word repeats by chance much more often than four. 0 for what is no text.
fn length_class(value: &FieldValue) -> usize {
    if let FieldValue::Words(words) = value { words.len().min(MAX_LENGTH_CLASS) } else { 0 }
}

/// The class of the shorter of two texts.
fn pair_class(table: &FieldTable, column: usize, first: usize, second: usize) -> usize {
    let class = |record: usize| {
        let cell = table.records[record].iter().find(|(at, _)| *at == column);
        cell.map_or(0, |(_, value)| length_class(value))
    };
    class(first).min(class(second))
}

/// How many pairs of records of one site have a column, by its class.
fn pair_counts(table: &FieldTable) -> HashMap<(usize, usize), f64> {
    let mut sizes: HashMap<(usize, usize), [f64; MAX_LENGTH_CLASS + 1]> = HashMap::new();
    for (record, site) in table.records.iter().zip(&table.sites) {
        for (column, value) in record {
            sizes.entry((*column, *site)).or_default()[length_class(value)] += 1.0;
        }
    }
    let mut pairs: HashMap<(usize, usize), f64> = HashMap::new();
    for ((column, _), sizes) in sizes {
        for (class, size) in sizes.iter().enumerate() {
            let longer: f64 = sizes[class + 1..].iter().sum();
            *pairs.entry((column, class)).or_default() += size * (size - 1.0) / 2.0 + size * longer;
        }
    }
    pairs
}

/// How often two prices of one site agree, from neighbours in the order of prices.
fn money_chance(table: &FieldTable, column: usize, level: Agreement) -> f64 {
    let mut prices: HashMap<usize, Vec<f64>> = HashMap::new();
    for (record, site) in table.records.iter().zip(&table.sites) {
        for (at, value) in record {
            if let FieldValue::Money(amount, _) = value
                && *at == column
            {
                prices.entry(*site).or_default().push(*amount);
            }
        }
    }
    let (mut found, mut all) = (0.5, 1.0);
    for mut prices in prices.into_values() {
        prices.sort_by(f64::total_cmp);
        all += prices.len() as f64 * (prices.len() as f64 - 1.0) / 2.0;
        let (mut same, mut similar) = (0, 0);
        for (at, price) in prices.iter().enumerate() {
            while prices[same] < *price {
                same += 1;
            }
            while prices[similar] * SIMILAR_PRICE < *price {
                similar += 1;
            }
            found += (if level == Agreement::Same { at - same } else { same - similar }) as f64;
        }
    }
    found / all
}

/// The columns that both records have, how far they agree, and words for it.
fn shared_columns(table: &FieldTable, first: usize, second: usize) -> Vec<(usize, Agreement, String)> {
    let mut shared = Vec::new();
    let mut others = table.records[second].iter().peekable();
    for (column, value) in &table.records[first] {
        while others.next_if(|(other, _)| other < column).is_some() {}
        let Some((_, other)) = others.next_if(|(other, _)| other == column) else { continue };
        let (level, words) = agree(table, value, other);
        shared.push((*column, level, words));
    }
    shared
}

fn agree(table: &FieldTable, first: &FieldValue, second: &FieldValue) -> (Agreement, String) {
    match (first, second) {
        (FieldValue::Money(first, one), FieldValue::Money(second, other)) => {
            let ratio = first.max(*second) / first.min(*second).max(f64::MIN_POSITIVE);
            match () {
                () if one.is_some() && other.is_some() && one != other => {
                    (Agreement::Similar, "in another currency".to_owned())
                }
                () if first.total_cmp(second).is_eq() => (Agreement::Same, "the same".to_owned()),
                () if ratio <= SIMILAR_PRICE => {
                    (Agreement::Similar, format!("{:.0}% apart", 100.0 * (ratio - 1.0)))
                }
                () => (Agreement::Different, format!("{ratio:.1} times as high")),
            }
        }
        (FieldValue::Words(first), FieldValue::Words(second)) => agree_in_words(table, first, second),
        (FieldValue::Exact { text, .. }, FieldValue::Exact { text: other, .. }) if text == other => {
            (Agreement::Same, "the same".to_owned())
        }
        _ => (Agreement::Different, "different".to_owned()),
    }
}

fn agree_in_words(table: &FieldTable, first: &[u32], second: &[u32]) -> (Agreement, String) {
    let common: Vec<u32> = first.iter().filter(|word| second.binary_search(word).is_ok()).copied().collect();
    let weight = |words: &[u32]| words.iter().map(|word| table.word_weight(*word)).sum::<f64>();
    let shared = weight(&common);
    let all = weight(first) + weight(second) - shared;
    let similarity = if all > 0.0 { shared / all } else { 0.0 };
    let has_own_number = |words: &[u32]| {
        words.iter().any(|word| table.has_digit[*word as usize] && common.binary_search(word).is_err())
    };
    match () {
        () if common.len() == first.len() && common.len() == second.len() => {
            (Agreement::Same, "the same".to_owned())
        }
        // model 12 is not model 13, however alike the rest is
        () if has_own_number(first) && has_own_number(second) => {
            (Agreement::Contradiction, "with other numbers".to_owned())
        }
        () if similarity >= MIN_SIMILARITY => {
            (Agreement::Similar, format!("{:.0}% the same words", 100.0 * similarity))
        }
        () => (Agreement::Different, format!("{:.0}% the same words", 100.0 * similarity)),
    }
}

/// Compares two records of different sites.
pub(super) fn compare(table: &FieldTable, first: usize, second: usize, chance: &Chance) -> Comparison {
    let records = table.site_sizes[table.sites[first]].max(table.site_sizes[table.sites[second]]) as f64;
    let shared = shared_columns(table, first, second);
    let title = |record: usize| {
        let cells = table.records[record].iter();
        cells
            .filter(|(column, _)| table.columns[*column].role == ColumnRole::Title)
            .map(|(_, value)| value.words())
    };
    let titles: HashSet<u32> = title(first).chain(title(second)).flatten().copied().collect();
    let mut evidence: Vec<Evidence> = Vec::new();
    for (column, level, words) in shared {
        let mut weight = weight(table, (column, level), (first, second), chance, records);
        if weight > 0.0 {
            weight *= independence(table, column, [first, second], &titles);
        }
        evidence.push(Evidence { weight, reason: format!("{} {words}", table.columns[column].name) });
    }
    evidence.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    let prior = (EXPECTED_OVERLAP / records).ln();
    let log_odds = prior + evidence.iter().map(|one| one.weight).sum::<f64>();
    Comparison { log_odds, evidence }
}

/// How much of the evidence of a column is not that of the title again.
fn independence(table: &FieldTable, column: usize, pair: [usize; 2], titles: &HashSet<u32>) -> f64 {
    if matches!(table.columns[column].role, ColumnRole::Title | ColumnRole::Identifier) {
        return 1.0;
    }
    let is_repeated = pair.iter().any(|record| {
        let cell = table.records[*record].iter().find(|(at, _)| *at == column);
        let words = cell.map_or(&[][..], |(_, value)| value.words());
        !words.is_empty() && 2 * words.iter().filter(|word| titles.contains(word)).count() >= words.len()
    });
    if is_repeated { REPEATED_WEIGHT } else { FURTHER_WEIGHT }
}

fn weight(
    table: &FieldTable,
    (column, level): (usize, Agreement),
    (first, second): (usize, usize),
    chance: &Chance,
    records: f64,
) -> f64 {
    let role = table.columns[column].role;
    let (same, similar) = agreement(role);
    let expected = match level {
        Agreement::Same => same,
        Agreement::Similar if similar > 0.0 => similar,
        Agreement::Contradiction if matches!(role, ColumnRole::Title | ColumnRole::Address) => CONTRADICTION,
        _ => (1.0 - same - similar).max(0.02),
    };
    let value =
        |record: usize| table.records[record].iter().find(|(at, _)| *at == column).map(|(_, value)| value);
    let (one, other) = (value(first), value(second));
    let mut by_chance = chance.of(column, pair_class(table, column, first, second), level);
    match (role, level, one, other) {
        // the value itself may be frequent
        (_, Agreement::Same, Some(FieldValue::Exact { text, .. }), _) => {
            let share = chance.shares.get(&(column, text.clone())).copied().unwrap_or_default();
            by_chance = by_chance.max(share);
            if role != ColumnRole::Identifier {
                by_chance = by_chance.max(1.0 / records);
            }
        }
        // short names are those of other things too, which this site does not have
        (
            ColumnRole::Title | ColumnRole::Address,
            Agreement::Same | Agreement::Similar,
            Some(FieldValue::Words(words)),
            Some(FieldValue::Words(others)),
        ) => {
            let length = words.len().min(others.len()) as f64;
            by_chance = by_chance.max(records.powf(-(length / 2.0).clamp(0.5, 2.0)));
        }
        (ColumnRole::Money, Agreement::Same, ..) => by_chance = by_chance.max(EQUAL_PRICES.0),
        (ColumnRole::Money, Agreement::Similar, ..) => by_chance = by_chance.max(EQUAL_PRICES.1),
        (
            ColumnRole::Money,
            Agreement::Different,
            Some(FieldValue::Money(a, _)),
            Some(FieldValue::Money(b, _)),
        ) => {
            let ratio = a.max(*b) / a.min(*b).max(f64::MIN_POSITIVE);
            if ratio > OTHER_PRICE {
                return -(ratio / OTHER_PRICE).ln().min(3.0) - 1.5;
            }
        }
        _ => {}
    }
    (expected / by_chance).ln()
}
