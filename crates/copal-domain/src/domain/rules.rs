//! The rules of a domain: regular expressions that recognise attributes.
//!
//! In: rules of attributes. Out: [`RuleSet`], which finds the rules that match a text in O(text). Rules come
//! from users, so their compiled size is limited for all of them together.

use crate::error::DomainFileProblem;
use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};
use std::sync::OnceLock;

/// Largest compiled size of the rules of a domain.
const MAX_RULES_BYTES: usize = 64 << 20;

/// A rule of an attribute. It is compiled when the set of its domain first finds it in a text: most rules of a
/// domain match nothing on a page, and compiling them all is most of the cost of a domain.
#[derive(Debug, Clone)]
pub(crate) struct DomainRule {
    pub(crate) attribute: usize,
    pattern: String,
    regex: OnceLock<Option<Regex>>,
}

impl DomainRule {
    /// The rule in the spelling that is compiled.
    pub(super) fn new(attribute: usize, rule: &str) -> DomainRule {
        DomainRule { attribute, pattern: with_ascii_boundaries(rule), regex: OnceLock::new() }
    }

    /// Refuses invalid rules, and those that match the empty text.
    fn check(&self) -> Result<(), InvalidRule> {
        let parsed = regex_syntax::ParserBuilder::new().case_insensitive(true).build().parse(&self.pattern);
        let parsed = parsed.map_err(|error| InvalidRule::Syntax(regex::Error::Syntax(error.to_string())))?;
        // Such a rule matches everywhere, so that it cannot be what its author meant.
        match parsed.properties().minimum_len() {
            Some(0) => Err(InvalidRule::MatchesEmptyText),
            _ => Ok(()),
        }
    }

    /// The compiled rule. A rule that compiled in a set also compiles alone.
    pub(crate) fn regex(&self) -> Option<&Regex> {
        let compile = || {
            RegexBuilder::new(&self.pattern).case_insensitive(true).size_limit(MAX_RULES_BYTES).build().ok()
        };
        self.regex.get_or_init(compile).as_ref()
    }
}

/// Why a text is not a rule.
#[derive(Debug)]
enum InvalidRule {
    Syntax(regex::Error),
    MatchesEmptyText,
}

/// The rules of a domain, with regular expression sets that say which of them match a text. Rules with
/// letters beyond ASCII have a set of their own, because one such rule makes a set slow on texts beyond
/// ASCII.
#[derive(Debug, Clone, Default)]
pub(crate) struct RuleSet {
    /// Those in ASCII, then the others.
    groups: [RuleGroup; 2],
}

#[derive(Debug, Clone, Default)]
struct RuleGroup {
    rules: Vec<DomainRule>,
    set: OnceLock<RegexSet>,
}

impl RuleGroup {
    fn compile_set(&self) -> Result<RegexSet, regex::Error> {
        let mut set = RegexSetBuilder::new(self.rules.iter().map(|rule| &rule.pattern));
        // A cache that is too small is cleared again and again, which costs more than the memory.
        set.case_insensitive(true).size_limit(MAX_RULES_BYTES).dfa_size_limit(32 << 20).build()
    }

    fn set(&self) -> &RegexSet {
        self.set.get_or_init(|| self.compile_set().unwrap_or_default())
    }
}

impl RuleSet {
    /// The rules of a list. Their sets are compiled when they are first used.
    pub(super) fn new(rules: Vec<DomainRule>) -> RuleSet {
        let (letters, plain): (Vec<_>, Vec<_>) =
            rules.into_iter().partition(|rule| has_other_letters(&rule.pattern));
        RuleSet { groups: [plain, letters].map(|rules| RuleGroup { rules, set: OnceLock::new() }) }
    }

    /// Checks every rule and compiles the sets at once, so that a domain with invalid rules, or with too many,
    /// is refused. `name` gives the name of an attribute.
    pub(super) fn check(&self, name: impl Fn(usize) -> String) -> Result<(), DomainFileProblem> {
        for rule in self.groups.iter().flat_map(|group| &group.rules) {
            let attribute = || name(rule.attribute);
            rule.check().map_err(|invalid| match invalid {
                InvalidRule::Syntax(source) => {
                    DomainFileProblem::InvalidRule { attribute: attribute(), source }
                }
                InvalidRule::MatchesEmptyText => {
                    DomainFileProblem::EmptyRule { attribute: attribute(), rule: rule.pattern.clone() }
                }
            })?;
        }
        for group in &self.groups {
            let compiled = group.compile_set().map_err(DomainFileProblem::TooManyRules)?;
            group.set.get_or_init(|| compiled);
        }
        Ok(())
    }

    /// The rules that match somewhere in a text.
    pub(crate) fn matching<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a DomainRule> + 'a {
        let groups = self.groups.iter().filter(|group| !group.rules.is_empty());
        groups.flat_map(move |group| group.set().matches(text).into_iter().map(|i| &group.rules[i]))
    }

    /// The rules without those that `dropped` names by attribute and pattern.
    pub(super) fn without(&self, dropped: impl Fn(usize, &str) -> bool) -> RuleSet {
        let all = self.groups.iter().flat_map(|group| &group.rules);
        RuleSet::new(all.filter(|rule| !dropped(rule.attribute, &rule.pattern)).cloned().collect())
    }
}

/// True if a rule has letters beyond ASCII.
fn has_other_letters(rule: &str) -> bool {
    rule.chars().any(|c| !c.is_ascii() && c.is_alphabetic())
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
