//! What records look like whatever their elements are called: how a wrapper knows them after a site has changed its names.
//!
//! In: the records of the samples. Out: [`Looks`]: sizes, and texts, types and addresses that nearly all have. [`Looks::fit`] says how
//! well other records fit, 0 to 1. What is in the file comes from the template, never from single records: numbers, words that
//! nearly all records share, the shared part of addresses. O(1) a record, and the texts of a few.

use crate::file::kind_named;
use copal_dom::{Node, Page, attrs, push_collapsed, tags};
use copal_extract::Parts;
use copal_extract::located::{cell_link, is_of_kind};
use copal_values::ValueType;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Formatter};

/// Share of the records that have what nearly all have.
const MOST: f64 = 0.8;
/// How much worse than its best part a whole list may fit.
const WHOLE: f64 = 0.4;
/// Records whose texts are read.
const READ: usize = 12;
/// Records of a sample whose texts are read.
const LEARNED: usize = 60;
/// Texts of one record that are read.
const TEXTS: usize = 60;
/// Longest text that records may share.
const LONGEST: usize = 40;
/// Shared texts that are kept.
const WORDS: usize = 6;

/// What the samples' records look like.
#[derive(Debug, Clone, PartialEq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Looks {
    /// Visible texts: fewest, usual, most.
    pub texts: (u32, u32, u32),
    /// Visible characters: fewest, usual, most.
    pub chars: (u32, u32, u32),
    /// Share of the records with an image.
    #[serde(default)]
    pub images: f64,
    /// Share of the characters that are linked.
    #[serde(default)]
    pub linked: f64,
    /// Share of the characters that are digits.
    #[serde(default)]
    pub digits: f64,
    /// Share of the records that have the class word that most have.
    #[serde(default)]
    pub alike: f64,
    /// Share of the records that have the path of tags that most have.
    #[serde(default)]
    pub paths: f64,
    /// Texts that nearly all records have.
    #[serde(default)]
    pub words: Vec<String>,
    /// Types of texts that nearly all records have.
    #[serde(default)]
    pub types: Vec<String>,
    /// Part of an address that nearly all records link to.
    #[serde(default)]
    pub address: Option<String>,
}

/// Numbers of a set of records.
struct Sizes {
    texts: (u32, u32, u32),
    chars: (u32, u32, u32),
    images: f64,
    linked: f64,
    digits: f64,
    alike: f64,
    paths: f64,
}

impl Looks {
    /// Of records that are known, by page; `kinds` are the types of their columns.
    pub(crate) fn of(samples: &[(&Page, Vec<Parts>)], kinds: &FxHashSet<ValueType>) -> Option<Looks> {
        let sizes: Vec<Sizes> = samples.iter().filter_map(|(page, records)| sizes(page, records)).collect();
        let mean =
            |of: &dyn Fn(&Sizes) -> f64| rounded(sizes.iter().map(of).sum::<f64>() / sizes.len() as f64);
        let range = |of: &dyn Fn(&Sizes) -> (u32, u32, u32)| {
            let least = sizes.iter().map(|one| of(one).0).min()?;
            let most = sizes.iter().map(|one| of(one).2).max()?;
            Some((least, mean(&|one| of(one).1.into()).round() as u32, most))
        };
        let mut looks = Looks {
            texts: range(&|one| one.texts)?,
            chars: range(&|one| one.chars)?,
            images: mean(&|one| one.images),
            linked: mean(&|one| one.linked),
            digits: mean(&|one| one.digits),
            alike: mean(&|one| one.alike),
            paths: mean(&|one| one.paths),
            ..Looks::default()
        };
        looks.shared(samples, kinds);
        Some(looks)
    }

    /// Adds what nearly all records share.
    fn shared(&mut self, samples: &[(&Page, Vec<Parts>)], kinds: &FxHashSet<ValueType>) {
        let mut words: FxHashMap<String, usize> = FxHashMap::default();
        let mut addresses: FxHashMap<String, usize> = FxHashMap::default();
        let mut types: FxHashMap<ValueType, usize> = FxHashMap::default();
        let mut all = 0;
        for (page, records) in samples {
            let asked = asked(page);
            for record in spread(records, LEARNED) {
                all += 1;
                let texts = texts_of(page, record);
                for kind in kinds.iter().filter(|&&kind| texts.iter().any(|text| is_of_kind(kind, text))) {
                    *types.entry(*kind).or_default() += 1;
                }
                let said = |text: &String| asked.contains(text.to_lowercase().as_str());
                let words_of = texts.into_iter().filter(|text| text.contains(char::is_alphabetic));
                for text in words_of.filter(|text| !said(text)) {
                    *words.entry(text).or_default() += 1;
                }
                let links: FxHashSet<String> = links_of(page, record).flat_map(parts_of_address).collect();
                for part in links {
                    *addresses.entry(part).or_default() += 1;
                }
            }
        }
        let most = |count: usize| count as f64 >= MOST * all as f64;
        let mut shared: Vec<(usize, String)> =
            words.into_iter().filter(|(_, count)| most(*count)).map(|(word, count)| (count, word)).collect();
        shared.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        self.words = shared.into_iter().map(|(_, word)| word).take(WORDS).collect();
        let named =
            ValueType::ALL.into_iter().filter(|kind| types.get(kind).is_some_and(|&count| most(count)));
        self.types = named.map(|kind| kind.name().to_owned()).collect();
        let best = addresses.into_iter().filter(|(_, count)| most(*count));
        self.address =
            best.max_by_key(|(part, count)| (*count, part.len(), part.clone())).map(|(part, _)| part);
    }

    /// False for what is much smaller or larger than any record of the samples.
    pub(crate) fn admits(&self, page: &Page, parts: &Parts) -> bool {
        let texts: u32 = parts.iter().map(|part| page.index.leaves(part)).sum();
        let chars: u32 = parts.iter().map(|part| page.index.chars(part)).sum();
        let fits = |found: u32, (least, _, most): (u32, u32, u32), slack: u32| {
            2 * found + slack / 2 >= least && found <= 3 * most + slack
        };
        fits(texts, self.texts, 4) || fits(chars, self.chars, 60)
    }

    /// True if the sizes of a record are among those of the samples.
    fn is_usual(&self, page: &Page, record: &Parts) -> (bool, bool) {
        let sum = |of: &dyn Fn(&std::ops::Range<Node>) -> u32| record.iter().map(of).sum::<u32>();
        let among = |found: u32, (least, _, most): (u32, u32, u32), slack: u32| {
            3 * found + slack >= 2 * least && 2 * found <= 3 * most + slack
        };
        let texts = among(sum(&|part| page.index.leaves(part)), self.texts, 2);
        (texts, among(sum(&|part| page.index.chars(part)), self.chars, 20))
    }

    /// Share of the records whose sizes are among those of the samples.
    fn usual(&self, page: &Page, records: &[Parts]) -> f64 {
        let usual = records.iter().filter(|record| self.is_usual(page, record) == (true, true)).count();
        usual as f64 / records.len().max(1) as f64
    }

    /// Takes out what is no record: of another size and class than most, without what nearly all have.
    pub(crate) fn retain(&self, page: &Page, records: &mut Vec<Parts>) {
        let (word, share) = majority(page, records);
        let by_class = self.alike >= MOST && share >= 0.5;
        let has_class = |record: &Parts| !by_class || classes(page, record).any(|own| own == word);
        let plain = |record: &Parts| self.is_usual(page, record) == (true, true) && has_class(record);
        let odd: Vec<bool> = records.iter().map(|record| !plain(record)).collect();
        if 2 * odd.iter().filter(|odd| **odd).count() > records.len() {
            return;
        }
        let is_record = |record: &Parts| {
            let (texts, chars) = self.is_usual(page, record);
            let mut grounds = vec![texts, chars];
            grounds.extend(by_class.then(|| has_class(record)));
            grounds.extend(self.shares(page, record));
            3 * grounds.iter().filter(|ground| **ground).count() > grounds.len()
        };
        let mut odd = odd.into_iter();
        records.retain(|record| !odd.next().unwrap_or(false) || is_record(record));
    }

    /// For each thing that nearly all records have, whether this one does.
    fn shares(&self, page: &Page, record: &Parts) -> Vec<bool> {
        let texts = texts_of(page, record);
        let kinds = self.types.iter().filter_map(|name| kind_named(name));
        let mut out: Vec<bool> = self.words.iter().map(|word| texts.contains(word)).collect();
        out.extend(kinds.map(|kind| texts.iter().any(|text| is_of_kind(kind, text))));
        let address = self.address.as_ref();
        out.extend(address.map(|part| links_of(page, record).any(|link| link.contains(part.as_str()))));
        out
    }

    /// False if fewer records than usual have a class word in common: there is something among them.
    pub(crate) fn is_alike(&self, page: &Page, records: &[Parts]) -> bool {
        self.alike < MOST || majority(page, records).1 >= 0.97 * self.alike
    }

    /// How well the sizes of records fit.
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

    /// How well what records say fits.
    pub(crate) fn fit_texts(&self, page: &Page, records: &[Parts]) -> f64 {
        let some: Vec<Vec<bool>> = spread(records, READ).map(|record| self.shares(page, record)).collect();
        let share = |at: usize| {
            let have = some.iter().filter(|shares| shares[at]).count();
            0.2 + 0.8 * (have as f64 / (MOST * some.len() as f64)).min(1.0)
        };
        let mean = |range: std::ops::Range<usize>| {
            if range.is_empty() { 1.0 } else { range.clone().map(share).sum::<f64>() / range.len() as f64 }
        };
        let all = some.first().map_or(0, Vec::len);
        let (words, address) = (self.words.len(), usize::from(self.address.is_some()));
        (mean(0..words) * mean(words..all - address) * mean(all - address..all)).sqrt()
    }

    pub(crate) fn fit(&self, page: &Page, records: &[Parts]) -> f64 {
        self.fit_sizes(page, records) * self.fit_texts(page, records)
    }

    /// What is wrong in a file.
    pub(crate) fn check(&self) -> Result<(), String> {
        if let Some(name) = self.types.iter().find(|name| kind_named(name).is_none()) {
            return Err(format!("record: looks: no type {name:?}"));
        }
        if self.words.len() > 10 * WORDS || self.types.len() > 10 * WORDS {
            return Err(format!("record: looks: expected at most {} words and types", 10 * WORDS));
        }
        Ok(())
    }

    /// As YAML, behind `looks:`.
    pub(crate) fn write(&self, f: &mut Formatter<'_>, text: &dyn Fn(&str) -> String) -> fmt::Result {
        let Looks { texts, chars, images, linked, digits, alike, paths, words, types, address } = self;
        f.write_str(
            "      looks:  # what they are like whatever they are called: fewest, usual, most; shares\n",
        )?;
        writeln!(f, "        texts: [{}, {}, {}]", texts.0, texts.1, texts.2)?;
        writeln!(f, "        chars: [{}, {}, {}]", chars.0, chars.1, chars.2)?;
        for (name, share) in
            [("images", images), ("linked", linked), ("digits", digits), ("alike", alike), ("paths", paths)]
        {
            writeln!(f, "        {name}: {share}")?;
        }
        for (name, all) in [("words", words), ("types", types)].into_iter().filter(|(_, all)| !all.is_empty())
        {
            let all: Vec<String> = all.iter().map(|one| text(one)).collect();
            writeln!(f, "        {name}: [{}]", all.join(", "))?;
        }
        if let Some(address) = address {
            writeln!(f, "        address: {}", text(address))?;
        }
        Ok(())
    }
}

/// Sets of records that fit nearly as well as the best count less if they are a part only: by what they show of the largest.
pub(crate) fn favour_whole(page: &Page, sets: &mut [(f64, &[Parts])]) {
    let chars =
        |set: &[Parts]| -> f64 { set.iter().flatten().map(|part| f64::from(page.index.chars(part))).sum() };
    let best = sets.iter().map(|(score, _)| *score).fold(0.0, f64::max);
    let like = sets.iter().filter(|(score, _)| *score >= WHOLE * best);
    let most = like.map(|(_, set)| chars(set)).fold(1.0, f64::max);
    for (score, set) in sets {
        *score *= WHOLE + (1.0 - WHOLE) * (chars(set) / most).min(1.0);
    }
}

fn rounded(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}

/// Some of the records, from everywhere.
fn spread(records: &[Parts], most: usize) -> impl Iterator<Item = &Parts> {
    records.iter().step_by(records.len().div_ceil(most).max(1))
}

fn sizes(page: &Page, records: &[Parts]) -> Option<Sizes> {
    let sum = |of: &dyn Fn(&std::ops::Range<u32>) -> u32| -> Vec<u32> {
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
    Some(Sizes {
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

/// The class word that most records' first elements have, and the share of those that do.
fn majority<'a>(page: &'a Page, records: &[Parts]) -> (&'a str, f64) {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for parts in records {
        for word in classes(page, parts) {
            *counts.entry(word).or_default() += 1;
        }
    }
    let most = counts.into_iter().max_by_key(|&(word, count)| (count, std::cmp::Reverse(word)));
    // a word may stand twice in one attribute
    most.map_or(("", 0.0), |(word, count)| (word, (count as f64 / records.len() as f64).min(1.0)))
}

fn classes<'a>(page: &'a Page, parts: &Parts) -> impl Iterator<Item = &'a str> {
    let class = page.tree.attr(parts[0].start, attrs::CLASS).unwrap_or_default();
    class.split_ascii_whitespace().take(8)
}

/// What the page says it is about: the words of a query stand in all its results.
fn asked(page: &Page) -> String {
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

/// The short texts of a record, each once.
fn texts_of(page: &Page, record: &Parts) -> FxHashSet<String> {
    let mut out = FxHashSet::default();
    let nodes = record.iter().flat_map(Clone::clone);
    let texts = nodes.filter(|&node| page.tree.is_text(node) && page.styles.is_shown(node));
    for raw in texts.map(|node| page.tree.raw_text(node)).filter(|raw| raw.len() <= 4 * LONGEST).take(TEXTS) {
        let mut text = String::new();
        if push_collapsed(&mut text, raw) && text.len() <= LONGEST && text.len() > 1 {
            out.insert(text.trim().to_owned());
        }
    }
    out
}

fn links_of<'a>(page: &'a Page, record: &'a Parts) -> impl Iterator<Item = &'a str> {
    let nodes = record.iter().flat_map(Clone::clone);
    let links = nodes.filter(|&node| page.tree.tag(node) == tags::A && page.styles.is_shown(node));
    links.filter_map(|node| cell_link(page, node)).take(TEXTS)
}

/// The folders of an address, and its way up to the first value behind `?`: what addresses of one kind share.
pub(crate) fn parts_of_address(address: &str) -> Vec<String> {
    let path =
        address.split_once("://").map_or(address, |(_, rest)| rest.find('/').map_or("", |at| &rest[at..]));
    let path = path.split('#').next().unwrap_or_default();
    let (folders, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
    let mut out = Vec::new();
    let ends = folders
        .match_indices('/')
        .map(|(at, _)| at + 1)
        .filter(|&end| end < folders.len() || query.is_some());
    for end in ends.take(4) {
        let part = &folders[..end];
        if part.contains(|c: char| c.is_alphabetic()) && part.len() <= LONGEST {
            out.push(part.to_owned());
        }
    }
    if let Some((key, _)) = query.and_then(|query| query.split_once('=')) {
        let file = folders.rsplit('/').next().unwrap_or_default();
        let part = format!("{file}?{key}=");
        if part.len() <= LONGEST {
            out.push(part);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::parts_of_address;

    #[test]
    fn addresses_of_one_kind_share_parts() {
        for (address, expected) in [
            ("/title/tt12/", "/title/"),
            ("https://shop.example/p/12.html", "/p/"),
            ("item.php?id=12&x=1", "item.php?id="),
            ("/search/show?item=4#top", "/search/ show?item="),
            ("12.html", ""),
            ("https://shop.example", ""),
        ] {
            assert_eq!(parts_of_address(address).join(" "), expected, "{address}");
        }
    }
}
