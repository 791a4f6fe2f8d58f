//! Crossed-out values: struck through, or marked as old by class names and ids.
//!
//! In: a span of the page's text. Out: whether its digits are struck through, or are in an element whose
//! class or id says that the price is an old one ("old-price", "priceWas"). Units and words next to the
//! digits need not be struck through. O(leaves of the span):
//! a text of megabytes may hold a hundred thousand spans, so it is not searched for digits here.

use crate::text_runs::TextRuns;
use copal_dom::{Node, Page, attrs};
use std::ops::Range;

/// Words in class names that mean "old" next to a word for a price.
const OLD_WORDS: &[&str] =
    &["old", "was", "former", "previous", "rrp", "msrp", "uvp", "strike", "striked", "crossed"];
/// Words in class names for a price.
const PRICE_WORDS: &[&str] =
    &["price", "prices", "amount", "cost", "preis", "prix", "precio", "prezzo", "prijs"];
/// Words in class names that do not change the meaning. Any other word may: "price-old-live" is the current
/// price of a shop.
const NEUTRAL_WORDS: &[&str] = &["product", "item", "offer", "text", "value", "label", "box", "wrapper", ""];
/// Words in class names that mean "crossed out" alone.
const STRIKE_WORDS: &[&str] = &["strikethrough", "linethrough", "strikeout", "crossedout"];
/// How many ancestors of a text are looked at, and the longest class or id that is read.
const MAX_ANCESTORS: usize = 3;
const MAX_CLASS_BYTES: usize = 200;

/// True if the digits of a text are crossed out.
pub(crate) fn is_crossed_out(page: &Page, text_runs: &TextRuns, span: &Range<usize>) -> bool {
    let mut digit_leaves = 0;
    for (leaf, has_digit) in text_runs.leaves_with_digits(span) {
        if has_digit {
            digit_leaves += 1;
            if !page.styles.style(leaf).strike && !is_marked_as_old(page, leaf) {
                return false;
            }
        }
    }
    digit_leaves > 0 || text_runs.leaves(span).all(|leaf| page.styles.style(leaf).strike)
}

fn is_marked_as_old(page: &Page, leaf: Node) -> bool {
    let names =
        |node| [attrs::CLASS, attrs::ID].into_iter().filter_map(move |name| page.tree.attr(node, name));
    page.tree
        .ancestors(leaf)
        .take(MAX_ANCESTORS)
        .flat_map(names)
        .filter(|name| name.len() <= MAX_CLASS_BYTES)
        .any(means_old_price)
}

/// True if one of the names in a class attribute means an old price: "price-old", "oldPrice", "line-through".
fn means_old_price(names: &str) -> bool {
    // A cheap test first: few names have any of these, and splitting into words is not free.
    let lower = names.to_ascii_lowercase();
    if !["pri", "pre", "amount", "cost", "strike", "through", "crossed"]
        .iter()
        .any(|part| lower.contains(part))
    {
        return false;
    }
    names.split_ascii_whitespace().any(|name| {
        let words = words_of(name);
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let known = |word: &String| {
            [OLD_WORDS, PRICE_WORDS, NEUTRAL_WORDS].iter().any(|list| list.contains(&word.as_str()))
        };
        has(OLD_WORDS) && has(PRICE_WORDS) && words.iter().all(known)
            || has(STRIKE_WORDS)
            || name == "line-through"
    })
}

/// The words of a name, split at hyphens, underscores and capital letters.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && small {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        small = c.is_lowercase();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::means_old_price;

    #[test]
    fn class_names_mark_old_prices() {
        for name in ["old-price", "priceWas", "product__price--old", "a price_rrp", "line-through"] {
            assert!(means_old_price(name), "{name}");
        }
        for name in [
            "price",
            "price-list",
            "regular-price",
            "old",
            "waspPrice",
            "household-price",
            "price-old-live",
            "",
        ] {
            assert!(!means_old_price(name), "{name}");
        }
    }
}
