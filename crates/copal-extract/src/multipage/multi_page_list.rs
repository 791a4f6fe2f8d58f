//! A list over several pages, while pages are being added to it.
//!
//! In: the first page with its main list, then further pages or data documents. Out: one region with all
//! records. Records that were already seen on an earlier page are not added again: lists move while they are
//! read. Cost per page: extraction, or only a search for the template if that is exact.

use super::append_region::append_region;
use super::joined_page::JoinedPage;
use super::record_template::{self, RecordTemplate};
use crate::lists::candidate::ListCandidate;
use crate::lists::find;
use crate::pipeline::extract;
use crate::request::{KindRequest, ListChoice, Request};
use crate::table::reread_dates::reread_dates;
use copal_dom::Page;
use copal_dom::hash::hash_of;
use copal_dom::url::BaseUrl;
use copal_model::{Answer, Cell, ListPage, Method, Origin, Parts, Record, Region, RegionPlace};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Regions of a further page that are compared with the list.
const MAX_COMPARED_REGIONS: usize = 40;
/// Share of a region's records that must look like those of the list.
const MIN_ALIKE_SHARE: f64 = 0.5;

/// What a page added to the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AddedRecords {
    /// Records that were not in the list yet.
    pub new: usize,
    /// Records that already were.
    pub repeated: usize,
}

/// A list over several pages, while pages are being added to it.
pub struct MultiPageList {
    request: Request,
    template: Option<RecordTemplate>,
    /// Keys of the records so far.
    known: FxHashSet<u64>,
    body: CombinedPages,
    pages: u32,
    records: usize,
    /// Where the list is on the page that was added last.
    last: Option<Region>,
    /// Records that the page that was added last has added.
    last_new: usize,
}

/// How the pages are combined; see the parent module.
enum CombinedPages {
    OnePage(Box<JoinedPage>),
    ByColumnName(Box<Region>),
}

impl MultiPageList {
    /// Begins with the main list of the first page; `None` if the page has no main list.
    pub fn begin(page: Page, extraction: &Answer, request: &Request) -> Option<MultiPageList> {
        let region = extraction.primary()?;
        let parts: Vec<Parts> = region.records.iter().map(|record| record.place.parts.clone()).collect();
        let template = RecordTemplate::learn(&page, &parts);
        let by_name = template.is_none()
            || request.embedded
            || region.origin != Origin::Page
            || !request.fields.is_empty()
            || request.domain().is_some();
        let url: Arc<str> = page.url.as_deref().unwrap_or_default().into();
        let known = record_keys(&page, template.as_ref(), region);
        let records = region.records.len();
        let mut region = region.clone();
        set_list_page(&mut region, &ListPage { number: 1, url });
        let body = if by_name {
            CombinedPages::ByColumnName(Box::new(region))
        } else {
            CombinedPages::OnePage(Box::new(JoinedPage::new(page, region)))
        };
        let known = known.into_iter().collect();
        Some(MultiPageList {
            request: list_request(request),
            template,
            known,
            body,
            pages: 1,
            records,
            last: None,
            last_new: 0,
        })
    }

    /// Begins with a list from a data document (a feed, a JSON file).
    pub fn begin_data(region: &Region, url: &str, request: &Request) -> MultiPageList {
        let mut region = region.clone();
        let known = region.records.iter().map(|record| hash_of(&record.text)).collect();
        let records = region.records.len();
        set_list_page(&mut region, &ListPage { number: 1, url: url.into() });
        let body = CombinedPages::ByColumnName(Box::new(region));
        MultiPageList {
            request: list_request(request),
            template: None,
            known,
            body,
            pages: 1,
            records,
            last: None,
            last_new: 0,
        }
    }

    /// The number of records so far.
    pub fn records(&self) -> usize {
        self.records
    }

    /// Where the list is on the page that was added last: records without texts and cells.
    pub fn last(&self) -> Option<&Region> {
        self.last.as_ref()
    }

    /// Adds the records of a further page; `None` if the list is not on that page.
    pub fn add(&mut self, page: &Page) -> Option<AddedRecords> {
        let url: Arc<str> = page.url.as_deref().unwrap_or_default().into();
        match &self.body {
            CombinedPages::ByColumnName(_) => {
                let found = extract(page, &self.request);
                let region = self.same_region(page, found)?;
                self.last = Some(region_of_places(
                    &region,
                    region.records.iter().map(|record| record.place.parts.clone()),
                ));
                let record_keys = record_keys(page, self.template.as_ref(), &region);
                Some(self.add_by_column_name(region, &record_keys, url))
            }
            CombinedPages::OnePage(_) => {
                let records = self.same_records(page)?;
                if let CombinedPages::OnePage(joined) = &self.body {
                    self.last = Some(region_of_places(joined.list(), records.iter().cloned()));
                }
                Some(self.add_to_joined_page(page, records, url))
            }
        }
    }

    /// How many records of a further page are new, without adding them; `None` if the list is not on that page.
    pub fn compare(&self, page: &Page) -> Option<AddedRecords> {
        let keys = match &self.body {
            CombinedPages::ByColumnName(_) => {
                let region = self.same_region(page, extract(page, &self.request))?;
                record_keys(page, self.template.as_ref(), &region)
            }
            CombinedPages::OnePage(_) => {
                let (records, template, base) =
                    (self.same_records(page)?, self.template.as_ref()?, BaseUrl::of(page));
                let key = |record: &Parts| template.record_key(page, record, &|href| base.resolve(href));
                records.iter().map(key).collect()
            }
        };
        let repeated = keys.iter().filter(|key| self.known.contains(key)).count();
        Some(AddedRecords { new: keys.len() - repeated, repeated })
    }

    /// Adds a list from a data document.
    pub fn add_data(&mut self, region: Region, url: &str) -> AddedRecords {
        let record_keys: Vec<u64> = region.records.iter().map(|record| hash_of(&record.text)).collect();
        self.add_by_column_name(region, &record_keys, url.into())
    }

    /// The new records of the page that was added last, before the list is complete: columns and their names
    /// may be others in the complete list. `None` if there are none. Costs as much as aligning two pages.
    pub fn last_records(&self) -> Option<Region> {
        let count = self.last_new;
        match &self.body {
            _ if count == 0 => None,
            CombinedPages::OnePage(joined) => joined.last_records(count),
            CombinedPages::ByColumnName(region) => {
                let first = region.records.len().saturating_sub(count);
                let (records, columns) = (region.records[first..].to_vec(), region.columns.clone());
                let (place, sections) = (region.place.clone(), Vec::new());
                Some(Region { records, columns, place, sections, ..**region })
            }
        }
    }

    /// The complete list.
    pub fn finish(self) -> Region {
        match self.body {
            CombinedPages::ByColumnName(mut region) => {
                // what one page left open, another may have shown
                let mut rows: Vec<&mut Vec<Cell>> =
                    region.records.iter_mut().map(|record| &mut record.cells).collect();
                reread_dates(None, &mut region.columns, &mut rows);
                *region
            }
            CombinedPages::OnePage(joined) => joined.finish(),
        }
    }

    fn add_by_column_name(&mut self, mut region: Region, record_keys: &[u64], url: Arc<str>) -> AddedRecords {
        self.pages += 1;
        let all = region.records.len();
        let mut record_keys = record_keys.iter();
        region.records.retain(|_| record_keys.next().is_none_or(|key| self.known.insert(*key)));
        let new = region.records.len();
        self.records += new;
        self.last_new = new;
        set_list_page(&mut region, &ListPage { number: self.pages, url });
        if let (CombinedPages::ByColumnName(table), true) = (&mut self.body, new > 0) {
            append_region(table, region);
        }
        AddedRecords { new, repeated: all - new }
    }

    fn add_to_joined_page(&mut self, page: &Page, mut records: Vec<Parts>, url: Arc<str>) -> AddedRecords {
        self.pages += 1;
        let all = records.len();
        let base = BaseUrl::of(page);
        if let Some(template) = &self.template {
            let known = &mut self.known;
            records
                .retain(|record| known.insert(template.record_key(page, record, &|href| base.resolve(href))));
        }
        let new = records.len();
        self.records += new;
        self.last_new = new;
        if let (CombinedPages::OnePage(joined), true) = (&mut self.body, new > 0) {
            joined.add_records(page, &records, base, ListPage { number: self.pages, url });
        }
        AddedRecords { new, repeated: all - new }
    }

    /// The records of the list on a further page.
    fn same_records(&self, page: &Page) -> Option<Vec<Parts>> {
        let template = self.template.as_ref()?;
        let by_template = template.find_records(page);
        if template.exact && !by_template.is_empty() {
            return Some(by_template);
        }
        let findings = find(page, &self.request.lists);
        let paths = record_template::tag_paths(page);
        let count = |found: &ListCandidate| template.count_alike(page, &paths, &found.records);
        let best = findings
            .regions
            .into_iter()
            .take(MAX_COMPARED_REGIONS)
            .map(|found| (count(&found), found))
            .filter(|(alike, found)| {
                *alike as f64 >= MIN_ALIKE_SHARE * found.records.len() as f64 && *alike > 0
            })
            // if several are equal, the one with the better rank
            .rev()
            .max_by_key(|(alike, _)| *alike);
        match best {
            Some((alike, found)) if alike >= by_template.len() => Some(found.records),
            _ => Some(by_template).filter(|records| !records.is_empty()),
        }
    }

    /// The region of a further page that continues the list.
    fn same_region(&self, page: &Page, extraction: Answer) -> Option<Region> {
        let mut regions = extraction.regions;
        let Some(template) = &self.template else {
            return regions.into_iter().find(|region| region.role.is_main());
        };
        let paths = record_template::tag_paths(page);
        let alike = |region: &Region| {
            let records: Vec<Parts> =
                region.records.iter().map(|record| record.place.parts.clone()).collect();
            template.count_alike(page, &paths, &records)
        };
        let best = (0..regions.len()).rev().max_by_key(|&r| alike(&regions[r]))?;
        let fits = alike(&regions[best]) as f64 >= MIN_ALIKE_SHARE * regions[best].records.len() as f64;
        let primary = || regions.iter().position(|region| region.role.is_main());
        // records of a domain are recognised by their values, so their markup may differ between pages
        let chosen =
            if fits { Some(best) } else { primary().filter(|_| self.request.lists.method == Method::Amber) };
        chosen.map(|at| regions.swap_remove(at))
    }
}

/// A region that has only the places of its records.
fn region_of_places(like: &Region, records: impl Iterator<Item = Parts>) -> Region {
    let records = records.map(Record::at).collect();
    let (columns, sections) = (Vec::new(), Vec::new());
    Region { records, columns, sections, place: RegionPlace::Unknown, ..*like }
}

/// The keys that tell the records of a region apart.
fn record_keys(page: &Page, template: Option<&RecordTemplate>, region: &Region) -> Vec<u64> {
    let base = BaseUrl::of(page);
    let records = region.records.iter();
    records
        .map(|record| match template {
            Some(template) if !record.place.parts.is_empty() => {
                template.record_key(page, &record.place.parts, &|href| base.resolve(href))
            }
            _ => hash_of(&record.text),
        })
        .collect()
}

/// Sets the page of every record.
fn set_list_page(region: &mut Region, page: &ListPage) {
    for record in &mut region.records {
        record.page = Some(page.clone());
    }
}

/// Further pages of a list are read as lists, whatever else they show. Rank and texts of a chosen list
/// differ from page to page, so it is found again by its template; a selector holds for all pages.
fn list_request(request: &Request) -> Request {
    let choice = request.choice.clone().filter(|choice| matches!(choice, ListChoice::Select(_)));
    let all = request.all || request.choice.is_some() && choice.is_none();
    let mut further = Request { kind: KindRequest::List, all, choice, ..request.clone() };
    // what they show must be like the list of the first page, which is the better evidence
    further.lists.combined.min_confidence = None;
    further
}
