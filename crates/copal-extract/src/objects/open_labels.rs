//! Fields without a domain from labels with their values.
//!
//! In: the labelled values of a page. Out: fields under the name of the label. Beyond what `own_values` leaves
//! out, a label is not believed if its value is what somebody types into a control, if it is part of a link's
//! text ("Colossus: The Forbin Project"), or if it repeats the name of the object: such a heading opens the
//! description. O(labelled values * nodes of a label).

use super::detail_page::DetailPage;
use super::label_names::english_name;
use super::labelled_values::{LabelLayout, LabelledValue};
use super::open_field_list::OpenFields;
use super::own_values::{is_own_heading_value, is_own_value};
use copal_dom::{Node, attrs, squash, tags};
use copal_model::FieldSource;
use copal_values::labels::ends_with_colon;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Nodes between a label and its value that are searched for a control.
const MAX_NODES_BETWEEN: Node = 60;
/// Elements around a value that are searched for a form.
const FORM_LEVELS: usize = 24;
/// Largest share of the page's text in a form that somebody fills in. Some sites put the whole page into one.
const MAX_FORM_SHARE: f64 = 0.3;
/// Shortest label that can repeat the name of the object, in bytes of its letters and digits.
const MIN_NAME_BYTES: usize = 6;
/// Labels inside the data area from which those outside it do not count.
const MIN_INSIDE_LABELS: usize = 3;
/// Shortest section that is a description, in bytes.
const MIN_DESCRIPTION_BYTES: usize = 80;

/// Adds the labelled values that belong to the object. `foreign` are lines about other objects.
pub(super) fn add_labels(
    page: &DetailPage<'_>,
    name: Option<&str>,
    labelled: &[LabelledValue],
    foreign: &[Range<usize>],
    fields: &mut OpenFields<'_>,
) {
    let name = name.map(squash).unwrap_or_default();
    let is_own = |value: &&LabelledValue| {
        let is_short_section = value.layout == LabelLayout::Heading && has_colon(page, value);
        let is_own = is_own_value(page, value, labelled)
            || is_short_section && is_own_heading_value(page, value, labelled);
        is_own && !foreign.iter().any(|lines| lines.contains(&value.line)) && !is_of_control(page, value)
    };
    let own: Vec<&LabelledValue> = labelled.iter().filter(is_own).collect();
    let is_inside = |value: &LabelledValue| {
        let line = &page.lines[value.line];
        !line.outside && !line.doubtful
    };
    let is_explicit = |value: &&&LabelledValue| value.layout != LabelLayout::Heading && is_inside(value);
    let has_inside_labels = own.iter().filter(is_explicit).count() >= MIN_INSIDE_LABELS;
    // By English name: the label that has it. Another label of the same meaning keeps its own words.
    let mut translated: FxHashMap<&str, &str> = FxHashMap::default();
    for value in own {
        if has_inside_labels && page.lines[value.line].outside || is_link_text(page, value) {
            continue;
        }
        let mut label = value.label.as_str();
        if repeats_name(&name, &squash(label)) {
            let bytes: usize = value.texts.iter().map(String::len).sum();
            if value.layout != LabelLayout::Heading || bytes < MIN_DESCRIPTION_BYTES {
                continue;
            }
            label = "description";
        }
        let mut weight = match value.layout {
            LabelLayout::TableRow | LabelLayout::DefinitionList => 0.9,
            LabelLayout::Inline | LabelLayout::AfterColon => 0.85,
            LabelLayout::AfterLabelLine => 0.8,
            LabelLayout::Heading if has_colon(page, value) => 0.8,
            LabelLayout::Heading => 0.6,
        };
        if value.is_static {
            weight -= 0.3;
        }
        if !is_inside(value) {
            weight -= 0.4;
        }
        let known = english_name(label, fields.language);
        let english = known.filter(|known| *translated.entry(*known).or_insert(label) == label);
        let name = english.unwrap_or(label);
        fields.push(name, value.texts.clone(), FieldSource::Label, weight, Some(value.node));
    }
}

/// True if the label of a section is written with a colon.
fn has_colon(page: &DetailPage<'_>, value: &LabelledValue) -> bool {
    let label = page.lines_in(&(value.label_node..value.label_node + 1)).start;
    let label = page.lines.get(label).or_else(|| page.lines.get(value.lines.start.checked_sub(1)?));
    label.is_some_and(|line| line.last() == value.label_node && ends_with_colon(&line.text))
}

/// True if a label is the name of the object, or is a part of it, or contains it.
fn repeats_name(name: &str, label: &str) -> bool {
    label.len() >= MIN_NAME_BYTES
        && name.len() >= MIN_NAME_BYTES
        && (name.contains(label) || label.contains(name))
}

/// True if a label and its value are the text of one link, or parts of it.
fn is_link_text(page: &DetailPage<'_>, value: &LabelledValue) -> bool {
    value.layout == LabelLayout::Inline && value.label_node == value.node && page.is_in_link(value.node)
}

/// True if a label names what somebody types or chooses, or if the value is part of a form to fill in.
fn is_of_control(page: &DetailPage<'_>, value: &LabelledValue) -> bool {
    let tree = &page.dom.tree;
    let end = value.node.min(value.label_node.saturating_add(MAX_NODES_BETWEEN));
    let mut between = value.label_node..end.max(value.label_node);
    value.layout != LabelLayout::Heading && between.any(|node| is_filled_in(page, node))
        || form_around(page, value.node).is_some_and(|form| {
            let nodes = form..tree.end(form);
            let all = page.dom.index.chars(&(0..tree.len() as Node)).max(1);
            let share = f64::from(page.dom.index.chars(&nodes)) / f64::from(all);
            let mut inner = nodes.clone();
            share <= MAX_FORM_SHARE && inner.any(|node| asks_for_text(page, node))
        })
}

fn form_around(page: &DetailPage<'_>, node: Node) -> Option<Node> {
    let tree = &page.dom.tree;
    tree.ancestors(node).take(FORM_LEVELS).find(|&above| tree.tag(above) == tags::FORM)
}

/// True for a control that a reader sees.
fn is_filled_in(page: &DetailPage<'_>, node: Node) -> bool {
    let tree = &page.dom.tree;
    match tree.tag(node) {
        tags::SELECT | tags::TEXTAREA => true,
        tags::INPUT => !is_type(page, node, &["hidden", "submit", "button", "image", "radio", "checkbox"]),
        _ => false,
    }
}

/// True for controls of forms about the reader. Forms to buy something have other ones.
fn asks_for_text(page: &DetailPage<'_>, node: Node) -> bool {
    match page.dom.tree.tag(node) {
        tags::TEXTAREA => true,
        tags::INPUT => is_type(page, node, &["password", "email", "tel"]),
        _ => false,
    }
}

fn is_type(page: &DetailPage<'_>, input: Node, types: &[&str]) -> bool {
    let own = page.dom.tree.attr(input, attrs::TYPE).unwrap_or_default();
    types.iter().any(|kind| own.eq_ignore_ascii_case(kind))
}
