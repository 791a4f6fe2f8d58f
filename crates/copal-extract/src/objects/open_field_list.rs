//! The fields of a page without a domain, while they are collected.
//!
//! In: names, texts and weights, the surest evidence first. Out: the best fields in document order, at most
//! 80. A name that comes again adds its texts to the field only if it was found in the same way. O(1) per
//! text.

use super::placed_field::{MAX_FIELD_COUNT, PlacedField, sort_by_node};
use copal_dom::{Node, WorkBudget, squash};
use copal_model::{Field, FieldSource};
use copal_values::label_names::field_name;
use copal_values::labels::is_no_value;
use copal_values::{Value, ValueMatch, find};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// Longest text that is read as a typed value, in bytes.
const MAX_TYPED_BYTES: usize = 80;
/// Longest name of a field, in bytes.
const MAX_FIELD_NAME_BYTES: usize = 60;
/// Texts of one field.
const MAX_TEXTS_PER_FIELD: usize = 40;
/// Texts without a label of one name. More are a list of other things.
const MAX_UNLABELLED_TEXTS: usize = 8;
/// Smallest weight of a field.
const MIN_FIELD_WEIGHT: f64 = 0.4;
/// Work on the lines without a label, in bytes. They are searched for values, and of an endless page at most 80
/// fields are kept anyway.
const MAX_UNLABELLED_BYTES: usize = 1_000_000;

/// The fields of a page while they are collected.
pub(super) struct OpenFields<'p> {
    /// The fields; their confidence is the weight by which the best are kept.
    list: Vec<PlacedField>,
    by_name: FxHashMap<String, usize>,
    /// The texts of all fields, as they are compared.
    texts: FxHashSet<String>,
    /// The text that was last searched for a value, and what was found: a line is asked for its type, and then for its
    /// value.
    last_hit: RefCell<Option<(String, Option<ValueMatch>)>>,
    /// The language that the page declares.
    pub(super) language: Option<&'p str>,
    /// For the lines without a label.
    pub(super) budget: WorkBudget,
}

impl<'p> OpenFields<'p> {
    pub(super) fn new(language: Option<&'p str>) -> OpenFields<'p> {
        OpenFields {
            list: Vec::new(),
            by_name: FxHashMap::default(),
            texts: FxHashSet::default(),
            last_hit: RefCell::new(None),
            language,
            budget: WorkBudget::new(MAX_UNLABELLED_BYTES),
        }
    }

    /// True if there is a field of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// True if a field shows this text.
    pub(super) fn shows(&self, text: &str) -> bool {
        self.texts.contains(&squash(text))
    }

    pub(super) fn push(
        &mut self,
        name: &str,
        texts: Vec<String>,
        source: FieldSource,
        weight: f64,
        node: Option<Node>,
    ) {
        let real = texts.into_iter().filter(|text| !is_no_value(text));
        let texts: Vec<String> = real.take(MAX_TEXTS_PER_FIELD).collect();
        let Some(first) = texts.first() else { return };
        let name = field_name(name, self.language);
        if name.is_empty() || name.len() > MAX_FIELD_NAME_BYTES {
            return;
        }
        if let Some(&at) = self.by_name.get(&name) {
            // A label that occurs again has further values. What only a class names does not belong to a field
            // that something else names.
            let known = &mut self.list[at].field;
            if source == FieldSource::Text && known.source != source {
                return;
            }
            for text in texts {
                if known.texts.len() < MAX_TEXTS_PER_FIELD && !known.texts.contains(&text) {
                    known.texts.push(text);
                }
            }
            return;
        }
        self.texts.extend(texts.iter().map(|text| squash(text)));
        let value = self.typed_value(first);
        self.by_name.insert(name.clone(), self.list.len());
        let field = Field { name, texts, value, source, confidence: weight, xpath: None };
        self.list.push(PlacedField { field, node });
    }

    /// The recognised value that covers at least half of a text.
    pub(super) fn main_hit(&self, text: &str) -> Option<ValueMatch> {
        let mut last = self.last_hit.borrow_mut();
        if let Some((known, hit)) = &*last
            && known == text
        {
            return hit.clone();
        }
        let mut hits = Vec::new();
        find(text, &mut hits);
        let hit = hits.into_iter().find(|hit| 2 * hit.span.len() >= text.len());
        *last = Some((text.to_owned(), hit.clone()));
        hit
    }

    fn typed_value(&self, text: &str) -> Option<Value> {
        if text.len() > MAX_TYPED_BYTES { None } else { self.main_hit(text).map(|hit| hit.value) }
    }

    /// The best fields, in document order.
    pub(super) fn into_best(self) -> Vec<PlacedField> {
        let mut list = self.list;
        list.retain(|PlacedField { field, .. }| {
            let is_list = field.source == FieldSource::Text && field.texts.len() > MAX_UNLABELLED_TEXTS;
            field.confidence >= MIN_FIELD_WEIGHT && !is_list
        });
        list.sort_by(|a, b| b.field.confidence.total_cmp(&a.field.confidence));
        list.truncate(MAX_FIELD_COUNT);
        sort_by_node(&mut list);
        list
    }
}
