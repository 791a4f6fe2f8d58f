//! Keywords and correlative words (OB8), and where they stand.
//!
//! In: the query and related words, or the page's own hints (query parameters of its address, the value of its search
//! field, its title and `h1`). Out: a count of keywords for every text leaf. Words are compared in lower case; stems
//! with the page's language; scripts without spaces by substring. O(text).

use super::options::RdrOptions;
use super::texts::Texts;
use copal_dom::{Node, Page, attrs, tags};
use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::{FxHashMap, FxHashSet};

/// Words too common to tell where results are.
const STOP: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "by", "com", "de", "der", "die", "das", "en", "et", "for",
    "from", "home", "how", "in", "is", "it", "la", "le", "les", "no", "of", "on", "or", "org", "our", "page",
    "que", "search", "result", "results", "site", "that", "the", "this", "to", "und", "von", "was", "we",
    "what", "where", "who", "will", "with", "www", "you", "your", "net",
];
/// Parameters of an address that hold what was searched for.
const PARAMETERS: &[&str] = &[
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
/// Most words taken from one page.
const MOST: usize = 24;
/// Correlative words: in this many leaves beside a keyword, and this share of all their leaves.
const COMPANY: (u32, f64) = (4, 0.6);

/// The words to count.
pub(super) struct Words {
    whole: FxHashSet<String>,
    /// Stems, and the first three bytes a word must share with one to be stemmed at all.
    stems: FxHashSet<String>,
    heads: FxHashSet<[u8; 3]>,
    /// Words of scripts that do not space them.
    inside: Vec<String>,
    stemmer: Option<Stemmer>,
}

/// The words for this page: given, inferred, and their company.
pub(super) fn find(page: &Page, texts: &Texts, options: &RdrOptions) -> Words {
    let given = [&options.query, &options.related].into_iter().flatten().flat_map(|text| split(text));
    let mut list: Vec<String> = given.collect();
    if options.query.is_none() {
        list.extend(inferred(page));
    }
    let mut seen = FxHashSet::default();
    list.retain(|word| seen.insert(word.clone()));
    list.truncate(MOST);
    let stemmer = options.stems.then(|| Stemmer::create(language(page)));
    let mut words = Words::new(list, stemmer);
    if options.company {
        let company = company(page, texts, &words);
        words.whole.extend(company);
    }
    words
}

impl Words {
    fn new(list: Vec<String>, stemmer: Option<Stemmer>) -> Words {
        let (inside, spaced): (Vec<String>, Vec<String>) =
            list.into_iter().partition(|word| word.chars().any(is_unspaced));
        let stems: FxHashSet<String> = match &stemmer {
            Some(stemmer) => spaced.iter().map(|word| stemmer.stem(word).into_owned()).collect(),
            None => FxHashSet::default(),
        };
        let heads = stems.iter().filter_map(|stem| stem.as_bytes().first_chunk::<3>().copied()).collect();
        Words { whole: spaced.into_iter().collect(), stems, heads, inside, stemmer }
    }

    fn holds(&self, word: &str) -> bool {
        if self.whole.contains(word) {
            return true;
        }
        let Some(stemmer) = &self.stemmer else { return false };
        let head = word.as_bytes().first_chunk::<3>();
        head.is_some_and(|head| self.heads.contains(head)) && self.stems.contains(stemmer.stem(word).as_ref())
    }

    fn count_in(&self, text: &str, buffer: &mut String) -> u32 {
        let mut count = 0;
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            buffer.clear();
            if word.is_ascii() {
                buffer.push_str(word);
                buffer.make_ascii_lowercase();
            } else {
                buffer.extend(word.chars().flat_map(char::to_lowercase));
            }
            count += u32::from(self.holds(buffer));
        }
        count + self.inside.iter().map(|word| text.matches(word.as_str()).count() as u32).sum::<u32>()
    }
}

/// Keywords before each text leaf; one entry more than leaves.
pub(super) fn count(page: &Page, texts: &Texts, words: &Words) -> Vec<u32> {
    let mut sums = Vec::with_capacity(texts.leaf.len() + 1);
    let (mut total, mut buffer) = (0, String::new());
    sums.push(0);
    for &leaf in &texts.leaf {
        total += words.count_in(page.tree.raw_text(leaf), &mut buffer);
        sums.push(total);
    }
    sums
}

/// Links before each text leaf, for pages whose words are not known: the first text of a link counts as a keyword.
pub(super) fn count_links(page: &Page, texts: &Texts) -> Vec<u32> {
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

/// The words of a text worth searching for, in lower case.
fn split(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| word.chars().count() > 1 && !STOP.contains(&word.as_str())).collect()
}

fn inferred(page: &Page) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    if let Some(query) = page.url.as_deref().and_then(|url| url.split_once('?')).map(|(_, query)| query) {
        let query = query.split('#').next().unwrap_or_default();
        for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            if PARAMETERS.contains(&name.to_ascii_lowercase().as_str()) {
                words.extend(split(&percent_decoded(value)));
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
        tree.nodes().filter(is_search).filter_map(|node| tree.attr(node, attrs::VALUE)).flat_map(split),
    );
    words.extend(page.title().iter().flat_map(|title| split(title)));
    let headings = tree.nodes().filter(|&node| tree.tag(node) == tags::H1).take(2);
    words.extend(headings.flat_map(|node| split(&page.text_of(node))));
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

/// Words that stand mostly in leaves with a keyword.
fn company(page: &Page, texts: &Texts, words: &Words) -> Vec<String> {
    let mut seen: FxHashMap<String, (u32, u32)> = FxHashMap::default();
    let mut buffer = String::new();
    for &leaf in &texts.leaf {
        let text = page.tree.raw_text(leaf);
        let beside = u32::from(words.count_in(text, &mut buffer) > 0);
        for word in split(text) {
            let (near, all) = seen.entry(word).or_default();
            *near += beside;
            *all += 1;
        }
    }
    let keeps =
        |&(near, all): &(u32, u32)| near >= COMPANY.0 && f64::from(near) >= COMPANY.1 * f64::from(all);
    let mut company: Vec<(u32, String)> =
        seen.into_iter().filter(|(_, counts)| keeps(counts)).map(|(word, counts)| (counts.0, word)).collect();
    company.sort_by(|a, b| b.cmp(a));
    company.into_iter().take(MOST).map(|(_, word)| word).collect()
}

/// Chinese, Japanese, Thai, Lao, Khmer, Burmese letters.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2ffff}')
}

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

    fn counts(html: &str, options: &RdrOptions) -> u32 {
        let page = Page::from_text(html, &Limits::default());
        let texts = Texts::new(&page);
        *count(&page, &texts, &find(&page, &texts, options)).last().unwrap()
    }

    fn query(words: &str) -> RdrOptions {
        RdrOptions { query: Some(words.into()), ..RdrOptions::default() }
    }

    #[test]
    fn words_stems_and_unspaced_scripts_are_found() {
        assert_eq!(counts("<p>Red SHOE, shoes; horseshoe</p>", &query("shoes")), 2);
        let exact = RdrOptions { stems: false, ..query("shoes") };
        assert_eq!(counts("<p>Red SHOE, shoes; horseshoe</p>", &exact), 1);
        assert_eq!(counts("<p>เช่ารถยนต์ราคาถูก รถยนต์มือสอง</p>", &query("รถยนต์")), 2);
        assert_eq!(counts("<p>北京新闻和上海新闻</p>", &query("新闻")), 2);
    }

    #[test]
    fn words_come_from_the_page_when_none_are_given() {
        let none = RdrOptions::default();
        assert_eq!(counts("<title>The lamp shop</title><p>lamp</p><p>table</p>", &none), 1);
        assert_eq!(counts("<input value='oak table'><p>lamp</p><p>Table of oak</p>", &none), 2);
        let mut page = Page::from_text("<p>caf\u{e9} noir</p>", &Limits::default());
        page.url = Some("http://x.example/?lang=fr&q=caf%C3%A9+noir#top".into());
        let texts = Texts::new(&page);
        assert_eq!(count(&page, &texts, &find(&page, &texts, &none)).last(), Some(&2));
    }

    #[test]
    fn company_adds_words_that_stand_beside_keywords() {
        let html: String = (0..6).map(|i| format!("<p>lamp oak {i}</p><b>pine</b>")).collect();
        assert_eq!(counts(&html, &query("lamp")), 6);
        assert_eq!(counts(&html, &RdrOptions { company: true, ..query("lamp") }), 12);
    }
}
