//! Names of columns.
//!
//! In: the columns of a region, with their types. Out: one unique name a column, and what it was taken from: the table's
//! head; `itemprop`, `property`; a label or term before the value, `data-label`; `title`, `url` and `image` for the text,
//! link and picture that stand for the record; `aria-label`, `title` or `alt` that records share; a class word that is not about layout; the type; the position. O(cells).

use super::snake_case::snake_case;
use super::tables::Tables;
use super::{Draft, DraftCell, kinds};
use crate::lists::candidate::ListCandidate;
use copal_dom::{NONE, Node, Page, attrs, stable_classes, tags};
use copal_model::{CellSource, NamedBy};
use copal_values::ValueType;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where tables that are lists on small screens keep the heads of their columns.
const LABELS: &[&str] = &["data-label", "data-title", "data-th"];
/// Class words about layout and looks, which name nothing.
const LAYOUT: &[&str] = &[
    "active",
    "align",
    "block",
    "body",
    "bold",
    "bottom",
    "box",
    "card",
    "cell",
    "center",
    "clear",
    "clearfix",
    "col",
    "cols",
    "column",
    "columns",
    "container",
    "content",
    "contents",
    "ellipsis",
    "even",
    "field",
    "first",
    "flex",
    "float",
    "fluid",
    "font",
    "grid",
    "group",
    "hidden",
    "hide",
    "holder",
    "inline",
    "inner",
    "item",
    "items",
    "label",
    "large",
    "last",
    "layout",
    "lead",
    "left",
    "lg",
    "line",
    "link",
    "list",
    "main",
    "margin",
    "mb",
    "md",
    "media",
    "medium",
    "middle",
    "mr",
    "mt",
    "muted",
    "no",
    "normal",
    "nowrap",
    "odd",
    "outer",
    "padding",
    "panel",
    "pull",
    "right",
    "row",
    "section",
    "semibold",
    "sm",
    "small",
    "span",
    "strong",
    "style",
    "table",
    "text",
    "top",
    "truncate",
    "underline",
    "upper",
    "util",
    "value",
    "visible",
    "widget",
    "width",
    "wrap",
    "wrapper",
    "xl",
    "xs",
];

/// How far above a word about layout a better one is looked for, and in elements of how many texts.
const FAR: usize = 3;
const CROWD: u32 = 3;
/// Longest name made from a page's words.
const LONGEST: usize = 40;

pub(super) fn name_columns(
    page: &Page,
    found: &ListCandidate,
    tables: &Tables,
    drafts: &[Draft],
    kinds: &[Option<ValueType>],
) -> Vec<(String, NamedBy)> {
    let n = found.records.len();
    let mut names: Vec<Option<(String, NamedBy)>> =
        drafts.iter().map(|draft| given_name(page, found, tables, draft)).collect();
    for (name, draft) in names.iter_mut().zip(drafts) {
        if name.is_none() {
            *name = label(draft).map(|label| (label, NamedBy::Label));
        }
    }
    roles(page, &mut names, drafts, kinds, n);
    for (name, draft) in names.iter_mut().zip(drafts) {
        if name.is_none() {
            let said = said_name(page, draft);
            *name = said.map(|said| (with_source(said, draft.source), NamedBy::Label));
        }
    }
    let tops: FxHashSet<Node> = found.records.iter().flatten().map(|part| part.start).collect();
    for ((name, draft), kind) in names.iter_mut().zip(drafts).zip(kinds) {
        if name.is_none() && draft.source != CellSource::Text {
            let cell = up(page, draft.sample).find(|&up| matches!(page.tree.tag(up), tags::TD | tags::TH));
            let head = cell.and_then(|cell| tables.head(page, cell));
            *name = head.map(|head| (with_source(head.to_owned(), draft.source), NamedBy::Header));
        }
        if name.is_none() {
            let word = class_name(page, &tops, draft.sample);
            *name = word.map(|word| (with_source(word, draft.source), NamedBy::Class));
        }
        if name.is_none() {
            let usual = kind.and_then(kinds::usual_name);
            *name = usual.map(|usual| (usual.to_owned(), NamedBy::Kind));
        }
    }
    unique(names)
}

/// A label before the values: words with a colon that (nearly) all of them begin with, or a column of such words.
fn label(draft: &Draft) -> Option<String> {
    if let Some(label) = &draft.label {
        return snake_case(label);
    }
    let before = |text: &str| text.split_once(':').map(|(label, _)| label.to_owned());
    let first = before(draft.cells[0].text()).filter(|label| label.len() <= LONGEST)?;
    let labelled = draft.cells.iter().filter(|cell| {
        cell.text().strip_prefix(first.as_str()).is_some_and(|rest| rest.starts_with(": ") || rest == ":")
    });
    let all = draft.source == CellSource::Text && draft.cells.len() > 1;
    (all && 10 * labelled.count() >= 9 * draft.cells.len()).then(|| snake_case(&first)).flatten()
}

/// What the page says of the element to those who cannot see it, if it says the same in other records: `title="Comments"`.
fn said_name(page: &Page, draft: &Draft) -> Option<String> {
    if draft.sample == draft.last {
        return None;
    }
    let said = |node: Node, name| {
        let said = page.tree.attr(node, name)?.trim();
        (said.len() <= LONGEST && !said.contains(|c: char| c.is_ascii_digit())).then_some(said)
    };
    let names = [attrs::ARIA_LABEL, attrs::TITLE, attrs::ALT];
    let mut nodes = up(page, draft.sample).zip(up(page, draft.last)).take(2);
    let same = |(a, b): (Node, Node)| {
        let apart = a != b && page.index.leaves(&(a..page.tree.end(a))) <= 1;
        names
            .iter()
            .filter(|_| apart)
            .find_map(|&name| said(a, name).filter(|&text| said(b, name) == Some(text)))
    };
    nodes.find_map(same).and_then(snake_case)
}

/// Names the text, the link and the picture that stand for the record.
fn roles(
    page: &Page,
    names: &mut [Option<(String, NamedBy)>],
    drafts: &[Draft],
    kinds: &[Option<ValueType>],
    n: usize,
) {
    let frequent = |draft: &Draft| 5 * records_with(draft) >= 4 * n;
    let known = |names: &[Option<(String, NamedBy)>], name: &str| {
        names.iter().flatten().any(|(known, _)| known == name)
    };
    let title = title(page, names, drafts, kinds, n);
    if let Some(c) = title {
        names[c] = Some(("title".into(), NamedBy::Role));
    }
    if !known(names, "url") {
        let free = |c: &usize| {
            names[*c].is_none()
                && drafts[*c].source == CellSource::Href
                && frequent(&drafts[*c])
                && mostly_distinct(&drafts[*c])
        };
        let links: Vec<usize> = (0..drafts.len()).filter(free).collect();
        // the link around the title, or inside of it; else the first one
        let around = |&c: &usize| {
            title.is_some_and(|t| {
                let (title, link) = (drafts[t].sample, drafts[c].sample);
                page.tree.contains(link, title) || page.tree.contains(title, link)
            })
        };
        if let Some(c) = links.iter().copied().find(around).or_else(|| links.first().copied()) {
            names[c] = Some(("url".into(), NamedBy::Role));
        }
    }
    if !known(names, "image") {
        let image =
            |c: &usize| names[*c].is_none() && drafts[*c].source == CellSource::Src && frequent(&drafts[*c]);
        let images: Vec<usize> = (0..drafts.len()).filter(image).collect();
        let differs = images.iter().copied().find(|&c| mostly_distinct(&drafts[c]));
        if let Some(c) = differs.or_else(|| images.first().copied()) {
            names[c] = Some(("image".into(), NamedBy::Role));
        }
    }
}

/// A node and its ancestors.
fn up(page: &Page, node: Node) -> impl Iterator<Item = Node> {
    std::iter::once(node).chain(page.tree.ancestors(node))
}

fn with_source(word: String, source: CellSource) -> String {
    match source {
        CellSource::Text | CellSource::Embedded | CellSource::Detail => word,
        CellSource::Href => format!("{word}_url"),
        CellSource::Src => format!("{word}_image"),
    }
}

fn records_with(draft: &Draft) -> usize {
    draft.cells.iter().map(|cell| cell.record).collect::<FxHashSet<_>>().len()
}

fn mostly_distinct(draft: &Draft) -> bool {
    let values: FxHashSet<&str> = draft.cells.iter().map(DraftCell::text).collect();
    2 * values.len() > draft.cells.len()
}

/// The text that stands for the record: most records have it, it has letters and no type, and differs between them. Headings
/// first, then links, then large or bold text, then what comes first.
fn title(
    page: &Page,
    names: &[Option<(String, NamedBy)>],
    drafts: &[Draft],
    kinds: &[Option<ValueType>],
    n: usize,
) -> Option<usize> {
    if names.iter().flatten().any(|(name, _)| name == "title" || name == "name" || name == "headline") {
        return None;
    }
    let good = |c: &usize| {
        let draft = &drafts[*c];
        let letters =
            || draft.cells.iter().filter(|cell| cell.text().chars().any(char::is_alphabetic)).count();
        names[*c].is_none()
            && draft.source == CellSource::Text
            && kinds[*c].is_none()
            && 5 * records_with(draft) >= 4 * n
            && 2 * letters() > draft.cells.len()
            && mostly_distinct(draft)
    };
    let rank = |c: &usize| {
        let node = drafts[*c].sample;
        let tree = &page.tree;
        let up = || up(page, node).take(3);
        let heads_row = |node| {
            tree.tag(node) == tags::TH
                && tree.attr_named(node, "scope").is_some_and(|scope| scope.eq_ignore_ascii_case("row"))
        };
        let heading = up().any(|node| tags::is_heading(tree.tag(node)) || heads_row(node));
        // a link that goes on in a longer text is but a word of it
        let link = up().any(|node| tree.tag(node) == tags::A)
            || drafts
                .iter()
                .any(|other| other.source == CellSource::Href && tree.contains(node, other.sample));
        let style = page.styles.style(node);
        (heading, link, style.size, style.bold, std::cmp::Reverse(*c))
    };
    (0..drafts.len()).filter(good).max_by_key(rank)
}

/// A name the page itself gives: a header cell, or an `itemprop`.
fn given_name(
    page: &Page,
    found: &ListCandidate,
    tables: &Tables,
    draft: &Draft,
) -> Option<(String, NamedBy)> {
    let mut at = draft.sample;
    while at != NONE && at > found.root {
        if draft.source == CellSource::Text && matches!(page.tree.tag(at), tags::TD | tags::TH) {
            if draft.label.is_some() && tables.head(page, at).is_none() {
                return None;
            }
            let head = tables.head(page, at).map(str::to_owned);
            return head.map(|name| (name, NamedBy::Header)).or_else(|| {
                let label = LABELS.iter().find_map(|name| page.tree.attr_named(at, name))?;
                Some((snake_case(label)?, NamedBy::Label))
            });
        }
        let property =
            || page.tree.attr(at, attrs::PROPERTY).map(|name| name.rsplit(':').next().unwrap_or(name));
        if let Some(name) = page.tree.attr(at, attrs::ITEMPROP).or_else(property) {
            let name = snake_case(name)?;
            let name = match draft.source {
                CellSource::Href if name != "url" => format!("{name}_url"),
                _ => name,
            };
            return Some((name, NamedBy::Property));
        }
        at = page.tree.parent(at);
    }
    None
}

/// A stable class word of the element or the nearest ancestor inside the record that has one: the last one that says
/// more than how it looks. If there is none near by, the nearest word of all.
fn class_name(page: &Page, tops: &FxHashSet<Node>, sample: Node) -> Option<String> {
    // `card__price--big`: block, element, modifier; the element is the name
    let element = |word: &str| {
        let word = word.split("--").next().unwrap_or(word);
        snake_case(word.rsplit("__").next().unwrap_or(word))
    };
    let telling = |word: &String| {
        let says = |part: &str| {
            part.len() > 1 && !LAYOUT.contains(&part) && !part.contains(|c: char| c.is_ascii_digit())
        };
        word.split('_').any(says)
    };
    let mut plain: Option<String> = None;
    let mut far = 0;
    let mut at = sample;
    let crowded = |node: Node| page.index.leaves(&(node..page.tree.end(node))) > CROWD;
    while at != NONE && !tops.contains(&at) && (plain.is_none() || far < FAR && !crowded(at)) {
        if let Some(class) = page.tree.attr(at, attrs::CLASS) {
            if let Some(name) = stable_classes(class).filter_map(element).filter(telling).last() {
                return Some(name);
            }
            plain = plain.or_else(|| stable_classes(class).filter_map(element).last());
        }
        far += 1;
        at = page.tree.parent(at);
    }
    plain
}

pub(crate) fn unique(names: Vec<Option<(String, NamedBy)>>) -> Vec<(String, NamedBy)> {
    let mut used: FxHashSet<String> = FxHashSet::default();
    let mut next: FxHashMap<String, usize> = FxHashMap::default();
    let mut out = Vec::with_capacity(names.len());
    for (c, name) in names.into_iter().enumerate() {
        let (base, by) = name.unwrap_or_else(|| (format!("column_{}", c + 1), NamedBy::Position));
        let mut name = base.clone();
        while !used.insert(name.clone()) {
            let n = next.entry(base.clone()).or_insert(1);
            *n += 1;
            name = format!("{base}_{n}");
        }
        out.push((name, by));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_words() {
        assert_eq!(snake_case("productTitle").as_deref(), Some("product_title"));
        assert_eq!(snake_case(" Price (GBP): ").as_deref(), Some("price_gbp"));
        assert_eq!(snake_case("ราคา").as_deref(), Some("ราคา"));
        assert_eq!(snake_case("--- 12"), None);
    }

    #[test]
    fn equal_names_get_numbers() {
        let some = |s: &str| Some((s.to_owned(), NamedBy::Class));
        let names = unique(vec![some("a"), None, some("a"), some("a_2")]);
        let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "column_2", "a_2", "a_2_2"]);
    }
}
