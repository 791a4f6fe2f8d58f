//! The line that names the object of a page.
//!
//! In: the pages of one template. Out: the headline of each page, as the index of its line. The evidence for
//! a line: its words are those words of the page's title that differ between the pages (feature TA of section
//! 6.5), it is an `h1`, it is declared as the name, its class calls it a title, it is large, it differs
//! between the pages, it is not a link. A tag path that has good lines on many pages is preferred; a page
//! without it takes its own best line. O(lines).

use super::detail_page::{DetailPage, LineLeaf, PageLine};
use super::text_forms::lower_words;
use crate::signals::zones::words::any_class_word;
use copal_dom::{attrs, tags};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest headline, in bytes.
const MAX_HEADLINE_BYTES: usize = 250;
/// Smallest score of a headline.
const MIN_HEADLINE_SCORE: f64 = 0.6;
/// Share of the pages whose titles have a common word.
const COMMON_WORD_PAGE_SHARE: f64 = 0.7;
/// Elements around a line whose class or id may call it a title.
const NAMING_ELEMENTS: usize = 2;
/// Font size, in the unit of the styles, of a page without text.
const DEFAULT_FONT_SIZE: u32 = 160;

/// Finds the headline of each page.
pub(super) fn find_headlines(pages: &[DetailPage<'_>]) -> Vec<Option<usize>> {
    let common = common_title_words(pages);
    let scores: Vec<Vec<(usize, f64)>> = pages.iter().map(|page| line_scores(page, &common)).collect();
    // By path: the best scores of all pages, added up.
    let mut path_scores: FxHashMap<u64, f64> = FxHashMap::default();
    for (page, scores) in pages.iter().zip(&scores) {
        let mut best: FxHashMap<u64, f64> = FxHashMap::default();
        for &(line, score) in scores {
            let known = best.entry(page.lines[line].path).or_insert(f64::MIN);
            *known = known.max(score);
        }
        for (path, score) in best {
            *path_scores.entry(path).or_default() += score.max(0.0);
        }
    }
    let page_count = pages.len().max(1) as f64;
    let headlines = pages.iter().zip(&scores).map(|(page, scores)| {
        let total = |&(line, score): &(usize, f64)| {
            let support = path_scores.get(&page.lines[line].path).copied().unwrap_or(0.0) / page_count;
            score + if pages.len() > 1 { 1.5 * support } else { 0.0 }
        };
        // Of lines with equal scores, the first one is taken.
        let best = scores.iter().rev().max_by(|a, b| total(a).total_cmp(&total(b)))?;
        (best.1 >= MIN_HEADLINE_SCORE).then_some(best.0)
    });
    headlines.collect()
}

/// The name in a headline, without what other elements add after it ("by …", "(2004)", "| …").
pub(super) fn name_in_headline(line: &PageLine) -> &str {
    let is_addition = |text: &str| {
        let text = text.trim_start();
        text.starts_with(['|', '(', '[', '\u{2013}', '\u{2014}', '-', '\u{2022}', ','])
            || text
                .split_whitespace()
                .next()
                .is_some_and(|word| matches!(word, "by" | "By" | "BY" | "from" | "von" | "par"))
    };
    let ends = |text: &str| text.trim_end().ends_with(['|', '\u{2013}', '\u{2014}', '\u{2022}']);
    let text = |leaf: &LineLeaf| &line.text[leaf.span.clone()];
    let cut = line.leaves.windows(2).find(|two| is_addition(text(&two[1])) || ends(text(&two[0])));
    let name = cut.map_or(line.text.as_str(), |two| &line.text[..two[1].span.start]).trim();
    if name.contains(char::is_alphanumeric) { name } else { &line.text }
}

fn line_scores(page: &DetailPage<'_>, common: &FxHashSet<String>) -> Vec<(usize, f64)> {
    let titles =
        [page.title.as_str(), page.declared_title.as_str()].map(|title| TitleWords::new(title, common));
    let size = |line: &PageLine| page.dom.styles.style(line.first()).size;
    let usual = usual_font_size(page);
    let mut scores = Vec::new();
    let tree = &page.dom.tree;
    for (at, line) in page.lines.iter().enumerate() {
        if line.text.len() > MAX_HEADLINE_BYTES || !line.text.contains(char::is_alphabetic) {
            continue;
        }
        let name = name_in_headline(line);
        let words: Vec<String> = lower_words(name).filter(|word| !common.contains(word)).collect();
        let mut score = titles.iter().map(|title| title.matched_by(name, &words)).fold(0.0, f64::max);
        // A heading that does not match the title is the heading of something else. A link that matches it
        // may lead to this very page.
        let (heading_weight, link_penalty) = match score {
            matched if matched >= 1.5 => (1.0, 0.2),
            matched if matched >= 1.0 || page.title.is_empty() => (1.0, 0.6),
            _ => (0.5, 0.6),
        };
        for above in std::iter::once(line.first()).chain(tree.ancestors(line.first())).take(4) {
            score += match tree.tag(above) {
                tags::H1 => 1.5 * heading_weight,
                tags::H2 => 0.7 * heading_weight,
                tags::H3 => 0.3 * heading_weight,
                tags::A => -link_penalty,
                tags::LI => -0.2,
                tags::NAV => -1.5,
                _ => 0.0,
            };
            let is_name = tree
                .attr(above, attrs::ITEMPROP)
                .is_some_and(|name| matches!(name, "name" | "title" | "headline"));
            score += if is_name { 0.8 } else { 0.0 };
        }
        score += match f64::from(size(line)) / f64::from(usual.max(1)) {
            ratio if ratio >= 1.4 => 0.4,
            ratio if ratio >= 1.1 => 0.2,
            _ => 0.0,
        };
        let style = page.dom.styles.style(line.first());
        // Where the title says nothing about the object, the way a line looks has to do.
        if page.page_count > 1 && !page.title_varies && (style.bold || u32::from(size(line)) > usual) {
            score += 0.5;
        }
        // Without other pages, headings of sections have such classes too.
        if page.page_count > 1 && names_object(page, at) {
            score += 0.4;
        }
        if page.is_static(at) {
            score -= 2.5;
        }
        if score > 0.0 {
            scores.push((at, score));
        }
    }
    scores
}

/// True if the class or id of an element that shows only this line says that it is a title or a name.
fn names_object(page: &DetailPage<'_>, at: usize) -> bool {
    let tree = &page.dom.tree;
    let line = &page.lines[at];
    let around = std::iter::once(line.node).chain(tree.ancestors(line.node)).take(NAMING_ELEMENTS);
    let mut around = around.take_while(|&node| page.lines_of(node) == (at..at + 1));
    around.any(|node| {
        let mut names = [attrs::ID, attrs::CLASS].into_iter().filter_map(|name| tree.attr(node, name));
        names.any(|name| any_class_word(name, |word| matches!(word, "title" | "name" | "headline")))
    })
}

/// The font size of most of the text.
fn usual_font_size(page: &DetailPage<'_>) -> u32 {
    let mut sizes: FxHashMap<u32, usize> = FxHashMap::default();
    for line in &page.lines {
        *sizes.entry(u32::from(page.dom.styles.style(line.first()).size)).or_default() += line.text.len();
    }
    sizes.into_iter().max_by_key(|&(size, bytes)| (bytes, size)).map_or(DEFAULT_FONT_SIZE, |(size, _)| size)
}

/// A title of the page, without the words that the titles of most pages have.
struct TitleWords {
    lower: String,
    words: Vec<String>,
    chars: f64,
}

impl TitleWords {
    fn new(title: &str, common: &FxHashSet<String>) -> TitleWords {
        let words: Vec<String> = lower_words(title).filter(|word| !common.contains(word)).collect();
        let chars = char_count(&words);
        TitleWords { lower: title.to_lowercase(), words, chars }
    }

    /// How well a line matches the object's part of the title: the share of its words that are in the title, and
    /// the share of the title that it covers. At most 3.1.
    fn matched_by(&self, text: &str, line_words: &[String]) -> f64 {
        let title_words = &self.words;
        if line_words.is_empty() || title_words.is_empty() {
            return 0.0;
        }
        let line_chars = char_count(line_words);
        let precision = char_count(line_words.iter().filter(|word| title_words.contains(word))) / line_chars;
        if precision < 0.5 {
            return 0.0;
        }
        let in_line: FxHashSet<&str> = line_words.iter().map(String::as_str).collect();
        let covered = title_words.iter().filter(|word| in_line.contains(word.as_str()));
        let recall = char_count(covered) / self.chars;
        // A verbatim match counts more, most of all at the beginning: most titles begin with the name.
        let text = text.trim_end_matches(['.', '\u{2026}', '-', ' ']).to_lowercase();
        let begins = title_words.len() > 1 && line_words.len() > 1 && title_words[..2] == line_words[..2];
        let verbatim = if self.lower.starts_with(text.as_str()) {
            0.7
        } else if begins {
            0.5
        } else if self.lower.contains(&text) {
            0.4
        } else {
            0.0
        };
        // Words of every title ("review", "overview") are not part of the name.
        let all_chars = lower_words(text.as_str()).map(|word| word.chars().count()).sum::<usize>() as f64;
        let common_penalty = 0.4 * (1.0 - line_chars / all_chars.max(1.0));
        // One word of a long title is not the name.
        let coverage = if recall < 0.25 { 0.4 } else { 1.0 };
        coverage * (1.2 * precision * precision + 1.2 * recall + verbatim) - common_penalty
    }
}

/// The number of characters of some words.
fn char_count<'w>(words: impl IntoIterator<Item = &'w String>) -> f64 {
    words.into_iter().map(|word| word.chars().count()).sum::<usize>() as f64
}

/// Words in the titles of most pages: the name of the site, "buy", "reviews".
fn common_title_words(pages: &[DetailPage<'_>]) -> FxHashSet<String> {
    if pages.len() < 2 {
        return FxHashSet::default();
    }
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    for page in pages {
        let own: FxHashSet<String> = lower_words(&page.title).collect();
        for word in own {
            *counts.entry(word).or_default() += 1;
        }
    }
    let min_count = (COMMON_WORD_PAGE_SHARE * pages.len() as f64).ceil().max(2.0) as usize;
    counts.into_iter().filter(|(_, count)| *count >= min_count).map(|(word, _)| word).collect()
}
