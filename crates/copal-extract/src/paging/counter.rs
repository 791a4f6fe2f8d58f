//! The counter of a list: how many records the page announces.
//!
//! In: a [`Page`] and its main list. Out: the total, the range of the records on the page and the page
//! number, read from short lines of text outside records, links and controls. A phrase must fit the list: a
//! range must be about as long as the list, a total must not be smaller, and a mere number with a noun must
//! be near the list. A wrong total would end following too early, so in doubt nothing is reported. O(nodes +
//! text of blocks with digits), with bounded blocks.

use super::counter_phrases::{CounterPhrase, PhraseForm, read_phrases};
use super::counter_tokens::tokens;
use super::digits::digit;
use super::list_extent::ListExtent;
use super::page_nouns::PageNouns;
use copal_dom::style::Display;
use copal_dom::{NONE, Node, Page, push_collapsed, tags};
use copal_model::{Counter, PageInfo};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum length of a block's text in characters.
const MAX_BLOCK_CHARS: u32 = 400;
/// Maximum number of inline elements around a text.
const MAX_INLINE_ANCESTORS: usize = 24;
/// Maximum number of lines that are read.
const MAX_COUNTER_LINES: usize = 2000;
/// A page number counts only if at most this many characters are between it and the list.
const MAX_COUNTER_DISTANCE: u32 = 1500;
/// The minimum score of a total or a range.
const MIN_COUNTER_SCORE: f64 = 3.5;

/// A line of text with digits.
struct CounterLine {
    node: Node,
    text: String,
    /// The number of characters between the line and the list; `None` if the line is between records.
    distance: Option<u32>,
    before: bool,
}

/// Adds what the page says about the size of the list. Returns the element that the counter was read in.
/// With `nouns`, also numbers with a noun that only this page has.
pub(super) fn add(
    page: &Page,
    extent: &ListExtent,
    records: usize,
    nouns: Option<&PageNouns>,
    info: &mut PageInfo,
) -> Option<Node> {
    if extent.is_empty() {
        return None;
    }
    let mut best: Option<(f64, CounterPhrase, CounterLine)> = None;
    let mut range: Option<(f64, (u64, u64))> = None;
    let mut found: Vec<(f64, CounterPhrase, CounterLine)> = Vec::new();
    for line in lines(page, extent) {
        let said = read_phrases(&tokens(&line.text, &|word| nouns.is_some_and(|nouns| nouns.contains(word))));
        if info.pages.is_none() && line.distance.is_some_and(|distance| distance <= MAX_COUNTER_DISTANCE) {
            info.pages = said.pages;
        }
        // several numbers in one line are facets, unless one of them is a range
        let ranges = said.phrases.iter().filter(|phrase| phrase.form == PhraseForm::RangeOf);
        let one = said.phrases.len() == 1 || ranges.count() == 1;
        if let Some(&phrase) = said.phrases.iter().min_by_key(|phrase| phrase.form as u8).filter(|_| one) {
            let score = score(page, &phrase, &line, records as u64);
            found.push((score, phrase, line));
        }
    }
    let facets = facet_paths(page, &found);
    for (score, phrase, line) in found {
        if facets.contains(&page.index.class_path(line.node))
            && phrase.form as u8 >= PhraseForm::Results as u8
        {
            continue;
        }
        if let Some(shown) =
            phrase.range.filter(|_| matches!(phrase.form, PhraseForm::RangeOf | PhraseForm::Range))
            && score >= MIN_COUNTER_SCORE
            && range.is_none_or(|(other, _)| score > other)
        {
            range = Some((score, shown));
        }
        if phrase.total.is_some()
            && score >= MIN_COUNTER_SCORE
            && best.as_ref().is_none_or(|(other, ..)| score > *other)
        {
            best = Some((score, phrase, line));
        }
    }
    info.range = range.map(|(_, range)| range);
    // a "page 3" that contradicts the range belongs to something else
    if let (Some((page, None)), Some((first, last))) = (info.pages, info.range)
        && (first - 1) / (last - first + 1) + 1 != page
    {
        info.pages = None;
    }
    let (_, phrase, line) = best?;
    let element = element_with(page, line.node, &line.text);
    info.counter = Some(Counter { total: phrase.total?, at_least: phrase.at_least, text: line.text });
    element
}

/// The lowest element from `node` upwards that shows the whole text: the digits of "1-5 of 23" may be in
/// elements of their own.
fn element_with(page: &Page, node: Node, text: &str) -> Option<Node> {
    let up = std::iter::once(node).chain(page.tree.ancestors(node)).take(MAX_INLINE_ANCESTORS);
    let mut short = up.take_while(|&at| page.index.chars(&(at..page.tree.end(at))) <= MAX_BLOCK_CHARS);
    short.find(|&at| {
        let mut shown = String::new();
        let texts = (at..page.tree.end(at)).filter(|&part| page.tree.is_text(part));
        for part in texts.filter(|&part| page.styles.is_shown(part)) {
            push_collapsed(&mut shown, page.tree.raw_text(part));
        }
        shown.contains(text)
    })
}

/// How well a phrase fits the list.
fn score(page: &Page, phrase: &CounterPhrase, line: &CounterLine, records: u64) -> f64 {
    let Some(distance) = line.distance else { return 0.0 };
    // the list may contain adverts, and records may have been missed
    let is_about_equal = |shown: u64| shown * 10 <= records * 11 + 10 && records * 2 <= shown * 3 + 4;
    let near = match distance {
        0..=300 => 1.0,
        301..=MAX_COUNTER_DISTANCE => 0.5,
        _ => 0.0,
    };
    let shown = phrase.range.map(|(first, last)| last - first + 1);
    match phrase.form {
        // "compare 2 to 4 items"
        PhraseForm::Range
            if phrase.range.is_some_and(|(first, last)| (first - 1) % (last - first + 1) != 0) =>
        {
            0.0
        }
        PhraseForm::RangeOf | PhraseForm::Range | PhraseForm::PartOf => {
            let fits = shown.is_some_and(is_about_equal);
            let last = phrase.total.is_some() && phrase.range.map(|(_, last)| last) == phrase.total;
            let base = if phrase.form == PhraseForm::RangeOf { 3.5 } else { 2.0 };
            base + near
                + if fits {
                    2.0
                } else if last {
                    0.0
                } else {
                    -0.5
                }
        }
        PhraseForm::Results | PhraseForm::Things | PhraseForm::Total | PhraseForm::Own => {
            let total = phrase.total.unwrap_or_default();
            if total * 10 + 10 < records * 9 {
                return 0.0;
            }
            // a noun of the page is weak evidence: everything else must fit
            let is_own = phrase.form == PhraseForm::Own;
            let is_year = (1900..2100).contains(&total);
            if is_own && (near < 1.0 || !line.before || is_year || total < records) {
                return 0.0;
            }
            let kind = if phrase.form == PhraseForm::Results { 2.0 } else { 1.0 };
            let short = match line.text.chars().count() {
                0..=60 => 0.5,
                61..=100 => 0.0,
                // a whole sentence
                _ => -1.0,
            };
            let heading = page.tree.ancestors(line.node).take(2).chain([line.node]);
            let heading = heading.into_iter().any(|at| tags::is_heading(page.tree.tag(at)));
            let equal = total == records;
            let year = (1990..2036).contains(&total) && !equal;
            // a number near the list that is much larger than the number of records is probably the total
            let many = near > 0.5 && line.before && total >= 2 * records;
            kind + near
                + if many { 0.5 } else { 0.0 }
                + short
                + if line.before { 0.5 } else { 0.0 }
                + if heading { 0.5 } else { 0.0 }
                + if equal { 1.0 } else { 0.0 }
                - if year { 1.0 } else { 0.0 }
                - if is_aside(page, line.node) { 1.5 } else { 0.0 }
        }
    }
}

/// True in a part of the page that is not about the list.
fn is_aside(page: &Page, node: Node) -> bool {
    page.tree.ancestors(node).any(|at| matches!(page.tree.tag(at), tags::ASIDE | tags::FOOTER))
}

/// The class paths of lines that state different totals: they count facets, not the list.
fn facet_paths(page: &Page, found: &[(f64, CounterPhrase, CounterLine)]) -> FxHashSet<u32> {
    let mut totals: FxHashMap<u32, (Option<u64>, u32)> = FxHashMap::default();
    for (_, phrase, line) in found {
        let (total, different) = totals.entry(page.index.class_path(line.node)).or_insert((phrase.total, 0));
        *different += u32::from(*total != phrase.total);
    }
    totals.into_iter().filter(|(_, (_, different))| *different >= 1).map(|(path, _)| path).collect()
}

/// The lines with digits, in document order.
fn lines(page: &Page, extent: &ListExtent) -> Vec<CounterLine> {
    let tree = &page.tree;
    let mut lines = Vec::new();
    let (mut node, end) = (0, tree.len() as Node);
    let mut record = 0;
    while node < end && lines.len() < MAX_COUNTER_LINES {
        if let Some(end) = extent.record_end_from(&mut record, node) {
            node = end;
            continue;
        }
        if !tree.is_text(node) {
            let skipped = tree.tag(node) == tags::A || is_control(page, node);
            node = if skipped { tree.end(node) } else { node + 1 };
            continue;
        }
        if !page.styles.is_shown(node) || !has_digit(page, node) {
            node += 1;
            continue;
        }
        let (text, after) = block_around(page, extent, node);
        let (distance, before) = extent.distance(page, node);
        let block_lines = text.iter().flat_map(|text| text.split('\n')).map(str::trim);
        lines.extend(
            block_lines.filter(|line| line.chars().any(|c| digit(c).is_some())).map(|line| CounterLine {
                node: tree.parent(node),
                text: line.to_owned(),
                distance,
                before,
            }),
        );
        node = after.max(node + 1);
    }
    lines
}

/// True for form controls and for elements whose text is not for readers.
fn is_control(page: &Page, node: Node) -> bool {
    match page.tree.tag(node) {
        tags::SELECT | tags::BUTTON | tags::TEXTAREA | tags::SCRIPT | tags::STYLE => true,
        tags::LABEL => page.tree.attr_named(node, "for").is_some(),
        _ => false,
    }
}

fn has_digit(page: &Page, node: Node) -> bool {
    if page.index.digits(&(node..node + 1)) > 0 {
        return true;
    }
    // the index counts ASCII digits only
    let text = page.tree.raw_text(node);
    text.len() <= MAX_BLOCK_CHARS as usize && !text.is_ascii() && text.chars().any(|c| digit(c).is_some())
}

/// The text of the block around a node, if it is short, and the node after the block.
fn block_around(page: &Page, extent: &ListExtent, node: Node) -> (Option<String>, Node) {
    let tree = &page.tree;
    let mut block = tree.parent(node);
    for _ in 0..MAX_INLINE_ANCESTORS {
        if page.styles.display(block) != Display::Inline || tree.parent(block) == NONE {
            break;
        }
        block = tree.parent(block);
    }
    // of a long block, or one that contains records, only the text next to the node is read
    let end = tree.end(block);
    let whole = page.index.chars(&(block..end)) <= MAX_BLOCK_CHARS && !extent.overlaps(block..end);
    let (from, to) =
        if whole { (block, end) } else { (block.max(node.saturating_sub(12)), end.min(node + 16)) };
    let mut text = String::new();
    let mut at = from;
    while at < to {
        if let Some(record_end) = extent.record_end(at) {
            text.push('\n');
            at = record_end;
            continue;
        }
        if tree.is_text(at) {
            if page.styles.is_shown(at) {
                push_collapsed(&mut text, tree.raw_text(at));
            }
        } else if tree.tag(at) == tags::A && page.index.digits(&(at..tree.end(at))) > 0 {
            // numbers in links are those of pages and facets
            text.push('\n');
            at = tree.end(at);
            continue;
        } else if is_control(page, at) {
            text.push('\n');
            at = tree.end(at);
            continue;
        } else if at > block && (page.styles.display(at) == Display::Block || tree.tag(at) == tags::BR) {
            text.push('\n');
        }
        at += 1;
    }
    let fits = text.len() <= 4 * MAX_BLOCK_CHARS as usize;
    (fits.then_some(text), to.max(node + 1))
}
