//! Answers on their way between two processes, exactly.
//!
//! In: an [`Answer`], or what another process sent. Out: a [`TransferredAnswer`], or the answer. Records share the tables
//! that write their XPaths, so that these are sent once and their places refer to them by number. Floating-point numbers
//! are sent as their bits: no format rounds them. Pictures are not sent. O(answer).

use crate::answer::Answer;
use crate::place::RegionPlace;
use crate::region::Region;
use copal_dom::xpath::XPathTable;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// An answer in the form in which it is sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TransferredAnswer {
    answer: Answer,
    /// The distinct tables.
    tables: Vec<XPathTable>,
    /// For each place, in the order of [`for_each_table`], its table.
    table_of_place: Vec<usize>,
}

impl From<Answer> for TransferredAnswer {
    fn from(mut answer: Answer) -> TransferredAnswer {
        let mut positions: HashMap<*const XPathTable, usize> = HashMap::new();
        let mut tables: Vec<Arc<XPathTable>> = Vec::new();
        let mut table_of_place = Vec::new();
        for_each_table(&mut answer, |table| {
            let position = *positions.entry(Arc::as_ptr(table)).or_insert_with(|| {
                tables.push(table.clone());
                tables.len() - 1
            });
            table_of_place.push(position);
        });
        let tables = tables.iter().map(|table| XPathTable::clone(table)).collect();
        TransferredAnswer { answer, tables, table_of_place }
    }
}

impl From<TransferredAnswer> for Answer {
    fn from(sent: TransferredAnswer) -> Answer {
        let TransferredAnswer { mut answer, tables, table_of_place } = sent;
        let tables: Vec<Arc<XPathTable>> = tables.into_iter().map(Arc::new).collect();
        let mut positions = table_of_place.into_iter();
        for_each_table(&mut answer, |table| {
            if let Some(known) = positions.next().and_then(|position| tables.get(position)) {
                *table = known.clone();
            }
        });
        answer
    }
}

/// Calls `visit` with the table of each region, section and record.
fn for_each_table(answer: &mut Answer, mut visit: impl FnMut(&mut Arc<XPathTable>)) {
    let lists_of_object = answer.object.iter_mut().flat_map(|object| object.lists.iter_mut());
    let mut stack: Vec<&mut Region> = answer.regions.iter_mut().chain(lists_of_object).collect();
    while let Some(region) = stack.pop() {
        let sections = region.sections.iter_mut().map(|section| &mut section.place);
        for place in std::iter::once(&mut region.place).chain(sections) {
            if let RegionPlace::Element { xpaths, .. } = place {
                visit(xpaths);
            }
        }
        for record in &mut region.records {
            visit(&mut record.place.xpaths);
            stack.extend(record.children.iter_mut());
        }
    }
}
