//! Data that a page carries for its scripts: read without running them, and put to the records that show it.
//!
//! In: a [`Page`] and its regions. Out: regions with further columns, or a region of its own where the page shows no list.
//! `sources → scan → lists → flatten → join | choose`, one file each. A value is joined to a record only where the two agree
//! on what is seen, and every value stands in the page's JSON as it is given. Linear in the scripts up to their budget; one
//! value is in memory at a time.

mod answer;
mod choose;
mod fields;
mod join;
mod marks;
mod pick;
mod region;
pub(crate) mod table;

pub(crate) use answer::{EmbeddedFindings, find};

use crate::signals::Signals;
use crate::signals::scripts::object_lists as lists;
pub(crate) use crate::signals::scripts::objects::Objects;
use crate::signals::scripts::scan::Scanner;
use crate::signals::scripts::sources::{self, Kind, Source};
use copal_dom::Node;
use rustc_hash::FxHashMap;
use serde_json::Value;

/// Cells of all lists of a page.
const CELLS: usize = 600_000;
/// Lists of a page.
const LISTS: usize = 400;
/// Kinds of single objects that are gathered into lists.
const GATHERED: usize = 64;

/// The data of a page.
#[derive(Default)]
pub(crate) struct Embedded {
    pub(crate) lists: Vec<Objects>,
    /// Texts that are declared to be JSON and are not, and why.
    pub(crate) malformed: Vec<(Node, String)>,
    /// Not all was read.
    pub(crate) cut: bool,
    /// The page says that it is about one thing.
    pub(crate) one_thing: bool,
}

/// Reads the data of a page.
pub(crate) fn read(signals: &Signals<'_>) -> Embedded {
    let page = signals.page;
    let mut reader = Reader { cells: CELLS, ..Reader::default() };
    let mut scanner = Scanner::new();
    let mut streamed = None;
    for source in sources::sources(page) {
        match source.kind {
            Kind::Code => {
                let pushes = source.text.contains(".push(");
                streamed = streamed.or(pushes.then_some(source.node));
                scanner.code(source.text, &mut |name, value| reader.value(&source, name, &value));
            }
            Kind::Data | Kind::Attribute(_) => {
                let read = scanner.data(source.text, &mut |name, value| reader.value(&source, name, &value));
                if let (Err(why), Kind::Data) = (read, source.kind) {
                    reader.found.malformed.push((source.node, why));
                }
            }
        }
    }
    if let Some(node) = streamed {
        let source = Source { node, text: "", kind: Kind::Code };
        scanner.stream(&mut |name, value| reader.value(&source, name, &value));
    }
    let mut found = reader.finish();
    found.cut |= scanner.cut;
    found.one_thing = signals.declared().is_about_one_thing();
    found
}

/// Gathers lists from values.
#[derive(Default)]
struct Reader {
    found: Embedded,
    /// Cells that may still be added.
    cells: usize,
    /// Single objects by what they have in common: one script or attribute for each record.
    gathered: Vec<Objects>,
    place: FxHashMap<(String, Option<String>), usize>,
}

impl Reader {
    fn value(&mut self, source: &Source<'_>, name: &str, value: &Value) {
        let name = match source.kind {
            Kind::Attribute(name) => name,
            _ => name,
        };
        for list in lists::lists(name, value) {
            if self.found.lists.len() == LISTS || self.cells == 0 {
                self.found.cut = true;
                break;
            }
            let mut objects = Objects::new(source.node, list.path, list.kind);
            for object in list.objects {
                objects.push(object, None, &mut self.cells);
            }
            self.found.lists.push(objects);
        }
        self.gather(source, name, value);
    }

    /// Objects that stand alone in their script or attribute.
    fn gather(&mut self, source: &Source<'_>, name: &str, value: &Value) {
        let alone = match value.as_array().map(Vec::as_slice) {
            Some([one]) => one.as_object(),
            _ => value.as_object(),
        };
        let Some(object) = alone.filter(|_| source.kind != Kind::Code) else { return };
        let kind = lists::kind(object);
        if source.kind == Kind::Data && kind.is_none() {
            return;
        }
        let key = (name.to_owned(), kind.map(str::to_owned));
        let at = match self.place.get(&key) {
            Some(&at) => at,
            None if self.gathered.len() < GATHERED => {
                self.gathered.push(Objects::new(source.node, name.to_owned(), kind));
                self.place.insert(key, self.gathered.len() - 1);
                self.gathered.len() - 1
            }
            None => return,
        };
        self.gathered[at].push(object, Some(source.node), &mut self.cells);
    }

    fn finish(mut self) -> Embedded {
        self.found.lists.extend(self.gathered.into_iter().filter(|objects| objects.rows.len() > 1));
        self.found
    }
}
