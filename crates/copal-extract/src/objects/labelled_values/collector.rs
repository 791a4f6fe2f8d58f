//! Collects labelled values, and remembers which lines are labels already.

use super::super::detail_page::{DetailPage, PageLine};
use super::labelled_value::{LabelLayout, LabelledValue};
use copal_dom::Node;
use copal_values::labels::bare;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Lines of one value.
pub(super) const MAX_VALUE_LINES: usize = 80;
/// Values of one page.
pub(super) const MAX_VALUE_COUNT: usize = 600;
/// Texts of different elements in one line that may be an enumeration, separators included.
const ENUMERATION_LEAVES: std::ops::RangeInclusive<usize> = 3..=60;
/// Characters between values.
const SEPARATORS: [char; 7] = ['|', '\u{b7}', '\u{2022}', ';', ',', '/', '\u{a0}'];

/// Whether the domain knows a text as a label.
pub(in crate::objects) type LabelTest<'a> = &'a dyn Fn(&str) -> bool;

/// What the layouts share: the page, the domain's labels, and the values found so far.
pub(super) struct LabelledValueCollector<'a, 'p> {
    pub(super) page: &'a DetailPage<'p>,
    pub(super) is_known_label: LabelTest<'a>,
    pub(super) is_known_section: LabelTest<'a>,
    pub(super) values: Vec<LabelledValue>,
    /// Lines that are labels already.
    pub(super) label_lines: FxHashSet<usize>,
}

impl<'a, 'p> LabelledValueCollector<'a, 'p> {
    pub(super) fn new(
        page: &'a DetailPage<'p>,
        is_known_label: LabelTest<'a>,
        is_known_section: LabelTest<'a>,
    ) -> LabelledValueCollector<'a, 'p> {
        let (values, label_lines) = (Vec::new(), FxHashSet::default());
        LabelledValueCollector { page, is_known_label, is_known_section, values, label_lines }
    }

    pub(super) fn is_full(&self) -> bool {
        self.values.len() >= MAX_VALUE_COUNT
    }

    /// Adds a value of whole lines.
    pub(super) fn push_lines(&mut self, label_line: usize, lines: Range<usize>, layout: LabelLayout) {
        let lines = lines.start..lines.end.min(lines.start + MAX_VALUE_LINES);
        let Some(first) = self.page.lines.get(lines.start).filter(|_| !lines.is_empty()) else { return };
        if layout != LabelLayout::Heading && first.is_head {
            return;
        }
        self.label_lines.insert(label_line);
        self.values.push(LabelledValue {
            label: bare(&self.page.lines[label_line].text).to_owned(),
            label_node: self.page.lines[label_line].last(),
            texts: lines.clone().flat_map(|line| enumerated_texts(&self.page.lines[line], 0)).collect(),
            line: lines.start,
            node: first.first(),
            layout,
            is_static: lines.clone().all(|line| self.page.is_static(line)),
            lines,
        });
    }

    /// Adds a value inside a line. `nodes` are the text nodes of the label and of the value.
    pub(super) fn push_inline(
        &mut self,
        line: usize,
        label: &str,
        span: Range<usize>,
        (label_node, node): (Node, Node),
    ) {
        let whole = &self.page.lines[line];
        let value = whole.text[span.clone()]
            .trim()
            .trim_start_matches([':', '|'])
            .trim_end_matches(SEPARATORS)
            .trim();
        if value.is_empty() || bare(label).is_empty() {
            return;
        }
        let is_last = span.end == whole.text.len();
        let texts = if is_last { enumerated_texts(whole, span.start) } else { Vec::new() };
        self.values.push(LabelledValue {
            label: bare(label).to_owned(),
            label_node,
            texts: if texts.len() > 1 { texts } else { vec![value.to_owned()] },
            line,
            lines: 0..0,
            node,
            layout: LabelLayout::Inline,
            is_static: self.page.is_static(line),
        });
    }
}

/// The values of a line from a byte on: the texts of several elements with only separators between them, or
/// else the rest of the line as one value.
fn enumerated_texts(line: &PageLine, from: usize) -> Vec<String> {
    let whole = || vec![line.text[from..].to_owned()];
    let leaves: Vec<&str> = line
        .leaves
        .iter()
        .filter(|leaf| leaf.span.start >= from)
        .map(|leaf| &line.text[leaf.span.clone()])
        .collect();
    if !ENUMERATION_LEAVES.contains(&leaves.len()) {
        return whole();
    }
    let is_separator = |text: &str| {
        let text = text.trim();
        !text.contains(char::is_alphanumeric) && text.contains(SEPARATORS)
            || matches!(text, "&" | "and" | "und" | "et" | "y")
    };
    let alternates =
        leaves.chunks(2).all(|two| !is_separator(two[0]) && two.get(1).is_none_or(|next| is_separator(next)));
    if !alternates {
        return whole();
    }
    leaves.into_iter().step_by(2).map(|text| text.trim().to_owned()).collect()
}
