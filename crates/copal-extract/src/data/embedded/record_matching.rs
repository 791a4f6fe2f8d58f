//! Which object of the embedded data belongs to which record.
//!
//! In: the records of a region as marks, and a list of objects. Out: [`RecordMatches`], in which each record
//! and each object occurs at most once. A mark that both have counts more, the fewer records and objects
//! share it. Matches are made from the best agreement down; if agreements are equal, relative positions
//! decide. Objects that are inside records belong to those. Near-linear: records are found by hash, and marks
//! that many records share are ignored.

use super::text_marks::{self, TextMark};
use crate::signals::scripts::objects::Objects;
use copal_dom::Node;
use copal_model::{CellSource, Region};
use rustc_hash::FxHashMap;

/// A mark that more records, or more objects, share is not evidence.
const MAX_MARK_RECORDS: usize = 8;
/// Minimum agreement of a match: half of a name that no other record has.
const MIN_PAIR_AGREEMENT: f32 = 0.5;
/// Minimum weight of a mark that is reported as a reason: a single digit agrees by chance.
const MIN_REASON_WEIGHT: f32 = 0.25;
/// Values of one object that are compared.
const MAX_OBJECT_VALUES: usize = 400;

/// The records of a region, indexed by their marks.
pub(super) struct RecordIndex {
    count: usize,
    by_mark: FxHashMap<u64, Vec<u32>>,
    /// Where records are: start, end, record; in document order.
    spans: Vec<(Node, Node, u32)>,
}

/// Objects and records that belong together.
pub(super) struct RecordMatches {
    /// By record: its object.
    pub(super) object_of: Vec<Option<u32>>,
    /// The number of records with an object.
    pub(super) matched: usize,
    /// Sum of the agreements of all matches.
    pub(super) agreement: f64,
    /// Keys whose values agree in most matches.
    pub(super) by: Vec<u32>,
    /// Matched by place: the objects are inside the records.
    pub(super) inside: bool,
}

impl RecordIndex {
    pub(super) fn new(region: &Region) -> Self {
        let mut by_mark: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        let mut spans = Vec::new();
        for (r, record) in region.records.iter().enumerate() {
            let mut found: Vec<TextMark> = Vec::new();
            for (column, cell) in region.columns.iter().zip(&record.cells) {
                for text in cell.texts() {
                    match column.source {
                        CellSource::Href | CellSource::Src => text_marks::url_marks(text, &mut found),
                        CellSource::Text
                        | CellSource::Embedded
                        | CellSource::Detail
                        | CellSource::Heading => {
                            text_marks::text_marks(text, &mut found);
                        }
                    }
                }
            }
            for mark in found {
                let records = by_mark.entry(mark.hash).or_default();
                if records.last() != Some(&(r as u32)) && records.len() <= MAX_MARK_RECORDS {
                    records.push(r as u32);
                }
            }
            spans.extend(record.place.parts.iter().map(|part| (part.start, part.end, r as u32)));
        }
        spans.sort_unstable();
        RecordIndex { count: region.records.len(), by_mark, spans }
    }

    /// The matches of a list of objects, if most records have one. A list of something else (facets, a menu,
    /// other offers) agrees with few records by chance, while the list of the page itself misses hardly any.
    /// One half is far from both.
    pub(super) fn match_objects(&self, objects: &Objects) -> Option<RecordMatches> {
        let inside = objects.rows.iter().all(|row| row.node.is_some());
        let mut matches =
            if inside { self.match_by_place(objects) } else { self.match_by_agreement(objects) };
        if matches.matched < 2 || 2 * matches.matched <= self.count {
            return None;
        }
        if !inside {
            matches.by = self.agreeing_keys(objects, &matches);
        }
        Some(matches)
    }

    fn match_by_place(&self, objects: &Objects) -> RecordMatches {
        let mut object_of = vec![None; self.count];
        for (o, node) in objects.rows.iter().enumerate().filter_map(|(o, row)| Some((o, row.node?))) {
            let at = self.spans.partition_point(|span| span.0 <= node);
            let span = at.checked_sub(1).map(|at| self.spans[at]).filter(|span| node < span.1);
            if let Some((_, _, record)) = span {
                object_of[record as usize].get_or_insert(o as u32);
            }
        }
        let matched = object_of.iter().flatten().count();
        RecordMatches { object_of, matched, agreement: matched as f64, by: Vec::new(), inside: true }
    }

    fn match_by_agreement(&self, objects: &Objects) -> RecordMatches {
        let marked: Vec<Vec<TextMark>> = objects.rows.iter().map(|row| marks_of(row.cells.iter())).collect();
        let mut objects_with: FxHashMap<u64, usize> = FxHashMap::default();
        for mark in marked.iter().flatten().filter(|mark| self.by_mark.contains_key(&mark.hash)) {
            *objects_with.entry(mark.hash).or_default() += 1;
        }
        let mut possible: Vec<(f32, u32, u32)> = Vec::new();
        for (o, marks) in marked.iter().enumerate() {
            let mut agreement: FxHashMap<u32, f32> = FxHashMap::default();
            for mark in marks {
                let Some(records) = self.by_mark.get(&mark.hash) else { continue };
                let common = records.len().max(objects_with[&mark.hash]);
                if common > MAX_MARK_RECORDS {
                    continue;
                }
                for &record in records {
                    *agreement.entry(record).or_default() += mark.weight / common as f32;
                }
            }
            let enough = agreement.into_iter().filter(|(_, agreement)| *agreement >= MIN_PAIR_AGREEMENT);
            possible.extend(enough.map(|(record, agreement)| (agreement, o as u32, record)));
        }
        // if agreements are equal: the third object belongs to the third record
        let apart = |o: u32, r: u32| {
            let share = |at: u32, of: usize| f64::from(at) / of as f64;
            (share(o, objects.rows.len()) - share(r, self.count)).abs()
        };
        possible.sort_by(|a, b| {
            let place = apart(a.1, a.2).total_cmp(&apart(b.1, b.2));
            b.0.total_cmp(&a.0).then(place).then((a.1, a.2).cmp(&(b.1, b.2)))
        });
        let mut object_of = vec![None; self.count];
        let mut taken = vec![false; objects.rows.len()];
        let (mut matched, mut total) = (0, 0.0);
        for (agreement, o, record) in possible {
            if !taken[o as usize] && object_of[record as usize].is_none() {
                taken[o as usize] = true;
                object_of[record as usize] = Some(o);
                matched += 1;
                total += f64::from(agreement);
            }
        }
        RecordMatches { object_of, matched, agreement: total, by: Vec::new(), inside: false }
    }

    /// The keys whose values agree in most matches.
    fn agreeing_keys(&self, objects: &Objects, matches: &RecordMatches) -> Vec<u32> {
        let mut counts = vec![0; objects.keys.len()];
        let mut found = Vec::new();
        for (record, object) in
            matches.object_of.iter().enumerate().filter_map(|(r, o)| Some((r as u32, (*o)?)))
        {
            for (key, values) in &objects.rows[object as usize].cells {
                found.clear();
                values
                    .iter()
                    .take(MAX_OBJECT_VALUES)
                    .for_each(|text| text_marks::text_marks(text, &mut found));
                let agrees = |mark: &TextMark| {
                    mark.weight >= MIN_REASON_WEIGHT
                        && self.by_mark.get(&mark.hash).is_some_and(|records| records.contains(&record))
                };
                counts[*key as usize] += usize::from(found.iter().any(agrees));
            }
        }
        (0..counts.len() as u32).filter(|&key| 2 * counts[key as usize] > matches.matched).collect()
    }
}

/// The marks of an object, each once.
fn marks_of<'r>(cells: impl Iterator<Item = &'r (u32, Vec<String>)>) -> Vec<TextMark> {
    let mut found = Vec::new();
    for text in cells.flat_map(|(_, values)| values).take(MAX_OBJECT_VALUES) {
        text_marks::text_marks(text, &mut found);
    }
    found.sort_by_key(|mark| mark.hash);
    found.dedup_by_key(|mark| mark.hash);
    found
}
