//! The data area of a detail page (thesis section 6.3, Algorithm 5).
//!
//! In: a [`Sheet`], its headline, and a list extractor's regions. Out: the lowest element around all lines that differ from page to page
//! and are neither boilerplate (Algorithm 6) nor in a list of other things; lines outside are marked. With one page alone, or
//! pages that are all equal, every line counts as different. In it values are looked for; the area that is told ([`told`]) is smaller:
//! what is around the headline, the labelled values, the long texts and the fields that were chosen. A breadcrumb, a seller's
//! name or a list of others that nothing gives away does not widen it. O(lines * depth).

use super::boilerplate;
use super::pairs::{How, Pair};
use super::sheet::Sheet;
use super::switches::Switches;
use crate::lists::candidate::{ListCandidate, RankedLists};
use crate::signals::zones::words::{OTHER_OBJECTS_TITLES, class_words};
use copal_dom::{NONE, Node, attrs, tags};
use copal_domain::Domain;
use copal_model::Role;
use copal_values::ValueType;
use copal_values::find;
use std::ops::Range;

/// What an area was made of.
pub(super) struct Area {
    /// The element.
    pub(super) node: Node,
    /// Lists of other things: numbers of the extractor's regions.
    pub(super) lists: Vec<usize>,
}

/// Finds the area and marks the lines outside of it.
pub(super) fn find_area(
    sheet: &mut Sheet<'_>,
    headline: Option<usize>,
    findings: &RankedLists,
    domain: Option<&Domain>,
    switches: &Switches,
) -> Option<Area> {
    let mut outside: Vec<Range<Node>> = Vec::new();
    if switches.boilerplate {
        let nodes = boilerplate::find(sheet, headline);
        outside.extend(nodes.into_iter().map(|node| node..sheet.page.tree.end(node)));
    }
    let mut others: Vec<Range<Node>> = Vec::new();
    let mut lists = Vec::new();
    if switches.lists {
        for (rank, found) in findings.regions.iter().enumerate() {
            let role = findings.role(rank);
            if is_of_others(sheet, headline, found, role, domain) {
                others.extend(found.records.iter().flatten().cloned());
                lists.push(rank);
            }
        }
    }
    mark(sheet, outside);
    mark(sheet, others.clone());
    let differs = |line: usize| !switches.dissimilarity || !sheet.is_static(line);
    let inside: Vec<usize> = (0..sheet.lines.len()).filter(|&line| !sheet.lines[line].outside).collect();
    let mut own: Vec<usize> = inside.iter().copied().filter(|&line| differs(line)).collect();
    if own.is_empty() {
        own = inside;
    }
    own.extend(headline);
    let node = common(sheet, &own)?;
    let range = node..sheet.page.tree.end(node);
    for line in &mut sheet.lines {
        line.outside |= !range.contains(&line.first());
    }
    // what differs from page to page may be the object's wherever it stands, unless it is another thing's
    let differs: Vec<bool> = (0..sheet.lines.len()).map(|line| !sheet.is_static(line)).collect();
    let doubtful = |line: usize| sheet.pages > 1 && sheet.lines[line].outside && differs[line];
    let doubtful: Vec<bool> = (0..sheet.lines.len()).map(doubtful).collect();
    for (line, doubtful) in sheet.lines.iter_mut().zip(doubtful) {
        line.doubtful = doubtful;
        line.outside &= !doubtful;
    }
    mark(sheet, others);
    Some(Area { node, lists })
}

/// Bytes of a text that is the object's own, label or not.
const LONG: usize = 100;
/// Lines before and behind the headline in which the price is looked for, and bytes of a line that is one.
const NEAR: usize = 40;
const PRICE: usize = 40;
/// Words in names of boxes about whoever offers the object.
const OFFERERS: &[&str] =
    &["agent", "agents", "seller", "dealer", "branch", "contact", "enquiry", "vendor", "agency"];

/// The area as it is told. `wide` is where values were looked for, `chosen` are the places of fields.
pub(super) fn told(
    sheet: &Sheet<'_>,
    headline: Option<usize>,
    pairs: &[Pair],
    wide: Node,
    chosen: &[Node],
) -> Node {
    let tree = &sheet.page.tree;
    let range = wide..tree.end(wide);
    let own = |line: usize| {
        let is = &sheet.lines[line];
        !is.outside
            && !is.doubtful
            && !sheet.is_static(line)
            && range.contains(&is.first())
            && !is_offerer(sheet, is.first())
    };
    // below a heading may stand a list of others, or one of them: there are links, or the heading is one
    let is_own = |pair: &&Pair| {
        let head = pair.lines.start.saturating_sub(1);
        let links = || sheet.lines[head..pair.lines.end].iter().any(|line| in_link(sheet, line.first()));
        !pair.fixed && (pair.how != How::Heading || !heads_others(&pair.label) && !links())
    };
    let labelled = pairs
        .iter()
        .filter(is_own)
        .filter_map(|pair| std::iter::once(pair.line).chain(pair.lines.clone()).find(|&line| own(line)));
    let long = (0..sheet.lines.len()).filter(|&line| sheet.lines[line].text.len() >= LONG);
    let mut lines: Vec<usize> = labelled.chain(long).filter(|&line| own(line)).collect();
    if lines.is_empty() {
        return wide;
    }
    let placed = |&node: &Node| sheet.lines_in(&(node..node + 1)).next();
    lines.extend(chosen.iter().filter_map(placed).filter(|&line| own(line)));
    lines.extend(headline.and_then(|line| price(sheet, line, &own)));
    lines.extend(headline.filter(|&line| range.contains(&sheet.lines[line].first())));
    common(sheet, &lines).unwrap_or(wide)
}

fn in_link(sheet: &Sheet<'_>, text: Node) -> bool {
    let tree = &sheet.page.tree;
    tree.ancestors(text).take(4).any(|above| tree.tag(above) == tags::A)
}

/// The price that stands nearest to the headline.
fn price(sheet: &Sheet<'_>, headline: usize, own: &dyn Fn(usize) -> bool) -> Option<usize> {
    let mut hits = Vec::new();
    let near = (1..NEAR).flat_map(|far| [Some(headline + far), headline.checked_sub(far)]).flatten();
    near.filter(|&line| line < sheet.lines.len()).find(|&line| {
        let text = &sheet.lines[line].text;
        // a sign or a code, before all recognisers are asked
        let signed = text
            .contains(|c: char| c == '$' || c == '£' || c == '¥' || ('\u{20a0}'..'\u{20c1}').contains(&c))
            || text.split(|c: char| !c.is_ascii_uppercase()).any(|code| code.len() == 3);
        if text.len() > PRICE || !signed || !text.contains(|c: char| c.is_ascii_digit()) || !own(line) {
            return false;
        }
        hits.clear();
        find(text, &mut hits);
        hits.iter().any(|hit| hit.value_type == ValueType::Money)
    })
}

/// In a box beside the object, about whoever offers it.
fn is_offerer(sheet: &Sheet<'_>, text: Node) -> bool {
    let tree = &sheet.page.tree;
    tree.ancestors(text).take_while(|&above| tree.tag(above) != tags::BODY).take(8).any(|above| {
        let names = [attrs::CLASS, attrs::ID].into_iter().filter_map(|name| tree.attr(above, name));
        tree.tag(above) == tags::ASIDE
            || names.flat_map(class_words).any(|word| OFFERERS.contains(&word.as_str()))
    })
}

/// True if a heading says that other things follow.
pub(super) fn heads_others(title: &str) -> bool {
    let title = title.to_lowercase();
    title.len() <= 80 && OTHER_OBJECTS_TITLES.iter().any(|words| title.contains(words))
}

fn mark(sheet: &mut Sheet<'_>, mut outside: Vec<Range<Node>>) {
    outside.sort_by_key(|range| range.start);
    let mut at = 0;
    let mut end: Node = 0;
    for line in &mut sheet.lines {
        let first = line.leaves.first().map_or(line.node, |leaf| leaf.node);
        while at < outside.len() && outside[at].start <= first {
            end = end.max(outside[at].end);
            at += 1;
        }
        line.outside |= first < end;
    }
}

/// The lowest element around the lines.
fn common(sheet: &Sheet<'_>, lines: &[usize]) -> Option<Node> {
    let tree = &sheet.page.tree;
    let first = lines.iter().map(|&line| sheet.lines[line].first()).min()?;
    let last = lines.iter().map(|&line| sheet.lines[line].last()).max()?;
    let mut node = if tree.is_text(first) { tree.parent(first) } else { first };
    while node != NONE && !tree.contains(node, last) {
        node = tree.parent(node);
    }
    (node != NONE).then_some(node)
}

/// A region shows other things than the page's object: its title says so, or its records are objects of their own.
fn is_of_others(
    sheet: &Sheet<'_>,
    headline: Option<usize>,
    found: &ListCandidate,
    role: Role,
    domain: Option<&Domain>,
) -> bool {
    let page = sheet.page;
    let holds = |node: Node| found.records.iter().flatten().any(|part| part.contains(&node));
    if found.records.len() < 2 || headline.is_some_and(|line| holds(sheet.lines[line].first())) {
        return false;
    }
    let pairs = |parts: &copal_model::Parts| {
        parts.first().is_some_and(|part| {
            let lines = sheet.lines_in(part);
            page.tree.tag(part.start) == tags::TR && lines.len() <= 2
                || sheet
                    .lines
                    .get(lines.start)
                    .is_some_and(|line| line.text.contains(':') && line.text.len() < 80)
        })
    };
    // labels and values of the object itself, whatever stands above them
    let pairs = found.records.iter().filter(|parts| pairs(parts)).count();
    if 3 * pairs >= found.records.len() {
        return false;
    }
    let title = title_of(sheet, found).to_lowercase();
    let secondary = domain.map_or(&[][..], |domain| &domain.secondary_titles);
    let says = OTHER_OBJECTS_TITLES.iter().any(|words| title.contains(words))
        || secondary.iter().any(|words| !words.is_empty() && title.contains(&words.to_lowercase()));
    if says && !title.is_empty() && title.len() <= 80 {
        return true;
    }
    // objects of their own: a link or picture each, and at least three texts
    if role == Role::Navigation || found.records.len() < 3 {
        return false;
    }
    let is_object = |parts: &copal_model::Parts| {
        let (mut linked, mut leaves, mut images) = (0, 0, 0);
        for part in parts {
            linked += page.index.link_chars(part);
            leaves += page.index.leaves(part);
            images += page.index.images(part);
        }
        linked > 0 && (leaves >= 3 || leaves >= 2 && images > 0)
    };
    let objects = found.records.iter().filter(|parts| is_object(parts)).count();
    5 * objects >= 4 * found.records.len()
}

/// The text right above a region, if it is short; or a word of its element's name.
fn title_of(sheet: &Sheet<'_>, found: &ListCandidate) -> String {
    let Some(first) = found.records.first().and_then(|parts| parts.first()) else { return String::new() };
    let at = sheet.lines_in(first).start;
    let above = at.checked_sub(1).map(|line| sheet.lines[line].text.as_str()).filter(|text| text.len() <= 80);
    let tree = &sheet.page.tree;
    let name = [attrs::ID, attrs::CLASS].into_iter().find_map(|name| tree.attr(found.root, name));
    let name =
        name.filter(|_| tree.tag(found.root) != tags::BODY).unwrap_or_default().replace(['-', '_'], " ");
    format!("{} {}", above.unwrap_or_default(), name.chars().take(30).collect::<String>())
}
