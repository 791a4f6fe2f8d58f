//! The line that names the page's object.
//!
//! In: sheets of one template. Out: for each the line of its headline. Evidence: the line's words are those of the page's title
//! that differ from page to page (TA of section 6.5), it is an `h1`, it is declared as the name, it is large, it differs from page
//! to page, it is no link. One path is chosen for the template; a page without it has its own best line. O(lines).

use super::sheet::{Leaf, Line, Sheet};
use copal_dom::{attrs, tags};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest headline.
const LONGEST: usize = 250;
/// Least evidence for one.
const LEAST: f64 = 0.6;

/// The headline of each page.
pub(super) fn find(sheets: &[Sheet<'_>]) -> Vec<Option<usize>> {
    let common = common_words(sheets);
    let scores: Vec<Vec<(usize, f64)>> = sheets.iter().map(|sheet| scores(sheet, &common)).collect();
    // by path: the best score on each page, added up
    let mut paths: FxHashMap<u64, f64> = FxHashMap::default();
    for (sheet, scores) in sheets.iter().zip(&scores) {
        let mut best: FxHashMap<u64, f64> = FxHashMap::default();
        for &(line, score) in scores {
            let known = best.entry(sheet.lines[line].path).or_insert(f64::MIN);
            *known = known.max(score);
        }
        for (path, score) in best {
            *paths.entry(path).or_default() += score.max(0.0);
        }
    }
    let pages = sheets.len().max(1) as f64;
    let found = sheets.iter().zip(&scores).map(|(sheet, scores)| {
        let total = |&(line, score): &(usize, f64)| {
            let support = paths.get(&sheet.lines[line].path).copied().unwrap_or(0.0) / pages;
            score + if sheets.len() > 1 { 1.5 * support } else { 0.0 }
        };
        // of equal ones the first
        let best = scores.iter().rev().max_by(|a, b| total(a).total_cmp(&total(b)))?;
        (best.1 >= LEAST).then_some(best.0)
    });
    found.collect()
}

/// The name in a headline: without what other elements say behind it ("by …", "(2004)", "| …").
pub(super) fn name(line: &Line) -> &str {
    let behind = |text: &str| {
        let text = text.trim_start();
        text.starts_with(['|', '(', '[', '\u{2013}', '\u{2014}', '-', '\u{2022}', ','])
            || text
                .split_whitespace()
                .next()
                .is_some_and(|word| matches!(word, "by" | "By" | "BY" | "from" | "von" | "par"))
    };
    let ends = |text: &str| text.trim_end().ends_with(['|', '\u{2013}', '\u{2014}', '\u{2022}']);
    let text = |leaf: &Leaf| &line.text[leaf.span.clone()];
    let cut = line.leaves.windows(2).find(|two| behind(text(&two[1])) || ends(text(&two[0])));
    let name = cut.map_or(line.text.as_str(), |two| &line.text[..two[1].span.start]).trim();
    if name.contains(char::is_alphanumeric) { name } else { &line.text }
}

fn scores(sheet: &Sheet<'_>, common: &FxHashSet<String>) -> Vec<(usize, f64)> {
    let titles: Vec<(&str, Vec<String>)> = [sheet.title.as_str(), sheet.declared_title.as_str()]
        .into_iter()
        .map(|title| (title, words(title).filter(|word| !common.contains(word)).collect()))
        .collect();
    let size = |line: &Line| sheet.page.styles.style(line.first()).size;
    let usual = usual_size(sheet);
    let mut scores = Vec::new();
    let page = sheet.page;
    for (at, line) in sheet.lines.iter().enumerate() {
        if line.text.len() > LONGEST || !line.text.contains(char::is_alphabetic) {
            continue;
        }
        let matches = titles.iter().map(|(title, own)| match_title(name(line), own, title, common));
        let mut score = matches.fold(0.0, f64::max);
        // a heading that is not what the title says heads something else; a link to the page itself may be its name
        let (heads, linked) = match score {
            matched if matched >= 1.5 => (1.0, 0.2),
            matched if matched >= 1.0 || sheet.title.is_empty() => (1.0, 0.6),
            _ => (0.5, 0.6),
        };
        for above in std::iter::once(line.first()).chain(page.tree.ancestors(line.first())).take(4) {
            score += match page.tree.tag(above) {
                tags::H1 => 1.5 * heads,
                tags::H2 => 0.7 * heads,
                tags::H3 => 0.3 * heads,
                tags::A => -linked,
                tags::LI => -0.2,
                tags::NAV => -1.5,
                _ => 0.0,
            };
            let is_name = page
                .tree
                .attr(above, attrs::ITEMPROP)
                .is_some_and(|name| matches!(name, "name" | "title" | "headline"));
            score += if is_name { 0.8 } else { 0.0 };
        }
        score += match f64::from(size(line)) / f64::from(usual.max(1)) {
            ratio if ratio >= 1.4 => 0.4,
            ratio if ratio >= 1.1 => 0.2,
            _ => 0.0,
        };
        if sheet.is_static(at) {
            score -= 2.5;
        }
        if score > 0.0 {
            scores.push((at, score));
        }
    }
    scores
}

/// Size of most text.
fn usual_size(sheet: &Sheet<'_>) -> u32 {
    let mut sizes: FxHashMap<u32, usize> = FxHashMap::default();
    for line in &sheet.lines {
        *sizes.entry(u32::from(sheet.page.styles.style(line.first()).size)).or_default() += line.text.len();
    }
    sizes.into_iter().max_by_key(|&(size, chars)| (chars, size)).map_or(160, |(size, _)| size)
}

/// How well a line is the object's part of the title: its words are in it, and it has most of it. Up to 3.1.
fn match_title(text: &str, own: &[String], title: &str, common: &FxHashSet<String>) -> f64 {
    let line: Vec<String> = words(text).filter(|word| !common.contains(word)).collect();
    if line.is_empty() || own.is_empty() {
        return 0.0;
    }
    let letters = |words: &[String]| words.iter().map(|word| word.chars().count()).sum::<usize>() as f64;
    let in_title: FxHashSet<&str> = own.iter().map(String::as_str).collect();
    let in_line: FxHashSet<&str> = line.iter().map(String::as_str).collect();
    let inside = line.iter().filter(|word| in_title.contains(word.as_str()));
    let precision = letters(&inside.cloned().collect::<Vec<_>>()) / letters(&line);
    let covered = own.iter().filter(|word| in_line.contains(word.as_str()));
    let recall = letters(&covered.cloned().collect::<Vec<_>>()) / letters(own);
    if precision < 0.5 {
        return 0.0;
    }
    // word for word; most titles begin with the name
    let text = text.trim_end_matches(['.', '\u{2026}', '-', ' ']).to_lowercase();
    let title = title.to_lowercase();
    let begins = own.len() > 1 && line.len() > 1 && own[..2] == line[..2];
    let verbatim = if title.starts_with(text.as_str()) {
        0.7
    } else if begins {
        0.5
    } else if title.contains(&text) {
        0.4
    } else {
        0.0
    };
    // "review", "overview": words of every title, not of the name
    let all = words(text.as_str()).map(|word| word.chars().count()).sum::<usize>() as f64;
    let others = 0.4 * (1.0 - letters(&line) / all.max(1.0));
    // a word of a long title is not its name
    let part = if recall < 0.25 { 0.4 } else { 1.0 };
    part * (1.2 * precision * precision + 1.2 * recall + verbatim) - others
}

/// Words of the titles of most pages: the site's name, "buy", "reviews".
fn common_words(sheets: &[Sheet<'_>]) -> FxHashSet<String> {
    if sheets.len() < 2 {
        return FxHashSet::default();
    }
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    for sheet in sheets {
        let own: FxHashSet<String> = words(&sheet.title).collect();
        for word in own {
            *counts.entry(word).or_default() += 1;
        }
    }
    let most = (0.7 * sheets.len() as f64).ceil().max(2.0) as usize;
    counts.into_iter().filter(|(_, count)| *count >= most).map(|(word, _)| word).collect()
}

/// The words of a text in small letters.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}
