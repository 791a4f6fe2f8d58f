//! Which columns stay.
//!
//! In: columns in the making, in their order within the records. Out: those that say something, each once. Separators and
//! words that every record has are the template's; columns that no record has both of, in one place, are one; a column
//! that only repeats another, or its beginning, goes. Near-linear in the cells: columns are compared with a few
//! neighbours, or with those whose cells begin alike.

use super::Draft;
use super::kinds::Reader;
use super::lines::is_assistive;
use copal_dom::hash::{hash_each, hash_of};
use copal_dom::{Node, Page, letters_and_digits, tags};
use copal_model::CellSource;
use copal_values::ValueType;
use copal_values::labels::{bare, ends_with_colon};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// Cells from which one text for all is the template's, not the records'.
const CONSTANT: usize = 4;
/// How far apart in their records the values of one column may stand.
const NEAR: f64 = 1.5;
/// How many columns before it a column is compared with.
const NEIGHBOURS: usize = 64;
/// Letters and digits by which cells begin alike.
const BEGINNING: usize = 6;
/// Records in which repetitions are looked for; found ones are tried on all.
const FIRST: usize = 16;
/// Columns whose cells begin alike in one record: beyond that many they are no repetition.
const ALIKE: usize = 8;
/// Most elements around a value that only some records have.
const WRAPPERS: usize = 2;
/// Elements around a value that tell its field.
const AROUND: usize = 2;
/// Longest label.
const LABEL: usize = 40;
/// Most columns of a region, and most cells.
const COLUMNS: usize = 400;
const CELLS: usize = 2_000_000;

/// The columns that stay.
pub(super) fn prune(page: &Page, drafts: Vec<Draft>, records: usize, reader: &mut Reader) -> Vec<Draft> {
    let drafts = merged(page, without_template(page, drafts, records), reader);
    bounded(without_repetition(page, drafts), records)
}

/// Without the template's words. Those that are a label name the column behind them.
fn without_template(page: &Page, drafts: Vec<Draft>, records: usize) -> Vec<Draft> {
    let mut out: Vec<Draft> = Vec::with_capacity(drafts.len());
    let mut label: Option<(String, f64)> = None;
    for mut draft in drafts {
        let place = mean_position(&draft);
        if is_template(&draft, records) {
            let text = draft.cells[0].text();
            label = is_label(page, &draft).then(|| (bare(text).to_owned(), place));
            continue;
        }
        if draft.source == CellSource::Text
            && let Some((text, _)) = label.take().filter(|(_, before)| place - before <= NEAR)
            && draft.label.is_none()
        {
            draft.label = Some(text);
        }
        out.push(draft);
    }
    out
}

/// Short words with a colon, or in an element for terms and heads.
fn is_label(page: &Page, draft: &Draft) -> bool {
    let text = draft.cells[0].text();
    let term = |node| matches!(page.tree.tag(node), tags::DT | tags::TH | tags::LABEL);
    text.len() <= LABEL
        && (ends_with_colon(text)
            || term(draft.sample)
            || page.tree.ancestors(draft.sample).take(2).any(term))
}

/// "Add to basket" in (nearly) every record. A figure that all have is a value all the same.
fn is_template(draft: &Draft, records: usize) -> bool {
    let first = draft.cells[0].text();
    draft.source == CellSource::Text
        && draft.cells.len() >= CONSTANT
        && 2 * draft.cells.len() > records
        && !first.contains(|c: char| c.is_ascii_digit())
        && draft.cells.iter().all(|cell| cell.text() == first)
}

/// A column with what merging asks of it.
struct Placed {
    draft: Draft,
    records: FxHashSet<usize>,
    /// Sum of the positions of its cells.
    positions: usize,
    /// Its type, once it was asked for.
    kind: OnceCell<Option<ValueType>>,
}

impl Placed {
    fn new(draft: Draft) -> Placed {
        let records = draft.cells.iter().map(|cell| cell.record).collect();
        let positions = draft.cells.iter().map(|cell| cell.position).sum();
        Placed { draft, records, positions, kind: OnceCell::new() }
    }

    fn place(&self) -> f64 {
        self.positions as f64 / self.draft.cells.len() as f64
    }

    fn kind(&self, reader: &mut Reader) -> Option<ValueType> {
        *self.kind.get_or_init(|| reader.kind_of(&self.draft))
    }

    fn take(&mut self, other: Placed) {
        self.draft.cells.extend(other.draft.cells);
        self.records.extend(other.records);
        self.positions += other.positions;
    }
}

/// Columns that no record has both of, in the same place and with the same tags around them, are one: a class tells sold
/// from for sale.
fn merged(page: &Page, drafts: Vec<Draft>, reader: &mut Reader) -> Vec<Draft> {
    let mut out: Vec<Placed> = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let new = Placed::new(draft);
        let from = out.len().saturating_sub(NEIGHBOURS);
        let near = out[from..].iter().rposition(|other| {
            other.draft.source == new.draft.source
                && other.records.is_disjoint(&new.records)
                && same_place(page, other, &new, reader)
        });
        match near {
            Some(at) => out[from + at].take(new),
            None => out.push(new),
        }
    }
    out.into_iter().map(|placed| placed.draft).collect()
}

/// The same tags around them; or one in an element that some records have around the value (a discount), and both of one
/// type. A price that is crossed out is another one.
fn same_place(page: &Page, a: &Placed, b: &Placed, reader: &mut Reader) -> bool {
    let apart = (a.place() - b.place()).abs();
    let (inner, outer) = (a.draft.sample, b.draft.sample);
    if page.index.path(inner) == page.index.path(outer) {
        return apart <= NEAR;
    }
    let inside = |inner: Node, outer: Node| {
        let mut up = page.tree.ancestors(inner).take(WRAPPERS);
        up.any(|up| page.index.class_path(up) == page.index.class_path(outer))
    };
    let struck = |node: Node| page.styles.style(node).strike;
    if apart > 2.0 * NEAR || struck(inner) != struck(outer) {
        return false;
    }
    if same_around(page, inner, outer) {
        return a.draft.source != CellSource::Text || a.kind(reader) == b.kind(reader);
    }
    (inside(inner, outer) || inside(outer, inner))
        && a.draft.source == CellSource::Text
        && a.kind(reader).is_some_and(|kind| b.kind(reader) == Some(kind))
}

/// The element of both values has one tag and class, and the one around it too: a record that stands one element deeper
/// has the same fields.
fn same_around(page: &Page, a: Node, b: Node) -> bool {
    let tree = &page.tree;
    let kind = |node: Node| (tree.tag(node), page.index.class(node));
    let elements = |node: Node| {
        std::iter::once(node)
            .chain(tree.ancestors(node))
            .filter(|&up| !tree.is_text(up))
            .take(AROUND)
            .map(kind)
    };
    tree.is_text(a) == tree.is_text(b) && elements(a).eq(elements(b))
}

/// Without columns that repeat another one, or its beginning: a title for small screens, the address behind a picture.
fn without_repetition(page: &Page, drafts: Vec<Draft>) -> Vec<Draft> {
    // columns whose cells begin alike in one record
    let mut beginnings: FxHashMap<(usize, CellSource, u64), Vec<usize>> = FxHashMap::default();
    for (c, draft) in drafts.iter().enumerate() {
        for cell in draft.cells.iter().filter(|cell| cell.record < FIRST) {
            let key = (cell.record, draft.source, beginning(draft.source, cell.text()));
            let alike = beginnings.entry(key).or_default();
            if alike.last() != Some(&c) && alike.len() < ALIKE {
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
        let seen = |c: usize| drafts[c].cells.iter().filter(|cell| cell.record < FIRST).count();
        let nearly_all = |c: usize| 10 * together >= 8 * seen(c);
        // of two that are equal the later one goes
        for (short, long) in [(b, a), (a, b)] {
            if !gone[a] && !gone[b] && nearly_all(short) && repeats(&drafts[short], &drafts[long]) {
                let unseen = assistive(page, &drafts[long]) && !assistive(page, &drafts[short]);
                gone[if unseen { long } else { short }] = true;
            }
        }
    }
    let mut gone = gone.into_iter();
    drafts.into_iter().filter(|_| !gone.next().unwrap_or(false)).collect()
}

/// Only screen readers read it: what everyone sees is to be preferred.
fn assistive(page: &Page, draft: &Draft) -> bool {
    std::iter::once(draft.sample)
        .chain(page.tree.ancestors(draft.sample).take(1))
        .any(|node| is_assistive(page, node))
}

/// Addresses as they are; of texts the first letters and digits.
fn beginning(source: CellSource, text: &str) -> u64 {
    match source {
        CellSource::Text => hash_each(letters_and_digits(text).take(BEGINNING)),
        _ => hash_of(text),
    }
}

/// True if nearly every cell of `short` is the cell of `long` in its record, or most of its beginning.
fn repeats(short: &Draft, long: &Draft) -> bool {
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
    // small figures are equal by chance
    let by_chance = short.source == CellSource::Text
        && (distinct.len() < 3 || letters < BEGINNING * short.cells.len())
        && distinct.len() < CONSTANT;
    10 * same >= 9 * short.cells.len() && 5 * letters >= 2 * all && !by_chance
}

/// At most [`COLUMNS`] columns and [`CELLS`] cells, those with most values: a page may have a class for each record.
fn bounded(mut drafts: Vec<Draft>, records: usize) -> Vec<Draft> {
    let most = COLUMNS.min(CELLS / records.max(1)).max(1);
    if drafts.len() > most {
        let mut sizes: Vec<usize> = drafts.iter().map(|draft| draft.cells.len()).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
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

/// Where in their records the values of a column stand.
pub(super) fn mean_position(draft: &Draft) -> f64 {
    draft.cells.iter().map(|cell| cell.position as f64).sum::<f64>() / draft.cells.len() as f64
}
