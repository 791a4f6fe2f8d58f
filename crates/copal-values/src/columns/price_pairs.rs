//! Two prices in one text: "Was £20.00 Now £15.00".
//!
//! In: a text and the amounts in it. Out: the amount that is asked for now, if a word says which one that is. Two
//! prices are not a range: one of them is no longer true. O(length).

use crate::recognise::recogniser::ValueMatch;
use crate::value_type::ValueType;

/// Words before a price that was asked for earlier, or elsewhere.
const OLD_PRICE_WORDS: &[&str] = &[
    "was",
    "before",
    "originally",
    "original price",
    "original price was",
    "regular price",
    "regular",
    "reg.",
    "list price",
    "list",
    "rrp",
    "msrp",
    "uvp",
    "statt",
    "vorher",
    "avant",
    "au lieu de",
    "antes",
    "precio normal",
    "prima",
    "invece di",
    "de",
    "van",
    "ord.",
    "tidigare",
    "før",
    "było",
    "cena regularna",
    "původně",
    "было",
    "старая цена",
    "原价",
    "定価",
];
/// Words before the price that is asked for now.
const NEW_PRICE_WORDS: &[&str] = &[
    "now",
    "now only",
    "sale price",
    "sale",
    "current price",
    "current price is",
    "today",
    "special price",
    "jetzt",
    "nur",
    "maintenant",
    "ahora",
    "por",
    "ora",
    "adesso",
    "voor",
    "nu",
    "nå",
    "teraz",
    "nyní",
    "сейчас",
    "теперь",
    "现价",
    "特価",
];

/// The place of the current price among exactly two amounts; `None` if no word tells them apart.
pub(super) fn current_price(text: &str, matches: &[ValueMatch]) -> Option<usize> {
    let [first, second] = matches else { return None };
    if first.value_type != ValueType::Money || second.value_type != ValueType::Money {
        return None;
    }
    let before_first = text.get(..first.span.start)?;
    let before_second = text.get(first.span.end..second.span.start)?;
    let (old_first, new_first) =
        (ends_with(before_first, OLD_PRICE_WORDS), ends_with(before_first, NEW_PRICE_WORDS));
    let (old_second, new_second) =
        (ends_with(before_second, OLD_PRICE_WORDS), ends_with(before_second, NEW_PRICE_WORDS));
    match (old_first || new_second, new_first || old_second) {
        (true, false) => Some(1),
        (false, true) => Some(0),
        _ => None,
    }
}

/// True if a text ends with one of the words, whatever its case and the signs after it.
fn ends_with(text: &str, words: &[&str]) -> bool {
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '.').to_lowercase();
    words.iter().any(|word| {
        let rest = text.strip_suffix(word);
        rest.is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::find_values;
    use proptest::prelude::*;

    #[test]
    fn words_tell_old_and_new_prices_apart() {
        for (text, want) in [
            ("Was £20.00 Now £15.00", Some(1)),
            ("£15.00 was £20.00", Some(0)),
            ("Now: £15.00 (RRP £20.00)", Some(0)),
            ("statt 20,00 € jetzt 15,00 €", Some(1)),
            ("De R$ 100,00 por R$ 80,00", Some(1)),
            ("£20.00 £15.00", None),
            ("£20.00", None),
            ("Now £20.00 now £15.00", None),
        ] {
            assert_eq!(current_price(text, &find_values(text)), want, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_safe(text in "(was|now|£[0-9]{1,3}| |[a-zü]){0,9}|.*") {
            current_price(&text, &find_values(&text));
        }
    }
}
