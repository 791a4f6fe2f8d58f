//! Learning how the pages of single objects are read.
//!
//! In: pages with the objects that were read on them. Out: a rule of kind detail: a column a field, each with several locators
//! below `body` that give back what was read on (nearly) all pages. A page is taken as a list of one record, so that all that
//! is known of columns holds. Fields that stand only in the page's declared data have no place, and are told.

use crate::file::{PageKind, PageRule, Wrapper};
use crate::learn::{Learned, Sample, site_of};
use crate::{learn_columns, profile, regions};
use copal_dom::{Page, push_collapsed, tags};
use copal_extract::located::{self, GivenColumn, GivenList};
use copal_extract::objects::Object;
use copal_extract::{CellSource, Parts, Region};

/// Fields at most.
const MOST: usize = 80;

/// Learns from the pages of objects of one kind.
pub fn learn_objects(samples: &[(&Page, &Object)]) -> Result<Learned, String> {
    let mut columns: Vec<GivenColumn> = Vec::new();
    let all = || samples.iter().flat_map(|(_, detail)| &detail.fields);
    for field in all() {
        if columns.len() < MOST && columns.iter().all(|column| column.name != field.name) {
            let picture = field.name == "image" || field.name == "images";
            columns.push(GivenColumn {
                name: field.name.clone(),
                source: if picture { CellSource::Src } else { CellSource::Text },
                kind: located::kind_of(
                    all().filter(|other| other.name == field.name).map(|field| &field.texts[..]),
                ),
            });
        }
    }
    let lists: Vec<(&Page, Region)> =
        samples.iter().filter_map(|(page, detail)| Some((*page, as_list(page, detail, &columns)?))).collect();
    let known: Vec<Sample<'_>> = lists.iter().filter_map(|(page, list)| Sample::of(page, list)).collect();
    let Some(first) = known.first() else { return Err("no page shows an object".into()) };
    let mut notes = Vec::new();
    let columns = learn_columns::columns(&known, &mut notes);
    if columns.is_empty() {
        return Err("no field of the objects has a place on their pages".into());
    }
    let rule = PageRule {
        kind: PageKind::Detail,
        region: vec![regions::ANYWHERE.to_owned()],
        record: None,
        columns,
        profile: None,
    };
    let mut wrapper = Wrapper::new(first.page.url.as_deref().and_then(site_of), rule);
    let names: Vec<String> = wrapper.pages[0].columns.iter().map(|column| column.name.clone()).collect();
    let read: Vec<(&Page, Region)> =
        lists.into_iter().map(|(page, list)| (page, only(list, &names))).collect();
    let read: Vec<(&Page, &Region)> = read.iter().map(|(page, list)| (*page, list)).collect();
    profile::fill(&mut wrapper.pages[0], &read);
    Ok(Learned { wrapper, notes })
}

/// The page as a list of one record, with all columns.
fn as_list(page: &Page, detail: &Object, columns: &[GivenColumn]) -> Option<Region> {
    let body = page.tree.find(tags::BODY)?;
    let row = columns.iter().map(|column| {
        let field = detail.fields.iter().find(|field| field.name == column.name);
        field.map(|field| field.texts.iter().map(|text| one_line(text)).collect()).unwrap_or_default()
    });
    let list = GivenList {
        root: body,
        records: vec![Parts::from_elem(body..page.tree.end(body), 1)],
        columns: columns.to_vec(),
        rows: vec![row.collect()],
    };
    Some(located::list(page, list))
}

/// As locators read it: long texts keep their paragraphs in objects, cells have one line.
fn one_line(text: &str) -> String {
    let mut out = String::new();
    push_collapsed(&mut out, text);
    out
}

/// A list with these columns alone, in this order.
fn only(mut list: Region, names: &[String]) -> Region {
    let places = names.iter().filter_map(|name| list.columns.iter().position(|column| column.name == *name));
    let places: Vec<usize> = places.collect();
    list.columns = places.iter().map(|&at| list.columns[at].clone()).collect();
    for record in &mut list.records {
        record.cells = places.iter().map(|&at| std::mem::take(&mut record.cells[at])).collect();
    }
    list
}
