//! Which columns of a record are read from an element.
//!
//! In: a record with its cells, and elements of it. Out: the columns whose cell says what the element says. Alignment
//! keeps no nodes of cells, so they are found by their texts and addresses; attributes of a domain, which are parts of
//! texts, by the readings of the explanation. O(text of the element + columns).

use crate::table::image_address;
use copal_dom::url::BaseUrl;
use copal_dom::xpath::XPaths;
use copal_dom::{Node, Page, attrs, tags};
use copal_model::{CellSource, NamedBy, Record, Region};
use copal_model::{Explanation, RecognisedText};
use rustc_hash::FxHashMap;

/// Longer texts are not compared.
const LONGEST: u32 = 4000;

/// What is the same for all records of a page.
pub(super) struct Places<'a> {
    base: BaseUrl,
    xpaths: XPaths<'a>,
    /// Typed texts by the place of their element.
    readings: FxHashMap<&'a str, Vec<&'a RecognisedText>>,
}

impl<'a> Places<'a> {
    pub(super) fn new(page: &'a Page, explanation: Option<&'a Explanation>) -> Places<'a> {
        let mut readings: FxHashMap<&str, Vec<&RecognisedText>> = FxHashMap::default();
        for reading in explanation.iter().flat_map(|explanation| &explanation.readings) {
            if !reading.label {
                readings.entry(&reading.xpath).or_default().push(reading);
            }
        }
        Places { base: BaseUrl::of(page), xpaths: XPaths::new(&page.tree), readings }
    }
}

/// A record and its region.
pub(super) struct Cells<'a> {
    pub(super) region: &'a Region,
    pub(super) record: &'a Record,
}

impl Cells<'_> {
    /// The columns that are read from the elements `outer` to `inner`, each the only one in the one before.
    pub(super) fn read_from(
        &self,
        page: &Page,
        places: &Places<'_>,
        outer: Node,
        inner: Node,
        is_leaf: bool,
    ) -> Vec<usize> {
        let tree = &page.tree;
        let mut columns = Vec::new();
        let chain = tree.ancestors(inner).take_while(|&up| up >= outer);
        for node in std::iter::once(inner).chain(chain) {
            let address = match tree.tag(node) {
                tags::A => tree.attr(node, attrs::HREF).map(|href| (CellSource::Href, href.trim())),
                tags::IMG => image_address(page, node).map(|src| (CellSource::Src, src)),
                _ => None,
            };
            if let Some((source, address)) = address {
                self.with(source, &places.base.resolve(address), &mut columns);
            }
        }
        let range = inner..tree.end(inner);
        let chars = page.index.chars(&range);
        // the innermost element that has the whole text is the cell's
        let held = |child: Node| page.index.chars(&(child..tree.end(child))) == chars;
        if chars > 0 && chars <= LONGEST && (is_leaf || !tree.elements(inner).any(held)) {
            let text = page.visible_text(range);
            self.with(CellSource::Text, &text, &mut columns);
            if is_leaf {
                self.typed(places, inner, &text, &mut columns);
            }
        }
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// Columns of a source with a cell that is this text.
    fn with(&self, source: CellSource, text: &str, columns: &mut Vec<usize>) {
        for (c, (column, values)) in self.region.columns.iter().zip(&self.record.cells).enumerate() {
            if column.source == source && values.iter().any(|value| value == text) {
                columns.push(c);
            }
        }
    }

    /// Attributes of a domain whose text was recognised in this element.
    fn typed(&self, places: &Places<'_>, node: Node, text: &str, columns: &mut Vec<usize>) {
        if !self.region.columns.iter().any(|column| column.named_by == NamedBy::Domain) {
            return;
        }
        let Some(readings) = places.readings.get(places.xpaths.of(node).as_str()) else { return };
        for reading in readings.iter().filter(|reading| text.contains(&reading.text)) {
            let of_column = |&c: &usize| {
                self.region.columns[c].name == reading.kind && self.record.cells[c].contains(&reading.text)
            };
            columns.extend((0..self.record.cells.len()).find(of_column));
        }
    }
}
