//! A page as lines, and which of them its template's other pages show too (thesis section 6.3, Algorithm 7).
//!
//! In: pages of one template. Out: one [`Sheet`] a page: its lines of visible text in order, each with the hash of its tag path and
//! the number of pages that show the same text at that path. Algorithm 7 compares all pairs of pages node by node; here texts
//! are counted by (path, text), so an inserted block moves nothing out of step and the cost is linear in the pages together.

use copal_dom::hash::mix;
use copal_dom::{Node, Page, attrs, is_stable_word, push_collapsed, tags};
use copal_domain::TextRuns;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Longest text of a line that is compared as a whole.
const COMPARED: usize = 400;

/// Characters of a title that are read.
const TITLE: usize = 300;

/// A text node's part of a line.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) node: Node,
    /// Where in the line's text it stands.
    pub(super) span: Range<usize>,
    /// Pages that show this text at this path.
    pub(super) pages: u32,
}

/// A line of text: a piece between block borders.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// The lowest element that holds it whole.
    pub(super) node: Node,
    pub(super) text: String,
    pub(super) leaves: Vec<Leaf>,
    /// Tag path of the first text, with classes; equal on all pages of a template.
    pub(super) path: u64,
    /// In boilerplate or in a list of other things.
    pub(super) outside: bool,
    /// In boilerplate or outside of the area, but it differs from page to page.
    pub(super) doubtful: bool,
    /// Where in the page's clob it begins.
    pub(super) start: usize,
}

impl Line {
    pub(super) fn first(&self) -> Node {
        self.leaves.first().map_or(self.node, |leaf| leaf.node)
    }

    pub(super) fn last(&self) -> Node {
        self.leaves.last().map_or(self.node, |leaf| leaf.node)
    }
}

/// A page as lines.
pub(super) struct Sheet<'p> {
    pub(super) page: &'p Page,
    pub(super) lines: Vec<Line>,
    /// By node: the hash of its tag path.
    pub(super) paths: Vec<u64>,
    /// Pages of its template, this one included.
    pub(super) pages: u32,
    pub(super) title: String,
    /// The title that the page declares for others (`og:title`).
    pub(super) declared_title: String,
    /// The title differs from page to page.
    pub(super) title_varies: bool,
}

impl<'p> Sheet<'p> {
    fn new(page: &'p Page) -> Sheet<'p> {
        let paths = paths(page);
        let clob = TextRuns::new(page);
        let lines = clob.runs().iter().map(|piece| line(page, &clob, piece, &paths)).collect();
        let title = page.title().unwrap_or_default().chars().take(TITLE).collect();
        let tree = &page.tree;
        let declared = tree.nodes().filter(|&node| tree.tag(node) == tags::META).find(|&node| {
            [attrs::PROPERTY, attrs::NAME].into_iter().any(|name| tree.attr(node, name) == Some("og:title"))
        });
        let declared_title = declared
            .and_then(|node| tree.attr(node, attrs::CONTENT))
            .unwrap_or_default()
            .chars()
            .take(TITLE)
            .collect();
        Sheet { page, lines, paths, pages: 1, title, declared_title, title_varies: true }
    }

    /// The text is the same on most pages of the template.
    pub(super) fn is_static(&self, line: usize) -> bool {
        self.lines[line].leaves.iter().all(|leaf| self.leaf_is_static(leaf))
    }

    pub(super) fn leaf_is_static(&self, leaf: &Leaf) -> bool {
        self.pages > 1 && f64::from(leaf.pages) >= (0.6 * f64::from(self.pages)).max(2.0)
    }

    /// The lines whose texts stand in a range of nodes.
    pub(super) fn lines_in(&self, nodes: &Range<Node>) -> Range<usize> {
        let from = self.lines.partition_point(|line| line.first() < nodes.start);
        let to = self.lines.partition_point(|line| line.first() < nodes.end);
        from..to.max(from)
    }

    /// The line in which a place of the page's clob is.
    pub(super) fn line_at(&self, place: usize) -> Option<usize> {
        self.lines.partition_point(|line| line.start <= place).checked_sub(1)
    }

    /// The lines of an element.
    pub(super) fn lines_of(&self, node: Node) -> Range<usize> {
        self.lines_in(&(node..self.page.tree.end(node)))
    }
}

/// Reads pages of one template.
pub(super) fn sheets<'p>(pages: &[&'p Page]) -> Vec<Sheet<'p>> {
    let mut sheets: Vec<Sheet<'p>> = pages.iter().map(|page| Sheet::new(page)).collect();
    let mut counts: FxHashMap<(u64, u64), u32> = FxHashMap::default();
    for sheet in &sheets {
        let keys: FxHashSet<(u64, u64)> = sheet
            .lines
            .iter()
            .flat_map(|line| line.leaves.iter().map(|leaf| key(sheet, line, leaf)))
            .collect();
        for key in keys {
            *counts.entry(key).or_default() += 1;
        }
    }
    let total = sheets.len() as u32;
    let titles: FxHashSet<&str> = sheets.iter().map(|sheet| sheet.title.as_str()).collect();
    let varies = total < 2 || titles.len() > 1;
    for sheet in &mut sheets {
        (sheet.pages, sheet.title_varies) = (total, varies);
        for at in 0..sheet.lines.len() {
            for l in 0..sheet.lines[at].leaves.len() {
                let line = &sheet.lines[at];
                let pages = counts.get(&key(sheet, line, &line.leaves[l])).copied().unwrap_or(1);
                sheet.lines[at].leaves[l].pages = pages;
            }
        }
    }
    sheets
}

fn key(sheet: &Sheet<'_>, line: &Line, leaf: &Leaf) -> (u64, u64) {
    (sheet.paths[leaf.node as usize], hash_beginning(&line.text[leaf.span.clone()]))
}

fn line(page: &Page, clob: &TextRuns, piece: &Range<usize>, paths: &[u64]) -> Line {
    let mut text = String::new();
    let mut leaves: Vec<Leaf> = Vec::new();
    let whole = clob.text(piece);
    let mut from = 0;
    for node in clob.leaves(piece) {
        let mut own = String::new();
        push_collapsed(&mut own, page.tree.raw_text(node));
        // the joined text has it next, behind a space at most
        let rest = whole[from..].trim_start();
        let start = whole.len() - rest.len();
        let end = if rest.starts_with(own.as_str()) {
            start + own.len()
        } else {
            boundary(whole, start + own.len())
        };
        leaves.push(Leaf { node, span: start..end, pages: 1 });
        from = end;
    }
    text.push_str(whole);
    let first = leaves.first().map_or(0, |leaf| leaf.node);
    let path = paths[first as usize];
    Line {
        node: clob.element(page, piece),
        text,
        leaves,
        path,
        outside: false,
        doubtful: false,
        start: piece.start,
    }
}

/// The last place in a text, up to this one, where a character begins.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Hashes of tag paths with stable classes and ids, comparable between pages.
fn paths(page: &Page) -> Vec<u64> {
    let tree = &page.tree;
    let mut paths: Vec<u64> = Vec::with_capacity(tree.len());
    for node in tree.nodes() {
        let above = paths.get(tree.parent(node) as usize).copied().unwrap_or(0);
        let own = if tree.is_text(node) {
            1
        } else {
            let id = tree.attr(node, attrs::ID).filter(|id| is_stable_word(id)).map_or(0, hash_beginning);
            // numbers of names that the table of tags does not know differ from page to page
            let tag = if tree.tag(node) <= tags::DIALOG {
                u64::from(tree.tag(node))
            } else {
                hash_beginning(tree.tag_name(node))
            };
            mix(tag ^ mix(u64::from(page.index.class(node)) ^ mix(id)))
        };
        paths.push(mix(above ^ own));
    }
    paths
}

/// A hash of the length of a text and of its beginning: long texts are compared by their first [`COMPARED`] bytes.
pub(super) fn hash_beginning(text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ text.len() as u64;
    for byte in text.bytes().take(COMPARED) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    mix(hash)
}

/// Paths whose hashes are smallest: a sketch of a page by which templates are told apart.
const SKETCH: usize = 96;
/// Least share of a sketch that pages of one template have in common.
const ALIKE: f64 = 0.35;
/// Most templates that a page is compared with.
const TEMPLATES: usize = 64;

/// Which pages have one template: their numbers, group by group. Each page is compared with the first page of the groups only.
pub(super) fn templates(pages: &[&Page]) -> Vec<Vec<usize>> {
    if pages.len() < 2 {
        return pages.iter().map(|_| vec![0]).collect();
    }
    let mut groups: Vec<(Vec<u64>, Vec<usize>)> = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        let sketch = sketch(page);
        let best = groups
            .iter()
            .enumerate()
            .take(TEMPLATES)
            .map(|(g, (other, _))| (g, common(other, &sketch)))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        match best {
            Some((group, share)) if share >= ALIKE => groups[group].1.push(at),
            _ if groups.len() < TEMPLATES => groups.push((sketch, vec![at])),
            _ => groups.push((Vec::new(), vec![at])),
        }
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

fn sketch(page: &Page) -> Vec<u64> {
    let all: FxHashSet<u64> = page
        .tree
        .nodes()
        .zip(paths(page))
        .filter(|(node, _)| page.styles.is_shown(*node) && !page.tree.is_text(*node))
        .map(|(_, path)| mix(path))
        .collect();
    let mut all: Vec<u64> = all.into_iter().collect();
    all.sort_unstable();
    all.truncate(SKETCH);
    all
}

/// An estimate of the share of paths that two pages have in common, from their sketches (both sorted).
fn common(a: &[u64], b: &[u64]) -> f64 {
    let (mut i, mut j, mut both, mut seen) = (0, 0, 0u32, 0u32);
    while i < a.len() && j < b.len() && (seen as usize) < SKETCH {
        seen += 1;
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                both += 1;
                i += 1;
                j += 1;
            }
        }
    }
    if seen == 0 { 0.0 } else { f64::from(both) / f64::from(seen) }
}
