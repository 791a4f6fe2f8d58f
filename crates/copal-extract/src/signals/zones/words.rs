//! The words by which pages name their zones: one table for class names, ids, JSON keys and titles.
//!
//! In: a word. Out: the zones that it names, as flags. The readers differ in how sure they must be, so a word
//! carries one flag per reader. For example, removing an element called "tags" from a detail page loses fields,
//! but a list called "tags" is hardly ever the main list. O(length of the word).

use copal_values::word_table::{WordTable, next_word};

/// Zones that a word names, one bit each.
pub(crate) type ZoneFlags = u8;

/// A list here is a menu, a filter or a pager.
pub(crate) const NAVIGATION: ZoneFlags = 1;
/// The part of the page that holds its main list. Matched as a whole word only: "searchbox" is not the main
/// part.
pub(crate) const MAIN: ZoneFlags = 2;
/// Comments, and related or sponsored things.
pub(crate) const ASIDE: ZoneFlags = 4;
/// Not about the object of a detail page: about the site, or about other objects.
pub(crate) const BOILERPLATE: ZoneFlags = 8;
/// Restricts [`BOILERPLATE`] to elements that consist mostly of links: without links the object often uses
/// the word too.
pub(crate) const IF_LINKED: ZoneFlags = 16;
/// Objects below such a JSON key are not the records of the page.
pub(crate) const NOT_RECORDS: ZoneFlags = 32;

const ZONE_WORDS: &[(ZoneFlags, &str)] = &[
    // menus and the frame of the site
    (
        NAVIGATION | BOILERPLATE | NOT_RECORDS,
        "nav navbar navigation menu breadcrumb breadcrumbs footer social cookie",
    ),
    (NAVIGATION | BOILERPLATE | IF_LINKED | NOT_RECORDS, "header sidebar"),
    (NAVIGATION | BOILERPLATE | IF_LINKED, "toolbar share"),
    (NAVIGATION, "pagination pager paging tabs refine dropdown subnav topnav sitemap tagcloud"),
    (NAVIGATION | NOT_RECORDS, "filter filters facet facets tags"),
    (BOILERPLATE, "menubar topmenu submenu masthead topbar crumbs skip copyright"),
    (BOILERPLATE | IF_LINKED, "foot"),
    (NOT_RECORDS, "menus refinements sort sorts links categories taxonomy autocomplete"),
    // the main part
    (MAIN, "main results result listing listings products items search content feed"),
    // other things than those that the page is about
    (NAVIGATION | ASIDE | BOILERPLATE | NOT_RECORDS, "related"),
    (ASIDE | BOILERPLATE | NOT_RECORDS, "similar recommended comments popular trending upsell"),
    (ASIDE | BOILERPLATE, "comment crosssell"),
    (ASIDE | BOILERPLATE | IF_LINKED, "also"),
    (ASIDE | BOILERPLATE | IF_LINKED | NOT_RECORDS, "recent"),
    (ASIDE | NOT_RECORDS, "reviews suggestions"),
    (ASIDE, "recommend review reply replies latest widget carousel suggested"),
    (BOILERPLATE, "recommendation alsobought recently disqus"),
    (BOILERPLATE | NOT_RECORDS, "recommendations"),
    (NOT_RECORDS, "featured upsells cross faq faqs questions answers"),
    // advertising, consent, accounts
    (ASIDE | BOILERPLATE, "sponsored"),
    (ASIDE | BOILERPLATE | IF_LINKED | NOT_RECORDS, "promo"),
    (BOILERPLATE | NOT_RECORDS, "ad ads cookies consent"),
    (BOILERPLATE | IF_LINKED | NOT_RECORDS, "banner modal"),
    (BOILERPLATE | IF_LINKED, "promotion popup"),
    (
        BOILERPLATE,
        "adv advert advertisement adsense advertising sponsor sponsors gdpr sharing addthis login signin \
         newsletter subscribe dfp gpt leaderboard skyscraper mpu",
    ),
    (NOT_RECORDS, "banners promos modals vendors purposes"),
    // parts of one object, and what only its programs read
    (
        NOT_RECORDS,
        "variant variants variations swatches gallery images photos media options payment payments shipping \
         delivery form forms authors steps ingredients instructions attributes specs specifications",
    ),
    (
        NOT_RECORDS,
        "i18n intl translation translations locale locales language languages messages config configuration \
         settings preferences routes router flags toggles experiments analytics tracking datalayer countries \
         currencies timezones seo meta scripts assets chunks plugins theme icons fonts styles errors \
         permissions manifest",
    ),
];

/// Words and their flags, one by one.
#[cfg(test)]
fn all_words() -> impl Iterator<Item = (&'static str, ZoneFlags)> {
    ZONE_WORDS
        .iter()
        .flat_map(|&(flags, words)| words.split_ascii_whitespace().map(move |word| (word, flags)))
}

static BY_WORD: WordTable<ZoneFlags, 512> = {
    let mut words = WordTable::new(0);
    let mut row = 0;
    while row < ZONE_WORDS.len() {
        words.set_all(ZONE_WORDS[row].1, ZONE_WORDS[row].0);
        row += 1;
    }
    words
};

/// The zones that a word in lower case names.
pub(crate) fn zones_of_word(word: &str) -> ZoneFlags {
    BY_WORD.get(word).unwrap_or(0)
}

/// Flags that the class words of list zones can have.
const IN_CLASSES: ZoneFlags = NAVIGATION | MAIN | ASIDE;
/// Shortest word that also counts as the beginning of a longer one: "related" of "relatedposts".
const MIN_PREFIX_BYTES: usize = 5;

/// How many words name list zones.
const CLASS_WORD_COUNT: usize = {
    let (mut count, mut row) = (0, 0);
    while row < ZONE_WORDS.len() {
        let (flags, mut rest) = ZONE_WORDS[row];
        while let Some((_, after)) = next_word(rest) {
            count += if flags & IN_CLASSES == 0 { 0 } else { 1 };
            rest = after;
        }
        row += 1;
    }
    count
};

/// The words of list zones, sorted by their first letter.
static IN_CLASSES_BY_LETTER: [(&str, ZoneFlags); CLASS_WORD_COUNT] = {
    let mut sorted = [("", 0); CLASS_WORD_COUNT];
    let (mut count, mut row) = (0, 0);
    while row < ZONE_WORDS.len() {
        let (flags, mut rest) = ZONE_WORDS[row];
        while let Some((word, after)) = next_word(rest) {
            if flags & IN_CLASSES != 0 {
                let mut at = count;
                while at > 0 && sorted[at - 1].0.as_bytes()[0] > word.as_bytes()[0] {
                    sorted[at] = sorted[at - 1];
                    at -= 1;
                }
                sorted[at] = (word, flags & IN_CLASSES);
                count += 1;
            }
            rest = after;
        }
        row += 1;
    }
    sorted
};

/// Where the words of each letter begin among them, and where those of the last one end.
static LETTER_STARTS: [u8; 27] = {
    let mut starts = [0; 27];
    let mut at = 0;
    while at < CLASS_WORD_COUNT {
        let mut later = (IN_CLASSES_BY_LETTER[at].0.as_bytes()[0] - b'a') as usize + 1;
        while later < starts.len() {
            starts[later] += 1;
            later += 1;
        }
        at += 1;
    }
    starts
};

/// The words of list zones that begin with a letter.
fn class_words_of(letter: u8) -> &'static [(&'static str, ZoneFlags)] {
    let letter = usize::from(letter.to_ascii_lowercase() - b'a');
    &IN_CLASSES_BY_LETTER[usize::from(LETTER_STARTS[letter])..usize::from(LETTER_STARTS[letter + 1])]
}

/// The list zones that a class or an id names, in any of its words. A known word of five or more letters also
/// matches as the beginning of a longer word.
pub(super) fn zones_of_class(class: &str) -> ZoneFlags {
    let mut zones = 0;
    for word in class.as_bytes().split(|c| !c.is_ascii_alphanumeric()) {
        let Some(first) = word.first().filter(|first| first.is_ascii_alphabetic()) else { continue };
        for &(known, flags) in class_words_of(*first) {
            let is_prefix = word.len() > known.len() && known.len() >= MIN_PREFIX_BYTES;
            let flags = if is_prefix { flags & !MAIN } else { flags };
            if (word.len() == known.len() || is_prefix)
                && word[..known.len()].eq_ignore_ascii_case(known.as_bytes())
            {
                zones |= flags;
            }
        }
    }
    zones
}

/// At most this many words of a class or an id are read …
const MAX_CLASS_WORDS: usize = 24;
/// … and words of at most this many characters.
const MAX_WORD_CHARS: usize = 40;

/// True if a word of a class or an id passes a test. The words are in lower case, split at punctuation and at
/// capitals. O(length), without an allocation per word: detail pages ask this about all their elements.
pub(crate) fn any_class_word(class: &str, mut passes: impl FnMut(&str) -> bool) -> bool {
    let mut word = String::with_capacity(MAX_WORD_CHARS);
    let tokens = class.split(|c: char| !c.is_alphanumeric()).filter(|token| !token.is_empty());
    for token in tokens.take(MAX_CLASS_WORDS) {
        word.clear();
        let mut after_lowercase = false;
        for c in token.chars().take(MAX_WORD_CHARS) {
            if after_lowercase && c.is_uppercase() {
                if passes(&word) {
                    return true;
                }
                word.clear();
            }
            after_lowercase = c.is_lowercase();
            if c.is_ascii() {
                word.push(c.to_ascii_lowercase());
            } else {
                word.extend(c.to_lowercase());
            }
        }
        if passes(&word) {
            return true;
        }
    }
    false
}

/// The words of a class or an id, as in [`any_class_word`].
pub(crate) fn class_words(class: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    any_class_word(class, |word| {
        words.push(word.to_owned());
        false
    });
    words
}

/// Titles of secondary areas in the AMBER thesis (Definition 12); a title begins with one of them.
pub(crate) const SECONDARY_TITLES: &[&str] = &[
    "featured",
    "sponsored",
    "similar",
    "recommended",
    "recently viewed",
    "related",
    "advertisement",
    "you may also like",
    "popular",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_the_table_once() {
        let mut words: Vec<&str> = all_words().map(|(word, _)| word).collect();
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
    }

    #[test]
    fn every_word_of_lists_is_found_by_its_letter() {
        for (word, flags) in all_words() {
            let known = class_words_of(word.as_bytes()[0]).iter().find(|(known, _)| *known == word);
            assert_eq!(known.map_or(0, |(_, flags)| *flags), flags & IN_CLASSES, "{word}");
            assert_eq!(zones_of_word(word), flags);
        }
    }

    #[test]
    fn classes_name_zones() {
        assert_eq!(zones_of_class("site-Nav"), NAVIGATION);
        assert_eq!(zones_of_class("relatedposts"), NAVIGATION | ASIDE);
        assert_eq!(zones_of_class("searchbox"), 0);
        assert_eq!(zones_of_class("search results"), MAIN);
        assert_eq!(class_words("mainNav top_bar"), ["main", "nav", "top", "bar"]);
    }
}
