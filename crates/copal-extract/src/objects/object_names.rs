//! The names of objects: headlines without the words that the site adds to each of them.
//!
//! In: the pages of a template and their headlines. Out: the name of the object of each page. What all
//! headlines at one place begin or end with belongs to the template ("… Reviews", "… | Site") if a separator
//! sets it apart, if it consists of words about the page, or if most pages also show the name without it. A
//! word that all names happen to share ("… Digital Camera") stays. O(lines).

use super::detail_page::DetailPage;
use super::headline::name_in_headline;
use super::text_forms::lower_words;
use copal_dom::squash;
use rustc_hash::{FxHashMap, FxHashSet};

/// Names are compared only if at least this many pages have different headlines at one place.
const MIN_COMPARED_NAMES: usize = 3;
/// Characters between a name and what the site adds to it.
const NAME_SEPARATORS: [char; 9] = ['|', '-', ':', ',', '\u{2013}', '\u{2014}', '\u{bb}', '\u{2022}', '/'];
/// Words about a page rather than about its object.
const PAGE_WORDS: &[&str] = &[
    "review",
    "reviews",
    "rating",
    "ratings",
    "overview",
    "profile",
    "detail",
    "details",
    "stats",
    "statistics",
    "info",
    "information",
    "specs",
    "specifications",
    "biography",
    "bio",
    "photos",
    "pictures",
    "images",
    "videos",
    "prices",
    "pricing",
    "buy",
    "about",
    "for",
    "of",
    "and",
    "recipe",
];

/// The name of the object of each page.
pub(super) fn object_names(pages: &[DetailPage<'_>], headlines: &[Option<usize>]) -> Vec<Option<String>> {
    let mut names: Vec<Option<String>> = pages
        .iter()
        .zip(headlines)
        .map(|(page, headline)| headline.map(|line| name_in_headline(&page.lines[line]).to_owned()))
        .collect();
    let mut by_path: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (at, (page, headline)) in pages.iter().zip(headlines).enumerate() {
        if let Some(line) = *headline {
            by_path.entry(page.lines[line].path).or_default().push(at);
        }
    }
    for members in by_path.into_values() {
        for at_end in [true, false] {
            let own: Vec<&str> = members.iter().filter_map(|&at| names[at].as_deref()).collect();
            let cut = cut_names(&own, at_end);
            let is_added = cut.as_ref().is_some_and(|cut| {
                is_set_apart(&own, cut, at_end)
                    || are_page_words(own[0], &cut[0], at_end)
                    || is_shown_without(pages, headlines, &members, cut)
            });
            if let Some(cut) = cut.filter(|_| is_added) {
                for (&at, name) in members.iter().zip(cut) {
                    names[at] = Some(name);
                }
            }
        }
    }
    names
}

/// The names without the words that all of them end (or begin) with, if something is left of each.
fn cut_names(names: &[&str], at_end: bool) -> Option<Vec<String>> {
    let distinct: FxHashSet<&str> = names.iter().copied().collect();
    if distinct.len() < MIN_COMPARED_NAMES || 2 * distinct.len() < names.len() {
        return None;
    }
    let words = |name: &str| {
        let mut words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
        if at_end {
            words.reverse();
        }
        words
    };
    let first = words(names[0]);
    let mut shared = first.len();
    for name in &names[1..] {
        let own = words(name);
        let common = first.iter().zip(&own).take_while(|(a, b)| a == b).count();
        shared = shared.min(common).min(own.len().saturating_sub(1));
    }
    if shared == 0 {
        return None;
    }
    let cut = |name: &&str| {
        let kept: Vec<&str> = name.split_whitespace().collect();
        let kept = if at_end { &kept[..kept.len() - shared] } else { &kept[shared..] };
        kept.join(" ").trim_matches(|c| c == ' ' || NAME_SEPARATORS.contains(&c)).to_owned()
    };
    let cut: Vec<String> = names.iter().map(cut).collect();
    cut.iter().all(|name| name.contains(char::is_alphanumeric)).then_some(cut)
}

/// True if a separator is between the names and what is cut.
fn is_set_apart(names: &[&str], cut: &[String], at_end: bool) -> bool {
    names.iter().zip(cut).all(|(name, cut)| {
        let Some(at) = (if at_end { name.find(cut.as_str()) } else { name.rfind(cut.as_str()) }) else {
            return false;
        };
        let between = if at_end { &name[at + cut.len()..] } else { &name[..at] };
        let edge = |text: &str| text.trim().to_owned();
        if at_end {
            edge(between).starts_with(NAME_SEPARATORS)
        } else {
            edge(between).ends_with(NAME_SEPARATORS)
        }
    })
}

/// True if all words that are cut are about the page.
fn are_page_words(name: &str, cut: &str, at_end: bool) -> bool {
    let all: Vec<String> = lower_words(name).collect();
    let kept = lower_words(cut).count();
    let added = if at_end { &all[kept.min(all.len())..] } else { &all[..all.len().saturating_sub(kept)] };
    !added.is_empty() && added.iter().all(|word| PAGE_WORDS.contains(&word.as_str()))
}

/// True if most pages show the name that is left in a line of its own.
fn is_shown_without(
    pages: &[DetailPage<'_>],
    headlines: &[Option<usize>],
    members: &[usize],
    cut: &[String],
) -> bool {
    let shows = |(&at, name): (&usize, &String)| {
        let name = squash(name);
        let other = |&(line, _): &(usize, _)| Some(line) != headlines[at];
        name.len() > 2
            && pages[at].lines.iter().enumerate().filter(other).any(|(_, line)| {
                // comparing lengths first keeps this cheap
                line.text.len() <= 4 * name.len() && squash(&line.text) == name
            })
    };
    2 * members.iter().zip(cut).filter(|&pair| shows(pair)).count() > members.len()
}

#[cfg(test)]
mod tests {
    use super::{are_page_words, cut_names, is_set_apart};

    #[test]
    fn shared_words_are_found_at_both_ends() {
        let names = ["Boma Review", "SIX89 Review", "Blue Duck Review"];
        let cut = cut_names(&names, true).expect("a shared word");
        assert_eq!(cut, ["Boma", "SIX89", "Blue Duck"]);
        assert!(are_page_words(names[0], &cut[0], true));
        assert!(!is_set_apart(&names, &cut, true));
        assert_eq!(cut_names(&["Boma", "SIX89", "Blue Duck"], true), None);
        assert_eq!(cut_names(&["The Inn", "The Inn", "The Inn"], true), None);
    }

    #[test]
    fn a_separator_sets_the_site_apart() {
        let names = ["Salt Roads | Quill Shop", "Tides | Quill Shop", "A Low Sun | Quill Shop"];
        let cut = cut_names(&names, true).expect("shared words");
        assert_eq!(cut, ["Salt Roads", "Tides", "A Low Sun"]);
        assert!(is_set_apart(&names, &cut, true));
    }

    #[test]
    fn a_kind_that_all_names_share_is_part_of_them() {
        let names = ["Nikon D90 Digital Camera", "Leica M8 Digital Camera", "Canon A1 Digital Camera"];
        let cut = cut_names(&names, true).expect("shared words");
        assert!(!is_set_apart(&names, &cut, true) && !are_page_words(names[0], &cut[0], true));
    }
}
