//! One set of columns for pages of one list that are given together.
//!
//! In: pages of a set with their answers. Out: the same answers, with the main lists of pages of one template
//! aligned together: their columns, types and names are those of one list. Each page keeps its own records,
//! and at least the columns that it had alone are among the shared ones. Costs one alignment of all records.

use super::joined_page::JoinedPage;
use super::kept_names::keep_role_names;
use super::record_template::{self, RecordTemplate};
use crate::pipeline::{NamedAnswer, SetPage, answer_set as answer_pages};
use crate::request::Request;
use crate::structure::path_keys::span;
use crate::table::{confidence, region_xpaths};
use copal_dom::url::BaseUrl;
use copal_dom::{Node, Page, attrs, tags};
use copal_model::{ListPage, Origin, Parts, Record, Region};

/// Maximum number of templates in one set. Pages are compared with the templates of all groups.
const MAX_TEMPLATE_GROUPS: usize = 16;
/// Share of a page's records that must look like those of the other pages.
const MIN_SHARED_TEMPLATE: f64 = 0.5;

/// The answers for pages that are given together, in their order, each with its page. Lists of one template
/// have the same columns.
pub fn answer_set(set: Vec<SetPage>, request: &Request) -> Vec<(Page, NamedAnswer)> {
    let mut answers = answer_pages(set, request);
    // columns of domains and wrappers have their names from there
    let is_open = request.domain().is_none() && request.fields.is_empty() && !request.embedded;
    if answers.len() > 1 && is_open {
        for group in template_groups(&answers) {
            share_columns(&mut answers, &group);
        }
    }
    answers
}

/// The positions of the pages of each template, for templates of several pages.
fn template_groups(answers: &[(Page, NamedAnswer)]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(RecordTemplate, Option<usize>, Vec<usize>)> = Vec::new();
    for (at, (page, named)) in answers.iter().enumerate() {
        let Some(list) = named.answer.primary().filter(|list| list.origin == Origin::Page) else { continue };
        let records = parts_of(list);
        let paths = record_template::tag_paths(page);
        let fits = |template: &RecordTemplate| {
            template.count_alike(page, &paths, &records) as f64 >= MIN_SHARED_TEMPLATE * records.len() as f64
        };
        // rows of different tables look alike, but their cells belong to other columns
        let headers = header_cell_count(page, &records);
        let is_same_table = |other: Option<usize>| headers.is_none() || other.is_none() || headers == other;
        let known = groups.iter_mut().find(|(template, other, _)| is_same_table(*other) && fits(template));
        if let Some((_, _, group)) = known {
            group.push(at);
        } else if groups.len() < MAX_TEMPLATE_GROUPS
            && let Some(template) = RecordTemplate::learn(page, &records)
        {
            groups.push((template, headers, vec![at]));
        }
    }
    groups.into_iter().map(|(_, _, group)| group).filter(|group| group.len() > 1).collect()
}

/// The number of header cells above the rows of a table, if the records are rows and there is a header.
fn header_cell_count(page: &Page, records: &[Parts]) -> Option<usize> {
    let tree = &page.tree;
    let row = records.first()?.first()?.start;
    let table = tree.ancestors(row).find(|&up| tree.tag(up) == tags::TABLE)?;
    let is_header = |&node: &Node| {
        let mut cells = tree.elements(node).peekable();
        tree.tag(node) == tags::TR && cells.peek().is_some() && cells.all(|cell| tree.tag(cell) == tags::TH)
    };
    let header = (table..row).rfind(is_header).filter(|_| tree.tag(row) == tags::TR)?;
    let width = |cell: Node| usize::from(span(page, cell, attrs::COLSPAN).max(1));
    Some(tree.elements(header).map(width).sum())
}

fn parts_of(list: &Region) -> Vec<Parts> {
    list.records.iter().map(|record| record.place.parts.clone()).collect()
}

/// Aligns the main lists of some pages together.
fn share_columns(answers: &mut [(Page, NamedAnswer)], group: &[usize]) {
    let Some(list) = answers[group[0]].1.answer.primary().cloned() else { return };
    let mut joined = JoinedPage::new(answers[group[0]].0.clone(), list);
    for &at in &group[1..] {
        let (page, named) = &answers[at];
        let Some(list) = named.answer.primary() else { continue };
        let list_page = ListPage { number: 1, url: page.url.as_deref().unwrap_or_default().into() };
        joined.add_records(page, &parts_of(list), BaseUrl::of(page), list_page);
    }
    let Region { mut columns, records, .. } = joined.finish();
    let mut first = 0;
    for &at in group {
        let Some(own) = answers[at].1.answer.primary() else { continue };
        keep_role_names(&mut columns, &records, first, own);
        first += own.records.len();
    }
    let mut records = records.into_iter();
    for &at in group {
        let (page, named) = &mut answers[at];
        let Some(list) = named.answer.regions.iter_mut().find(|region| region.role.is_main()) else {
            continue;
        };
        let count = list.records.len();
        for (own, shared) in list.records.iter_mut().zip(records.by_ref().take(count)) {
            take_cells(own, shared);
        }
        list.columns.clone_from(&columns);
        for (c, column) in list.columns.iter_mut().enumerate() {
            let filled = list.records.iter().filter(|record| !record.cells[c].is_empty()).count();
            column.support = filled as f64 / count.max(1) as f64;
        }
        confidence::set_confidences(page, list);
        region_xpaths::add_xpaths(page, &mut named.answer.regions);
    }
}

/// Replaces the cells of a record. Lists nested in it keep their places, if both have any.
fn take_cells(own: &mut Record, shared: Record) {
    own.cells = shared.cells;
    if own.children.is_empty() != shared.children.is_empty() {
        own.children = shared.children;
    }
}
