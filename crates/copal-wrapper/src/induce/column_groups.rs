//! Which columns of the samples are one column of the site.
//!
//! In: samples whose lists were extracted one by one. Out: [`ColumnGroup`]s, in the order of the columns. The
//! extraction names columns by what single pages show, so a name alone does not decide: columns belong
//! together if their cells are at the same places of the records, and names, types and values are further
//! evidence. A column that only some samples have is a group too. O(samples x columns^2 + cells x depth).

use super::sample::Sample;
use crate::locate::hash;
use copal_dom::{Node, attrs, stable_classes};
use copal_extract::{CellSource, Column};
use rustc_hash::{FxHashMap, FxHashSet};

/// Weights of the similarities of places, names, types and values.
const GROUP_SIMILARITY_WEIGHTS: [f64; 4] = [0.5, 0.25, 0.15, 0.1];
/// Columns that are less similar than this are different. The same name and type alone are enough.
const MIN_SIMILARITY: f64 = 0.4;
/// Maximum number of steps of a place.
const MAX_PLACE_STEPS: usize = 30;

/// One column of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ColumnGroup {
    /// Its name, which no other group has.
    pub(super) name: String,
    /// Per sample, the number of its column there.
    pub(super) columns: Vec<Option<usize>>,
}

/// Where the cells of a column are, and what they say.
struct ColumnTraits {
    /// Share of the cells per place: tags and class words from the cell up to the record.
    places: FxHashMap<u64, f64>,
    texts: FxHashSet<u64>,
}

/// Groups that join columns by their names: for samples whose columns were named together.
pub(super) fn groups_by_name(samples: &[Sample<'_>]) -> Vec<ColumnGroup> {
    let at = |sample: &Sample<'_>, wanted: &Column| {
        let same = |other: &Column| other.name == wanted.name && other.source == wanted.source;
        sample.list.columns.iter().position(same)
    };
    let group = |column: &Column| ColumnGroup {
        name: column.name.clone(),
        columns: samples.iter().map(|sample| at(sample, column)).collect(),
    };
    samples[0].list.columns.iter().map(group).collect()
}

/// Groups that join columns by their places, names, types and values.
pub(super) fn column_groups(samples: &[Sample<'_>]) -> Vec<ColumnGroup> {
    let traits: Vec<Vec<ColumnTraits>> = samples.iter().map(column_traits).collect();
    let mut groups: Vec<ColumnGroup> = Vec::new();
    for (number, sample) in samples.iter().enumerate() {
        let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            for column in 0..sample.list.columns.len() {
                let similarity = group.columns.iter().enumerate().filter_map(|(other, known)| {
                    let known = (*known)?;
                    let columns = (&samples[other].list.columns[known], &sample.list.columns[column]);
                    Some(similarity(columns, &traits[other][known], &traits[number][column]))
                });
                let best = similarity.fold(0.0, f64::max);
                if best >= MIN_SIMILARITY {
                    pairs.push((best, at, column));
                }
            }
        }
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut group_of: Vec<Option<usize>> = vec![None; sample.list.columns.len()];
        let mut taken: FxHashSet<usize> = FxHashSet::default();
        for (_, group, column) in pairs {
            if group_of[column].is_none() && taken.insert(group) {
                group_of[column] = Some(group);
            }
        }
        for (column, group) in group_of.iter().enumerate() {
            if let Some(group) = group {
                groups[*group].columns[number] = Some(column);
            }
        }
        insert_new(&mut groups, samples, number, &group_of);
    }
    groups
}

/// Adds the columns of a sample that no group has, each after the column that precedes it there.
fn insert_new(
    groups: &mut Vec<ColumnGroup>,
    samples: &[Sample<'_>],
    number: usize,
    group_of: &[Option<usize>],
) {
    for column in (0..group_of.len()).filter(|&column| group_of[column].is_none()) {
        let before = column.checked_sub(1);
        let has = |group: &ColumnGroup| before.is_some() && group.columns[number] == before;
        let at = groups.iter().position(has).map_or(0, |at| at + 1);
        let wanted = &samples[number].list.columns[column].name;
        let is_free = |name: &String| groups.iter().all(|group| group.name != *name);
        let name = std::iter::once(wanted.clone())
            .chain((2..=usize::MAX).map(|suffix| format!("{wanted}_{suffix}")))
            .find(is_free)
            .unwrap_or_default();
        let mut columns = vec![None; samples.len()];
        columns[number] = Some(column);
        groups.insert(at, ColumnGroup { name, columns });
    }
}

fn column_traits(sample: &Sample<'_>) -> Vec<ColumnTraits> {
    let records = &sample.list.records;
    (0..sample.list.columns.len())
        .map(|column| {
            let mut places: FxHashMap<u64, f64> = FxHashMap::default();
            let mut texts = FxHashSet::default();
            for (record, &head) in records.iter().zip(&sample.heads) {
                let Some(text) = record.cells[column].texts.first() else { continue };
                texts.insert(hash(&text.text));
                let place = text.source.as_ref().map(|source| place_in_record(sample, head, source.node));
                *places.entry(place.unwrap_or_default()).or_default() += 1.0;
            }
            let all: f64 = places.values().sum();
            for count in places.values_mut() {
                *count /= all;
            }
            ColumnTraits { places, texts }
        })
        .collect()
}

/// The tags and class words from a node up to its record.
fn place_in_record(sample: &Sample<'_>, head: Node, node: Node) -> u64 {
    let tree = &sample.page.tree;
    let steps = std::iter::once(node).chain(tree.ancestors(node)).take_while(|&up| up > head);
    let mut path = String::new();
    for step in steps.take(MAX_PLACE_STEPS).filter(|&step| !tree.is_text(step)) {
        path.push_str(tree.tag_name(step));
        for word in tree.attr(step, attrs::CLASS).into_iter().flat_map(stable_classes) {
            path.push('.');
            path.push_str(word);
        }
        path.push('<');
    }
    hash(&path)
}

/// How similar two columns are, from 0 to 1; 0 if one has text and the other links or images.
fn similarity((a, b): (&Column, &Column), known: &ColumnTraits, found: &ColumnTraits) -> f64 {
    let is_learned = matches!(a.source, CellSource::Text | CellSource::Href | CellSource::Src);
    if a.source != b.source || !is_learned {
        return 0.0;
    }
    let places: f64 =
        known.places.iter().map(|(place, share)| share.min(*found.places.get(place).unwrap_or(&0.0))).sum();
    let name = f64::from(u8::from(a.name == b.name));
    let value_type = f64::from(u8::from(a.value_type == b.value_type));
    let both = known.texts.intersection(&found.texts).count();
    let fewest = known.texts.len().min(found.texts.len()).max(1);
    let values = both as f64 / fewest as f64;
    let similarities = [places, name, value_type, values];
    similarities.iter().zip(GROUP_SIMILARITY_WEIGHTS).map(|(one, weight)| one * weight).sum()
}
