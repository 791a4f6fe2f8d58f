//! Changes as sites make them, each over the whole page as a change of its template is.
//!
//! In: a page with known records, a source of chance. Out: whether the change was possible; the page has it then. No text of a record
//! is changed or left out, so what was right of the records stays right. Operators, words and chances are fixed: they were
//! written before any wrapper was learned for them.

use crate::dom::{Dom, What};
use std::collections::{BTreeMap, BTreeSet};

/// Splitmix64: the same changes on every machine.
#[derive(Clone)]
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    /// True this many times of a hundred.
    fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }

    /// A name of a class as people choose it.
    fn word(&mut self) -> String {
        let (a, b) = (self.below(FIRST.len()), self.below(SECOND.len()));
        format!("{}-{}", FIRST[a], SECOND[b])
    }

    /// A name of a class as build tools make it.
    fn hash(&mut self) -> String {
        const SIGNS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
        let tail: String = (0..7).map(|_| SIGNS[self.below(SIGNS.len())] as char).collect();
        format!("{}-{tail}{}", ["css", "sc", "jss", "m"][self.below(4)], self.below(10))
    }
}

const FIRST: [&str; 12] =
    ["main", "list", "page", "card", "view", "item", "block", "site", "content", "media", "teaser", "grid"];
const SECOND: [&str; 12] =
    ["wrap", "inner", "body", "box", "panel", "head", "row", "cell", "group", "holder", "entry", "part"];
const ADVERTS: [&str; 6] = [
    "Advertisement: free delivery on all orders this week",
    "Sponsored. Compare insurance quotes in two minutes",
    "Subscribe to our newsletter and save ten per cent",
    "Download the app for the best experience",
    "Win a weekend for two: take part now",
    "Special offer for members only, see details",
];
const BADGES: [&str; 5] = ["New", "Save", "Share", "Top", "Compare"];

type Operator = fn(&mut Dom, &mut Chance) -> bool;

/// All changes, by name.
pub(crate) const OPERATORS: [(&str, Operator); 11] = [
    ("rename", rename),
    ("hash", hash),
    ("wrap", wrap),
    ("before", insert_before),
    ("between", insert_between),
    ("inside", insert_inside),
    ("reorder", reorder),
    ("tags", change_tags),
    ("ids", drop_ids),
    ("move", move_list),
    ("grid", to_grid),
];

/// Parts of tables, lists and forms whose parents and children are of fixed tags.
fn is_bound(tag: &str) -> bool {
    matches!(
        tag,
        "li" | "tr"
            | "td"
            | "th"
            | "tbody"
            | "thead"
            | "tfoot"
            | "caption"
            | "col"
            | "colgroup"
            | "dt"
            | "dd"
            | "option"
            | "optgroup"
            | "source"
            | "param"
            | "html"
            | "head"
            | "body"
            | ""
    )
}

/// Elements that may have any block inside.
fn is_open(tag: &str) -> bool {
    matches!(
        tag,
        "div"
            | "section"
            | "article"
            | "main"
            | "aside"
            | "body"
            | "form"
            | "td"
            | "li"
            | "center"
            | "header"
    )
}

fn each_class(dom: &mut Dom, names: &BTreeMap<String, String>) -> bool {
    for item in &mut dom.items {
        let What::Element { attributes, .. } = &mut item.what else { continue };
        for (_, value) in attributes.iter_mut().filter(|(name, _)| name == "class") {
            let words = value.split_ascii_whitespace();
            *value =
                words.map(|word| names.get(word).map_or(word, String::as_str)).collect::<Vec<_>>().join(" ");
        }
    }
    !names.is_empty()
}

fn classes(dom: &Dom) -> BTreeSet<String> {
    let all = (1..dom.items.len()).filter_map(|at| dom.attribute(at, "class"));
    all.flat_map(|class| class.split_ascii_whitespace().map(str::to_owned)).collect()
}

/// Two of five class words get other names.
fn rename(dom: &mut Dom, chance: &mut Chance) -> bool {
    let mut names = BTreeMap::new();
    for word in classes(dom) {
        if chance.percent(40) {
            names.insert(word, chance.word());
        }
    }
    each_class(dom, &names)
}

/// Two of five class words become hashes.
fn hash(dom: &mut Dom, chance: &mut Chance) -> bool {
    let mut names = BTreeMap::new();
    for word in classes(dom) {
        if chance.percent(40) {
            names.insert(word, chance.hash());
        }
    }
    each_class(dom, &names)
}

/// The element that holds the list and can be put elsewhere: not a part of a table.
fn container(dom: &Dom) -> Option<usize> {
    let fits = |&up: &usize| !is_bound(dom.tag(up)) && is_open(dom.tag(dom.items[up].parent));
    dom.up(dom.root()).into_iter().find(fits)
}

/// A new `div` around the list, around or inside of each record, or around one field of each.
fn wrap(dom: &mut Dom, chance: &mut Chance) -> bool {
    let class = if chance.percent(50) { chance.word() } else { String::new() };
    match chance.below(3) {
        0 => {
            let Some(list) = container(dom) else { return false };
            let outer = dom.create("div", &class);
            dom.wrap(list, list, outer);
            true
        }
        1 => wrap_records(dom, chance, &class),
        _ => {
            let Some(fields) = field(dom, chance, |dom, at| !is_bound(dom.tag(at)) && dom.tag(at) != "br")
            else {
                return false;
            };
            for at in fields {
                let tag = if dom.in_paragraph(dom.items[at].parent) { "span" } else { "div" };
                let outer = dom.create(tag, &class);
                dom.wrap(at, at, outer);
            }
            true
        }
    }
}

fn wrap_records(dom: &mut Dom, chance: &mut Chance, class: &str) -> bool {
    let around = chance.percent(50);
    let free = |dom: &Dom, top: &usize| is_open(dom.tag(dom.items[*top].parent)) && !is_bound(dom.tag(*top));
    let beside = |dom: &Dom, tops: &[usize]| {
        tops.iter().all(|&top| dom.items[top].parent == dom.items[tops[0]].parent)
    };
    if around && dom.records.iter().all(|tops| tops.iter().all(|top| free(dom, top)) && beside(dom, tops)) {
        for number in 0..dom.records.len() {
            let (Some(&first), Some(&last)) = (dom.records[number].first(), dom.records[number].last())
            else {
                continue;
            };
            let outer = dom.create("div", class);
            dom.wrap(first, last, outer);
            dom.records[number] = vec![outer];
        }
        return true;
    }
    let tops: Vec<usize> = dom.records.iter().filter_map(|tops| tops.first().copied()).collect();
    let holds = |tag: &str| is_open(tag) || matches!(tag, "a" | "dd" | "dt" | "th");
    if !tops.iter().all(|&top| holds(dom.tag(top)) && !dom.in_paragraph(top)) {
        return false;
    }
    for top in tops {
        let inner = dom.create("div", class);
        dom.wrap_inside(top, inner);
    }
    true
}

/// The elements of one template in the records: by tags and classes from the record's element on.
fn field(dom: &Dom, chance: &mut Chance, fits: fn(&Dom, usize) -> bool) -> Option<Vec<usize>> {
    let mut by_path: BTreeMap<String, (Vec<usize>, BTreeSet<usize>)> = BTreeMap::new();
    for (number, tops) in dom.records.iter().enumerate() {
        for &top in tops {
            for at in dom.below(top) {
                if dom.is_foreign(at) || !fits(dom, at) {
                    continue;
                }
                let path = dom.up(at).into_iter().take_while(|&up| up != top).map(|up| dom.signature(up));
                let (all, records) = by_path.entry(path.collect::<Vec<_>>().join("<")).or_default();
                all.push(at);
                records.insert(number);
            }
        }
    }
    let common: Vec<Vec<usize>> = by_path
        .into_values()
        .filter(|(_, records)| 2 * records.len() >= dom.records.len())
        .map(|(all, _)| all)
        .collect();
    chance.of(&common).cloned()
}

/// A block of another matter before the list, or before an element around it.
fn insert_before(dom: &mut Dom, chance: &mut Chance) -> bool {
    let Some(list) = container(dom) else { return false };
    let around: Vec<usize> = dom
        .up(list)
        .into_iter()
        .filter(|&up| !is_bound(dom.tag(up)) && is_open(dom.tag(dom.items[up].parent)))
        .collect();
    let Some(&at) = chance.of(&around[..around.len().min(3)]) else { return false };
    let block = advert(dom, chance, "div");
    let (parent, place) = (dom.items[at].parent, dom.place(at));
    dom.insert(parent, place, block);
    true
}

fn advert(dom: &mut Dom, chance: &mut Chance, tag: &str) -> usize {
    let block = dom.create(tag, ["promo", "ad-slot", "banner", ""][chance.below(4)]);
    let link = dom.create("a", "");
    dom.set_attribute(link, "href", "/offers/today");
    let text = dom.create_text(ADVERTS[chance.below(ADVERTS.len())]);
    dom.append(link, text);
    let mut holder = block;
    if tag == "tr" {
        holder = dom.create("td", "");
        dom.set_attribute(holder, "colspan", "20");
        dom.append(block, holder);
    }
    dom.append(holder, link);
    block
}

/// Adverts among the records, with the records' tag.
fn insert_between(dom: &mut Dom, chance: &mut Chance) -> bool {
    let every = 3 + chance.below(4);
    let ends: Vec<usize> =
        dom.records.iter().skip(every - 1).step_by(every).filter_map(|tops| tops.last().copied()).collect();
    let able = |&end: &usize| {
        let tag = dom.tag(end);
        matches!(tag, "li" | "tr") || (!is_bound(tag) && is_open(dom.tag(dom.items[end].parent)))
    };
    if ends.is_empty() || !ends.iter().all(able) {
        return false;
    }
    let mut own = chance.clone();
    for end in ends {
        let tag = if matches!(dom.tag(end), "li" | "tr" | "article" | "section") {
            dom.tag(end).to_owned()
        } else {
            "div".into()
        };
        let block = advert(dom, &mut own, &tag);
        let (parent, place) = (dom.items[end].parent, dom.place(end));
        dom.insert(parent, place + 1, block);
    }
    chance.next();
    true
}

/// A small text more in each record; in a table another cell in each row.
fn insert_inside(dom: &mut Dom, chance: &mut Chance) -> bool {
    let (text, first) = (BADGES[chance.below(BADGES.len())], chance.percent(50));
    let class = if chance.percent(70) { chance.word() } else { String::new() };
    let tops: Vec<usize> = dom.records.iter().filter_map(|tops| tops.first().copied()).collect();
    if tops
        .iter()
        .any(|&top| matches!(dom.tag(top), "tbody" | "table" | "thead" | "ul" | "ol" | "dl" | "img"))
    {
        return false;
    }
    let mut places = tops.clone();
    if dom.tag(tops[0]) == "tr" {
        let Some(table) = dom.up(tops[0]).into_iter().find(|&up| dom.tag(up) == "table") else {
            return false;
        };
        places = dom.below(table).into_iter().filter(|&row| dom.tag(row) == "tr").collect();
    }
    for at in places {
        let is_row = dom.tag(at) == "tr";
        let badge = dom.create(if is_row { "td" } else { "span" }, &class);
        if !is_row || tops.contains(&at) {
            let text = dom.create_text(text);
            dom.append(badge, text);
        }
        dom.insert(at, if first { 0 } else { usize::MAX }, badge);
    }
    true
}

/// Fields of the records in another order.
fn reorder(dom: &mut Dom, chance: &mut Chance) -> bool {
    let mut tops: Vec<usize> = dom.records.iter().flatten().copied().collect();
    if tops.iter().any(|&top| dom.tag(top) == "tr") {
        return reorder_cells(dom, chance, &tops);
    }
    if chance.percent(50) {
        let several = |dom: &Dom, at: usize| dom.elements(at).len() > 1;
        let Some(inner) = field(dom, chance, several) else { return false };
        tops = inner;
    }
    let salt = chance.next();
    let rank = |signature: &str| {
        let bytes =
            signature.bytes().fold(salt, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        Chance(bytes).next()
    };
    let mut changed = false;
    for at in tops {
        if matches!(dom.tag(at), "dl" | "table" | "tbody" | "thead" | "select") || dom.is_foreign(at) {
            continue;
        }
        let elements = dom.elements(at);
        let mut sorted = elements.clone();
        sorted.sort_by_key(|&child| rank(&dom.signature(child)));
        changed |= sorted != elements;
        let mut next = sorted.into_iter();
        for place in 0..dom.items[at].children.len() {
            if elements.contains(&dom.items[at].children[place])
                && let Some(child) = next.next()
            {
                dom.items[at].children[place] = child;
            }
        }
    }
    changed
}

/// Columns of a table in another order; rows with cells over several columns or rows stay as they are.
fn reorder_cells(dom: &mut Dom, chance: &mut Chance, tops: &[usize]) -> bool {
    let Some(table) = dom.up(tops[0]).into_iter().find(|&up| dom.tag(up) == "table") else { return false };
    let rows: Vec<usize> = dom.below(table).into_iter().filter(|&row| dom.tag(row) == "tr").collect();
    let width = dom.elements(tops[0]).len();
    let spans = |dom: &Dom, row: usize| {
        dom.elements(row).iter().any(|&cell| {
            dom.attribute(cell, "rowspan").is_some_and(|span| span != "1")
                || dom.attribute(cell, "colspan").is_some_and(|span| span != "1")
        })
    };
    let plain = |&row: &usize| dom.elements(row).len() == width && !spans(dom, row);
    if width < 2 || !tops.iter().all(|&top| plain(&top)) {
        return false;
    }
    let turn = 1 + chance.below(width - 1);
    for row in rows.into_iter().filter(plain).collect::<Vec<_>>() {
        let mut cells = dom.elements(row);
        cells.rotate_left(turn);
        dom.items[row].children = cells;
    }
    true
}

/// What a tag may become.
fn other_tags(tag: &str) -> &'static [&'static str] {
    match tag {
        "div" => &["section", "article"],
        "section" | "article" | "p" | "center" | "ul" | "ol" => &["div"],
        "h1" | "h2" | "h4" | "h5" | "h6" => &["h3", "div"],
        "h3" => &["h2", "h4", "div"],
        "span" => &["div", "em"],
        "b" => &["strong", "span"],
        "strong" => &["b", "span"],
        "i" => &["em"],
        "em" => &["i", "span"],
        "font" | "small" | "cite" => &["span"],
        _ => &[],
    }
}

/// Two templates of the list get other tags.
fn change_tags(dom: &mut Dom, chance: &mut Chance) -> bool {
    let mut changed = false;
    for _ in 0..2 {
        let root = dom.root();
        let mut all: BTreeSet<String> = BTreeSet::new();
        for at in std::iter::once(root).chain(dom.below(root)) {
            if !other_tags(dom.tag(at)).is_empty() && !dom.is_foreign(at) {
                all.insert(dom.signature(at));
            }
        }
        let all: Vec<String> = all.into_iter().collect();
        let Some(signature) = chance.of(&all) else { continue };
        // without a class it is a template of the list alone
        let scope = if signature.ends_with('.') { root } else { 0 };
        let chosen: Vec<usize> = std::iter::once(scope)
            .chain(dom.below(scope))
            .filter(|&at| at != 0 && dom.signature(at) == *signature && !dom.is_foreign(at))
            .collect();
        let Some(&first) = chosen.first() else { continue };
        let Some(&tag) = chance.of(other_tags(dom.tag(first))) else { continue };
        let block = |dom: &Dom, at: usize| dom.in_paragraph(dom.items[at].parent);
        if tag == "div" && chosen.iter().any(|&at| block(dom, at)) {
            continue;
        }
        for at in chosen {
            if matches!(dom.tag(at), "ul" | "ol") {
                for item in
                    dom.elements(at).into_iter().filter(|&item| dom.tag(item) == "li").collect::<Vec<_>>()
                {
                    dom.set_tag(item, "div");
                }
            }
            dom.set_tag(at, tag);
        }
        changed = true;
    }
    changed
}

/// No element has an id any more.
fn drop_ids(dom: &mut Dom, _: &mut Chance) -> bool {
    let mut any = false;
    for item in &mut dom.items {
        if let What::Element { attributes, .. } = &mut item.what {
            let before = attributes.len();
            attributes.retain(|(name, _)| name != "id");
            any |= attributes.len() < before;
        }
    }
    any
}

/// The list goes out of its parent, into a block beside it, or to the other side of that block.
fn move_list(dom: &mut Dom, chance: &mut Chance) -> bool {
    let Some(list) = container(dom) else { return false };
    let parent = dom.items[list].parent;
    let beside: Vec<usize> = dom.elements(parent).into_iter().filter(|&at| at != list).collect();
    match chance.below(3) {
        0 if !is_bound(dom.tag(parent)) && is_open(dom.tag(dom.items[parent].parent)) => {
            dom.remove(list);
            let (above, place) = (dom.items[parent].parent, dom.place(parent));
            dom.insert(above, place + 1, list);
            true
        }
        1 => {
            let blocks: Vec<usize> =
                beside.into_iter().filter(|&at| matches!(dom.tag(at), "div" | "section")).collect();
            let Some(&block) = chance.of(&blocks) else { return false };
            dom.remove(list);
            dom.append(block, list);
            true
        }
        _ => {
            let Some(&other) = chance.of(&beside) else { return false };
            let behind = dom.place(other) > dom.place(list);
            dom.remove(list);
            let place = dom.place(other) + usize::from(behind);
            dom.insert(parent, place, list);
            true
        }
    }
}

/// Rows of several records, with items of a list as blocks.
fn to_grid(dom: &mut Dom, chance: &mut Chance) -> bool {
    let tops: Vec<usize> = dom.records.iter().flatten().copied().collect();
    let parent = dom.items[tops[0]].parent;
    let able =
        |&top: &usize| dom.items[top].parent == parent && (dom.tag(top) == "li" || !is_bound(dom.tag(top)));
    if !tops.iter().all(able) || !(is_open(dom.tag(parent)) || matches!(dom.tag(parent), "ul" | "ol")) {
        return false;
    }
    let (width, class) = (2 + chance.below(3), chance.word());
    if matches!(dom.tag(parent), "ul" | "ol") {
        for item in dom.elements(parent).into_iter().filter(|&item| dom.tag(item) == "li").collect::<Vec<_>>()
        {
            dom.set_tag(item, "div");
        }
        dom.set_tag(parent, "div");
    }
    let rows: Vec<(usize, usize)> = dom
        .records
        .chunks(width)
        .filter_map(|row| Some((*row.first()?.first()?, *row.last()?.last()?)))
        .collect();
    for (first, last) in rows {
        let row = dom.create("div", &class);
        dom.wrap(first, last, row);
    }
    true
}
