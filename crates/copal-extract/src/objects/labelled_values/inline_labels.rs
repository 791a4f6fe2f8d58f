//! Labels and values in one line: "Label: value", or several of them.
//!
//! In: a line. Out: its labelled values. A text node is a label if it ends with a colon, if its markup sets
//! it apart from the value (bold, `label`), or if the domain knows it. O(line).

use super::super::detail_page::PageLine;
use super::collector::LabelledValueCollector;
use crate::signals::zones::words::class_words;
use copal_dom::{Node, attrs, tags};
use copal_values::labels::{bare, ends_with_colon, is_label, separating_colon};
use std::ops::Range;

/// Longest line, in bytes. Longer ones are running text.
const MAX_LINE_BYTES: usize = 600;
/// Text nodes of a line in which a text without a colon can be a label.
const MAX_LINE_LEAVES: usize = 8;

/// A label whose value has not ended yet.
struct OpenLabel {
    text: String,
    value_start: usize,
    /// The text nodes of the label and of the value.
    nodes: (Node, Node),
}

/// Reads the labelled values inside a line. Returns false if there are none.
pub(super) fn read_line(collector: &mut LabelledValueCollector<'_, '_>, at: usize) -> bool {
    let page = collector.page;
    let line = &page.lines[at];
    if line.text.len() > MAX_LINE_BYTES {
        return false;
    }
    let count_before = collector.values.len();
    if let ([leaf], Some((key, value))) = (line.leaves.as_slice(), bibtex_field(&line.text)) {
        collector.push_inline(at, &line.text[key], value, (leaf.node, leaf.node));
        return true;
    }
    let mut open: Option<OpenLabel> = None;
    for (index, leaf) in line.leaves.iter().enumerate() {
        let text = &line.text[leaf.span.clone()];
        if is_whole_label(collector, line, index) {
            if let Some(label) = open.take() {
                collector.push_inline(at, &label.text, label.value_start..leaf.span.start, label.nodes);
            }
            if let Some(next) = line.leaves.get(index + 1) {
                open = Some(OpenLabel {
                    text: text.to_owned(),
                    value_start: leaf.span.end,
                    nodes: (leaf.node, next.node),
                });
            }
        } else if let Some(colon) = separating_colon(text) {
            // "… 6-1, Weight: 186": the previous value ends at the last separator before the label.
            let head = &text[..colon];
            let cut = head
                .rfind(['|', '\u{b7}', '\u{2022}', ';', ','])
                .map_or(0, |cut| cut + head[cut..].chars().next().map_or(1, char::len_utf8));
            let label = head[cut..].trim();
            if is_label(label) && (cut == 0 || open.is_some()) {
                if let Some(previous) = open.take() {
                    let span = previous.value_start..leaf.span.start + cut;
                    collector.push_inline(at, &previous.text, span, previous.nodes);
                }
                let after = colon + text[colon..].chars().next().map_or(1, char::len_utf8);
                open = Some(OpenLabel {
                    text: label.to_owned(),
                    value_start: leaf.span.start + after,
                    nodes: (leaf.node, leaf.node),
                });
            }
        }
    }
    if let Some(label) = open {
        collector.push_inline(at, &label.text, label.value_start..line.text.len(), label.nodes);
    }
    collector.values.len() > count_before
}

/// Longest key of `BibTeX`, in bytes.
const MAX_BIBTEX_KEY_BYTES: usize = 20;

/// Key and value of a field of `BibTeX`, in which papers are cited: `year = {2022},`.
fn bibtex_field(text: &str) -> Option<(Range<usize>, Range<usize>)> {
    let (open, close) = (text.find('{')?, text.rfind('}')?);
    let key = text[..open].trim_end().strip_suffix('=')?.trim();
    let is_key = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphabetic());
    let is_whole = matches!(text[close + 1..].trim(), "" | ",");
    let start = text.find(key)?;
    (is_key && key.len() <= MAX_BIBTEX_KEY_BYTES && is_whole && open + 1 < close)
        .then_some((start..start + key.len(), open + 1..close))
}

/// True if a text node is a label as a whole.
fn is_whole_label(collector: &LabelledValueCollector<'_, '_>, line: &PageLine, leaf: usize) -> bool {
    let text = &line.text[line.leaves[leaf].span.clone()];
    let may_lack_colon = leaf + 1 < line.leaves.len() && line.leaves.len() <= MAX_LINE_LEAVES;
    is_label(text)
        && (ends_with_colon(text)
            || may_lack_colon
                && (is_marked_as_label(collector, line, leaf)
                    || is_in_row_of_labels(collector, line, leaf)
                    || (collector.is_known_label)(bare(text)) && differs_from_next(collector, line, leaf)))
}

/// True if the first text of a line is bold or a `label`, and the text after it is not.
fn is_marked_as_label(collector: &LabelledValueCollector<'_, '_>, line: &PageLine, leaf: usize) -> bool {
    let page = collector.page;
    let tree = &page.dom.tree;
    let (own, next) = (line.leaves[leaf].node, line.leaves[leaf + 1].node);
    let is_bold = |node| page.dom.styles.style(node).bold;
    let fits_template = page.page_count < 2
        || page.leaf_is_static(&line.leaves[leaf]) && !page.leaf_is_static(&line.leaves[leaf + 1]);
    let parent = tree.parent(own);
    let is_label_element = tree.tag(parent) == tags::LABEL
        || !tree.contains(parent, next) && is_called_label(tree.attr(parent, attrs::CLASS));
    leaf == 0 && (is_label_element || is_bold(own) && !is_bold(next)) && fits_template
}

/// True if a class calls its element a label.
fn is_called_label(class: Option<&str>) -> bool {
    let words = class.into_iter().flat_map(class_words);
    words.last().is_some_and(|word| matches!(word.as_str(), "label" | "lbl" | "key" | "term"))
}

/// True if a line is a label and a value in an element of its own, between similar lines: "Rooms <b>2</b>".
fn is_in_row_of_labels(collector: &LabelledValueCollector<'_, '_>, line: &PageLine, leaf: usize) -> bool {
    let page = collector.page;
    let (0, [own, value]) = (leaf, line.leaves.as_slice()) else { return false };
    let shape = |line: &PageLine| -> Vec<u64> {
        line.leaves.iter().take(3).map(|leaf| page.paths[leaf.node as usize]).collect()
    };
    let own_shape = shape(line);
    let fits_template = page.page_count < 2 || page.leaf_is_static(own) && !page.leaf_is_static(value);
    let Some(at) = page.line_at(line.start) else { return false };
    let neighbours = [at.checked_sub(1), at.checked_add(1)].into_iter().flatten();
    let neighbours = neighbours.filter_map(|at| page.lines.get(at));
    own_shape[0] != own_shape[1]
        && fits_template
        && !page.is_in_link_or_button(own.node)
        && neighbours.filter(|other| shape(other) == own_shape).any(|other| {
            let text = &other.text[other.leaves[0].span.clone()];
            is_label(text) && *text != line.text[own.span.clone()]
        })
}

/// True if the text after a text looks different and is not the template's.
fn differs_from_next(collector: &LabelledValueCollector<'_, '_>, line: &PageLine, leaf: usize) -> bool {
    let page = collector.page;
    let (own, next) = (line.leaves[leaf].node, &line.leaves[leaf + 1]);
    let looks_different = page.dom.styles.id(own) != page.dom.styles.id(next.node)
        || page.paths[own as usize] != page.paths[next.node as usize];
    looks_different && (page.page_count < 2 || !page.leaf_is_static(next))
}

#[cfg(test)]
mod tests {
    use super::bibtex_field;

    #[test]
    fn fields_of_bibtex_are_labels_with_values() {
        let read = |text: &str| {
            bibtex_field(text).map(|(key, value)| (text[key].to_owned(), text[value].to_owned()))
        };
        let field = |key: &str, value: &str| Some((key.to_owned(), value.to_owned()));
        assert_eq!(read("year = {2022},"), field("year", "2022"));
        assert_eq!(read(" title = {{A} study}"), field("title", "{A} study"));
        assert_eq!(read("a + b = {c}"), None);
        assert_eq!(read("year = 2022"), None);
        assert_eq!(read("= {}"), None);
    }
}
