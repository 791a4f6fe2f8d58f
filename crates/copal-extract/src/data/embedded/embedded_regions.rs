//! Embedded data as columns of a region, or as a region of its own.
//!
//! In: the data of a page, and a region or none. Out: the region with further columns and the reasons for
//! them, or a region of objects that the page does not show.

use super::data_list_candidates::{self, DataListCandidate};
use super::field_columns::{FieldColumn, field_columns};
use super::field_keys::KeyMeaning;
use super::record_matching::{RecordIndex, RecordMatches};
use super::{Embedded, text_marks};
use crate::signals::scripts::objects::Objects;
use crate::table::column_names::unique_names;
use copal_dom::url::BaseUrl;
use copal_dom::{Node, Page, push_collapsed};
use copal_model::{
    Cell, CellSource, Column, Layout, Method, NamedBy, Origin, Provenance, Record, Region, RegionPlace, Role,
};
use rustc_hash::FxHashSet;

/// Maximum number of lists that are joined to one region. Pages often carry the same data twice, rarely more
/// often.
const MAX_JOINED_LISTS: usize = 4;
/// Keys with more words are paths into the data rather than names.
const MAX_KEY_NAME_WORDS: usize = 3;

/// Adds the fields of the lists that belong to a region's records. Returns the node of each such list, and
/// why it was joined.
pub(crate) fn add_fields(region: &mut Region, data: &Embedded, base: &BaseUrl) -> Vec<(Node, String)> {
    let records = RecordIndex::new(region);
    let joined = |objects| Some((records.match_objects(objects)?, objects));
    let mut all: Vec<(RecordMatches, &Objects)> = data.lists.iter().filter_map(joined).collect();
    all.sort_by(|(a, _), (b, _)| b.agreement.total_cmp(&a.agreement));
    all.truncate(MAX_JOINED_LISTS);
    let add = |(matches, objects): (RecordMatches, &Objects)| {
        let added = add_columns(region, field_columns(objects, &matches.object_of, base, false));
        let how = if matches.inside {
            "that contain them".to_owned()
        } else {
            let by: Vec<&str> = matches.by.iter().map(|&key| objects.keys[key as usize].as_str()).collect();
            format!("by {} (agreement {:.2})", by.join(", "), matches.agreement / matches.matched as f64)
        };
        let text = format!(
            "embedded: {} objects{}, joined to {} of {} records {how}; {added} new columns",
            objects.rows.len(),
            at_path(objects),
            matches.matched,
            region.records.len(),
        );
        (objects.place, text)
    };
    all.into_iter().map(add).collect()
}

/// Renames the columns of a region that nothing on the page names, if the data has the same values under a key.
pub(crate) fn name_by_keys(region: &mut Region, data: &Embedded, base: &BaseUrl) {
    let records = RecordIndex::new(region);
    let joined = |objects| Some((records.match_objects(objects)?, objects));
    let mut all: Vec<(RecordMatches, &Objects)> = data.lists.iter().filter_map(joined).collect();
    all.sort_by(|(a, _), (b, _)| b.agreement.total_cmp(&a.agreement));
    all.truncate(MAX_JOINED_LISTS);
    let forms = cell_forms(region);
    for (matches, objects) in all {
        for field in field_columns(objects, &matches.object_of, base, false) {
            let Some(c) = repeated_column(&forms, region.columns.len(), &field) else { continue };
            let is_taken = region.columns.iter().any(|column| column.name == field.name);
            let is_word = field.name.split('_').count() <= MAX_KEY_NAME_WORDS;
            if has_no_own_name(&region.columns[c])
                && !is_taken
                && is_word
                && 2 * field.filled > region.records.len()
            {
                let reason = format!("the key {} of the page's data has its values", field.name);
                region.columns[c].name_reason = Some(reason);
                region.columns[c].name = field.name;
                region.columns[c].named_by = NamedBy::Property;
            }
        }
    }
}

/// True for a text column whose name is only its position or what its texts look like.
pub(crate) fn has_no_own_name(column: &Column) -> bool {
    let is_guess = column.named_by == NamedBy::ValueType
        && column.value_type.is_none()
        && matches!(column.name.as_str(), "category" | "details" | "person");
    column.source == CellSource::Text && (column.named_by == NamedBy::Position || is_guess)
}

/// The type and path of objects, for explanations.
fn at_path(objects: &Objects) -> String {
    let kind = objects.kind.as_ref().map_or(String::new(), |kind| format!(" of type {kind}"));
    if objects.path.is_empty() { kind } else { format!("{kind} at {}", objects.path) }
}

/// Adds the fields that no column has yet. Returns how many columns were added.
fn add_columns(region: &mut Region, fields: Vec<FieldColumn>) -> usize {
    let forms = cell_forms(region);
    let mut new: Vec<FieldColumn> = Vec::new();
    for field in fields {
        match repeated_column(&forms, region.columns.len(), &field) {
            None => new.push(field),
            // a key is a better name than a position
            Some(c) if region.columns[c].named_by == NamedBy::Position => {
                region.columns[c].name = field.name;
                region.columns[c].named_by = NamedBy::Property;
            }
            Some(_) => {}
        }
    }
    let known = region.columns.iter().map(|column| Some((column.name.clone(), column.named_by)));
    let added = new.iter().map(|field| Some((field.name.clone(), NamedBy::Property)));
    let names = unique_names(known.chain(added).collect());
    for (column, (name, _)) in region.columns.iter_mut().zip(&names) {
        column.name.clone_from(name);
    }
    let (count, first) = (new.len(), region.columns.len());
    for (field, (name, _)) in new.into_iter().zip(names.into_iter().skip(first)) {
        region.columns.push(embedded_column(name, field.filled as f64 / region.records.len() as f64));
        for (record, cell) in region.records.iter_mut().zip(field.cells) {
            record.cells.push(Cell::with(cell, Provenance::Embedded));
        }
    }
    count
}

/// The forms of the texts of every cell, by record and column.
fn cell_forms(region: &Region) -> Vec<Vec<FxHashSet<u64>>> {
    let forms = |cell: &Cell| cell.texts().flat_map(text_marks::forms_of_cell).collect();
    region.records.iter().map(|record| record.cells.iter().map(forms).collect()).collect()
}

/// The column that has the same values as a field in every record that has the field.
fn repeated_column(forms: &[Vec<FxHashSet<u64>>], columns: usize, field: &FieldColumn) -> Option<usize> {
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

fn embedded_column(name: String, support: f64) -> Column {
    Column { support, ..Column::new(name, NamedBy::Property, CellSource::Embedded) }
}

/// A list that only the data of a page has.
pub(crate) struct DataOnlyList {
    pub(crate) region: Region,
    pub(crate) place: Node,
    /// Why it was chosen.
    pub(crate) why: String,
    /// Letters and digits of its texts.
    pub(crate) text: usize,
    /// The page shows little, and hardly any titles of this list: its scripts render the list.
    pub(crate) is_script_rendered: bool,
}

/// How many letters and digits a page may show before its scripts have run: a header, a menu, a footer.
const MAX_SHELL_CHARS: usize = 2_500;

/// The best list of the data that no region shows.
pub(crate) fn data_only_list(
    page: &Page,
    data: &Embedded,
    base: &BaseUrl,
    method: Method,
) -> Option<DataOnlyList> {
    let candidates = data_list_candidates::candidates(&data.lists);
    let best = candidates.first()?;
    let shown = page.index.chars(&(0..page.tree.len() as Node)) as usize;
    let seen = shown_titles(page, best);
    let is_script_rendered = shown <= MAX_SHELL_CHARS
        && shown <= best.text
        && 3 * seen < best.objects.rows.len()
        && !data.one_thing;
    let region = region_of_objects(best.objects, best.score, base, method, false);
    let why = format!(
        "embedded: {} objects{}, {} columns, {} characters where the page shows {shown}, \
         {seen} titles of them on the page",
        best.objects.rows.len(),
        at_path(best.objects),
        region.columns.len(),
        best.text,
    );
    Some(DataOnlyList { region, place: best.objects.place, why, text: best.text, is_script_rendered })
}

/// How many titles of a list the page shows.
fn shown_titles(page: &Page, candidate: &DataListCandidate<'_>) -> usize {
    let nodes = page.tree.nodes().filter(|&node| page.tree.is_text(node) && page.styles.is_shown(node));
    let shown: FxHashSet<u64> = nodes.flat_map(|node| text_marks::forms(page.tree.raw_text(node))).collect();
    let titles = candidate.objects.column(candidate.title).filter_map(|(_, values)| values.first());
    titles.filter(|title| text_marks::forms(title).first().is_some_and(|form| shown.contains(form))).count()
}

/// A region of objects. With `all`, it also has the fields that carry no information.
pub(super) fn region_of_objects(
    objects: &Objects,
    score: f64,
    base: &BaseUrl,
    method: Method,
    all: bool,
) -> Region {
    let order: Vec<Option<u32>> = (0..objects.rows.len() as u32).map(Some).collect();
    let mut fields = field_columns(objects, &order, base, all);
    lead_with_key_fields(&mut fields);
    let names =
        unique_names(fields.iter().map(|field| Some((field.name.clone(), NamedBy::Property))).collect());
    let mut records: Vec<Record> = objects.rows.iter().map(|_| Record::default()).collect();
    let mut columns = Vec::with_capacity(fields.len());
    for (field, (name, _)) in fields.into_iter().zip(names) {
        columns.push(embedded_column(name, field.filled as f64 / records.len() as f64));
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
        sections: Vec::new(),
    }
}

/// Moves the most certain title, URL and image to the front.
fn lead_with_key_fields(fields: &mut Vec<FieldColumn>) {
    let meanings = [KeyMeaning::Title, KeyMeaning::Url, KeyMeaning::Image];
    for meaning in meanings.into_iter().rev() {
        let best = (0..fields.len())
            .filter(|&f| fields[f].meaning.0 == meaning)
            .min_by_key(|&f| fields[f].meaning.1);
        if let Some(at) = best {
            let field = fields.remove(at);
            fields.insert(0, field);
        }
    }
}
