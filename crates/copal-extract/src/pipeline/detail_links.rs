//! Which pages of a set the records of its lists link to, and what these pages add to the records.
//!
//! In: the answers of a set, one at a time and in any order of lists. Out: lists with the fields of the objects that
//! their records link to. Only the keys of the objects are kept between two answers, so that the answers themselves may
//! be anywhere. O(records) for each list.

use super::named_answer::NamedAnswer;
use crate::objects::join::{OwnPage, agrees, join};
use copal_dom::url;
use copal_model::{Object, Region};
use rustc_hash::FxHashMap;

/// The objects of a set by the URLs and files under which other pages may link to their pages.
#[derive(Debug, Default)]
pub struct LinkedObjects {
    by_key: FxHashMap<String, usize>,
}

/// A record of a list, and the position of the page that it links to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkedRecord {
    /// The position of the record in the main list.
    pub record: usize,
    /// The position of the page in the set.
    pub page: usize,
}

impl LinkedObjects {
    /// Adds the page at a position of the set under its keys. Of two pages with one key, the one that is added first
    /// counts.
    pub fn add(&mut self, at: usize, keys: impl IntoIterator<Item = String>) {
        for key in keys {
            self.by_key.entry(key).or_insert(at);
        }
    }

    /// True if no page can be linked to.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// The records of the main list of an answer that link to other pages of the set.
    pub fn linked_from(&self, at: usize, one: &NamedAnswer) -> Vec<LinkedRecord> {
        one.answer.primary().map_or_else(Vec::new, |list| self.linked_from_list(&one.name, list, at))
    }

    /// The records of a list that link to other pages of the set. `name` and `at` are the name and the position of the
    /// page of the list.
    pub(super) fn linked_from_list(&self, name: &str, list: &Region, at: usize) -> Vec<LinkedRecord> {
        let Some(column) = list.link_column().or_else(|| list.relative_link_column()) else {
            return Vec::new();
        };
        let links = list
            .records
            .iter()
            .enumerate()
            .filter_map(|(r, record)| Some((r, record.cells[column].first()?)));
        let found = |(record, link): (usize, &str)| {
            let by_url = self.by_key.get(&url::page_key(link));
            let page = by_url.or_else(|| self.by_key.get(&url::linked_file_key(name, link)?));
            page.filter(|page| **page != at).map(|&page| LinkedRecord { record, page })
        };
        links.filter_map(found).collect()
    }
}

/// Joins objects to the records of the main list that link to them and agree with them in at least one field.
/// `object_of` gives the name and the object of the page at a position. Returns the positions of the pages that were
/// joined. The columns of the list get distinct names in any case.
pub fn join_linked_objects<'a>(
    list: &mut NamedAnswer,
    links: &[LinkedRecord],
    object_of: impl Fn(usize) -> Option<(&'a str, &'a Object)>,
) -> Vec<usize> {
    let Some(list) = list.answer.regions.iter_mut().find(|region| region.role.is_main()) else {
        return Vec::new();
    };
    let own_page = |link: &LinkedRecord| {
        let (name, detail) = object_of(link.page)?;
        Some(OwnPage { record: link.record, name, detail })
    };
    let agreeing: Vec<(usize, OwnPage<'_>)> = links
        .iter()
        .filter_map(|link| Some((link.page, own_page(link)?)))
        .filter(|(_, page)| agrees(list, page))
        .collect();
    let (joined, pages): (Vec<usize>, Vec<OwnPage<'_>>) = agreeing.into_iter().unzip();
    join(list, &pages);
    joined
}
