//! Learning a wrapper from detail pages.
//!
//! In: pages with the objects that were read on them. Out: a rule of kind detail with one column per field,
//! each with several locators inside `body` that find what was read on (nearly) all pages. A page is treated
//! as a list with one record, so that the code for columns serves for fields too. Fields that are only in
//! embedded data have no position on the page; they are left out and reported. O(fields x candidates x
//! elements).

use super::column_groups::groups_by_name;
use super::columns::column_rules;
use super::lists::{Learned, site_pattern};
use super::sample::Sample;
use crate::apply::regions::ANYWHERE;
use crate::drift::profile::fill_profiles;
use crate::error::WrapperError;
use crate::format::{PageKind, PageRule, Wrapper};
use copal_dom::{Page, push_collapsed, tags};
use copal_extract::located::{self, GivenColumn, GivenList};
use copal_extract::objects::Object;
use copal_extract::{CellSource, Parts, Region};

/// Maximum number of fields of an object.
const MAX_OBJECT_FIELDS: usize = 80;

/// Learns a wrapper from detail pages of one kind and the objects on them.
pub fn learn_objects(samples: &[(&Page, &Object)]) -> Result<Learned, WrapperError> {
    let columns = object_columns(samples);
    let lists: Vec<(&Page, Region)> =
        samples.iter().filter_map(|(page, detail)| Some((*page, as_list(page, detail, &columns)?))).collect();
    let known: Vec<Sample<'_>> = lists.iter().filter_map(|(page, list)| Sample::of(page, list)).collect();
    let Some(first) = known.first() else { return Err(WrapperError::NoObject) };
    let mut notes = Vec::new();
    let columns = column_rules(&known, &groups_by_name(&known), &mut notes);
    if columns.is_empty() {
        return Err(WrapperError::NoFieldPosition);
    }
    let rule = PageRule {
        kind: PageKind::Detail,
        region: vec![ANYWHERE.to_owned()],
        record: None,
        columns,
        profile: None,
    };
    let mut wrapper = Wrapper::new(first.page.url.as_deref().and_then(site_pattern), rule);
    let names: Vec<String> = wrapper.pages[0].columns.iter().map(|column| column.name.clone()).collect();
    let read: Vec<(&Page, Region)> =
        lists.into_iter().map(|(page, list)| (page, with_columns(list, &names))).collect();
    let read: Vec<(&Page, &Region)> = read.iter().map(|(page, list)| (*page, list)).collect();
    fill_profiles(&mut wrapper.pages[0], &read);
    Ok(Learned { wrapper, notes })
}

/// One column per field name.
fn object_columns(samples: &[(&Page, &Object)]) -> Vec<GivenColumn> {
    let mut columns: Vec<GivenColumn> = Vec::new();
    let all = || samples.iter().flat_map(|(_, detail)| &detail.fields);
    for field in all() {
        if columns.len() < MAX_OBJECT_FIELDS && columns.iter().all(|column| column.name != field.name) {
            let is_image = field.name == "image" || field.name == "images";
            columns.push(GivenColumn {
                name: field.name.clone(),
                source: if is_image { CellSource::Src } else { CellSource::Text },
                kind: located::kind_of(
                    all().filter(|other| other.name == field.name).map(|field| &field.texts[..]),
                ),
                date_order: None,
            });
        }
    }
    columns
}

/// The objects of all pages as the records of one list, and the names of its columns. Only the cells of the
/// records mean something, because they are on different pages.
pub(crate) fn objects_as_list(samples: &[(&Page, &Object)]) -> Option<(Region, Vec<String>)> {
    let columns = object_columns(samples);
    let mut lists = samples.iter().filter_map(|(page, detail)| as_list(page, detail, &columns));
    let mut all = lists.next()?;
    all.records.extend(lists.flat_map(|list| list.records));
    let names = columns.into_iter().map(|column| column.name).collect();
    Some((all, names))
}

/// The page as a list of one record, with all columns.
fn as_list(page: &Page, detail: &Object, columns: &[GivenColumn]) -> Option<Region> {
    let body = page.tree.find(tags::BODY)?;
    let row = columns.iter().map(|column| {
        let field = detail.fields.iter().find(|field| field.name == column.name);
        field.map(|field| field.texts.iter().map(|text| one_line(text).into()).collect()).unwrap_or_default()
    });
    let list = GivenList {
        root: body,
        records: vec![Parts::from_elem(body..page.tree.end(body), 1)],
        columns: columns.to_vec(),
        rows: vec![row.collect()],
    };
    Some(located::list(page, list))
}

/// A text as locators read it. Long texts keep their paragraphs in objects, but cells have one line.
pub(crate) fn one_line(text: &str) -> String {
    let mut out = String::new();
    push_collapsed(&mut out, text);
    out
}

/// The list with only these columns, in this order.
fn with_columns(mut list: Region, names: &[String]) -> Region {
    let positions =
        names.iter().filter_map(|name| list.columns.iter().position(|column| column.name == *name));
    let positions: Vec<usize> = positions.collect();
    list.columns = positions.iter().map(|&at| list.columns[at].clone()).collect();
    for record in &mut list.records {
        record.cells = positions.iter().map(|&at| std::mem::take(&mut record.cells[at])).collect();
    }
    list
}
