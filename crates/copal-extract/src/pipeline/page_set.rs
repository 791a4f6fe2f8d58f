//! Pages that are given together: decides which are lists and which are objects, and joins objects to the
//! records that link to them.
//!
//! In: analysed pages with their names. Out: one [`NamedAnswer`] per page ([`answer_set`]), and the same
//! answers after [`join_detail_pages`]. Joining only needs the answers, so it works for many more pages than
//! fit into memory at once.

use super::analysis::{AnalysedPage, analyse};
use super::detail_links::{LinkedObjects, LinkedRecord, join_linked_objects};
use super::kind::{PageDecision, decide, read_objects};
use super::named_answer::NamedAnswer;
use crate::objects::join::{OwnPage, agrees, record_texts};
use crate::request::Request;
use copal_dom::{Page, attrs, tags, url};
use copal_model::Answer;
use rustc_hash::FxHashMap;
use std::path::Path;

/// A page of a set, analysed.
#[derive(Debug)]
pub struct SetPage {
    /// Its file or URL.
    pub name: String,
    /// The page.
    pub page: Page,
    analysed: AnalysedPage,
}

impl SetPage {
    /// Analyses a page. Pages of a set do not depend on each other here, so this can run in parallel.
    pub fn analyse(name: String, page: Page, request: &Request) -> SetPage {
        let analysed = analyse(&page, request);
        SetPage { name, page, analysed }
    }
}

/// The answers for pages that are given together, in their order, each with its page.
pub(crate) fn answer_set(set: Vec<SetPage>, request: &Request) -> Vec<(Page, NamedAnswer)> {
    let (named, analysed): (Vec<(String, Page)>, Vec<AnalysedPage>) =
        set.into_iter().map(|one| ((one.name, one.page), one.analysed)).unzip();
    let pages: Vec<&Page> = named.iter().map(|(_, page)| page).collect();
    let mut decisions = decide(&pages, &analysed, request);
    read_with_records(&named, &analysed, &mut decisions, request);
    let answers: Vec<Answer> = pages
        .iter()
        .zip(analysed)
        .zip(decisions)
        .map(|((page, analysed), decision)| analysed.assemble(page, decision, request))
        .collect();
    named
        .into_iter()
        .zip(answers)
        .map(|((name, page), answer)| {
            let page_keys = if answer.object.is_some() { page_keys(&name, &page) } else { Vec::new() };
            (page, NamedAnswer { name, answer, page_keys, joined_to: None })
        })
        .collect()
}

/// Reads the objects whose pages records of the set link to once more, with the values of these records as
/// evidence (feature RPR of thesis section 6.5). A record counts only if it agrees with the first reading in at
/// least one field. All objects are read together again, because pages of one template depend on each other.
fn read_with_records(
    named: &[(String, Page)],
    analysed: &[AnalysedPage],
    decisions: &mut [PageDecision],
    request: &Request,
) {
    let objects: Vec<usize> = (0..named.len()).filter(|&at| decisions[at].object.is_some()).collect();
    let mut linked = LinkedObjects::default();
    for &at in &objects {
        linked.add(at, page_keys(&named[at].0, &named[at].1));
    }
    let mut records: FxHashMap<usize, Vec<(String, String)>> = FxHashMap::default();
    for at in (0..named.len()).filter(|&at| decisions[at].object.is_none() && !linked.is_empty()) {
        let Some(list) = analysed[at].main_list() else { continue };
        for LinkedRecord { record, page } in linked.linked_from_list(&named[at].0, list, at) {
            let Some(detail) = &decisions[page].object else { continue };
            if agrees(list, &OwnPage { record, name: &named[page].0, detail }) {
                records.entry(page).or_insert_with(|| record_texts(list, record));
            }
        }
    }
    if records.is_empty() {
        return;
    }
    let pages: Vec<&Page> = objects.iter().map(|&at| &named[at].1).collect();
    let own: Vec<&AnalysedPage> = objects.iter().map(|&at| &analysed[at]).collect();
    let records = objects.iter().map(|at| records.remove(at).unwrap_or_default()).collect();
    for (at, read) in objects.iter().zip(read_objects(&pages, &own, records, None, request)) {
        decisions[*at].object = Some(read.object);
        decisions[*at].warnings = read.warnings;
    }
}

/// Joins the objects of detail pages to the records that link to them and agree with them in at least one
/// field.
pub fn join_detail_pages(answers: &mut [NamedAnswer]) {
    let mut objects = LinkedObjects::default();
    for (at, one) in answers.iter().enumerate() {
        objects.add(at, one.page_keys.iter().cloned());
    }
    if objects.is_empty() {
        return;
    }
    for at in 0..answers.len() {
        let links = objects.linked_from(at, &answers[at]);
        let (before, rest) = answers.split_at_mut(at);
        let Some((list, after)) = rest.split_first_mut() else { continue };
        let joined = join_linked_objects(list, &links, |page| {
            let one = if page < at { &before[page] } else { &after[page - at - 1] };
            Some((one.name.as_str(), one.answer.object.as_ref()?))
        });
        for page in joined {
            answers[page].joined_to = Some(at);
        }
    }
}

/// Keys under which other pages may link to a page: its URL, the canonical URL that it declares, its file.
fn page_keys(name: &str, page: &Page) -> Vec<String> {
    let tree = &page.tree;
    let mut keys: Vec<String> = page.url.iter().map(|url| url::page_key(url)).collect();
    for node in tree.nodes() {
        let declared = match tree.tag(node) {
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
        keys.extend(declared.filter(|url| url::is_absolute(url)).map(url::page_key));
    }
    keys.push(url::file_key(Path::new(name)));
    keys
}
