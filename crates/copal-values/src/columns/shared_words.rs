//! Words beside the values of a column.
//!
//! In: texts with one value each. Out: the words that are left without it, and whether the texts of a column
//! share them: "Decided" before every date, "OFF" or "discount" after every percentage. Also the noun after a
//! number, for counts of things that no table of nouns knows. O(text).

use crate::numbers::scan;
use std::collections::HashSet;
use std::ops::Range;

/// Longest words beside a value, in bytes.
const MAX_REMAINDER_BYTES: usize = 40;
/// Most words of a noun, with its adjectives.
const MAX_NOUN_WORDS: usize = 3;
/// Most different words that a column may have beside its values.
const MAX_REMAINDERS: usize = 4;

/// The words of a text without the value at this span, in lower case. `None` if other digits are left, or
/// more words than a label has.
pub(super) fn remainder(text: &str, span: &Range<usize>) -> Option<String> {
    let (before, after) = (text.get(..span.start)?, text.get(span.end..)?);
    let words = format!("{} {}", before.trim(), after.trim()).trim().to_lowercase();
    let fits = words.len() <= MAX_REMAINDER_BYTES && !words.contains(|c: char| c.is_numeric());
    fits.then_some(words)
}

/// True if the texts of a column share the words beside their values.
pub(super) fn has_few_remainders(remainders: impl IntoIterator<Item = String>) -> bool {
    let mut count = 0;
    let distinct: HashSet<String> = remainders.into_iter().inspect(|_| count += 1).collect();
    count > 0 && distinct.len() <= MAX_REMAINDERS && 2 * distinct.len() <= count + 1
}

/// The words after a number that begins a text, if nothing else follows: "Gebote" of "3 Gebote".
pub(super) fn counted_noun(text: &str) -> Option<&str> {
    let text = text.trim();
    let len = scan(text);
    let rest = text.get(len..)?;
    let rest = rest.strip_prefix('+').unwrap_or(rest);
    let noun = rest.trim_start();
    // "10. May" and "5m" are something else
    let is_number = len == 1 || len > 1 && !text.starts_with('0');
    let is_apart = is_number && noun.len() < rest.len();
    let mut words = noun.split_whitespace();
    let is_words = words.clone().count() <= MAX_NOUN_WORDS
        && words.all(|word| word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’')))
        && noun.chars().filter(|c| c.is_alphabetic()).count() > 1;
    (is_apart && is_words && noun.len() <= MAX_REMAINDER_BYTES).then_some(noun)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_left_of_a_text() {
        assert_eq!(remainder("Decided 04/18/2024", &(8..18)).as_deref(), Some("decided"));
        assert_eq!(remainder("12% OFF", &(0..3)).as_deref(), Some("off"));
        assert_eq!(remainder("iPhone 13, 256 GB", &(11..17)), None);
        assert_eq!(remainder("ab", &(0..9)), None);
    }

    #[test]
    fn a_column_shares_its_words() {
        let few = |texts: &[&str]| has_few_remainders(texts.iter().map(|text| (*text).to_owned()));
        assert!(few(&["was", "was", "originally", "was"]) && few(&["off"; 3]));
        assert!(!few(&["red lamp", "blue lamp", "chair"]) && !few(&[]));
    }

    #[test]
    fn nouns_after_numbers() {
        for (text, want) in [
            ("3 Gebote", Some("Gebote")),
            ("1,234 plays", Some("plays")),
            ("12 positions open", Some("positions open")),
            ("200+ sold", Some("sold")),
            ("0 bids", Some("bids")),
            ("10. þm.", None),
            ("5m", None),
            ("5 m", None),
            ("Rule 23", None),
            ("12 High Street 4", None),
            ("3", None),
        ] {
            assert_eq!(counted_noun(text), want, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_safe(text in "[0-9+. a-c]{0,9}|.*", start in 0usize..20, end in 0usize..20) {
            counted_noun(&text);
            remainder(&text, &(start..end));
        }
    }
}
