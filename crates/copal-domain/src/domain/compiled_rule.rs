//! A rule, compiled when a text first needs it, and only as well as it is used.
//!
//! In: a regular expression; then texts. Out: its matches. Half of the cost of compiling an expression is what
//! makes long searches fast: literals to look for, an expression for the way back, tables. Most rules that are
//! compiled at all are tried on a few short texts, so that a rule is first compiled to an automaton that is simply
//! followed, and to the fast one after some kilobytes of text. Both find the same.

use super::rule_spelling::{TextAlphabet, with_ascii_classes, without_other_characters};
use regex_automata::meta::{Builder, Config, Regex};
use regex_automata::util::syntax;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Largest compiled size of a rule, and of the rules of a domain together.
pub(super) const MAX_RULES_BYTES: usize = 64 << 20;
/// Bytes of text after which a rule is compiled to the fast automaton. Following the simple one costs about 100
/// instructions per byte, and compiling the fast one 3 million.
const SIMPLE_TEXT_BYTES: usize = 32 << 10;

/// A match of a rule: the group `value`, or all of it without such a group, and all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RuleMatch {
    pub(crate) value: Range<usize>,
    pub(crate) whole: Range<usize>,
}

/// A rule in the forms that texts needed so far.
#[derive(Debug, Default)]
pub(super) struct CompiledRule {
    /// By alphabet of the text, the simple form and the fast one: the classes of Unicode make automata many times
    /// larger, and few texts need them.
    forms: [[OnceLock<Option<Regex>>; 2]; 3],
    /// How much text was read, by alphabet.
    bytes_read: [AtomicUsize; 3],
}

/// A copy has what is compiled.
impl Clone for CompiledRule {
    fn clone(&self) -> CompiledRule {
        let read = |count: &AtomicUsize| AtomicUsize::new(count.load(Ordering::Relaxed));
        CompiledRule { forms: self.forms.clone(), bytes_read: self.bytes_read.each_ref().map(read) }
    }
}

impl CompiledRule {
    /// The matches of the rule in a text, from left to right. A rule that does not compile alone, although it did in a
    /// set, has none.
    pub(super) fn find(&self, pattern: &str, text: &str, alphabet: TextAlphabet) -> Vec<RuleMatch> {
        let read_before = self.bytes_read[alphabet as usize].fetch_add(text.len(), Ordering::Relaxed);
        let is_fast = read_before >= SIMPLE_TEXT_BYTES;
        let form = &self.forms[alphabet as usize][usize::from(is_fast)];
        let regex = form.get_or_init(|| compile(pattern, alphabet, is_fast));
        regex.iter().flat_map(|regex| matches(regex, text)).collect()
    }
}

/// Compiles a rule for the texts of an alphabet.
fn compile(pattern: &str, alphabet: TextAlphabet, is_fast: bool) -> Option<Regex> {
    let config = Config::new().nfa_size_limit(Some(MAX_RULES_BYTES));
    let config =
        if is_fast { config } else { config.auto_prefilter(false).hybrid(false).dfa(false).onepass(false) };
    let syntax = syntax::Config::new().case_insensitive(true);
    let build = |pattern: &str, config: Config, syntax: syntax::Config| {
        Builder::new().configure(config).syntax(syntax).build(pattern).ok()
    };
    match alphabet {
        // Bytes are characters here. A rule that names properties of Unicode is compiled with all of it.
        TextAlphabet::Ascii => {
            let (config, syntax) = (config.clone().utf8_empty(false), syntax.unicode(false).utf8(false));
            without_other_characters(pattern).and_then(|spelt| build(&spelt, config, syntax))
        }
        TextAlphabet::PlainUnicode => {
            with_ascii_classes(pattern).and_then(|spelt| build(&spelt, config.clone(), syntax))
        }
        TextAlphabet::Unicode => None,
    }
    .or_else(|| build(pattern, config, syntax))
}

fn matches(regex: &Regex, text: &str) -> Vec<RuleMatch> {
    let found = regex.captures_iter(text).filter_map(|captures| {
        let whole = captures.get_match()?.range();
        let value = captures.get_group_by_name("value").map_or_else(|| whole.clone(), |span| span.range());
        Some(RuleMatch { value, whole })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_a_rule_find_the_same() {
        let pattern = r"(?-u:\b)(?<value>\d{1,3})\s+(?:beds?|rooms|[€é])|[a-zà-ÿ]+\s#";
        let rule = CompiledRule::default();
        for text in ["3 beds, 12  ROOMS, x # 1234 bed", "3 beds, 12  ROOMS, x # 1234 bed €"] {
            for alphabet in [TextAlphabet::Ascii, TextAlphabet::PlainUnicode, TextAlphabet::Unicode] {
                if alphabet == TextAlphabet::Ascii && !text.is_ascii() {
                    continue;
                }
                let values =
                    |found: Vec<RuleMatch>| found.into_iter().map(|found| text[found.value].to_owned());
                let simple = values(rule.find(pattern, text, alphabet)).collect::<Vec<_>>();
                assert_eq!(simple, ["3", "12", "x #"], "{alphabet:?}");
                for _ in 0..=SIMPLE_TEXT_BYTES / text.len() {
                    rule.find(pattern, text, alphabet);
                }
                assert!(rule.forms[alphabet as usize][1].get().is_some());
                assert_eq!(
                    values(rule.find(pattern, text, alphabet)).collect::<Vec<_>>(),
                    simple,
                    "{alphabet:?}"
                );
            }
        }
        let found = rule.find(pattern, "٣ beds, 4\u{a0}beds", TextAlphabet::Unicode);
        // an ASCII word does not begin at a digit of another script
        assert_eq!(found.len(), 1);
        let copy = rule.clone();
        assert!(
            copy.forms[0][1].get().is_some()
                && copy.bytes_read[0].load(Ordering::Relaxed) > SIMPLE_TEXT_BYTES
        );
    }

    #[test]
    fn rules_that_name_properties_of_unicode_are_compiled_for_texts_in_ascii() {
        let found =
            CompiledRule::default().find(r"\p{Lu}(?<value>\d)\x{20ac}?", "A1 b2", TextAlphabet::Ascii);
        assert_eq!(found, [RuleMatch { value: 1..2, whole: 0..2 }, RuleMatch { value: 4..5, whole: 3..5 }]);
    }
}
