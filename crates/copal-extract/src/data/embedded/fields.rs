//! The fields of a list of objects: their names, their purposes, and which of them are URLs.
//!
//! In: dotted keys and values. Out: names in snake case, [`FieldPurpose`]s according to the keys, absolute
//! URLs. O(keys).

use super::text_marks;
use crate::signals::scripts::objects::Objects;
use crate::table::snake_case::snake_case;
use copal_dom::url::BaseUrl;
use rustc_hash::FxHashMap;

/// What a field is for in its record, according to its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FieldPurpose {
    Title,
    Url,
    Image,
    Other,
}

/// Keys of titles.
const TITLE_KEYS: &[&str] = &["name", "title", "headline", "heading", "label", "caption", "subject"];
/// Keys of URLs.
const URL_KEYS: &[&str] = &["url", "href", "link", "permalink", "uri", "pathname", "path", "canonical"];
/// Keys of images.
const IMAGE_KEYS: &[&str] = &[
    "image",
    "images",
    "img",
    "thumbnail",
    "thumb",
    "photo",
    "photos",
    "picture",
    "pictures",
    "poster",
    "cover",
    "logo",
    "avatar",
    "icon",
    "src",
    "media",
];

/// Maximum number of levels without meaning (`node`, `item`) that are left out of names.
const MAX_WRAPPER_LEVELS: usize = 2;

/// The keys without wrappers: in a list of `{"node": {…}}`, only the keys inside count.
pub(super) fn short_keys(objects: &Objects) -> Vec<&str> {
    let mut keys: Vec<&str> = objects.keys.iter().map(String::as_str).collect();
    for _ in 0..MAX_WRAPPER_LEVELS {
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        for (first, _) in keys.iter().filter_map(|key| key.split_once('.')) {
            *counts.entry(first).or_default() += 1;
        }
        let Some((&wrapper, _)) = counts.iter().find(|(_, count)| 10 * **count >= 7 * keys.len()) else {
            break;
        };
        let wrapper = format!("{wrapper}.");
        keys = keys.into_iter().map(|key| key.strip_prefix(&wrapper).unwrap_or(key)).collect();
    }
    keys
}

/// The name of a column.
pub(super) fn name(short_key: &str) -> String {
    snake_case(short_key).unwrap_or_else(|| "value".to_owned())
}

/// The purpose of a field, and a distance: the smaller it is, the more certain the purpose.
pub(super) fn purpose(short_key: &str) -> (FieldPurpose, usize) {
    let words: Vec<String> = short_key.split('.').map(name).collect();
    let last = words.last().map_or("", String::as_str);
    let last_word = last.rsplit('_').next().unwrap_or(last);
    let has = |list: &[&str], word: &str| list.contains(&word);
    let depth = 4 * (words.len() - 1) + usize::from(last_word != last);
    if words.iter().flat_map(|word| word.split('_')).any(|word| has(IMAGE_KEYS, word)) {
        return (FieldPurpose::Image, depth);
    }
    if has(URL_KEYS, last_word) {
        return (FieldPurpose::Url, depth);
    }
    match TITLE_KEYS.iter().position(|title| *title == last_word) {
        // the name of a brand is not that of the record
        Some(at) if words.len() == 1 => (FieldPurpose::Title, 8 * usize::from(last_word != last) + at),
        _ => (FieldPurpose::Other, depth),
    }
}

/// A value as it is returned: URLs are absolute.
pub(super) fn value(base: &BaseUrl, purpose: FieldPurpose, text: &str) -> String {
    let scheme = text.starts_with("http://") || text.starts_with("https://") || text.starts_with("//");
    let relative = text.contains(['/', '?']) || text.rsplit_once('.').is_some_and(|(_, end)| end.len() <= 5);
    let is_url = match purpose {
        FieldPurpose::Url | FieldPurpose::Image => relative && !text.contains(char::is_whitespace),
        FieldPurpose::Title | FieldPurpose::Other => scheme && text_marks::is_url(text),
    };
    if is_url { base.resolve(text) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_say_what_a_field_is_for() {
        let is = |key: &str| purpose(key).0;
        assert_eq!(is("headline"), FieldPurpose::Title);
        assert_eq!(is("productName"), FieldPurpose::Title);
        assert_eq!(is("brand.name"), FieldPurpose::Other);
        assert_eq!(is("canonicalUrl"), FieldPurpose::Url);
        assert_eq!(is("image.url"), FieldPurpose::Image);
        assert_eq!(is("thumbnailUrl"), FieldPurpose::Image);
        assert_eq!(is("price"), FieldPurpose::Other);
        assert!(purpose("name") < purpose("productName") && purpose("url") < purpose("seller.url"));
        assert_eq!(name("price.amountGross"), "price_amount_gross");
    }

    #[test]
    fn wrappers_are_left_out_of_names() {
        let keys = ["cursor", "node.id", "node.name", "node.price.amount", "node.price.currency"];
        let mut objects = Objects::default();
        objects.keys = keys.map(str::to_owned).to_vec();
        assert_eq!(short_keys(&objects), ["cursor", "id", "name", "price.amount", "price.currency"]);
    }
}
