//! Lists of other objects on a detail page: similar products, reviews, properties sold nearby.
//!
//! In: a [`DetailPage`] and a list that the list extractor found on it. Out: whether the list shows other
//! objects. Either its title says so, or its records look like objects of their own. A table of the object's
//! own labels and values is not such a list. O(records).

use super::detail_page::DetailPage;
use super::labelled_values::section_lines;
use crate::lists::candidate::ListCandidate;
use crate::signals::zones::titles_of_others::announces_other_objects;
use copal_dom::{Node, attrs, tags};
use copal_domain::Domain;
use copal_model::{Parts, Role};
use std::ops::Range;

/// Longest title of a list, in bytes.
const MAX_HEADING_BYTES: usize = 80;
/// Sections about other objects that are looked for.
const MAX_FOREIGN_SECTIONS: usize = 40;
/// Characters of an element's class or id that count as its title.
const MAX_CLASS_TITLE_CHARS: usize = 30;

/// True if a heading announces other objects.
pub(super) fn is_title_of_others(title: &str) -> bool {
    let title = title.to_lowercase();
    title.len() <= MAX_HEADING_BYTES && announces_other_objects(&title)
}

/// Parts of a page that are not about its object.
pub(super) struct ForeignParts {
    /// The lines of sections about other objects.
    pub(super) sections: Vec<Range<usize>>,
    /// The nodes of forms that ask for something about the reader.
    pub(super) forms: Vec<Range<Node>>,
}

/// The lines of sections whose heading announces other objects. The section with the headline is the
/// object's own, whatever its heading says. O(headings + lines) on real pages.
pub(super) fn sections_of_others(page: &DetailPage<'_>, headline: Option<usize>) -> Vec<Range<usize>> {
    let tree = &page.dom.tree;
    let headings: Vec<Node> = tree.nodes().filter(|&node| tags::is_heading(tree.tag(node))).collect();
    let is_of_others = |&at: &usize| {
        page.only_line_of(headings[at]).is_some_and(|line| is_title_of_others(&page.lines[line].text))
    };
    let sections = (0..headings.len()).filter(is_of_others).take(MAX_FOREIGN_SECTIONS);
    let sections = sections.map(|at| section_lines(page, &headings[at..]));
    sections.filter(|lines| headline.is_none_or(|headline| !lines.contains(&headline))).collect()
}

/// True if a list shows other objects than the one of the page.
pub(super) fn is_list_of_others(
    page: &DetailPage<'_>,
    headline: Option<usize>,
    list: &ListCandidate,
    role: Role,
    domain: Option<&Domain>,
) -> bool {
    let holds = |node: Node| list.records.iter().flatten().any(|part| part.contains(&node));
    if list.records.len() < 2 || headline.is_some_and(|line| holds(page.lines[line].first())) {
        return false;
    }
    // Labels and values belong to the object itself, whatever the title above them says.
    let labelled_count = list.records.iter().filter(|parts| is_label_with_value(page, parts)).count();
    if 3 * labelled_count >= list.records.len() {
        return false;
    }
    let title = title_of(page, list).to_lowercase();
    let domain_titles = domain.map_or(&[][..], |domain| &domain.secondary_titles);
    let announced = announces_other_objects(&title)
        || domain_titles.iter().any(|words| !words.is_empty() && title.contains(&words.to_lowercase()));
    if announced && !title.is_empty() && title.len() <= MAX_HEADING_BYTES {
        return true;
    }
    if role == Role::Navigation || list.records.len() < 3 {
        return false;
    }
    let objects = list.records.iter().filter(|parts| looks_like_object(page, parts)).count();
    5 * objects >= 4 * list.records.len()
}

/// True if a record is a short table row, or begins with "Label: value".
fn is_label_with_value(page: &DetailPage<'_>, record: &Parts) -> bool {
    record.first().is_some_and(|part| {
        let lines = page.lines_in(part);
        page.dom.tree.tag(part.start) == tags::TR && lines.len() <= 2
            || page
                .lines
                .get(lines.start)
                .is_some_and(|line| line.text.contains(':') && line.text.len() < MAX_HEADING_BYTES)
    })
}

/// True if a record has a link and at least three texts, or two texts and an image.
fn looks_like_object(page: &DetailPage<'_>, record: &Parts) -> bool {
    let (mut link_chars, mut leaves, mut images) = (0, 0, 0);
    for part in record {
        link_chars += page.dom.index.link_chars(part);
        leaves += page.dom.index.leaves(part);
        images += page.dom.index.images(part);
    }
    link_chars > 0 && (leaves >= 3 || leaves >= 2 && images > 0)
}

/// The line right above a list, if it is short, and the id or class of the list's element.
fn title_of(page: &DetailPage<'_>, list: &ListCandidate) -> String {
    let Some(first) = list.records.first().and_then(|parts| parts.first()) else { return String::new() };
    let at = page.lines_in(first).start;
    let above = at.checked_sub(1).map(|line| page.lines[line].text.as_str());
    let above = above.filter(|text| text.len() <= MAX_HEADING_BYTES);
    let tree = &page.dom.tree;
    let name = [attrs::ID, attrs::CLASS].into_iter().find_map(|name| tree.attr(list.root, name));
    let name =
        name.filter(|_| tree.tag(list.root) != tags::BODY).unwrap_or_default().replace(['-', '_'], " ");
    format!("{} {}", above.unwrap_or_default(), name.chars().take(MAX_CLASS_TITLE_CHARS).collect::<String>())
}
