//! The records of several pages as records of one page.
//!
//! In: the first page with its list, and excerpts of further pages. Out: one region whose columns were
//! aligned over all records at once, as if the first page had continued. Nodes of the joined page do not
//! exist on any real page. Records therefore keep the places that they have on their own pages, and lists
//! nested in records of further pages have no place. When the excerpts grow large, they are aligned in
//! batches, each together with the records of the first page. This bounds memory and keeps the columns of all
//! batches alike.

use super::append_region::append_region;
use super::kept_names::keep_role_names;
use crate::lists::candidate::ListCandidate;
use crate::structure::layout::{common_root, tops};
use crate::table::build_region::{PageContext, build_region};
use crate::table::{confidence, region_xpaths, section_column};
use copal_dom::splice::{self, TreePart};
use copal_dom::url::BaseUrl;
use copal_dom::{Node, Page, Styles, Tree, xpath::XPathTable};
use copal_model::{
    Cell, CellSource, Column, ListPage, Parts, Record, RecordPlace, Region, RegionPlace, Source,
};
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// Nodes of excerpts that are aligned together.
const MAX_BATCH_NODES: usize = 400_000;

/// The first page, and the excerpts that were not aligned yet.
pub(super) struct JoinedPage {
    first: Page,
    /// The list on the first page.
    list: Region,
    excerpts: Vec<PageExcerpt>,
    /// Nodes of all excerpts.
    nodes: usize,
    /// The result of earlier batches.
    done: Option<Region>,
}

/// The records that one page adds.
struct PageExcerpt {
    tree: Tree,
    styles: Styles,
    /// Where the records are in the excerpt.
    records: Vec<Parts>,
    /// Where the records are on their page.
    places: Vec<RecordPlace>,
    /// The headings above the records on their page, if these divide the list. The records alone do not show
    /// them.
    sections: Option<Vec<Cell>>,
    base: BaseUrl,
    page: ListPage,
}

impl JoinedPage {
    pub(super) fn new(first: Page, list: Region) -> JoinedPage {
        JoinedPage { first, list, excerpts: Vec::new(), nodes: 0, done: None }
    }

    /// The list on the first page.
    pub(super) fn list(&self) -> &Region {
        &self.list
    }

    /// Adds the records of a further page.
    pub(super) fn add_records(&mut self, page: &Page, records: &[Parts], base: BaseUrl, list_page: ListPage) {
        let pieces: Vec<TreePart<'_>> =
            records.iter().flatten().map(|part| (&page.tree, part.clone())).collect();
        let (tree, starts) = splice::excerpt(&pieces);
        let document = std::iter::once((&page.styles, 0..1));
        let styles =
            Styles::of_parts(document.chain(pieces.iter().map(|(_, part)| (&page.styles, part.clone()))));
        // cells are not known yet: the table has all elements until the batch is aligned
        let mut builder = XPathTable::builder(&page.tree);
        records.iter().flatten().flat_map(Clone::clone).for_each(|node| builder.add(node));
        let xpaths = Arc::new(builder.finish());
        let place = |parts: &Parts| RecordPlace {
            parts: parts.clone(),
            tops: parts.iter().flat_map(|part| tops(page, part)).collect(),
            xpaths: xpaths.clone(),
        };
        self.nodes += tree.len();
        self.excerpts.push(PageExcerpt {
            places: records.iter().map(place).collect(),
            sections: section_column::section_cells(page, records),
            records: parts_at(records, &starts),
            tree,
            styles,
            base,
            page: list_page,
        });
        if self.nodes > MAX_BATCH_NODES {
            self.finish_batch();
        }
    }

    /// The complete list.
    pub(super) fn finish(mut self) -> Region {
        if !self.excerpts.is_empty() || self.done.is_none() {
            self.finish_batch();
        }
        let Some(mut done) = self.done else { return self.list };
        keep_role_names(&mut done.columns, &done.records, 0, &self.list);
        done
    }

    /// The records that were added last, `count` of them, aligned with those of the first page only.
    pub(super) fn last_records(&self, count: usize) -> Option<Region> {
        let mut region = match (self.excerpts.last(), &self.done) {
            (Some(excerpt), _) => self.aligned(std::slice::from_ref(excerpt)),
            (None, done) => done.clone()?,
        };
        region.records.drain(..region.records.len().saturating_sub(count));
        region.sections.clear();
        Some(region)
    }

    /// Aligns the excerpts and adds their records to the result.
    fn finish_batch(&mut self) {
        let excerpts = std::mem::take(&mut self.excerpts);
        self.nodes = 0;
        if excerpts.is_empty() {
            return;
        }
        let mut region = self.aligned(&excerpts);
        match &mut self.done {
            None => self.done = Some(region),
            Some(done) => {
                region.records.drain(..self.list.records.len());
                append_region(done, region);
            }
        }
    }

    /// The records of the first page followed by those of the excerpts, as they are on their own pages.
    fn aligned(&self, excerpts: &[PageExcerpt]) -> Region {
        let own = self.list.records.len();
        let (mut region, joined) = self.align_with(excerpts);
        let here = BaseUrl::of(&self.first);
        let mut at = own;
        for excerpt in excerpts {
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
            resolve_urls(&region.columns, &mut region.records[records], &excerpt.base);
        }
        for (record, known) in region.records.iter_mut().zip(&self.list.records) {
            record.page.clone_from(&known.page);
        }
        resolve_urls(&region.columns, &mut region.records[..own], &here);
        self.add_sections(excerpts, &mut region);
        region
    }

    /// Adds the column of headings. Its cells are those of the records on their own pages.
    fn add_sections(&self, excerpts: &[PageExcerpt], region: &mut Region) {
        let own = section_column::cells_of_section_column(&self.list);
        if own.is_none() && excerpts.iter().all(|excerpt| excerpt.sections.is_none()) {
            return;
        }
        let mut cells = own.unwrap_or_else(|| vec![Cell::default(); self.list.records.len()]);
        for excerpt in excerpts {
            match &excerpt.sections {
                Some(sections) => cells.extend(sections.iter().map(without_sources)),
                None => cells.resize(cells.len() + excerpt.records.len(), Cell::default()),
            }
        }
        section_column::set_section_column(region, cells);
    }

    /// The region of the records of the first page followed by those of the excerpts, and the parts of all of
    /// them in the joined page.
    fn align_with(&self, excerpts: &[PageExcerpt]) -> (Region, Vec<Parts>) {
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
        let all: Vec<Parts> = further.clone().map(|(_, parts)| parts.clone()).collect();
        records.extend(parts_at(&all, &starts));
        let after = tree.end(place);
        let parts_of_excerpts = further
            .clone()
            .flat_map(|(excerpt, parts)| parts.iter().map(move |part| (&excerpt.styles, part.clone())));
        let styles = &self.first.styles;
        let all_styles = std::iter::once((styles, 0..after))
            .chain(parts_of_excerpts)
            .chain(std::iter::once((styles, after..tree.len() as Node)));
        let styles = Styles::of_parts(all_styles);
        let mut page = Page::from_styled_tree(joined, styles);
        page.url.clone_from(&self.first.url);
        let found = ListCandidate {
            root: common_root(&page.tree, &records),
            records,
            score: self.list.score,
            attributes: Vec::new(),
        };
        let context = PageContext::with_base(&page, BaseUrl::unknown());
        let mut region = build_region(&context, &found, self.list.method, self.list.role);
        region.confidence = self.list.confidence;
        region.sections.clone_from(&self.list.sections);
        confidence::set_confidences(&page, &mut region);
        // added nodes follow those of the first page, so nodes and XPaths of the first page are still valid
        let further = region.records.split_off(self.list.records.len());
        region_xpaths::add_xpaths(&self.first, std::slice::from_mut(&mut region));
        region.records.extend(further);
        region.place = self.list.place.clone();
        (region, found.records)
    }
}

/// A cell whose texts have no place: the XPaths of a further page are those of its records only.
fn without_sources(cell: &Cell) -> Cell {
    let mut cell = cell.clone();
    cell.texts.iter_mut().for_each(|text| text.source = None);
    cell
}

/// The last top-level node of the part that ends at `end`.
fn last_sibling(tree: &Tree, records: &[Parts], end: Node) -> Node {
    let part = records.iter().flatten().find(|part| part.end == end);
    let Some(part) = part else { return 0 };
    let mut at = part.start;
    while tree.end(at) < part.end {
        at = tree.end(at);
    }
    at
}

/// The same parts at other start nodes.
fn parts_at(records: &[Parts], starts: &[Node]) -> Vec<Parts> {
    let mut starts = starts.iter();
    let place = |part: &Range<Node>| {
        let start = starts.next().copied().unwrap_or_default();
        start..start + part.len() as Node
    };
    let mut place = place;
    records.iter().map(|parts| parts.iter().map(&mut place).collect::<SmallVec<_>>()).collect()
}

/// Makes the URLs of records, and of lists nested in them, absolute.
fn resolve_urls(columns: &[Column], records: &mut [Record], base: &BaseUrl) {
    for record in records {
        for (column, cell) in columns.iter().zip(&mut record.cells) {
            if matches!(column.source, CellSource::Href | CellSource::Src) {
                for text in cell.texts_mut() {
                    *text = base.resolve(text);
                }
            }
        }
        for child in &mut record.children {
            resolve_urls(&child.columns, &mut child.records, base);
        }
    }
}

/// Converts a source in the joined page to one on the record's own page; `None` if it is outside the record.
fn on_own_page(mut source: Source, joined: &Parts, place: &RecordPlace) -> Option<Source> {
    let (there, own) = joined.iter().zip(&place.parts).find(|(there, _)| there.contains(&source.node))?;
    source.node = source.node - there.start + own.start;
    Some(source)
}

/// Replaces the table of all elements by one of the elements that records and cells refer to.
fn share_xpaths(records: &mut [Record]) {
    let Some(all) = records.first().map(|record| record.place.xpaths.clone()) else { return };
    let mut nodes: Vec<Node> = Vec::new();
    for record in records.iter() {
        region_xpaths::record_nodes(record, &mut |node| nodes.push(node));
    }
    let table = Arc::new(all.subset(nodes));
    for record in records {
        record.place.xpaths = table.clone();
    }
}

/// Removes places: nodes of the joined page are not nodes of any page that the user knows.
fn forget_places(region: &mut Region) {
    region.place = RegionPlace::Unknown;
    for record in &mut region.records {
        record.place = RecordPlace::default();
        for text in record.cells.iter_mut().flat_map(|cell| &mut cell.texts) {
            text.source = None;
        }
    }
}
