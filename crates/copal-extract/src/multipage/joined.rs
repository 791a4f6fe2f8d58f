//! The records of several pages as records of one page.
//!
//! In: the first page with its list, and excerpts of others. Out: one region whose columns are made of all records at once,
//! as if the first page had gone on. The nodes of the joined page are no page's: records keep the places that they have on
//! their own pages, lists inside of records of further pages have none. When the excerpts grow large, a batch of them is
//! read together with the records of the first page, which keep its columns the same.

use super::append;
use crate::lists::candidate::ListCandidate;
use crate::structure::layout::{common_root, tops};
use crate::table::confidence;
use crate::table::region as build;
use copal_dom::splice::{self, TreePart};
use copal_dom::url::BaseUrl;
use copal_dom::{Node, Page, Tree, xpath::XPaths};
use copal_model::{CellSource, ListPage, Parts, Region};
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// Nodes of excerpts that are read together.
const BATCH: usize = 400_000;

pub(super) struct Joined {
    first: Page,
    /// The list on the first page.
    list: Region,
    excerpts: Vec<Excerpt>,
    /// Nodes of the excerpts.
    nodes: usize,
    /// What earlier batches gave.
    done: Option<Region>,
}

/// The records that a page adds.
struct Excerpt {
    tree: Tree,
    records: Vec<Parts>,
    xpaths: Vec<Vec<String>>,
    base: BaseUrl,
    page: ListPage,
}

impl Joined {
    pub(super) fn new(first: Page, list: &Region, url: Arc<str>) -> Joined {
        let mut list = list.clone();
        super::mark(&mut list, &ListPage { number: 1, url });
        Joined { first, list, excerpts: Vec::new(), nodes: 0, done: None }
    }

    /// The list on the first page.
    pub(super) fn list(&self) -> &Region {
        &self.list
    }

    pub(super) fn add(&mut self, page: &Page, records: &[Parts], base: BaseUrl, of: ListPage) {
        let pieces: Vec<TreePart<'_>> =
            records.iter().flatten().map(|part| (&page.tree, part.clone())).collect();
        let (tree, starts) = splice::excerpt(&pieces);
        let xpaths = XPaths::new(&page.tree);
        let places = |parts: &Parts| {
            parts.iter().flat_map(|part| tops(page, part)).map(|node| xpaths.of(node)).collect()
        };
        self.nodes += tree.len();
        self.excerpts.push(Excerpt {
            xpaths: records.iter().map(places).collect(),
            records: moved(records, &starts),
            tree,
            base,
            page: of,
        });
        if self.nodes > BATCH {
            self.read_batch();
        }
    }

    pub(super) fn finish(mut self) -> Region {
        if !self.excerpts.is_empty() || self.done.is_none() {
            self.read_batch();
        }
        self.done.unwrap_or(self.list)
    }

    fn read_batch(&mut self) {
        let excerpts = std::mem::take(&mut self.excerpts);
        self.nodes = 0;
        if excerpts.is_empty() {
            return;
        }
        let own = self.list.records.len();
        let mut region = self.read(&excerpts);
        let further: Vec<(&Excerpt, usize)> = excerpts
            .iter()
            .flat_map(|excerpt| (0..excerpt.records.len()).map(move |at| (excerpt, at)))
            .collect();
        let here = BaseUrl::of(&self.first);
        for (at, record) in region.records.iter_mut().enumerate() {
            let base = if let Some((excerpt, place)) = at.checked_sub(own).and_then(|at| further.get(at)) {
                record.xpaths.clone_from(&excerpt.xpaths[*place]);
                record.page = Some(excerpt.page.clone());
                record.parts = Parts::new();
                for child in &mut record.children {
                    forget_places(child);
                }
                &excerpt.base
            } else {
                record.page.clone_from(&self.list.records[at].page);
                &here
            };
            resolve(&region.columns, &mut record.cells, base);
            for child in &mut record.children {
                for item in &mut child.records {
                    resolve(&child.columns, &mut item.cells, base);
                }
            }
        }
        match &mut self.done {
            None => self.done = Some(region),
            Some(done) => {
                region.records.drain(..own);
                append::append(done, region);
            }
        }
    }

    /// The region of the first page's records with those of the excerpts behind them.
    fn read(&self, excerpts: &[Excerpt]) -> Region {
        let tree = &self.first.tree;
        let mut records: Vec<Parts> = self.list.records.iter().map(|record| record.parts.clone()).collect();
        let last = records.iter().flatten().map(|part| part.end).max().unwrap_or(1);
        let place = last_sibling(tree, &records, last);
        let further =
            excerpts.iter().flat_map(|excerpt| excerpt.records.iter().map(move |parts| (excerpt, parts)));
        let pieces: Vec<TreePart<'_>> = further
            .clone()
            .flat_map(|(excerpt, parts)| parts.iter().map(move |part| (&excerpt.tree, part.clone())))
            .collect();
        let (joined, starts) = splice::insert_after(tree, place, &pieces);
        let all: Vec<Parts> = further.map(|(_, parts)| parts.clone()).collect();
        records.extend(moved(&all, &starts));
        let mut page = Page::from_tree(joined);
        page.url.clone_from(&self.first.url);
        let found = ListCandidate {
            root: common_root(&page.tree, &records),
            records,
            score: self.list.score,
            attributes: Vec::new(),
        };
        let xpaths = XPaths::new(&page.tree);
        let mut region =
            build::region(&page, (&xpaths, &BaseUrl::unknown()), &found, self.list.method, self.list.role);
        region.confidence = self.list.confidence;
        confidence::add(&page, &mut region);
        region.xpath.clone_from(&self.list.xpath);
        region
    }
}

/// The last top element or text of the part that ends at a node.
fn last_sibling(tree: &Tree, records: &[Parts], end: Node) -> Node {
    let part = records.iter().flatten().find(|part| part.end == end);
    let Some(part) = part else { return 0 };
    let mut at = part.start;
    while tree.end(at) < part.end {
        at = tree.end(at);
    }
    at
}

/// Records whose parts begin elsewhere.
fn moved(records: &[Parts], starts: &[Node]) -> Vec<Parts> {
    let mut starts = starts.iter();
    let place = |part: &Range<Node>| {
        let start = starts.next().copied().unwrap_or_default();
        start..start + part.len() as Node
    };
    let mut place = place;
    records.iter().map(|parts| parts.iter().map(&mut place).collect::<SmallVec<_>>()).collect()
}

fn resolve(columns: &[copal_model::Column], cells: &mut [Vec<String>], base: &BaseUrl) {
    for (column, cell) in columns.iter().zip(cells) {
        if matches!(column.source, CellSource::Href | CellSource::Src) {
            for text in cell {
                *text = base.resolve(text);
            }
        }
    }
}

/// The places of the joined page are not the user's.
fn forget_places(region: &mut Region) {
    region.xpath.clear();
    for record in &mut region.records {
        record.xpaths.clear();
        record.parts = Parts::new();
    }
}
