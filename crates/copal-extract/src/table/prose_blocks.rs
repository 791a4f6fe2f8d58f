//! Prose blocks: elements that hold free text, and that are one value whatever is inside them.
//!
//! In: the layouts of all records. Out: the elements that are read whole, and the links in them that belong
//! to the text. What people write (posts, comments, descriptions) has paragraphs, quotations, links and
//! lists in any order. Read one by one they would be columns that few records have. An element is such a
//! block if its inner structure differs from record to record: hardly any place inside it is filled in most
//! records. Near-linear: each text is counted for a few elements around it.

use super::part_layout::PartLayout;
use copal_dom::{Node, Page, tags};
use rustc_hash::{FxHashMap, FxHashSet};

/// Fewer records do not show that a structure varies.
const MIN_PROSE_RECORDS: usize = 4;
/// Share of the records that must have the block.
const MIN_PROSE_SUPPORT: f64 = 0.3;
/// Elements around a text that are considered.
const MAX_PROSE_DEPTH: usize = 8;
/// A place inside a block that this share of the blocks fills is stable.
const STABLE_SHARE: f64 = 0.6;
/// A place that less than this share fills is optional.
const OPTIONAL_SHARE: f64 = 0.4;
/// Optional places that make an element a block of prose.
const MIN_OPTIONAL_PLACES: usize = 2;
/// Mean number of characters of a block.
const MIN_PROSE_CHARS: usize = 80;
/// Mean number of characters of a paragraph, if the block consists of paragraphs only.
const MIN_PARAGRAPH_CHARS: usize = 50;
/// A link that this share of all records has at one place is a field.
const FIELD_LINK_SHARE: f64 = 0.5;

/// What is read whole, and what is left out because of that.
#[derive(Default)]
pub(super) struct ProseBlocks {
    pub(super) whole: FxHashSet<Node>,
    /// Links and images inside blocks that are part of the text.
    pub(super) inner_links: FxHashSet<Node>,
}

/// Counts of the elements with one path key.
#[derive(Default)]
struct BlockCounts {
    /// Records with such an element, and the last of them.
    records: usize,
    last: usize,
    /// Some record has several.
    repeats: bool,
    chars: usize,
    /// Texts in elements without a class, and all texts.
    plain_texts: usize,
    texts: usize,
    /// Some text is in a control.
    has_control: bool,
}

/// Counts of one place inside the elements with one path key.
#[derive(Default)]
struct PlaceCounts {
    records: usize,
    /// The last record that has it; 0 is none.
    last: usize,
    /// How often that record has it.
    times: usize,
    /// Records that have it several times.
    several: usize,
    texts: usize,
    chars: usize,
    is_paragraph: bool,
}

/// Finds the prose blocks of a list.
pub(super) fn find_prose_blocks(page: &Page, records: &[Vec<PartLayout<'_>>]) -> ProseBlocks {
    if records.len() < MIN_PROSE_RECORDS {
        return ProseBlocks::default();
    }
    let mut blocks: FxHashMap<u64, BlockCounts> = FxHashMap::default();
    let mut places: FxHashMap<(u64, u64), PlaceCounts> = FxHashMap::default();
    for (r, layouts) in records.iter().enumerate() {
        for layout in layouts {
            count_elements(page, r, layout, &mut blocks);
            for text in layout.texts(page) {
                count_text(page, r, layout, text, &mut blocks, &mut places);
            }
        }
    }
    let prose = prose_keys(records.len(), &blocks, &places);
    if prose.is_empty() {
        return ProseBlocks::default();
    }
    let mut found = ProseBlocks::default();
    let links = link_counts(page, records);
    for layout in records.iter().flatten() {
        let mut at = layout.part.start + 1;
        while at < layout.part.end {
            if page.tree.is_text(at) || !prose.contains(&layout.key(at)) {
                at += 1;
                continue;
            }
            found.whole.insert(at);
            let inside = at + 1..page.tree.end(at);
            let is_part_of_text = |node: &Node| {
                let count = links.get(&layout.key(*node)).copied().unwrap_or_default();
                (count as f64) < FIELD_LINK_SHARE * records.len() as f64
            };
            found
                .inner_links
                .extend(inside.clone().filter(|&node| is_link(page, node)).filter(is_part_of_text));
            at = inside.end;
        }
    }
    found
}

fn is_link(page: &Page, node: Node) -> bool {
    matches!(page.tree.tag(node), tags::A | tags::IMG)
}

/// How many records have a link or an image with a key.
fn link_counts(page: &Page, records: &[Vec<PartLayout<'_>>]) -> FxHashMap<u64, usize> {
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    for layouts in records {
        let mut own: FxHashSet<u64> = FxHashSet::default();
        for layout in layouts {
            own.extend(layout.part.clone().filter(|&node| is_link(page, node)).map(|node| layout.key(node)));
        }
        for key in own {
            *counts.entry(key).or_default() += 1;
        }
    }
    counts
}

/// Counts the elements of a part that have text.
fn count_elements(page: &Page, r: usize, layout: &PartLayout<'_>, blocks: &mut FxHashMap<u64, BlockCounts>) {
    for node in layout.part.clone().skip(1).filter(|&node| !page.tree.is_text(node)) {
        if page.index.leaves(&(node..page.tree.end(node))) == 0 || !page.styles.is_shown(node) {
            continue;
        }
        let counts = blocks.entry(layout.key(node)).or_default();
        if counts.last == r + 1 {
            counts.repeats = true;
        } else {
            counts.last = r + 1;
            counts.records += 1;
        }
        let control =
            matches!(page.tree.tag(node), tags::BUTTON | tags::SELECT | tags::TEXTAREA | tags::TABLE);
        counts.has_control |= control;
    }
}

/// Counts a text for the elements around it.
fn count_text(
    page: &Page,
    r: usize,
    layout: &PartLayout<'_>,
    text: Node,
    blocks: &mut FxHashMap<u64, BlockCounts>,
    places: &mut FxHashMap<(u64, u64), PlaceCounts>,
) {
    let chars = page.tree.raw_text(text).trim().chars().count();
    let place = layout.key(text);
    let mut is_plain = true;
    let mut in_control = false;
    let parent = page.tree.parent(text);
    let is_paragraph = matches!(page.tree.tag(parent), tags::P);
    for up in layout.ancestors(page, text).take(MAX_PROSE_DEPTH) {
        let key = layout.key(up);
        let Some(block) = blocks.get_mut(&key) else { break };
        block.chars += chars;
        block.texts += 1;
        block.plain_texts += usize::from(is_plain);
        block.has_control |= in_control;
        in_control |= block.has_control;
        is_plain &= page.index.class(up) == 0;
        let counts = places.entry((key, place)).or_default();
        counts.texts += 1;
        counts.chars += chars;
        counts.is_paragraph |= is_paragraph;
        if counts.last == r + 1 {
            counts.times += 1;
            counts.several += usize::from(counts.times == 2);
        } else {
            (counts.last, counts.times) = (r + 1, 1);
            counts.records += 1;
        }
    }
}

/// The path keys of prose blocks.
fn prose_keys(
    records: usize,
    blocks: &FxHashMap<u64, BlockCounts>,
    places: &FxHashMap<(u64, u64), PlaceCounts>,
) -> FxHashSet<u64> {
    /// What the places inside one kind of element say together.
    #[derive(Default)]
    struct PlaceSummary {
        stable: usize,
        optional: usize,
        paragraphs: bool,
    }
    let mut summaries: FxHashMap<u64, PlaceSummary> = FxHashMap::default();
    for ((key, _), place) in places {
        let Some(block) = blocks.get(key) else { continue };
        let share = place.records as f64 / block.records.max(1) as f64;
        let summary = summaries.entry(*key).or_default();
        summary.stable += usize::from(share >= STABLE_SHARE);
        summary.optional += usize::from(share < OPTIONAL_SHARE);
        summary.paragraphs |= place.is_paragraph
            && 5 * place.several >= block.records
            && place.chars >= MIN_PARAGRAPH_CHARS * place.texts;
    }
    let is_prose = |(key, block): &(&u64, &BlockCounts)| {
        let Some(summary) = summaries.get(*key) else { return false };
        let frequent =
            block.records >= MIN_PROSE_RECORDS && block.records as f64 >= MIN_PROSE_SUPPORT * records as f64;
        let varies =
            summary.optional >= MIN_OPTIONAL_PLACES && block.chars >= MIN_PROSE_CHARS * block.records;
        frequent
            && !block.repeats
            && !block.has_control
            && summary.stable <= 1
            && (varies || summary.paragraphs)
            && 10 * block.plain_texts >= 7 * block.texts
    };
    blocks.iter().filter(is_prose).map(|(key, _)| *key).collect()
}
