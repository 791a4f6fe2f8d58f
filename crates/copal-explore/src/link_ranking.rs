//! How promising a link is: words, position, filters and the yield of its kind of page.
//!
//! In: a link, its depth, and the yield of its template. Out: a score and the reasons for it. The weights follow
//! the order in which a person would try links: what a domain names first, then what says "all" or "search", then
//! the rest of the menu; never accounts, carts and legal texts.

use crate::crawl_traps::TemplateYield;
use crate::link_words::{LIST_WORDS, OTHER_WORDS, QUERY_STARTS, find_word, folded_words};
use crate::page_facts::{LinkFacts, LinkPosition};
use url::Url;

/// Words of a domain that links are ranked by.
#[derive(Debug, Clone, Default)]
pub struct DomainLinkWords {
    /// Words of links to lists of the domain.
    pub follow: Vec<String>,
    /// Words of links to other pages.
    pub avoid: Vec<String>,
}

/// The score of a link and the reasons.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkScore {
    /// Higher is better; links below [`MIN_LINK_SCORE`] are not visited.
    pub score: f64,
    /// Why, in words.
    pub reason: String,
    /// The link leads to a page of another kind (login, cart, contact …).
    pub is_other: bool,
}

/// Links with a lower score are not visited.
pub const MIN_LINK_SCORE: f64 = -1.0;
/// Weight of a word of the domain.
const DOMAIN_WORD: f64 = 2.5;
/// Weight of a word that lists have in common.
const LIST_WORD: f64 = 1.5;
/// Weight of a query that the site offers.
const OFFERED_QUERY: f64 = 1.5;
/// Weight of words of other pages.
const OTHER_WORD: f64 = -4.0;
/// Weight of links that are only in the margin of a page.
const MARGIN: f64 = -0.75;
/// Weight of links of records: their pages are read with their list, if at all.
const RECORD: f64 = -0.25;
/// Weight of filters and orders of a list that is known already.
const FILTER: f64 = -1.0;
/// Weight of a kind of page that has had lists.
const PRODUCTIVE: f64 = 1.0;
/// Weight per visited page of a kind of page.
const VISITED: f64 = -0.5;
/// Weight per link between the start page and the page.
const DEPTH: f64 = -0.5;

/// The score of a link.
pub fn score_link(
    link: &LinkFacts,
    words: &DomainLinkWords,
    depth: usize,
    seen: TemplateYield,
    page_has_list: bool,
) -> LinkScore {
    let (mut score, mut reasons) = (0.0, Vec::new());
    let path = Url::parse(&link.url).map(|url| url.path().to_owned()).unwrap_or_default();
    let text = format!("{} {path}", link.text);
    let domain_word = find_word(&text, words.follow.iter().map(String::as_str));
    let other = find_word(&link.text, words.avoid.iter().map(String::as_str))
        .or_else(|| find_word(&text, OTHER_WORDS.iter().copied()));
    let is_other = other.is_some() && domain_word.is_none();
    // the titles of records name what the domain names
    if let Some(word) = domain_word.filter(|_| link.position != LinkPosition::Record) {
        score += DOMAIN_WORD;
        reasons.push(format!("\"{word}\" (domain)"));
    }
    let is_record = link.position == LinkPosition::Record;
    let list_word = find_word(&text, LIST_WORDS.iter().copied());
    if let Some(word) = list_word.filter(|_| domain_word.is_none() && !is_record) {
        score += LIST_WORD;
        reasons.push(format!("\"{word}\""));
    }
    if is_offered_query(&link.text) {
        score += OFFERED_QUERY;
        reasons.push("a query that the site offers".to_owned());
    }
    if let Some(word) = other.filter(|_| is_other) {
        score += OTHER_WORD;
        reasons.push(format!("\"{word}\" is another kind of page"));
    }
    match link.position {
        LinkPosition::Navigation => {
            score += 1.0;
            reasons.push("in the navigation".to_owned());
        }
        LinkPosition::Main => {
            score += 0.75;
            reasons.push("in the main content".to_owned());
        }
        LinkPosition::Header => score += 0.25,
        LinkPosition::Record => {
            score += RECORD;
            reasons.push("in a record of the page's list".to_owned());
        }
        LinkPosition::Margin => {
            score += MARGIN;
            reasons.push("in the margin".to_owned());
        }
    }
    if link.is_filter && page_has_list {
        score += FILTER;
        reasons.push("filters a list that is known".to_owned());
    }
    if seen.lists > 0 {
        score += PRODUCTIVE;
        reasons.push("pages of this kind had lists".to_owned());
    }
    score += VISITED * seen.visited as f64 + DEPTH * depth as f64;
    LinkScore { score, reason: reasons.join(", "), is_other }
}

/// True for "Up to £250,000", "2 bedrooms" and the like: a short text with a number and a limit.
fn is_offered_query(text: &str) -> bool {
    let folded = folded_words(text);
    text.chars().count() <= 40
        && text.contains(|c: char| c.is_ascii_digit())
        && QUERY_STARTS.iter().any(|start| folded.trim_start().starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(text: &str, path: &str, position: LinkPosition) -> LinkScore {
        let link = LinkFacts {
            url: format!("https://a.example{path}"),
            text: text.to_owned(),
            position,
            is_filter: false,
        };
        let words = DomainLinkWords { follow: vec!["for sale".into(), "careers".into()], avoid: vec![] };
        score_link(&link, &words, 1, TemplateYield::default(), false)
    }

    #[test]
    fn what_leads_to_lists_comes_first() {
        let domain = score("Homes for sale", "/buy", LinkPosition::Navigation);
        let list = score("View all", "/x", LinkPosition::Navigation);
        let plain = score("Oxford", "/oxford", LinkPosition::Navigation);
        let margin = score("Oxford", "/oxford", LinkPosition::Margin);
        let login = score("Log in", "/x", LinkPosition::Navigation);
        assert!(domain.score > list.score && list.score > plain.score && plain.score > margin.score);
        assert!(login.is_other && login.score < MIN_LINK_SCORE, "{login:?}");
        assert!(domain.reason.contains("\"for sale\" (domain)"), "{}", domain.reason);
    }

    #[test]
    fn a_word_of_the_domain_outweighs_a_word_of_other_pages() {
        let careers = score("Careers", "/careers", LinkPosition::Main);
        assert!(!careers.is_other && careers.score > 0.0);
    }

    #[test]
    fn offered_queries_are_recognised() {
        for text in ["Up to £250,000", "Under 500 €", "from 2 bedrooms"] {
            assert!(is_offered_query(text), "{text}");
        }
        for text in ["Our history since 1986", "About", "Up to you"] {
            assert!(!is_offered_query(text), "{text}");
        }
    }

    #[test]
    fn pages_of_a_kind_without_yield_sink() {
        let link = LinkFacts {
            url: "https://a.example/x/1".into(),
            text: "One".into(),
            position: LinkPosition::Main,
            is_filter: false,
        };
        let at = |visited, lists| {
            let seen = TemplateYield { visited, lists };
            score_link(&link, &DomainLinkWords::default(), 1, seen, false).score
        };
        assert!(at(0, 0) > at(2, 0) && at(2, 2) > at(2, 0));
    }
}
