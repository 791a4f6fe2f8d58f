//! Which list of objects is a list of records by itself.
//!
//! In: the lists of a page's data. Out: those that qualify, ranked. A list of records has a different title
//! for each object, a URL or an image for it (or a type of schema.org), and further fields that differ.
//! Menus, tables of translations, settings, and what belongs to one thing (its images, variants, reviews) are
//! not what a page is for; their paths and types say so. O(cells).

use super::fields::{self, Part};
use super::marks;
use crate::signals::declared::schema;
use crate::signals::scripts::objects::Objects;
use crate::signals::zones::words::{NOT_RECORDS, zones_of_word};
use rustc_hash::FxHashSet;

/// Fewest objects.
const MIN_OBJECT_COUNT: usize = 3;
/// Fewest fields that differ between the objects.
const MIN_DIFFERING_FIELDS: usize = 3;
/// Least letters and digits of an object's texts.
const MIN_MEAN_TEXT_CHARS: usize = 16;

/// A list that may stand for the page's list.
pub(super) struct Candidate<'e> {
    pub(super) objects: &'e Objects,
    /// Higher is better; comparable within one page.
    pub(super) score: f64,
    /// Letters and digits of all its texts.
    pub(super) text: usize,
    /// Key of the titles.
    pub(super) title: u32,
}

/// The lists that convince, best first.
pub(super) fn candidates(lists: &[Objects]) -> Vec<Candidate<'_>> {
    let mut all: Vec<Candidate<'_>> = lists.iter().filter_map(judge).collect();
    all.sort_by(|a, b| b.score.total_cmp(&a.score));
    all
}

fn judge(objects: &Objects) -> Option<Candidate<'_>> {
    let rows = objects.rows.len();
    if rows < MIN_OBJECT_COUNT || !is_for_records(objects) {
        return None;
    }
    let (mut title, mut linked, mut differing, mut text) = (None, false, 0, 0);
    for (key, short) in fields::short_keys(objects).into_iter().enumerate() {
        let facts = Facts::of(objects, key as u32);
        let (part, surely) = fields::part(short);
        let nearly_all = 5 * facts.filled >= 4 * rows;
        let mostly_distinct = 10 * facts.distinct >= 7 * rows;
        differing += usize::from(2 * facts.filled >= rows && 5 * facts.distinct > rows);
        linked |= nearly_all && 2 * facts.distinct >= rows && 2 * facts.addresses > facts.filled;
        if facts.addresses == 0 && !facts.opaque() {
            text += facts.letters;
        }
        let is_title =
            part == Part::Title && nearly_all && mostly_distinct && 5 * facts.worded >= 4 * facts.filled;
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
    Some(Candidate { objects, score, text, title })
}

/// True unless the path or the type of a list says that its objects are not the records of the page.
pub(crate) fn is_for_records(objects: &Objects) -> bool {
    let is_part = objects.kind.as_deref().is_some_and(schema::is_part_of_page_or_thing);
    let mut keys = objects.path.split(['.', '[', ']']).map(fields::name);
    !is_part && !keys.any(|key| key.split('_').any(|word| zones_of_word(word) & NOT_RECORDS != 0))
}

/// What the values of one field are like.
struct Facts {
    filled: usize,
    distinct: usize,
    addresses: usize,
    /// Values with letters.
    worded: usize,
    /// Values with a space, or of a script that needs none.
    spaced: usize,
    letters: usize,
}

impl Facts {
    fn of(objects: &Objects, key: u32) -> Facts {
        let mut facts = Facts { filled: 0, distinct: 0, addresses: 0, worded: 0, spaced: 0, letters: 0 };
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        for text in objects.column(key).filter_map(|(_, values)| values.first()) {
            facts.filled += 1;
            facts.distinct += usize::from(seen.insert(text));
            facts.addresses += usize::from(marks::is_address(text));
            facts.worded += usize::from(text.contains(char::is_alphabetic));
            facts.spaced += usize::from(text.contains(|c: char| c.is_whitespace() || !c.is_ascii()));
            facts.letters += text.chars().filter(|c| c.is_alphanumeric()).count();
        }
        facts
    }

    /// Long values without a space are ids and codes, no texts.
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
