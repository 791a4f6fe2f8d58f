//! Which list of objects is a list of records by itself.
//!
//! In: the lists of a page's data. Out: those that qualify, ranked. A list of records has a different title
//! for each object, a URL or an image for it (or a type of schema.org), and further fields that differ.
//! Menus, tables of translations, settings, and what belongs to one thing (its images, variants, reviews) are
//! not what a page is for; their paths and types say so. O(cells).

use super::fields::{self, FieldPurpose};
use super::text_marks;
use crate::signals::declared::schema;
use crate::signals::scripts::objects::Objects;
use crate::signals::zones::words::{NOT_RECORDS, zones_of_word};
use rustc_hash::FxHashSet;

/// Minimum number of objects.
const MIN_OBJECTS: usize = 3;
/// Minimum number of fields that differ between the objects.
const MIN_DIFFERING_FIELDS: usize = 3;
/// Minimum mean number of letters and digits in the texts of an object.
const MIN_OBJECT_TEXT: usize = 16;

/// A list of objects that may be the main list of the page.
pub(super) struct RecordListCandidate<'e> {
    pub(super) objects: &'e Objects,
    /// Higher is better. Scores are comparable within one page.
    pub(super) score: f64,
    /// The number of letters and digits in all its texts.
    pub(super) text: usize,
    /// The key of the titles.
    pub(super) title: u32,
}

/// The lists that look like lists of records, best first.
pub(super) fn candidates(lists: &[Objects]) -> Vec<RecordListCandidate<'_>> {
    let mut all: Vec<RecordListCandidate<'_>> = lists.iter().filter_map(candidate).collect();
    all.sort_by(|a, b| b.score.total_cmp(&a.score));
    all
}

/// The candidate of one list, if it looks like a list of records.
fn candidate(objects: &Objects) -> Option<RecordListCandidate<'_>> {
    let rows = objects.rows.len();
    if rows < MIN_OBJECTS || !is_for_records(objects) {
        return None;
    }
    let (mut title, mut linked, mut differing, mut text) = (None, false, 0, 0);
    for (key, short) in fields::short_keys(objects).into_iter().enumerate() {
        let facts = FieldCounts::of(objects, key as u32);
        let (purpose, distance) = fields::purpose(short);
        let nearly_all = 5 * facts.filled >= 4 * rows;
        let mostly_distinct = 10 * facts.distinct >= 7 * rows;
        differing += usize::from(2 * facts.filled >= rows && 5 * facts.distinct > rows);
        linked |= nearly_all && 2 * facts.distinct >= rows && 2 * facts.urls > facts.filled;
        if facts.urls == 0 && !facts.is_opaque() {
            text += facts.letters;
        }
        let is_title = purpose == FieldPurpose::Title
            && nearly_all
            && mostly_distinct
            && 5 * facts.worded >= 4 * facts.filled;
        if is_title && title.is_none_or(|(best, _)| distance < best) {
            title = Some((distance, key as u32));
        }
    }
    let (_, title) = title?;
    let mean = text / rows;
    if differing < MIN_DIFFERING_FIELDS || mean < MIN_OBJECT_TEXT || !(linked || objects.kind.is_some()) {
        return None;
    }
    let typed = if objects.kind.is_some() { 1.5 } else { 1.0 };
    let score = (1.0 + rows as f64).ln() * differing.min(12) as f64 * (1.0 + mean as f64).ln() * typed;
    Some(RecordListCandidate { objects, score, text, title })
}

/// True unless the path or the type of a list says that its objects are not the records of the page.
pub(crate) fn is_for_records(objects: &Objects) -> bool {
    let is_part = objects.kind.as_deref().is_some_and(schema::is_part_of_page_or_thing);
    let mut keys = objects.path.split(['.', '[', ']']).map(fields::name);
    !is_part && !keys.any(|key| key.split('_').any(|word| zones_of_word(word) & NOT_RECORDS != 0))
}

/// Counts of the values of one field.
struct FieldCounts {
    filled: usize,
    distinct: usize,
    urls: usize,
    /// Values with letters.
    worded: usize,
    /// Values with a space or with a character of a script that may not need spaces.
    spaced: usize,
    letters: usize,
}

impl FieldCounts {
    fn of(objects: &Objects, key: u32) -> FieldCounts {
        let mut facts = FieldCounts { filled: 0, distinct: 0, urls: 0, worded: 0, spaced: 0, letters: 0 };
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        for text in objects.column(key).filter_map(|(_, values)| values.first()) {
            facts.filled += 1;
            facts.distinct += usize::from(seen.insert(text));
            facts.urls += usize::from(text_marks::is_url(text));
            facts.worded += usize::from(text.contains(char::is_alphabetic));
            facts.spaced += usize::from(text.contains(|c: char| c.is_whitespace() || !c.is_ascii()));
            facts.letters += text.chars().filter(|c| c.is_alphanumeric()).count();
        }
        facts
    }

    /// True for long values without a space: they are ids and codes, not texts.
    fn is_opaque(&self) -> bool {
        self.spaced == 0 && self.letters > 20 * self.filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn is_record_list(path: &str, kind: Option<&str>, object: impl Fn(usize) -> serde_json::Value) -> bool {
        let mut objects = Objects::new(0, path.to_owned(), kind);
        for i in 0..6 {
            objects.push(object(i).as_object().unwrap(), None, &mut 1000);
        }
        !candidates(&[objects]).is_empty()
    }

    #[test]
    fn lists_of_records_are_candidates() {
        let product =
            |i| json!({"name": format!("Oak table number {i}"), "price": 10 + i, "url": format!("/p/{i}")});
        assert!(is_record_list("props.results", None, product));
        assert!(!is_record_list("props.mainMenu.items", None, product));
        assert!(!is_record_list("props.relatedProducts", None, product));
        assert!(!is_record_list("x", Some("SiteNavigationElement"), product));
        let typed = |i| json!({"name": format!("Oak table number {i}"), "price": 10 + i, "sku": i});
        assert!(is_record_list("@graph", Some("Product"), typed));
        assert!(!is_record_list("x", None, typed), "no URL, no image, no type");
    }

    #[test]
    fn tables_of_words_and_settings_are_no_candidates() {
        assert!(!is_record_list(
            "x.list",
            None,
            |i| json!({"key": format!("cart.add.{i}"), "value": format!("Add {i} to cart")})
        ));
        assert!(!is_record_list(
            "x.list",
            None,
            |i| json!({"code": format!("C{i}"), "name": format!("Country {i}"), "dial": i})
        ));
        assert!(!is_record_list(
            "x.list",
            None,
            |i| json!({"title": format!("Page {i}"), "url": format!("/page/{i}")})
        ));
    }
}
