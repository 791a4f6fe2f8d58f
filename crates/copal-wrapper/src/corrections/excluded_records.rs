//! Records that a person excludes: what tells them from the others becomes part of the record's selectors.
//!
//! Tried in this order: a name (class word, property) that only excluded records have; something inside that all other
//! records have; something inside that only the excluded ones have; the position among the siblings, which is noted,
//! because it need not hold on other pages.

use super::{first_element, first_rule, read_list};
use crate::error::WrapperError;
use crate::format::{RecordRule, Wrapper};
use crate::induce::names;
use crate::locate::ElementIndex;
use crate::locate::css::{Css, nth_child};
use copal_dom::{Node, Page};

/// Elements above a record whose positions are used.
const MAX_POSITION_STEPS: usize = 8;
/// Elements inside a record whose names are tried.
const MAX_INNER_ELEMENTS: usize = 60;

pub(super) fn exclude(
    wrapper: &mut Wrapper,
    page: &Page,
    nodes: &[Node],
    notes: &mut Vec<String>,
) -> Result<(), WrapperError> {
    let list = read_list(wrapper, page)?;
    let heads: Vec<Node> = list.records.iter().filter_map(|record| first_element(page, record)).collect();
    let is_inside = |head: Node, node: Node| node == head || page.tree.contains(head, node);
    // an element that is no record any more was excluded by an earlier correction
    let (excluded, kept): (Vec<Node>, Vec<Node>) =
        heads.iter().partition(|&&head| nodes.iter().any(|&node| is_inside(head, node)));
    if excluded.is_empty() {
        return Ok(());
    }
    if kept.is_empty() {
        return Err(WrapperError::value("all records are excluded: choose another list instead"));
    }
    let index = ElementIndex::new(&page.tree);
    let rule = first_rule(wrapper)?;
    let record = rule.record.as_mut().ok_or_else(|| WrapperError::value("an object has no records"))?;
    // one name may not be enough for all of them
    let mut open = excluded.clone();
    while let Some(&example) = open.first() {
        if let Some(name) = own_name(page, example, &kept) {
            narrow(record, &format!(":not({name})"));
            open.retain(|&node| !has_name(&index, &name, node));
        } else if let Some(inner) = inner_name(page, &index, &kept, &open, &excluded, record.needs.is_none())
        {
            match inner {
                InnerName::Needed(css) => {
                    record.needs = Some(css);
                    return Ok(());
                }
                InnerName::Forbidden(css) => {
                    narrow(record, &format!(":not(:has({css}))"));
                    open.retain(|&node| !holds(&index, &css, node));
                }
            }
        } else {
            notes.push(
                "a record is excluded by its position, since nothing else tells it from the others: check other pages"
                    .to_owned(),
            );
            narrow(record, &format!(":not({})", position(page, &index, example, &kept)));
            open.remove(0);
        }
        if record.find.iter().any(|css| Css::parse(css).is_err()) {
            return Err(WrapperError::value(
                "too many records are excluded one by one: choose the list anew",
            ));
        }
    }
    Ok(())
}

/// The position of a record among its siblings, and if others have the same one elsewhere, also that of elements above.
fn position(page: &Page, index: &ElementIndex<'_>, example: Node, kept: &[Node]) -> String {
    let tree = &page.tree;
    let mut place = nth_child(tree, example);
    for parent in tree.ancestors(example).filter(|&node| node != 0).take(MAX_POSITION_STEPS) {
        let found = Css::parse(&place).map(|css| css.select(index)).unwrap_or_default();
        if !kept.iter().any(|node| found.binary_search(node).is_ok()) {
            break;
        }
        place = format!("{} > {place}", nth_child(tree, parent));
    }
    place
}

/// Adds a condition to all selectors of a record, and in a list of selectors to each.
fn narrow(record: &mut RecordRule, condition: &str) {
    for css in &mut record.find {
        let narrowed: Vec<String> =
            single_selectors(css).into_iter().map(|one| format!("{}{condition}", one.trim())).collect();
        *css = narrowed.join(", ");
    }
}

/// The selectors of a list: it is cut at commas that are outside of brackets and quotes.
fn single_selectors(css: &str) -> Vec<&str> {
    let (mut found, mut from, mut depth, mut quote, mut is_escaped) = (Vec::new(), 0, 0usize, None, false);
    for (at, c) in css.char_indices() {
        match (quote, c) {
            _ if is_escaped => is_escaped = false,
            (_, '\\') => is_escaped = true,
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                found.push(&css[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(&css[from..]);
    found
}

/// A name that a record's own element has and no other record's element has.
fn own_name(page: &Page, example: Node, kept: &[Node]) -> Option<String> {
    let of_others: Vec<String> =
        kept.iter().flat_map(|&node| names(&page.tree, node)).map(|(_, name)| name).collect();
    names(&page.tree, example).into_iter().map(|(_, name)| name).find(|name| !of_others.contains(name))
}

fn has_name(index: &ElementIndex<'_>, name: &str, node: Node) -> bool {
    Css::parse(name).is_ok_and(|css| css.select(index).contains(&node))
}

/// What is inside records.
enum InnerName {
    /// All other records have it, and none of the excluded.
    Needed(String),
    /// Only excluded records have it.
    Forbidden(String),
}

fn inner_name(
    page: &Page,
    index: &ElementIndex<'_>,
    kept: &[Node],
    open: &[Node],
    excluded: &[Node],
    may_need: bool,
) -> Option<InnerName> {
    let inside = |head: Node| {
        let elements = (head + 1..page.tree.end(head)).filter(|&node| !page.tree.is_text(node));
        let mut found: Vec<String> = Vec::new();
        for node in elements.take(MAX_INNER_ELEMENTS) {
            found.extend(names(&page.tree, node).into_iter().map(|(_, name)| name));
            found.push(page.tree.tag_name(node).to_owned());
        }
        found.retain(|css| Css::parse(css).is_ok());
        found
    };
    if may_need {
        let needed = inside(kept[0]).into_iter().find(|css| {
            kept.iter().all(|&node| holds(index, css, node))
                && !excluded.iter().any(|&node| holds(index, css, node))
        });
        if let Some(css) = needed {
            return Some(InnerName::Needed(css));
        }
    }
    let is_selectable = Css::parse("a:has(b)").is_ok();
    let forbidden = inside(open[0]).into_iter().find(|css| !kept.iter().any(|&node| holds(index, css, node)));
    forbidden.filter(|_| is_selectable).map(InnerName::Forbidden)
}

fn holds(index: &ElementIndex<'_>, css: &str, node: Node) -> bool {
    Css::parse(css).is_ok_and(|css| !css.select_below(index, node).is_empty())
}
