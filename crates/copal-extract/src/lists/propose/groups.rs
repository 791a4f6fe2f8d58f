//! Plain groups of elements: siblings of one kind, and elements with one path.
//!
//! In: a [`Page`]. Out: regions whose records are single elements: the children of one parent with one tag (with one
//! class, with one structure), and the elements anywhere with one path of tags (and classes), which finds grids and
//! lists that are split into sections, and what the page itself calls items. Also children between separators: headings, rules, and the `tr` runs and `dt` of
//! records without an element of their own. O(nodes).

use crate::lists::candidate::{ListCandidate, one_part};
use crate::signals::declared::markup::item_type;
use crate::structure::layout;
use copal_dom::{Node, Page, Tag, attrs, tags};
use copal_model::Parts;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::Hash;
use std::hash::Hasher;

/// Fewest records of a group.
const FEWEST: usize = 2;
/// Most groups of single elements that are given.
const MOST: usize = 56;
/// Most rows of a table that make one record.
const ROWS: usize = 4;

/// All groups, without order; none twice.
pub(crate) fn find(page: &Page) -> Vec<ListCandidate> {
    let mut groups = Groups { page, seen: FxHashSet::default(), kept: Vec::new(), found: Vec::new() };
    groups.siblings();
    groups.paths();
    groups.declared();
    groups.separated();
    // most groups are small; only what shows much is worth a closer look
    let mut kept = std::mem::take(&mut groups.kept);
    kept.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    for (_, nodes) in kept.into_iter().take(MOST) {
        groups.push(nodes.iter().map(|&node| one_part(node..page.tree.end(node))).collect());
    }
    groups.found
}

struct Groups<'a> {
    page: &'a Page,
    seen: FxHashSet<u64>,
    /// Groups of single elements by how much they show.
    kept: Vec<(f64, Vec<Node>)>,
    found: Vec<ListCandidate>,
}

impl Groups<'_> {
    /// Shown, and with a text or an image inside.
    fn has_content(&self, node: Node) -> bool {
        let nodes = node..self.page.tree.end(node);
        self.page.styles.is_shown(node) && self.page.index.leaves(&nodes) + self.page.index.images(&nodes) > 0
    }

    fn push(&mut self, records: Vec<Parts>) {
        if records.len() < FEWEST {
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

    fn push_nodes(&mut self, nodes: Vec<Node>) {
        let (tree, index) = (&self.page.tree, &self.page.index);
        let (mut chars, mut links, mut leaves) = (0, 0, 0);
        for &node in &nodes {
            let nodes = node..tree.end(node);
            chars += index.chars(&nodes);
            links += index.link_chars(&nodes);
            leaves += index.leaves(&nodes) + index.images(&nodes);
        }
        let all_links = f64::from(links) / f64::from(chars.max(1));
        let rich = f64::from(leaves) / nodes.len() as f64;
        let shows =
            f64::from(chars).powf(0.7) * (1.0 + nodes.len() as f64).ln() * (1.2 - all_links) * rich.min(4.0);
        self.kept.push((shows, nodes));
    }

    fn siblings(&mut self) {
        let (tree, index) = (&self.page.tree, &self.page.index);
        let mut children: Vec<Node> = Vec::new();
        let mut keyed: Vec<(u64, Node)> = Vec::new();
        for parent in tree.nodes().filter(|&node| !tree.is_text(node)) {
            children.clear();
            children.extend(tree.elements(parent).filter(|&child| self.has_content(child)));
            // two children are a list on hardly any page
            if children.len() <= FEWEST {
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
                // one key for all is one group, and the next key mostly gives the same
                let groups = self.push_keyed(&mut keyed, last == 1);
                last = groups;
            }
        }
    }

    fn paths(&mut self) {
        let (tree, index) = (&self.page.tree, &self.page.index);
        let nodes = tree.nodes().filter(|&node| !tree.is_text(node) && self.has_content(node));
        let mut by_path: Vec<(u64, Node)> = nodes.map(|node| (u64::from(index.path(node)), node)).collect();
        let mut by_class: Vec<(u64, Node)> =
            by_path.iter().map(|&(_, node)| (u64::from(index.class_path(node)), node)).collect();
        self.push_keyed(&mut by_path, false);
        self.push_keyed(&mut by_class, false);
    }

    /// What the page itself calls items: microdata, `RDFa`, ARIA, `article`; outermost elements of one kind.
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

    /// The nodes of each key as one group; `skip_whole` leaves out a group of all of them. The number of keys.
    fn push_keyed(&mut self, keyed: &mut [(u64, Node)], skip_whole: bool) -> usize {
        keyed.sort_unstable();
        let mut groups = 0;
        for group in keyed.chunk_by(|a, b| a.0 == b.0) {
            groups += 1;
            if group.len() > FEWEST && !(skip_whole && group.len() == keyed.len()) {
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
            if children.len() < 2 * FEWEST {
                continue;
            }
            let is_table = matches!(tree.tag(parent), tags::TBODY | tags::TABLE);
            if is_table {
                for rows in 2..=ROWS {
                    self.rows(&children, rows);
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

    /// From each start to the next; what stands before the first is no record.
    fn cut(&mut self, children: &[Node], is_start: impl Fn(&Node) -> bool) {
        let starts: Vec<usize> = (0..children.len()).filter(|&i| is_start(&children[i])).collect();
        let whole = starts.len() == children.len();
        if starts.len() < FEWEST || whole {
            return;
        }
        // the last record is no longer than the others: what comes after it is not its
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

    /// So many rows at a time, if rows that far apart are alike and neighbours are not.
    fn rows(&mut self, children: &[Node], rows: usize) {
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

/// A hash of the type that the page gives an element.
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

fn begins_records(tag: Tag) -> bool {
    tags::is_heading(tag)
        || matches!(tag, tags::DT | tags::HR | tags::A | tags::B | tags::STRONG | tags::P | tags::IMG)
}

#[cfg(test)]
mod tests {
    use super::find;
    use copal_dom::{Limits, Page};

    /// True if one of the groups has just these texts as records.
    fn has(html: &str, want: &[&str]) -> bool {
        let page = Page::from_text(html, &Limits::default());
        let texts = |records: &[crate::Parts]| -> Vec<String> {
            records.iter().map(|parts| page.visible_text(parts[0].clone())).collect()
        };
        find(&page).iter().any(|found| texts(&found.records) == want)
    }

    #[test]
    fn siblings_of_one_class() {
        let html = "<ul><li class=ad>buy<li>a<li>b<li>c</ul>";
        assert!(has(html, &["a", "b", "c"]) && has(html, &["buy", "a", "b", "c"]));
    }

    #[test]
    fn cells_of_a_grid_are_one_group() {
        assert!(has("<table><tr><td>a<td>b<tr><td>c</table>", &["a", "b", "c"]));
    }

    #[test]
    fn items_that_the_page_declares() {
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
    fn rows_in_threes() {
        let row = |n: u32| format!("<tr><td>{n}<td>t<tr><td colspan=2>by {n}<tr class=gap><td>");
        let html = format!("<table>{}{}{}{}</table>", row(1), row(2), row(3), row(4));
        assert!(has(&html, &["1 t by 1", "2 t by 2", "3 t by 3", "4 t by 4"]));
    }
}
