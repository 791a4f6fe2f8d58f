//! Changes that insert something: adverts before the list or between its records, and badges inside records.
//!
//! In and out: as in [`super`]. O(nodes + records x siblings).

use super::super::editable::EditablePage;
use super::{class_name, container, is_bound, is_open};
use crate::random::SplitMix64;

const ADVERTS: [&str; 6] = [
    "Advertisement: free delivery on all orders this week",
    "Sponsored. Compare insurance quotes in two minutes",
    "Subscribe to our newsletter and save ten per cent",
    "Download the app for the best experience",
    "Win a weekend for two: take part now",
    "Special offer for members only, see details",
];
const BADGES: [&str; 5] = ["New", "Save", "Share", "Top", "Compare"];

/// Inserts an unrelated block before the list, or before an element that contains the list.
pub(super) fn insert_before(page: &mut EditablePage, random: &mut SplitMix64) -> bool {
    let Some(list) = container(page) else { return false };
    let around: Vec<usize> = page
        .up(list)
        .into_iter()
        .filter(|&up| !is_bound(page.tag(up)) && is_open(page.tag(page.items[up].parent)))
        .collect();
    let Some(&at) = random.choose(&around[..around.len().min(3)]) else { return false };
    let block = advert(page, random, "div");
    let (parent, position) = (page.items[at].parent, page.position(at));
    page.insert(parent, position, block);
    true
}

fn advert(page: &mut EditablePage, random: &mut SplitMix64, tag: &str) -> usize {
    let block = page.create(tag, ["promo", "ad-slot", "banner", ""][random.below(4)]);
    let link = page.create("a", "");
    page.set_attribute(link, "href", "/offers/today");
    let text = page.create_text(ADVERTS[random.below(ADVERTS.len())]);
    page.append(link, text);
    let mut holder = block;
    if tag == "tr" {
        holder = page.create("td", "");
        page.set_attribute(holder, "colspan", "20");
        page.append(block, holder);
    }
    page.append(holder, link);
    block
}

/// Inserts adverts between the records. They have the records' tag if that is `li`, `tr`, `article` or
/// `section`, and are `div` otherwise.
pub(super) fn insert_between(page: &mut EditablePage, random: &mut SplitMix64) -> bool {
    let every = 3 + random.below(4);
    let ends: Vec<usize> =
        page.records.iter().skip(every - 1).step_by(every).filter_map(|tops| tops.last().copied()).collect();
    let able = |&end: &usize| {
        let tag = page.tag(end);
        matches!(tag, "li" | "tr") || (!is_bound(tag) && is_open(page.tag(page.items[end].parent)))
    };
    if ends.is_empty() || !ends.iter().all(able) {
        return false;
    }
    // The number of adverts depends on the number of records. They are drawn from a copy, and the generator
    // itself advances by one number only, so that the changes after this one do not depend on the number of
    // records.
    let mut own = random.clone();
    for end in ends {
        let tag = if matches!(page.tag(end), "li" | "tr" | "article" | "section") {
            page.tag(end).to_owned()
        } else {
            "div".into()
        };
        let block = advert(page, &mut own, &tag);
        let (parent, position) = (page.items[end].parent, page.position(end));
        page.insert(parent, position + 1, block);
    }
    random.next();
    true
}

/// Adds a small text to each record; in a table, a cell to each row.
pub(super) fn insert_inside(page: &mut EditablePage, random: &mut SplitMix64) -> bool {
    let (text, first) = (BADGES[random.below(BADGES.len())], random.percent(50));
    let class = if random.percent(70) { class_name(random) } else { String::new() };
    let tops: Vec<usize> = page.records.iter().filter_map(|tops| tops.first().copied()).collect();
    if tops
        .iter()
        .any(|&top| matches!(page.tag(top), "tbody" | "table" | "thead" | "ul" | "ol" | "dl" | "img"))
    {
        return false;
    }
    let mut places = tops.clone();
    if page.tag(tops[0]) == "tr" {
        let Some(table) = page.up(tops[0]).into_iter().find(|&up| page.tag(up) == "table") else {
            return false;
        };
        places = page.below(table).into_iter().filter(|&row| page.tag(row) == "tr").collect();
    }
    for at in places {
        let is_row = page.tag(at) == "tr";
        let badge = page.create(if is_row { "td" } else { "span" }, &class);
        if !is_row || tops.contains(&at) {
            let text = page.create_text(text);
            page.append(badge, text);
        }
        page.insert(at, if first { 0 } else { usize::MAX }, badge);
    }
    true
}
