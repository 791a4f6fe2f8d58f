//! Fields without a domain: what the page itself names (open extraction).
//!
//! In: the findings of a page. Out: its fields: the headline as `title`, the image, labels with their values
//! (`open_labels`), declared properties, the category (`breadcrumb`), the description and the price
//! (`open_roles`), and short texts without a label that their words, class or type name (`open_lines`), at
//! most 80. What belongs to the page instead of to its object is left out: forms, menus, sections of links
//! (`own_values`), and sections about other objects. O(lines) up to a budget.

use super::breadcrumb::category;
use super::declared_fields::DeclaredField;
use super::detail_page::{DetailPage, PageLine};
use super::field_class_names::role_word;
use super::headline::name_in_headline;
use super::open_field_list::OpenFields;
use super::open_labels::add_labels;
use super::open_lines::add_lines;
use super::open_roles::{description, price};
use super::other_objects::{ForeignParts, sections_of_others};
use super::page_findings::PageFindings;
use super::placed_field::PlacedField;
use super::reader_forms::reader_forms;
use copal_dom::squash;
use copal_model::FieldSource;
use copal_values::labels::{COLONS, separating_colon};

/// Words at the beginning of declared names that only say where the thing of the page has the property.
const DECLARED_PREFIXES: &[&str] = &[
    "offers item offered ",
    "offers offered by ",
    "offers seller ",
    "offers ",
    "main entity ",
    "item reviewed ",
    "product ",
    "recipe ",
    "book ",
    "citation ",
    "dcterms ",
    "dc ",
];
/// Words at the end of declared names that only say which form the value has.
const DECLARED_SUFFIXES: &[&str] = &[" name", " value", " text"];
/// Declared names that are properties of properties, and what people call them.
const DECLARED_NAMES: &[(&str, &str)] = &[
    ("offers offered by name", "seller"),
    ("offers seller name", "seller"),
    ("aggregate rating rating value", "rating"),
    ("aggregate rating review count", "review count"),
    ("aggregate rating rating count", "rating count"),
    ("address street address", "street"),
    ("address address locality", "city"),
    ("address address region", "region"),
    ("address address country", "country"),
    ("address postal code", "postal code"),
    ("location address", "address"),
    ("instructions item list element text", "instructions"),
];
/// Declared properties about the data instead of about the object.
const TECHNICAL_WORDS: &[&str] = &[
    "position",
    "currency",
    "best",
    "worst",
    "width",
    "height",
    "locale",
    "robots",
    "context",
    "id",
    "app",
    "firstpage",
    "lastpage",
    "institution",
];
/// Declared things that are not the object: their properties begin with these words.
const OTHER_THINGS: &[&str] = &["review ", "comment ", "is related to ", "is similar to ", "al ", "twitter "];

/// Weight of a field that the record of the object has, too.
const RECORD_WEIGHT: f64 = 0.85;
/// Names of columns that say nothing about their values.
const EMPTY_NAMES: &[&str] = &["text", "number", "value", "info", "link", "url", "image", "column", "detail"];
/// Shortest text of a record that is searched on its page, in bytes of its letters and digits.
const MIN_RECORD_TEXT_BYTES: usize = 3;

/// Reads the fields of a page, and says whether it has more lines than are read. `record` has the names and
/// texts of the record that links to the page.
pub(super) fn read_open_fields(
    findings: &PageFindings<'_>,
    record: &[(String, String)],
) -> (Vec<PlacedField>, bool) {
    let PageFindings { page, headline, name, declared, image, .. } = findings;
    let mut fields = OpenFields::new(page.dom.lang());
    let foreign = ForeignParts { sections: sections_of_others(page, *headline), forms: reader_forms(page) };
    if let (Some(line), Some(name)) = (*headline, name) {
        add_headline(page, line, name, &mut fields);
    }
    if let Some(image) = image {
        fields.push("image", vec![image.url.clone()], FieldSource::Role, 0.8, Some(image.node));
    }
    add_labels(findings, &foreign, &mut fields);
    add_declared(page, declared, &mut fields);
    add_record(page, record, &mut fields);
    if let Some(line) = price(page, *headline).filter(|_| !fields.has("price")) {
        let line = &page.lines[line];
        let text = separating_colon(&line.text).map_or(line.text.as_str(), |colon| &line.text[colon..]);
        let text = text.trim_start_matches(COLONS).trim().to_owned();
        fields.push("price", vec![text], FieldSource::Role, 0.8, Some(line.first()));
    }
    if !fields.has("category")
        && let Some((text, node)) = category(page, *headline, name.as_deref())
    {
        fields.push("category", vec![text], FieldSource::Role, 0.7, Some(node));
    }
    add_lines(findings, &foreign, &mut fields);
    if !fields.has("description")
        && let Some(lines) = description(page, *headline)
        && !fields.shows(&page.lines[lines.start].text)
    {
        let node = page.lines[lines.start].first();
        let texts = lines.map(|line| page.lines[line].text.clone()).collect();
        fields.push("description", texts, FieldSource::Role, 0.7, Some(node));
    }
    let is_partial = fields.budget.is_exceeded();
    (fields.into_best(), is_partial)
}

/// Adds the lines that show what the record says, under the name of its column.
fn add_record(page: &DetailPage<'_>, record: &[(String, String)], fields: &mut OpenFields<'_>) {
    for (name, text) in record {
        let says_nothing = name.split('_').any(|word| EMPTY_NAMES.contains(&word));
        let wanted = squash(text);
        if says_nothing || wanted.len() < MIN_RECORD_TEXT_BYTES || fields.has(name) || fields.shows(text) {
            continue;
        }
        let is_same = |line: &&PageLine| line.text.len() <= 4 * text.len() && squash(&line.text) == wanted;
        if let Some(line) = page.lines.iter().find(is_same) {
            let node = Some(line.first());
            fields.push(name, vec![line.text.clone()], FieldSource::Text, RECORD_WEIGHT, node);
        }
    }
}

/// Adds the declared properties, except those that a label names already.
fn add_declared(page: &DetailPage<'_>, declared: &[DeclaredField], fields: &mut OpenFields<'_>) {
    for property in declared {
        let name = declared_name(&property.name);
        let is_technical = name.split(' ').any(|word| TECHNICAL_WORDS.contains(&word));
        // microdata may mark the label together with the value
        let shows = |text: &String| {
            let value = separating_colon(text).map(|colon| text[colon..].trim_start_matches(COLONS));
            fields.shows(text) || value.is_some_and(|value| fields.shows(value))
        };
        let is_known = property.texts.iter().all(shows);
        let is_of_other = OTHER_THINGS.iter().any(|prefix| property.name.starts_with(prefix));
        let is_title = matches!(role_word(name), Some("name" | "title")) || name == "headline";
        let is_named = || role_word(name).is_none() || is_title || fields.has(name);
        if is_technical || is_of_other || is_known && is_named() {
            continue;
        }
        let line = property.line.map(|line| &page.lines[line]);
        let node = line.map(PageLine::first);
        // a number as a reader sees it: "€ 47.950" for 47950
        let texts = match (property.texts.as_slice(), line) {
            ([text], Some(line)) if squash(text) == squash(&line.text) => vec![line.text.clone()],
            (texts, _) => texts.to_vec(),
        };
        fields.push(name, texts, FieldSource::Declared, 0.88, node);
    }
}

/// The name that people give to a declared property.
fn declared_name(name: &str) -> &str {
    let plain = DECLARED_PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let known = |(declared, _): &&(&str, &str)| *declared == name || *declared == plain;
    if let Some((_, known)) = DECLARED_NAMES.iter().find(known) {
        return known;
    }
    let name = plain;
    DECLARED_SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name)
}

/// Adds the headline, and whoever it names after "by".
fn add_headline(page: &DetailPage<'_>, headline: usize, object_name: &str, fields: &mut OpenFields<'_>) {
    let line = &page.lines[headline];
    let name = name_in_headline(line);
    fields.push("title", vec![object_name.to_owned()], FieldSource::Headline, 0.95, Some(line.first()));
    let rest = line.text.get(name.len()..).unwrap_or_default().trim();
    if let Some(by) = ["by ", "By "].iter().find_map(|word| rest.strip_prefix(word)) {
        fields.push("by", vec![by.to_owned()], FieldSource::Headline, 0.9, Some(line.last()));
    }
}
