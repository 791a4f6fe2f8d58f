//! Joins the pieces of records that alternate as siblings: title row, byline row, title row, …
//!
//! In: a candidate whose records are adjacent children of one parent. Out: the same candidate with each group
//! of pieces joined to one record, if the shapes of its records repeat with a period of two, three or four
//! and neighbours are not alike. O(nodes of the records).

use crate::lists::candidate::{ListCandidate, one_part};
use crate::structure::measure::jaccard;
use crate::structure::record_shape::{Shape, Shapes};
use copal_dom::Page;
use copal_model::Parts;

/// Maximum number of parts of one record.
const MAX_PERIOD: usize = 4;
/// Minimum number of records after joining.
const MIN_JOINED_RECORDS: usize = 3;
/// How many parts are compared to find the period.
const COMPARED_PARTS: usize = 60;
/// How many parts are compared first. In most lists these show that neighbours are alike, and nothing is
/// joined.
const FIRST_PARTS: usize = 6;
/// Minimum similarity of parts that are one period apart.
const MIN_PERIOD_SIMILARITY: f64 = 0.6;
/// Maximum similarity of neighbours, as a share of that of parts one period apart.
const MAX_NEIGHBOUR_SIMILARITY: f64 = 0.4;

pub(super) fn join_alternating(page: &Page, shapes: &Shapes<'_>, found: &mut ListCandidate) {
    let records = &found.records;
    if records.len() < 2 * MIN_JOINED_RECORDS || !are_neighbours(page, records) {
        return;
    }
    let first: Vec<Shape> = records.iter().take(FIRST_PARTS).map(|parts| shapes.fine(parts)).collect();
    if first.windows(2).map(|pair| jaccard(&pair[0], &pair[1])).sum::<f64>()
        > MAX_NEIGHBOUR_SIMILARITY * (first.len() - 1) as f64
    {
        return;
    }
    let compared: Vec<Shape> = records.iter().take(COMPARED_PARTS).map(|parts| shapes.fine(parts)).collect();
    let apart = |lag: usize| {
        let pairs = compared.iter().zip(&compared[lag..]);
        pairs.map(|(a, b)| jaccard(a, b)).sum::<f64>() / (compared.len() - lag) as f64
    };
    let next = apart(1);
    if next > MAX_NEIGHBOUR_SIMILARITY {
        return;
    }
    let Some(period) =
        (2..=MAX_PERIOD).filter(|&lag| compared.len() >= MIN_JOINED_RECORDS * lag).find(|&lag| {
            let same = apart(lag);
            same >= MIN_PERIOD_SIMILARITY && next <= MAX_NEIGHBOUR_SIMILARITY * same
        })
    else {
        return;
    };
    // a record begins with its first part; an optional part can be missing
    let kinds = &compared[..period];
    let begins = |parts: &Parts| {
        let own = shapes.fine(parts);
        let like_first = jaccard(&own, &kinds[0]);
        kinds[1..].iter().all(|other| jaccard(&own, other) < like_first)
    };
    let mut joined: Vec<Parts> = Vec::with_capacity(records.len() / period + 1);
    for parts in records {
        let end = parts.last().map_or(0, |part| part.end);
        match joined.last_mut().and_then(|last| last.last_mut()) {
            Some(last) if !begins(parts) => last.end = end,
            _ => joined.push(one_part(parts[0].start..end)),
        }
    }
    if joined.len() >= MIN_JOINED_RECORDS {
        found.records = joined;
    }
}

/// True if each record is one range of children of the same parent, with nothing visible between them.
fn are_neighbours(page: &Page, records: &[Parts]) -> bool {
    let parent = page.tree.parent(records[0][0].start);
    records.iter().all(|parts| parts.len() == 1 && page.tree.parent(parts[0].start) == parent)
        && records.windows(2).all(|pair| {
            let between = pair[0][0].end..pair[1][0].start;
            between.start <= between.end && page.index.leaves(&between) == 0
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::{Limits, Node};

    fn joined(html: &str, tag: copal_dom::Tag) -> Vec<String> {
        let page = Page::from_text(html, &Limits::default());
        let tree = &page.tree;
        let rows: Vec<Node> = tree.nodes().filter(|&node| tree.tag(node) == tag).collect();
        let records = rows.iter().map(|&row| one_part(row..tree.end(row))).collect();
        let mut found = ListCandidate { root: 0, records, score: 0.0, attributes: Vec::new() };
        join_alternating(&page, &Shapes::new(&page), &mut found);
        found.records.iter().map(|parts| page.visible_text(parts[0].clone())).collect()
    }

    #[test]
    fn a_title_row_and_a_byline_row_are_one_record() {
        let story = |n: u32| {
            format!(
                "<tr><td>{n}<td><a href=/{n}>Story {n}</a><tr><td colspan=2>by <a href=/u><i>user{n}</i></a>, {n} points"
            )
        };
        let html = format!("<table>{}</table>", (1..6).map(story).collect::<String>());
        let records = joined(&html, copal_dom::tags::TR);
        assert_eq!((records.len(), records[1].as_str()), (5, "2 Story 2 by user2 , 2 points"));
    }

    #[test]
    fn rows_of_one_kind_stay() {
        let row = |n: u32| format!("<tr><td>{n}<td><a href=/{n}>Story {n}</a>");
        let html = format!("<table>{}</table>", (1..9).map(row).collect::<String>());
        assert_eq!(joined(&html, copal_dom::tags::TR).len(), 8);
    }

    #[test]
    fn a_missing_part_moves_no_boundary() {
        let story = |n: u32| {
            let note = if n == 3 { "" } else { "<p>noted <em>well</em>" };
            format!(
                "<div><h2><a href=/{n}>Story {n}</a></h2></div>{}",
                if note.is_empty() { String::new() } else { format!("<div>{note}</p></div>") }
            )
        };
        let html = format!("<body>{}", (1..9).map(story).collect::<String>());
        let records = joined(&html, copal_dom::tags::DIV);
        assert_eq!(
            (records.len(), records[2].as_str(), records[3].as_str()),
            (8, "Story 3", "Story 4 noted well")
        );
    }
}
