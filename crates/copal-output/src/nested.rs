//! Nested lists as a table of their own, with keys that say which record they belong to.
//!
//! In: an answer. Out: the same answer without nested lists and with a column `key`, and an answer whose one list
//! has all nested records with the columns `key`, `parent` and `list` (the number of the list inside its record).
//! Lists inside nested records follow the same rule, with the nested record as their parent. Keys are unique in a
//! run. Deep nesting is walked with a queue. O(cells).

use crate::rows::{KeyNumbering, list_keys};
use copal_model::{Answer, Cell, CellSource, Column, NamedBy, Record, Region, RegionPlace};
use std::collections::{HashMap, VecDeque};

/// Splits the answers of one run.
#[derive(Debug, Default)]
pub struct NestedSplitter {
    keys: KeyNumbering,
}

/// An answer in two parts.
#[derive(Debug)]
pub struct SplitAnswer {
    /// The lists without their nested lists; records have a column `key`.
    pub main: Answer,
    /// All nested records as one list.
    pub nested: Answer,
}

impl NestedSplitter {
    /// The two parts of an answer; `None` if no record has a nested list.
    pub fn split(&mut self, answer: &Answer) -> Option<SplitAnswer> {
        let has_nested =
            |region: &Region| region.records.iter().any(|record| record.children.iter().any(has_records));
        if !answer.regions.iter().any(has_nested) {
            return None;
        }
        let mut main = answer.clone();
        let mut table = NestedTable::default();
        for region in main.regions.iter_mut().filter(|region| has_nested(region)) {
            let keys: Vec<String> = list_keys(region, &[]).iter().map(|key| self.keys.next(key)).collect();
            for (record, key) in region.records.iter_mut().zip(&keys) {
                table.add_lists(std::mem::take(&mut record.children), key, record);
            }
            put_first(region, "key", keys);
        }
        let template = main.regions.iter().find(|region| !region.records.is_empty())?;
        let nested = Answer { regions: vec![table.into_region(template)], ..Answer::default() };
        Some(SplitAnswer { main, nested })
    }
}

fn has_records(region: &Region) -> bool {
    !region.records.is_empty()
}

/// Puts a column before the others.
fn put_first(region: &mut Region, name: &str, texts: Vec<String>) {
    let name = if region.columns.iter().any(|column| column.name == name) {
        format!("record_{name}")
    } else {
        name.to_owned()
    };
    region.columns.insert(0, own_column(&name));
    for (record, text) in region.records.iter_mut().zip(texts) {
        record.cells.insert(0, Cell::found([text]));
    }
}

/// A column that copal adds. It is written even if few records have it.
fn own_column(name: &str) -> Column {
    Column { support: 1.0, ..Column::new(name, NamedBy::Wrapper, CellSource::Text) }
}

/// The nested records so far.
#[derive(Default)]
struct NestedTable {
    columns: Vec<Column>,
    index: HashMap<String, usize>,
    /// The key, the parent's key, the number of the list, the record, and the column of each of its cells.
    rows: Vec<(String, String, usize, Record, Vec<usize>)>,
}

impl NestedTable {
    /// Adds the lists of a record, and the lists in those, level by level.
    fn add_lists(&mut self, lists: Vec<Region>, parent: &str, owner: &Record) {
        let mut open: VecDeque<(Region, String, usize)> = numbered(lists, parent).collect();
        while let Some((list, parent, number)) = open.pop_front() {
            let places: Vec<usize> = list.columns.iter().map(|column| self.column(column)).collect();
            for (at, mut record) in list.records.into_iter().enumerate() {
                let key = format!("{parent}/{number}.{}", at + 1);
                open.extend(numbered(std::mem::take(&mut record.children), &key));
                if record.page.is_none() {
                    record.page.clone_from(&owner.page);
                }
                self.rows.push((key, parent.clone(), number, record, places.clone()));
            }
        }
    }

    fn column(&mut self, column: &Column) -> usize {
        if let Some(&at) = self.index.get(&column.name) {
            return at;
        }
        self.index.insert(column.name.clone(), self.columns.len());
        self.columns.push(Column { support: 1.0, ..column.clone() });
        self.columns.len() - 1
    }

    fn into_region(self, template: &Region) -> Region {
        let own: Vec<String> = ["key", "parent", "list"]
            .map(
                |name| if self.index.contains_key(name) { format!("record_{name}") } else { name.to_owned() },
            )
            .into();
        let own_count = own.len();
        let width = self.columns.len();
        let row = |(key, parent, number, mut record, places): (String, String, usize, Record, Vec<usize>)| {
            let mut cells = vec![Cell::default(); own_count + width];
            for (at, text) in [key, parent, number.to_string()].into_iter().enumerate() {
                cells[at] = Cell::found([text]);
            }
            for (cell, place) in std::mem::take(&mut record.cells).into_iter().zip(places) {
                cells[own_count + place] = cell;
            }
            record.cells = cells;
            record
        };
        let records = self.rows.into_iter().map(row).collect();
        let columns = own.iter().map(|name| own_column(name)).chain(self.columns).collect();
        Region {
            role: template.role,
            layout: template.layout,
            method: template.method,
            origin: template.origin,
            score: 0.0,
            confidence: None,
            place: RegionPlace::Unknown,
            columns,
            records,
            sections: Vec::new(),
        }
    }
}

/// Lists with the key of their record and their number in it.
fn numbered(lists: Vec<Region>, parent: &str) -> impl Iterator<Item = (Region, String, usize)> {
    let lists = lists.into_iter().enumerate().filter(|(_, list)| has_records(list));
    lists.map(move |(at, list)| (list, parent.to_owned(), at + 1))
}
