//! Changes of order and position: fields, columns, the list itself, records in rows.

use super::super::editable::EditablePage;
use super::{class_name, container, field, is_bound, is_open};
use crate::random::SplitMix64;

/// Fields of the records in another order.
pub(super) fn reorder(page: &mut EditablePage, random: &mut SplitMix64) -> bool {
    let mut tops: Vec<usize> = page.records.iter().flatten().copied().collect();
    if tops.iter().any(|&top| page.tag(top) == "tr") {
        return reorder_cells(page, random, &tops);
    }
    if random.percent(50) {
        let several = |page: &EditablePage, at: usize| page.elements(at).len() > 1;
        let Some(inner) = field(page, random, several) else { return false };
        tops = inner;
    }
    let salt = random.next();
    let rank = |signature: &str| {
        let bytes =
            signature.bytes().fold(salt, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        SplitMix64(bytes).next()
    };
    let mut changed = false;
    for at in tops {
        if matches!(page.tag(at), "dl" | "table" | "tbody" | "thead" | "select") || page.is_foreign(at) {
            continue;
        }
        let elements = page.elements(at);
        let mut sorted = elements.clone();
        sorted.sort_by_key(|&child| rank(&page.signature(child)));
        changed |= sorted != elements;
        let mut next = sorted.into_iter();
        for position in 0..page.items[at].children.len() {
            if elements.contains(&page.items[at].children[position])
                && let Some(child) = next.next()
            {
                page.items[at].children[position] = child;
            }
        }
    }
    changed
}

/// Columns of a table in another order. Rows with cells that span several columns or rows stay as they are.
fn reorder_cells(page: &mut EditablePage, random: &mut SplitMix64, tops: &[usize]) -> bool {
    let Some(table) = page.up(tops[0]).into_iter().find(|&up| page.tag(up) == "table") else { return false };
    let rows: Vec<usize> = page.below(table).into_iter().filter(|&row| page.tag(row) == "tr").collect();
    let width = page.elements(tops[0]).len();
    let spans = |page: &EditablePage, row: usize| {
        page.elements(row).iter().any(|&cell| {
            page.attribute(cell, "rowspan").is_some_and(|span| span != "1")
                || page.attribute(cell, "colspan").is_some_and(|span| span != "1")
        })
    };
    let plain = |&row: &usize| page.elements(row).len() == width && !spans(page, row);
    if width < 2 || !tops.iter().all(|&top| plain(&top)) {
        return false;
    }
    let turn = 1 + random.below(width - 1);
    for row in rows.into_iter().filter(plain).collect::<Vec<_>>() {
        let mut cells = page.elements(row);
        cells.rotate_left(turn);
        page.items[row].children = cells;
    }
    true
}

/// The list moves out of its parent, into a block next to it, or to the other side of that block.
pub(super) fn move_list(page: &mut EditablePage, random: &mut SplitMix64) -> bool {
    let Some(list) = container(page) else { return false };
    let parent = page.items[list].parent;
    let beside: Vec<usize> = page.elements(parent).into_iter().filter(|&at| at != list).collect();
    match random.below(3) {
        0 if !is_bound(page.tag(parent)) && is_open(page.tag(page.items[parent].parent)) => {
            page.remove(list);
            let (above, position) = (page.items[parent].parent, page.position(parent));
            page.insert(above, position + 1, list);
            true
        }
        1 => {
            let blocks: Vec<usize> =
                beside.into_iter().filter(|&at| matches!(page.tag(at), "div" | "section")).collect();
            let Some(&block) = random.choose(&blocks) else { return false };
            page.remove(list);
            page.append(block, list);
            true
        }
        _ => {
            let Some(&other) = random.choose(&beside) else { return false };
            let is_after = page.position(other) > page.position(list);
            page.remove(list);
            let position = page.position(other) + usize::from(is_after);
            page.insert(parent, position, list);
            true
        }
    }
}

/// Several records per row; items of a list become blocks.
pub(super) fn to_grid(page: &mut EditablePage, random: &mut SplitMix64) -> bool {
    let tops: Vec<usize> = page.records.iter().flatten().copied().collect();
    let parent = page.items[tops[0]].parent;
    let able = |&top: &usize| {
        page.items[top].parent == parent && (page.tag(top) == "li" || !is_bound(page.tag(top)))
    };
    if !tops.iter().all(able) || !(is_open(page.tag(parent)) || matches!(page.tag(parent), "ul" | "ol")) {
        return false;
    }
    let (width, class) = (2 + random.below(3), class_name(random));
    if matches!(page.tag(parent), "ul" | "ol") {
        for item in
            page.elements(parent).into_iter().filter(|&item| page.tag(item) == "li").collect::<Vec<_>>()
        {
            page.set_tag(item, "div");
        }
        page.set_tag(parent, "div");
    }
    let rows: Vec<(usize, usize)> = page
        .records
        .chunks(width)
        .filter_map(|row| Some((*row.first()?.first()?, *row.last()?.last()?)))
        .collect();
    for (first, last) in rows {
        let row = page.create("div", &class);
        page.wrap(first, last, row);
    }
    true
}
