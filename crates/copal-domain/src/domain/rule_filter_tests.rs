//! Rules that are compiled only when a text meets their needs find what rules find that are all tried on every text.

use super::built_in_tables;
use super::compiled_rule::RuleMatch;
use super::model::Domain;
use super::rule_filter::RuleFilter;
use super::rule_needs::RuleNeeds;
use super::rule_spelling::{has_other_letters, with_ascii_boundaries};
use super::rules::{DomainRule, RuleSet};
use proptest::prelude::*;
use regex::RegexBuilder;

/// Parts of rules: words, classes, repetitions, anchors, letters beyond ASCII and what is easily taken for a bracket.
const RULE_PARTS: &[&str] = &[
    "a",
    "s",
    "k",
    "beds?",
    "sold",
    "out of 5",
    r"\d",
    r"\d{1,3}",
    r"\d+",
    r"\s",
    r"\s*",
    r"\s+",
    "[£$€]",
    "[a-c]",
    "[^x]",
    ".",
    r"\b",
    "^",
    "$",
    r"\z",
    "é",
    "ß",
    r"[\d,.]*",
    r"[]\s-]",
    r"\(",
    "[0-5]",
    r"\x{e9}",
    r"\p{Lu}",
    "–",
    "%",
    r"\w",
    r"\S",
    r"\x02",
    "(?-i:B)",
    "(?m:^a)",
    "(?x: b # [\n )",
    "\u{212a}",
    "\u{17f}",
    "x{0,4}[sl]",
    "½",
];

const TEXT_PIECES: &[&str] = &[
    "a", "A", "s", "S", "k", "K", "\u{212a}", "\u{17f}", "bed", "BEDS", "Sold", "out of 5", "1", "23", "٣",
    " ", "\n", "\u{a0}", "£", "$", "€", "b", "x", "xl", "é", "É", "ß", "ẞ", "½", ",", ".", "]", "-", "(",
    "–", "%", "z", "\u{2}", "²",
];

fn rule() -> impl Strategy<Value = String> {
    prop::sample::select(RULE_PARTS).prop_map(str::to_owned).prop_recursive(4, 24, 5, |inner| {
        let times = prop::sample::select(&["?", "*", "+", "{2}", "{0,2}", "{1,3}", "{2,}"][..]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..5).prop_map(|parts| parts.concat()),
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| format!("(?:{})", parts.join("|"))),
            (inner.clone(), times).prop_map(|(part, times)| format!("(?:{part}){times}")),
            inner.prop_map(|part| format!("(?<value>{part})").replacen(
                "(?<value>(?<value>",
                "(?:(?<value>",
                1
            )),
        ]
    })
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(TEXT_PIECES), 1..9).prop_map(|pieces| pieces.concat())
}

/// What a rule finds that is compiled as it is written. `None` if it is invalid or matches the empty text.
fn found_by_engine(rule: &str, text: &str) -> Option<Vec<RuleMatch>> {
    let regex = RegexBuilder::new(&with_ascii_boundaries(rule)).case_insensitive(true).build().ok()?;
    let found = regex.captures_iter(text).map(|captures| {
        let whole = captures.get(0).map_or(0..0, |found| found.range());
        let value = captures.name("value").map_or_else(|| whole.clone(), |found| found.range());
        RuleMatch { value, whole }
    });
    Some(found.collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn filtered_rules_find_what_unfiltered_rules_find(rules in prop::collection::vec(rule(), 1..5), text in text()) {
        let mut rules: Vec<String> =
            rules.into_iter().filter(|rule| found_by_engine(rule, "").is_some_and(|found| found.is_empty())).collect();
        let set = RuleSet::new(rules.iter().enumerate().map(|(index, rule)| DomainRule::new(index, rule)).collect());
        let found: Vec<(usize, RuleMatch)> = set.find(&text).collect();
        // rules with letters beyond ASCII come last
        let mut numbered: Vec<(usize, String)> = rules.drain(..).enumerate().collect();
        numbered.sort_by_key(|(_, rule)| has_other_letters(rule));
        let expected: Vec<(usize, RuleMatch)> = numbered
            .iter()
            .flat_map(|(index, rule)| found_by_engine(rule, &text).into_iter().flatten().map(|found| (*index, found)))
            .collect();
        prop_assert_eq!(found, expected, "{:?} in {:?}", numbered, text);
    }
}

fn candidates(rule: &str, text: &str) -> Option<Vec<usize>> {
    RuleFilter::new(std::iter::once(RuleNeeds::of(rule))).candidates(text)
}

#[test]
fn texts_without_what_a_rule_needs_are_excluded() {
    let meets = |rule: &str, text: &str| candidates(rule, text).is_none_or(|found| found == [0]);
    for (rule, with, without) in [
        (r"\b(?:save|saving)\s*(?<value>\d{1,2}\s?%)", "Saving 5 %", "save the 5 pictures"),
        (r"^(?:new|used)$", "USED", "unused"),
        (r"\bone\s+size\b", "one  SIZE", "one-size"),
        (r"\d{1,3}(?:\.\d{1,2})?\s?l\b", "1.5 L", "15 cm or less"),
        (r"(?:£|\$)\s?\d+", "£5", "5 €"),
        (r"\d+ (?:beds|rooms)", "٣ beds", "no beds"),
        (r"^(?:a|bb).*(?:c|dd)$", "a b c", "b b c"),
    ] {
        assert!(meets(rule, with) && !meets(rule, without), "{rule}");
    }
    // nothing is known about these
    assert!(["(?m)^b$", ".*", r"\p{L}", "(?:", "\u{212a}"].iter().all(|rule| meets(rule, "tab")));
    assert_eq!(candidates("kilo", "\u{212a}ilo"), None);
}

#[test]
fn the_tables_of_built_in_domains_have_what_their_rules_need() {
    for name in Domain::built_in() {
        let domain = Domain::load(name).unwrap();
        let built_in = built_in_tables::built_in(name).unwrap();
        assert_eq!(domain.rules.len(), built_in.needs.rules.len());
        for (pattern, clauses) in domain.rules.patterns_with_clauses() {
            let needs = RuleNeeds::of(pattern).clauses;
            let known = clauses.iter().map(|&clause| &built_in.needs.clauses[usize::from(clause)]);
            assert_eq!(needs.len(), clauses.len());
            let is_same =
                |(need, known): (&super::rule_needs::NeedClause, &built_in_tables::BuiltInClause)| {
                    need.words == known.words && need.chars == known.chars()
                };
            assert!(needs.iter().zip(known).all(is_same), "{name}: {pattern}");
        }
    }
}

/// Every rule that the set of all rules of a domain finds in a text is among those that are tried.
#[test]
fn no_rule_of_a_built_in_domain_is_missed_in_its_examples() {
    for name in Domain::built_in() {
        let domain = Domain::load(name).unwrap();
        let tests = Domain::tests(name).unwrap();
        let (mut tried, mut matched, mut all) = (0, 0, 0);
        for line in tests.lines().map(|line| line.trim().trim_start_matches("- ").trim_matches(['\'', '"'])) {
            let candidates = domain.rules.candidates(line);
            let by_sets = domain.rules.matched_by_sets(line);
            assert!(by_sets.iter().all(|rule| candidates.contains(rule)), "{name}: {line}");
            (tried, matched) = (tried + candidates.len(), matched + by_sets.len());
            all += domain.rules.len();
        }
        // The filter is worth its cost.
        assert!(matched > 0 && 4 * tried < all, "{name}: {tried} of {all} tried for {matched}");
    }
}

/// More rules than are tried one by one: a set decides.
#[test]
fn many_rules_without_needs_are_found_by_a_set() {
    let rule = |n: usize| DomainRule::new(n, &format!("[^a-y]{{{}}}z", n + 1));
    let set = RuleSet::new((0..90).map(rule).collect());
    let found: Vec<(usize, RuleMatch)> = set.find("12z").collect();
    let matched =
        |rule: usize, whole: std::ops::Range<usize>| (rule, RuleMatch { value: whole.clone(), whole });
    assert_eq!(found, [matched(0, 1..3), matched(1, 0..3)]);
}
