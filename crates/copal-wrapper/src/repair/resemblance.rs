//! Whether a page is one that a wrapper is for, although nobody says so: for lists that have moved.
//!
//! In: a wrapper and a page. Out: how much the page's records resemble the profile of the samples, and how many of the
//! samples' example values it shows. Costs one application of the wrapper, and an extraction if that is in doubt.

use super::renew::has_similar_list;
use crate::apply::apply;
use crate::drift::{MAX_EXAMPLE_CHARS, check};
use crate::format::{PageKind, Wrapper};
use copal_dom::Page;
use copal_extract::Answer;
use rustc_hash::FxHashSet;

/// Examples that are shorter say nothing: many pages have a "2".
const MIN_EXAMPLE_CHARS: usize = 4;

/// Columns with fewer letters have prices and other numbers.
const MIN_EXAMPLE_LETTERS: f64 = 0.5;

/// How much a page resembles the samples of a wrapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resemblance {
    /// It has no records like those of the samples.
    Different,
    /// It has such records, but the wrapper's locators do not read them as they should.
    Redesigned,
    /// The wrapper reads its records, and they fit the profile.
    Same,
}

/// How much a page resembles the samples of a wrapper.
pub fn resemblance(wrapper: &Wrapper, page: &Page) -> Resemblance {
    let read = apply(wrapper, page);
    let has_records = read.primary().is_some_and(|list| !list.records.is_empty()) || read.object.is_some();
    if has_records && !check(wrapper, &[page]).drifted() {
        return Resemblance::Same;
    }
    if has_similar_list(wrapper, page) { Resemblance::Redesigned } else { Resemblance::Different }
}

/// The share of the wrapper's example values that an answer has; only texts count. 0 without examples.
pub fn shared_examples(wrapper: &Wrapper, answer: &Answer) -> f64 {
    let rules = wrapper.pages.iter().filter(|rule| rule.kind == PageKind::List);
    let columns = rules.flat_map(|rule| &rule.columns).filter_map(|column| column.profile.as_ref());
    // many things cost the same
    let telling = columns.filter(|profile| profile.letters >= MIN_EXAMPLE_LETTERS);
    let examples: FxHashSet<&str> = telling
        .flat_map(|profile| &profile.examples)
        .map(String::as_str)
        .filter(|example| example.chars().count() >= MIN_EXAMPLE_CHARS)
        .collect();
    let records = answer.primary().map_or(&[][..], |list| list.records.as_slice());
    let texts = records.iter().flat_map(|record| &record.cells).filter_map(|cell| cell.first());
    let shown: FxHashSet<String> = texts.map(|text| text.chars().take(MAX_EXAMPLE_CHARS).collect()).collect();
    let shared = examples.iter().filter(|example| shown.contains(**example)).count();
    shared as f64 / examples.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::induce::learn;
    use copal_dom::Limits;
    use copal_extract::Request;

    fn list(items: &str) -> Page {
        Page::from_text(&format!("<main><h1>All</h1><ul>{items}</ul></main>"), &Limits::default())
    }

    fn kettles(from: usize) -> String {
        let item = |n| {
            format!(
                "<li class=item><h3><a href='/kettle/{n}'>Copper kettle model {n}</a></h3>\
                 <span class=price>£{n}.99</span><p class=about>Made by hand in workshop {n}.</p></li>"
            )
        };
        (from..from + 8).map(item).collect()
    }

    #[test]
    fn lists_of_the_samples_are_known_by_their_records() {
        let sample = list(&kettles(1));
        let answer = copal_extract::extract(&sample, &Request::default());
        let wrapper = learn(&[(&sample, &answer)]).unwrap().wrapper;
        assert_eq!(resemblance(&wrapper, &sample), Resemblance::Same);
        assert!(shared_examples(&wrapper, &apply(&wrapper, &sample)) > 0.9);
        let others = list(&kettles(101));
        assert_eq!(resemblance(&wrapper, &others), Resemblance::Same);
        assert!(shared_examples(&wrapper, &apply(&wrapper, &others)) < 0.01);
        let redesigned = kettles(1).replace("class=item", "class=card").replace("h3>", "h2>");
        let redesigned =
            redesigned.replace("<span class=price", "<div class=sum").replace("</span>", "</div>");
        assert!(resemblance(&wrapper, &list(&redesigned)) >= Resemblance::Redesigned);
        let news: String =
            (1..9).map(|n| format!("<li><a href='/news/{n}'>We are open in week {n}</a></li>")).collect();
        assert_eq!(resemblance(&wrapper, &list(&news)), Resemblance::Different);
        let nothing = Page::from_text("<h1>Not found</h1><p>Sorry.</p>", &Limits::default());
        assert_eq!(resemblance(&wrapper, &nothing), Resemblance::Different);
    }
}
