//! The page as a tree to look at: its visible elements, with regions, records and cells marked.
//!
//! In: a page and the regions that were read out of it. Out: an [`Outline`]: lines in document order, each with its depth.
//! An element with nothing beside it is joined to the one around it; long runs of alike elements, records beyond the
//! first few and what exceeds the bounds are counted, not shown. O(nodes), and the result is bounded.

use crate::structure::layout;
use crate::structure::line_text::LineIndex;
use copal_dom::{Node, Page, attrs, tags};
use copal_model::{Origin, Outline, OutlineContent, OutlineElement, OutlineLine, Region};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Lines at most, and how many of them may stand outside of all regions: a menu must not use up the room of the lists.
const LINES: usize = 2400;
const OUTSIDE: usize = 800;
/// Records of each region that are shown, and alike siblings elsewhere.
const RECORDS: usize = 5;
const ALIKE: usize = 5;
/// Deepest line, and elements in one line.
const DEEPEST: usize = 60;
const JOINED: usize = 6;
/// Characters of a line's text, and of one name.
const WORDS: usize = 80;
const NAME: usize = 40;
/// Classes of an element that are shown.
const CLASSES: usize = 3;

/// An element whose inside is being looked at.
struct Open {
    end: Node,
    /// The record around, if any.
    record: Option<(usize, usize)>,
    /// Inside of a region, or around one.
    matters: bool,
    /// Tag and classes of the last child that was looked at, and how many before it were alike.
    run: (u16, u32, usize),
    /// What was left out since the last line.
    more: (usize, usize),
    /// The last record that was left out: its further parts do not count.
    left_out: Option<(usize, usize)>,
}

/// Where one text of a cell was read.
struct CellNodes {
    column: usize,
    element: Node,
    /// Its text nodes; none if it is in an HTML attribute of the element.
    texts: Option<Range<Node>>,
}

struct Walk<'a> {
    page: &'a Page,
    regions: &'a [Region],
    lines_of_page: &'a LineIndex,
    /// By region and record: columns, and the nodes that their cells were read from. Filled when a record is met.
    cells: FxHashMap<(usize, usize), Vec<CellNodes>>,
    /// Visible texts in document order.
    texts: Vec<Node>,
    /// Roots of regions and tops of records.
    roots: FxHashMap<Node, usize>,
    tops: FxHashMap<Node, (usize, usize)>,
    /// All of them, sorted.
    marked: Vec<Node>,
    /// Visible elements before each node that make structure: a prefix sum, since nested elements ask again and again.
    built: Vec<u32>,
    roots_sorted: Vec<Node>,
    open: Vec<Open>,
    lines: Vec<OutlineLine>,
    outside: usize,
}

/// The outline of a page.
pub(crate) fn outline(page: &Page, lines: &LineIndex, regions: &[Region]) -> Outline {
    let shown_text = |&node: &Node| page.tree.is_text(node) && page.index.chars(&(node..node + 1)) > 0;
    let mut walk = Walk {
        page,
        regions,
        lines_of_page: lines,
        cells: FxHashMap::default(),
        texts: page.tree.nodes().filter(shown_text).collect(),
        roots: FxHashMap::default(),
        tops: FxHashMap::default(),
        marked: Vec::new(),
        built: built(page),
        roots_sorted: Vec::new(),
        open: Vec::new(),
        lines: Vec::new(),
        outside: 0,
    };
    walk.mark();
    walk.run();
    Outline { lines: walk.lines }
}

impl Walk<'_> {
    /// Notes where regions and records begin. Records of a region that stands in the page's data have no place.
    fn mark(&mut self) {
        let tree = &self.page.tree;
        for (number, region) in self.regions.iter().enumerate().rev() {
            let parts: Vec<_> = region.records.iter().map(|record| record.place.parts.clone()).collect();
            if region.origin != Origin::Page || parts.iter().all(smallvec::SmallVec::is_empty) {
                continue;
            }
            self.roots.insert(layout::common_root(tree, &parts), number);
            for (record, part) in
                parts.iter().enumerate().flat_map(|(i, parts)| parts.iter().map(move |p| (i, p)))
            {
                let mut at = part.start;
                while at < part.end.min(tree.len() as Node) {
                    self.tops.insert(at, (number, record));
                    at = tree.end(at);
                }
            }
        }
        self.marked = self.roots.keys().chain(self.tops.keys()).copied().collect();
        self.marked.sort_unstable();
        self.roots_sorted = self.roots.keys().copied().collect();
        self.roots_sorted.sort_unstable();
    }

    fn run(&mut self) {
        let end = self.page.tree.len() as Node;
        let mut at = 1;
        self.open.push(Open::new(end, None, false));
        while at < end {
            self.close(at);
            at = self.look_at(at);
        }
        self.close(end);
    }

    /// Ends the elements that end before `at`.
    fn close(&mut self, at: Node) {
        while self.open.last().is_some_and(|open| at >= open.end) {
            self.tell_more();
            self.open.pop();
        }
    }

    /// A line for what was left out of the innermost element since its last line.
    fn tell_more(&mut self) {
        let depth = self.open.len() - 1;
        let Some(open) = self.open.last_mut() else { return };
        let (records, others) = std::mem::take(&mut open.more);
        if records + others > 0 {
            self.lines.push(line(depth, 0..0, OutlineContent::More { records, others }));
        }
    }

    /// Shows or skips a node; the node to go on with.
    fn look_at(&mut self, at: Node) -> Node {
        let tree = &self.page.tree;
        let end = tree.end(at);
        if !self.shows(at) {
            return end;
        }
        let (region, top) = (self.roots.get(&at).copied(), self.tops.get(&at).copied());
        let depth = self.open.len() - 1;
        let holds_marks = self.holds_marks(at + 1, end);
        let full = self.lines.len() >= LINES || depth > DEEPEST;
        let records = self.records_in(at, end);
        let Some(around) = self.open.last_mut() else { return end };
        let record = top.or(around.record);
        let matters = around.matters || region.is_some() || top.is_some();
        if let Some((region, first, last)) = records.filter(|(_, first, _)| *first >= RECORDS || full) {
            let before =
                around.left_out.filter(|(other, _)| *other == region).map_or(0, |(_, record)| record + 1);
            around.more.0 += (last + 1).saturating_sub(first.max(before));
            around.left_out = Some((region, last.max(before.saturating_sub(1))));
            return end;
        }
        let alike = around.alike(tree.tag(at), self.page.index.class(at));
        let no_room = !matters && !holds_marks && self.outside >= OUTSIDE;
        if full || (top.is_none() && region.is_none() && !holds_marks && (alike >= ALIKE || no_room)) {
            around.more.1 += 1;
            return end;
        }
        self.tell_more();
        self.outside += usize::from(!matters && !holds_marks);
        let (steps, last) = self.joined(at);
        let is_leaf = self.is_leaf(last);
        let mut line = line(
            depth,
            at..end,
            if tree.is_text(at) { OutlineContent::Text } else { OutlineContent::Elements(steps) },
        );
        line.words = self.words(last);
        (line.region, line.record) = (region, top);
        if let Some(record) = record {
            line.columns = self.columns(record, at, last, is_leaf);
        }
        self.lines.push(line);
        if is_leaf {
            return end;
        }
        self.open.push(Open::new(tree.end(last), record, matters));
        last + 1
    }

    /// The columns of a record that are read from the elements `outer` to `inner`, each the only one in the one before.
    fn columns(
        &mut self,
        (region, record): (usize, usize),
        outer: Node,
        inner: Node,
        is_leaf: bool,
    ) -> Vec<usize> {
        let tree = &self.page.tree;
        let cells = self.cells.entry((region, record)).or_insert_with(|| {
            let cells = self.regions[region].records[record].cells.iter().enumerate();
            let texts = cells.flat_map(|(c, cell)| cell.texts.iter().map(move |text| (c, text)));
            texts
                .filter_map(|(column, text)| {
                    let source = text.source.as_ref()?;
                    let texts = self.lines_of_page.nodes(source);
                    Some(CellNodes { column, element: source.node, texts })
                })
                .collect()
        });
        let is_here = |cell: &CellNodes| match &cell.texts {
            None => outer <= cell.element && cell.element <= inner && tree.contains(cell.element, inner),
            Some(texts) => {
                let holds = |node: Node| node <= texts.start && texts.end <= tree.end(node);
                // the innermost element that has the whole text is the cell's
                holds(inner) && (is_leaf || !tree.children(inner).any(holds))
            }
        };
        let mut columns: Vec<usize> =
            cells.iter().filter(|cell| is_here(cell)).map(|cell| cell.column).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// Something of it is seen.
    fn shows(&self, node: Node) -> bool {
        let range = node..self.page.tree.end(node);
        self.page.index.chars(&range) > 0 || self.page.index.images(&range) > 0
    }

    fn holds_marks(&self, from: Node, to: Node) -> bool {
        let at = self.marked.partition_point(|&node| node < from);
        self.marked.get(at).is_some_and(|&node| node < to)
    }

    /// Region, first and last record of a subtree in which a record begins and no other thing that is marked.
    fn records_in(&self, from: Node, to: Node) -> Option<(usize, usize, usize)> {
        let at = |node: Node| self.marked.partition_point(|&marked| marked < node);
        let marked = &self.marked[at(from)..at(to)];
        let top = |node: Option<&Node>| self.tops.get(node?).copied();
        let ((region, first), (other, last)) = (top(marked.first())?, top(marked.last())?);
        let inside = self.roots_sorted.partition_point(|&root| root < from);
        let root_inside = self.roots_sorted.get(inside).is_some_and(|&root| root < to);
        (region == other && first <= last && !root_inside).then_some((region, first, last))
    }

    /// The element and those inside that have nothing beside them; marked ones get a line of their own.
    fn joined(&self, at: Node) -> (Vec<OutlineElement>, Node) {
        let tree = &self.page.tree;
        let (mut steps, mut last) = (vec![self.step(at)], at);
        while steps.len() < JOINED && !self.is_leaf(last) {
            let mut seen = tree.children(last).filter(|&child| self.shows(child));
            let (Some(only), None) = (seen.next(), seen.next()) else { break };
            if tree.is_text(only) || self.roots.contains_key(&only) || self.tops.contains_key(&only) {
                break;
            }
            steps.push(self.step(only));
            last = only;
        }
        (steps, last)
    }

    /// Nothing but texts and formatting is inside, and no record.
    fn is_leaf(&self, node: Node) -> bool {
        let (from, to) = (node + 1, self.page.tree.end(node));
        !self.holds_marks(from, to) && self.built[from as usize] == self.built[to as usize]
    }

    fn step(&self, node: Node) -> OutlineElement {
        let tree = &self.page.tree;
        let classes = tree.attr(node, attrs::CLASS).unwrap_or_default().split_ascii_whitespace();
        let id = tree.attr(node, attrs::ID).map(str::trim).filter(|id| !id.is_empty());
        OutlineElement {
            tag: first(tree.tag_name(node), NAME),
            id: id.map(|id| first(id, NAME)),
            classes: classes.take(CLASSES).map(|class| first(class, NAME)).collect(),
        }
    }

    fn words(&self, node: Node) -> String {
        let tree = &self.page.tree;
        let mut out = String::new();
        let from = self.texts.partition_point(|&text| text < node);
        let end = tree.end(node);
        for &text in self.texts[from..].iter().take_while(|&&text| text < end) {
            // a little of a long text is enough
            let raw = tree.raw_text(text);
            copal_dom::push_collapsed(&mut out, &first(raw.trim_start(), 4 * WORDS));
            if out.len() > 4 * WORDS {
                break;
            }
        }
        if out.is_empty() && tree.tag(node) == tags::IMG {
            copal_dom::push_collapsed(&mut out, tree.attr(node, attrs::ALT).unwrap_or_default());
        }
        first(&out, WORDS)
    }
}

fn built(page: &Page) -> Vec<u32> {
    let is_built = |node: Node| {
        let tag = page.tree.tag(node);
        tag != tags::TEXT && tag != tags::BR && !tags::is_formatting(tag) && page.styles.is_shown(node)
    };
    let mut sum = 0;
    let mut sums = Vec::with_capacity(page.tree.len() + 1);
    for node in page.tree.nodes() {
        sums.push(sum);
        sum += u32::from(is_built(node));
    }
    sums.push(sum);
    sums
}

impl Open {
    fn new(end: Node, record: Option<(usize, usize)>, matters: bool) -> Open {
        Open { end, record, matters, run: (0, 0, 0), more: (0, 0), left_out: None }
    }

    /// How many siblings of this tag and these classes came right before.
    fn alike(&mut self, tag: u16, class: u32) -> usize {
        let before = if (self.run.0, self.run.1) == (tag, class) { self.run.2 } else { 0 };
        self.run = (tag, class, before + 1);
        before
    }
}

fn line(depth: usize, nodes: Range<Node>, what: OutlineContent) -> OutlineLine {
    OutlineLine { depth, nodes, what, words: String::new(), region: None, record: None, columns: Vec::new() }
}

/// At most so many characters; `…` says that there were more.
fn first(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}
