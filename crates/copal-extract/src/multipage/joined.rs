//! The records of several pages as records of one page.
//!
//! In: the first page with its list, and excerpts of others. Out: one region whose columns are made of all records at once,
//! as if the first page had gone on. The nodes of the joined page are no page's: records keep the places that they have on
//! their own pages, lists inside of records of further pages have none. When the excerpts grow large, a batch of them is
//! read together with the records of the first page, which keep its columns the same.

use super::append;
use crate::lists::candidate::ListCandidate;
use crate::structure::layout::{common_root, tops};
use crate::table::region::{self as build, PageContext};
use crate::table::{confidence, places};
use copal_dom::splice::{self, TreePart};
use copal_dom::url::BaseUrl;
use copal_dom::{Node, Page, Tree, xpath::XPathTable};
use copal_model::{CellSource, Column, ListPage, Parts, Record, RecordPlace, Region, RegionPlace, Source};
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
    /// Where the records are in the excerpt, and where they are on their page.
    records: Vec<Parts>,
    places: Vec<RecordPlace>,
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
        // cells are not known yet: the table has all elements until the batch is read
        let mut builder = XPathTable::builder(&page.tree);
        records.iter().flatten().flat_map(Clone::clone).for_each(|node| builder.add(node));
        let xpaths = Arc::new(builder.finish());
        let place = |parts: &Parts| RecordPlace {
            parts: parts.clone(),
            tops: parts.iter().flat_map(|part| tops(page, part)).collect(),
            xpaths: xpaths.clone(),
        };
        self.nodes += tree.len();
        self.excerpts.push(Excerpt {
            places: records.iter().map(place).collect(),
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
        let (mut region, joined) = self.read(&excerpts);
        let here = BaseUrl::of(&self.first);
        let mut at = own;
        for excerpt in &excerpts {
            let records = at..at + excerpt.records.len();
            at = records.end;
            for (r, place) in records.clone().zip(&excerpt.places) {
                let record = &mut region.records[r];
                record.page = Some(excerpt.page.clone());
                record.children.iter_mut().for_each(forget_places);
                for text in record.cells.iter_mut().flat_map(|cell| &mut cell.texts) {
                    text.source =
                        text.source.take().and_then(|source| on_own_page(source, &joined[r], place));
                }
                record.place = RecordPlace { parts: Parts::new(), ..place.clone() };
            }
            share_xpaths(&mut region.records[records.clone()]);
            resolve(&region.columns, &mut region.records[records], &excerpt.base);
        }
        for (record, known) in region.records.iter_mut().zip(&self.list.records) {
            record.page.clone_from(&known.page);
        }
        resolve(&region.columns, &mut region.records[..own], &here);
        match &mut self.done {
            None => self.done = Some(region),
            Some(done) => {
                region.records.drain(..own);
                append::append(done, region);
            }
        }
    }

    /// The region of the first page's records with those of the excerpts after them, and where all of them are in the joined
    /// page.
    fn read(&self, excerpts: &[Excerpt]) -> (Region, Vec<Parts>) {
        let tree = &self.first.tree;
        let mut records: Vec<Parts> =
            self.list.records.iter().map(|record| record.place.parts.clone()).collect();
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
        let context = PageContext::with_base(&page, BaseUrl::unknown());
        let mut region = build::region(&context, &found, self.list.method, self.list.role);
        region.confidence = self.list.confidence;
        confidence::add(&page, &mut region);
        // what was added is after the records of the first page, whose nodes and paths are those of that page
        let further = region.records.split_off(self.list.records.len());
        places::add_xpaths(&self.first, std::slice::from_mut(&mut region));
        region.records.extend(further);
        region.place = self.list.place.clone();
        (region, found.records)
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

/// Makes the URLs of records, and of lists nested in them, absolute.
fn resolve(columns: &[Column], records: &mut [Record], base: &BaseUrl) {
    for record in records {
        for (column, cell) in columns.iter().zip(&mut record.cells) {
            if matches!(column.source, CellSource::Href | CellSource::Src) {
                for text in cell.texts_mut() {
                    *text = base.resolve(text);
                }
            }
        }
        for child in &mut record.children {
            resolve(&child.columns, &mut child.records, base);
        }
    }
}

/// A source in the joined page as one on the record's own page; none if its element is not in the record.
fn on_own_page(mut source: Source, joined: &Parts, place: &RecordPlace) -> Option<Source> {
    let (there, own) = joined.iter().zip(&place.parts).find(|(there, _)| there.contains(&source.node))?;
    source.node = source.node - there.start + own.start;
    Some(source)
}

/// Replaces the table of all elements by one of those that records and cells name.
fn share_xpaths(records: &mut [Record]) {
    let Some(all) = records.first().map(|record| record.place.xpaths.clone()) else { return };
    let mut nodes: Vec<Node> = Vec::new();
    for record in records.iter() {
        places::record_nodes(record, &mut |node| nodes.push(node));
    }
    let table = Arc::new(all.subset(nodes));
    for record in records {
        record.place.xpaths = table.clone();
    }
}

/// Nodes of the joined page are not nodes of the page that the user knows.
fn forget_places(region: &mut Region) {
    region.place = RegionPlace::Unknown;
    for record in &mut region.records {
        record.place = RecordPlace::default();
        for text in record.cells.iter_mut().flat_map(|cell| &mut cell.texts) {
            text.source = None;
        }
    }
}
