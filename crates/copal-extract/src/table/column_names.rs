//! Names of columns.
//!
//! In: the column drafts of a list, with their types. Out: one unique name per column, what it was taken from
//! and why. All evidence is one ranked list ([`NameRank`]). A name that a column with better evidence has
//! already is left to it, and the next evidence counts. O(cells).

use super::class_names::{ClassMeaning, ClassName, ColumnNodes, class_name};
use super::column_draft::{ColumnDraft, DraftCell, self_and_ancestors};
use super::content_names::{form_guess, has_person_fields, link_word_name, may_be_people, shared_noun_name};
use super::html_tables::HtmlTables;
use super::role_names::name_by_role;
use super::snake_case::snake_case;
use super::text_names::{constant_name, form_name, is_author_preposition, unit_name, word_before_name};
use super::value_names::{
    NameEvidence, author_name, class_evidence, longer_class_evidence, typed_name, weak_name, with_source,
};
use crate::lists::candidate::ListCandidate;
use copal_dom::{NONE, Node, Page, attrs, tags};
use copal_model::{CellSource, NamedBy};
use copal_values::ValueType;
use copal_values::label_names::{english_head_name, english_name};
use rustc_hash::{FxHashMap, FxHashSet};

/// HTML attributes in which responsive tables keep the headers of their columns.
const LABEL_ATTRIBUTES: &[&str] = &["data-label", "data-title", "data-th"];
/// Longest label that is used as a name, in bytes.
const MAX_LABEL_NAME_BYTES: usize = 40;
/// Descriptions of elements with more words are sentences.
const MAX_DESCRIPTION_WORDS: usize = 3;

/// Words between two fields that say nothing about the second one.
const CONNECTING_WORDS: &[&str] =
    &["a", "and", "at", "e", "et", "in", "of", "on", "or", "the", "to", "und", "with", "y"];

/// Class words for people and organisations after "by" that are not authors.
const SOURCE_ROLES: &[&str] = &[
    "agent",
    "artist",
    "brand",
    "broker",
    "company",
    "dealer",
    "developer",
    "director",
    "host",
    "manufacturer",
    "organizer",
    "owner",
    "publisher",
    "seller",
    "store",
    "supplier",
    "vendor",
];
/// Labels of values that always have digits.
const DIGIT_LABELS: &[&str] = &["date", "fax", "phone", "price", "tel", "telephone"];

/// The kinds of evidence for a name, from the most to the least reliable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NameRank {
    /// The header of a table, `itemprop`, `property`.
    Given,
    /// A label or term before the value, a word that all values share.
    Label,
    /// A type that says what a value is, or a class that says it more exactly.
    Typed,
    /// A class word that names a field.
    FieldClass,
    /// `aria-label`, `title` or `alt`, or what the numbers count.
    Description,
    /// A long text.
    Prose,
    /// Another class word.
    OtherClass,
    /// A type that says little, the header of a cell with several values, or the class of an element with
    /// several fields.
    Weak,
    /// What the texts of a column look like.
    Guess,
}

/// What names a column, and the class of its elements.
pub(super) struct NamedColumn {
    pub(super) name: String,
    /// The name that it would have, if another column did not have it already.
    pub(super) base: Option<String>,
    pub(super) by: NamedBy,
    pub(super) reason: String,
    /// The class that describes the column best, as the page writes it.
    pub(super) class: Option<String>,
}

/// Names all columns; see the module.
pub(super) fn name_columns(
    page: &Page,
    found: &ListCandidate,
    tables: &HtmlTables,
    drafts: &[ColumnDraft],
    value_types: &[Option<ValueType>],
) -> Vec<NamedColumn> {
    let records = found.records.len();
    let nodes = ColumnNodes::new(found, drafts);
    let class = |(c, draft): (usize, &ColumnDraft)| class_name(page, &nodes, c, draft.sample);
    let classes: Vec<Option<ClassName>> = drafts.iter().enumerate().map(class).collect();
    let mut evidence: Vec<Vec<(NameRank, NameEvidence)>> = Vec::with_capacity(drafts.len());
    for (c, ((draft, value_type), class)) in drafts.iter().zip(value_types).zip(&classes).enumerate() {
        let mut own = Vec::new();
        let mut add =
            |rank: NameRank, found: Option<NameEvidence>| own.extend(found.map(|found| (rank, found)));
        let (given, is_main) = given_name(page, found, tables, &nodes, c, draft);
        add(if is_main { NameRank::Given } else { NameRank::Weak }, given);
        let more_exact = |found: NameEvidence| with_exact_role(found, class.as_ref(), draft.source);
        let label = label(draft);
        add(NameRank::Label, label.as_ref().and_then(|label| english_label(page, draft, label)));
        add(NameRank::Label, label.map(|label| more_exact(label.evidence)));
        add(NameRank::Label, word_before_name(draft).map(more_exact));
        add(NameRank::Description, constant_name(draft));
        add(NameRank::Description, form_name(draft, *value_type));
        add(NameRank::Description, unit_name(draft, *value_type));
        add(NameRank::Typed, author_name(page, draft, drafts, records));
        add(NameRank::Typed, value_type.and_then(|own| typed_name(page, draft, own, class.as_ref())));
        add(NameRank::Description, accessible_name(page, draft));
        if value_type.is_none() {
            add(NameRank::Description, link_word_name(page, draft));
        }
        add(
            if value_type.is_none() { NameRank::Prose } else { NameRank::Weak },
            weak_name(draft, *value_type),
        );
        if let Some(class) = class {
            let rank = match class.meaning {
                ClassMeaning::Field => NameRank::FieldClass,
                ClassMeaning::Word => NameRank::OtherClass,
                ClassMeaning::Shared => NameRank::Weak,
            };
            add(rank, Some(class_evidence(class, draft.source)));
            add(NameRank::Weak, longer_class_evidence(class, draft.source));
        }
        own.sort_by_key(|(rank, _)| *rank);
        evidence.push(own);
    }
    let mut names: Vec<Option<NameEvidence>> = vec![None; drafts.len()];
    choose(&mut names, &evidence, |rank| rank <= NameRank::Typed);
    name_by_role(page, &mut names, drafts, value_types, &classes, records);
    choose(&mut names, &evidence, |rank| rank > NameRank::Typed);
    // what texts look like is only asked where nothing else names them: it takes a look at every text
    let guesses: Vec<Vec<(NameRank, NameEvidence)>> = drafts
        .iter()
        .enumerate()
        .map(|(c, draft)| {
            let is_open = names[c].is_none() && value_types[c].is_none();
            let found = || shared_noun_name(draft).into_iter().chain(form_guess(draft));
            if is_open { found().map(|found| (NameRank::Guess, found)).collect() } else { Vec::new() }
        })
        .collect();
    choose(&mut names, &guesses, |_| true);
    for (own, guesses) in evidence.iter_mut().zip(guesses) {
        own.extend(guesses);
    }
    name_subtitle(&mut names, drafts, records);
    name_people(&mut names, drafts);
    // a name that is taken, with a number, says more than a number alone
    let second: Vec<Option<NameEvidence>> =
        evidence.into_iter().map(|own| own.into_iter().next().map(|(_, found)| found)).collect();
    finished(names, second, &classes, drafts)
}

/// Gives names to columns that have none: the best evidence first, over all columns, and only names that no
/// column has yet.
fn choose(
    names: &mut [Option<NameEvidence>],
    evidence: &[Vec<(NameRank, NameEvidence)>],
    is_asked: impl Fn(NameRank) -> bool,
) {
    let mut used: FxHashSet<String> = names.iter().flatten().map(|found| found.name.clone()).collect();
    let mut all: Vec<(NameRank, usize, &NameEvidence)> = Vec::new();
    for (c, own) in evidence.iter().enumerate() {
        all.extend(own.iter().filter(|(rank, _)| is_asked(*rank)).map(|(rank, found)| (*rank, c, found)));
    }
    all.sort_by_key(|&(rank, c, _)| (rank, c));
    for (rank, c, found) in all {
        // what the page itself calls a column stays its name, with a number if need be
        if names[c].is_none() && (used.insert(found.name.clone()) || rank == NameRank::Given) {
            names[c] = Some(found.clone());
        }
    }
}

/// Names the text after the title, if nothing else names it.
fn name_subtitle(names: &mut [Option<NameEvidence>], drafts: &[ColumnDraft], records: usize) {
    let is = |names: &[Option<NameEvidence>], c: usize, name: &str| {
        names[c].as_ref().is_some_and(|found| found.name == name)
    };
    let Some(title) = (0..names.len()).find(|&c| is(names, c, "title")) else { return };
    let next = (title + 1..drafts.len()).find(|&c| drafts[c].source == CellSource::Text);
    let is_taken = (0..names.len()).any(|c| is(names, c, "subtitle"));
    if let Some(c) =
        next.filter(|&c| names[c].is_none() && !is_taken && 2 * drafts[c].record_count() > records)
    {
        names[c] = Some(NameEvidence::new("subtitle", NamedBy::Position, "the text after the title"));
    }
}

/// A title is a name where the other columns say that the records are people.
fn name_people(names: &mut [Option<NameEvidence>], drafts: &[ColumnDraft]) {
    let is_known = |name: &str| names.iter().flatten().any(|found| found.name == name);
    let title = names.iter().position(|found| found.as_ref().is_some_and(|found| found.name == "title"));
    if let Some(c) = title
        && !is_known("name")
        && names[c].as_ref().is_some_and(|found| found.by == NamedBy::Role)
        && has_person_fields(names.iter().flatten().map(|found| found.name.as_str()))
        && may_be_people(&drafts[c])
    {
        let reason = "its texts are the people that the records are about";
        names[c] = Some(NameEvidence::new("name", NamedBy::Role, reason));
    }
}

/// Who is named after "by": an author, unless the class says who else.
fn with_exact_role(found: NameEvidence, class: Option<&ClassName>, source: CellSource) -> NameEvidence {
    let is_role = |class: &&ClassName| {
        let last = class.name.rsplit('_').next().unwrap_or_default();
        class.meaning == ClassMeaning::Field && SOURCE_ROLES.contains(&last)
    };
    match class.filter(is_role) {
        Some(class) if found.name == "author" => class_evidence(class, source),
        _ => found,
    }
}

/// Makes names unique. A column without a name gets its best evidence, `second`, with a number; if it has
/// none, a number alone.
fn finished(
    names: Vec<Option<NameEvidence>>,
    second: Vec<Option<NameEvidence>>,
    classes: &[Option<ClassName>],
    drafts: &[ColumnDraft],
) -> Vec<NamedColumn> {
    let mut out: Vec<Option<NamedColumn>> = names.iter().map(|_| None).collect();
    let mut taken: Vec<(usize, NameEvidence)> = Vec::new();
    let mut later: Vec<(usize, NameEvidence)> = Vec::new();
    let mut unnamed: FxHashMap<&str, usize> = FxHashMap::default();
    for (c, (found, second)) in names.into_iter().zip(second).enumerate() {
        match (found, second) {
            (Some(found), _) => taken.push((c, found)),
            (None, Some(second)) => later.push((c, second)),
            (None, None) => {
                let kind = match drafts[c].source {
                    CellSource::Href => "link",
                    CellSource::Src => "picture",
                    CellSource::Text | CellSource::Embedded | CellSource::Detail | CellSource::Heading => {
                        "text"
                    }
                };
                let number = unnamed.entry(kind).or_default();
                *number += 1;
                let name = format!("{kind}_{number}");
                later.push((c, NameEvidence::new(name, NamedBy::Position, "nothing names it")));
            }
        }
    }
    taken.extend(later);
    let unique = unique_names(taken.iter().map(|(_, found)| Some((found.name.clone(), found.by))).collect());
    for ((c, found), (name, by)) in taken.into_iter().zip(unique) {
        let class = classes[c].as_ref().map(|class| class.class.clone());
        let base = if name == found.name { found.instead_of } else { Some(found.name) };
        out[c] = Some(NamedColumn { name, base, by, reason: found.reason, class });
    }
    out.into_iter().flatten().collect()
}

/// A label, and the name that its words give.
struct LabelEvidence {
    label: String,
    evidence: NameEvidence,
}

/// True if a name is that of values with digits, and most texts have none: a label that a value of another
/// kind follows belongs to something else.
fn lacks_digits(name: &str, draft: &ColumnDraft) -> bool {
    let needs_digit = name.rsplit('_').next().is_some_and(|word| DIGIT_LABELS.contains(&word));
    let has_digit = |cell: &&DraftCell| cell.text().contains(|c: char| c.is_numeric());
    needs_digit && 2 * draft.cells.iter().filter(has_digit).count() < draft.cells.len()
}

/// The English name of a common label in another language, with the reason of the label itself.
fn english_label(page: &Page, draft: &ColumnDraft, found: &LabelEvidence) -> Option<NameEvidence> {
    let name = english_head_name(&found.label, page.lang()).filter(|name| !lacks_digits(name, draft))?;
    Some(NameEvidence { name: name.to_owned(), ..found.evidence.clone() })
}

/// The label of a column: words that were found before its values, or words with a colon that nearly all of
/// its texts begin with.
fn label(draft: &ColumnDraft) -> Option<LabelEvidence> {
    let evidence = |label: &str| {
        let names_nothing = CONNECTING_WORDS.contains(&label.trim().to_lowercase().as_str());
        if names_nothing {
            return None;
        }
        let name = if is_author_preposition(label) { Some("author".to_owned()) } else { snake_case(label) };
        let name = name.filter(|name| name.len() <= MAX_LABEL_NAME_BYTES)?;
        if lacks_digits(&name, draft) {
            return None;
        }
        let reason = format!("the label {label:?} before its values");
        let evidence = NameEvidence::new(name, NamedBy::Label, reason);
        Some(LabelEvidence { label: label.trim().to_owned(), evidence })
    };
    if let Some(label) = &draft.label {
        return evidence(label);
    }
    let before = |text: &str| text.split_once(':').map(|(label, _)| label.to_owned());
    let first = before(draft.cells[0].text()).filter(|label| label.len() <= MAX_LABEL_NAME_BYTES)?;
    let labelled = draft.cells.iter().filter(|cell| {
        cell.text().strip_prefix(first.as_str()).is_some_and(|rest| rest.starts_with(": ") || rest == ":")
    });
    let all = draft.source == CellSource::Text && draft.cells.len() > 1;
    (all && 10 * labelled.count() >= 9 * draft.cells.len()).then(|| evidence(&first)).flatten()
}

/// The description for people who cannot see the element, such as `title="Comments"`. It must be the same in
/// the first and the last record: a description that differs is a value.
fn accessible_name(page: &Page, draft: &ColumnDraft) -> Option<NameEvidence> {
    if draft.sample == draft.last {
        return None;
    }
    let description = |node: Node, name| {
        let text = page.tree.attr(node, name)?.trim();
        let is_short = text.len() <= MAX_LABEL_NAME_BYTES
            && text.split_whitespace().count() <= MAX_DESCRIPTION_WORDS
            && !text.contains(|c: char| c.is_ascii_digit());
        is_short.then_some(text)
    };
    let names = [attrs::ARIA_LABEL, attrs::TITLE, attrs::ALT];
    let mut nodes = self_and_ancestors(page, draft.sample).zip(self_and_ancestors(page, draft.last)).take(2);
    let same = |(a, b): (Node, Node)| {
        let apart = a != b && page.index.leaves(&(a..page.tree.end(a))) <= 1;
        names
            .iter()
            .filter(|_| apart)
            .find_map(|&name| description(a, name).filter(|&text| description(b, name) == Some(text)))
    };
    let text = nodes.find_map(same)?;
    let name = with_source(snake_case(text)?, draft.source);
    Some(NameEvidence::new(name, NamedBy::Label, format!("the description {text:?} of its elements")))
}

/// A name that the page states itself: a header cell, `itemprop` or `property`. The flag is false for a
/// further value in a cell of a table, which the header names only if nothing else does.
fn given_name(
    page: &Page,
    found: &ListCandidate,
    tables: &HtmlTables,
    nodes: &ColumnNodes,
    column: usize,
    draft: &ColumnDraft,
) -> (Option<NameEvidence>, bool) {
    let mut at = draft.sample;
    while at != NONE && at > found.root {
        if matches!(page.tree.tag(at), tags::TD | tags::TH) {
            return cell_name(page, tables, nodes, column, draft, at);
        }
        if let Some(name) = property_name(page, draft, at) {
            return (Some(name), true);
        }
        at = page.tree.parent(at);
    }
    (None, true)
}

/// The name that the header or a label attribute gives to a cell of a table.
fn cell_name(
    page: &Page,
    tables: &HtmlTables,
    nodes: &ColumnNodes,
    column: usize,
    draft: &ColumnDraft,
    cell: Node,
) -> (Option<NameEvidence>, bool) {
    let header = tables.header(page, cell).map(|header| {
        let reason = match &header.translated {
            Some(words) => format!("the header {words:?} of its table column"),
            None => "the header of its table column".to_owned(),
        };
        NameEvidence::new(with_source(header.name.clone(), draft.source), NamedBy::Header, reason)
    });
    if draft.source != CellSource::Text {
        return (header, false);
    }
    if draft.label.is_some() && header.is_none() {
        return (None, true);
    }
    let is_main = nodes.fields_in(page, cell).first().is_none_or(|&first| first == column);
    let label = || {
        let label = LABEL_ATTRIBUTES.iter().find_map(|name| page.tree.attr_named(cell, name))?;
        let name = english_name(label, page.lang()).map(str::to_owned).or_else(|| snake_case(label))?;
        Some(NameEvidence::new(name, NamedBy::Label, format!("the label {label:?} of its cells")))
    };
    (header.or_else(label), is_main)
}

/// The name that the microdata or `RDFa` property of an element gives to a value inside it. A property whose
/// value is an object names that object: the name of an `author` is the author, but its other fields are
/// not.
fn property_name(page: &Page, draft: &ColumnDraft, node: Node) -> Option<NameEvidence> {
    let tree = &page.tree;
    let rdfa = || tree.attr(node, attrs::PROPERTY).map(|name| name.rsplit(':').next().unwrap_or(name));
    let own = tree.attr(node, attrs::ITEMPROP).or_else(rdfa)?;
    let property = own.split_ascii_whitespace().next()?;
    let is_object = |node: Node| tree.attr_named(node, "itemscope").is_some();
    let is_url = property.eq_ignore_ascii_case("url") || property.eq_ignore_ascii_case("image");
    let several = page.index.leaves(&(node..tree.end(node))) > 1;
    if is_object(node) && several || is_url && draft.source == CellSource::Text {
        return None;
    }
    // the scope of a bare name: <span itemprop=author itemscope><b itemprop=name>
    let scope = || {
        tree.ancestors(node)
            .take_while(|&up| {
                tree.attr_named(up, "itemtype").is_none_or(|_| tree.attr(up, attrs::ITEMPROP).is_some())
            })
            .find(|&up| is_object(up))
            .and_then(|up| tree.attr(up, attrs::ITEMPROP))
            .and_then(|scope| scope.split_ascii_whitespace().next())
    };
    let scope = if property == "name" { scope() } else { None };
    let name = snake_case(scope.unwrap_or(property))?;
    let name = match draft.source {
        CellSource::Href if name != "url" => format!("{name}_url"),
        _ => name,
    };
    Some(NameEvidence::new(name, NamedBy::Property, format!("the property {own} of its elements")))
}

/// Makes names unique by appending numbers; columns without a name get one from their position.
pub(crate) fn unique_names(names: Vec<Option<(String, NamedBy)>>) -> Vec<(String, NamedBy)> {
    let mut used: FxHashSet<String> = FxHashSet::default();
    let mut next: FxHashMap<String, usize> = FxHashMap::default();
    let mut out = Vec::with_capacity(names.len());
    for (c, name) in names.into_iter().enumerate() {
        let (base, by) = name.unwrap_or_else(|| (format!("column_{}", c + 1), NamedBy::Position));
        let mut name = base.clone();
        while !used.insert(name.clone()) {
            let n = next.entry(base.clone()).or_insert(1);
            *n += 1;
            name = format!("{base}_{n}");
        }
        out.push((name, by));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_words() {
        assert_eq!(snake_case("productTitle").as_deref(), Some("product_title"));
        assert_eq!(snake_case(" Price (GBP): ").as_deref(), Some("price_gbp"));
        assert_eq!(snake_case("ราคา").as_deref(), Some("ราคา"));
        assert_eq!(snake_case("--- 12"), None);
    }

    #[test]
    fn equal_names_get_numbers() {
        let some = |s: &str| Some((s.to_owned(), NamedBy::Class));
        let names = unique_names(vec![some("a"), None, some("a"), some("a_2")]);
        let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "column_2", "a_2", "a_2_2"]);
    }

    #[test]
    fn a_taken_name_is_left_to_the_better_evidence() {
        let evidence = |name: &str, by| NameEvidence::new(name, by, "");
        let own = vec![
            vec![
                (NameRank::FieldClass, evidence("price", NamedBy::Class)),
                (NameRank::OtherClass, evidence("sum", NamedBy::Class)),
            ],
            vec![(NameRank::Typed, evidence("price", NamedBy::ValueType))],
        ];
        let mut names = vec![None, None];
        choose(&mut names, &own, |_| true);
        let names: Vec<&str> = names.iter().flatten().map(|found| found.name.as_str()).collect();
        assert_eq!(names, ["sum", "price"]);
    }
}
