//! The area that users see: narrower than the data area in which values are searched.
//!
//! In: a page with its findings, and the nodes of the fields that were chosen. Out: the lowest element around
//! the headline, the labelled values, the long texts, the price near the headline and the chosen fields. A
//! breadcrumb, the name of a seller, or an unrecognised list of other objects differs between the pages too,
//! and would widen the data area to most of the page; here it does not count. O(lines * depth).

use super::detail_page::DetailPage;
use super::labelled_values::{LabelLayout, LabelledValue};
use super::other_objects::is_title_of_others;
use super::page_findings::PageFindings;
use crate::signals::zones::words::any_class_word;
use copal_dom::{Node, attrs, tags};
use copal_values::{ValueType, find};

/// Shortest text, in bytes, that belongs to the object without a label.
const MIN_LONG_TEXT_BYTES: usize = 100;
/// Distance from the headline, in lines, up to which the price is searched.
const MAX_PRICE_DISTANCE: usize = 40;
/// Longest line that is a price, in bytes.
const MAX_PRICE_BYTES: usize = 40;
/// Elements around a text that are searched for a box about a seller.
const SELLER_BOX_LEVELS: usize = 8;
/// Words in the class or id of boxes about whoever offers the object.
const SELLER_WORDS: &[&str] =
    &["agent", "agents", "seller", "dealer", "branch", "contact", "enquiry", "vendor", "agency"];

/// The area to report. `data_area` is where values were searched, `chosen` are the nodes of fields.
pub(super) fn reported_area(findings: &PageFindings<'_>, data_area: Node, chosen: &[Node]) -> Node {
    let PageFindings { page, headline, labelled, .. } = findings;
    let tree = &page.dom.tree;
    let area = data_area..tree.end(data_area);
    let is_own = |at: usize| {
        let line = &page.lines[at];
        !line.outside
            && !line.doubtful
            && !page.is_static(at)
            && area.contains(&line.first())
            && !is_in_seller_box(page, line.first())
    };
    let labelled = labelled.iter().filter(|value| is_own_value(page, value)).filter_map(|value| {
        std::iter::once(value.line).chain(value.lines.clone()).find(|&line| is_own(line))
    });
    let long = (0..page.lines.len()).filter(|&line| page.lines[line].text.len() >= MIN_LONG_TEXT_BYTES);
    let mut lines: Vec<usize> = labelled.chain(long).filter(|&line| is_own(line)).collect();
    if lines.is_empty() {
        return data_area;
    }
    let line_of = |&node: &Node| page.lines_in(&(node..node + 1)).next();
    lines.extend(chosen.iter().filter_map(line_of).filter(|&line| is_own(line)));
    lines.extend(headline.and_then(|line| price_near(page, line, &is_own)));
    lines.extend(headline.filter(|&line| area.contains(&page.lines[line].first())));
    page.element_around(&lines).unwrap_or(data_area)
}

/// False for values of the template, and for a section below a heading that may be about other objects: its
/// heading says so, or the heading or the section contains links.
fn is_own_value(page: &DetailPage<'_>, value: &LabelledValue) -> bool {
    let heading = value.lines.start.saturating_sub(1);
    let links = || page.lines[heading..value.lines.end].iter().any(|line| page.is_in_link(line.first()));
    !value.is_static
        && (value.layout != LabelLayout::Heading || !is_title_of_others(&value.label) && !links())
}

/// The line of the price that is nearest to the headline.
pub(super) fn price_near(
    page: &DetailPage<'_>,
    headline: usize,
    is_own: &dyn Fn(usize) -> bool,
) -> Option<usize> {
    let mut hits = Vec::new();
    let near = (1..MAX_PRICE_DISTANCE)
        .flat_map(|distance| [Some(headline + distance), headline.checked_sub(distance)])
        .flatten();
    near.filter(|&line| line < page.lines.len()).find(|&line| {
        let text = &page.lines[line].text;
        if text.len() > MAX_PRICE_BYTES {
            return false;
        }
        // The recognisers are expensive, so a line must have a currency symbol or code before they run.
        let has_currency = text
            .contains(|c: char| c == '$' || c == '£' || c == '¥' || ('\u{20a0}'..'\u{20c1}').contains(&c))
            || text.split(|c: char| !c.is_ascii_uppercase()).any(|code| code.len() == 3);
        let has_digit = text.contains(|c: char| c.is_ascii_digit());
        if !has_currency || !has_digit || !is_own(line) {
            return false;
        }
        hits.clear();
        find(text, &mut hits);
        hits.iter().any(|hit| hit.value_type == ValueType::Money)
    })
}

/// True if a text is in a box beside the object, about whoever offers it.
fn is_in_seller_box(page: &DetailPage<'_>, text: Node) -> bool {
    let tree = &page.dom.tree;
    let boxes = tree.ancestors(text).take_while(|&above| tree.tag(above) != tags::BODY);
    boxes.take(SELLER_BOX_LEVELS).any(|above| {
        let mut names = [attrs::CLASS, attrs::ID].into_iter().filter_map(|name| tree.attr(above, name));
        tree.tag(above) == tags::ASIDE
            || names.any(|name| any_class_word(name, |word| SELLER_WORDS.contains(&word)))
    })
}
