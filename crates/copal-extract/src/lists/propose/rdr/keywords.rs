//! Keywords and correlative words (OB8), and how often they occur.
//!
//! In: the query and related words, or hints of the page (query parameters of its URL, the value of its
//! search field, its title and `h1`). Out: the number of keywords of every text leaf. Words are compared
//! in lower case, stems with the stemmer of the page's language, and words of scripts without spaces as
//! substrings. O(text).

use super::options::RdrOptions;
use super::text_elements::TextElements;
use copal_dom::{Node, Page, attrs, tags};
use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::{FxHashMap, FxHashSet};

/// Words that are too frequent to show where the results are.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "by", "com", "de", "der", "die", "das", "en", "et", "for",
    "from", "home", "how", "in", "is", "it", "la", "le", "les", "no", "of", "on", "or", "org", "our", "page",
    "que", "search", "result", "results", "site", "that", "the", "this", "to", "und", "von", "was", "we",
    "what", "where", "who", "will", "with", "www", "you", "your", "net",
];
/// URL parameters that hold the words of a search.
const QUERY_PARAMETERS: &[&str] = &[
    "q",
    "query",
    "search",
    "s",
    "k",
    "kw",
    "keyword",
    "keywords",
    "term",
    "terms",
    "text",
    "wd",
    "p",
    "st",
    "field-keywords",
    "what",
];
/// Maximum number of keywords per page.
const MAX_KEYWORDS: usize = 24;
/// A correlative word shares a leaf with a keyword in at least this many leaves.
const MIN_SHARED_LEAVES: u32 = 4;
/// A correlative word shares a leaf with a keyword in at least this share of its leaves.
const MIN_SHARED_LEAF_SHARE: f64 = 0.6;

/// The words to count.
pub(super) struct Keywords {
    /// Words to be found as they are, in lower case.
    whole: FxHashSet<String>,
    stems: FxHashSet<String>,
    /// The first three bytes of the stems. Only words that begin with them are stemmed, because stemming is
    /// slow.
    stem_prefixes: FxHashSet<[u8; 3]>,
    /// The bytes with which words and stems begin.
    initials: [bool; 256],
    /// Words of scripts without spaces, to be found as substrings.
    substrings: Vec<String>,
    stemmer: Option<Stemmer>,
}

/// The keywords of a page: the given or inferred ones and, as an option, correlative words.
pub(super) fn find(page: &Page, texts: &TextElements, options: &RdrOptions) -> Keywords {
    let given = [&options.query, &options.related].into_iter().flatten().flat_map(|text| words_of(text));
    let mut list: Vec<String> = given.collect();
    if options.query.is_none() {
        list.extend(inferred(page));
    }
    let mut seen = FxHashSet::default();
    list.retain(|word| seen.insert(word.clone()));
    list.truncate(MAX_KEYWORDS);
    let stemmer = options.stems.then(|| Stemmer::create(language(page)));
    let mut words = Keywords::new(list, stemmer);
    if options.company {
        let correlative = correlative_words(page, texts, &words);
        words.whole.extend(correlative);
        words.initials = words.initials();
    }
    words
}

impl Keywords {
    fn new(list: Vec<String>, stemmer: Option<Stemmer>) -> Keywords {
        let (substrings, spaced): (Vec<String>, Vec<String>) =
            list.into_iter().partition(|word| word.chars().any(is_unspaced));
        let stems: FxHashSet<String> = match &stemmer {
            Some(stemmer) => spaced.iter().map(|word| stemmer.stem(word).into_owned()).collect(),
            None => FxHashSet::default(),
        };
        let stem_prefixes =
            stems.iter().filter_map(|stem| stem.as_bytes().first_chunk::<3>().copied()).collect();
        let (whole, initials) = (spaced.into_iter().collect(), [false; 256]);
        let mut words = Keywords { whole, stems, stem_prefixes, initials, substrings, stemmer };
        words.initials = words.initials();
        words
    }

    fn initials(&self) -> [bool; 256] {
        let mut initials = [false; 256];
        for word in self.whole.iter().chain(&self.stems) {
            if let Some(&first) = word.as_bytes().first() {
                initials[usize::from(first)] = true;
            }
        }
        initials
    }

    /// False for most words that are no keywords, whatever their case: by their first letter and length.
    fn may_contain(&self, word: &str) -> bool {
        let bytes = word.as_bytes();
        !bytes[0].is_ascii() || bytes.len() > 1 && self.initials[usize::from(bytes[0].to_ascii_lowercase())]
    }

    fn contains(&self, word: &str) -> bool {
        if self.whole.contains(word) {
            return true;
        }
        let Some(stemmer) = &self.stemmer else { return false };
        let prefix = word.as_bytes().first_chunk::<3>();
        prefix.is_some_and(|prefix| self.stem_prefixes.contains(prefix))
            && self.stems.contains(stemmer.stem(word).as_ref())
    }

    fn count_in(&self, text: &str, buffer: &mut String) -> u32 {
        let mut count = 0;
        let mut add = |word: &str| {
            if word.is_empty() || !self.may_contain(word) {
                return;
            }
            buffer.clear();
            if word.is_ascii() {
                buffer.push_str(word);
                buffer.make_ascii_lowercase();
            } else {
                buffer.extend(word.chars().flat_map(char::to_lowercase));
            }
            count += u32::from(self.contains(buffer));
        };
        if text.is_ascii() {
            text.split(|c: char| !c.is_ascii_alphanumeric()).for_each(add);
        } else {
            text.split(|c: char| !c.is_alphanumeric()).for_each(&mut add);
        }
        count + self.substrings.iter().map(|word| text.matches(word.as_str()).count() as u32).sum::<u32>()
    }
}

/// The number of keywords before each text leaf; one entry more than there are leaves.
pub(super) fn count(page: &Page, texts: &TextElements, words: &Keywords) -> Vec<u32> {
    let mut sums = Vec::with_capacity(texts.leaf.len() + 1);
    let (mut total, mut buffer) = (0, String::new());
    sums.push(0);
    for &leaf in &texts.leaf {
        total += words.count_in(page.tree.raw_text(leaf), &mut buffer);
        sums.push(total);
    }
    sums
}

/// The number of links before each text leaf, for pages without useful keywords: the first text of a link
/// counts as one keyword.
pub(super) fn count_links(page: &Page, texts: &TextElements) -> Vec<u32> {
    let tree = &page.tree;
    let (mut total, mut link_end, mut sums) = (0, 0, vec![0]);
    for &leaf in &texts.leaf {
        if leaf >= link_end
            && let Some(link) = tree.ancestors(leaf).take(4).find(|&up| tree.tag(up) == tags::A)
        {
            link_end = tree.end(link);
            total += 1;
        }
        sums.push(total);
    }
    sums
}

/// The words of a text without stop words, in lower case.
fn words_of(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| word.chars().count() > 1 && !STOP_WORDS.contains(&word.as_str())).collect()
}

/// Keywords from the URL, the search field, the title and the headings of a page.
fn inferred(page: &Page) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    if let Some(query) = page.url.as_deref().and_then(|url| url.split_once('?')).map(|(_, query)| query) {
        let query = query.split('#').next().unwrap_or_default();
        for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            if QUERY_PARAMETERS.contains(&name.to_ascii_lowercase().as_str()) {
                words.extend(words_of(&percent_decoded(value)));
            }
        }
    }
    let tree = &page.tree;
    let is_search = |node: &Node| {
        tree.tag(*node) == tags::INPUT
            && tree
                .attr(*node, attrs::TYPE)
                .is_none_or(|kind| ["text", "search"].iter().any(|k| kind.eq_ignore_ascii_case(k)))
    };
    words.extend(
        tree.nodes().filter(is_search).filter_map(|node| tree.attr(node, attrs::VALUE)).flat_map(words_of),
    );
    words.extend(page.title().iter().flat_map(|title| words_of(title)));
    let headings = tree.nodes().filter(|&node| tree.tag(node) == tags::H1).take(2);
    words.extend(headings.flat_map(|node| words_of(&page.text_of(node))));
    words
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = |b: u8| (b as char).to_digit(16).map(|d| d as u8);
        rest = match (first, tail) {
            (b'%', [high, low, after @ ..]) if hex(*high).is_some() && hex(*low).is_some() => {
                bytes.push(hex(*high).unwrap_or(0) << 4 | hex(*low).unwrap_or(0));
                after
            }
            (b'+', _) => {
                bytes.push(b' ');
                tail
            }
            _ => {
                bytes.push(*first);
                tail
            }
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Words that mostly occur in leaves with a keyword.
fn correlative_words(page: &Page, texts: &TextElements, words: &Keywords) -> Vec<String> {
    let mut seen: FxHashMap<String, (u32, u32)> = FxHashMap::default();
    let mut buffer = String::new();
    for &leaf in &texts.leaf {
        let text = page.tree.raw_text(leaf);
        let has_keyword = u32::from(words.count_in(text, &mut buffer) > 0);
        for word in words_of(text) {
            let (near, all) = seen.entry(word).or_default();
            *near += has_keyword;
            *all += 1;
        }
    }
    let is_correlative = |&(near, all): &(u32, u32)| {
        near >= MIN_SHARED_LEAVES && f64::from(near) >= MIN_SHARED_LEAF_SHARE * f64::from(all)
    };
    let mut correlative: Vec<(u32, String)> = seen
        .into_iter()
        .filter(|(_, counts)| is_correlative(counts))
        .map(|(word, counts)| (counts.0, word))
        .collect();
    correlative.sort_by(|a, b| b.cmp(a));
    correlative.into_iter().take(MAX_KEYWORDS).map(|(_, word)| word).collect()
}

/// True for letters of scripts without spaces: Chinese, Japanese, Thai, Lao, Khmer and Burmese.
fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{e00}'..='\u{eff}'
            | '\u{1000}'..='\u{109f}'
            | '\u{1780}'..='\u{17ff}'
            | '\u{3040}'..='\u{30ff}'
            | '\u{3400}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{2ffff}'
    )
}

/// The stemmer of the page's language; English if it is unknown.
fn language(page: &Page) -> Algorithm {
    let lang = page.lang().unwrap_or("en").to_ascii_lowercase();
    match lang.get(..2).unwrap_or("en") {
        "ar" => Algorithm::Arabic,
        "da" => Algorithm::Danish,
        "nl" => Algorithm::Dutch,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "hu" => Algorithm::Hungarian,
        "it" => Algorithm::Italian,
        "no" | "nb" | "nn" => Algorithm::Norwegian,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "es" => Algorithm::Spanish,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        _ => Algorithm::English,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    fn total_count(html: &str, options: &RdrOptions) -> u32 {
        let page = Page::from_text(html, &Limits::default());
        let texts = TextElements::new(&page);
        *count(&page, &texts, &find(&page, &texts, options)).last().unwrap()
    }

    fn query(words: &str) -> RdrOptions {
        RdrOptions { query: Some(words.into()), ..RdrOptions::default() }
    }

    #[test]
    fn words_stems_and_unspaced_scripts_are_found() {
        assert_eq!(total_count("<p>Red SHOE, shoes; horseshoe</p>", &query("shoes")), 2);
        let exact = RdrOptions { stems: false, ..query("shoes") };
        assert_eq!(total_count("<p>Red SHOE, shoes; horseshoe</p>", &exact), 1);
        assert_eq!(total_count("<p>เช่ารถยนต์ราคาถูก รถยนต์มือสอง</p>", &query("รถยนต์")), 2);
        assert_eq!(total_count("<p>北京新闻和上海新闻</p>", &query("新闻")), 2);
    }

    #[test]
    fn keywords_come_from_the_page_if_none_are_given() {
        let none = RdrOptions::default();
        assert_eq!(total_count("<title>The lamp shop</title><p>lamp</p><p>table</p>", &none), 1);
        assert_eq!(total_count("<input value='oak table'><p>lamp</p><p>Table of oak</p>", &none), 2);
        let mut page = Page::from_text("<p>caf\u{e9} noir</p>", &Limits::default());
        page.url = Some("http://x.example/?lang=fr&q=caf%C3%A9+noir#top".into());
        let texts = TextElements::new(&page);
        assert_eq!(count(&page, &texts, &find(&page, &texts, &none)).last(), Some(&2));
    }

    #[test]
    fn correlative_words_are_added_on_request() {
        let html: String = (0..6).map(|i| format!("<p>lamp oak {i}</p><b>pine</b>")).collect();
        assert_eq!(total_count(&html, &query("lamp")), 6);
        assert_eq!(total_count(&html, &RdrOptions { company: true, ..query("lamp") }), 12);
    }
}
