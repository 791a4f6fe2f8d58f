//! New elements around the list, its records or their fields.

use super::super::editable::EditablePage;
use super::{class_name, container, field, is_bound, is_open};
use crate::random::SplitMix64;

/// A new `div` around the list, around or inside each record, or around one field of each.
pub(super) fn wrap(page: &mut EditablePage, random: &mut SplitMix64) -> bool {
    let class = if random.percent(50) { class_name(random) } else { String::new() };
    match random.below(3) {
        0 => {
            let Some(list) = container(page) else { return false };
            let outer = page.create("div", &class);
            page.wrap(list, list, outer);
            true
        }
        1 => wrap_records(page, random, &class),
        _ => {
            let Some(fields) =
                field(page, random, |page, at| !is_bound(page.tag(at)) && page.tag(at) != "br")
            else {
                return false;
            };
            for at in fields {
                let tag = if page.in_paragraph(page.items[at].parent) { "span" } else { "div" };
                let outer = page.create(tag, &class);
                page.wrap(at, at, outer);
            }
            true
        }
    }
}

fn wrap_records(page: &mut EditablePage, random: &mut SplitMix64, class: &str) -> bool {
    let around = random.percent(50);
    let free = |page: &EditablePage, top: &usize| {
        is_open(page.tag(page.items[*top].parent)) && !is_bound(page.tag(*top))
    };
    let beside = |page: &EditablePage, tops: &[usize]| {
        tops.iter().all(|&top| page.items[top].parent == page.items[tops[0]].parent)
    };
    if around && page.records.iter().all(|tops| tops.iter().all(|top| free(page, top)) && beside(page, tops))
    {
        for number in 0..page.records.len() {
            let (Some(&first), Some(&last)) = (page.records[number].first(), page.records[number].last())
            else {
                continue;
            };
            let outer = page.create("div", class);
            page.wrap(first, last, outer);
            page.records[number] = vec![outer];
        }
        return true;
    }
    let tops: Vec<usize> = page.records.iter().filter_map(|tops| tops.first().copied()).collect();
    let holds = |tag: &str| is_open(tag) || matches!(tag, "a" | "dd" | "dt" | "th");
    if !tops.iter().all(|&top| holds(page.tag(top)) && !page.in_paragraph(top)) {
        return false;
    }
    for top in tops {
        let inner = page.create("div", class);
        page.wrap_inside(top, inner);
    }
    true
}
