//! Plain groups of elements that may be lists.
//!
//! In: a [`Page`]. Out: list candidates of four kinds: children of one parent with the same tag, class or
//! structure; elements anywhere on the page with the same path of tags or classes, which finds grids and
//! lists that are split into sections; elements that the page declares to be items; and children between
//! separators (headings, rules, runs of `tr`, `dt`), for records without an element of their own. O(nodes).

use crate::lists::candidate::{ListCandidate, one_part};
use crate::signals::declared::markup::item_type;
use crate::structure::layout;
use copal_dom::{Node, Page, Tag, attrs, tags};
use copal_model::Parts;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Minimum number of records per group.
const MIN_GROUP_SIZE: usize = 2;
/// Maximum number of groups of single elements that are proposed.
const MAX_GROUPS: usize = 56;
/// Maximum number of table rows per record.
const MAX_ROWS_PER_RECORD: usize = 4;

/// All groups without duplicates, in no particular order.
pub(crate) fn find(page: &Page) -> Vec<ListCandidate> {
    let mut groups =
        GroupCollector { page, seen: FxHashSet::default(), weighted: Vec::new(), found: Vec::new() };
    groups.siblings();
    groups.paths();
    groups.declared();
    groups.separated();
    // most groups are small; only those with much content are worth ranking
    let mut weighted = std::mem::take(&mut groups.weighted);
    weighted.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    for (_, nodes) in weighted.into_iter().take(MAX_GROUPS) {
        groups.push(nodes.iter().map(|&node| one_part(node..page.tree.end(node))).collect());
    }
    groups.found
}

struct GroupCollector<'a> {
    page: &'a Page,
    /// Hashes of the proposed groups.
    seen: FxHashSet<u64>,
    /// Groups of single elements with the amount of their content.
    weighted: Vec<(f64, Vec<Node>)>,
    found: Vec<ListCandidate>,
}

impl GroupCollector<'_> {
    /// True if the node is visible and contains a text or an image.
    fn has_content(&self, node: Node) -> bool {
        let nodes = node..self.page.tree.end(node);
        self.page.styles.is_shown(node) && self.page.index.leaves(&nodes) + self.page.index.images(&nodes) > 0
    }

    /// Proposes a group, unless it was proposed before.
    fn push(&mut self, records: Vec<Parts>) {
        if records.len() < MIN_GROUP_SIZE {
            return;
        }
        let mut hasher = FxHasher::default();
        for part in records.iter().flatten() {
            (part.start, part.end).hash(&mut hasher);
        }
        if self.seen.insert(hasher.finish()) {
            let root = layout::common_root(&self.page.tree, &records);
            self.found.push(ListCandidate { root, records, score: 0.0, attributes: Vec::new() });
        }
    }

    /// Keeps a group of single elements with the amount of its content.
    fn push_nodes(&mut self, nodes: Vec<Node>) {
        let (tree, index) = (&self.page.tree, &self.page.index);
        let (mut chars, mut links, mut leaves) = (0, 0, 0);
        for &node in &nodes {
            let nodes = node..tree.end(node);
            chars += index.chars(&nodes);
            links += index.link_chars(&nodes);
            leaves += index.leaves(&nodes) + index.images(&nodes);
        }
        let link_share = f64::from(links) / f64::from(chars.max(1));
        let leaves_per_node = f64::from(leaves) / nodes.len() as f64;
        let content = f64::from(chars).powf(0.7)
            * (1.0 + nodes.len() as f64).ln()
            * (1.2 - link_share)
            * leaves_per_node.min(4.0);
        self.weighted.push((content, nodes));
    }

    /// Children of one parent with the same tag, class or structure.
    fn siblings(&mut self) {
        let (tree, index) = (&self.page.tree, &self.page.index);
        let mut children: Vec<Node> = Vec::new();
        let mut keyed: Vec<(u64, Node)> = Vec::new();
        for parent in tree.nodes().filter(|&node| !tree.is_text(node)) {
            children.clear();
            children.extend(tree.elements(parent).filter(|&child| self.has_content(child)));
            // two children are almost never a list
            if children.len() <= MIN_GROUP_SIZE {
                continue;
            }
            let tag = |child: Node| u64::from(tree.tag(child));
            let mut last = 0;
            for key in [
                &tag as &dyn Fn(Node) -> u64,
                &|child| tag(child) << 32 | u64::from(index.class(child)),
                &|child| index.structure(child),
            ] {
                keyed.clear();
                keyed.extend(children.iter().map(|&child| (key(child), child)));
                // if all children have one key, the next key mostly gives the same group
                let groups = self.push_keyed(&mut keyed, last == 1);
                last = groups;
            }
        }
    }

    /// Elements anywhere on the page with the same path of tags or of classes.
    fn paths(&mut self) {
        let (tree, index) = (&self.page.tree, &self.page.index);
        let nodes = tree.nodes().filter(|&node| !tree.is_text(node) && self.has_content(node));
        let nodes: Vec<Node> = nodes.collect();
        for path in [&(|node| index.path(node)) as &dyn Fn(Node) -> u32, &|node| index.class_path(node)] {
            for group in large_groups(&nodes, path) {
                self.push_nodes(group);
            }
        }
    }

    /// The outermost elements that the page declares to be items of one kind: microdata, `RDFa`, ARIA,
    /// `article`.
    fn declared(&mut self) {
        let tree = &self.page.tree;
        let mut keyed: Vec<(u64, Node)> = Vec::new();
        let mut ends: FxHashMap<u64, Node> = FxHashMap::default();
        for node in tree.nodes().filter(|&node| !tree.is_text(node)) {
            let Some(kind) = declared_kind(self.page, node) else { continue };
            let end = ends.entry(kind).or_default();
            if node >= *end && self.has_content(node) {
                *end = tree.end(node);
                keyed.push((kind, node));
            }
        }
        self.push_keyed(&mut keyed, false);
    }

    /// Adds the nodes of each key as a group and returns the number of keys. With `skip_whole`, a group of
    /// all nodes is left out.
    fn push_keyed(&mut self, keyed: &mut [(u64, Node)], skip_whole: bool) -> usize {
        keyed.sort_unstable();
        let mut groups = 0;
        for group in keyed.chunk_by(|a, b| a.0 == b.0) {
            groups += 1;
            if group.len() > MIN_GROUP_SIZE && !(skip_whole && group.len() == keyed.len()) {
                self.push_nodes(group.iter().map(|&(_, node)| node).collect());
            }
        }
        groups
    }

    /// Children of one parent, cut before every child of one kind.
    fn separated(&mut self) {
        let tree = &self.page.tree;
        let mut children: Vec<Node> = Vec::new();
        for parent in tree.nodes().filter(|&node| !tree.is_text(node)) {
            children.clear();
            children.extend(tree.elements(parent).filter(|&child| self.page.styles.is_shown(child)));
            if children.len() < 2 * MIN_GROUP_SIZE {
                continue;
            }
            let is_table = matches!(tree.tag(parent), tags::TBODY | tags::TABLE);
            if is_table {
                for rows in 2..=MAX_ROWS_PER_RECORD {
                    self.rows_per_record(&children, rows);
                }
            }
            let mut kinds: Vec<(Tag, u32)> = children
                .iter()
                .filter(|&&child| begins_records(tree.tag(child)) || is_table)
                .map(|&child| (tree.tag(child), self.page.index.class(child)))
                .collect();
            kinds.sort_unstable();
            kinds.dedup();
            for kind in kinds.into_iter().take(8) {
                let is_start = |&child: &Node| (tree.tag(child), self.page.index.class(child)) == kind;
                self.cut(&children, is_start);
            }
        }
    }

    /// Records from each start to the next. Children before the first start belong to no record.
    fn cut(&mut self, children: &[Node], is_start: impl Fn(&Node) -> bool) {
        let starts: Vec<usize> = (0..children.len()).filter(|&i| is_start(&children[i])).collect();
        let whole = starts.len() == children.len();
        if starts.len() < MIN_GROUP_SIZE || whole {
            return;
        }
        // the last record is at most as long as the others: what follows does not belong to it
        let longest = starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(1);
        let ends = starts.iter().skip(1).copied().chain([children.len()]);
        let records: Vec<Parts> = starts
            .iter()
            .zip(ends)
            .map(|(&from, to)| {
                let last = children[to.min(from + longest) - 1];
                let part = children[from]..self.page.tree.end(last);
                one_part(part)
            })
            .filter(|parts: &Parts| self.page.index.leaves(&parts[0]) > 0)
            .collect();
        self.push(records);
    }

    /// Records of `rows` rows each, if rows at that distance are similar and adjacent rows are not.
    fn rows_per_record(&mut self, children: &[Node], rows: usize) {
        let index = &self.page.index;
        let kind = |i: usize| (index.structure(children[i]), index.class(children[i]));
        if children.len() < 3 * rows {
            return;
        }
        let alike = (0..children.len() - rows).filter(|&i| kind(i) == kind(i + rows)).count();
        let same = (0..children.len() - 1).filter(|&i| kind(i) == kind(i + 1)).count();
        if 10 * alike < 7 * (children.len() - rows) || 2 * same > children.len() {
            return;
        }
        let records = children
            .chunks(rows)
            .map(|chunk| one_part(chunk[0]..self.page.tree.end(chunk[chunk.len() - 1])))
            .filter(|parts: &Parts| index.leaves(&parts[0]) > 0)
            .collect();
        self.push(records);
    }
}

/// The nodes of each id that more than [`MIN_GROUP_SIZE`] have, in ascending order of the ids. Ids are small
/// numbers, so that counting is enough to sort by them. O(nodes + largest id).
fn large_groups(nodes: &[Node], id: &dyn Fn(Node) -> u32) -> Vec<Vec<Node>> {
    let largest = nodes.iter().map(|&node| id(node)).max().unwrap_or(0);
    let mut counts = vec![0u32; largest as usize + 1];
    for &node in nodes {
        counts[id(node) as usize] += 1;
    }
    let mut groups: Vec<Vec<Node>> = Vec::new();
    // from here on a count is the place of the group; small groups have none
    for count in &mut counts {
        let size = std::mem::replace(count, u32::MAX) as usize;
        if size > MIN_GROUP_SIZE {
            *count = groups.len() as u32;
            groups.push(Vec::with_capacity(size));
        }
    }
    for &node in nodes {
        if let Some(group) = groups.get_mut(counts[id(node) as usize] as usize) {
            group.push(node);
        }
    }
    groups
}

/// A hash of the item type that the page declares for an element.
pub(crate) fn declared_kind(page: &Page, node: Node) -> Option<u64> {
    let tree = &page.tree;
    let mut hasher = FxHasher::default();
    match (item_type(tree, node), tree.attr(node, attrs::ROLE)) {
        (Some(kind), _) => kind.hash(&mut hasher),
        (None, Some(role @ ("listitem" | "row" | "article" | "gridcell"))) => role.hash(&mut hasher),
        _ if tree.tag(node) == tags::ARTICLE => "article".hash(&mut hasher),
        _ => return None,
    }
    Some(hasher.finish())
}

/// True for tags that often start a record which has no element of its own.
fn begins_records(tag: Tag) -> bool {
    tags::is_heading(tag)
        || matches!(tag, tags::DT | tags::HR | tags::A | tags::B | tags::STRONG | tags::P | tags::IMG)
}

#[cfg(test)]
mod tests {
    use super::find;
    use copal_dom::{Limits, Page};

    /// True if the records of one of the groups have exactly these texts.
    fn has(html: &str, want: &[&str]) -> bool {
        let page = Page::from_text(html, &Limits::default());
        let texts = |records: &[crate::Parts]| -> Vec<String> {
            records.iter().map(|parts| page.visible_text(parts[0].clone())).collect()
        };
        find(&page).iter().any(|found| texts(&found.records) == want)
    }

    #[test]
    fn siblings_of_one_class_are_a_group() {
        let html = "<ul><li class=ad>buy<li>a<li>b<li>c</ul>";
        assert!(has(html, &["a", "b", "c"]) && has(html, &["buy", "a", "b", "c"]));
    }

    #[test]
    fn cells_of_a_grid_are_a_group() {
        assert!(has("<table><tr><td>a<td>b<tr><td>c</table>", &["a", "b", "c"]));
    }

    #[test]
    fn declared_items_are_a_group() {
        let item = |n: u32, around: &str| {
            format!("<{around}><p itemscope itemtype=x/Thing><b>t{n}</b></p></{around}>")
        };
        let html = format!("{}{}{}", item(1, "div"), item(2, "section"), item(3, "main"));
        assert!(has(&html, &["t1", "t2", "t3"]));
        assert!(has(
            "<div role=listitem>a</div><i><u role=listitem>b</u></i><p role=listitem>c</p>",
            &["a", "b", "c"]
        ));
    }

    #[test]
    fn headings_and_terms_begin_records() {
        assert!(has("<div><h3>a</h3><p>1</p><p>2</p><h3>b</h3><p>3</p></div>", &["a 1 2", "b 3"]));
        assert!(has("<dl><dt>a<dd>1<dd>2<dt>b<dd>3</dl>", &["a 1 2", "b 3"]));
    }

    #[test]
    fn three_table_rows_may_form_a_record() {
        let row = |n: u32| format!("<tr><td>{n}<td>t<tr><td colspan=2>by {n}<tr class=gap><td>");
        let html = format!("<table>{}{}{}{}</table>", row(1), row(2), row(3), row(4));
        assert!(has(&html, &["1 t by 1", "2 t by 2", "3 t by 3", "4 t by 4"]));
    }
}
