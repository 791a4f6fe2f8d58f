//! Records that a person takes in: one that the list misses, and those next to it that are like it.
//!
//! In: an element of each such record. Out: the rule with selectors that find the old and the new records, learned as
//! for any list. If no selector finds just these, each section gets a selector of its own.

use super::{element_of, first_element, first_rule, read_list};
use crate::apply::apply;
use crate::deuds;
use crate::error::WrapperError;
use crate::example_records::{RecordKind, class_words};
use crate::format::{PageRule, RecordRule, Wrapper};
use crate::induce::renew_records;
use crate::locate::ElementIndex;
use crate::locate::css::identifier;
use copal_dom::{Node, Page, Tree, tags};
use copal_extract::located::{self, GivenList};
use copal_extract::{Parts, Region};

/// Records at most.
const MAX_RECORDS: usize = 20_000;
/// Sections that get selectors of their own.
const MAX_SECTIONS: usize = 12;

pub(super) fn include(
    wrapper: &mut Wrapper,
    page: &Page,
    nodes: &[Node],
    notes: &mut Vec<String>,
) -> Result<(), WrapperError> {
    let list = read_list(wrapper, page)?;
    let tree = &page.tree;
    let mut known: Vec<Node> = list.records.iter().filter_map(|record| first_element(page, record)).collect();
    known.sort_unstable();
    let parts = || list.records.iter().flat_map(|record| record.place.parts.iter());
    let mut new: Vec<Node> = Vec::new();
    for &node in nodes {
        let element = element_of(page, node)?;
        let is_new = |head: &Node| *head == element || tree.contains(*head, element);
        if parts().any(|part| part.contains(&element)) || new.iter().any(is_new) {
            continue;
        }
        new.extend(section_records(page, &known, element)?);
    }
    if new.is_empty() {
        return Ok(());
    }
    let mut wanted: Vec<Node> = known.iter().chain(&new).copied().collect();
    wanted.sort_unstable();
    wanted.dedup();
    if wanted.len() > MAX_RECORDS {
        return Err(WrapperError::value(format!("more than {MAX_RECORDS} records")));
    }
    let share = known.len() as f64 / wanted.len() as f64;
    let rule = first_rule(wrapper)?;
    // whether the new records have the columns is not known yet
    for column in &mut rule.columns {
        column.presence = column.presence.map(|presence| presence * share);
    }
    let before = rule.clone();
    let region = list_of(page, &list, &new);
    let is_learned = renew_records(page, &region, rule).is_ok();
    if is_learned && heads_read(wrapper, page) == wanted {
        return Ok(());
    }
    *first_rule(wrapper)? = before;
    let rule = first_rule(wrapper)?;
    one_selector_per_section(page, &region, rule, &wanted)?;
    if heads_read(wrapper, page) != wanted {
        return Err(WrapperError::value(
            "nothing tells these records from the rest of the page: choose two example records instead",
        ));
    }
    notes.push("the new records have selectors of their own: check other pages".to_owned());
    Ok(())
}

fn heads_read(wrapper: &Wrapper, page: &Page) -> Vec<Node> {
    let answer = apply(wrapper, page);
    let list = answer.regions.iter().find(|list| list.role.is_main());
    let heads =
        list.map(|list| list.records.iter().filter_map(|record| first_element(page, record)).collect());
    let mut heads: Vec<Node> = heads.unwrap_or_default();
    heads.sort_unstable();
    heads
}

/// The records of the list and the new ones, without cells.
fn list_of(page: &Page, list: &Region, new: &[Node]) -> Region {
    let mut records: Vec<Parts> = list.records.iter().map(|record| record.place.parts.clone()).collect();
    records.extend(new.iter().map(|&node| Parts::from_elem(node..page.tree.end(node), 1)));
    records.sort_by_key(|parts| parts[0].start);
    let rows = vec![Vec::new(); records.len()];
    let root = located::root_of(page, &records);
    located::list(page, GivenList { root, records, columns: Vec::new(), rows })
}

/// The record around an element, and those next to it that are like it. The known records are in document order.
fn section_records(page: &Page, known: &[Node], element: Node) -> Result<Vec<Node>, WrapperError> {
    let tree = &page.tree;
    let holds_record = |node: Node| {
        let first = known.partition_point(|&head| head < node);
        known.get(first).is_some_and(|&head| head < tree.end(node))
    };
    let is_in_record = |node: Node| tree.ancestors(node).any(|above| known.binary_search(&above).is_ok());
    let is_page = |node: Node| node == 0 || matches!(tree.tag(node), tags::BODY | tags::HTML);
    let around: Vec<Node> = std::iter::once(element)
        .chain(tree.ancestors(element))
        .take_while(|&node| !is_page(node) && !holds_record(node))
        .collect();
    let record = around.iter().copied().max_by(|&a, &b| {
        likeness(page, known, a).total_cmp(&likeness(page, known, b)).then_with(|| b.cmp(&a))
    });
    let record = record.ok_or_else(|| {
        WrapperError::value(
            "the records of the list are inside this element: click in a record that is missing",
        )
    })?;
    let parent = tree.parent(record);
    let mut found = kind_of(tree, known, record).children(page, parent);
    let child_tags = |node: Node| -> Vec<u16> { tree.elements(node).map(|child| tree.tag(child)).collect() };
    let own = child_tags(record);
    // the head of a table has rows too, but other cells
    found.retain(|&node| {
        !holds_record(node)
            && !is_in_record(node)
            && (own.is_empty() || child_tags(node).iter().any(|tag| own.contains(tag)))
    });
    if !found.contains(&record) {
        found.push(record);
    }
    found.sort_unstable();
    Ok(found)
}

/// How much an element resembles the records: its tag and class, then its depth, then its size.
fn likeness(page: &Page, known: &[Node], node: Node) -> f64 {
    let tree = &page.tree;
    let leaves = |node: Node| {
        let inside = node..tree.end(node);
        f64::from(page.index.leaves(&inside) + page.index.images(&inside)).max(1.0)
    };
    let words = class_words(tree, node);
    let one = |head: Node| {
        let is_tag = tree.tag(head) == tree.tag(node);
        let head_words = class_words(tree, head);
        let shares_word = words.iter().any(|word| head_words.contains(word));
        let size = leaves(head).min(leaves(node)) / leaves(head).max(leaves(node));
        2.0 * f64::from(u8::from(is_tag))
            + 2.0 * f64::from(u8::from(is_tag && shares_word))
            + f64::from(u8::from(is_tag && tree.depth(head) == tree.depth(node)))
            + size
    };
    known.iter().take(50).map(|&head| one(head)).fold(0.0, f64::max)
}

/// What the records next to a new one are like.
fn kind_of<'t>(tree: &'t Tree, known: &[Node], record: Node) -> RecordKind<'t> {
    let own = class_words(tree, record);
    let of_records: Vec<&str> = known.iter().take(50).flat_map(|&head| class_words(tree, head)).collect();
    let shared: Vec<&str> = own.iter().copied().filter(|word| of_records.contains(word)).collect();
    let parent = tree.parent(record);
    let is_beside_records = known.iter().any(|&head| tree.parent(head) == parent);
    let classes = if !shared.is_empty() {
        shared
    } else if is_beside_records {
        own
    } else {
        let siblings: Vec<Node> =
            tree.elements(parent).filter(|&node| tree.tag(node) == tree.tag(record)).collect();
        let is_usual = |word: &&str| {
            2 * siblings.iter().filter(|&&node| class_words(tree, node).contains(word)).count()
                >= siblings.len()
        };
        own.into_iter().filter(is_usual).collect()
    };
    RecordKind::with(tree.tag(record), classes)
}

/// A rule whose selector lists the records of each section.
fn one_selector_per_section(
    page: &Page,
    region: &Region,
    rule: &mut PageRule,
    wanted: &[Node],
) -> Result<(), WrapperError> {
    let tree = &page.tree;
    let index = ElementIndex::new(tree);
    let mut parents: Vec<Node> = wanted.iter().map(|&node| tree.parent(node)).collect();
    parents.sort_unstable();
    parents.dedup();
    if parents.len() > MAX_SECTIONS {
        return Err(WrapperError::value("the records are in too many places: choose two example records"));
    }
    let mut selectors = Vec::new();
    for parent in parents {
        let records: Vec<Node> = wanted.iter().copied().filter(|&node| tree.parent(node) == parent).collect();
        let place =
            if tree.tag(parent) == tags::BODY { "body".to_owned() } else { deuds::pattern(&index, parent)? };
        let others: Vec<Node> =
            tree.elements(parent).filter(|node| records.binary_search(node).is_err()).collect();
        let mut kinds: Vec<String> = records.iter().map(|&node| kind_selector(tree, node, &others)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        selectors.extend(kinds.into_iter().map(|kind| format!("{place} > {kind}")));
    }
    let old = rule.record.take();
    let elements = old.as_ref().map_or(1, |record| record.elements);
    rule.region = vec![crate::apply::regions::ANYWHERE.to_owned()];
    rule.record =
        Some(RecordRule { find: vec![selectors.join(", ")], needs: None, elements, fingerprint: None });
    crate::induce::renew_fingerprint(page, region, rule);
    Ok(())
}

/// The tag of a record, with a class word or its position if other children of its parent have the same tag.
fn kind_selector(tree: &Tree, record: Node, others: &[Node]) -> String {
    let tag = identifier(tree.tag_name(record));
    let alike: Vec<Node> =
        others.iter().copied().filter(|&other| tree.tag(other) == tree.tag(record)).collect();
    if alike.is_empty() {
        return tag;
    }
    let is_own = |word: &&str| !alike.iter().any(|&other| class_words(tree, other).contains(word));
    match class_words(tree, record).into_iter().find(is_own) {
        Some(word) => format!("{tag}.{}", identifier(word)),
        None => format!("{tag}{}", crate::locate::css::nth_child(tree, record)),
    }
}
