//! How many records a list has on all its pages, as its page says.
//!
//! In: a [`Page`] and its main list. Out: the total, the range that is shown and the number of the page, read from short
//! blocks of text outside of the records, links and controls. A phrase must go with the list: a range must be as long as the
//! list, a total not smaller, and what is but a number with a noun must stand near. A wrong total would end a run too early:
//! in doubt nothing is said. O(nodes + text of blocks with digits), each block bounded.

use super::counter_words::tokens;
use super::phrase::{Form, Phrase, read};
use super::place::Place;
use super::words::digit;
use copal_dom::style::Display;
use copal_dom::{NONE, Node, Page, push_collapsed, tags};
use copal_model::{Counter, PageInfo};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest text of a block, in characters.
const LONGEST: u32 = 400;
/// Most inline elements around a text.
const INLINE: usize = 24;
/// Most blocks that are read.
const BLOCKS: usize = 2000;
/// Most characters between a list and what is about it, if it is but a number of a page.
const FAR: u32 = 1500;
/// The score a total needs.
const SURE: f64 = 3.5;

/// A line of text with digits.
struct Block {
    node: Node,
    text: String,
    /// Characters between the block and the list; none if it is between records.
    distance: Option<u32>,
    before: bool,
}

/// Adds what the page says of the whole list.
pub(super) fn add(page: &Page, place: &Place, records: usize, info: &mut PageInfo) {
    if place.is_empty() {
        return;
    }
    let mut best: Option<(f64, Phrase, String)> = None;
    let mut range: Option<(f64, (u64, u64))> = None;
    let mut found: Vec<(f64, Phrase, Block)> = Vec::new();
    for block in blocks(page, place) {
        let said = read(&tokens(&block.text));
        if info.pages.is_none() && block.distance.is_some_and(|distance| distance <= FAR) {
            info.pages = said.pages;
        }
        // several numbers in one block are facets, unless one is a range
        let ranges = said.phrases.iter().filter(|phrase| phrase.form == Form::RangeOf);
        let one = said.phrases.len() == 1 || ranges.count() == 1;
        if let Some(&phrase) = said.phrases.iter().min_by_key(|phrase| phrase.form as u8).filter(|_| one) {
            let score = judge(page, &phrase, &block, records as u64);
            found.push((score, phrase, block));
        }
    }
    let kinds = repeated(page, &found);
    for (score, phrase, block) in found {
        if kinds.contains(&page.index.class_path(block.node)) && phrase.form as u8 >= Form::Results as u8 {
            continue;
        }
        if let Some(shown) = phrase.range.filter(|_| matches!(phrase.form, Form::RangeOf | Form::Range))
            && score >= SURE
            && range.is_none_or(|(other, _)| score > other)
        {
            range = Some((score, shown));
        }
        if phrase.total.is_some() && score >= SURE && best.as_ref().is_none_or(|(other, ..)| score > *other) {
            best = Some((score, phrase, block.text));
        }
    }
    info.range = range.map(|(_, range)| range);
    // "page 3" of something else
    if let (Some((page, None)), Some((first, last))) = (info.pages, info.range)
        && (first - 1) / (last - first + 1) + 1 != page
    {
        info.pages = None;
    }
    info.counter = best.and_then(|(_, phrase, text)| {
        Some(Counter { total: phrase.total?, at_least: phrase.at_least, text })
    });
}

/// How well a phrase goes with the list.
fn judge(page: &Page, phrase: &Phrase, block: &Block, records: u64) -> f64 {
    let Some(distance) = block.distance else { return 0.0 };
    // a list may have advertisements besides, and records that were missed
    let like = |shown: u64| shown * 10 <= records * 11 + 10 && records * 2 <= shown * 3 + 4;
    let near = match distance {
        0..=300 => 1.0,
        301..=FAR => 0.5,
        _ => 0.0,
    };
    let shown = phrase.range.map(|(first, last)| last - first + 1);
    match phrase.form {
        // "compare 2 to 4 items"
        Form::Range if phrase.range.is_some_and(|(first, last)| (first - 1) % (last - first + 1) != 0) => 0.0,
        Form::RangeOf | Form::Range | Form::PartOf => {
            let fits = shown.is_some_and(like);
            let last = phrase.total.is_some() && phrase.range.map(|(_, last)| last) == phrase.total;
            let base = if phrase.form == Form::RangeOf { 3.5 } else { 2.0 };
            base + near
                + if fits {
                    2.0
                } else if last {
                    0.0
                } else {
                    -0.5
                }
        }
        Form::Results | Form::Things | Form::Total => {
            let total = phrase.total.unwrap_or_default();
            if total * 10 + 10 < records * 9 {
                return 0.0;
            }
            let kind = if phrase.form == Form::Results { 2.0 } else { 1.0 };
            let short = match block.text.chars().count() {
                0..=60 => 0.5,
                61..=100 => 0.0,
                // a sentence
                _ => -1.0,
            };
            let heading = page.tree.ancestors(block.node).take(2).chain([block.node]);
            let heading = heading.into_iter().any(|at| tags::is_heading(page.tree.tag(at)));
            let equal = total == records;
            let year = (1990..2036).contains(&total) && !equal;
            // what is near and much more than the page shows is hardly anything else
            let many = near > 0.5 && block.before && total >= 2 * records;
            kind + near
                + if many { 0.5 } else { 0.0 }
                + short
                + if block.before { 0.5 } else { 0.0 }
                + if heading { 0.5 } else { 0.0 }
                + if equal { 1.0 } else { 0.0 }
                - if year { 1.0 } else { 0.0 }
                - if aside(page, block.node) { 1.5 } else { 0.0 }
        }
    }
}

/// In a part of the page that is not about the list.
fn aside(page: &Page, node: Node) -> bool {
    page.tree.ancestors(node).any(|at| matches!(page.tree.tag(at), tags::ASIDE | tags::FOOTER))
}

/// Kinds of blocks that say different totals: counts of facets, not of the list.
fn repeated(page: &Page, found: &[(f64, Phrase, Block)]) -> FxHashSet<u32> {
    let mut totals: FxHashMap<u32, (Option<u64>, u32)> = FxHashMap::default();
    for (_, phrase, block) in found {
        let (total, different) = totals.entry(page.index.class_path(block.node)).or_insert((phrase.total, 0));
        *different += u32::from(*total != phrase.total);
    }
    totals.into_iter().filter(|(_, (_, different))| *different >= 1).map(|(kind, _)| kind).collect()
}

/// The blocks with digits, in document order.
fn blocks(page: &Page, place: &Place) -> Vec<Block> {
    let tree = &page.tree;
    let mut blocks = Vec::new();
    let (mut node, end) = (0, tree.len() as Node);
    let mut record = 0;
    while node < end && blocks.len() < BLOCKS {
        if let Some(behind) = place.record_end_from(&mut record, node) {
            node = behind;
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
        let (text, behind) = around(page, place, node);
        let (distance, before) = place.distance(page, node);
        let lines = text.iter().flat_map(|text| text.split('\n')).map(str::trim);
        blocks.extend(lines.filter(|line| line.chars().any(|c| digit(c).is_some())).map(|line| Block {
            node: tree.parent(node),
            text: line.to_owned(),
            distance,
            before,
        }));
        node = behind.max(node + 1);
    }
    blocks
}

/// What is to be filled in, and what is not to be read.
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
    // digits of other scripts
    let text = page.tree.raw_text(node);
    text.len() <= LONGEST as usize && !text.is_ascii() && text.chars().any(|c| digit(c).is_some())
}

/// The text of the block around a node, if it is short, and the node behind the block.
fn around(page: &Page, place: &Place, node: Node) -> (Option<String>, Node) {
    let tree = &page.tree;
    let mut block = tree.parent(node);
    for _ in 0..INLINE {
        if page.styles.display(block) != Display::Inline || tree.parent(block) == NONE {
            break;
        }
        block = tree.parent(block);
    }
    // a block that holds others too has lines: those next to the node
    let end = tree.end(block);
    let whole = page.index.chars(&(block..end)) <= LONGEST && !place.overlaps(block..end);
    let (from, to) =
        if whole { (block, end) } else { (block.max(node.saturating_sub(12)), end.min(node + 16)) };
    let mut text = String::new();
    let mut at = from;
    while at < to {
        if let Some(behind) = place.record_end(at) {
            text.push('\n');
            at = behind;
            continue;
        }
        if tree.is_text(at) {
            if page.styles.is_shown(at) {
                push_collapsed(&mut text, tree.raw_text(at));
            }
        } else if tree.tag(at) == tags::A && page.index.digits(&(at..tree.end(at))) > 0 {
            // numbers of links are those of pages and facets
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
    let fits = text.len() <= 4 * LONGEST as usize;
    (fits.then_some(text), to.max(node + 1))
}
