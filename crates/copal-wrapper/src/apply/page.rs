//! Applying a wrapper: reading the same data from a site's other pages.
//!
//! In: a [`Wrapper`] and a page. Out: an [`Answer`] like that of any method, without regions if the
//! wrapper matches nothing on the page. The first locators are tried alone. If what they find does not fit
//! the fingerprint of the samples, all locators are asked and vote. O(columns x elements of the records with
//! the tags that locators end in).

use super::record_votes::{list_by_vote, records_by_locators};
use super::rows::{MIN_PRESENCE, expected_presence, read_rows};
use super::section::{FoundSection, find_section};
use crate::deuds;
use crate::format::{PageKind, PageRule, Wrapper};
use crate::locate::ElementIndex;
use crate::locate::css::Css;
use crate::locate::page_fingerprint::{page_fingerprint, page_similarity};
use copal_dom::{Limit, Node, Page, Warning};
use copal_extract::located::{self, GivenList};
use copal_extract::{Answer, Parts};

/// Share of the expected cells that is enough to trust the first locators.
const ENOUGH_PRESENCE: f64 = 0.8;
/// How well the records of the first locators must fit the fingerprint to be accepted without a vote.
const SURE_FIT: f64 = 0.6;

/// Reads a page with a wrapper.
pub fn apply(wrapper: &Wrapper, page: &Page) -> Answer {
    let index = ElementIndex::new(&page.tree);
    let mut answer = None;
    for rule in rules_in_order(wrapper, page) {
        answer = match rule.kind {
            PageKind::List => read_list(page, &index, rule).map(|list| located::extraction(page, list)),
            PageKind::Detail => read_object(page, &index, rule),
            PageKind::Section => read_section(page, &index, rule),
        };
        if answer.as_ref().is_some_and(|answer| !answer.regions.is_empty() || answer.object.is_some()) {
            break;
        }
    }
    let nothing = GivenList { root: 0, records: Vec::new(), columns: Vec::new(), rows: Vec::new() };
    let mut answer = answer.unwrap_or_else(|| located::extraction(page, nothing));
    if index.is_spent() {
        answer.warnings.push(Warning::Limit(Limit::Work));
    }
    answer
}

/// The rules in their order, but those first whose samples resemble the page: while a site introduces a
/// redesign, some of its pages need the old rule and some the new one.
fn rules_in_order<'a>(wrapper: &'a Wrapper, page: &Page) -> Vec<&'a PageRule> {
    let mut rules: Vec<&PageRule> = wrapper.pages.iter().collect();
    if rules.len() > 1 {
        let found = page_fingerprint(page);
        let similarity = |rule: &&PageRule| {
            let known = rule.profile.as_ref().and_then(|profile| profile.page_fingerprint.as_deref());
            known.and_then(|known| page_similarity(known, &found)).unwrap_or(0.0)
        };
        rules.sort_by(|a, b| similarity(b).total_cmp(&similarity(a)));
    }
    rules
}

/// The data of a section. If the pattern matches several sections, a warning says so.
fn read_section(page: &Page, index: &ElementIndex<'_>, rule: &PageRule) -> Option<Answer> {
    let FoundSection { node, matches } = find_section(page, index, rule)?;
    let mut answer = deuds::read(page, node);
    answer.warnings.extend((matches > 1).then_some(Warning::SeveralSections { matches }));
    Some(answer)
}

/// The element of an object: the one that the most selectors find. Among equals, the one of the first
/// selector.
fn find_object(page: &Page, index: &ElementIndex<'_>, rule: &PageRule) -> Option<Node> {
    let found = rule.region.iter().filter_map(|css| Css::parse(css).ok());
    let nodes: Vec<Node> = found.filter_map(|css| css.select(index).first().copied()).collect();
    let votes = |node: Node| nodes.iter().filter(|&&other| other == node).count();
    let most = nodes.iter().map(|&node| votes(node)).max()?;
    nodes.iter().copied().find(|&node| votes(node) == most && page.styles.is_shown(node))
}

/// The object of a page, if the page has enough of the fields that the samples had.
fn read_object(page: &Page, index: &ElementIndex<'_>, rule: &PageRule) -> Option<Answer> {
    let node = find_object(page, index, rule)?;
    let list = read_rows(page, index, rule, node, vec![Parts::from_elem(node..page.tree.end(node), 1)]);
    if expected_presence(rule, &list.rows) < MIN_PRESENCE {
        return None;
    }
    let row = list.rows.into_iter().next()?;
    Some(located::object(page, list.columns.into_iter().zip(row).collect()))
}

fn read_list(page: &Page, index: &ElementIndex<'_>, rule: &PageRule) -> Option<GivenList> {
    let record = rule.record.as_ref()?;
    if let Some((root, mut parts)) = records_by_locators(page, index, &rule.region[0], record, 0) {
        let fingerprint = record.fingerprint.as_ref();
        if let Some(fingerprint) = fingerprint {
            fingerprint.retain(page, &mut parts);
        }
        let size_fit = fingerprint.map_or(1.0, |fingerprint| fingerprint.fit_sizes(page, &parts));
        if size_fit >= SURE_FIT && fingerprint.is_none_or(|fingerprint| fingerprint.is_alike(page, &parts)) {
            let presence = |read: &GivenList| expected_presence(rule, &read.rows);
            let text_fit = |read: &GivenList| {
                fingerprint.map_or(1.0, |fingerprint| fingerprint.fit_texts(page, &read.records))
            };
            let read = read_rows(page, index, rule, root, parts);
            // The texts are compared only if the columns are not conclusive.
            if presence(&read) >= ENOUGH_PRESENCE
                || (presence(&read) >= MIN_PRESENCE && size_fit * text_fit(&read) >= SURE_FIT)
            {
                return Some(read);
            }
        }
    }
    list_by_vote(page, index, rule, record)
}
