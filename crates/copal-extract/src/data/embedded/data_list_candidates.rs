//! Decides which lists of objects in embedded data are lists of records in their own right, even if the page
//! does not show them.
//!
//! In: the lists in a page's embedded data. Out: those that qualify, best first. In a list of records, each
//! object has a different title, a URL or an image (or a schema.org type), and further fields that differ.
//! Menus, translations, settings, and lists that belong to a single thing (its images, variants or reviews)
//! do not qualify; they are recognised by their paths and types. O(cells).

use super::field_keys::{self, KeyMeaning};
use super::text_marks;
use crate::signals::declared::schema;
use crate::signals::scripts::objects::Objects;
use crate::signals::zones::words::{NOT_RECORDS, zones_of_word};
use rustc_hash::FxHashSet;

/// Minimum number of objects.
const MIN_OBJECT_COUNT: usize = 3;
/// Minimum number of fields that differ between the objects.
const MIN_DIFFERING_FIELDS: usize = 3;
/// Minimum number of letters and digits per object, on average.
const MIN_MEAN_TEXT_CHARS: usize = 16;

/// A list in embedded data that may be the main list of the page.
pub(super) struct DataListCandidate<'e> {
    pub(super) objects: &'e Objects,
    /// Higher is better; comparable within one page.
    pub(super) score: f64,
    /// Number of letters and digits in all of its texts.
    pub(super) text: usize,
    /// Index of the key whose values are the titles.
    pub(super) title: u32,
}

/// The lists that qualify, best first.
pub(super) fn candidates(lists: &[Objects]) -> Vec<DataListCandidate<'_>> {
    let mut all: Vec<DataListCandidate<'_>> = lists.iter().filter_map(judge).collect();
    all.sort_by(|a, b| b.score.total_cmp(&a.score));
    all
}

fn judge(objects: &Objects) -> Option<DataListCandidate<'_>> {
    let rows = objects.rows.len();
    if rows < MIN_OBJECT_COUNT || !is_for_records(objects) {
        return None;
    }
    let (mut title, mut linked, mut differing, mut text) = (None, false, 0, 0);
    for (key, short) in field_keys::short_keys(objects).into_iter().enumerate() {
        let facts = FieldFacts::of(objects, key as u32);
        let (meaning, surely) = field_keys::meaning(short);
        let nearly_all = 5 * facts.filled >= 4 * rows;
        let mostly_distinct = 10 * facts.distinct >= 7 * rows;
        differing += usize::from(2 * facts.filled >= rows && 5 * facts.distinct > rows);
        linked |= nearly_all && 2 * facts.distinct >= rows && 2 * facts.urls > facts.filled;
        if facts.urls == 0 && !facts.opaque() {
            text += facts.letters;
        }
        let is_title = meaning == KeyMeaning::Title
            && nearly_all
            && mostly_distinct
            && 5 * facts.worded >= 4 * facts.filled;
        if is_title && title.is_none_or(|(best, _)| surely < best) {
            title = Some((surely, key as u32));
        }
    }
    let (_, title) = title?;
    let mean = text / rows;
    if differing < MIN_DIFFERING_FIELDS || mean < MIN_MEAN_TEXT_CHARS || !(linked || objects.kind.is_some()) {
        return None;
    }
    let typed = if objects.kind.is_some() { 1.5 } else { 1.0 };
    let score = (1.0 + rows as f64).ln() * differing.min(12) as f64 * (1.0 + mean as f64).ln() * typed;
    Some(DataListCandidate { objects, score, text, title })
}

/// True unless the path or the type of a list says that its objects are not the records of the page.
pub(crate) fn is_for_records(objects: &Objects) -> bool {
    let is_part = objects.kind.as_deref().is_some_and(schema::is_part_of_page_or_thing);
    let mut keys = objects.path.split(['.', '[', ']']).map(field_keys::name);
    !is_part && !keys.any(|key| key.split('_').any(|word| zones_of_word(word) & NOT_RECORDS != 0))
}

/// Counts that describe the values of one field.
struct FieldFacts {
    filled: usize,
    distinct: usize,
    urls: usize,
    /// Number of values with letters.
    worded: usize,
    /// Number of values with a space, or in a script that does not separate words with spaces.
    spaced: usize,
    letters: usize,
}

impl FieldFacts {
    fn of(objects: &Objects, key: u32) -> FieldFacts {
        let mut facts = FieldFacts { filled: 0, distinct: 0, urls: 0, worded: 0, spaced: 0, letters: 0 };
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        for text in objects.column(key).filter_map(|(_, values)| values.first()) {
            facts.filled += 1;
            facts.distinct += usize::from(seen.insert(text));
            facts.urls += usize::from(text_marks::looks_like_url(text));
            facts.worded += usize::from(text.contains(char::is_alphabetic));
            facts.spaced += usize::from(text.contains(|c: char| c.is_whitespace() || !c.is_ascii()));
            facts.letters += text.chars().filter(|c| c.is_alphanumeric()).count();
        }
        facts
    }

    /// True for ids and codes: long values without a space are not text.
    fn opaque(&self) -> bool {
        self.spaced == 0 && self.letters > 20 * self.filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn convinces(path: &str, kind: Option<&str>, object: impl Fn(usize) -> serde_json::Value) -> bool {
        let mut objects = Objects::new(0, path.to_owned(), kind);
        for i in 0..6 {
            objects.push(object(i).as_object().unwrap(), None, &mut 1000);
        }
        !candidates(&[objects]).is_empty()
    }

    #[test]
    fn records_convince() {
        let product =
            |i| json!({"name": format!("Oak table number {i}"), "price": 10 + i, "url": format!("/p/{i}")});
        assert!(convinces("props.results", None, product));
        assert!(!convinces("props.mainMenu.items", None, product));
        assert!(!convinces("props.relatedProducts", None, product));
        assert!(!convinces("x", Some("SiteNavigationElement"), product));
        let typed = |i| json!({"name": format!("Oak table number {i}"), "price": 10 + i, "sku": i});
        assert!(convinces("@graph", Some("Product"), typed));
        assert!(!convinces("x", None, typed), "nowhere to go, no picture, no type");
    }

    #[test]
    fn tables_of_words_and_settings_do_not() {
        assert!(!convinces(
            "x.list",
            None,
            |i| json!({"key": format!("cart.add.{i}"), "value": format!("Add {i} to cart")})
        ));
        assert!(!convinces(
            "x.list",
            None,
            |i| json!({"code": format!("C{i}"), "name": format!("Country {i}"), "dial": i})
        ));
        assert!(!convinces(
            "x.list",
            None,
            |i| json!({"title": format!("Page {i}"), "url": format!("/page/{i}")})
        ));
    }
}
