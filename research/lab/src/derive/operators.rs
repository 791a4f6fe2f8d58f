//! The changes that make training pages.
//!
//! In: a page with the elements of its records, a page without a list, and a list page of another site. Out:
//! the changed page, and which records it still has (none: a page without a main list). `None` if the change
//! does not fit the page.

use crate::random::SplitMix64;
use crate::survive::editable::{EditablePage, NodeContent};

/// What a change starts from.
pub(super) struct Origin {
    pub(super) page: EditablePage,
    /// A page without a main list.
    pub(super) host: Option<EditablePage>,
    /// A list page of another site.
    pub(super) other: Option<EditablePage>,
}

/// A changed page.
pub(super) struct DerivedPage {
    pub(super) page: EditablePage,
    /// Numbers of the records that are still there.
    pub(super) kept: Vec<usize>,
}

type Operator = fn(Origin, &mut SplitMix64) -> Option<DerivedPage>;

/// All changes, with the name that becomes the source of the pages.
pub(super) const OPERATORS: &[(&str, Operator)] = &[
    ("thin-2", |origin, random| thin(origin, 2, random)),
    ("thin-3", |origin, random| thin(origin, 3, random)),
    ("thin-5", |origin, random| thin(origin, 5, random)),
    ("thin-8", |origin, random| thin(origin, 8, random)),
    ("inset", inset),
    ("sections", sections),
    ("copies", |origin, _| copies(origin.page)),
    ("side", side),
    ("wrapped", |origin, _| Some(wrapped(origin.page))),
    ("tabs", tabs),
    ("removed", |origin, _| Some(removed(origin.page))),
];

/// Fewest records of a list that is set into another page or cut into sections.
const MIN_MOVED_RECORDS: usize = 4;
/// Most records of a list that is set into another page.
const MAX_INSET_RECORDS: usize = 15;

/// Keeps `count` neighbouring records, mostly the first.
fn thin(origin: Origin, count: usize, random: &mut SplitMix64) -> Option<DerivedPage> {
    let mut page = origin.page;
    let total = page.records.len();
    if total < count + 2 {
        return None;
    }
    let first = if random.percent(60) { 0 } else { random.below(total - count + 1) };
    keep(&mut page, first..first + count);
    Some(DerivedPage { page, kept: (first..first + count).collect() })
}

/// Removes the whole list. What is left has no main list.
fn removed(mut page: EditablePage) -> DerivedPage {
    keep(&mut page, 0..0);
    DerivedPage { page, kept: Vec::new() }
}

/// Sets the list with its container into another page, as one section with a heading.
fn inset(origin: Origin, random: &mut SplitMix64) -> Option<DerivedPage> {
    let (mut page, mut host) = (origin.page, origin.host?);
    let total = page.records.len();
    if total < MIN_MOVED_RECORDS {
        return None;
    }
    let count = (MIN_MOVED_RECORDS + random.below(MAX_INSET_RECORDS - MIN_MOVED_RECORDS)).min(total);
    keep(&mut page, 0..count);
    let root = page.root();
    let siblings: Vec<usize> = blocks(&host);
    let &after = random.choose(&siblings)?;
    let (parent, position) = (host.items[after].parent, host.position(after) + 1);
    let list = copy(&page, root, &mut host);
    // rows without a table would be dropped by the parser
    let list = match host.tag(list) {
        "tbody" | "thead" | "tr" => wrap_alone(&mut host, list, "table"),
        "body" | "html" => {
            host.set_tag(list, "div");
            list
        }
        _ => list,
    };
    host.insert(parent, position, list);
    if random.percent(70) {
        let heading = host.create(["h2", "h3"][random.below(2)], "");
        let text = host.create_text(TITLES[random.below(TITLES.len())]);
        host.append(heading, text);
        host.insert(parent, position, heading);
    }
    Some(DerivedPage { page: host, kept: (0..count).collect() })
}

/// Headings as they stand above lists.
const TITLES: &[&str] =
    &["Upcoming", "Results", "Documents", "Our courses", "Members", "Archive", "2024", "Current openings"];

/// Cuts the list into sections with headings, each in a copy of the container.
fn sections(origin: Origin, random: &mut SplitMix64) -> Option<DerivedPage> {
    let mut page = origin.page;
    let total = page.records.len();
    let root = page.root();
    let tops: Vec<usize> = page.records.iter().flatten().copied().collect();
    // only lists whose records are children of one element; a table's rows stay in their table
    let simple = tops.iter().all(|&top| page.items[top].parent == root);
    if total < 2 * MIN_MOVED_RECORDS || !simple || matches!(page.tag(root), "tbody" | "table" | "body") {
        return None;
    }
    let parts = 2 + random.below(3).min(total / MIN_MOVED_RECORDS - 2);
    let parent = page.items[root].parent;
    let mut position = page.position(root) + 1;
    let heading_tag = ["h2", "h3", "h4"][random.below(3)];
    for part in 0..parts {
        let records = part * total / parts..(part + 1) * total / parts;
        if part > 0 {
            let shell = shallow_copy(&mut page, root);
            for top in page.records[records.clone()].concat() {
                page.remove(top);
                page.append(shell, top);
            }
            page.insert(parent, position, shell);
        } else {
            position -= 1;
        }
        let heading = page.create(heading_tag, "");
        let text = page.create_text(&format!("{}", 2025 - part));
        page.append(heading, text);
        page.insert(parent, position, heading);
        position += 2;
    }
    Some(DerivedPage { page, kept: (0..total).collect() })
}

/// Repeats the list with its container, as pages do that show one list to phones and another to the rest.
fn copies(mut page: EditablePage) -> Option<DerivedPage> {
    let root = page.root();
    if matches!(page.tag(root), "body" | "html" | "tbody" | "table" | "main") {
        return None;
    }
    let (parent, position) = (page.items[root].parent, page.position(root) + 1);
    let original = page.clone();
    let copied = copy(&original, root, &mut page);
    page.insert(parent, position, copied);
    let kept = (0..page.records.len()).collect();
    Some(DerivedPage { page, kept })
}

/// Headings above lists that are not the main list.
const SIDE_TITLES: &[&str] = &["Related", "You may also like", "Most read", "Latest news", "Recently viewed"];
/// Records of a side list.
const SIDE_RECORDS: std::ops::Range<usize> = 3..7;

/// Adds a short list of another site below the main list or beside it.
fn side(origin: Origin, random: &mut SplitMix64) -> Option<DerivedPage> {
    let (mut page, mut other) = (origin.page, origin.other?);
    let count = SIDE_RECORDS.start + random.below(SIDE_RECORDS.len());
    // the side list must be the shorter one
    if page.records.len() <= count || other.records.len() < count {
        return None;
    }
    keep(&mut other, 0..count);
    let (root, other_root) = (page.root(), other.root());
    if page.tag(root) == "body" || matches!(other.tag(other_root), "body" | "html" | "tbody" | "table") {
        return None;
    }
    let around =
        page.up(root).into_iter().find(|&up| !matches!(page.tag(up), "table" | "tbody" | "ul" | "ol"))?;
    let (parent, position) = (page.items[around].parent, page.position(around));
    let holder = page.create(["aside", "div", "section"][random.below(3)], "");
    let heading = page.create(["h2", "h3", "h4"][random.below(3)], "");
    let text = page.create_text(SIDE_TITLES[random.below(SIDE_TITLES.len())]);
    page.append(heading, text);
    page.append(holder, heading);
    let list = copy(&other, other_root, &mut page);
    page.append(holder, list);
    page.insert(parent, position + usize::from(random.percent(70)), holder);
    let kept = (0..page.records.len()).collect();
    Some(DerivedPage { page, kept })
}

/// Puts the content of each record into one more element, as layout templates do.
fn wrapped(mut page: EditablePage) -> DerivedPage {
    for top in page.records.concat() {
        if matches!(page.tag(top), "tr" | "ul" | "ol" | "dl" | "table" | "tbody" | "p" | "" | "a" | "img") {
            continue;
        }
        let children = std::mem::take(&mut page.items[top].children);
        let inner = page.create("div", "");
        page.append(top, inner);
        for child in children {
            page.append(inner, child);
        }
    }
    let kept = (0..page.records.len()).collect();
    DerivedPage { page, kept }
}

/// Puts the list into a tab that an inline style hides until a script shows it. The first tab shows a text.
fn tabs(origin: Origin, random: &mut SplitMix64) -> Option<DerivedPage> {
    let mut page = origin.page;
    let root = page.root();
    // rows stay in their table
    let is_block = |&at: &usize| !matches!(page.tag(at), "tbody" | "thead" | "tr" | "td" | "li" | "a");
    let list = page.up(root).into_iter().find(is_block)?;
    if matches!(page.tag(list), "body" | "html" | "") {
        return None;
    }
    let (parent, position) = (page.items[list].parent, page.position(list));
    let (bar, about) = (page.create("ul", "tabs"), page.create("div", "tab"));
    for title in ["About", TITLES[random.below(TITLES.len())]] {
        let (item, link, text) = (page.create("li", ""), page.create("a", ""), page.create_text(title));
        page.set_attribute(link, "href", "#tab");
        page.append(link, text);
        page.append(item, link);
        page.append(bar, item);
    }
    let text = page.create_text("Choose one of the tabs to see more.");
    page.append(about, text);
    let hidden = page.create("div", "tab");
    page.set_attribute(hidden, "style", "display: none");
    page.remove(list);
    page.append(hidden, list);
    for (offset, inserted) in [bar, about, hidden].into_iter().enumerate() {
        page.insert(parent, position + offset, inserted);
    }
    let kept = (0..page.records.len()).collect();
    Some(DerivedPage { page, kept })
}

/// Removes the elements of all records outside the range.
fn keep(page: &mut EditablePage, range: std::ops::Range<usize>) {
    let records = std::mem::take(&mut page.records);
    for (at, tops) in records.iter().enumerate() {
        if !range.contains(&at) {
            for &top in tops {
                page.remove(top);
            }
        }
    }
    page.records = records[range].to_vec();
}

/// Blocks of text of a page, without those that are in a list, a table or a form.
fn blocks(page: &EditablePage) -> Vec<usize> {
    let outside = |at: usize| {
        let tags = page.up(at);
        !tags.iter().any(|&up| {
            matches!(page.tag(up), "head" | "nav" | "footer" | "header" | "aside" | "table" | "ul" | "form")
        })
    };
    let is_block = |&at: &usize| matches!(page.tag(at), "p" | "section" | "h2" | "h3") && outside(at);
    (0..page.items.len()).filter(is_block).collect()
}

/// Copies a subtree into another page, not attached yet.
fn copy(from: &EditablePage, root: usize, to: &mut EditablePage) -> usize {
    let mut copies = vec![(root, push(to, &from.items[root].what))];
    let mut at = 0;
    while at < copies.len() {
        let (original, new) = copies[at];
        at += 1;
        for &child in &from.items[original].children {
            let id = push(to, &from.items[child].what);
            to.append(new, id);
            copies.push((child, id));
        }
    }
    copies[0].1
}

fn push(page: &mut EditablePage, what: &NodeContent) -> usize {
    let id = page.create("div", "");
    page.items[id].what = what.clone();
    id
}

/// A copy of an element without children and id.
fn shallow_copy(page: &mut EditablePage, at: usize) -> usize {
    let what = page.items[at].what.clone();
    let id = push(page, &what);
    if let NodeContent::Element { attributes, .. } = &mut page.items[id].what {
        attributes.retain(|(name, _)| name != "id");
    }
    id
}

fn wrap_alone(page: &mut EditablePage, inner: usize, tag: &str) -> usize {
    let outer = page.create(tag, "");
    page.append(outer, inner);
    outer
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::{Limits, Node, Page, tags};

    fn items(page: &Page) -> Vec<Node> {
        page.tree.nodes().filter(|&node| page.tree.tag(node) == tags::LI).collect()
    }

    #[test]
    fn a_list_in_a_tab_is_complete_but_hidden() {
        let html = "<main><h1>Lamps</h1><ul><li>Desk lamp<li>Floor lamp</ul></main>";
        let page = Page::from_text(html, &Limits::default());
        let records = items(&page).into_iter().map(|item| vec![item]).collect();
        let origin = Origin { page: EditablePage::new(&page.tree, records), host: None, other: None };
        let made = tabs(origin, &mut SplitMix64(1)).expect("a page with tabs");
        assert_eq!(made.kept, [0, 1]);
        let page = Page::from_text(&made.page.html(), &Limits::default());
        let shown = |page: &Page| -> Vec<bool> {
            let chars = |node: Node| page.index.chars(&(node..page.tree.end(node)));
            items(page).into_iter().map(|item| chars(item) > 0).collect()
        };
        assert_eq!(shown(&page), [true, true, false, false]);
        let revealed = page.with_hidden_content(1).expect("hidden content");
        assert_eq!(shown(&revealed), [true, true, true, true]);
    }
}
