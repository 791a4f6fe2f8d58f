//! A list that goes on over several pages, read as one.
//!
//! In: the first page with its list, then the other pages. Out: one [`Region`] with the records of all, each once, each with
//! its page. `template` finds the list again on a page, even a single record of it; the records of all pages are put behind
//! those of the first one, so that columns, types and names are made of all of them together, as if the list had never been
//! cut (`joined`); lists with attributes of a domain or with fields of embedded data are put together by the names of their
//! columns (`append`). Memory: the records, in batches of bounded size. Near-linear in the pages.

mod append;
mod joined;
mod template;
#[cfg(test)]
mod tests;

use crate::lists::candidate::ListCandidate;
use crate::lists::find;
use crate::pipeline::extract;
use crate::request::{KindRequest, ListChoice, Request};
use copal_dom::Page;
use copal_dom::hash::hash_of;
use copal_dom::url::BaseUrl;
use copal_model::{Answer, ListPage, Method, Origin, Parts, Record, Region, RegionPlace, Role};
use joined::Joined;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use template::Template;

/// Regions of a page that are looked at for the list.
const REGIONS: usize = 40;
/// Share of a region's records that must look like those of the list.
const ALIKE: f64 = 0.5;

/// What a page gave.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Added {
    /// Records that were not known.
    pub new: usize,
    /// Records that were.
    pub repeated: usize,
}

/// A list in the making.
pub struct Series {
    request: Request,
    template: Option<Template>,
    /// Keys of the records so far.
    known: FxHashSet<u64>,
    body: Body,
    pages: u32,
    records: usize,
    /// Where the list is on the page that was added last.
    last: Option<Region>,
}

enum Body {
    Joined(Box<Joined>),
    Named(Box<Region>),
}

impl Series {
    /// Begins with the main list of the first page; none if it has none.
    pub fn begin(page: Page, extraction: &Answer, request: &Request) -> Option<Series> {
        let region = extraction.primary()?;
        let parts: Vec<Parts> = region.records.iter().map(|record| record.place.parts.clone()).collect();
        let template = Template::of(&page, &parts);
        let by_name = template.is_none()
            || request.embedded
            || region.origin != Origin::Page
            || !request.fields.is_empty()
            || request.domain().is_some();
        let url: Arc<str> = page.url.as_deref().unwrap_or_default().into();
        let known = keys(&page, template.as_ref(), region);
        let records = region.records.len();
        let body = if by_name {
            let mut region = region.clone();
            mark(&mut region, &ListPage { number: 1, url });
            Body::Named(Box::new(region))
        } else {
            Body::Joined(Box::new(Joined::new(page, region, url)))
        };
        let known = known.into_iter().collect();
        Some(Series { request: as_list(request), template, known, body, pages: 1, records, last: None })
    }

    /// Begins with a list that is no page's (a feed, a file of data).
    pub fn begin_data(region: &Region, url: &str, request: &Request) -> Series {
        let mut region = region.clone();
        let known = region.records.iter().map(|record| hash_of(&record.text)).collect();
        let records = region.records.len();
        mark(&mut region, &ListPage { number: 1, url: url.into() });
        let body = Body::Named(Box::new(region));
        Series { request: as_list(request), template: None, known, body, pages: 1, records, last: None }
    }

    /// Records so far.
    pub fn records(&self) -> usize {
        self.records
    }

    /// Where the list is on the page that was added last: records without texts and cells.
    pub fn last(&self) -> Option<&Region> {
        self.last.as_ref()
    }

    /// Adds what a further page has of the list; none if it has no such list.
    pub fn add(&mut self, page: &Page) -> Option<Added> {
        let url: Arc<str> = page.url.as_deref().unwrap_or_default().into();
        match &self.body {
            Body::Named(_) => {
                let found = extract(page, &self.request);
                let region = self.same_region(page, found)?;
                self.last =
                    Some(places_of(&region, region.records.iter().map(|record| record.place.parts.clone())));
                let keys = keys(page, self.template.as_ref(), &region);
                Some(self.add_named(region, &keys, url))
            }
            Body::Joined(_) => {
                let records = self.same_records(page)?;
                if let Body::Joined(joined) = &self.body {
                    self.last = Some(places_of(joined.list(), records.iter().cloned()));
                }
                Some(self.add_joined(page, records, url))
            }
        }
    }

    /// Adds a list that is no page's.
    pub fn add_data(&mut self, region: Region, url: &str) -> Added {
        let keys: Vec<u64> = region.records.iter().map(|record| hash_of(&record.text)).collect();
        self.add_named(region, &keys, url.into())
    }

    /// The whole list.
    pub fn finish(self) -> Region {
        match self.body {
            Body::Named(region) => *region,
            Body::Joined(joined) => joined.finish(),
        }
    }

    fn add_named(&mut self, mut region: Region, keys: &[u64], url: Arc<str>) -> Added {
        self.pages += 1;
        let all = region.records.len();
        let mut keys = keys.iter();
        region.records.retain(|_| keys.next().is_none_or(|key| self.known.insert(*key)));
        let new = region.records.len();
        self.records += new;
        mark(&mut region, &ListPage { number: self.pages, url });
        if let (Body::Named(table), true) = (&mut self.body, new > 0) {
            append::append(table, region);
        }
        Added { new, repeated: all - new }
    }

    fn add_joined(&mut self, page: &Page, mut records: Vec<Parts>, url: Arc<str>) -> Added {
        self.pages += 1;
        let all = records.len();
        let base = BaseUrl::of(page);
        if let Some(template) = &self.template {
            let known = &mut self.known;
            records.retain(|record| known.insert(template.key(page, record, &|href| base.resolve(href))));
        }
        let new = records.len();
        self.records += new;
        if let (Body::Joined(joined), true) = (&mut self.body, new > 0) {
            joined.add(page, &records, base, ListPage { number: self.pages, url });
        }
        Added { new, repeated: all - new }
    }

    /// The records of the list on a further page.
    fn same_records(&self, page: &Page) -> Option<Vec<Parts>> {
        let template = self.template.as_ref()?;
        let by_template = template.find(page);
        if template.exact && !by_template.is_empty() {
            return Some(by_template);
        }
        let findings = find(page, &self.request.lists);
        let paths = template::paths(page);
        let count = |found: &ListCandidate| template.alike(page, &paths, &found.records);
        let best = findings
            .regions
            .into_iter()
            .take(REGIONS)
            .map(|found| (count(&found), found))
            .filter(|(alike, found)| *alike as f64 >= ALIKE * found.records.len() as f64 && *alike > 0)
            // of equal ones the better ranked
            .rev()
            .max_by_key(|(alike, _)| *alike);
        match best {
            Some((alike, found)) if alike >= by_template.len() => Some(found.records),
            _ => Some(by_template).filter(|records| !records.is_empty()),
        }
    }

    /// The region of a further page that is the list.
    fn same_region(&self, page: &Page, extraction: Answer) -> Option<Region> {
        let mut regions = extraction.regions;
        let Some(template) = &self.template else {
            return regions.into_iter().find(|region| region.role == Role::Primary);
        };
        let paths = template::paths(page);
        let alike = |region: &Region| {
            let records: Vec<Parts> =
                region.records.iter().map(|record| record.place.parts.clone()).collect();
            template.alike(page, &paths, &records)
        };
        let best = (0..regions.len()).rev().max_by_key(|&r| alike(&regions[r]))?;
        let fits = alike(&regions[best]) as f64 >= ALIKE * regions[best].records.len() as f64;
        let primary = || regions.iter().position(|region| region.role == Role::Primary);
        // a domain's records are what they say, wherever they stand
        let chosen =
            if fits { Some(best) } else { primary().filter(|_| self.request.lists.method == Method::Amber) };
        chosen.map(|at| regions.swap_remove(at))
    }
}

/// A region that has places alone.
fn places_of(like: &Region, records: impl Iterator<Item = Parts>) -> Region {
    let records = records.map(Record::at).collect();
    Region { records, columns: Vec::new(), place: RegionPlace::Unknown, ..*like }
}

/// What tells each record of a region from others.
fn keys(page: &Page, template: Option<&Template>, region: &Region) -> Vec<u64> {
    let base = BaseUrl::of(page);
    let records = region.records.iter();
    records
        .map(|record| match template {
            Some(template) if !record.place.parts.is_empty() => {
                template.key(page, &record.place.parts, &|href| base.resolve(href))
            }
            _ => hash_of(&record.text),
        })
        .collect()
}

/// Notes the page of every record.
fn mark(region: &mut Region, page: &ListPage) {
    for record in &mut region.records {
        record.page = Some(page.clone());
    }
}

/// Further pages of a list are read as lists, whatever else they show. Rank and texts of a chosen list differ from page
/// to page, so that it is found again by its template; a selector holds for all pages.
fn as_list(request: &Request) -> Request {
    let choice = request.choice.clone().filter(|choice| matches!(choice, ListChoice::Select(_)));
    let all = request.all || request.choice.is_some() && choice.is_none();
    Request { kind: KindRequest::List, all, choice, ..request.clone() }
}
