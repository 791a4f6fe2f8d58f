//! Lists whose records and cells are known already: what a wrapper found.
//!
//! In: a page, the records' places, the columns and the cells as texts. Out: an [`Answer`] like any other, with places,
//! texts, absolute addresses and typed values. Also how a cell's text is read from nodes, so that a wrapper reads as
//! the columns do. O(nodes of the records + text).

use crate::lists::candidate::ListCandidate;
use crate::objects::{Field, FieldSource, Object, PageKind};
use crate::paging;
use crate::structure::line_text::line_text;
use crate::structure::{element_urls, layout};
use crate::table::build_region::{self as build, PageContext};
use crate::table::{record_values::text_value, region_xpaths, value_types::ColumnTyper};
use copal_dom::url::BaseUrl;
use copal_dom::{Node, Page};
use copal_model::*;
use copal_values::ValueType;
use std::ops::Range;

/// A column as it is given.
#[derive(Debug, Clone)]
pub struct GivenColumn {
    /// Its name.
    pub name: String,
    /// What its cells were read from.
    pub source: CellSource,
    /// The type of its values.
    pub kind: Option<ValueType>,
}

/// A list as it is given: one row a record, one entry a column.
#[derive(Debug, Clone)]
pub struct GivenList {
    /// The element that holds all records.
    pub root: Node,
    /// The records.
    pub records: Vec<Parts>,
    /// The columns.
    pub columns: Vec<GivenColumn>,
    /// The cells: by record, by column.
    pub rows: Vec<Vec<Vec<String>>>,
}

/// The answer for a page whose list is given; without records it has no regions.
pub fn extraction(page: &Page, list: GivenList) -> Answer {
    let mut answer = Answer { warnings: page.warnings.clone(), ..Answer::default() };
    if !list.records.is_empty() {
        answer.kind = PageKind::List;
        answer.regions.push(region(page, list));
    }
    answer.page = paging::page_info(page, answer.primary());
    answer
}

/// A list that is given, as a region.
pub fn list(page: &Page, list: GivenList) -> Region {
    region(page, list)
}

/// The answer for a page whose object is given: its fields, each with its texts; those without any are left out.
pub fn object(page: &Page, fields: Vec<(GivenColumn, Vec<String>)>) -> Answer {
    let base = BaseUrl::of(page);
    let mut typer = ColumnTyper::default();
    let mut detail = Object { kind: PageKind::Object, kind_confidence: 1.0, ..Object::default() };
    for (column, mut texts) in fields.into_iter().filter(|(_, texts)| !texts.is_empty()) {
        let source = if column.source == CellSource::Text { FieldSource::Text } else { FieldSource::Role };
        if column.source != CellSource::Text {
            for text in &mut texts {
                *text = base.resolve(text);
            }
        }
        let kind = column.kind.filter(|_| column.source == CellSource::Text);
        let value = kind.and_then(|kind| typer.value_of(kind, &texts[0]));
        detail.fields.push(Field { name: column.name, texts, value, source, confidence: 1.0, xpath: None });
    }
    let mut answer = Answer { warnings: page.warnings.clone(), ..Answer::default() };
    answer.kind = PageKind::Object;
    answer.object = Some(detail);
    answer.page = paging::page_info(page, None);
    answer
}

/// A list whose records are known but not its columns: these are made as for any list that is found.
pub fn aligned(page: &Page, records: Vec<Parts>) -> Region {
    let root = layout::common_root(&page.tree, &records);
    let found = ListCandidate { root, records, score: 0.0, attributes: Vec::new() };
    let mut region = build::build_region(&PageContext::new(page), &found, Method::Wrapper, Role::Primary);
    region_xpaths::add_xpaths(page, std::slice::from_mut(&mut region));
    region
}

fn region(page: &Page, list: GivenList) -> Region {
    let GivenList { root, records, columns, mut rows } = list;
    let base = BaseUrl::of(page);
    let mut typer = ColumnTyper::default();
    let count = records.len();
    let supports: Vec<f64> = (0..columns.len())
        .map(|c| rows.iter().filter(|row| !row[c].is_empty()).count() as f64 / count as f64)
        .collect();
    let layout = layout::layout(page, &records);
    let records = records
        .into_iter()
        .zip(&mut rows)
        .map(|(parts, row)| {
            let mut cells: Vec<Cell> = std::mem::take(row).into_iter().map(Cell::found).collect();
            for (column, cell) in columns.iter().zip(&mut cells) {
                if column.source == CellSource::Text {
                    // a list of texts has no single value
                    let kind = column.kind.filter(|_| cell.len() == 1);
                    cell.value = kind.zip(cell.first()).and_then(|(kind, text)| typer.value_of(kind, text));
                } else {
                    for text in cell.texts_mut() {
                        *text = base.resolve(text);
                    }
                }
            }
            build::build_record(page, &parts, cells)
        })
        .collect();
    let columns = columns.into_iter().zip(supports).map(|(column, support)| Column {
        name: column.name,
        named_by: NamedBy::Wrapper,
        source: column.source,
        value_type: column.kind.map(ValueType::name),
        support,
        confidence: None,
    });
    let mut region = Region {
        role: Role::Primary,
        layout,
        method: Method::Wrapper,
        origin: Origin::Page,
        score: 0.0,
        confidence: None,
        place: RegionPlace::element(root),
        columns: columns.collect(),
        records,
    };
    region_xpaths::add_xpaths(page, std::slice::from_mut(&mut region));
    region
}

/// The text of sibling nodes as a cell has it: without separators at its ends; none if it says nothing.
pub fn cell_text(page: &Page, nodes: Range<Node>) -> Option<String> {
    text_value(line_text(page, nodes)).map(|value| value.text)
}

/// A link's target as a cell has it, before it is made absolute.
pub fn cell_link(page: &Page, node: Node) -> Option<&str> {
    element_urls::link(page, node)
}

/// An image's address as a cell has it, before it is made absolute.
pub fn cell_image(page: &Page, node: Node) -> Option<&str> {
    element_urls::image_address(page, node)
}

/// The type that the values of one field have on most pages; lists of values have none.
pub fn kind_of<'a>(values: impl Iterator<Item = &'a [String]>) -> Option<ValueType> {
    let mut texts: Vec<&str> = Vec::new();
    for value in values {
        let [text] = value else { return None };
        texts.push(text);
    }
    ColumnTyper::default().type_of_texts(&texts)
}

/// Whether a text is a value of a type.
pub fn is_of_kind(kind: ValueType, text: &str) -> bool {
    ColumnTyper::default().value_of(kind, text).is_some()
}

/// The visible elements a part of a record is made of.
pub fn tops(page: &Page, part: &Range<Node>) -> Vec<Node> {
    layout::tops(page, part)
}

/// What relative addresses of a page mean.
#[derive(Debug)]
pub struct Addresses(BaseUrl);

impl Addresses {
    /// Of a page.
    pub fn of(page: &Page) -> Addresses {
        Addresses(BaseUrl::of(page))
    }

    /// The absolute address; the text itself if there is none.
    pub fn resolve(&self, text: &str) -> String {
        self.0.resolve(text)
    }
}

/// The lowest element that holds all records.
pub fn root_of(page: &Page, records: &[Parts]) -> Node {
    layout::common_root(&page.tree, records)
}
