//! BUW, the Bottom-Up Wrapper (Thamviset, Wongthanavasu): the complete system.
//!
//! In: a [`Page`]. Out: its data regions, ranked. The five steps of Figure 4: data items (Figure 5, `items`),
//! candidate records (Figures 8 and 9, `candidates`), data records (Figure 10, `groups`), sections and
//! regions (Figure 11) and the score (step 5). `docs/papers/buw.md` lists the deviations. Cost: O(leaves *
//! depth).

use crate::lists::candidate::{ListCandidate, RankedLists, one_part};
use copal_dom::{NONE, Node, Page, tags};
use rustc_hash::FxHashMap;

/// The constants of the paper, and switches where its text can be understood in two ways.
#[derive(Debug, Clone)]
pub struct BuwOptions {
    /// Minimum number of items per path, and of records per group (Figure 5 line 11, step 3).
    pub fewest: usize,
    /// mu: minimum number of records per region (step 5).
    pub mu: usize,
    /// Ignore formatting tags (`b`, `em`, `br`, …) when deciding whether a node is a leaf.
    pub unwrap_formatting: bool,
    /// Score with the paths that any record has instead of those that all records have.
    pub union_score: bool,
    /// A record that shares fewer than two paths with the groups of its own path starts a new group. The text
    /// of the paper drops such a record.
    pub open_groups: bool,
}

impl Default for BuwOptions {
    fn default() -> Self {
        BuwOptions { fewest: 3, mu: 3, unwrap_formatting: false, union_score: true, open_groups: true }
    }
}

/// Finds all data regions, best first.
pub(crate) fn find(page: &Page, options: &BuwOptions) -> RankedLists {
    let items = items(page, options);
    let records = candidates(page, &items);
    let groups = groups(page, &items, &records, options);
    let mut regions: Vec<ListCandidate> = groups
        .into_iter()
        .filter(|group| group.records.len() >= options.mu)
        .map(|group| {
            let records: Vec<_> =
                group.records.iter().map(|&node| one_part(node..page.tree.end(node))).collect();
            let paths = if options.union_score { group.in_any } else { group.in_all };
            let score = (records.len() * paths) as f64;
            ListCandidate {
                root: crate::structure::layout::common_root(&page.tree, &records),
                records,
                score,
                attributes: Vec::new(),
            }
        })
        .collect();
    let chars = |found: &ListCandidate| {
        found.records.iter().flatten().map(|part| page.index.chars(part)).sum::<u32>()
    };
    regions.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| chars(b).cmp(&chars(a))));
    RankedLists { regions, ..RankedLists::default() }
}

/// The result of step 1: the leaves in document order, by tree path.
struct DataItems {
    /// The leaves of each path that has enough of them.
    by_path: Vec<Vec<Node>>,
    /// How many leaves of any path precede each node.
    before: Vec<u32>,
}

/// Figure 5. The path of a leaf consists of the tags from the root and the position among siblings of the
/// same tag.
fn items(page: &Page, options: &BuwOptions) -> DataItems {
    let tree = &page.tree;
    let leaf = leaves(page, options);
    let mut before = Vec::with_capacity(tree.len() + 1);
    let mut total = 0;
    for &is_leaf in &leaf {
        before.push(total);
        total += u32::from(is_leaf);
    }
    before.push(total);
    let mut groups: FxHashMap<(u32, u32), Vec<Node>> = FxHashMap::default();
    let mut seen: FxHashMap<u16, u32> = FxHashMap::default();
    for parent in tree.nodes() {
        let range = parent as usize + 1..tree.end(parent) as usize;
        if range.is_empty() || before[range.end] == before[range.start] {
            continue;
        }
        seen.clear();
        for child in tree.elements(parent).filter(|&child| page.styles.is_shown(child)) {
            let position = seen.entry(tree.tag(child)).or_insert(0);
            if leaf[child as usize] {
                groups.entry((page.index.path(child), *position)).or_default().push(child);
            }
            *position += 1;
        }
    }
    let mut by_path: Vec<Vec<Node>> =
        groups.into_values().filter(|nodes| nodes.len() >= options.fewest).collect();
    for nodes in &mut by_path {
        nodes.sort_unstable();
    }
    by_path.sort_unstable();
    DataItems { by_path, before }
}

/// Elements without nested elements that show something: text, an image or a form control.
fn leaves(page: &Page, options: &BuwOptions) -> Vec<bool> {
    let tree = &page.tree;
    let is_ignored =
        |tag| matches!(tag, tags::BR | tags::WBR) || (options.unwrap_formatting && tags::is_formatting(tag));
    let mut inner = vec![false; tree.len()];
    let mut leaf = vec![false; tree.len()];
    for node in tree.nodes().rev() {
        if tree.is_text(node)
            || !page.styles.is_shown(node)
            || (tree.is_foreign(node) && tree.tag(node) != tags::SVG)
        {
            continue;
        }
        let (tag, parent) = (tree.tag(node), tree.parent(node));
        let shows = matches!(tag, tags::IMG | tags::SVG | tags::INPUT)
            || page.index.leaves(&(node..tree.end(node))) > 0;
        if !inner[node as usize] && shows && !is_ignored(tag) {
            leaf[node as usize] = true;
        }
        if parent != NONE && ((shows && !is_ignored(tag)) || inner[node as usize]) {
            inner[parent as usize] = true;
        }
    }
    leaf
}

/// Step 2 (Figure 9): pairs of (candidate record, path), sorted. A candidate record is a node that holds one
/// item of a path while its parent holds several. It is the child, on the way to the item, of the lowest
/// ancestor that the item shares with the item before or after it.
fn candidates(page: &Page, items: &DataItems) -> Vec<(Node, u32)> {
    let tree = &page.tree;
    let mut out = Vec::new();
    for (path, nodes) in items.by_path.iter().enumerate() {
        // items of one path have the same depth, so both sides climb together
        let shared: Vec<u32> = nodes
            .windows(2)
            .map(|pair| {
                let (mut a, mut b) = (pair[0], pair[1]);
                while a != b {
                    (a, b) = (tree.parent(a), tree.parent(b));
                }
                tree.depth(a)
            })
            .collect();
        for (i, &item) in nodes.iter().enumerate() {
            let before = i.checked_sub(1).map(|i| shared[i]);
            let depth = before.max(shared.get(i).copied()).map_or(0, |depth| depth + 1);
            let mut record = item;
            while tree.depth(record) > depth {
                record = tree.parent(record);
            }
            out.push((record, path as u32));
        }
    }
    out.sort_unstable();
    out
}

/// Records that have the same path, and the item paths that they share.
struct RecordGroup {
    records: Vec<Node>,
    /// In how many of the records each path occurs.
    paths: FxHashMap<u32, u32>,
    /// Number of paths that occur in all records.
    in_all: usize,
    /// Number of paths that occur in any record.
    in_any: usize,
}

/// Step 3 (Figure 10): candidates with at least two paths and two leaves, grouped by their own path. A record
/// joins a group with which it shares more than one path. Small groups are dropped, and of several groups
/// below one parent only the largest is kept.
fn groups(
    page: &Page,
    items: &DataItems,
    candidates: &[(Node, u32)],
    options: &BuwOptions,
) -> Vec<RecordGroup> {
    let tree = &page.tree;
    let mut groups: Vec<RecordGroup> = Vec::new();
    let mut groups_of_path: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for paths in candidates.chunk_by(|a, b| a.0 == b.0) {
        let record = paths[0].0;
        let leaves = items.before[tree.end(record) as usize] - items.before[record as usize];
        if paths.len() < 2 || leaves < 2 {
            continue;
        }
        let same_path = groups_of_path.entry(page.index.path(record)).or_default();
        let shares =
            |group: &RecordGroup| paths.iter().filter(|(_, path)| group.paths.contains_key(path)).count() > 1;
        let at = match same_path.iter().copied().find(|&g| shares(&groups[g])) {
            Some(at) => at,
            None if same_path.is_empty() || options.open_groups => {
                same_path.push(groups.len());
                groups.push(RecordGroup {
                    records: Vec::new(),
                    paths: FxHashMap::default(),
                    in_all: 0,
                    in_any: 0,
                });
                groups.len() - 1
            }
            None => continue,
        };
        groups[at].records.push(record);
        for (_, path) in paths {
            *groups[at].paths.entry(*path).or_default() += 1;
        }
    }
    groups.retain(|group| group.records.len() >= options.fewest);
    for group in &mut groups {
        group.in_any = group.paths.len();
        group.in_all = group.paths.values().filter(|&&n| n as usize == group.records.len()).count();
    }
    groups.sort_by_key(|group| (std::cmp::Reverse(group.records.len()), group.records[0]));
    let mut owner: FxHashMap<Node, usize> = FxHashMap::default();
    let mut at = 0;
    groups.retain(|group| {
        let free = group.records.iter().all(|&record| *owner.entry(tree.parent(record)).or_insert(at) == at);
        at += 1;
        free
    });
    groups
}
