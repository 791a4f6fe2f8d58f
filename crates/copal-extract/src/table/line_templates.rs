//! Line templates: which lines of text and inline elements are several fields, decided over all records.
//!
//! In: the layouts of all records. Out: the lines that are cut into their elements and texts, and the
//! constant words among them, which name what follows. A line such as `12. <a>Title</a> by <b>Ann</b>` is
//! several fields if nearly all records have the same elements in it, and every border between two of its
//! pieces is a constant word, or has a recognised value on one side. In a sentence the words among the
//! elements differ. Lines in headings and links are titles and are never cut. Lines that `br` separates are
//! fields if most of them begin with a label. O(nodes + text), and a sample of texts is recognised.

use super::inline_lines::is_separator;
use super::part_layout::PartLayout;
use super::value_types::ColumnTyper;
use copal_dom::{Node, Page, Tag, tags};
use copal_values::ValueType;
use copal_values::labels::inline_label;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Fewer lines do not show a template.
const MIN_TEMPLATE_LINES: usize = 4;
/// Maximum number of pieces of a line.
const MAX_LINE_PIECES: usize = 12;
/// Constant texts with more words are sentences.
const MAX_CONSTANT_WORDS: usize = 3;
/// Texts that are recognised to find the type of a piece.
const MAX_TYPED_SAMPLES: usize = 12;
/// Maximum number of labels of lines that `br` separates.
const MAX_LINE_LABELS: usize = 12;
/// How often such a label must occur on average.
const MIN_LINES_PER_LABEL: usize = 3;

/// The lines that are cut; see the module.
#[derive(Default)]
pub(super) struct LineTemplates {
    /// First nodes of lines that are cut, and all elements around them: none of these is read whole.
    pub(super) cut: FxHashSet<Node>,
    /// Constant words among the fields of a line.
    pub(super) constants: FxHashSet<Node>,
    /// By node: the constant words before it.
    pub(super) labels: FxHashMap<Node, Node>,
}

/// One piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LinePiece {
    node: Node,
    /// Tag and class of an element; `None` for a text.
    kind: Option<(Tag, u32)>,
}

/// A line of one record.
struct Line {
    nodes: Range<Node>,
    pieces: Vec<LinePiece>,
    record: usize,
    part: usize,
}

/// Finds the lines of a list that are several fields.
pub(super) fn find_line_templates(
    page: &Page,
    records: &[Vec<PartLayout<'_>>],
    typer: &mut ColumnTyper,
) -> LineTemplates {
    let mut lines: FxHashMap<u64, Vec<Line>> = FxHashMap::default();
    let mut broken: FxHashMap<u64, Vec<(usize, usize, Node)>> = FxHashMap::default();
    for (record, layouts) in records.iter().enumerate() {
        for (part, layout) in layouts.iter().enumerate() {
            for node in layout.part.clone() {
                let parent = page.tree.parent(node);
                if parent < layout.part.start || !page.styles.is_shown(node) {
                    continue;
                }
                if let Some(end) = layout.lines.value_end(node)
                    && !is_title(page, layout, node)
                    && let Some(pieces) = pieces_of(page, node..end)
                {
                    let line = Line { nodes: node..end, pieces, record, part };
                    lines.entry(layout.key(parent)).or_default().push(line);
                }
                if page.tree.tag(node) == tags::BR && page.tree.elements(parent).next() == Some(node)
                    || page.tree.tag(node) == tags::BR && is_first_break(page, node)
                {
                    broken.entry(layout.key(parent)).or_default().push((record, part, parent));
                }
            }
        }
    }
    let mut found = LineTemplates::default();
    for lines in lines.values() {
        cut_lines(page, records, lines, typer, &mut found);
    }
    for containers in broken.values() {
        cut_breaks(page, records, containers, &mut found);
    }
    found
}

/// True for the first `br` among its siblings.
fn is_first_break(page: &Page, node: Node) -> bool {
    page.tree.children(page.tree.parent(node)).find(|&child| page.tree.tag(child) == tags::BR) == Some(node)
}

/// True for a line in a heading or a link.
fn is_title(page: &Page, layout: &PartLayout<'_>, node: Node) -> bool {
    layout.ancestors(page, node).any(|up| tags::is_heading(page.tree.tag(up)) || page.tree.tag(up) == tags::A)
}

/// The pieces of a line without separators; `None` if a text continues the word of an element, or if there
/// are too many.
fn pieces_of(page: &Page, nodes: Range<Node>) -> Option<Vec<LinePiece>> {
    let tree = &page.tree;
    let mut pieces: Vec<LinePiece> = Vec::new();
    let mut at = nodes.start;
    let mut before: Option<&str> = None;
    while at < nodes.end {
        let (node, text) = (at, tree.raw_text(at));
        at = tree.end(at);
        if !page.styles.is_shown(node) || page.index.leaves(&(node..at)) == 0 {
            before = None;
            continue;
        }
        if tree.is_text(node) {
            let touches = before.is_some_and(|last| last.ends_with(char::is_alphanumeric));
            if touches && text.starts_with(char::is_alphanumeric) {
                return None;
            }
            if text.trim().chars().all(is_mark) {
                before = None;
                continue;
            }
        }
        before = Some(tree.raw_text(last_text(page, node)));
        let kind = (!tree.is_text(node)).then(|| (tree.tag(node), page.index.class(node)));
        pieces.push(LinePiece { node, kind });
        if pieces.len() > MAX_LINE_PIECES {
            return None;
        }
    }
    (pieces.len() > 1).then_some(pieces)
}

/// Characters that are no words.
fn is_mark(c: char) -> bool {
    is_separator(c)
        || matches!(c, ',' | ';' | ':' | '-' | '\u{2013}' | '\u{2014}' | '(' | ')' | '/' | '.')
        || c.is_whitespace()
}

/// The last text inside a node, or the node itself.
fn last_text(page: &Page, node: Node) -> Node {
    (node..page.tree.end(node)).rev().find(|&inner| page.tree.is_text(inner)).unwrap_or(node)
}

/// Cuts the lines of one place, if they have a template.
fn cut_lines(
    page: &Page,
    records: &[Vec<PartLayout<'_>>],
    lines: &[Line],
    typer: &mut ColumnTyper,
    found: &mut LineTemplates,
) {
    if lines.len() < MIN_TEMPLATE_LINES {
        return;
    }
    let skeleton = |line: &Line| line.pieces.iter().map(|piece| piece.kind).collect::<Vec<_>>();
    let mut times: FxHashMap<Vec<Option<(Tag, u32)>>, usize> = FxHashMap::default();
    for line in lines {
        *times.entry(skeleton(line)).or_default() += 1;
    }
    let Some((usual, count)) =
        times.into_iter().max_by_key(|(kinds, count)| (*count, std::cmp::Reverse(kinds.len())))
    else {
        return;
    };
    if 5 * count < 4 * lines.len() {
        return;
    }
    let alike: Vec<&Line> = lines.iter().filter(|line| skeleton(line) == usual).collect();
    let texts = |piece: usize| {
        alike.iter().map(move |line| page.text_of(line.pieces[piece].node)).collect::<Vec<String>>()
    };
    if is_amount_in_pieces(page, alike[0], typer) {
        return;
    }
    let mut is_constant = Vec::new();
    let mut is_typed = Vec::new();
    for (piece, kind) in usual.iter().enumerate() {
        let all = texts(piece);
        let bare = |text: &str| text.trim_matches(is_mark).to_lowercase();
        let first = bare(&all[0]);
        let constant = kind.is_none()
            && first.split_whitespace().count() <= MAX_CONSTANT_WORDS
            && !first.contains(|c: char| c.is_ascii_digit())
            && all.iter().all(|text| bare(text) == first);
        is_constant.push(constant);
        let step = all.len().div_ceil(MAX_TYPED_SAMPLES).max(1);
        let sample: Vec<&str> = all.iter().step_by(step).map(|text| text.trim_matches(is_mark)).collect();
        let value_type = if constant { None } else { typer.reader.column_type(&sample) };
        // an amount is followed by its unit, and a number by what it counts
        let ends_value = value_type.is_some_and(|own| {
            matches!(own, ValueType::Date | ValueType::Phone | ValueType::Email | ValueType::Url)
        });
        let counts_records = piece == 0 && kind.is_none() && all.iter().all(|text| is_ordinal(text));
        is_typed.push(ends_value || counts_records);
    }
    let fields = is_constant.iter().filter(|constant| !**constant).count();
    let is_border = |piece: usize| {
        let pair = piece..piece + 2;
        let both_elements = usual[pair.clone()].iter().all(Option::is_some);
        both_elements || pair.clone().any(|at| is_constant[at]) || pair.clone().any(|at| is_typed[at])
    };
    if fields < 2 || !(0..usual.len() - 1).all(is_border) {
        return;
    }
    for line in alike {
        let layout = &records[line.record][line.part];
        mark_cut(page, layout, line.nodes.start, found);
        let mut label = None;
        for (piece, constant) in line.pieces.iter().zip(&is_constant) {
            if *constant {
                found.constants.insert(piece.node);
                label = Some(piece.node);
            } else if let Some(label) = label.take() {
                found.labels.insert(piece.node, label);
            }
        }
    }
}

/// True for one amount in several elements: `$` and `9`, or `$9` and `.68`.
fn is_amount_in_pieces(page: &Page, line: &Line, typer: &mut ColumnTyper) -> bool {
    let texts: Vec<String> =
        line.pieces.iter().map(|piece| page.text_of(piece.node).trim().to_owned()).collect();
    let is_sign = |text: &String| !text.contains(char::is_alphanumeric);
    let is_fraction = |text: &String| text.starts_with(['.', ',']);
    texts.iter().any(|text| is_sign(text) || is_fraction(text))
        && typer.type_of_text(&texts.concat()) == Some(ValueType::Money)
}

/// `12.` before the title of the twelfth record.
fn is_ordinal(text: &str) -> bool {
    let digits = text.trim().trim_start_matches('#').trim_end_matches(['.', ')', ':']);
    !digits.is_empty() && digits.len() < text.trim().len() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Marks a node and the elements around it as not to be read whole.
fn mark_cut(page: &Page, layout: &PartLayout<'_>, node: Node, found: &mut LineTemplates) {
    found.cut.insert(node);
    for up in page.tree.ancestors(node).take_while(|&up| up >= layout.part.start) {
        if !found.cut.insert(up) {
            break;
        }
    }
}

/// Cuts elements whose lines are separated by `br`, if most lines begin with a label.
fn cut_breaks(
    page: &Page,
    records: &[Vec<PartLayout<'_>>],
    containers: &[(usize, usize, Node)],
    found: &mut LineTemplates,
) {
    let (mut all, mut labelled) = (0, 0);
    let mut labels: FxHashSet<String> = FxHashSet::default();
    for &(_, _, container) in containers {
        let mut line = String::new();
        let mut close = |line: &mut String| {
            let text = std::mem::take(line);
            if !text.trim().is_empty() {
                all += 1;
                if let Some(label) = inline_label(text.trim()) {
                    labelled += 1;
                    if labels.len() <= MAX_LINE_LABELS {
                        labels.insert(label.to_lowercase());
                    }
                }
            }
        };
        for child in page.tree.children(container) {
            if page.tree.tag(child) == tags::BR {
                close(&mut line);
            } else if page.styles.is_shown(child) {
                line.push_str(&page.text_of(child));
                line.push(' ');
            }
        }
        close(&mut line);
    }
    let are_fields = all >= MIN_TEMPLATE_LINES
        && all >= 2 * containers.len()
        && 5 * labelled >= 3 * all
        && labels.len() <= MAX_LINE_LABELS
        && labelled >= MIN_LINES_PER_LABEL * labels.len();
    if are_fields {
        for &(record, part, container) in containers {
            mark_cut(page, &records[record][part], container, found);
        }
    }
}
