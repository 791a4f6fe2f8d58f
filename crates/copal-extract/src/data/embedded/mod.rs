//! Embedded data: what a page carries for its scripts, joined to the records that show it.
//!
//! In: the [`Signals`] of a page and its regions. Out: regions with further columns, or a separate region
//! where the page shows no list. `signals::scripts` reads the JSON; [`record_matching`] finds the objects
//! that belong to records, and [`data_list_candidates`] the lists that the page does not show. An object is
//! joined to a record only if both agree on what the page shows, and its values are returned exactly as they
//! are in the JSON. Linear in the size of the scripts, up to their budget; one JSON value is in memory at a
//! time.

mod data_list_candidates;
mod embedded_findings;
mod embedded_regions;
mod field_columns;
mod field_keys;
mod record_matching;
pub(crate) mod table;
mod text_marks;

pub(crate) use embedded_findings::{EmbeddedFindings, find, name_columns};

use crate::signals::Signals;
use crate::signals::scripts::object_lists as lists;
pub(crate) use crate::signals::scripts::objects::Objects;
use crate::signals::scripts::scan::JsonScanner;
use crate::signals::scripts::sources::{self, JsonSource, JsonSourceKind};
use copal_dom::Node;
use rustc_hash::FxHashMap;
use serde_json::Value;

/// Maximum number of cells in all lists of a page.
const MAX_EMBEDDED_CELLS: usize = 600_000;
/// Maximum number of lists of a page.
const MAX_EMBEDDED_LISTS: usize = 400;
/// Maximum number of kinds of single objects that are collected into lists.
const MAX_COLLECTED_KINDS: usize = 64;

/// The data of a page.
#[derive(Default)]
pub(crate) struct Embedded {
    pub(crate) lists: Vec<Objects>,
    /// Texts that are declared as JSON but do not parse, and why.
    pub(crate) malformed: Vec<(Node, String)>,
    /// Some of the data was not read, because the budget was spent.
    pub(crate) cut: bool,
    /// The page declares that it is about one thing.
    pub(crate) one_thing: bool,
}

/// Reads the data of a page.
pub(crate) fn read(signals: &Signals<'_>) -> Embedded {
    let page = signals.page;
    let mut collector = ListCollector { cells: MAX_EMBEDDED_CELLS, ..ListCollector::default() };
    let mut scanner = JsonScanner::new();
    let mut streamed = None;
    for source in sources::sources(page) {
        match source.kind {
            JsonSourceKind::Code => {
                let pushes = source.text.contains(".push(");
                streamed = streamed.or(pushes.then_some(source.node));
                scanner.code(source.text, &mut |name, value| collector.value(&source, name, &value));
            }
            JsonSourceKind::Data | JsonSourceKind::Attribute(_) => {
                let read =
                    scanner.data(source.text, &mut |name, value| collector.value(&source, name, &value));
                if let (Err(why), JsonSourceKind::Data) = (read, source.kind) {
                    collector.found.malformed.push((source.node, why));
                }
            }
        }
    }
    if let Some(node) = streamed {
        let source = JsonSource { node, text: "", kind: JsonSourceKind::Code };
        scanner.stream(&mut |name, value| collector.value(&source, name, &value));
    }
    let mut found = collector.finish();
    found.cut |= scanner.cut;
    found.one_thing = signals.declared().is_about_one_thing();
    found
}

/// Collects lists from values.
#[derive(Default)]
struct ListCollector {
    found: Embedded,
    /// Cells that can still be added.
    cells: usize,
    /// Single objects, grouped by their name and type: some pages have one script or attribute per record.
    collected: Vec<Objects>,
    place: FxHashMap<(String, Option<String>), usize>,
}

impl ListCollector {
    fn value(&mut self, source: &JsonSource<'_>, name: &str, value: &Value) {
        let name = match source.kind {
            JsonSourceKind::Attribute(name) => name,
            _ => name,
        };
        for list in lists::lists(name, value) {
            if self.found.lists.len() == MAX_EMBEDDED_LISTS || self.cells == 0 {
                self.found.cut = true;
                break;
            }
            let mut objects = Objects::new(source.node, list.path, list.kind);
            for object in list.objects {
                objects.push(object, None, &mut self.cells);
            }
            self.found.lists.push(objects);
        }
        self.collect_single(source, name, value);
    }

    /// An object that is alone in its script or attribute.
    fn collect_single(&mut self, source: &JsonSource<'_>, name: &str, value: &Value) {
        let alone = match value.as_array().map(Vec::as_slice) {
            Some([one]) => one.as_object(),
            _ => value.as_object(),
        };
        let Some(object) = alone.filter(|_| source.kind != JsonSourceKind::Code) else { return };
        let kind = lists::kind(object);
        if source.kind == JsonSourceKind::Data && kind.is_none() {
            return;
        }
        let key = (name.to_owned(), kind.map(str::to_owned));
        let at = match self.place.get(&key) {
            Some(&at) => at,
            None if self.collected.len() < MAX_COLLECTED_KINDS => {
                self.collected.push(Objects::new(source.node, name.to_owned(), kind));
                self.place.insert(key, self.collected.len() - 1);
                self.collected.len() - 1
            }
            None => return,
        };
        self.collected[at].push(object, Some(source.node), &mut self.cells);
    }

    fn finish(mut self) -> Embedded {
        self.found.lists.extend(self.collected.into_iter().filter(|objects| objects.rows.len() > 1));
        self.found
    }
}
