//! What the fields of a list of objects are: their names, their part in a record, and which are addresses.
//!
//! In: dotted keys and values. Out: names in snake case, [`Part`]s by what the keys say, absolute addresses. O(keys).

use super::marks;
use crate::signals::scripts::objects::Objects;
use crate::table::snake_case::snake_case;
use copal_dom::url::BaseUrl;
use rustc_hash::FxHashMap;

/// The part that a field's key gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Title,
    Url,
    Image,
    Other,
}

const TITLES: &[&str] = &["name", "title", "headline", "heading", "label", "caption", "subject"];
const LINKS: &[&str] = &["url", "href", "link", "permalink", "uri", "pathname", "path", "canonical"];
const IMAGES: &[&str] = &[
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

/// Levels above the fields that say nothing (`node`, `item`) and are left out of names.
const WRAPPERS: usize = 2;

/// The keys without wrappers: in a list of `{"node": {…}}`, what is inside counts.
pub(super) fn short_keys(objects: &Objects) -> Vec<&str> {
    let mut keys: Vec<&str> = objects.keys.iter().map(String::as_str).collect();
    for _ in 0..WRAPPERS {
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

/// A name for a column.
pub(super) fn name(short_key: &str) -> String {
    snake_case(short_key).unwrap_or_else(|| "value".to_owned())
}

/// The part of a field in its record, and how surely: lower is surer.
pub(super) fn part(short_key: &str) -> (Part, usize) {
    let words: Vec<String> = short_key.split('.').map(name).collect();
    let last = words.last().map_or("", String::as_str);
    let last_word = last.rsplit('_').next().unwrap_or(last);
    let is = |list: &[&str], word: &str| list.contains(&word);
    let depth = 4 * (words.len() - 1) + usize::from(last_word != last);
    if words.iter().flat_map(|word| word.split('_')).any(|word| is(IMAGES, word)) {
        return (Part::Image, depth);
    }
    if is(LINKS, last_word) {
        return (Part::Url, depth);
    }
    match TITLES.iter().position(|title| *title == last_word) {
        // a brand's name is not the record's
        Some(at) if words.len() == 1 => (Part::Title, 8 * usize::from(last_word != last) + at),
        _ => (Part::Other, depth),
    }
}

/// A value as it is given out: addresses are absolute.
pub(super) fn value(base: &BaseUrl, part: Part, text: &str) -> String {
    let scheme = text.starts_with("http://") || text.starts_with("https://") || text.starts_with("//");
    let relative = text.contains(['/', '?']) || text.rsplit_once('.').is_some_and(|(_, end)| end.len() <= 5);
    let address = match part {
        Part::Url | Part::Image => relative && !text.contains(char::is_whitespace),
        Part::Title | Part::Other => scheme && marks::is_address(text),
    };
    if address { base.resolve(text) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_say_what_a_field_is() {
        let is = |key: &str| part(key).0;
        assert_eq!(is("headline"), Part::Title);
        assert_eq!(is("productName"), Part::Title);
        assert_eq!(is("brand.name"), Part::Other);
        assert_eq!(is("canonicalUrl"), Part::Url);
        assert_eq!(is("image.url"), Part::Image);
        assert_eq!(is("thumbnailUrl"), Part::Image);
        assert_eq!(is("price"), Part::Other);
        assert!(part("name") < part("productName") && part("url") < part("seller.url"));
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
