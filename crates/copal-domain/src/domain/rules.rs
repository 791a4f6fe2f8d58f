//! The rules of a domain: regular expressions that recognise attributes.
//!
//! In: rules of attributes. Out: [`RuleSet`], which finds the rules that may match a text. A rule is compiled when
//! a text first meets its needs (`rule_needs.rs`): most rules of a domain match nothing on a page, and compiling
//! them all would be most of the cost of a domain. Rules come from users, so their compiled size is limited for
//! all of them together.

use super::built_in_tables::BuiltInClause;
use super::compiled_rule::{CompiledRule, MAX_RULES_BYTES, RuleMatch};
use super::rule_filter::RuleFilter;
use super::rule_needs::RuleNeeds;
use super::rule_spelling::{TextAlphabet, has_other_letters, with_ascii_boundaries};
use crate::error::{DomainFileProblem, RuleError};
use regex::{RegexSet, RegexSetBuilder};
use std::sync::OnceLock;

/// Maximum number of rules that are tried one by one on a text. If more may match, a set of all rules decides first, so
/// that a text never costs more than that.
const MAX_TRIED_RULES: usize = 48;

/// A rule of an attribute.
#[derive(Debug, Clone)]
pub(crate) struct DomainRule {
    attribute: usize,
    pattern: String,
    compiled: CompiledRule,
    /// The clauses of a rule of a built-in domain, which the build script found.
    known_clauses: &'static [u16],
}

impl DomainRule {
    /// The rule in the spelling that is compiled.
    pub(super) fn new(attribute: usize, rule: &str) -> DomainRule {
        let pattern = with_ascii_boundaries(rule);
        DomainRule { attribute, pattern, compiled: CompiledRule::default(), known_clauses: &[] }
    }

    /// The same with what the build script knows about it.
    pub(super) fn with_clauses(self, known_clauses: &'static [u16]) -> DomainRule {
        DomainRule { known_clauses, ..self }
    }

    /// Refuses invalid rules, and those that match the empty text.
    fn check(&self) -> Result<(), InvalidRule> {
        let parsed = regex_syntax::ParserBuilder::new().case_insensitive(true).build().parse(&self.pattern);
        let parsed = parsed.map_err(|error| InvalidRule::Syntax(RuleError::new(error)))?;
        // Such a rule matches everywhere, so that it cannot be what its author meant.
        match parsed.properties().minimum_len() {
            Some(0) => Err(InvalidRule::MatchesEmptyText),
            _ => Ok(()),
        }
    }
}

/// Why a text is not a rule.
#[derive(Debug)]
enum InvalidRule {
    Syntax(RuleError),
    MatchesEmptyText,
}

/// The rules of a domain. Rules with letters beyond ASCII come last; they have a set of their own, because one such
/// rule makes a set slow on texts beyond ASCII.
#[derive(Debug, Clone, Default)]
pub(crate) struct RuleSet {
    /// Those in ASCII, then the others.
    rules: Vec<DomainRule>,
    ascii_count: usize,
    /// The clauses that the rules of a built-in domain name; empty for others.
    known_clauses: &'static [BuiltInClause],
    filter: OnceLock<RuleFilter>,
    sets: OnceLock<[RegexSet; 2]>,
}

fn compile_set(rules: &[DomainRule]) -> Result<RegexSet, regex::Error> {
    let mut set = RegexSetBuilder::new(rules.iter().map(|rule| &rule.pattern));
    // A cache that is too small is cleared again and again, which costs more than the memory.
    set.case_insensitive(true).size_limit(MAX_RULES_BYTES).dfa_size_limit(32 << 20).build()
}

impl RuleSet {
    /// The rules of a list. Nothing is compiled.
    pub(super) fn new(rules: Vec<DomainRule>) -> RuleSet {
        let (letters, mut rules): (Vec<_>, Vec<_>) =
            rules.into_iter().partition(|rule| has_other_letters(&rule.pattern));
        let ascii_count = rules.len();
        rules.extend(letters);
        RuleSet { rules, ascii_count, ..RuleSet::default() }
    }

    /// The same with the clauses that rules of built-in domains name.
    pub(super) fn of_built_in(rules: Vec<DomainRule>, clauses: &'static [BuiltInClause]) -> RuleSet {
        RuleSet { known_clauses: clauses, ..RuleSet::new(rules) }
    }

    /// Checks every rule and compiles the sets at once, so that a domain with invalid rules, or with too many,
    /// is refused. `name` gives the name of an attribute.
    pub(super) fn check(&self, name: impl Fn(usize) -> String) -> Result<(), DomainFileProblem> {
        for rule in &self.rules {
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
        let (ascii, letters) = self.rules.split_at(self.ascii_count);
        for rules in [ascii, letters] {
            compile_set(rules).map_err(|error| DomainFileProblem::TooManyRules(RuleError::new(error)))?;
        }
        Ok(())
    }

    /// The matches of all rules in a text, each with its attribute.
    pub(crate) fn find<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, RuleMatch)> + 'a {
        let alphabet = TextAlphabet::of(text);
        let rules = self.candidates(text).into_iter().filter_map(|index| self.rules.get(index));
        rules.flat_map(move |rule| {
            let found = rule.compiled.find(&rule.pattern, text, alphabet).into_iter();
            found.map(|found| (rule.attribute, found))
        })
    }

    /// The indices of the rules that may match a text.
    pub(super) fn candidates(&self, text: &str) -> Vec<usize> {
        if self.rules.is_empty() || text.is_empty() {
            return Vec::new();
        }
        let found = self.filter().candidates(text).unwrap_or_else(|| (0..self.rules.len()).collect());
        if found.len() > MAX_TRIED_RULES { self.matched_by_sets(text) } else { found }
    }

    fn filter(&self) -> &RuleFilter {
        self.filter.get_or_init(|| match self.known_clauses {
            [] => RuleFilter::new(self.rules.iter().map(|rule| RuleNeeds::of(&rule.pattern))),
            clauses => RuleFilter::of_built_in(self.rules.iter().map(|rule| rule.known_clauses), clauses),
        })
    }

    /// The indices of all rules that match a text.
    pub(super) fn matched_by_sets(&self, text: &str) -> Vec<usize> {
        let [ascii, letters] = self.sets.get_or_init(|| {
            let (ascii, letters) = self.rules.split_at(self.ascii_count);
            [ascii, letters].map(|rules| compile_set(rules).unwrap_or_default())
        });
        let letters = letters.matches(text).into_iter().map(|index| self.ascii_count + index);
        ascii.matches(text).into_iter().chain(letters).collect()
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.rules.len()
    }

    /// The rules as they are compiled, with what the build script knows about them.
    #[cfg(test)]
    pub(super) fn patterns_with_clauses(&self) -> impl Iterator<Item = (&str, &'static [u16])> {
        self.rules.iter().map(|rule| (rule.pattern.as_str(), rule.known_clauses))
    }

    /// The rules without those that `dropped` names by attribute and pattern.
    pub(super) fn without(&self, dropped: impl Fn(usize, &str) -> bool) -> RuleSet {
        let kept =
            self.rules.iter().filter(|rule| !dropped(rule.attribute, &rule.pattern)).cloned().collect();
        RuleSet { known_clauses: self.known_clauses, ..RuleSet::new(kept) }
    }
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
    fn rules_that_list_words_are_detected() {
        assert!(lists_words(r",\s*(?<value>Bath|Wells)\s*$"));
        assert!(lists_words(r"^(?<value>(?:Bath|Wells))\b"));
        assert!(!lists_words(r"\bcity\s*:\s*(?<value>[a-z]{2,40})"));
        assert!(!lists_words(r"(?<value>\d+ (?:street|road))"));
        assert!(!lists_words("no value"));
    }
}
