//! Pages of a list that are made from the JSON that the page's script loads, without the browser.
//!
//! A script that shows a list loads its parts as JSON and makes records of the objects. If two parts were shown in
//! the browser, both steps can be repeated without it. In: the pages that the browser showed and the responses
//! that their scripts received. Out: a [`ReplayPlan`]: the URL of the next request, and pages like those in the
//! browser for the responses.
//!
//! 1. `carried_list` finds the response whose objects are the records of a page,
//! 2. `record_pattern` and `text_pattern` learn how records are made from objects,
//! 3. `next_request` learns how the script asks for the next part,
//! 4. `record_copies` builds pages of such records.
//!
//! Everything is learned from exact matches. What is not understood completely is not replayed. Nothing here sends
//! requests. Responses come from servers: their size is bounded by the caller, and depth, objects, keys and the
//! work of every search are bounded here.

mod carried_list;
mod json_objects;
mod next_request;
mod record_copies;
mod record_pattern;
#[cfg(test)]
mod tests;
mod text_pattern;

use std::ops::Range;

use copal_dom::{Limits, Node, Page};
use serde_json::Value;

use carried_list::{CarriedList, carried_list};
use json_objects::{KeyPath, array_at, flat_objects};
use next_request::{ListPart, NextRequest, announced_total};
use record_copies::{PageFrame, RecordCopy, copy_part, readable_content};
use record_pattern::{RecordPattern, RecordSample};

/// A page that the browser showed.
#[derive(Debug)]
pub(crate) struct SeenPage {
    frame: PageFrame,
    records: Vec<RecordCopy>,
    part: Option<SeenPart>,
}

/// The response that carries records of a page.
#[derive(Debug)]
struct SeenPart {
    /// Its number among the responses.
    response: usize,
    url: String,
    document: Value,
    list: CarriedList,
}

impl SeenPage {
    /// A page with the places of its records, and the responses that its script received: URL and body. `None` if
    /// the records are not siblings.
    pub(crate) fn new(page: &Page, records: &[Range<Node>], responses: &[(&str, &[u8])]) -> Option<SeenPage> {
        let frame = PageFrame::new(page, records)?;
        let records: Vec<RecordCopy> = records.iter().map(|part| copy_part(page, part.clone())).collect();
        // the latest response is the one that the last action asked for
        let part = responses.iter().enumerate().rev().find_map(|(response, (url, body))| {
            let document: Value = serde_json::from_slice(body).ok()?;
            let list = carried_list(&records, &document)?;
            Some(SeenPart { response, url: (*url).to_owned(), document, list })
        });
        Some(SeenPage { frame, records, part })
    }

    /// The number of the response that carries the page's records, if one does.
    pub(crate) fn response(&self) -> Option<usize> {
        self.part.as_ref().map(|part| part.response)
    }

    fn samples(&self) -> Vec<RecordSample<'_>> {
        let Some(part) = &self.part else { return Vec::new() };
        let records = &self.records[part.list.first_record..];
        let pairs = records.iter().zip(&part.list.objects);
        pairs.map(|(record, object)| RecordSample { record, object }).collect()
    }
}

impl SeenPart {
    fn list_part(&self) -> ListPart<'_> {
        ListPart { url: &self.url, document: &self.document, array: &self.list.path }
    }
}

/// Why a response cannot be shown as a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReplayRefusal {
    /// It is not JSON, or the list is not where it was.
    OtherDocument,
    /// An object is unlike those that were seen.
    OtherObject,
}

/// A page that was made from a response.
#[derive(Debug)]
pub(crate) struct ReplayedPage {
    pub(crate) page: Page,
    /// The number of records in the response.
    pub(crate) count: usize,
    records: Vec<RecordCopy>,
    document: Value,
}

/// How a list goes on without the browser; see the module.
#[derive(Debug)]
pub(crate) struct ReplayPlan {
    frame: PageFrame,
    pattern: RecordPattern,
    next: NextRequest,
    array: KeyPath,
    /// The records that the browser showed for the last response.
    shown: Vec<RecordCopy>,
    last_url: String,
    last_document: Value,
    /// The size of the largest response, and of the last one.
    largest_count: usize,
    last_count: usize,
    /// The number of records that the responses announce.
    pub(crate) total: Option<u64>,
}

impl ReplayPlan {
    /// Learns from the last two pages how the list goes on.
    pub(crate) fn learn(previous: &SeenPage, last: &SeenPage) -> Option<ReplayPlan> {
        let part = last.part.as_ref()?;
        let before = previous.part.as_ref().filter(|before| {
            // another request of the same page may have carried other records before
            before.list.path == part.list.path && before.url != part.url
        });
        let next = NextRequest::learn(before.map(SeenPart::list_part), part.list_part())?;
        let mut samples = last.samples();
        if before.is_some() {
            samples.extend(previous.samples());
        }
        let pattern = RecordPattern::learn(&samples)?;
        let shown = last.records[part.list.first_record..][..part.list.objects.len()].to_vec();
        Some(ReplayPlan {
            frame: last.frame.clone(),
            largest_count: before.map_or(0, |before| before.list.objects.len()).max(shown.len()),
            last_count: shown.len(),
            pattern,
            next,
            array: part.list.path.clone(),
            shown,
            last_url: part.url.clone(),
            last_document: part.document.clone(),
            total: before.and_then(|before| announced_total(&before.document, &part.document)),
        })
    }

    /// The URL of the last response.
    pub(crate) fn last_url(&self) -> &str {
        &self.last_url
    }

    /// The page for a response.
    pub(crate) fn page_for(&self, body: &[u8], limits: &Limits) -> Result<ReplayedPage, ReplayRefusal> {
        let document: Value = serde_json::from_slice(body).map_err(|_| ReplayRefusal::OtherDocument)?;
        let items = array_at(&document, &self.array).ok_or(ReplayRefusal::OtherDocument)?;
        let objects = flat_objects(items).ok_or(ReplayRefusal::OtherObject)?;
        let records: Option<Vec<RecordCopy>> =
            objects.iter().map(|object| self.pattern.record_for(object)).collect();
        let records = records.ok_or(ReplayRefusal::OtherObject)?;
        let page = self.frame.with_records(&records, limits);
        Ok(ReplayedPage { page, count: records.len(), records, document })
    }

    /// True if the page for the last response is what the browser showed for it.
    pub(crate) fn is_confirmed_by(&self, replayed: &ReplayedPage) -> bool {
        let same = |(a, b): (&RecordCopy, &RecordCopy)| readable_content(a) == readable_content(b);
        self.shown.len() == replayed.records.len() && self.shown.iter().zip(&replayed.records).all(same)
    }

    /// The URL of the next request; `None` if the last response says that there is none.
    pub(crate) fn next_url(&mut self) -> Option<String> {
        let part = ListPart { url: &self.last_url, document: &self.last_document, array: &self.array };
        self.next.url_after(part)
    }

    /// Goes on after the response to the next request.
    pub(crate) fn advance(&mut self, url: String, replayed: ReplayedPage) {
        self.last_count = replayed.count;
        self.largest_count = self.largest_count.max(replayed.count);
        (self.last_url, self.last_document) = (url, replayed.document);
    }

    /// True if the last response had fewer records than others: it may be the end of the list.
    pub(crate) fn is_last_short(&self) -> bool {
        self.last_count < self.largest_count
    }
}
