//! Whether a labelled value or a line belongs to the object rather than to the page around it.
//!
//! In: a page without a domain, and what was found on it. Out: yes or no. Labels are everywhere: in forms
//! ("Email:"), above menus ("Living room"), above comments. What speaks against a value: it is in a control,
//! it consists of links, it is announced as something else, or it is a section that only repeats fields.
//! O(lines of the value).

use super::detail_page::DetailPage;
use super::labelled_values::{LabelLayout, LabelledValue};
use super::other_objects::is_title_of_others;
use copal_dom::{Node, tags};
use copal_values::labels::is_label;

/// Elements around a text that are searched for a control.
const CONTROL_ELEMENTS: usize = 5;
/// Lines of a section that is a value.
const MAX_SECTION_LINES: usize = 30;
/// Links of a section that is an enumeration. More are a menu.
const MAX_LINKS_IN_SECTION: usize = 5;
/// Characters of a section whose links do not count. A short one is a category or an author.
const MIN_LINKED_SECTION_CHARS: u32 = 60;
/// Shortest section that is a value, in bytes. Shorter ones are buttons and counters.
const MIN_SECTION_BYTES_OF_FIELD: usize = 20;
/// Labelled values in a section from which it is only their heading.
const MAX_LABELS_IN_SECTION: usize = 2;

/// True if a labelled value belongs to the object.
pub(super) fn is_own_value(page: &DetailPage<'_>, value: &LabelledValue, all: &[LabelledValue]) -> bool {
    let line = &page.lines[value.line];
    let is_heading = value.layout == LabelLayout::Heading;
    let is_explicit = !is_heading && value.layout != LabelLayout::AfterLabelLine;
    if line.outside && !is_explicit || line.is_head || is_in_control(page, value.node) {
        return false;
    }
    if !is_heading {
        // Several links after a label are an enumeration; many are a menu.
        let most = if line.outside { MAX_LINKS_IN_SECTION } else { MAX_SECTION_LINES };
        return !is_mostly_links(page, value) || value.texts.len() <= most;
    }
    let bytes: usize = value.texts.iter().map(String::len).sum();
    bytes >= MIN_SECTION_BYTES_OF_FIELD && is_own_heading_value(page, value, all)
}

/// True if a section of any length may be the value of its heading.
pub(super) fn is_own_heading_value(
    page: &DetailPage<'_>,
    value: &LabelledValue,
    all: &[LabelledValue],
) -> bool {
    let line = &page.lines[value.line];
    let inside =
        |other: &&LabelledValue| other.layout != LabelLayout::Heading && value.lines.contains(&other.line);
    !line.outside
        && !line.is_head
        && !is_in_control(page, value.node)
        && !is_title_of_others(&value.label)
        && (!is_mostly_links(page, value) || value.texts.len() <= MAX_LINKS_IN_SECTION)
        && value.texts.len() <= MAX_SECTION_LINES
        && all.iter().filter(inside).take(MAX_LABELS_IN_SECTION).count() < MAX_LABELS_IN_SECTION
}

/// True if a line without a label may belong to the object.
pub(super) fn is_own_line(page: &DetailPage<'_>, at: usize) -> bool {
    let line = &page.lines[at];
    let is_bare_label = line.text.trim_end().ends_with(':') && is_label(&line.text);
    !line.is_head && !is_bare_label && !is_in_control(page, line.first())
}

/// True for texts of forms: what a control is for, and what can be chosen in it.
fn is_in_control(page: &DetailPage<'_>, text: Node) -> bool {
    let tree = &page.dom.tree;
    let mut around = std::iter::once(text).chain(tree.ancestors(text)).take(CONTROL_ELEMENTS);
    around.any(|node| matches!(tree.tag(node), tags::BUTTON | tags::OPTION | tags::SELECT | tags::LEGEND))
}

/// True if at least half of a long value is links.
fn is_mostly_links(page: &DetailPage<'_>, value: &LabelledValue) -> bool {
    let (Some(first), Some(last)) = (page.lines.get(value.lines.start), value.lines.end.checked_sub(1))
    else {
        return false;
    };
    let Some(last) = page.lines.get(last).filter(|_| !value.lines.is_empty()) else { return false };
    let nodes = first.first()..last.last() + 1;
    let (chars, linked) = (page.dom.index.chars(&nodes), page.dom.index.link_chars(&nodes));
    chars >= MIN_LINKED_SECTION_CHARS && 2 * linked >= chars
}
