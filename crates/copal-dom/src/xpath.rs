//! Positions of nodes as absolute XPaths of the HTML5 tree (`/html/body/div[2]/ul[1]/li[3]`, 1-based).
//!
//! In: nodes of a [`Tree`]. Out: two writers of the same paths.
//!
//! - [`XPaths`] borrows the tree and writes the path of any node. O(nodes) once, then O(path) each.
//! - [`XPathTable`] outlives the tree and can write the paths of the nodes it was built for. An answer keeps
//!   one table instead of one string per cell: paths of one list share nearly all of their steps, and on a
//!   hostile page with long tag names and deep nesting the strings would need gigabytes. The table stores
//!   each step once, which is O(distinct nodes and their ancestors), and writes a path only when somebody
//!   asks for it.

#[cfg(feature = "serde")]
mod transfer;

use crate::tags::{self, Tag};
use crate::tree::{NONE, Node, Tree};
use rustc_hash::FxHashMap;
use std::fmt::{self, Write};
use std::sync::Arc;

/// Longest path that [`XPathTable::xpath`] writes. A path that long is of no use to a reader.
pub const MAX_XPATH_BYTES: usize = 8 * 1024;

/// Bytes of XPaths that are written for one page. A list of 200,000 records in 480 nested elements would need
/// 700 MB.
pub const MAX_PAGE_XPATH_BYTES: usize = 16 << 20;

/// Writes XPaths of one tree. Siblings are counted once for all nodes, so that a path costs only its own
/// length.
#[derive(Debug)]
pub struct XPaths<'t> {
    tree: &'t Tree,
    /// By node: its 1-based index among the siblings with its tag.
    sibling_index: Vec<u32>,
}

impl<'t> XPaths<'t> {
    /// Counts the siblings of all nodes. O(nodes).
    pub fn new(tree: &'t Tree) -> Self {
        let mut counts: FxHashMap<(Node, Tag), u32> = FxHashMap::default();
        let sibling_index = tree.nodes().map(|node| {
            if tree.is_text(node) {
                return 0;
            }
            let count = counts.entry((tree.parent(node), tree.tag(node))).or_default();
            *count += 1;
            *count
        });
        XPaths { tree, sibling_index: sibling_index.collect() }
    }

    /// The absolute XPath of an element. For a text, that of its parent.
    pub fn of(&self, node: Node) -> String {
        let tree = self.tree;
        let element = if tree.is_text(node) { tree.parent(node) } else { node };
        let mut path: Vec<Node> = std::iter::once(element).chain(tree.ancestors(element)).collect();
        let mut out = String::new();
        while let Some(step) = path.pop() {
            push_name_test(tree, step, &mut out);
            if has_index(tree.tag(step)) {
                let _ = write!(out, "[{}]", self.sibling_index[step as usize]);
            }
        }
        if out.is_empty() {
            out.push('/');
        }
        out
    }

    /// Like [`XPaths::of`], but `None` if the path would be longer than [`MAX_XPATH_BYTES`].
    pub fn bounded(&self, node: Node) -> Option<String> {
        let tree = self.tree;
        // A step is at least as long as its name, so most paths that are too long are noticed before they
        // are written.
        let steps = std::iter::once(node).chain(tree.ancestors(node));
        let least: usize = steps.map(|step| tree.tag_name(step).len()).sum();
        // These two names count in `least`, but are not steps of the path.
        let text_names = "#document#text".len();
        if least > MAX_XPATH_BYTES + text_names {
            return None;
        }
        Some(self.of(node)).filter(|path| path.len() <= MAX_XPATH_BYTES)
    }
}

/// Appends a step without its index: `/div`. The document and texts are not steps, so nothing is appended.
fn push_name_test(tree: &Tree, node: Node, out: &mut String) {
    if matches!(tree.tag(node), tags::DOCUMENT | tags::TEXT) {
        return;
    }
    let name = tree.tag_name(node);
    let plain =
        !tree.is_foreign(node) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if plain {
        out.push('/');
        out.push_str(name);
    } else {
        // foreign elements are in a namespace, which a plain name does not match
        let _ = write!(out, "/*[name()={}]", string_literal(name));
    }
}

/// A page has one `html`, `head` and `body`: an index would only make the paths longer.
fn has_index(tag: Tag) -> bool {
    !matches!(tag, tags::DOCUMENT | tags::TEXT | tags::HTML | tags::HEAD | tags::BODY)
}

/// An XPath 1.0 string literal. XPath 1.0 has no escapes, so the quote that does not occur in the name is
/// used. If both occur, the double quotes are dropped.
fn string_literal(name: &str) -> String {
    if name.contains('\'') { format!("\"{}\"", name.replace('"', "")) } else { format!("'{name}'") }
}

/// The XPaths of some nodes of a page, independent of its tree. See the module's documentation.
#[derive(Debug, Clone, Default)]
pub struct XPathTable {
    /// The nodes of the table in document order; `steps` is parallel to it.
    nodes: Vec<Node>,
    steps: Vec<Step>,
    /// Distinct steps without their indexes (`/div`), shared by all nodes.
    name_tests: Vec<Arc<str>>,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    /// Position of the parent in [`XPathTable::steps`]; [`NONE`] for the document.
    parent: u32,
    /// Position in [`XPathTable::name_tests`].
    name_test: u32,
    /// 1-based index among the siblings with the same tag; 0 if none is written.
    index: u32,
}

impl XPathTable {
    /// Begins a table for nodes of one tree.
    pub fn builder(tree: &Tree) -> XPathTableBuilder<'_> {
        XPathTableBuilder { tree, positions: FxHashMap::default() }
    }

    /// The absolute XPath of a node (of a text: of its parent), exactly as [`XPaths::of`] writes it. None if
    /// the node is not in the table or the path is longer than [`MAX_XPATH_BYTES`].
    pub fn xpath(&self, node: Node) -> Option<String> {
        let mut out = String::new();
        self.write(node, &mut out, MAX_XPATH_BYTES).ok().filter(|&written| written).map(|_| out)
    }

    /// Writes the XPath of a node. Writes nothing and returns false if the node is not in the table or the
    /// path is longer than `max_bytes`. O(bytes written), and never more than O(`max_bytes`).
    pub fn write(&self, node: Node, out: &mut impl Write, max_bytes: usize) -> Result<bool, fmt::Error> {
        let Ok(mut position) = self.nodes.binary_search(&node) else { return Ok(false) };
        let mut path: Vec<&Step> = Vec::new();
        let mut bytes = 0;
        while let Some(step) = self.steps.get(position) {
            bytes += self.name_test(step).len() + index_bytes(step.index);
            if bytes > max_bytes {
                return Ok(false);
            }
            path.push(step);
            position = step.parent as usize;
        }
        if bytes == 0 {
            if max_bytes == 0 {
                return Ok(false);
            }
            out.write_char('/')?;
        }
        for step in path.iter().rev() {
            out.write_str(self.name_test(step))?;
            if step.index > 0 {
                write!(out, "[{}]", step.index)?;
            }
        }
        Ok(true)
    }

    /// A table of some of the nodes and their ancestors. Nodes that are not in this table are ignored.
    /// O(nodes of the result).
    #[must_use]
    pub fn subset(&self, nodes: impl IntoIterator<Item = Node>) -> XPathTable {
        let mut kept: FxHashMap<u32, u32> = FxHashMap::default();
        for node in nodes {
            let mut at = self.nodes.binary_search(&node).map_or(NONE, |position| position as u32);
            while at != NONE && kept.insert(at, NONE).is_none() {
                at = self.steps[at as usize].parent;
            }
        }
        let mut positions: Vec<u32> = kept.keys().copied().collect();
        positions.sort_unstable();
        for (new, old) in positions.iter().enumerate() {
            kept.insert(*old, new as u32);
        }
        let step = |old: &u32| {
            let step = self.steps[*old as usize];
            Step { parent: kept.get(&step.parent).copied().unwrap_or(NONE), ..step }
        };
        XPathTable {
            nodes: positions.iter().map(|old| self.nodes[*old as usize]).collect(),
            steps: positions.iter().map(step).collect(),
            name_tests: self.name_tests.clone(),
        }
    }

    /// True if the XPath of this node can be written.
    pub fn contains(&self, node: Node) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }

    /// Nodes in the table, ancestors included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if the table has no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Bytes that the table holds on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.steps.capacity() * size_of::<Step>()
            + self.name_tests.iter().map(|name| name.len() + size_of::<Arc<str>>()).sum::<usize>()
    }

    fn name_test(&self, step: &Step) -> &str {
        &self.name_tests[step.name_test as usize]
    }
}

/// Writes the XPaths of one page until [`MAX_PAGE_XPATH_BYTES`] are used up, and counts those that are left
/// out.
#[derive(Debug, Clone)]
pub struct XPathBudget {
    left: usize,
    omitted: usize,
}

impl Default for XPathBudget {
    fn default() -> Self {
        XPathBudget { left: MAX_PAGE_XPATH_BYTES, omitted: 0 }
    }
}

impl XPathBudget {
    /// The XPath of a node, if it is in the table and fits.
    pub fn xpath(&mut self, table: &XPathTable, node: Node) -> Option<String> {
        let mut out = String::new();
        let written = table.write(node, &mut out, MAX_XPATH_BYTES.min(self.left));
        if written == Ok(true) {
            self.left -= out.len();
            return Some(out);
        }
        self.omitted += usize::from(table.contains(node));
        None
    }

    /// How many paths did not fit.
    pub fn omitted(&self) -> usize {
        self.omitted
    }
}

/// The length of an index as it is written, such as 4 for `[12]`; 0 if none is written.
fn index_bytes(index: u32) -> usize {
    if index == 0 { 0 } else { 2 + index.ilog10() as usize + 1 }
}

/// Collects the nodes of an [`XPathTable`].
#[derive(Debug)]
pub struct XPathTableBuilder<'t> {
    tree: &'t Tree,
    /// Nodes and all their ancestors. The values are their positions in the table, known in [`Self::finish`].
    positions: FxHashMap<Node, u32>,
}

impl XPathTableBuilder<'_> {
    /// Adds a node and its ancestors. O(ancestors that are not in the table yet). Numbers that are not nodes
    /// of the tree are ignored.
    pub fn add(&mut self, node: Node) {
        let mut at = node;
        while at != NONE && (at as usize) < self.tree.len() && self.positions.insert(at, NONE).is_none() {
            at = self.tree.parent(at);
        }
    }

    /// Computes the steps. O(nodes of the table, their children and their siblings), so at most O(nodes of
    /// the tree).
    pub fn finish(mut self) -> XPathTable {
        let tree = self.tree;
        let mut nodes: Vec<Node> = self.positions.keys().copied().collect();
        nodes.sort_unstable();
        for (position, node) in nodes.iter().enumerate() {
            self.positions.insert(*node, position as u32);
        }
        let mut table = XPathTable { nodes, steps: Vec::new(), name_tests: Vec::new() };
        let mut name_ids: FxHashMap<(Tag, bool), u32> = FxHashMap::default();
        table.steps = (table.nodes.iter())
            .map(|&node| Step {
                parent: self.positions.get(&tree.parent(node)).copied().unwrap_or(NONE),
                name_test: *name_ids.entry((tree.tag(node), tree.is_foreign(node))).or_insert_with(|| {
                    let mut text = String::new();
                    push_name_test(tree, node, &mut text);
                    table.name_tests.push(text.into());
                    table.name_tests.len() as u32 - 1
                }),
                index: 0,
            })
            .collect();
        self.count_siblings(&mut table);
        table
    }

    /// Sets the indexes. The children of each parent are walked once, however many of them are in the table:
    /// counting back from every node would be quadratic in a list with many records.
    fn count_siblings(&self, table: &mut XPathTable) {
        let tree = self.tree;
        let mut parents: Vec<u32> =
            table.steps.iter().map(|step| step.parent).filter(|&parent| parent != NONE).collect();
        parents.sort_unstable();
        parents.dedup();
        let mut counts: FxHashMap<(Node, Tag), u32> = FxHashMap::default();
        for parent in parents {
            let parent = table.nodes[parent as usize];
            for child in tree.elements(parent) {
                let tag = tree.tag(child);
                let count = counts.entry((parent, tag)).or_default();
                *count += 1;
                if let Some(&position) = self.positions.get(&child)
                    && has_index(tag)
                {
                    table.steps[position as usize].index = *count;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_PAGE_XPATH_BYTES, MAX_XPATH_BYTES, XPathBudget, XPathTable, XPaths, index_bytes};
    use crate::limits::Limits;
    use crate::parse::parse;
    use crate::tree::NONE;
    use std::sync::Arc;

    const PAGE: &str = "<p>a<div>b</div><p>c<svg><g/></svg>";

    #[test]
    fn steps_count_siblings_of_the_same_name() {
        let (tree, _) = parse(PAGE, &Limits::default());
        let xpaths = XPaths::new(&tree);
        let paths: Vec<String> = tree.nodes().filter(|&n| !tree.is_text(n)).map(|n| xpaths.of(n)).collect();
        assert_eq!(
            paths,
            [
                "/",
                "/html",
                "/html/head",
                "/html/body",
                "/html/body/p[1]",
                "/html/body/div[1]",
                "/html/body/p[2]",
                "/html/body/p[2]/*[name()='svg'][1]",
                "/html/body/p[2]/*[name()='svg'][1]/*[name()='g'][1]"
            ]
        );
    }

    #[test]
    fn a_table_writes_the_paths_of_its_nodes_and_their_ancestors() {
        let (tree, _) = parse(PAGE, &Limits::default());
        let xpaths = XPaths::new(&tree);
        let last = tree.nodes().end - 1;
        let mut builder = XPathTable::builder(&tree);
        builder.add(last);
        builder.add(last);
        builder.add(NONE);
        let table = builder.finish();
        let path: Vec<u32> = std::iter::once(last).chain(tree.ancestors(last)).collect();
        assert_eq!(table.len(), path.len());
        for node in tree.nodes() {
            let expected = path.contains(&node).then(|| xpaths.of(node));
            assert_eq!(table.xpath(node), expected, "node {node}");
            assert_eq!(table.contains(node), path.contains(&node));
        }
        assert_eq!(table.xpath(NONE), None);
        assert_eq!(XPathTable::default().xpath(0), None);
    }

    #[test]
    fn a_path_is_written_whole_or_not_at_all() {
        let (tree, _) = parse("<ul><li>a<li>b", &Limits::default());
        let mut builder = XPathTable::builder(&tree);
        tree.nodes().for_each(|node| builder.add(node));
        let table = Arc::new(builder.finish());
        let text = tree.nodes().end - 1;
        let expected = "/html/body/ul[1]/li[2]";
        for max_bytes in 0..40 {
            let mut out = String::new();
            let written = table.write(text, &mut out, max_bytes);
            assert_eq!(written, Ok(max_bytes >= expected.len()));
            assert_eq!(out, if max_bytes >= expected.len() { expected } else { "" });
        }
        assert_eq!([0, 1, 9, 10, 123].map(index_bytes), [0, 3, 3, 4, 5]);
    }

    #[test]
    fn a_subset_writes_the_same_paths() {
        let (tree, _) = parse(PAGE, &Limits::default());
        let mut builder = XPathTable::builder(&tree);
        tree.nodes().for_each(|node| builder.add(node));
        let table = builder.finish();
        let last = tree.nodes().end - 1;
        let subset = table.subset([last, NONE]);
        assert_eq!(subset.len(), 1 + tree.ancestors(last).count());
        for node in tree.nodes() {
            assert_eq!(subset.xpath(node), table.xpath(node).filter(|_| tree.contains(node, last)));
        }
    }

    #[test]
    fn paths_of_one_page_are_bounded() {
        let (tree, _) = parse(&format!("{}<p>x", "<div>".repeat(300)), &Limits::default());
        let mut builder = XPathTable::builder(&tree);
        tree.nodes().for_each(|node| builder.add(node));
        let (table, xpaths) = (builder.finish(), XPaths::new(&tree));
        let last = tree.nodes().end - 1;
        let length = xpaths.of(last).len();
        let mut budget = XPathBudget::default();
        let written = (0..20_000).filter(|_| budget.xpath(&table, last).is_some()).count();
        assert_eq!(written, MAX_PAGE_XPATH_BYTES / length);
        assert_eq!(budget.omitted(), 20_000 - written);
        assert_eq!(budget.xpath(&table, NONE), None);
        assert_eq!(budget.omitted(), 20_000 - written);
        assert_eq!(xpaths.bounded(last), Some(xpaths.of(last)));
        let long = format!("<x-{}>", "y".repeat(4000));
        let (tree, _) = parse(&format!("{}<p>x", long.repeat(3)), &Limits::default());
        let xpaths = XPaths::new(&tree);
        for node in tree.nodes() {
            let whole = xpaths.of(node);
            assert_eq!(xpaths.bounded(node), Some(whole).filter(|path| path.len() <= MAX_XPATH_BYTES));
        }
    }
}
