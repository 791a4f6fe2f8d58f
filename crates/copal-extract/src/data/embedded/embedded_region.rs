//! Embedded data as further columns of a region, or as a region of its own.
//!
//! In: the data of a page, and a region or none. Out: the region with further columns and the reasons, or a
//! region of objects that the page does not show. O(cells).

use super::column_fields::{ColumnField, column_fields};
use super::fields::FieldPurpose;
use super::object_join::{MarkedRecords, ObjectPairs};
use super::record_lists::{self, RecordListCandidate};
use super::{Embedded, text_marks};
use crate::signals::scripts::objects::Objects;
use crate::table::names;
use copal_dom::url::BaseUrl;
use copal_dom::{Node, Page, push_collapsed};
use copal_model::{
    Cell, CellSource, Column, Layout, Method, NamedBy, Origin, Provenance, Record, Region, RegionPlace, Role,
};
use rustc_hash::FxHashSet;

/// Maximum number of lists joined to one region: data is often on a page twice, rarely more.
const MAX_JOINED_LISTS: usize = 4;

/// Adds the fields of the lists that belong to the records of a region. Returns the node of each such list
/// and the reason.
pub(crate) fn add_fields(region: &mut Region, data: &Embedded, base: &BaseUrl) -> Vec<(Node, String)> {
    let records = MarkedRecords::new(region);
    let joined = |objects| Some((records.join(objects)?, objects));
    let mut all: Vec<(ObjectPairs, &Objects)> = data.lists.iter().filter_map(joined).collect();
    all.sort_by(|(a, _), (b, _)| b.agreement.total_cmp(&a.agreement));
    all.truncate(MAX_JOINED_LISTS);
    let add = |(pairs, objects): (ObjectPairs, &Objects)| {
        let added = add_columns(region, column_fields(objects, &pairs.object_of, base, false));
        let how = if pairs.inside {
            "that they stand in".to_owned()
        } else {
            let by: Vec<&str> =
                pairs.agreed_keys.iter().map(|&key| objects.keys[key as usize].as_str()).collect();
            format!("by {} (agreement {:.2})", by.join(", "), pairs.agreement / pairs.joined as f64)
        };
        let text = format!(
            "embedded: {} objects{}, joined to {} of {} records {how}; {added} new columns",
            objects.rows.len(),
            at_path(objects),
            pairs.joined,
            region.records.len(),
        );
        (objects.place, text)
    };
    all.into_iter().map(add).collect()
}

/// The type and the path of a list, for a message.
fn at_path(objects: &Objects) -> String {
    let kind = objects.kind.as_ref().map_or(String::new(), |kind| format!(" of type {kind}"));
    if objects.path.is_empty() { kind } else { format!("{kind} at {}", objects.path) }
}

/// Adds the fields that no column repeats, and returns their number.
fn add_columns(region: &mut Region, fields: Vec<ColumnField>) -> usize {
    let forms: Vec<Vec<FxHashSet<u64>>> = region
        .records
        .iter()
        .map(|record| {
            record
                .cells
                .iter()
                .map(|cell| cell.texts().flat_map(text_marks::forms_of_cell).collect())
                .collect()
        })
        .collect();
    let mut new: Vec<ColumnField> = Vec::new();
    for field in fields {
        match repeated_column(&forms, region.columns.len(), &field) {
            None => new.push(field),
            // the key of the data is a better name than a position
            Some(c) if region.columns[c].named_by == NamedBy::Position => {
                region.columns[c].name = field.name;
                region.columns[c].named_by = NamedBy::Property;
            }
            Some(_) => {}
        }
    }
    let known = region.columns.iter().map(|column| Some((column.name.clone(), column.named_by)));
    let added = new.iter().map(|field| Some((field.name.clone(), NamedBy::Property)));
    let names = names::unique(known.chain(added).collect());
    for (column, (name, _)) in region.columns.iter_mut().zip(&names) {
        column.name.clone_from(name);
    }
    let (count, first) = (new.len(), region.columns.len());
    for (field, (name, _)) in new.into_iter().zip(names.into_iter().skip(first)) {
        region.columns.push(column(name, field.filled as f64 / region.records.len() as f64));
        for (record, cell) in region.records.iter_mut().zip(field.cells) {
            record.cells.push(Cell::with(cell, Provenance::Embedded));
        }
    }
    count
}

/// The column that has the values of a field in every record that has the field.
fn repeated_column(forms: &[Vec<FxHashSet<u64>>], columns: usize, field: &ColumnField) -> Option<usize> {
    let mut left: Vec<usize> = (0..columns).collect();
    for (cells, forms) in field.cells.iter().zip(forms) {
        for text in cells {
            let own = text_marks::forms(text);
            left.retain(|&c| own.iter().any(|form| forms[c].contains(form)));
        }
        if left.is_empty() {
            return None;
        }
    }
    left.first().copied()
}

fn column(name: String, support: f64) -> Column {
    let (named_by, source) = (NamedBy::Property, CellSource::Embedded);
    Column { name, named_by, source, kind: None, support, confidence: None }
}

/// A list that the data of a page has and the page does not show.
pub(crate) struct UnshownList {
    pub(crate) region: Region,
    pub(crate) place: Node,
    /// The reason for the choice.
    pub(crate) why: String,
    /// The number of letters and digits in its texts.
    pub(crate) text: usize,
    /// True if the page shows hardly anything: scripts show its content.
    pub(crate) surely: bool,
}

/// A page that shows more letters and digits than a header, a menu and a footer have is not filled by its
/// scripts.
const MAX_SHELL_CHARS: usize = 2_500;

/// The best list of the data.
pub(crate) fn unshown_list(
    page: &Page,
    data: &Embedded,
    base: &BaseUrl,
    method: Method,
) -> Option<UnshownList> {
    let candidates = record_lists::candidates(&data.lists);
    let best = candidates.first()?;
    let shown = page.index.chars(&(0..page.tree.len() as Node)) as usize;
    let shown_titles = count_shown_titles(page, best);
    let surely = shown <= MAX_SHELL_CHARS
        && shown <= best.text
        && 3 * shown_titles < best.objects.rows.len()
        && !data.one_thing;
    let region = region_of_objects(best.objects, best.score, base, method, false);
    let why = format!(
        "embedded: {} objects{}, {} columns, {} characters where the page shows {shown}, {shown_titles} titles of them on the page",
        best.objects.rows.len(),
        at_path(best.objects),
        region.columns.len(),
        best.text,
    );
    Some(UnshownList { region, place: best.objects.place, why, text: best.text, surely })
}

/// How many titles of a list the page shows.
fn count_shown_titles(page: &Page, candidate: &RecordListCandidate<'_>) -> usize {
    let nodes = page.tree.nodes().filter(|&node| page.tree.is_text(node) && page.styles.is_shown(node));
    let shown: FxHashSet<u64> = nodes.flat_map(|node| text_marks::forms(page.tree.raw_text(node))).collect();
    let titles = candidate.objects.column(candidate.title).filter_map(|(_, values)| values.first());
    titles.filter(|title| text_marks::forms(title).first().is_some_and(|form| shown.contains(form))).count()
}

/// A list as a region. With `all`, it has also the fields that are useless in the data of a page.
pub(super) fn region_of_objects(
    objects: &Objects,
    score: f64,
    base: &BaseUrl,
    method: Method,
    all: bool,
) -> Region {
    let order: Vec<Option<u32>> = (0..objects.rows.len() as u32).map(Some).collect();
    let mut fields = column_fields(objects, &order, base, all);
    move_main_fields_first(&mut fields);
    let names =
        names::unique(fields.iter().map(|field| Some((field.name.clone(), NamedBy::Property))).collect());
    let mut records: Vec<Record> = objects.rows.iter().map(|_| Record::default()).collect();
    let mut columns = Vec::with_capacity(fields.len());
    for (field, (name, _)) in fields.into_iter().zip(names) {
        columns.push(column(name, field.filled as f64 / records.len() as f64));
        for (record, cell) in records.iter_mut().zip(field.cells) {
            for text in &cell {
                push_collapsed(&mut record.text, text);
            }
            record.cells.push(Cell::with(cell, Provenance::Embedded));
        }
    }
    Region {
        role: Role::Primary,
        layout: Layout::List,
        method,
        origin: Origin::Embedded,
        score,
        confidence: None,
        place: RegionPlace::Unknown,
        columns,
        records,
    }
}

/// Moves the most certain title, URL and image to the front.
fn move_main_fields_first(fields: &mut Vec<ColumnField>) {
    let purposes = [FieldPurpose::Title, FieldPurpose::Url, FieldPurpose::Image];
    for purpose in purposes.into_iter().rev() {
        let best = (0..fields.len())
            .filter(|&f| fields[f].purpose.0 == purpose)
            .min_by_key(|&f| fields[f].purpose.1);
        if let Some(at) = best {
            let field = fields.remove(at);
            fields.insert(0, field);
        }
    }
}
