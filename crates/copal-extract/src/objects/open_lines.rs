//! Fields without a domain from short lines without a label.
//!
//! In: the lines of a page that no label names. Out: fields under the name that their words, their class or
//! their type give: "In stock" is the availability, "2 Bewertungen" are reviews, `class="author"` is the
//! author, a telephone number is a `phone`. What differs between the pages of a template belongs to the
//! object, whatever its class. On a single page, the class must name a common field, or the text must be near
//! the headline. O(lines) up to a budget.

use super::detail_page::{DetailPage, LineLeaf, PageLine};
use super::field_class_names::{name_from_class, role_from_class, role_word};
use super::labelled_values::LabelLayout;
use super::open_field_list::OpenFields;
use super::other_objects::ForeignParts;
use super::own_values::is_own_line;
use super::page_findings::PageFindings;
use super::reader_forms::is_in_form;
use crate::table::class_names::field_in_class;
use crate::table::field_words::is_layout_word;
use copal_dom::{attrs, squash, tags};
use copal_model::FieldSource;
use copal_values::ValueType;
use copal_values::label_names::english_name;
use rustc_hash::FxHashSet;

/// Longest text that is named by its class, in bytes.
const MAX_CLASS_NAMED_BYTES: usize = 160;
/// What a line costs in addition to its bytes.
const BYTES_PER_LINE: usize = 16;
/// Elements around a line whose class or id may name a field.
const NAMING_ELEMENTS: usize = 4;
/// Links of one line that are values of one field.
const MAX_LINKED_VALUES: usize = 8;
/// Longest line that is only about the availability, in bytes.
const MAX_AVAILABILITY_BYTES: usize = 60;

/// Words of classes that name fields of records in lists, but rather parts of the page on a detail page.
const PAGE_FIELD_WORDS: &[&str] = &[
    "text",
    "body",
    "section",
    "post",
    "posts",
    "comment",
    "comments",
    "message",
    "note",
    "notes",
    "site",
    "user",
    "reply",
    "replies",
    "shares",
    "likes",
    "total",
    "quantity",
    "offer",
    "recommended",
    "recommendation",
    "relevance",
    "member",
    "members",
    "question",
    "answers",
    "event",
    "credits",
    "domain",
    "title",
    "headline",
    "subtitle",
    "name",
    "tag",
    "points",
    "amount",
    "language",
    "currency",
    "discount",
    "hits",
    "type",
    "area",
    "schedule",
    "citation",
    "kind",
    "status",
    "open",
    "start",
    "end",
    "stops",
];

/// How shops say whether something is available, in several languages: general knowledge.
const AVAILABILITY_PHRASES: &[&str] = &[
    "in stock",
    "out of stock",
    "sold out",
    "available now",
    "not available",
    "currently unavailable",
    "temporarily unavailable",
    "pre-order",
    "preorder",
    "back-order",
    "only a few left",
    "auf lager",
    "am lager",
    "artikel am lager",
    "sofort lieferbar",
    "sofort verfügbar",
    "nicht verfügbar",
    "nicht lieferbar",
    "ausverkauft",
    "lieferbar",
    "verfügbar",
    "vorrätig",
    "en stock",
    "disponible",
    "indisponible",
    "rupture de stock",
    "épuisé",
    "agotado",
    "sin stock",
    "disponibile",
    "non disponibile",
    "esaurito",
    "disponível",
    "esgotado",
    "em estoque",
    "em stock",
    "op voorraad",
    "niet op voorraad",
    "uitverkocht",
    "leverbaar",
    "dostępny",
    "niedostępny",
    "na stanie",
    "w magazynie",
    "skladem",
    "není skladem",
    "vyprodáno",
    "na sklade",
    "raktáron",
    "elfogyott",
    "în stoc",
    "stoc epuizat",
    "i lager",
    "slut i lager",
    "slutsåld",
    "på lager",
    "udsolgt",
    "utsolgt",
    "varastossa",
    "loppuunmyyty",
    "stokta var",
    "stokta yok",
    "tükendi",
    "в наличии",
    "нет в наличии",
    "под заказ",
    "є в наявності",
    "немає в наявності",
    "в наличност",
    "изчерпан",
    "διαθέσιμο",
    "εξαντλήθηκε",
    "在庫あり",
    "在庫なし",
    "売り切れ",
    "有货",
    "有貨",
    "缺货",
    "售罄",
    "재고 있음",
    "품절",
    "매진",
];

/// Adds the lines.
pub(super) fn add_lines(findings: &PageFindings<'_>, foreign: &ForeignParts, fields: &mut OpenFields<'_>) {
    let PageFindings { page, headline, labelled, .. } = findings;
    let labelled_lines: FxHashSet<usize> = labelled
        .iter()
        .filter(|value| value.layout != LabelLayout::Heading)
        .flat_map(|value| std::iter::once(value.line).chain(value.lines.clone()))
        .collect();
    for at in (0..page.lines.len()).filter(|at| !labelled_lines.contains(at)) {
        let line = &page.lines[at];
        let is_short = line.text.len() <= MAX_CLASS_NAMED_BYTES && line.text.contains(char::is_alphanumeric);
        if line.outside
            || line.doubtful
            || !is_short
            || page.is_static(at)
            || foreign.sections.iter().any(|lines| lines.contains(&at))
            || is_in_form(&foreign.forms, line.first())
            || !is_own_line(page, at)
            || fields.shows(&line.text)
        {
            continue;
        }
        if !fields.budget.spend(line.text.len() + BYTES_PER_LINE) {
            break;
        }
        let near = headline.map_or(0.0, |headline| (-(at.abs_diff(headline) as f64) / 20.0).exp());
        // a text that only repeats the name is its label
        let named = line_name(page, at, near, fields).filter(|(name, _)| squash(name) != squash(&line.text));
        if let Some((name, weight)) = named {
            fields.push(&name, line_texts(page, line), FieldSource::Text, weight, Some(line.first()));
        }
    }
}

/// The name of a line and its weight. `near` is 1 at the headline and falls with the distance from it.
fn line_name(page: &DetailPage<'_>, at: usize, near: f64, fields: &OpenFields<'_>) -> Option<(String, f64)> {
    let line = &page.lines[at];
    let varies = if page.page_count > 1 { 0.25 } else { 0.0 };
    if is_availability(&line.text) && !fields.has("availability") {
        return Some(("availability".to_owned(), 0.35 + varies + 0.25 * near));
    }
    if let Some(name) = counted_name(&line.text, fields.language) {
        return Some((name.to_owned(), 0.35 + varies + 0.25 * near));
    }
    if let Some(name) = class_field(page, at) {
        return Some((name, 0.42 + varies + 0.5 * near));
    }
    // looking for values costs more than everything before
    let value_type = fields.main_hit(&line.text).map(|hit| hit.value_type);
    if let Some(ValueType::Phone | ValueType::Email) = value_type {
        let name = value_type.map_or("", ValueType::name);
        return (!fields.has(name)).then(|| (name.to_owned(), 0.42 + varies + 0.25 * near));
    }
    let class = name_from_class(page, line.first());
    let class = class.filter(|class| !class.split(' ').all(is_layout_word));
    let class = if page.page_count > 1 { class } else { class.and_then(role_from_class) };
    let is_role = class.as_deref().is_some_and(|class| role_word(class).is_some());
    let name = class.or_else(|| value_type.map(|kind| kind.name().to_owned()))?;
    let is_certain = is_role || value_type.is_some();
    Some((name, 0.2 + varies + 0.25 * near + if is_certain { 0.2 } else { 0.0 }))
}

/// The values of a line: several links are several values, and of a date with words around it only the date
/// counts, if it is marked as one.
fn line_texts(page: &DetailPage<'_>, line: &PageLine) -> Vec<String> {
    let tree = &page.dom.tree;
    let text = |leaf: &LineLeaf| line.text[leaf.span.clone()].trim().to_owned();
    let named = || line.leaves.iter().filter(|leaf| text(leaf).contains(char::is_alphanumeric));
    let mut times = named().filter(|leaf| tree.tag(tree.parent(leaf.node)) == tags::TIME);
    if let (Some(time), None) = (times.next(), times.next()) {
        return vec![text(time)];
    }
    let is_name = |leaf: &LineLeaf| text(leaf).contains(char::is_alphabetic) && page.is_in_link(leaf.node);
    let is_linked = named().all(is_name);
    match named().count() {
        2..=MAX_LINKED_VALUES if is_linked => named().map(text).collect(),
        _ => vec![line.text.clone()],
    }
}

/// The field that the class or id of an element around only this line names.
fn class_field(page: &DetailPage<'_>, at: usize) -> Option<String> {
    let tree = &page.dom.tree;
    let line = &page.lines[at];
    let around = tree.ancestors(line.first()).take(NAMING_ELEMENTS);
    let mut around =
        around.take_while(|&above| tree.tag(above) != tags::BODY && page.lines_of(above) == (at..at + 1));
    around.find_map(|above| {
        let names = [attrs::CLASS, attrs::ID].into_iter().filter_map(|name| tree.attr(above, name));
        let mut fields = names.flat_map(str::split_ascii_whitespace).filter_map(field_in_class);
        fields.find(|field| field.rsplit('_').next().is_some_and(|word| !PAGE_FIELD_WORDS.contains(&word)))
    })
}

/// True if a line says whether the object is available, and nothing else.
fn is_availability(text: &str) -> bool {
    if text.len() > MAX_AVAILABILITY_BYTES {
        return false;
    }
    let text = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    AVAILABILITY_PHRASES
        .iter()
        .any(|phrase| text.strip_prefix(phrase).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
}

/// What a number counts: "reviews" of "2 Bewertungen".
fn counted_name(text: &str, language: Option<&str>) -> Option<&'static str> {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    let (number, words) = text.split_once(char::is_whitespace)?;
    let is_number = number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '\u{a0}'));
    let words = words.trim();
    if !is_number || words.contains(char::is_whitespace) {
        return None;
    }
    english_name(words, language).or_else(|| {
        const COUNTED: &[(&str, &str)] = &[
            ("review", "reviews"),
            ("reviews", "reviews"),
            ("rating", "ratings"),
            ("ratings", "ratings"),
            ("vote", "votes"),
            ("votes", "votes"),
            ("views", "views"),
            ("pages", "pages"),
            ("bedroom", "bedrooms"),
            ("bedrooms", "bedrooms"),
            ("bathroom", "bathrooms"),
            ("bathrooms", "bathrooms"),
            ("rooms", "rooms"),
            ("servings", "servings"),
            ("citations", "citations"),
            ("downloads", "downloads"),
            ("followers", "followers"),
        ];
        let words = words.to_lowercase();
        COUNTED.iter().find(|(word, _)| *word == words).map(|(_, name)| *name)
    })
}

#[cfg(test)]
mod tests {
    use super::{counted_name, is_availability};

    #[test]
    fn availability_is_said_in_a_few_words() {
        for text in ["In stock", "- IN STOCK -", "Artikel am Lager", "Disponibile", "品切れ・売り切れ"]
        {
            assert_eq!(is_availability(text), text != "品切れ・売り切れ", "{text}");
        }
        assert!(!is_availability("In stockings and socks"));
        assert!(!is_availability("We tell you as soon as it is in stock"));
    }

    #[test]
    fn counts_are_named_by_what_they_count() {
        assert_eq!(counted_name("2 Bewertungen", Some("de")), Some("reviews"));
        assert_eq!(counted_name("(12 reviews)", None), Some("reviews"));
        assert_eq!(counted_name("12 angry men", None), None);
        assert_eq!(counted_name("Seiten 12", Some("de")), None);
    }
}
