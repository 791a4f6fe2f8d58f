//! The headings above the parts of a list.
//!
//! In: the records of a list in document order. Out: for each record the headings of its part, such as a year,
//! a day or a category: "2021", or "2021" and "May" if there are two levels. Headings are looked for between
//! records. A kind of heading (same tag, same path) counts only if one of it precedes the first record too:
//! what is between records may also be an advert, but then nothing like it is above the list. Where no part
//! has a heading element, a short line of its own between the parts is one, for example a table row of one
//! cell. O(nodes between the records), with a budget.

use super::line_text::line_text;
use copal_dom::{Node, Page, Tag, attrs, tags};
use copal_model::Parts;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::ops::Range;

/// Maximum length of a heading in characters.
const MAX_SECTION_HEADING_CHARS: u32 = 120;
/// Maximum number of nodes that are examined between the records of a list.
const MAX_NODES_BETWEEN: usize = 100_000;
/// Maximum number of nodes before the list in which the first heading is looked for.
const MAX_NODES_BEFORE: Node = 3000;
/// Maximum share of records that begin a section. With more, the headings are titles of records.
const MAX_SECTIONS_PER_RECORD: f64 = 0.8;
/// Minimum share of headings that differ from the others. "Advertisement" and "Back to top" repeat.
const MIN_DISTINCT_HEADINGS: f64 = 0.6;
/// The level of lines that are not heading elements.
const LINE_LEVEL: u8 = 7;

/// The headings of one record's part of the list, outermost first.
pub(crate) type RecordHeadings = SmallVec<[Node; 2]>;

/// Headings of one kind are at the same place of equal containers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct HeadingKind {
    tag: Tag,
    path: u32,
    /// The class, for lines: nothing else tells them from other texts.
    class: u32,
}

#[derive(Debug, Clone, Copy)]
struct SectionHeading {
    node: Node,
    /// As of `h1` to `h6`.
    level: u8,
    kind: HeadingKind,
}

/// The headings of each record, or `None` if the list is not divided by headings.
pub(crate) fn section_headings(page: &Page, records: &[Parts]) -> Option<Vec<RecordHeadings>> {
    let gaps = gaps(records)?;
    let first = records.first()?.first()?.start;
    let mut budget = MAX_NODES_BETWEEN;
    let mut between: Vec<(usize, SmallVec<[SectionHeading; 2]>)> = Vec::new();
    for (record, gap) in gaps.into_iter().enumerate().map(|(at, gap)| (at + 1, gap)) {
        if page.index.leaves(&gap) == 0 {
            continue;
        }
        budget = budget.checked_sub(gap.len())?;
        let mut found = heading_elements(page, &gap);
        if found.is_empty() {
            found.extend(heading_line(page, &gap));
        }
        if !found.is_empty() {
            between.push((record, found));
        }
    }
    if between.is_empty() {
        return None;
    }
    let above = headings_above(page, first, &between);
    // a line is a heading only where there is no better one
    let has_elements = above.iter().any(|heading| heading.level < LINE_LEVEL);
    let is_used = |heading: &SectionHeading| {
        above.iter().any(|other| other.kind == heading.kind) && (heading.level < LINE_LEVEL || !has_elements)
    };
    let mut stack: SmallVec<[SectionHeading; 2]> = SmallVec::new();
    above.iter().filter(|heading| is_used(heading)).for_each(|&heading| push(&mut stack, heading));
    let mut headings: Vec<RecordHeadings> = Vec::with_capacity(records.len());
    let mut texts: FxHashSet<String> = FxHashSet::default();
    let mut sections = 1;
    texts.insert(heading_text(page, &nodes_of(&stack)));
    let mut between = between.into_iter().peekable();
    for record in 0..records.len() {
        if let Some((_, found)) = between.next_if(|(at, _)| *at == record) {
            let used: SmallVec<[SectionHeading; 2]> = found.into_iter().filter(|one| is_used(one)).collect();
            if !used.is_empty() {
                used.into_iter().for_each(|heading| push(&mut stack, heading));
                texts.insert(heading_text(page, &nodes_of(&stack)));
                sections += 1;
            }
        }
        headings.push(nodes_of(&stack));
    }
    let is_divided = sections >= 2
        && f64::from(sections) <= MAX_SECTIONS_PER_RECORD * records.len() as f64
        && texts.len() >= 2
        && texts.len() as f64 >= MIN_DISTINCT_HEADINGS * f64::from(sections);
    is_divided.then_some(headings)
}

/// The text of the headings of a record.
pub(crate) fn heading_text(page: &Page, headings: &[Node]) -> String {
    let mut text = String::new();
    for &heading in headings {
        if !text.is_empty() {
            text.push_str(" / ");
        }
        text.push_str(&line_text(page, heading..page.tree.end(heading)));
    }
    text
}

fn nodes_of(stack: &[SectionHeading]) -> RecordHeadings {
    stack.iter().map(|heading| heading.node).collect()
}

/// A heading ends the sections of its own level and of those below.
fn push(stack: &mut SmallVec<[SectionHeading; 2]>, heading: SectionHeading) {
    while stack.last().is_some_and(|last| last.level >= heading.level) {
        stack.pop();
    }
    stack.push(heading);
}

/// What is between the records. `None` if records are interleaved.
fn gaps(records: &[Parts]) -> Option<Vec<Range<Node>>> {
    let mut gaps = Vec::with_capacity(records.len());
    let mut end = None;
    for parts in records {
        let (start, own_end) = (parts.first()?.start, parts.iter().map(|part| part.end).max()?);
        if let Some(end) = end {
            gaps.push(end..start);
            if start < end {
                return None;
            }
        }
        end = Some(own_end);
    }
    Some(gaps)
}

/// The heading elements in a range of nodes.
fn heading_elements(page: &Page, gap: &Range<Node>) -> SmallVec<[SectionHeading; 2]> {
    let mut found = SmallVec::new();
    let mut at = gap.start;
    while at < gap.end {
        match heading_element(page, at).filter(|_| page.tree.end(at) <= gap.end) {
            Some(heading) => {
                found.push(heading);
                at = page.tree.end(at);
            }
            None => at += 1,
        }
    }
    found
}

/// The heading that an element is.
fn heading_element(page: &Page, node: Node) -> Option<SectionHeading> {
    let tag = page.tree.tag(node);
    let level = if tags::is_heading(tag) {
        page.tree.tag_name(node).bytes().last().map_or(LINE_LEVEL - 1, |digit| digit.wrapping_sub(b'0'))
    } else if matches!(tag, tags::CAPTION | tags::SUMMARY | tags::LEGEND)
        || page.tree.attr(node, attrs::ROLE) == Some("heading")
    {
        LINE_LEVEL - 1
    } else {
        return None;
    };
    let kind = HeadingKind { tag, path: page.index.path(node), class: 0 };
    is_readable(page, node).then_some(SectionHeading { node, level, kind })
}

/// True for a visible text that is short enough.
fn is_readable(page: &Page, node: Node) -> bool {
    let chars = page.index.chars(&(node..page.tree.end(node)));
    page.styles.is_shown(node) && (1..=MAX_SECTION_HEADING_CHARS).contains(&chars)
}

/// The only line in a range of nodes, if it can be a heading.
fn heading_line(page: &Page, gap: &Range<Node>) -> Option<SectionHeading> {
    let tree = &page.tree;
    if page.index.chars(gap) > 2 * MAX_SECTION_HEADING_CHARS {
        return None;
    }
    let mut line = None;
    let mut at = gap.start;
    while at < gap.end {
        let end = tree.end(at);
        // an element that contains the next record too
        if end > gap.end {
            at += 1;
            continue;
        }
        if page.index.leaves(&(at..end)) > 0 && !is_table_head(page, at) {
            if tree.is_text(at) || line.is_some() {
                return None;
            }
            line = Some(at);
        }
        at = end;
    }
    line.and_then(|node| line_heading(page, node))
}

/// The heading that an element is if it is the only one between two records.
fn line_heading(page: &Page, node: Node) -> Option<SectionHeading> {
    let tree = &page.tree;
    let nodes = node..tree.end(node);
    let has_text = |&cell: &Node| page.index.leaves(&(cell..tree.end(cell))) > 0;
    let is_whole_row = tree.tag(node) != tags::TR || tree.elements(node).filter(has_text).count() == 1;
    // a link alone is "view all" of the section above
    let is_link = page.index.link_chars(&nodes) == page.index.chars(&nodes);
    let kind =
        HeadingKind { tag: tree.tag(node), path: page.index.path(node), class: page.index.class(node) };
    (is_whole_row && !is_link && page.index.images(&nodes) == 0 && is_readable(page, node))
        .then_some(SectionHeading { node, level: LINE_LEVEL, kind })
}

/// True for the names of a table's columns.
fn is_table_head(page: &Page, node: Node) -> bool {
    let tree = &page.tree;
    let is_header = |cell: Node| tree.tag(cell) == tags::TH;
    tree.tag(node) == tags::THEAD
        || tree.tag(node) == tags::TR && tree.elements(node).count() > 1 && tree.elements(node).all(is_header)
}

/// The nearest heading above the list of each kind that is between records, in document order.
fn headings_above(
    page: &Page,
    first: Node,
    between: &[(usize, SmallVec<[SectionHeading; 2]>)],
) -> Vec<SectionHeading> {
    let mut wanted: FxHashMap<HeadingKind, u8> = FxHashMap::default();
    let mut counts: FxHashMap<HeadingKind, usize> = FxHashMap::default();
    for heading in between.iter().flat_map(|(_, found)| found) {
        *counts.entry(heading.kind).or_default() += 1;
        wanted.insert(heading.kind, heading.level);
    }
    // a single line without a class can be anything
    wanted.retain(|kind, level| {
        *level < LINE_LEVEL || kind.class != 0 || kind.tag == tags::TR || counts[kind] > 1
    });
    let mut above: Vec<SectionHeading> = Vec::new();
    for node in (first.saturating_sub(MAX_NODES_BEFORE)..first).rev() {
        if wanted.is_empty() {
            break;
        }
        if page.tree.is_text(node) || page.tree.end(node) > first {
            continue;
        }
        let of_kind = |kind: &HeadingKind, level: u8| {
            kind.tag == page.tree.tag(node)
                && kind.path == page.index.path(node)
                && (level < LINE_LEVEL || kind.class == page.index.class(node))
        };
        let Some((kind, level)) =
            wanted.iter().find(|(kind, level)| of_kind(kind, **level)).map(|(k, l)| (*k, *l))
        else {
            continue;
        };
        let heading = if level < LINE_LEVEL { heading_element(page, node) } else { line_heading(page, node) };
        if let Some(heading) = heading {
            wanted.remove(&kind);
            above.push(SectionHeading { kind, ..heading });
        }
    }
    above.reverse();
    above
}

#[cfg(test)]
mod tests {
    use super::{heading_text, section_headings};
    use copal_dom::{Limits, Page};
    use copal_model::Parts;
    use smallvec::smallvec;

    /// The headings of the elements with the class `r`.
    fn headings(html: &str) -> Option<Vec<String>> {
        let page = Page::from_text(html, &Limits::default());
        let is_record = |&node: &u32| page.tree.attr_named(node, "class") == Some("r");
        let records: Vec<Parts> =
            page.tree.nodes().filter(is_record).map(|node| smallvec![node..page.tree.end(node)]).collect();
        let found = section_headings(&page, &records)?;
        Some(found.iter().map(|nodes| heading_text(&page, nodes)).collect())
    }

    fn items(count: usize) -> String {
        "<li class=r>A record</li>".repeat(count)
    }

    #[test]
    fn headings_divide_lists() {
        let (two, three) = (items(2), items(3));
        let wanted = Some(["2021", "2021", "2020", "2020", "2020"].map(str::to_owned).to_vec());
        for html in [
            format!("<main><h2>2021</h2><ul>{two}</ul><h2>2020</h2><ul>{three}</ul></main>"),
            format!(
                "<section><h3>2021</h3><ul>{two}</ul></section><section><h3>2020</h3><ul>{three}</ul></section>"
            ),
            format!("<ol><h2>2021</h2>{two}<h2>2020</h2>{three}</ol>"),
            format!("<p class=y><b>2021</b></p><ul>{two}</ul><p class=y><b>2020</b></p><ul>{three}</ul>"),
        ] {
            assert_eq!(headings(&html), wanted, "{html}");
        }
        let row = "<tr class=r><td>Lamp<td>4</tr>";
        let year = |year: u32| format!("<tr><td colspan=2>{year}</td></tr>");
        let table = format!("<table>{}{row}{row}{}{row}{row}{row}</table>", year(2021), year(2020));
        assert_eq!(headings(&table), wanted);
        let tables = |year: u32, rows: &str| {
            format!("<h2>{year}</h2><table><thead><tr><th>Name<th>Price</thead><tbody>{rows}</table>")
        };
        let both = tables(2021, &row.repeat(2)) + &tables(2020, &row.repeat(3));
        assert_eq!(headings(&both), wanted);
    }

    #[test]
    fn two_levels_are_joined() {
        let html = format!(
            "<h2>2021</h2><h3>May</h3><ul>{0}</ul><h3>June</h3><ul>{0}</ul><h2>2020</h2><h3>May</h3><ul>{0}</ul>",
            items(2)
        );
        let found = headings(&html).unwrap();
        assert_eq!([&found[0], &found[2], &found[4]], ["2021 / May", "2021 / June", "2020 / May"]);
    }

    #[test]
    fn other_texts_between_records_are_not_headings() {
        let two = items(2);
        for html in [
            // nothing like it above the list
            format!("<h1>Lamps</h1><ul>{two}<li><h3>Our newsletter</h3></li>{two}</ul>"),
            // the same each time
            format!("<ul><li><h3>Advert</h3></li>{two}<li><h3>Advert</h3></li>{two}</ul>"),
            // titles of single records
            format!("<h2>A</h2>{0}<h2>B</h2>{0}<h2>C</h2>{0}", items(1)),
            // an offer that has no class in common with the line above the list
            format!("<p class=a>Home, lamps</p><ul>{two}</ul><p>Save this search</p><ul>{two}</ul>"),
            // the link to all of the section above
            format!("<p><a href=/a>All A</a></p><ul>{two}</ul><p><a href=/b>All B</a></p><ul>{two}</ul>"),
            format!("<h2>A</h2><ul>{two}{two}</ul>"),
            String::new(),
        ] {
            assert_eq!(headings(&html), None, "{html}");
        }
    }
}
