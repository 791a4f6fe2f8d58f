//! The other sections of the main list: one list in several grids or tables, by year, day or category.
//!
//! In: the ranked lists of a page. Out: the same, with the main list extended by records of the same look in
//! equal containers elsewhere on the page. The ranking chooses between the whole list and its parts by how the
//! records look, which does not tell whether the parts belong together. The page does: each part has a heading
//! of the same kind, the parts follow each other without a text in between, or the page's counter ("1-25 of
//! 25") fits the whole only. Lists that become part of the main list are dropped. O(nodes) if some elements
//! have the place of a record.

use super::candidate::{ListCandidate, RankedLists, one_part};
use super::features::overlap::NodeSpans;
use crate::paging::shown_by_counter;
use crate::signals::Signals;
use crate::signals::zones::words::SECONDARY_TITLES;
use crate::structure::layout;
use crate::structure::measure::{jaccard, median};
use crate::structure::record_shape::{Shape, Shapes};
use crate::structure::section_headings::{heading_text, section_headings};
use copal_dom::{Node, Page, tags};
use copal_model::Parts;
use rustc_hash::FxHashSet;

/// Minimum similarity of a section's records to those of the main list.
const MIN_SECTION_SIMILARITY: f64 = 0.5;
/// How many records of a list are compared.
const SAMPLED_IN_SECTION: usize = 7;
/// Maximum number of characters between sections without headings.
const MAX_CHARS_BETWEEN_SECTIONS: u32 = 4;
/// Maximum number of records that are added.
const MAX_ADDED_RECORDS: usize = 20_000;

/// Adds the other sections of the main list to it.
pub(super) fn with_all_sections(signals: &Signals<'_>, mut lists: RankedLists) -> RankedLists {
    let Some(main) = (0..lists.regions.len()).find(|&rank| lists.role(rank).is_main()) else { return lists };
    let page = signals.page;
    drop_secondary_sections(page, &mut lists.regions[main]);
    let Some(added) = other_sections(signals, &lists.regions[main]) else { return lists };
    let list = &mut lists.regions[main];
    list.records.extend(added.into_iter().map(|node| one_part(node..page.tree.end(node))));
    list.records.sort_by_key(|parts| parts[0].start);
    list.root = layout::common_root(&page.tree, &list.records);
    drop_overlapping(&mut lists, main);
    lists
}

/// Drops sections with a heading such as "related" from a list that was chosen with them.
fn drop_secondary_sections(page: &Page, list: &mut ListCandidate) {
    if !list.attributes.is_empty() {
        return;
    }
    let Some(headings) = section_headings(page, &list.records) else { return };
    let is_other: Vec<bool> = headings.iter().map(|nodes| is_secondary(&heading_text(page, nodes))).collect();
    let others = is_other.iter().filter(|other| **other).count();
    let begins_with_sample = is_sample(&heading_text(page, &headings[0]).to_lowercase());
    if others > 0 && 2 * others < is_other.len() && (!is_other[0] || begins_with_sample) {
        let mut is_other = is_other.into_iter();
        list.records.retain(|_| !is_other.next().unwrap_or_default());
    }
}

/// Drops the other lists that share nodes with the main one.
fn drop_overlapping(lists: &mut RankedLists, main: usize) {
    let spans = NodeSpans::of(&lists.regions[main]);
    for rank in (0..lists.regions.len()).rev().filter(|&rank| rank != main) {
        if NodeSpans::of(&lists.regions[rank]).overlaps(&spans) {
            lists.regions.remove(rank);
            if rank < lists.judged.len() {
                lists.judged.remove(rank);
            }
            if rank < lists.grounds.len() {
                lists.grounds.remove(rank);
            }
        }
    }
}

/// The records of the other sections.
fn other_sections(signals: &Signals<'_>, list: &ListCandidate) -> Option<Vec<Node>> {
    let page = signals.page;
    if !list.attributes.is_empty() {
        return None;
    }
    let own: Vec<Node> = whole_elements(page, &list.records)?;
    let sections = alike_sections(signals, &own);
    if sections.is_empty() {
        return None;
    }
    let with_headings = with_own_headings(page, &own, &sections);
    if !with_headings.is_empty() {
        return Some(with_headings);
    }
    let all = union(&own, sections.iter().flatten());
    let shown = shown_by_counter(page, &records_of(page, &all));
    if shown == Some(all.len() as u64) {
        return Some(sections.concat());
    }
    let adjacent = adjacent_sections(page, &own, &sections);
    (!adjacent.is_empty()).then_some(adjacent)
}

/// The records, if each is one whole element.
fn whole_elements(page: &Page, records: &[Parts]) -> Option<Vec<Node>> {
    let one = |parts: &Parts| match parts.as_slice() {
        [part] if page.tree.end(part.start) == part.end && !page.tree.is_text(part.start) => Some(part.start),
        _ => None,
    };
    records.iter().map(one).collect()
}

fn records_of(page: &Page, nodes: &[Node]) -> Vec<Parts> {
    nodes.iter().map(|&node| one_part(node..page.tree.end(node))).collect()
}

fn union<'a>(own: &'a [Node], added: impl Iterator<Item = &'a Node>) -> Vec<Node> {
    let mut all: Vec<Node> = own.iter().chain(added).copied().collect();
    all.sort_unstable();
    all
}

/// Elements that have the path, the classes and the look of the records, by their parents.
fn alike_sections(signals: &Signals<'_>, own: &[Node]) -> Vec<Vec<Node>> {
    let (page, zones) = (signals.page, signals.zones());
    let (tree, index) = (&page.tree, &page.index);
    let place = |node: Node| (index.path(node), index.class(node), index.class(tree.parent(node)));
    let places = own.iter().map(|&node| place(node));
    let Some(usual) = most_frequent(places, own.len()) else { return Vec::new() };
    let is_free = |node: Node| {
        let at = own.partition_point(|&record| record < node);
        let is_inside = at > 0 && tree.end(own[at - 1]) > node;
        !is_inside && own.get(at).is_none_or(|&next| next >= tree.end(node))
    };
    let is_zone_like = |node: Node| {
        zones.is_navigation(node) == zones.is_navigation(own[0])
            && zones.is_aside(node) == zones.is_aside(own[0])
    };
    let mut sections: Vec<Vec<Node>> = Vec::new();
    let (mut parent, mut count) = (None, 0);
    for node in tree.nodes() {
        if tree.is_text(node)
            || index.path(node) != usual.0
            || place(node) != usual
            || !page.styles.is_shown(node)
            || is_header_row(page, node)
            || index.leaves(&(node..tree.end(node))) == 0
            || !is_free(node)
            || !is_zone_like(node)
        {
            continue;
        }
        if parent.replace(tree.parent(node)) != Some(tree.parent(node)) {
            sections.push(Vec::new());
        }
        count += 1;
        if count > MAX_ADDED_RECORDS {
            return Vec::new();
        }
        if let Some(section) = sections.last_mut() {
            section.push(node);
        }
    }
    if sections.is_empty() {
        return sections;
    }
    let shapes = Shapes::new(page);
    let sampled = |nodes: &[Node]| -> Vec<Shape> {
        let step = (nodes.len() / SAMPLED_IN_SECTION).max(1);
        let sample = nodes.iter().step_by(step).take(SAMPLED_IN_SECTION);
        sample.map(|&node| shapes.of(&one_part(node..tree.end(node)))).collect()
    };
    let usual_shapes = sampled(own);
    let is_alike = |section: &Vec<Node>| {
        let likeness = |shape: &Shape| median(usual_shapes.iter().map(|own| jaccard(own, shape)));
        median(sampled(section).iter().map(likeness)) >= MIN_SECTION_SIMILARITY
    };
    // elements among the records were left out for a reason
    let parents: FxHashSet<Node> = own.iter().map(|&node| tree.parent(node)).collect();
    sections.retain(|section| !parents.contains(&tree.parent(section[0])) && is_alike(section));
    sections
}

/// True for a row of headers, which each table of a list has.
fn is_header_row(page: &Page, row: Node) -> bool {
    let tree = &page.tree;
    tree.tag(row) == tags::TR
        && tree.elements(row).count() > 1
        && tree.elements(row).all(|cell| tree.tag(cell) == tags::TH)
}

/// What at least two thirds have in common.
fn most_frequent<T: Ord + Copy>(values: impl Iterator<Item = T>, count: usize) -> Option<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    let longest = values.chunk_by(|a, b| a == b).max_by_key(|run| run.len())?;
    (3 * longest.len() >= 2 * count).then_some(longest[0])
}

/// The records of the sections that begin with a heading of their own, if the main list does too. "Related"
/// and the like are headings of other lists.
fn with_own_headings(page: &Page, own: &[Node], sections: &[Vec<Node>]) -> Vec<Node> {
    let all = union(own, sections.iter().flatten());
    let Some(headings) = section_headings(page, &records_of(page, &all)) else { return Vec::new() };
    let heading_at = |at: usize| heading_text(page, &headings[at]);
    let begins_section = |first: Node| {
        let Ok(at) = all.binary_search(&first) else { return false };
        (at == 0 || headings[at] != headings[at - 1]) && !is_secondary(&heading_at(at))
    };
    let is_own_secondary = all.binary_search(&own[0]).is_ok_and(|at| is_secondary(&heading_at(at)));
    if is_own_secondary || !begins_section(own[0]) {
        return Vec::new();
    }
    sections.iter().filter(|section| begins_section(section[0])).flatten().copied().collect()
}

/// True for a title of a list that is not the main one. Featured and popular records are records of the list.
fn is_secondary(title: &str) -> bool {
    let lower = title.to_lowercase();
    let mut titles = SECONDARY_TITLES.iter().filter(|title| !matches!(**title, "featured" | "popular"));
    titles.any(|start| lower.starts_with(start)) || is_sample(&lower)
}

/// Words in titles of a few records that are shown to make the reader curious.
const SAMPLE_WORDS: &[&str] = &[
    "random",
    "discover",
    "zufällig",
    "zufalls",
    "aléatoire",
    "aleatori",
    "al azar",
    "casuali",
    "willekeurig",
    "losow",
    "náhodn",
    "slump",
    "tilfeldig",
    "tilfældig",
    "satunnai",
    "rastgele",
    "случайн",
    "випадков",
    "ランダム",
    "随机",
    "隨機",
    "랜덤",
];

/// True for the title of a section with a sample of the records. The title is in lower case.
fn is_sample(title: &str) -> bool {
    SAMPLE_WORDS.iter().any(|word| title.contains(word))
}

/// The records of the sections that follow the list, or each other, without a text in between.
fn adjacent_sections(page: &Page, own: &[Node], sections: &[Vec<Node>]) -> Vec<Node> {
    let tree = &page.tree;
    let (Some(&first), Some(&last)) = (own.first(), own.last()) else { return Vec::new() };
    let is_adjacent =
        |from: Node, to: Node| from <= to && page.index.chars(&(from..to)) <= MAX_CHARS_BETWEEN_SECTIONS;
    let ends = |section: &[Node]| (section[0], tree.end(section[section.len() - 1]));
    let mut added = Vec::new();
    let mut start = first;
    for section in sections.iter().rev().filter(|section| section[0] < first) {
        let (from, to) = ends(section);
        if !is_adjacent(to, start) {
            break;
        }
        added.extend_from_slice(section);
        start = from;
    }
    let mut end = tree.end(last);
    for section in sections.iter().filter(|section| section[0] > last) {
        let (from, to) = ends(section);
        if !is_adjacent(end, from) {
            break;
        }
        added.extend_from_slice(section);
        end = to;
    }
    added
}
