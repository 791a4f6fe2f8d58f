//! Values that no longer hold: crossed out, or called old by the page's own names.
//!
//! In: a piece of the page's text. Out: whether its figures are struck, or stand in an element whose class or id says that the price is
//! the old one ("old-price", "priceWas"). Units and words beside the figures need not be struck too. O(leaves of the text).

use crate::text_run::TextRun;
use copal_dom::{Node, Page, attrs};
use std::ops::Range;

/// Words of names that say "no longer", beside a word for a price.
const FORMER: &[&str] =
    &["old", "was", "former", "previous", "rrp", "msrp", "uvp", "strike", "striked", "crossed"];
const PRICE: &[&str] = &["price", "prices", "amount", "cost", "preis", "prix", "precio", "prezzo", "prijs"];
/// Words that change nothing. Any other word does: the "price-old-live" of a shop is what one pays.
const NEUTRAL: &[&str] = &["product", "item", "offer", "text", "value", "label", "box", "wrapper", ""];
/// Words that say it alone.
const STRUCK: &[&str] = &["strikethrough", "linethrough", "strikeout", "crossedout"];
/// Elements around a text whose names are read, and the longest name.
const AROUND: usize = 3;
const NAME: usize = 200;

/// True if the figures of a text are old ones.
pub(crate) fn is_former(page: &Page, clob: &TextRun, span: &Range<usize>) -> bool {
    let mut figures = 0;
    for leaf in clob.leaves(span) {
        if page.tree.raw_text(leaf).contains(|c: char| c.is_ascii_digit()) {
            figures += 1;
            if !page.styles.style(leaf).strike && !is_called_former(page, leaf) {
                return false;
            }
        }
    }
    figures > 0 || clob.leaves(span).all(|leaf| page.styles.style(leaf).strike)
}

fn is_called_former(page: &Page, leaf: Node) -> bool {
    let names =
        |node| [attrs::CLASS, attrs::ID].into_iter().filter_map(move |name| page.tree.attr(node, name));
    page.tree.ancestors(leaf).take(AROUND).flat_map(names).filter(|name| name.len() <= NAME).any(says_former)
}

/// One of the names in a class attribute says so: "price-old", "oldPrice", "line-through".
fn says_former(names: &str) -> bool {
    // few names have any of this, and words are not free
    let lower = names.to_ascii_lowercase();
    if !["pri", "pre", "amount", "cost", "strike", "through", "crossed"]
        .iter()
        .any(|part| lower.contains(part))
    {
        return false;
    }
    names.split_ascii_whitespace().any(|name| {
        let words = words(name);
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let known = |word: &String| [FORMER, PRICE, NEUTRAL].iter().any(|list| list.contains(&word.as_str()));
        has(FORMER) && has(PRICE) && words.iter().all(known) || has(STRUCK) || name == "line-through"
    })
}

/// The words of a name: at hyphens, underscores and capitals.
fn words(name: &str) -> Vec<String> {
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
    use super::says_former;

    #[test]
    fn names_say_that_a_price_is_old() {
        for name in ["old-price", "priceWas", "product__price--old", "a price_rrp", "line-through"] {
            assert!(says_former(name), "{name}");
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
            assert!(!says_former(name), "{name}");
        }
    }
}
