//! What the keys of JSON objects say about their fields.
//!
//! In: dotted keys and values. Out: column names in snake case, [`KeyMeaning`]s, and values whose URLs are
//! absolute. O(keys).

use super::text_marks;
use crate::signals::scripts::objects::Objects;
use crate::table::snake_case::snake_case;
use copal_dom::url::BaseUrl;
use rustc_hash::FxHashMap;

/// What a field is in its record, judged by its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum KeyMeaning {
    Title,
    Url,
    Image,
    Other,
}

const TITLE_KEYS: &[&str] = &["name", "title", "headline", "heading", "label", "caption", "subject"];
const LINK_KEYS: &[&str] = &["url", "href", "link", "permalink", "uri", "pathname", "path", "canonical"];
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

/// How many enclosing levels without meaning (`node`, `item`) are removed from keys.
const MAX_WRAPPER_LEVELS: usize = 2;

/// The keys without a prefix that nearly all of them share. In a list of `{"node": {…}}`, `node` carries no
/// information.
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

/// The name of the column for a key.
pub(super) fn name(short_key: &str) -> String {
    snake_case(short_key).unwrap_or_else(|| "value".to_owned())
}

/// What a field is in its record, and how certain that is: a lower number is more certain.
pub(super) fn meaning(short_key: &str) -> (KeyMeaning, usize) {
    let words: Vec<String> = short_key.split('.').map(name).collect();
    let last = words.last().map_or("", String::as_str);
    let last_word = last.rsplit('_').next().unwrap_or(last);
    let is = |list: &[&str], word: &str| list.contains(&word);
    let depth = 4 * (words.len() - 1) + usize::from(last_word != last);
    if words.iter().flat_map(|word| word.split('_')).any(|word| is(IMAGE_KEYS, word)) {
        return (KeyMeaning::Image, depth);
    }
    if is(LINK_KEYS, last_word) {
        return (KeyMeaning::Url, depth);
    }
    match TITLE_KEYS.iter().position(|title| *title == last_word) {
        // only a key at the top level is a title: `brand.name` is not the name of the record
        Some(at) if words.len() == 1 => (KeyMeaning::Title, 8 * usize::from(last_word != last) + at),
        _ => (KeyMeaning::Other, depth),
    }
}

/// A value in the form that answers have: URLs are made absolute.
pub(super) fn value(base: &BaseUrl, meaning: KeyMeaning, text: &str) -> String {
    let scheme = text.starts_with("http://") || text.starts_with("https://") || text.starts_with("//");
    let relative = text.contains(['/', '?']) || text.rsplit_once('.').is_some_and(|(_, end)| end.len() <= 5);
    let is_url = match meaning {
        KeyMeaning::Url | KeyMeaning::Image => relative && !text.contains(char::is_whitespace),
        KeyMeaning::Title | KeyMeaning::Other => scheme && text_marks::looks_like_url(text),
    };
    if is_url { base.resolve(text) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_say_what_a_field_is() {
        let is = |key: &str| meaning(key).0;
        assert_eq!(is("headline"), KeyMeaning::Title);
        assert_eq!(is("productName"), KeyMeaning::Title);
        assert_eq!(is("brand.name"), KeyMeaning::Other);
        assert_eq!(is("canonicalUrl"), KeyMeaning::Url);
        assert_eq!(is("image.url"), KeyMeaning::Image);
        assert_eq!(is("thumbnailUrl"), KeyMeaning::Image);
        assert_eq!(is("price"), KeyMeaning::Other);
        assert!(meaning("name") < meaning("productName") && meaning("url") < meaning("seller.url"));
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
