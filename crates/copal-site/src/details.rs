//! The pages of a list's records.
//!
//! In: an answer with a main list. Out: the same with the fields of each record's own page as further columns. Only pages of
//! the list's own site are asked for, each once; pages are read together in batches, so that what they have in common is known
//! for the template. A page that fails is told, and loses nothing else.

use crate::open::{self, Opened};
use crate::visitor::Visitor;
use copal::objects::join::OwnPage;
use copal::objects::{Object, ObjectOptions};
use copal::{Answer, Document, Page, Region, Role, Warning, objects};
use std::collections::HashMap;
use url::Url;

/// Pages that are read together.
const BATCH: usize = 16;
/// Pages of the batch before that stand by a later one, to tell the template's texts from the objects'.
const ANCHORS: usize = 4;

/// How many pages were read, of how many.
pub(crate) type Told<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// Adds the fields of at most `most` records' own pages.
pub(crate) async fn add(visitor: &Visitor, extraction: &mut Answer, most: usize, told: Told<'_>) {
    let Some(at) = extraction.regions.iter().position(|region| region.role == Role::Primary) else { return };
    let own = extraction.page.url.clone().unwrap_or_default();
    let (wanted, elsewhere) = links(&extraction.regions[at], &own, most);
    if wanted.is_empty() {
        let why = if elsewhere > 0 {
            "the records' links lead to other sites"
        } else {
            "the records have no links"
        };
        extraction.warnings.push(Warning::Note(format!("no details: {why}")));
        return;
    }
    let mut read = Read { visitor, details: Vec::new(), anchors: Vec::new() };
    let (mut failed, mut first_failure, mut done) = (0, None, 0);
    let mut batch: Vec<(usize, Page)> = Vec::new();
    for (record, url) in &wanted {
        let Some(opened) = visitor.stopping().unless_stopped(visitor.open(url)).await else {
            extraction.warnings.push(Warning::Cut);
            break;
        };
        match opened {
            Ok(Opened { document: Document::Page(page), .. }) => batch.push((*record, *page)),
            Ok(_) => {}
            Err(error) => {
                failed += 1;
                first_failure.get_or_insert_with(|| error.to_string());
            }
        }
        done += 1;
        told(done, wanted.len());
        if batch.len() == BATCH {
            read.batch(std::mem::take(&mut batch), &extraction.regions[at]);
        }
    }
    read.batch(batch, &extraction.regions[at]);
    let names: HashMap<usize, &str> = wanted.iter().map(|(record, url)| (*record, url.as_str())).collect();
    let pages: Vec<OwnPage<'_>> = read
        .details
        .iter()
        .filter_map(|(record, detail)| Some(OwnPage { record: *record, name: names.get(record)?, detail }))
        .collect();
    objects::join::join(&mut extraction.regions[at], &pages);
    if let Some(why) = first_failure {
        let of = wanted.len();
        extraction
            .warnings
            .push(Warning::Note(format!("{failed} of {of} detail pages could not be read: {why}")));
    }
    if elsewhere > 0 {
        let text = format!("{elsewhere} records link to other sites: their pages were not asked for");
        extraction.warnings.push(Warning::Note(text));
    }
}

/// The records to read, each with its address, and how many others link to another site.
fn links(list: &Region, own: &str, most: usize) -> (Vec<(usize, String)>, usize) {
    let Some(column) = list.link_column() else { return (Vec::new(), 0) };
    let (mut wanted, mut elsewhere) = (Vec::new(), 0);
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (at, record) in list.records.iter().enumerate() {
        let Some(url) = record.cells[column].first().and_then(|url| Url::parse(url).ok()) else { continue };
        if !same_site(&url, own) {
            elsewhere += 1;
            continue;
        }
        let mut plain = url.clone();
        plain.set_fragment(None);
        if wanted.len() < most && seen.insert(plain.to_string(), at).is_none() {
            wanted.push((at, plain.into()));
        }
    }
    (wanted, elsewhere)
}

/// True if both are hosts of one name, with or without `www.`, or one lies below the other.
fn same_site(url: &Url, own: &str) -> bool {
    let host = |url: &Url| url.host_str().map(|host| host.trim_start_matches("www.").to_owned());
    let below = |a: &str, b: &str| a == b || a.strip_suffix(b).is_some_and(|rest| rest.ends_with('.'));
    match (host(url), Url::parse(own).ok().as_ref().and_then(host)) {
        (Some(a), Some(b)) => below(&a, &b) || below(&b, &a),
        _ => false,
    }
}

struct Read<'v> {
    visitor: &'v Visitor,
    details: Vec<(usize, Object)>,
    anchors: Vec<(usize, Page)>,
}

impl Read<'_> {
    /// Reads pages together with a few of those before.
    fn batch(&mut self, pages: Vec<(usize, Page)>, list: &Region) {
        if pages.is_empty() {
            return;
        }
        let anchors = std::mem::take(&mut self.anchors);
        let skipped = anchors.len();
        let all: Vec<(usize, Page)> = anchors.into_iter().chain(pages).collect();
        let mut options = ObjectOptions::default();
        options.domain.clone_from(&self.visitor.options().extract.extract.lists.amber.domain);
        options.records = all.iter().map(|(record, _)| texts(list, *record)).collect();
        let refs: Vec<&Page> = all.iter().map(|(_, page)| page).collect();
        let read = || tokio::task::block_in_place(|| objects::read(&refs, &options));
        if let Ok(details) = open::guarded("a detail page", read) {
            let records = all.iter().map(|(record, _)| *record);
            self.details.extend(records.zip(details).skip(skipped));
        }
        self.anchors = all.into_iter().rev().take(ANCHORS).collect();
    }
}

/// What the list says of a record.
fn texts(list: &Region, record: usize) -> Vec<(String, String)> {
    let cells = list.columns.iter().zip(&list.records[record].cells);
    cells.filter_map(|(column, cell)| Some((column.name.clone(), cell.first()?.to_owned()))).collect()
}
