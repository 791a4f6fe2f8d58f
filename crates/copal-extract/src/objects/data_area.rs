//! The data area of a detail page: where values are searched (thesis section 6.3, Algorithm 5).
//!
//! In: a [`DetailPage`], its headline, and the ranked lists of the page. Out: the lowest element around all
//! lines that differ between the pages and are neither boilerplate (Algorithm 6) nor in a list of other
//! objects. Lines outside it are marked. With a single page, or with pages that are all equal, every line
//! counts as different. The area that users see is narrower: see `reported_area.rs`. O(lines * depth).

use super::boilerplate;
use super::detail_page::DetailPage;
use super::other_objects::is_list_of_others;
use super::switches::Switches;
use super::template_places::TemplatePlaces;
use crate::lists::candidate::RankedLists;
use copal_dom::Node;
use copal_domain::Domain;
use std::ops::Range;

/// The data area of a page.
pub(super) struct DataArea {
    pub(super) node: Node,
    /// Lists of other objects, by their rank.
    pub(super) other_lists: Vec<usize>,
}

/// Finds the data area and marks the lines outside it. `places` are known without searching for
/// lists.
pub(super) fn find_data_area(
    page: &mut DetailPage<'_>,
    headline: Option<usize>,
    ranked: &RankedLists,
    domain: Option<&Domain>,
    places: Option<&TemplatePlaces>,
    switches: &Switches,
) -> Option<DataArea> {
    let mut boilerplate_parts: Vec<Range<Node>> = Vec::new();
    if switches.boilerplate {
        let nodes = boilerplate::find(page, headline);
        boilerplate_parts.extend(nodes.into_iter().map(|node| node..page.dom.tree.end(node)));
    }
    let mut other_parts: Vec<Range<Node>> = Vec::new();
    let mut other_lists = Vec::new();
    if switches.lists {
        for (rank, list) in ranked.regions.iter().enumerate() {
            if is_list_of_others(page, headline, list, ranked.role_beside_object(rank), domain) {
                other_parts.extend(list.records.iter().flatten().cloned());
                other_lists.push(rank);
            }
        }
    }
    other_parts.extend(places.into_iter().flat_map(|places| places.parts(page, headline)));
    mark_outside(page, boilerplate_parts);
    mark_outside(page, other_parts.clone());
    let differs = |line: usize| !switches.dissimilarity || !page.is_static(line);
    let inside: Vec<usize> = (0..page.lines.len()).filter(|&line| !page.lines[line].outside).collect();
    let mut own: Vec<usize> = inside.iter().copied().filter(|&line| differs(line)).collect();
    if own.is_empty() {
        own = inside;
    }
    own.extend(headline);
    let node = page.element_around(&own)?;
    let area = node..page.dom.tree.end(node);
    for line in &mut page.lines {
        line.outside |= !area.contains(&line.first());
    }
    // What differs between the pages may belong to the object wherever it is, unless it belongs to another
    // object.
    let is_doubtful = |line: usize| page.page_count > 1 && page.lines[line].outside && !page.is_static(line);
    let doubtful: Vec<bool> = (0..page.lines.len()).map(is_doubtful).collect();
    for (line, doubtful) in page.lines.iter_mut().zip(doubtful) {
        line.doubtful = doubtful;
        line.outside &= !doubtful;
    }
    mark_outside(page, other_parts);
    Some(DataArea { node, other_lists })
}

/// Marks the lines that begin in one of the parts.
fn mark_outside(page: &mut DetailPage<'_>, mut parts: Vec<Range<Node>>) {
    parts.sort_by_key(|part| part.start);
    let mut at = 0;
    let mut end: Node = 0;
    for line in &mut page.lines {
        let first = line.first();
        while at < parts.len() && parts[at].start <= first {
            end = end.max(parts[at].end);
            at += 1;
        }
        line.outside |= first < end;
    }
}
