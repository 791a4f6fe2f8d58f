//! The detail pages of a list's records.
//!
//! An answer with a main list goes in. The same answer comes out with the fields of each record's detail page
//! as additional columns. Only pages of the list's own site are fetched, each once. Pages are read in
//! batches, so that the template they share is recognised. A page that fails is reported and affects no other
//! page.

use std::collections::HashMap;

use copal_dom::{Page, Warning};
use copal_extract::objects::join::{OwnPage, record_texts};
use copal_extract::objects::{Object, ObjectOptions};
use copal_extract::{Answer, Document, Region, objects};
use copal_fetch::PageRequest;
use url::Url;

use crate::error::catch_panic;
use crate::page_opener::{OpenedDocument, PageOpener};
use crate::progress::DetailProgress;

/// Pages that are read together.
const DETAIL_BATCH_SIZE: usize = 16;
/// Pages of the previous batch that are read again with the next one, to tell template text from object text.
const TEMPLATE_SAMPLE_COUNT: usize = 4;

/// Adds the fields of the records' detail pages to the main list.
pub(crate) async fn join_detail_pages(
    opener: &PageOpener,
    extraction: &mut Answer,
    on_progress: &(dyn Fn(DetailProgress) + Sync),
) {
    let Some(list_index) = extraction.regions.iter().position(|region| region.role.is_main()) else {
        return;
    };
    let list_url = extraction.page.url.clone().unwrap_or_default();
    let DetailLinks { wanted, other_sites } =
        detail_links(&extraction.regions[list_index], &list_url, opener.options.max_details);
    if wanted.is_empty() {
        let reason =
            if other_sites > 0 { "the records link to other sites" } else { "the records have no links" };
        extraction.warnings.push(Warning::Note(format!("no detail pages were read: {reason}")));
        return;
    }
    let mut reader = DetailBatchReader { opener, details: Vec::new(), samples: Vec::new() };
    let (mut failed, mut first_failure) = (0, None);
    let (mut incomplete, mut first_fault) = (0, None);
    let mut batch: Vec<(usize, Page)> = Vec::new();
    for (index, (record, url)) in wanted.iter().enumerate() {
        let Some(opened) = opener.open_unless_stopped(&PageRequest::get(url)).await else {
            extraction.warnings.push(Warning::Cut);
            break;
        };
        let fault = opened.as_ref().ok().and_then(|opened| opened.partial_warnings().next());
        if let Some(fault) = fault {
            incomplete += 1;
            first_fault.get_or_insert_with(|| match fault {
                Warning::Incomplete { why, .. } => why.clone(),
                other => other.to_string(),
            });
        }
        match opened {
            Ok(OpenedDocument { document: Document::Page(page), .. }) => batch.push((*record, *page)),
            Ok(_) => {}
            Err(error) => {
                failed += 1;
                first_failure.get_or_insert_with(|| error.to_string());
            }
        }
        on_progress(DetailProgress { read: index + 1, total: wanted.len() });
        if batch.len() == DETAIL_BATCH_SIZE {
            reader.read_batch(std::mem::take(&mut batch), &extraction.regions[list_index]);
        }
    }
    reader.read_batch(batch, &extraction.regions[list_index]);
    let urls: HashMap<usize, &str> = wanted.iter().map(|(record, url)| (*record, url.as_str())).collect();
    let pages: Vec<OwnPage<'_>> = reader
        .details
        .iter()
        .filter_map(|(record, detail)| Some(OwnPage { record: *record, name: urls.get(record)?, detail }))
        .collect();
    objects::join::join(&mut extraction.regions[list_index], &pages);
    if let Some(reason) = first_failure {
        let total = wanted.len();
        let text = format!("{failed} of {total} detail pages could not be read: {reason}");
        extraction.warnings.push(Warning::Note(text));
    }
    if let Some(why) = first_fault {
        let what = format!("{incomplete} of {} detail pages", wanted.len());
        extraction.warnings.push(Warning::Incomplete { what, why });
    }
    if other_sites > 0 {
        let text = format!("{other_sites} records link to other sites: those pages were not fetched");
        extraction.warnings.push(Warning::Note(text));
    }
}

/// The links of a list's records to their detail pages.
struct DetailLinks {
    /// Record index and URL of each page to fetch.
    wanted: Vec<(usize, String)>,
    /// Number of records that link to another site.
    other_sites: usize,
}

fn detail_links(list: &Region, list_url: &str, max_pages: usize) -> DetailLinks {
    let mut links = DetailLinks { wanted: Vec::new(), other_sites: 0 };
    let Some(column) = list.link_column() else { return links };
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (index, record) in list.records.iter().enumerate() {
        let Some(mut url) = record.cells[column].first().and_then(|url| Url::parse(url).ok()) else {
            continue;
        };
        if !is_same_site(&url, list_url) {
            links.other_sites += 1;
            continue;
        }
        url.set_fragment(None);
        if links.wanted.len() < max_pages && seen.insert(url.to_string(), index).is_none() {
            links.wanted.push((index, url.into()));
        }
    }
    links
}

/// True if both hosts have the same name, with or without `www.`, or if one is a subdomain of the other.
fn is_same_site(url: &Url, list_url: &str) -> bool {
    let host = |url: &Url| url.host_str().map(|host| host.trim_start_matches("www.").to_owned());
    let is_within = |a: &str, b: &str| a == b || a.strip_suffix(b).is_some_and(|rest| rest.ends_with('.'));
    match (host(url), Url::parse(list_url).ok().as_ref().and_then(host)) {
        (Some(a), Some(b)) => is_within(&a, &b) || is_within(&b, &a),
        _ => false,
    }
}

/// Reads detail pages batch by batch.
struct DetailBatchReader<'a> {
    opener: &'a PageOpener,
    details: Vec<(usize, Object)>,
    /// Pages of the previous batch, which show the template to the next one.
    samples: Vec<(usize, Page)>,
}

impl DetailBatchReader<'_> {
    /// Reads pages together with some of the previous batch.
    fn read_batch(&mut self, pages: Vec<(usize, Page)>, list: &Region) {
        if pages.is_empty() {
            return;
        }
        let samples = std::mem::take(&mut self.samples);
        let sample_count = samples.len();
        let all: Vec<(usize, Page)> = samples.into_iter().chain(pages).collect();
        let mut options = ObjectOptions::default();
        options.domain = self.opener.options.request.domain().cloned();
        options.records = all.iter().map(|(record, _)| record_texts(list, *record)).collect();
        let refs: Vec<&Page> = all.iter().map(|(_, page)| page).collect();
        let read = || tokio::task::block_in_place(|| objects::read(&refs, &options));
        if let Ok(details) = catch_panic("a detail page", read) {
            let records = all.iter().map(|(record, _)| *record);
            self.details.extend(records.zip(details).skip(sample_count));
        }
        self.samples = all.into_iter().rev().take(TEMPLATE_SAMPLE_COUNT).collect();
    }
}
