//! Where lists, records and cells are on a page that a browser showed.
//!
//! In: a page with boxes and its regions. Out: marks for the picture in the report. Linear in the records and cells, of
//! which a bounded number is marked.

use copal_dom::{Boxes, Page, Rect};
use copal_model::{Picture, PictureMark, Record, Region};

/// Marks of one page.
const MAX_MARKS: usize = 5000;

/// The marks of a page; `None` if no browser showed it.
pub(crate) fn picture(page: &Page, regions: &[Region]) -> Option<Picture> {
    let boxes = page.boxes.as_ref()?;
    let mut marks = Vec::new();
    for (number, region) in regions.iter().enumerate() {
        let records: Vec<Option<Rect>> =
            region.records.iter().map(|record| record_rect(boxes, record)).collect();
        let whole = records.iter().copied().flatten().reduce(union);
        let mut add = |record, column, rect: Option<Rect>| {
            if let Some(rect) = rect.filter(|rect| marks.len() < MAX_MARKS && is_visible(rect)) {
                marks.push(PictureMark { region: number, record, column, rect });
            }
        };
        add(None, None, whole);
        for (at, (record, rect)) in region.records.iter().zip(records).enumerate() {
            add(Some(at), None, rect);
            for (column, cell) in record.cells.iter().enumerate() {
                let sources = cell.texts.iter().filter_map(|text| text.source.as_ref());
                let rects = sources
                    .filter(|source| source.attribute.is_none())
                    .filter_map(|source| boxes.rect(source.node));
                add(Some(at), Some(column), rects.reduce(union));
            }
        }
    }
    Some(Picture { png: None, marks })
}

fn record_rect(boxes: &Boxes, record: &Record) -> Option<Rect> {
    let tops = record.place.tops.iter().filter_map(|&node| boxes.rect(node)).reduce(union);
    // elements with `display: contents` have no box of their own
    tops.or_else(|| {
        let nodes = record.place.parts.iter().flat_map(Clone::clone);
        nodes.filter_map(|node| boxes.rect(node)).reduce(union)
    })
}

/// The smallest rectangle around both.
fn union(one: Rect, other: Rect) -> Rect {
    let (x, y) = (one.x.min(other.x), one.y.min(other.y));
    let right = (one.x + one.width).max(other.x + other.width);
    let bottom = (one.y + one.height).max(other.y + other.height);
    Rect { x, y, width: right - x, height: bottom - y }
}

fn is_visible(rect: &Rect) -> bool {
    let numbers = [rect.x, rect.y, rect.width, rect.height];
    numbers.iter().all(|number| number.is_finite()) && rect.width >= 1.0 && rect.height >= 1.0
}
