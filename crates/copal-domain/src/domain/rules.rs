//! The rules of a domain: regular expressions that recognise attributes.
//!
//! In: rules of attributes. Out: [`RuleSet`], which finds the rules that match a text in O(text). Rules come
//! from users, so their compiled size is limited.

use crate::error::DomainFileProblem;
use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};

/// Largest compiled size of one rule.
const MAX_RULE_BYTES: usize = 1 << 20;

/// The rules of a domain, with regular expression sets that say which of them match a text. Rules with
/// letters beyond ASCII have a set of their own, because one such rule makes a set slow on texts beyond
/// ASCII.
#[derive(Debug, Clone, Default)]
pub(crate) struct RuleSet {
    /// A set and its rules, each with the index of its attribute: those in ASCII, then the others.
    groups: [(RegexSet, Vec<(usize, Regex)>); 2],
}

impl RuleSet {
    /// The rules of a list of attribute indices and compiled rules.
    pub(super) fn new(list: Vec<(usize, Regex)>) -> Result<RuleSet, DomainFileProblem> {
        let (letters, plain): (Vec<_>, Vec<_>) =
            list.into_iter().partition(|(_, regex)| has_other_letters(regex.as_str()));
        let group = |list: Vec<(usize, Regex)>| {
            let mut set = RegexSetBuilder::new(list.iter().map(|(_, regex)| regex.as_str()));
            // A cache that is too small is cleared again and again, which costs more than the memory.
            let set =
                set.case_insensitive(true).size_limit(64 * MAX_RULE_BYTES).dfa_size_limit(32 << 20).build();
            set.map(|set| (set, list)).map_err(DomainFileProblem::TooManyRules)
        };
        Ok(RuleSet { groups: [group(plain)?, group(letters)?] })
    }

    /// The rules that match somewhere in a text.
    pub(crate) fn matching<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a (usize, Regex)> + 'a {
        self.groups.iter().flat_map(move |(set, list)| set.matches(text).into_iter().map(move |i| &list[i]))
    }

    /// The rules without those that `dropped` names by attribute and pattern.
    pub(super) fn without(
        &self,
        dropped: impl Fn(usize, &str) -> bool,
    ) -> Result<RuleSet, DomainFileProblem> {
        let all = self.groups.iter().flat_map(|(_, list)| list);
        RuleSet::new(all.filter(|(of, regex)| !dropped(*of, regex.as_str())).cloned().collect())
    }
}

/// True if a rule has letters beyond ASCII.
fn has_other_letters(rule: &str) -> bool {
    rule.chars().any(|c| !c.is_ascii() && c.is_alphabetic())
}

/// Compiles one rule, case-insensitive and limited in size.
pub(super) fn compile_rule(rule: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(&with_ascii_boundaries(rule)).case_insensitive(true).size_limit(MAX_RULE_BYTES).build()
}

/// Makes `\b` a boundary of ASCII words in rules without letters beyond ASCII. The lazy automaton for the
/// Unicode boundary gives up on texts with a `£` or an `é`, and its replacement is many times slower.
fn with_ascii_boundaries(rule: &str) -> String {
    if has_other_letters(rule) {
        return rule.to_owned();
    }
    let mut out = String::with_capacity(rule.len() + 16);
    let mut chars = rule.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('b') => out.push_str("(?-u:\\b)"),
            Some(escaped) => out.extend(['\\', escaped]),
            None => out.push('\\'),
        }
    }
    out
}

/// True if the value of a rule is one of a list of words: `,\s*(?<value>Bath|Wells)\b`.
pub(super) fn lists_words(rule: &str) -> bool {
    let Some((_, rest)) = rule.split_once("(?<value>") else { return false };
    let mut open = 1;
    let mut words = String::new();
    for c in rest.chars() {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            break;
        }
        words.push(c);
    }
    let words = words.replace("(?:", "");
    words.contains('|') && !words.contains(['[', '\\', '.', '*', '+', '{', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_are_ascii_in_rules_of_ascii_letters() {
        assert_eq!(with_ascii_boundaries(r"\bbed\b \\b"), r"(?-u:\b)bed(?-u:\b) \\b");
        assert_eq!(with_ascii_boundaries(r"\bétage\b"), r"\bétage\b");
    }

    #[test]
    fn rules_that_list_words_are_detected() {
        assert!(lists_words(r",\s*(?<value>Bath|Wells)\s*$"));
        assert!(lists_words(r"^(?<value>(?:Bath|Wells))\b"));
        assert!(!lists_words(r"\bcity\s*:\s*(?<value>[a-z]{2,40})"));
        assert!(!lists_words(r"(?<value>\d+ (?:street|road))"));
        assert!(!lists_words("no value"));
    }
}
