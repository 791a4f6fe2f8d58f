//! Pruning: which column drafts become columns.
//!
//! In: column drafts in the order of their positions within the records. Out: the drafts that carry
//! information, each once. Words and pictures that every record repeats belong to the template and are dropped, and so is
//! the page's furniture (`page_furniture`), but never a table column with a header. Columns
//! that never occur together in one record, at the same position, are merged. A column that only repeats
//! another one, or the beginning of another one, is dropped. Near-linear in the cells: columns are compared
//! with a few neighbours, or with those whose cells begin alike, because comparing all pairs would be
//! quadratic on pages with a class per record.

use super::cell_budget::CellBudget;
use super::column_draft::ColumnDraft;
use super::html_tables::{HtmlTables, TableHeader};
use super::page_furniture::{is_assistive_column, is_furniture, repeats_visible_text};
use super::snake_case::snake_case;
use super::state_words::is_state_word;
use super::value_types::ColumnTyper;
use copal_dom::hash::{hash_each, hash_of};
use copal_dom::{Node, Page, letters_and_digits, tags};
use copal_model::CellSource;
use copal_values::ValueType;
use copal_values::labels::{bare, ends_with_colon};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// From this many cells on, a text that all cells share belongs to the template, not to the records.
const MIN_TEMPLATE_CELLS: usize = 4;
/// How far apart the mean positions of two drafts of one column may be.
const MAX_POSITION_DISTANCE: f64 = 1.5;
/// How many preceding columns a column is compared with.
const MAX_COMPARED_NEIGHBOURS: usize = 64;
/// Letters and digits that must agree before two cells count as beginning alike.
const BEGINNING_CHARS: usize = 6;
/// Repetitions are searched in this many records; those that are found are verified in all records.
const REPETITION_SAMPLE_RECORDS: usize = 16;
/// If more columns begin alike in one record, the further ones are not compared.
const MAX_ALIKE_COLUMNS: usize = 8;
/// Maximum number of elements around a value that only some records have.
const MAX_OPTIONAL_WRAPPERS: usize = 2;
/// Elements around a value that identify its field.
const COMPARED_ANCESTORS: usize = 2;
/// How many columns before and after template words may be their alternative.
const MAX_ALTERNATIVES: usize = 8;
/// Longest state of a record, in bytes.
const MAX_STATE_BYTES: usize = 40;
/// Longest label, in bytes.
const MAX_COLUMN_LABEL_BYTES: usize = 40;
/// Most words of a label for screen readers. Longer ones are sentences.
const MAX_ASSISTIVE_LABEL_WORDS: usize = 3;

/// Merges and drops columns; see the module.
pub(super) fn prune_columns(
    page: &Page,
    tables: &HtmlTables,
    drafts: Vec<ColumnDraft>,
    records: usize,
    typer: &mut ColumnTyper,
    budget: &CellBudget,
) -> Vec<ColumnDraft> {
    let drafts = without_template(page, tables, drafts, records, typer);
    // what is one column only after merging may be the same in all records
    let merged = merge_columns(page, drafts, typer);
    let drafts = without_template(page, tables, merged, records, typer);
    let mut repeats = repeats_visible_text(page, &drafts).into_iter();
    let drafts = drafts.into_iter().filter(|_| !repeats.next().unwrap_or(false)).collect();
    limit_columns(without_repeated_columns(page, drafts), records, budget)
}

/// True if the draft is all that a table cell with a header says. The header makes it a column even if all
/// records agree: the status of an issue that nobody has closed yet.
fn has_header(page: &Page, tables: &HtmlTables, draft: &ColumnDraft) -> bool {
    let mut up = std::iter::once(draft.sample).chain(page.tree.ancestors(draft.sample));
    let cell = up.find(|&node| matches!(page.tree.tag(node), tags::TD | tags::TH | tags::TR));
    let cell = cell.filter(|&node| page.tree.tag(node) != tags::TR);
    draft.source == CellSource::Text
        && cell.is_some_and(|cell| {
            let text = draft.cells[0].text();
            // a link that repeats its header is not a value
            let has_own_text = |header: &TableHeader| {
                let words = header.translated.as_deref().and_then(snake_case);
                snake_case(text).is_none_or(|name| name != header.name && Some(name) != words)
            };
            tables.header(page, cell).is_some_and(has_own_text)
                && letters_and_digits(&page.text_of(cell)).eq(letters_and_digits(text))
        })
}

/// Drops columns of template words. If such words are a label, they name the column after them.
fn without_template(
    page: &Page,
    tables: &HtmlTables,
    drafts: Vec<ColumnDraft>,
    records: usize,
    typer: &mut ColumnTyper,
) -> Vec<ColumnDraft> {
    let mut out: Vec<ColumnDraft> = Vec::with_capacity(drafts.len());
    let mut label: Option<TemplateLabel> = None;
    let states = states(page, &drafts, records, typer);
    for (mut draft, is_state) in drafts.into_iter().zip(states) {
        let position = draft.mean_position();
        let is_template = !is_state && is_template(&draft, records);
        // an icon stands between a label and its value
        if is_template && draft.source == CellSource::Src {
            continue;
        }
        if (is_template || is_furniture(page, &draft)) && !has_header(page, tables, &draft) {
            let text = bare(draft.cells[0].text()).to_owned();
            let cells = if is_template { records } else { draft.cells.len() };
            let is_label = is_label(page, &draft) || is_assistive_label(page, &draft);
            label = is_label.then_some(TemplateLabel { text, position, cells });
            continue;
        }
        if draft.source == CellSource::Text
            && let Some(before) = label.take()
            && position - before.position <= MAX_POSITION_DISTANCE
            // a label of some records does not name what all have
            && 5 * before.cells >= 4 * draft.cells.len()
            && draft.label.is_none()
        {
            draft.label = Some(before.text);
        }
        out.push(draft);
    }
    out
}

/// By draft: its words look like those of the template, but they are the state of some of the records: "In stock", where
/// other records say "Unavailable" at the same place, or nothing.
fn states(page: &Page, drafts: &[ColumnDraft], records: usize, typer: &mut ColumnTyper) -> Vec<bool> {
    let is_possible = |draft: &ColumnDraft| {
        // what all records have tells them apart in no case
        let with = || draft.cells.iter().map(|cell| cell.record).collect::<FxHashSet<usize>>().len();
        draft.source == CellSource::Text
            && is_template(draft, records)
            && with() < records
            && is_plain_text(page, draft)
    };
    let mut states = Vec::with_capacity(drafts.len());
    for (at, draft) in drafts.iter().enumerate() {
        let is_state = is_possible(draft)
            && (is_state_word(draft.cells[0].text()) || {
                let near = at.saturating_sub(MAX_ALTERNATIVES)..(at + MAX_ALTERNATIVES + 1).min(drafts.len());
                let own = MergeCandidate::new(draft.clone());
                near.filter(|&other| other != at).any(|other| alternates(page, &own, &drafts[other], typer))
            });
        states.push(is_state);
    }
    states
}

/// True if another draft has other words at the same place in the records that do not have these.
fn alternates(page: &Page, own: &MergeCandidate, other: &ColumnDraft, typer: &mut ColumnTyper) -> bool {
    if other.source != CellSource::Text || !is_plain_text(page, other) {
        return false;
    }
    let is_disjoint = other.cells.iter().all(|cell| !own.records.contains(&cell.record));
    is_disjoint && is_same_column(page, own, &MergeCandidate::new(other.clone()), typer)
}

/// True for short words that are neither a label nor part of a link: those lead somewhere.
fn is_plain_text(page: &Page, draft: &ColumnDraft) -> bool {
    let is_link = std::iter::once(draft.sample).chain(page.tree.ancestors(draft.sample).take(2));
    draft.cells[0].text().len() <= MAX_STATE_BYTES
        && !is_label(page, draft)
        && !is_furniture(page, draft)
        && !is_link.into_iter().any(|node| page.tree.tag(node) == tags::A)
}

/// Template words that may name the column after them.
struct TemplateLabel {
    text: String,
    position: f64,
    /// How many records have them.
    cells: usize,
}

/// A few words for screen readers before a value: "Regular price".
fn is_assistive_label(page: &Page, draft: &ColumnDraft) -> bool {
    let text = draft.cells[0].text();
    let words = text.split_whitespace().count();
    words <= MAX_ASSISTIVE_LABEL_WORDS
        && text.len() <= MAX_COLUMN_LABEL_BYTES
        && is_assistive_column(page, draft)
}

/// Short words with a colon, or words in an element for terms and headers.
fn is_label(page: &Page, draft: &ColumnDraft) -> bool {
    let text = draft.cells[0].text();
    let term = |node| matches!(page.tree.tag(node), tags::DT | tags::TH | tags::LABEL);
    text.len() <= MAX_COLUMN_LABEL_BYTES
        && (ends_with_colon(text)
            || term(draft.sample)
            || page.tree.ancestors(draft.sample).take(2).any(term))
}

/// "Add to basket", or one icon, in most records. A number is a value even if all records share it.
fn is_template(draft: &ColumnDraft, records: usize) -> bool {
    let first = draft.cells[0].text();
    let may_be = match draft.source {
        CellSource::Text => !first.contains(|c: char| c.is_ascii_digit()),
        CellSource::Src => true,
        _ => false,
    };
    may_be
        && draft.cells.len() >= MIN_TEMPLATE_CELLS
        && 2 * draft.cells.len() > records
        && draft.cells.iter().all(|cell| cell.text() == first)
}

/// A column draft with what merging needs to know about it.
struct MergeCandidate {
    draft: ColumnDraft,
    records: FxHashSet<usize>,
    /// Sum of the positions of its cells.
    positions: usize,
    /// Its type. It is computed on demand because most columns are never compared by type.
    value_type: OnceCell<Option<ValueType>>,
}

impl MergeCandidate {
    fn new(draft: ColumnDraft) -> MergeCandidate {
        let records = draft.cells.iter().map(|cell| cell.record).collect();
        let positions = draft.cells.iter().map(|cell| cell.position).sum();
        MergeCandidate { draft, records, positions, value_type: OnceCell::new() }
    }

    fn mean_position(&self) -> f64 {
        self.positions as f64 / self.draft.cells.len() as f64
    }

    fn value_type(&self, typer: &mut ColumnTyper) -> Option<ValueType> {
        *self.value_type.get_or_init(|| typer.type_of_column(&self.draft))
    }

    fn absorb(&mut self, other: MergeCandidate) {
        self.draft.cells.extend(other.draft.cells);
        self.records.extend(other.records);
        self.positions += other.positions;
    }
}

/// Merges columns that never occur together in one record, have the same position and the same tags around
/// them. Sites give one field different classes, for example to tell sold items from items for sale.
fn merge_columns(page: &Page, drafts: Vec<ColumnDraft>, typer: &mut ColumnTyper) -> Vec<ColumnDraft> {
    let mut out: Vec<MergeCandidate> = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let new = MergeCandidate::new(draft);
        let from = out.len().saturating_sub(MAX_COMPARED_NEIGHBOURS);
        let near = out[from..].iter().rposition(|other| {
            other.draft.source == new.draft.source
                && other.records.is_disjoint(&new.records)
                && is_same_column(page, other, &new, typer)
        });
        match near {
            Some(at) => out[from + at].absorb(new),
            None => out.push(new),
        }
    }
    out.into_iter().map(|candidate| candidate.draft).collect()
}

/// True if the tags around both values are equal. Also true if only one of the values is in an additional
/// element (a discount) and both have one type. A price that is crossed out is another field than one that is
/// not.
fn is_same_column(page: &Page, a: &MergeCandidate, b: &MergeCandidate, typer: &mut ColumnTyper) -> bool {
    let apart = (a.mean_position() - b.mean_position()).abs();
    let (inner, outer) = (a.draft.sample, b.draft.sample);
    if page.index.path(inner) == page.index.path(outer) {
        return apart <= MAX_POSITION_DISTANCE;
    }
    let inside = |inner: Node, outer: Node| {
        let mut up = page.tree.ancestors(inner).take(MAX_OPTIONAL_WRAPPERS);
        up.any(|up| page.index.class_path(up) == page.index.class_path(outer))
    };
    let struck = |node: Node| page.styles.style(node).strike;
    if apart > 2.0 * MAX_POSITION_DISTANCE || struck(inner) != struck(outer) {
        return false;
    }
    if has_same_ancestors(page, inner, outer) {
        return a.draft.source != CellSource::Text || a.value_type(typer) == b.value_type(typer);
    }
    (inside(inner, outer) || inside(outer, inner))
        && a.draft.source == CellSource::Text
        && a.value_type(typer).is_some_and(|own| b.value_type(typer) == Some(own))
}

/// True if the elements of both values have the same tag and class, and so have their parents. Then a record
/// that is one element deeper than the others still has the same fields.
fn has_same_ancestors(page: &Page, a: Node, b: Node) -> bool {
    let tree = &page.tree;
    let kind = |node: Node| (tree.tag(node), page.index.class(node));
    let elements = |node: Node| {
        std::iter::once(node)
            .chain(tree.ancestors(node))
            .filter(|&up| !tree.is_text(up))
            .take(COMPARED_ANCESTORS)
            .map(kind)
    };
    tree.is_text(a) == tree.is_text(b) && elements(a).eq(elements(b))
}

/// Drops columns that repeat another column or its beginning: a title for small screens, the URL of the link
/// around an image.
fn without_repeated_columns(page: &Page, drafts: Vec<ColumnDraft>) -> Vec<ColumnDraft> {
    // columns whose cells begin alike in one record
    let mut beginnings: FxHashMap<(usize, CellSource, u64), Vec<usize>> = FxHashMap::default();
    for (c, draft) in drafts.iter().enumerate() {
        for cell in draft.cells.iter().filter(|cell| cell.record < REPETITION_SAMPLE_RECORDS) {
            let key = (cell.record, draft.source, beginning(draft.source, cell.text()));
            let alike = beginnings.entry(key).or_default();
            if alike.last() != Some(&c) && alike.len() < MAX_ALIKE_COLUMNS {
                alike.push(c);
            }
        }
    }
    let mut pairs: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for alike in beginnings.values() {
        for (i, &a) in alike.iter().enumerate() {
            for &b in &alike[i + 1..] {
                *pairs.entry((a, b)).or_default() += 1;
            }
        }
    }
    let mut pairs: Vec<((usize, usize), usize)> = pairs.into_iter().collect();
    pairs.sort_unstable();
    let mut gone = vec![false; drafts.len()];
    for ((a, b), together) in pairs {
        let seen =
            |c: usize| drafts[c].cells.iter().filter(|cell| cell.record < REPETITION_SAMPLE_RECORDS).count();
        let nearly_all = |c: usize| 10 * together >= 8 * seen(c);
        // of two equal columns the later one is dropped
        for (short, long) in [(b, a), (a, b)] {
            if !gone[a] && !gone[b] && nearly_all(short) && is_repetition(&drafts[short], &drafts[long]) {
                let unseen =
                    is_assistive_column(page, &drafts[long]) && !is_assistive_column(page, &drafts[short]);
                gone[if unseen { long } else { short }] = true;
            }
        }
    }
    let mut gone = gone.into_iter();
    drafts.into_iter().filter(|_| !gone.next().unwrap_or(false)).collect()
}

/// URLs are compared as a whole, texts by their first letters and digits.
fn beginning(source: CellSource, text: &str) -> u64 {
    match source {
        CellSource::Text => hash_each(letters_and_digits(text).take(BEGINNING_CHARS)),
        _ => hash_of(text),
    }
}

/// True if nearly every cell of `short` equals the cell of `long` in the same record, or a large part of its
/// beginning.
fn is_repetition(short: &ColumnDraft, long: &ColumnDraft) -> bool {
    let cells: FxHashMap<usize, &str> = long.cells.iter().map(|cell| (cell.record, cell.text())).collect();
    let (mut same, mut letters, mut all) = (0, 0, 0);
    let mut distinct: FxHashSet<&str> = FxHashSet::default();
    for cell in &short.cells {
        let text = cell.text();
        let Some(&other) = cells.get(&cell.record) else { continue };
        if short.source != CellSource::Text {
            same += usize::from(text == other);
            continue;
        }
        let mut rest = letters_and_digits(other);
        let own = letters_and_digits(text).count();
        let begins = letters_and_digits(text).all(|c| rest.next() == Some(c));
        same += usize::from(begins);
        letters += own;
        all += own + rest.count();
        distinct.insert(text);
    }
    // small numbers are equal by chance
    let by_chance = short.source == CellSource::Text
        && (distinct.len() < 3 || letters < BEGINNING_CHARS * short.cells.len())
        && distinct.len() < MIN_TEMPLATE_CELLS;
    10 * same >= 9 * short.cells.len() && 5 * letters >= 2 * all && !by_chance
}

/// Keeps as many columns as the budget of the page allows, those with most values: a page may have a class per
/// record.
fn limit_columns(mut drafts: Vec<ColumnDraft>, records: usize, budget: &CellBudget) -> Vec<ColumnDraft> {
    let most = budget.columns(drafts.len(), records);
    if drafts.len() > most {
        let mut sizes: Vec<usize> = drafts.iter().map(|draft| draft.cells.len()).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        // what only one record has is rarely a column of the list, and nobody misses it among hundreds
        if sizes[most] > 1 {
            budget.column_dropped();
        }
        let least = sizes[most - 1];
        let mut left = most - sizes.iter().filter(|&&size| size > least).count();
        drafts.retain(|draft| {
            let tie = draft.cells.len() == least && left > 0;
            left -= usize::from(tie);
            draft.cells.len() > least || tie
        });
    }
    drafts
}
