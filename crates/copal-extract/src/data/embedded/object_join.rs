//! Which object belongs to which record.
//!
//! In: the marks of a region's records, and a list of objects. Out: pairs; each record and each object is in
//! at most one. A shared mark counts more if few records and objects have it. Pairs are formed in
//! descending order of agreement, by position where the agreement is equal. Objects inside records belong to
//! these records. Almost linear: records are found by hash, and marks that many records have are ignored.

use super::text_marks::{self, TextMark};
use crate::signals::scripts::objects::Objects;
use copal_dom::Node;
use copal_model::{CellSource, Region};
use rustc_hash::FxHashMap;

/// A mark that more records or objects have is ignored.
const MAX_MARK_OWNERS: usize = 8;
/// Minimum agreement of a pair: half of a name that no other record has.
const MIN_PAIR_AGREEMENT: f32 = 0.5;
/// Minimum weight of a mark that is given as a reason: a single digit agrees by chance.
const MIN_REASON_WEIGHT: f32 = 0.25;
/// Maximum number of values of one object that are compared.
const MAX_COMPARED_VALUES: usize = 400;

/// The records of a region by their marks.
pub(super) struct MarkedRecords {
    count: usize,
    by_mark: FxHashMap<u64, Vec<u32>>,
    /// The positions of the records in document order: start, end, index of the record.
    spans: Vec<(Node, Node, u32)>,
}

/// Objects and records that belong together.
pub(super) struct ObjectPairs {
    /// The object of each record.
    pub(super) object_of: Vec<Option<u32>>,
    pub(super) joined: usize,
    /// The sum of the agreement of all pairs.
    pub(super) agreement: f64,
    /// The keys whose values most pairs agree on.
    pub(super) agreed_keys: Vec<u32>,
    /// Joined by position: the objects are inside the records.
    pub(super) inside: bool,
}

impl MarkedRecords {
    pub(super) fn new(region: &Region) -> Self {
        let mut by_mark: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        let mut spans = Vec::new();
        for (r, record) in region.records.iter().enumerate() {
            let mut found: Vec<TextMark> = Vec::new();
            for (column, cell) in region.columns.iter().zip(&record.cells) {
                for text in cell.texts() {
                    match column.source {
                        CellSource::Href | CellSource::Src => text_marks::url_marks(text, &mut found),
                        CellSource::Text | CellSource::Embedded | CellSource::Detail => {
                            text_marks::marks(text, &mut found);
                        }
                    }
                }
            }
            for mark in found {
                let records = by_mark.entry(mark.hash).or_default();
                if records.last() != Some(&(r as u32)) && records.len() <= MAX_MARK_OWNERS {
                    records.push(r as u32);
                }
            }
            spans.extend(record.place.parts.iter().map(|part| (part.start, part.end, r as u32)));
        }
        spans.sort_unstable();
        MarkedRecords { count: region.records.len(), by_mark, spans }
    }

    /// The pairs of a list, if most records have one. A list of something else (facets, a menu, other offers)
    /// agrees with a record only by chance, while the page's own list has nearly all records. One half is far
    /// from both.
    pub(super) fn join(&self, objects: &Objects) -> Option<ObjectPairs> {
        let inside = objects.rows.iter().all(|row| row.node.is_some());
        let mut pairs = if inside { self.join_by_position(objects) } else { self.join_by_agreement(objects) };
        if pairs.joined < 2 || 2 * pairs.joined <= self.count {
            return None;
        }
        if !inside {
            pairs.agreed_keys = self.agreed_keys(objects, &pairs);
        }
        Some(pairs)
    }

    fn join_by_position(&self, objects: &Objects) -> ObjectPairs {
        let mut object_of = vec![None; self.count];
        for (o, node) in objects.rows.iter().enumerate().filter_map(|(o, row)| Some((o, row.node?))) {
            let at = self.spans.partition_point(|span| span.0 <= node);
            let span = at.checked_sub(1).map(|at| self.spans[at]).filter(|span| node < span.1);
            if let Some((_, _, record)) = span {
                object_of[record as usize].get_or_insert(o as u32);
            }
        }
        let joined = object_of.iter().flatten().count();
        ObjectPairs { object_of, joined, agreement: joined as f64, agreed_keys: Vec::new(), inside: true }
    }

    fn join_by_agreement(&self, objects: &Objects) -> ObjectPairs {
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
                if common > MAX_MARK_OWNERS {
                    continue;
                }
                for &record in records {
                    *agreement.entry(record).or_default() += mark.weight / common as f32;
                }
            }
            let enough = agreement.into_iter().filter(|(_, agreement)| *agreement >= MIN_PAIR_AGREEMENT);
            possible.extend(enough.map(|(record, agreement)| (agreement, o as u32, record)));
        }
        // pairs of equal agreement are ordered by position: the third object goes to the third record
        let distance = |o: u32, r: u32| {
            let share = |at: u32, of: usize| f64::from(at) / of as f64;
            (share(o, objects.rows.len()) - share(r, self.count)).abs()
        };
        possible.sort_by(|a, b| {
            let position = distance(a.1, a.2).total_cmp(&distance(b.1, b.2));
            b.0.total_cmp(&a.0).then(position).then((a.1, a.2).cmp(&(b.1, b.2)))
        });
        let mut object_of = vec![None; self.count];
        let mut used = vec![false; objects.rows.len()];
        let (mut joined, mut total) = (0, 0.0);
        for (agreement, o, record) in possible {
            if !used[o as usize] && object_of[record as usize].is_none() {
                used[o as usize] = true;
                object_of[record as usize] = Some(o);
                joined += 1;
                total += f64::from(agreement);
            }
        }
        ObjectPairs { object_of, joined, agreement: total, agreed_keys: Vec::new(), inside: false }
    }

    /// The keys on whose values most pairs agree.
    fn agreed_keys(&self, objects: &Objects, pairs: &ObjectPairs) -> Vec<u32> {
        let mut counts = vec![0; objects.keys.len()];
        let mut found = Vec::new();
        for (record, object) in
            pairs.object_of.iter().enumerate().filter_map(|(r, o)| Some((r as u32, (*o)?)))
        {
            for (key, values) in &objects.rows[object as usize].cells {
                found.clear();
                values.iter().take(MAX_COMPARED_VALUES).for_each(|text| text_marks::marks(text, &mut found));
                let agrees = |mark: &TextMark| {
                    mark.weight >= MIN_REASON_WEIGHT
                        && self.by_mark.get(&mark.hash).is_some_and(|records| records.contains(&record))
                };
                counts[*key as usize] += usize::from(found.iter().any(agrees));
            }
        }
        (0..counts.len() as u32).filter(|&key| 2 * counts[key as usize] > pairs.joined).collect()
    }
}

/// The marks of an object without duplicates.
fn marks_of<'r>(cells: impl Iterator<Item = &'r (u32, Vec<String>)>) -> Vec<TextMark> {
    let mut found = Vec::new();
    for text in cells.flat_map(|(_, values)| values).take(MAX_COMPARED_VALUES) {
        text_marks::marks(text, &mut found);
    }
    found.sort_by_key(|mark| mark.hash);
    found.dedup_by_key(|mark| mark.hash);
    found
}
