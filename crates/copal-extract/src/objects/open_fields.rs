//! Fields without a domain: what the page itself names (open extraction).
//!
//! In: the findings of a page. Out: its fields: the headline as `title`, the image, labels with their values,
//! declared properties, the description and the price (`open_roles`), and short texts without a label that
//! their class or their type names, at most 80. What belongs to the page instead of to its object is left out: forms,
//! menus, sections of links (`own_values`). O(lines) up to a budget.

use super::declared_fields::DeclaredField;
use super::detail_page::{DetailPage, PageLine};
use super::field_class_names::{name_from_class, role_from_class, role_word};
use super::field_names::snake_case;
use super::headline::name_in_headline;
use super::labelled_values::{LabelLayout, LabelledValue};
use super::open_roles::{description, price};
use super::own_values::{is_own_line, is_own_value};
use super::page_findings::PageFindings;
use super::placed_field::{MAX_FIELD_COUNT, PlacedField, sort_by_node};
use copal_dom::{Node, WorkBudget, squash};
use copal_model::{Field, FieldSource};
use copal_values::labels::{COLONS, is_no_value, separating_colon};
use copal_values::{Value, ValueMatch, find};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest text that is named by its class, in bytes.
const MAX_CLASS_NAMED_BYTES: usize = 160;
/// Longest text that is read as a typed value, in bytes.
const MAX_TYPED_BYTES: usize = 80;
/// Longest name of a field, in bytes.
const MAX_FIELD_NAME_BYTES: usize = 60;
/// Texts of one field.
const MAX_TEXTS_PER_FIELD: usize = 40;
/// Smallest weight of a field.
const MIN_FIELD_WEIGHT: f64 = 0.4;
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
];
/// Declared properties about the data instead of about the object.
const TECHNICAL_WORDS: &[&str] =
    &["position", "currency", "best", "worst", "width", "height", "locale", "robots", "context", "id"];

/// Work on the lines without a label, in bytes. They are searched for values, and of an endless page at most 80
/// fields are kept anyway.
const MAX_UNLABELLED_BYTES: usize = 1_000_000;
/// What a line costs in addition to its bytes.
const BYTES_PER_LINE: usize = 16;

/// The fields of a page while they are collected.
struct OpenFields {
    /// The fields; their confidence is the weight by which the best are kept.
    list: Vec<PlacedField>,
    by_name: FxHashMap<String, usize>,
    /// The texts of all fields, as they are compared.
    texts: FxHashSet<String>,
    /// For the lines without a label.
    budget: WorkBudget,
}

impl OpenFields {
    fn push(&mut self, name: &str, texts: Vec<String>, source: FieldSource, weight: f64, node: Option<Node>) {
        let real = texts.into_iter().filter(|text| !is_no_value(text));
        let texts: Vec<String> = real.take(MAX_TEXTS_PER_FIELD).collect();
        let Some(first) = texts.first() else { return };
        let name = snake_case(name);
        if name.is_empty() || name.len() > MAX_FIELD_NAME_BYTES {
            return;
        }
        if let Some(&at) = self.by_name.get(&name) {
            // A label that occurs again has further values.
            let known = &mut self.list[at].field;
            for text in texts {
                if known.texts.len() < MAX_TEXTS_PER_FIELD && !known.texts.contains(&text) {
                    known.texts.push(text);
                }
            }
            return;
        }
        self.texts.extend(texts.iter().map(|text| squash(text)));
        let value = typed_value(first);
        self.by_name.insert(name.clone(), self.list.len());
        let field = Field { name, texts, value, source, confidence: weight, xpath: None };
        self.list.push(PlacedField { field, node });
    }

    /// The best fields, in document order.
    fn into_best(self) -> Vec<PlacedField> {
        let mut list = self.list;
        list.retain(|placed| placed.field.confidence >= MIN_FIELD_WEIGHT);
        list.sort_by(|a, b| b.field.confidence.total_cmp(&a.field.confidence));
        list.truncate(MAX_FIELD_COUNT);
        sort_by_node(&mut list);
        list
    }
}

/// Reads the fields of a page, and says whether it has more lines than are read.
pub(super) fn read_open_fields(findings: &PageFindings<'_>) -> (Vec<PlacedField>, bool) {
    let PageFindings { page, headline, name, labelled, declared, image, .. } = findings;
    let mut fields = OpenFields {
        list: Vec::new(),
        by_name: FxHashMap::default(),
        texts: FxHashSet::default(),
        budget: WorkBudget::new(MAX_UNLABELLED_BYTES),
    };
    if let (Some(line), Some(name)) = (*headline, name) {
        add_headline(page, line, name, &mut fields);
    }
    if let Some(image) = image {
        fields.push("image", vec![image.url.clone()], FieldSource::Role, 0.8, Some(image.node));
    }
    for value in labelled {
        add_labelled(page, value, labelled, &mut fields);
    }
    add_declared(page, declared, &mut fields);
    if let Some(line) = price(page, *headline).filter(|_| !fields.by_name.contains_key("price")) {
        let line = &page.lines[line];
        let text = separating_colon(&line.text).map_or(line.text.as_str(), |colon| &line.text[colon..]);
        let text = text.trim_start_matches(COLONS).trim().to_owned();
        fields.push("price", vec![text], FieldSource::Role, 0.8, Some(line.first()));
    }
    add_lines(page, *headline, labelled, &mut fields);
    if !fields.by_name.contains_key("description")
        && let Some(lines) = description(page, *headline)
        && !fields.texts.contains(&squash(&page.lines[lines.start].text))
    {
        let node = page.lines[lines.start].first();
        let texts = lines.map(|line| page.lines[line].text.clone()).collect();
        fields.push("description", texts, FieldSource::Role, 0.7, Some(node));
    }
    let is_partial = fields.budget.is_exceeded();
    (fields.into_best(), is_partial)
}

/// Adds the declared properties, except those that a label names already.
fn add_declared(page: &DetailPage<'_>, declared: &[DeclaredField], fields: &mut OpenFields) {
    for property in declared {
        let name = property.name.as_str();
        let name = DECLARED_PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
        let is_technical = name.split(' ').any(|word| TECHNICAL_WORDS.contains(&word));
        let is_known = property.texts.iter().all(|text| fields.texts.contains(&squash(text)));
        if is_technical || is_known && role_word(name).is_none() {
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

/// Adds the headline, and whoever it names after "by".
fn add_headline(page: &DetailPage<'_>, headline: usize, object_name: &str, fields: &mut OpenFields) {
    let line = &page.lines[headline];
    let name = name_in_headline(line);
    fields.push("title", vec![object_name.to_owned()], FieldSource::Headline, 0.95, Some(line.first()));
    let rest = line.text.get(name.len()..).unwrap_or_default().trim();
    if let Some(by) = ["by ", "By "].iter().find_map(|word| rest.strip_prefix(word)) {
        fields.push("by", vec![by.to_owned()], FieldSource::Headline, 0.9, Some(line.last()));
    }
}

fn add_labelled(
    page: &DetailPage<'_>,
    value: &LabelledValue,
    labelled: &[LabelledValue],
    fields: &mut OpenFields,
) {
    if !is_own_value(page, value, labelled) {
        return;
    }
    let mut weight = match value.layout {
        LabelLayout::TableRow | LabelLayout::DefinitionList => 0.9,
        LabelLayout::Inline | LabelLayout::AfterColon => 0.85,
        LabelLayout::AfterLabelLine => 0.8,
        LabelLayout::Heading => 0.6,
    };
    let line = &page.lines[value.line];
    if value.is_static {
        weight -= 0.3;
    }
    if line.outside || line.doubtful {
        weight -= 0.4;
    }
    fields.push(&value.label, value.texts.clone(), FieldSource::Label, weight, Some(value.node));
}

/// Adds short lines without a label, named by their class or by the type of their value.
fn add_lines(
    page: &DetailPage<'_>,
    headline: Option<usize>,
    labelled: &[LabelledValue],
    fields: &mut OpenFields,
) {
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
            || !is_own_line(page, at)
            || fields.texts.contains(&squash(&line.text))
        {
            continue;
        }
        if !fields.budget.spend(line.text.len() + BYTES_PER_LINE) {
            break;
        }
        let value_type = main_hit(&line.text).map(|hit| hit.value_type);
        let class = name_from_class(page, line.first());
        // What differs between the pages belongs to the object, whatever its class. On a single page, the
        // class must name a role, or a text near the headline.
        let class = if page.page_count > 1 { class } else { class.and_then(role_from_class) };
        let is_role = class.as_deref().is_some_and(|class| role_word(class).is_some());
        let Some(name) = class.or_else(|| value_type.map(|kind| kind.name().to_owned())) else { continue };
        let near = headline.map_or(0.0, |headline| (-(at.abs_diff(headline) as f64) / 20.0).exp());
        let varies = if page.page_count > 1 { 0.25 } else { 0.0 };
        let is_certain = is_role || value_type.is_some();
        let weight = 0.2 + varies + 0.25 * near + if is_certain { 0.2 } else { 0.0 };
        fields.push(&name, vec![line.text.clone()], FieldSource::Text, weight, Some(line.first()));
    }
}

/// The recognised value that covers at least half of a text.
fn main_hit(text: &str) -> Option<ValueMatch> {
    let mut hits = Vec::new();
    find(text, &mut hits);
    hits.into_iter().find(|hit| 2 * hit.span.len() >= text.len())
}

fn typed_value(text: &str) -> Option<Value> {
    if text.len() > MAX_TYPED_BYTES { None } else { main_hit(text).map(|hit| hit.value) }
}
