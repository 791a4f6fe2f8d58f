//! The fingerprint of records: how a wrapper recognises them after a site has renamed its classes.
//!
//! In: the records of the samples. Out: a [`Fingerprint`] with their sizes and with the texts, value types
//! and link targets that nearly all of them have. [`Fingerprint::fit`] says how well other records fit it,
//! from 0 to 1. Everything in it comes from the template and not from single records, so that it stays true
//! when the records change. O(1) per record, plus the texts of a few records.

use super::url_parts::url_parts;
use crate::value_types::value_type_named;
use copal_dom::{Node, Page, attrs, push_collapsed, tags};
use copal_extract::Parts;
use copal_extract::located::{is_of_kind, link_target};
use copal_values::ValueType;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Share of the records that counts as "nearly all".
const NEARLY_ALL: f64 = 0.8;
/// Score of a small part of a list relative to the whole list. Also how much worse than its best part a whole
/// list may fit.
const PARTIAL_LIST_WEIGHT: f64 = 0.4;
/// Maximum number of records whose texts are compared with the fingerprint.
const MAX_RECORDS_COMPARED: usize = 12;
/// Maximum number of records of a sample whose texts are learned from.
const MAX_RECORDS_LEARNED: usize = 60;
/// Maximum number of texts of one record that are read.
const MAX_TEXTS_PER_RECORD: usize = 60;
/// Longest text that records may share, in bytes.
const MAX_SHARED_TEXT_BYTES: usize = 40;
/// Maximum number of shared texts that are kept.
pub(crate) const MAX_SHARED_TEXTS: usize = 6;

/// Measurements of records that survive renamed classes.
#[derive(Debug, Clone, PartialEq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fingerprint {
    /// Visible texts per record: fewest, median, most.
    pub texts: (u32, u32, u32),
    /// Visible characters per record: fewest, median, most.
    pub chars: (u32, u32, u32),
    /// Share of the records with an image.
    #[serde(default)]
    pub images: f64,
    /// Share of the characters that are inside links.
    #[serde(default)]
    pub linked: f64,
    /// Share of the characters that are digits.
    #[serde(default)]
    pub digits: f64,
    /// Share of the records that have the most frequent class word.
    #[serde(default)]
    pub alike: f64,
    /// Share of the records that have the most frequent path of tags.
    #[serde(default)]
    pub paths: f64,
    /// Texts that nearly all records have.
    #[serde(default)]
    pub words: Vec<String>,
    /// Value types that nearly all records have a text of.
    #[serde(default)]
    pub types: Vec<String>,
    /// A part of a URL that nearly all records have in a link.
    #[serde(default, rename = "address")]
    pub url_part: Option<String>,
}

/// Measurements of one set of records; the fields mean the same as in [`Fingerprint`].
struct RecordSizes {
    texts: (u32, u32, u32),
    chars: (u32, u32, u32),
    images: f64,
    linked: f64,
    digits: f64,
    alike: f64,
    paths: f64,
}

impl Fingerprint {
    /// The fingerprint of known records, given by page. `kinds` are the value types of their columns.
    pub(crate) fn of(samples: &[(&Page, Vec<Parts>)], kinds: &FxHashSet<ValueType>) -> Option<Fingerprint> {
        let sizes: Vec<RecordSizes> =
            samples.iter().filter_map(|(page, records)| sizes(page, records)).collect();
        let mean = |of: &dyn Fn(&RecordSizes) -> f64| {
            rounded(sizes.iter().map(of).sum::<f64>() / sizes.len() as f64)
        };
        let range = |of: &dyn Fn(&RecordSizes) -> (u32, u32, u32)| {
            let least = sizes.iter().map(|one| of(one).0).min()?;
            let most = sizes.iter().map(|one| of(one).2).max()?;
            Some((least, mean(&|one| of(one).1.into()).round() as u32, most))
        };
        let mut fingerprint = Fingerprint {
            texts: range(&|one| one.texts)?,
            chars: range(&|one| one.chars)?,
            images: mean(&|one| one.images),
            linked: mean(&|one| one.linked),
            digits: mean(&|one| one.digits),
            alike: mean(&|one| one.alike),
            paths: mean(&|one| one.paths),
            ..Fingerprint::default()
        };
        fingerprint.add_shared(samples, kinds);
        Some(fingerprint)
    }

    /// Adds the texts, value types and URL part that nearly all records have.
    fn add_shared(&mut self, samples: &[(&Page, Vec<Parts>)], kinds: &FxHashSet<ValueType>) {
        let mut words: FxHashMap<String, usize> = FxHashMap::default();
        let mut url_counts: FxHashMap<String, usize> = FxHashMap::default();
        let mut types: FxHashMap<ValueType, usize> = FxHashMap::default();
        let mut all = 0;
        for (page, records) in samples {
            let subject = page_subject(page);
            for record in spread(records, MAX_RECORDS_LEARNED) {
                all += 1;
                let texts = texts_of(page, record);
                for kind in kinds.iter().filter(|&&kind| texts.iter().any(|text| is_of_kind(kind, text))) {
                    *types.entry(*kind).or_default() += 1;
                }
                let is_subject = |text: &String| subject.contains(text.to_lowercase().as_str());
                let words_of = texts.into_iter().filter(|text| text.contains(char::is_alphabetic));
                for text in words_of.filter(|text| !is_subject(text)) {
                    *words.entry(text).or_default() += 1;
                }
                let links: FxHashSet<String> = links_of(page, record).flat_map(url_parts).collect();
                for part in links {
                    *url_counts.entry(part).or_default() += 1;
                }
            }
        }
        let most = |count: usize| count as f64 >= NEARLY_ALL * all as f64;
        let mut shared: Vec<(usize, String)> =
            words.into_iter().filter(|(_, count)| most(*count)).map(|(word, count)| (count, word)).collect();
        shared.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        self.words = shared.into_iter().map(|(_, word)| word).take(MAX_SHARED_TEXTS).collect();
        let named =
            ValueType::ALL.into_iter().filter(|kind| types.get(kind).is_some_and(|&count| most(count)));
        self.types = named.map(|kind| kind.name().to_owned()).collect();
        let best = url_counts.into_iter().filter(|(_, count)| most(*count));
        self.url_part =
            best.max_by_key(|(part, count)| (*count, part.len(), part.clone())).map(|(part, _)| part);
    }

    /// False for elements that are much smaller or larger than any record of the samples.
    pub(crate) fn admits(&self, page: &Page, parts: &Parts) -> bool {
        let texts: u32 = parts.iter().map(|part| page.index.leaves(part)).sum();
        let chars: u32 = parts.iter().map(|part| page.index.chars(part)).sum();
        let fits = |found: u32, (least, _, most): (u32, u32, u32), slack: u32| {
            2 * found + slack / 2 >= least && found <= 3 * most + slack
        };
        fits(texts, self.texts, 4) || fits(chars, self.chars, 60)
    }

    /// Whether the number of texts, and of characters, is within the range of the samples.
    pub(crate) fn is_usual(&self, page: &Page, record: &Parts) -> (bool, bool) {
        let sum = |of: &dyn Fn(&Range<Node>) -> u32| record.iter().map(of).sum::<u32>();
        let among = |found: u32, (least, _, most): (u32, u32, u32), slack: u32| {
            3 * found + slack >= 2 * least && 2 * found <= 3 * most + slack
        };
        let texts = among(sum(&|part| page.index.leaves(part)), self.texts, 2);
        (texts, among(sum(&|part| page.index.chars(part)), self.chars, 20))
    }

    /// True if most records have at least twice as many texts and characters as the largest record of the
    /// samples: a list that was divided into rows is read row by row.
    pub(crate) fn holds_several(&self, page: &Page, records: &[Parts]) -> bool {
        sizes(page, records).is_some_and(|sizes| {
            sizes.texts.1 >= 2 * self.texts.2.max(1) && sizes.chars.1 >= 2 * self.chars.2.max(1)
        })
    }

    /// Share of the records whose sizes are within the range of the samples.
    fn usual(&self, page: &Page, records: &[Parts]) -> f64 {
        let usual = records.iter().filter(|record| self.is_usual(page, record) == (true, true)).count();
        usual as f64 / records.len().max(1) as f64
    }

    /// Removes what is not a record (adverts): elements of unusual size or class that also lack what nearly
    /// all records have. Keeps everything if most records are unusual, because then the site has changed and
    /// the fingerprint is no evidence.
    pub(crate) fn retain(&self, page: &Page, records: &mut Vec<Parts>) {
        let (word, share) = majority(page, records);
        let by_class = self.alike >= NEARLY_ALL && share >= 0.5;
        let has_class = |record: &Parts| !by_class || classes(page, record).any(|own| own == word);
        let plain = |record: &Parts| self.is_usual(page, record) == (true, true) && has_class(record);
        let unusual: Vec<bool> = records.iter().map(|record| !plain(record)).collect();
        if 2 * unusual.iter().filter(|unusual| **unusual).count() > records.len() {
            return;
        }
        let is_record = |record: &Parts| {
            let (texts, chars) = self.is_usual(page, record);
            let mut grounds = vec![texts, chars];
            grounds.extend(by_class.then(|| has_class(record)));
            grounds.extend(self.shares(page, record));
            3 * grounds.iter().filter(|ground| **ground).count() > grounds.len()
        };
        let mut unusual = unusual.into_iter();
        records.retain(|record| !unusual.next().unwrap_or(false) || is_record(record));
    }

    /// For each text, value type and URL part that nearly all records have, whether this record has it.
    fn shares(&self, page: &Page, record: &Parts) -> Vec<bool> {
        let texts = texts_of(page, record);
        let kinds = self.types.iter().filter_map(|name| value_type_named(name));
        let mut out: Vec<bool> = self.words.iter().map(|word| texts.contains(word)).collect();
        out.extend(kinds.map(|kind| texts.iter().any(|text| is_of_kind(kind, text))));
        let url_part = self.url_part.as_ref();
        out.extend(url_part.map(|part| links_of(page, record).any(|link| link.contains(part.as_str()))));
        out
    }

    /// False if fewer records than on the samples share a class word: then there is something else among
    /// them.
    pub(crate) fn is_alike(&self, page: &Page, records: &[Parts]) -> bool {
        self.alike < NEARLY_ALL || majority(page, records).1 >= 0.97 * self.alike
    }

    /// How well the sizes of records fit, from 0 to 1.
    pub(crate) fn fit_sizes(&self, page: &Page, records: &[Parts]) -> f64 {
        let Some(sizes) = sizes(page, records) else { return 0.0 };
        let ratio = |a: u32, b: u32, slack: f64| {
            let ratio = (f64::from(a) + slack) / (f64::from(b) + slack);
            ratio.min(1.0 / ratio)
        };
        let near = |a: f64, b: f64| 1.0 - (a - b).abs();
        let share = |a: f64, b: f64| if b > 0.0 { (a / b).clamp(0.2, 1.0) } else { 1.0 };
        ratio(sizes.chars.1, self.chars.1, 10.0).powf(0.7)
            * ratio(sizes.texts.1, self.texts.1, 1.0).powf(0.7)
            * near(sizes.images, self.images).max(0.1).sqrt()
            * near(sizes.linked, self.linked).max(0.1)
            * near(sizes.digits, self.digits).max(0.1)
            * share(sizes.alike, self.alike).sqrt()
            * share(sizes.paths, self.paths)
            * (0.2 + 0.8 * self.usual(page, records))
    }

    /// How well the texts and links of records fit, from 0 to 1.
    pub(crate) fn fit_texts(&self, page: &Page, records: &[Parts]) -> f64 {
        let some: Vec<Vec<bool>> =
            spread(records, MAX_RECORDS_COMPARED).map(|record| self.shares(page, record)).collect();
        let share = |at: usize| {
            let have = some.iter().filter(|shares| shares[at]).count();
            0.2 + 0.8 * (have as f64 / (NEARLY_ALL * some.len() as f64)).min(1.0)
        };
        let mean = |range: Range<usize>| {
            if range.is_empty() { 1.0 } else { range.clone().map(share).sum::<f64>() / range.len() as f64 }
        };
        let all = some.first().map_or(0, Vec::len);
        let (words, urls) = (self.words.len(), usize::from(self.url_part.is_some()));
        (mean(0..words) * mean(words..all - urls) * mean(all - urls..all)).sqrt()
    }

    /// How well records fit, from 0 to 1.
    pub(crate) fn fit(&self, page: &Page, records: &[Parts]) -> f64 {
        self.fit_sizes(page, records) * self.fit_texts(page, records)
    }
}

/// Lowers the scores of sets that are only a part of a list. The measure is their share of the text of the
/// largest set among those that fit nearly as well as the best.
pub(crate) fn favour_whole_lists(page: &Page, sets: &mut [(f64, &[Parts])]) {
    let chars =
        |set: &[Parts]| -> f64 { set.iter().flatten().map(|part| f64::from(page.index.chars(part))).sum() };
    let best = sets.iter().map(|(score, _)| *score).fold(0.0, f64::max);
    let good = sets.iter().filter(|(score, _)| *score >= PARTIAL_LIST_WEIGHT * best);
    let most = good.map(|(_, set)| chars(set)).fold(1.0, f64::max);
    for (score, set) in sets {
        *score *= PARTIAL_LIST_WEIGHT + (1.0 - PARTIAL_LIST_WEIGHT) * (chars(set) / most).min(1.0);
    }
}

fn rounded(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}

/// At most `most` of the records, evenly spread.
fn spread(records: &[Parts], most: usize) -> impl Iterator<Item = &Parts> {
    records.iter().step_by(records.len().div_ceil(most).max(1))
}

fn sizes(page: &Page, records: &[Parts]) -> Option<RecordSizes> {
    let sum = |of: &dyn Fn(&Range<Node>) -> u32| -> Vec<u32> {
        records.iter().map(|parts| parts.iter().map(of).sum()).collect()
    };
    let (chars, linked) = (sum(&|part| page.index.chars(part)), sum(&|part| page.index.link_chars(part)));
    let (texts, digits) = (sum(&|part| page.index.leaves(part)), sum(&|part| page.index.digits(part)));
    let images = records.iter().filter(|parts| parts.iter().any(|part| page.index.images(part) > 0)).count();
    let mut same: FxHashMap<u32, usize> = FxHashMap::default();
    for parts in records {
        *same.entry(page.index.path(parts[0].start)).or_default() += 1;
    }
    let total = f64::from(chars.iter().sum::<u32>().max(1));
    let share = |of: &[u32]| of.iter().map(|&one| f64::from(one)).sum::<f64>() / total;
    let (linked, digits) = (share(&linked), share(&digits));
    Some(RecordSizes {
        texts: range(texts)?,
        chars: range(chars)?,
        images: images as f64 / records.len() as f64,
        linked,
        digits,
        alike: majority(page, records).1,
        paths: *same.values().max()? as f64 / records.len() as f64,
    })
}

fn range(mut all: Vec<u32>) -> Option<(u32, u32, u32)> {
    all.sort_unstable();
    Some((*all.first()?, all[all.len() / 2], *all.last()?))
}

/// The most frequent class word of the records' first elements, and the share of the records that have it.
fn majority<'a>(page: &'a Page, records: &[Parts]) -> (&'a str, f64) {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for parts in records {
        for word in classes(page, parts) {
            *counts.entry(word).or_default() += 1;
        }
    }
    let most = counts.into_iter().max_by_key(|&(word, count)| (count, std::cmp::Reverse(word)));
    // A class attribute may contain a word twice.
    most.map_or(("", 0.0), |(word, count)| (word, (count as f64 / records.len() as f64).min(1.0)))
}

fn classes<'a>(page: &'a Page, parts: &Parts) -> impl Iterator<Item = &'a str> {
    let class = page.tree.attr(parts[0].start, attrs::CLASS).unwrap_or_default();
    class.split_ascii_whitespace().take(8)
}

/// What the page says it is about. All results of a search contain the words of the query, but on the next
/// page the query is another, so these words must not become part of the fingerprint.
fn page_subject(page: &Page) -> String {
    let mut out = page.title().unwrap_or_default();
    for node in page.tree.nodes() {
        match page.tree.tag(node) {
            tags::H1 => out.push_str(&page.text_of(node)),
            tags::INPUT => out.push_str(page.tree.attr_named(node, "value").unwrap_or_default()),
            _ => continue,
        }
        out.push('\n');
    }
    out.to_lowercase()
}

/// The different short texts of a record.
fn texts_of(page: &Page, record: &Parts) -> FxHashSet<String> {
    let mut out = FxHashSet::default();
    let nodes = record.iter().flat_map(Clone::clone);
    let texts = nodes.filter(|&node| page.tree.is_text(node) && page.styles.is_shown(node));
    for raw in texts
        .map(|node| page.tree.raw_text(node))
        .filter(|raw| raw.len() <= 4 * MAX_SHARED_TEXT_BYTES)
        .take(MAX_TEXTS_PER_RECORD)
    {
        let mut text = String::new();
        if push_collapsed(&mut text, raw) && text.len() <= MAX_SHARED_TEXT_BYTES && text.len() > 1 {
            out.insert(text.trim().to_owned());
        }
    }
    out
}

fn links_of<'a>(page: &'a Page, record: &'a Parts) -> impl Iterator<Item = &'a str> {
    let nodes = record.iter().flat_map(Clone::clone);
    let links = nodes.filter(|&node| page.tree.tag(node) == tags::A && page.styles.is_shown(node));
    links.filter_map(|node| link_target(page, node)).take(MAX_TEXTS_PER_RECORD)
}
