//! What a page is: a list, one object's own page, or neither.
//!
//! In: a page with its list findings, headline, pairs and declared things. Out: [`PageKind`] with a confidence. A list is what the list extractor is
//! sure of; an object's page has a headline, labels with values, a declared thing, a price; the two are weighed against each
//! other. A long text with none of these (an article) is neither.

use super::pairs::{How, Pair};
use super::sheet::Sheet;
use crate::lists::candidate::RankedLists;
use crate::signals::declared::{Declared, schema};
use crate::signals::scripts::objects::Objects;
use copal_dom::{Node, tags};
use copal_model::PageKind;
use copal_model::{Parts, Role};

/// Length of a paragraph of running text; several of them make a page that says it is an article one, many make any page one.
const PARAGRAPH: usize = 200;
const SEVERAL: usize = 6;
const MANY: usize = 12;

/// What speaks for each kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Evidence {
    /// How sure the list extractor is of a main list.
    pub(super) list: f64,
    /// What speaks for one object, from 0 up.
    pub(super) object: f64,
}

pub(super) fn evidence(
    sheet: &Sheet<'_>,
    findings: &RankedLists,
    headline: Option<usize>,
    pairs: &[Pair],
    declared: &Declared<'_>,
) -> Evidence {
    let primary = (0..findings.regions.len()).find(|&rank| findings.role(rank) == Role::Primary);
    // labels with their values are the object's own table
    let primary = primary.filter(|&rank| !is_table_of_labels(&findings.regions[rank].records, pairs));
    let list = primary.map_or(0.0, |rank| findings.confidence(rank).unwrap_or(0.6));
    let records = primary.map(|rank| &findings.regions[rank].records);
    let in_list = |node| {
        records.is_some_and(|records| {
            records.iter().flatten().any(|part: &std::ops::Range<u32>| part.contains(&node))
        })
    };
    let own = pairs
        .iter()
        .filter(|pair| pair.how != How::Heading && !sheet.lines[pair.line].outside)
        .filter(|pair| list < 0.5 || !in_list(pair.node))
        .count();
    let things = declared.things();
    let is_text = |thing: &Objects| thing.kind.as_deref().is_some_and(schema::is_text);
    let objects = things.iter().filter(|thing| thing.kind.is_some() && !is_text(thing)).count();
    let tree = &sheet.page.tree;
    let page_type = declared.open_graph_types().next();
    let article =
        page_type.is_some_and(|kind| kind.eq_ignore_ascii_case("article")) || things.iter().any(is_text);
    let mut object = 0.18 * own.min(10) as f64;
    object += match objects {
        1 | 2 => 1.5,
        3.. => 0.4,
        _ => 0.0,
    };
    let paragraphs =
        sheet.lines.iter().filter(|line| !line.outside && line.text.len() >= PARAGRAPH).take(MANY).count();
    // running text has sentences with a colon and headings of its own: they are no labels of an object
    object -= match (article, paragraphs) {
        _ if objects > 0 => 0.0,
        (true, SEVERAL..) => 2.3,
        (false, MANY..) => 1.5,
        _ => 0.0,
    };
    object += match page_type {
        Some(kind) if schema::is_open_graph_object(kind) => 1.0,
        Some("article" | "Article" | "website" | "blog") | None => 0.0,
        Some(_) => 0.2,
    };
    if let Some(line) = headline {
        let first = sheet.lines[line].first();
        let is_h1 = tree.ancestors(first).take(3).any(|above| tree.tag(above) == tags::H1);
        object += if is_h1 { 0.4 } else { 0.2 };
        object -= if in_list(first) { 0.6 } else { 0.0 };
    }
    Evidence { list, object }
}

/// Most rows of an object's table, and the share of them that are a label with its value.
const ROWS: usize = 60;
const LABELLED: f64 = 0.8;
/// Longest value, in characters.
const VALUE: usize = 120;

/// True if nearly every record is a label with a short value and nothing else.
fn is_table_of_labels(records: &[Parts], pairs: &[Pair]) -> bool {
    if records.len() > ROWS {
        return false;
    }
    let labelled = |record: &&Parts| {
        let inside = |node: Node| record.iter().any(|part| part.contains(&node));
        let mut own = pairs.iter().filter(|pair| pair.how != How::Heading && inside(pair.node));
        let (Some(pair), None) = (own.next(), own.next()) else { return false };
        let chars: usize = pair.values.iter().map(|value| value.chars().count()).sum();
        chars <= VALUE
    };
    records.iter().filter(labelled).count() as f64 >= LABELLED * records.len() as f64
}

/// The kind that the evidence says, and how likely it is.
pub(super) fn kind(evidence: Evidence) -> (PageKind, f64) {
    let Evidence { list, object } = evidence;
    let weights = [
        (PageKind::List, 5.0 * list - 0.8 * object),
        (PageKind::Object, 2.2 * object - 1.8 * list),
        (PageKind::Nothing, 1.6),
    ];
    let total: f64 = weights.iter().map(|(_, weight)| weight.exp()).sum();
    let best = weights.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((PageKind::Nothing, 0.0));
    (best.0, best.1.exp() / total)
}
