//! Builds answers from records and cells that a wrapper has located.
//!
//! In: a page, the places of its records, the columns, and the cells as [`GivenText`]s. Out: an [`Answer`]
//! like any other, with places, texts, sources, absolute URLs and typed values. This module also has the
//! functions that read the text of a cell from nodes, so that wrappers and extraction read the same text, and
//! [`LinePositions`], which compares the places of texts. O(nodes of the records + text).

use crate::lists::candidate::ListCandidate;
use crate::objects::{Field, FieldSource, Object, PageKind};
use crate::paging;
use crate::structure::line_text::{LineIndex, attribute_source, line_text};
use crate::structure::{element_urls, layout};
use crate::table::build_region::{self as build, PageContext};
use crate::table::column_values::{TypedTexts, read_columns};
use crate::table::{record_values::text_value, region_xpaths};
use copal_dom::url::BaseUrl;
use copal_dom::xpath::XPaths;
use copal_dom::{AttrName, Node, Page};
use copal_model::*;
use copal_values::ValueType;
use copal_values::columns::date_order::DateOrderDecision;
use copal_values::columns::reader::ColumnReader;
use copal_values::notation::{DateOrder, Notation};
use std::cell::OnceCell;
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
    /// The order of its dates in digits, for pages whose own dates leave it open.
    pub date_order: Option<DateOrder>,
}

/// A text that a locator found. It only remembers the nodes that it was read from. A [`Source`] is computed
/// if it becomes a cell, because most texts that locators find are compared and dropped.
#[derive(Debug, Clone)]
pub struct GivenText {
    text: String,
    place: Option<TextPlace>,
}

/// Where a given text was read.
#[derive(Debug, Clone)]
enum TextPlace {
    /// At this byte of the line text of sibling nodes.
    Nodes { nodes: Range<Node>, start: u32 },
    /// In an HTML attribute.
    Attribute(Source),
}

impl From<String> for GivenText {
    fn from(text: String) -> GivenText {
        GivenText { text, place: None }
    }
}

impl GivenText {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text alone.
    pub fn into_string(self) -> String {
        self.text
    }

    /// A text that a caller attributes to an element. It has a source only if it is the line text of that
    /// element.
    pub fn of_element(page: &Page, node: Node, text: String) -> GivenText {
        let nodes = node..page.tree.end(node);
        let is_line_text = line_text(page, nodes.clone()) == text;
        GivenText { place: is_line_text.then_some(TextPlace::Nodes { nodes, start: 0 }), text }
    }

    fn of_attribute(page: &Page, node: Node, (name, part): (AttrName, &str)) -> GivenText {
        let value = page.tree.attr(node, name).unwrap_or_default();
        let source = attribute_source(node, name, value, part);
        GivenText { text: part.to_owned(), place: Some(TextPlace::Attribute(source)) }
    }

    /// A part of the text, in bytes; `None` if the range is outside the text or cuts a character.
    pub fn part(mut self, bytes: Range<usize>) -> Option<GivenText> {
        let text = self.text.get(bytes.clone())?;
        if text.len() < self.text.len() {
            self.text = text.to_owned();
            match &mut self.place {
                Some(TextPlace::Nodes { start, .. }) => *start += bytes.start as u32,
                Some(TextPlace::Attribute(Source { span, .. })) => {
                    *span = span.start + bytes.start as u32..span.start + bytes.end as u32;
                }
                None => {}
            }
        }
        Some(self)
    }
}

/// Positions of the texts of one page, to make sources and to compare these.
#[derive(Debug)]
pub struct LinePositions<'a> {
    page: &'a Page,
    // most wrappers read only whole elements, whose sources do not need it
    lines: OnceCell<LineIndex>,
}

impl<'a> LinePositions<'a> {
    /// The positions for a page. Its texts are read when a position is first needed.
    pub fn new(page: &'a Page) -> LinePositions<'a> {
        LinePositions { page, lines: OnceCell::new() }
    }

    fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(self.page))
    }

    /// Where a given text was read; `None` if that is unknown.
    pub fn source(&self, text: &GivenText) -> Option<Source> {
        let tree = &self.page.tree;
        match text.place.as_ref()? {
            TextPlace::Attribute(source) => Some(source.clone()),
            TextPlace::Nodes { nodes, start }
                if !tree.is_text(nodes.start) && tree.end(nodes.start) == nodes.end =>
            {
                let span = *start..*start + text.text.len() as u32;
                Some(Source { node: nodes.start, span, attribute: None })
            }
            TextPlace::Nodes { nodes, start } => {
                Some(self.lines().source(self.page, nodes, *start as usize, &text.text))
            }
        }
    }

    /// The bytes of the line text of the whole page that a source covers. Sources that name different
    /// elements around one text cover the same bytes. None for HTML attributes.
    pub fn span_on_page(&self, source: &Source) -> Option<Range<u32>> {
        let start = source.attribute.is_none().then(|| self.lines().offset(0, source.node))?;
        Some(start + source.span.start..start + source.span.end)
    }

    /// The range from the first to after the last text node that a source covers; `None` for HTML attributes.
    pub fn nodes(&self, source: &Source) -> Option<Range<Node>> {
        self.lines().nodes(source)
    }
}

/// A list as it is given: one row per record, one entry per column.
#[derive(Debug, Clone)]
pub struct GivenList {
    /// The element that holds all records.
    pub root: Node,
    /// The records.
    pub records: Vec<Parts>,
    /// The columns.
    pub columns: Vec<GivenColumn>,
    /// The cells: by record, by column.
    pub rows: Vec<Vec<Vec<GivenText>>>,
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

/// The answer for a page whose object is given: its fields, each with its texts; those without any are left
/// out.
pub fn object(page: &Page, fields: Vec<(GivenColumn, Vec<GivenText>)>) -> Answer {
    let base = BaseUrl::of(page);
    let mut reader = ColumnReader::default();
    let mut detail = Object { kind: PageKind::Object, kind_confidence: 1.0, ..Object::default() };
    let positions = LinePositions::new(page);
    let xpaths = XPaths::new(&page.tree);
    for (column, texts) in fields.into_iter().filter(|(_, texts)| !texts.is_empty()) {
        let place = texts.first().and_then(|text| positions.source(text));
        let xpath = place.and_then(|source| xpaths.bounded(source.node));
        let mut texts: Vec<String> = texts.into_iter().map(GivenText::into_string).collect();
        let source = if column.source == CellSource::Text { FieldSource::Text } else { FieldSource::Role };
        if column.source != CellSource::Text {
            for text in &mut texts {
                *text = base.resolve(text);
            }
        }
        let kind = column.kind.filter(|_| column.source == CellSource::Text);
        let texts_read =
            TypedTexts { value_type: kind, texts: vec![&texts[0]], learned_order: column.date_order };
        let value = read_columns(page, &[texts_read], &mut reader).remove(0).values.pop().flatten();
        detail.fields.push(Field { name: column.name, texts, value, source, confidence: 1.0, xpath });
    }
    let mut answer = Answer { warnings: page.warnings.clone(), ..Answer::default() };
    answer.kind = PageKind::Object;
    answer.object = Some(detail);
    answer.page = paging::page_info(page, None);
    answer
}

/// A list whose records are known but not its columns. The columns are built as for any other list.
pub fn aligned(page: &Page, records: Vec<Parts>) -> Region {
    let root = layout::common_root(&page.tree, &records);
    let found = ListCandidate { root, records, score: 0.0, attributes: Vec::new() };
    let mut region = build::build_region(&PageContext::new(page), &found, Method::Wrapper, Role::Primary);
    region_xpaths::add_xpaths(page, std::slice::from_mut(&mut region));
    region
}

fn region(page: &Page, list: GivenList) -> Region {
    let GivenList { root, records, columns, rows } = list;
    let base = BaseUrl::of(page);
    let positions = LinePositions::new(page);
    let count = records.len();
    let supports: Vec<f64> = (0..columns.len())
        .map(|c| rows.iter().filter(|row| !row[c].is_empty()).count() as f64 / count as f64)
        .collect();
    let layout = layout::layout(page, &records);
    let mut rows: Vec<Vec<Cell>> =
        rows.into_iter().map(|row| row.into_iter().map(|texts| cell(&positions, texts)).collect()).collect();
    for c in (0..columns.len()).filter(|&c| columns[c].source != CellSource::Text) {
        for text in rows.iter_mut().flat_map(|row| row[c].texts_mut()) {
            *text = base.resolve(text);
        }
    }
    let orders = set_values(page, &columns, &mut rows);
    let records = records
        .into_iter()
        .zip(rows)
        .map(|(parts, cells)| build::build_record(page, &parts, cells))
        .collect();
    let columns =
        columns.into_iter().zip(supports).zip(orders).map(|((column, support), date_order)| Column {
            value_type: column.kind.map(ValueType::name),
            date_order,
            support,
            ..Column::new(column.name, NamedBy::Wrapper, column.source)
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
        sections: Vec::new(),
    };
    region_xpaths::add_xpaths(page, std::slice::from_mut(&mut region));
    region
}

/// Sets the typed values of the cells; returns the order of the dates of each column.
fn set_values(
    page: &Page,
    columns: &[GivenColumn],
    rows: &mut [Vec<Cell>],
) -> Vec<Option<DateOrderDecision>> {
    // a list of texts has no single value
    let single = |cell: &'_ Cell| cell.len() == 1;
    let texts: Vec<TypedTexts<'_>> = columns
        .iter()
        .enumerate()
        .map(|(c, column)| {
            let value_type = column.kind.filter(|_| column.source == CellSource::Text);
            let cells = rows.iter().map(|row| &row[c]).filter(|cell| value_type.is_some() && single(cell));
            let texts = cells.filter_map(Cell::first).collect();
            TypedTexts { value_type, texts, learned_order: column.date_order }
        })
        .collect();
    let read = read_columns(page, &texts, &mut ColumnReader::default());
    let mut orders = Vec::with_capacity(columns.len());
    for (c, column) in read.into_iter().enumerate() {
        let cells = rows.iter_mut().map(|row| &mut row[c]).filter(|cell| single(cell));
        for (cell, value) in cells.zip(column.values) {
            cell.value = value;
        }
        orders.push(column.date_order);
    }
    orders
}

fn cell(positions: &LinePositions<'_>, texts: Vec<GivenText>) -> Cell {
    let with_source = |text: GivenText| CellText { source: positions.source(&text), text: text.text };
    Cell { texts: texts.into_iter().map(with_source).collect(), ..Cell::default() }
}

/// The text of sibling nodes as a cell has it, without separators at its ends; `None` if nothing is left.
pub fn cell_text(page: &Page, nodes: Range<Node>) -> Option<GivenText> {
    let value = text_value(line_text(page, nodes.clone()))?;
    let place = TextPlace::Nodes { nodes, start: value.start as u32 };
    Some(GivenText { text: value.text, place: Some(place) })
}

/// A link's target as a cell has it, before it is made absolute.
pub fn cell_link(page: &Page, node: Node) -> Option<GivenText> {
    element_urls::link_value(page, node).map(|value| GivenText::of_attribute(page, node, value))
}

/// An image's URL as a cell has it, before it is made absolute.
pub fn cell_image(page: &Page, node: Node) -> Option<GivenText> {
    element_urls::image_value(page, node).map(|value| GivenText::of_attribute(page, node, value))
}

/// A link's target as the page writes it.
pub fn link_target(page: &Page, node: Node) -> Option<&str> {
    element_urls::link(page, node)
}

/// The type that the values of one field have on most pages; lists of values have none.
pub fn kind_of<'a>(values: impl Iterator<Item = &'a [String]>) -> Option<ValueType> {
    let mut texts: Vec<&str> = Vec::new();
    for value in values {
        let [text] = value else { return None };
        texts.push(text);
    }
    ColumnReader::default().column_type(&texts)
}

/// Whether a text is a value of a type and hardly anything else.
pub fn is_of_kind(kind: ValueType, text: &str) -> bool {
    ColumnReader::default().is_value(kind, text)
}

/// Whether a text can be a cell of a column of this type: it has one such value, maybe among other words.
pub fn fits_column_kind(kind: ValueType, text: &str) -> bool {
    ColumnReader::default().value(kind, text, Notation::default()).is_some()
}

/// The visible elements a part of a record is made of.
pub fn tops(page: &Page, part: &Range<Node>) -> Vec<Node> {
    layout::tops(page, part)
}

/// Makes the URLs of a page absolute.
#[derive(Debug)]
pub struct Addresses(BaseUrl);

impl Addresses {
    /// Of a page.
    pub fn of(page: &Page) -> Addresses {
        Addresses(BaseUrl::of(page))
    }

    /// The absolute URL, or the text itself if it cannot be resolved.
    pub fn resolve(&self, text: &str) -> String {
        self.0.resolve(text)
    }
}

/// The lowest element that holds all records.
pub fn root_of(page: &Page, records: &[Parts]) -> Node {
    layout::common_root(&page.tree, records)
}
