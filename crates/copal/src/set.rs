//! Pages that were given together: lists, objects' own pages, and which belong to which.
//!
//! In: pages, each with its name and the lists found on it. Out: what each page is, the objects' own pages of one template read
//! together ([`read_objects`]); and the fields of such a page joined to the record that links to it ([`join`]). Joining needs no
//! pages, so that many more can be joined than are in memory at once. Pages whose list is beyond doubt are lists, and cost nothing
//! here.

use crate::{Answer, Options, Page, Record, Role};
use copal_dom::{attrs, tags, url};
use copal_extract::RankedLists;
use copal_extract::objects::join::OwnPage;
use copal_extract::objects::{self, Object, ObjectOptions, PageKind};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// A list whose borders are right at least this likely is what its page is for.
const SURE: f64 = 0.6;

/// What a page is to be taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Taken {
    /// For what it is.
    #[default]
    Auto,
    /// For a list.
    List,
    /// For the page of one object.
    Detail,
}

/// A page of a set.
#[derive(Debug)]
pub struct Member {
    /// Its file or address.
    pub name: String,
    /// The page.
    pub page: Page,
    /// The lists found on it; its object, once [`read_objects`] was there.
    pub extraction: Answer,
    /// The list candidates of the page, so that they need not be found again for its object.
    candidates: Option<RankedLists>,
}

impl Member {
    /// Finds the lists of a page.
    pub fn new(name: String, page: Page, options: &Options) -> Member {
        let (extraction, candidates) = copal_extract::extract_lists(&page, &options.extract);
        Member { name, page, extraction, candidates }
    }

    /// What was found, without the page.
    pub fn told(self) -> Told {
        let addresses = if self.extraction.object.is_some() { addresses(&self) } else { Vec::new() };
        Told { name: self.name, extraction: self.extraction, addresses, joined_to: None }
    }
}

/// What was found on a page of a set.
#[derive(Debug)]
#[non_exhaustive]
pub struct Told {
    /// The page's file or address.
    pub name: String,
    /// Its lists, or its object.
    pub extraction: Answer,
    /// What an object's page may be linked by.
    addresses: Vec<String>,
    /// The one whose list has the record that this page belongs to: its fields are there.
    pub joined_to: Option<usize>,
}

/// Reads the objects of those pages that show one.
pub fn read_objects(members: &mut [Member], taken: Taken, options: &Options) {
    let doubtful: Vec<usize> = (0..members.len())
        .filter(|&at| match taken {
            Taken::Auto => is_doubtful(&members[at].extraction),
            Taken::List => false,
            Taken::Detail => true,
        })
        .collect();
    if doubtful.is_empty() {
        return;
    }
    let mut how = ObjectOptions::default();
    how.domain.clone_from(&options.extract.lists.amber.domain);
    let found = doubtful.iter().map(|&at| members[at].candidates.take()).collect();
    let pages: Vec<&Page> = doubtful.iter().map(|&at| &members[at].page).collect();
    let read = objects::read_found(&pages, found, &how);
    for (at, detail) in doubtful.into_iter().zip(read) {
        if taken == Taken::Detail || detail.kind == PageKind::Detail {
            take_object(&mut members[at].extraction, detail);
        }
    }
}

fn is_doubtful(extraction: &Answer) -> bool {
    // a list by a domain's attributes says nothing of how sure it is
    extraction.primary().is_none_or(|list| list.confidence.is_none_or(|sure| sure < SURE))
}

/// The page is an object's: its lists are of other things. They stay, as nothing that was found is lost; a list of the
/// object's own labels and values is its fields once more.
fn take_object(extraction: &mut Answer, detail: Object) {
    let texts: HashSet<&str> =
        detail.fields.iter().flat_map(|field| &field.texts).map(String::as_str).collect();
    let is_field = |record: &Record| {
        let last = record.cells.iter().rev().find_map(|cell| cell.first());
        last.is_some_and(|text| texts.contains(text))
    };
    extraction.regions.retain(|list| {
        let told = list.records.iter().filter(|record| is_field(record)).count();
        list.role != Role::Primary || 5 * told < 4 * list.records.len()
    });
    let lists = extraction.regions.iter_mut().filter(|region| region.role == Role::Primary);
    lists.for_each(|list| list.role = Role::Secondary);
    extraction.object = Some(detail);
}

/// Joins the objects to the records that link to their pages.
pub fn join(told: &mut [Told]) {
    let mut pages: HashMap<String, usize> = HashMap::new();
    for (at, one) in told.iter().enumerate() {
        for key in &one.addresses {
            pages.entry(key.clone()).or_insert(at);
        }
    }
    if pages.is_empty() {
        return;
    }
    for at in 0..told.len() {
        let Some(list) = told[at].extraction.primary() else { continue };
        let Some(column) = list.link_column().or_else(|| list.relative_link_column()) else {
            continue;
        };
        let links = list
            .records
            .iter()
            .enumerate()
            .filter_map(|(r, record)| Some((r, record.cells[column].first()?)));
        let found = |(record, link): (usize, &str)| {
            let of_web = pages.get(&url::page_key(link));
            let page = of_web.or_else(|| pages.get(&url::linked_file_key(&told[at].name, link)?));
            page.filter(|page| **page != at).map(|page| (record, *page))
        };
        let pairs: Vec<(usize, usize)> = links.filter_map(found).collect();
        let mut regions = std::mem::take(&mut told[at].extraction.regions);
        if let Some(list) = regions.iter_mut().find(|region| region.role == Role::Primary) {
            let own = |(record, page): &(usize, usize)| {
                let detail = told[*page].extraction.object.as_ref()?;
                Some(OwnPage { record: *record, name: &told[*page].name, detail })
            };
            objects::join::join(list, &pairs.iter().filter_map(own).collect::<Vec<_>>());
        }
        told[at].extraction.regions = regions;
        for (_, page) in pairs {
            told[page].joined_to = Some(at);
        }
    }
}

/// What a page may be linked by: its address, the one it says it has, its file.
fn addresses(member: &Member) -> Vec<String> {
    let tree = &member.page.tree;
    let mut found: Vec<String> = member.page.url.iter().map(|url| url::page_key(url)).collect();
    for node in tree.nodes() {
        let said = match tree.tag(node) {
            tags::LINK
                if tree.attr(node, attrs::REL).is_some_and(|rel| rel.eq_ignore_ascii_case("canonical")) =>
            {
                tree.attr(node, attrs::HREF)
            }
            tags::META if tree.attr(node, attrs::PROPERTY) == Some("og:url") => {
                tree.attr(node, attrs::CONTENT)
            }
            _ => None,
        };
        found.extend(said.filter(|said| url::is_absolute(said)).map(url::page_key));
    }
    found.push(url::file_key(Path::new(&member.name)));
    found
}
