//! The page as a tree to look at: its visible elements, with regions, records and cells marked.
//!
//! In: a page and the regions that were read from it. Out: an [`Outline`]: lines in document order, each with
//! its depth. An element without siblings is joined to its parent. Long runs of similar elements, records
//! after the first few and everything beyond the limits are counted but not shown. O(nodes), and the result
//! is bounded.

use crate::structure::layout;
use crate::structure::line_text::LineIndex;
use copal_dom::{Node, Page, attrs, tags};
use copal_model::{Origin, Outline, OutlineContent, OutlineElement, OutlineLine, Region};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Maximum number of lines.
const MAX_OUTLINE_LINES: usize = 2400;
/// Maximum number of lines outside all regions: a menu must not use up the space of the lists.
const MAX_LINES_OUTSIDE_REGIONS: usize = 800;
/// Records of each region that are shown.
const MAX_SHOWN_RECORDS: usize = 5;
/// Similar siblings outside of records that are shown.
const MAX_ALIKE_SIBLINGS: usize = 5;
/// Deepest line.
const MAX_OUTLINE_DEPTH: usize = 60;
/// Maximum number of elements joined in one line.
const MAX_ELEMENTS_PER_LINE: usize = 6;
/// Characters of the text of a line.
const MAX_LINE_CHARS: usize = 80;
/// Characters of a tag, class or id.
const MAX_OUTLINE_NAME_CHARS: usize = 40;
/// Classes of an element that are shown.
const MAX_SHOWN_CLASSES: usize = 3;

/// An element whose content is being visited.
struct OutlineAncestor {
    end: Node,
    /// The region and record that it is in.
    record: Option<(usize, usize)>,
    /// It is inside a region, or contains one.
    matters: bool,
    /// Tag and class of the last child that was visited, and how many similar ones came right before it.
    alike_run: (u16, u32, usize),
    /// How many records and other elements were left out since the last line.
    left_out_counts: (usize, usize),
    /// The last record that was left out: further parts of it are not counted again.
    left_out: Option<(usize, usize)>,
}

/// Where one text of a cell was read.
struct CellNodes {
    column: usize,
    element: Node,
    /// Its text nodes; `None` if it is in an HTML attribute of the element.
    texts: Option<Range<Node>>,
}

/// Visits the nodes of a page and collects the lines.
struct OutlineBuilder<'a> {
    page: &'a Page,
    regions: &'a [Region],
    lines_of_page: &'a LineIndex,
    /// By region and record: columns, and the nodes that their cells were read from. Filled when a record is
    /// visited.
    cells: FxHashMap<(usize, usize), Vec<CellNodes>>,
    /// Visible texts in document order.
    texts: Vec<Node>,
    /// Regions by their root element.
    roots: FxHashMap<Node, usize>,
    /// Regions and records by the top-level nodes of the record.
    tops: FxHashMap<Node, (usize, usize)>,
    /// All roots and tops, sorted.
    marked: Vec<Node>,
    /// By node: the number of visible structural elements before it. A prefix sum, because nested elements
    /// ask for overlapping ranges.
    structural_elements: Vec<u32>,
    roots_sorted: Vec<Node>,
    open: Vec<OutlineAncestor>,
    lines: Vec<OutlineLine>,
    outside: usize,
}

/// The outline of a page.
pub(crate) fn outline(page: &Page, lines: &LineIndex, regions: &[Region]) -> Outline {
    let shown_text = |&node: &Node| page.tree.is_text(node) && page.index.chars(&(node..node + 1)) > 0;
    let mut builder = OutlineBuilder {
        page,
        regions,
        lines_of_page: lines,
        cells: FxHashMap::default(),
        texts: page.tree.nodes().filter(shown_text).collect(),
        roots: FxHashMap::default(),
        tops: FxHashMap::default(),
        marked: Vec::new(),
        structural_elements: structural_elements(page),
        roots_sorted: Vec::new(),
        open: Vec::new(),
        lines: Vec::new(),
        outside: 0,
    };
    builder.mark_regions();
    builder.build();
    Outline { lines: builder.lines }
}

impl OutlineBuilder<'_> {
    /// Marks where regions and records begin. Regions from embedded data have no place on the page.
    fn mark_regions(&mut self) {
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

    fn build(&mut self) {
        let end = self.page.tree.len() as Node;
        let mut at = 1;
        self.open.push(OutlineAncestor::new(end, None, false));
        while at < end {
            self.close(at);
            at = self.visit(at);
        }
        self.close(end);
    }

    /// Closes the elements that end at or before `at`.
    fn close(&mut self, at: Node) {
        while self.open.last().is_some_and(|open| at >= open.end) {
            self.push_left_out_line();
            self.open.pop();
        }
    }

    /// Adds a line for what was left out of the innermost element since its last line.
    fn push_left_out_line(&mut self) {
        let depth = self.open.len() - 1;
        let Some(open) = self.open.last_mut() else { return };
        let (records, others) = std::mem::take(&mut open.left_out_counts);
        if records + others > 0 {
            self.lines.push(line(depth, 0..0, OutlineContent::More { records, others }));
        }
    }

    /// Shows or skips a node. Returns the next node to visit.
    fn visit(&mut self, at: Node) -> Node {
        let tree = &self.page.tree;
        let end = tree.end(at);
        if !self.shows(at) {
            return end;
        }
        let (region, top) = (self.roots.get(&at).copied(), self.tops.get(&at).copied());
        let depth = self.open.len() - 1;
        let holds_marks = self.holds_marks(at + 1, end);
        let full = self.lines.len() >= MAX_OUTLINE_LINES || depth > MAX_OUTLINE_DEPTH;
        let records = self.records_in(at, end);
        let Some(around) = self.open.last_mut() else { return end };
        let record = top.or(around.record);
        let matters = around.matters || region.is_some() || top.is_some();
        if let Some((region, first, last)) =
            records.filter(|(_, first, _)| *first >= MAX_SHOWN_RECORDS || full)
        {
            let before =
                around.left_out.filter(|(other, _)| *other == region).map_or(0, |(_, record)| record + 1);
            around.left_out_counts.0 += (last + 1).saturating_sub(first.max(before));
            around.left_out = Some((region, last.max(before.saturating_sub(1))));
            return end;
        }
        let alike = around.alike(tree.tag(at), self.page.index.class(at));
        let no_room = !matters && !holds_marks && self.outside >= MAX_LINES_OUTSIDE_REGIONS;
        if full
            || (top.is_none() && region.is_none() && !holds_marks && (alike >= MAX_ALIKE_SIBLINGS || no_room))
        {
            around.left_out_counts.1 += 1;
            return end;
        }
        self.push_left_out_line();
        self.outside += usize::from(!matters && !holds_marks);
        let (elements, last) = self.joined_elements(at);
        let is_leaf = self.is_leaf(last);
        let mut line = line(
            depth,
            at..end,
            if tree.is_text(at) { OutlineContent::Text } else { OutlineContent::Elements(elements) },
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
        self.open.push(OutlineAncestor::new(tree.end(last), record, matters));
        last + 1
    }

    /// The columns whose cells were read from the elements `outer` to `inner`, each of which is the only
    /// child of the one before.
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
                // the cell belongs to the innermost element that has its whole text
                holds(inner) && (is_leaf || !tree.children(inner).any(holds))
            }
        };
        let mut columns: Vec<usize> =
            cells.iter().filter(|cell| is_here(cell)).map(|cell| cell.column).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// True if something of the node is visible.
    fn shows(&self, node: Node) -> bool {
        let range = node..self.page.tree.end(node);
        self.page.index.chars(&range) > 0 || self.page.index.images(&range) > 0
    }

    fn holds_marks(&self, from: Node, to: Node) -> bool {
        let at = self.marked.partition_point(|&node| node < from);
        self.marked.get(at).is_some_and(|&node| node < to)
    }

    /// Region, first and last record of a subtree that contains records of one region and no root of a
    /// region.
    fn records_in(&self, from: Node, to: Node) -> Option<(usize, usize, usize)> {
        let at = |node: Node| self.marked.partition_point(|&marked| marked < node);
        let marked = &self.marked[at(from)..at(to)];
        let top = |node: Option<&Node>| self.tops.get(node?).copied();
        let ((region, first), (other, last)) = (top(marked.first())?, top(marked.last())?);
        let inside = self.roots_sorted.partition_point(|&root| root < from);
        let root_inside = self.roots_sorted.get(inside).is_some_and(|&root| root < to);
        (region == other && first <= last && !root_inside).then_some((region, first, last))
    }

    /// The element and its descendants that have no visible siblings. Marked ones get a line of their own.
    fn joined_elements(&self, at: Node) -> (Vec<OutlineElement>, Node) {
        let tree = &self.page.tree;
        let (mut elements, mut last) = (vec![self.outline_element(at)], at);
        while elements.len() < MAX_ELEMENTS_PER_LINE && !self.is_leaf(last) {
            let mut seen = tree.children(last).filter(|&child| self.shows(child));
            let (Some(only), None) = (seen.next(), seen.next()) else { break };
            if tree.is_text(only) || self.roots.contains_key(&only) || self.tops.contains_key(&only) {
                break;
            }
            elements.push(self.outline_element(only));
            last = only;
        }
        (elements, last)
    }

    /// True if only texts and formatting are inside, and no record.
    fn is_leaf(&self, node: Node) -> bool {
        let (from, to) = (node + 1, self.page.tree.end(node));
        !self.holds_marks(from, to)
            && self.structural_elements[from as usize] == self.structural_elements[to as usize]
    }

    fn outline_element(&self, node: Node) -> OutlineElement {
        let tree = &self.page.tree;
        let classes = tree.attr(node, attrs::CLASS).unwrap_or_default().split_ascii_whitespace();
        let id = tree.attr(node, attrs::ID).map(str::trim).filter(|id| !id.is_empty());
        OutlineElement {
            tag: shortened(tree.tag_name(node), MAX_OUTLINE_NAME_CHARS),
            id: id.map(|id| shortened(id, MAX_OUTLINE_NAME_CHARS)),
            classes: classes
                .take(MAX_SHOWN_CLASSES)
                .map(|class| shortened(class, MAX_OUTLINE_NAME_CHARS))
                .collect(),
        }
    }

    fn words(&self, node: Node) -> String {
        let tree = &self.page.tree;
        let mut out = String::new();
        let from = self.texts.partition_point(|&text| text < node);
        let end = tree.end(node);
        for &text in self.texts[from..].iter().take_while(|&&text| text < end) {
            // the beginning of a long text is enough
            let raw = tree.raw_text(text);
            copal_dom::push_collapsed(&mut out, &shortened(raw.trim_start(), 4 * MAX_LINE_CHARS));
            if out.len() > 4 * MAX_LINE_CHARS {
                break;
            }
        }
        if out.is_empty() && tree.tag(node) == tags::IMG {
            copal_dom::push_collapsed(&mut out, tree.attr(node, attrs::ALT).unwrap_or_default());
        }
        shortened(&out, MAX_LINE_CHARS)
    }
}

/// The prefix sum of visible elements that are not formatting.
fn structural_elements(page: &Page) -> Vec<u32> {
    let is_structural = |node: Node| {
        let tag = page.tree.tag(node);
        tag != tags::TEXT && tag != tags::BR && !tags::is_formatting(tag) && page.styles.is_shown(node)
    };
    let mut sum = 0;
    let mut sums = Vec::with_capacity(page.tree.len() + 1);
    for node in page.tree.nodes() {
        sums.push(sum);
        sum += u32::from(is_structural(node));
    }
    sums.push(sum);
    sums
}

impl OutlineAncestor {
    fn new(end: Node, record: Option<(usize, usize)>, matters: bool) -> OutlineAncestor {
        OutlineAncestor {
            end,
            record,
            matters,
            alike_run: (0, 0, 0),
            left_out_counts: (0, 0),
            left_out: None,
        }
    }

    /// How many siblings with this tag and class came right before.
    fn alike(&mut self, tag: u16, class: u32) -> usize {
        let before = if (self.alike_run.0, self.alike_run.1) == (tag, class) { self.alike_run.2 } else { 0 };
        self.alike_run = (tag, class, before + 1);
        before
    }
}

fn line(depth: usize, nodes: Range<Node>, what: OutlineContent) -> OutlineLine {
    OutlineLine { depth, nodes, what, words: String::new(), region: None, record: None, columns: Vec::new() }
}

/// At most this many characters; `…` shows that something was cut off.
fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}
