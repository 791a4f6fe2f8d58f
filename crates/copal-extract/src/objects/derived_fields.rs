//! Fields that follow from other fields.
//!
//! In: the fields of a page that belong to a domain's attributes. Out: the same with a currency, if the
//! domain has one and only the symbol next to the price tells it. O(lines).

use super::detail_page::DetailPage;
use super::placed_field::PlacedField;
use copal_domain::Domain;
use copal_model::Field;

/// Longest line that is searched for the symbol of a price, in bytes.
const MAX_PRICE_LINE_BYTES: usize = 120;
/// Longest currency symbol or code, in characters.
const MAX_SYMBOL_CHARS: usize = 4;

/// Adds the fields that follow from those of the page.
pub(super) fn add_derived_fields(fields: &mut Vec<PlacedField>, page: &DetailPage<'_>, domain: &Domain) {
    if domain.attribute("currency").is_some() {
        add_currency(fields, page);
    }
}

fn position(fields: &[PlacedField], name: &str) -> Option<usize> {
    fields.iter().position(|placed| placed.field.name == name)
}

/// Adds the currency of the price, from its own text or from a line that shows it, unless the page states it
/// elsewhere.
fn add_currency(fields: &mut Vec<PlacedField>, page: &DetailPage<'_>) {
    let price = position(fields, "price").or_else(|| position(fields, "old_price"));
    let (None, Some(price)) = (position(fields, "currency"), price) else { return };
    let PlacedField { field, node } = &fields[price];
    let Some(text) = field.texts.first() else { return };
    let short_lines =
        || page.lines.iter().map(|line| line.text.as_str()).filter(|line| line.len() <= MAX_PRICE_LINE_BYTES);
    let symbol = currency_symbol(text).or_else(|| short_lines().find_map(|line| symbol_next_to(line, text)));
    let has_digit = text.contains(|c: char| c.is_ascii_digit());
    if let Some(symbol) = symbol.filter(|_| has_digit) {
        let field = Field {
            name: "currency".to_owned(),
            texts: vec![symbol.to_owned()],
            value: None,
            ..field.clone()
        };
        let placed = PlacedField { field, node: *node };
        fields.push(placed);
    }
}

/// The currency of an amount: the word with a currency symbol, or else a short word next to the digits.
fn currency_symbol(text: &str) -> Option<&str> {
    let is_symbol = |c: char| c == '$' || !c.is_ascii() && !c.is_alphanumeric() && !c.is_whitespace();
    let words = || {
        text.split(|c: char| !(c.is_alphabetic() || is_symbol(c)))
            .filter(|word| (1..=MAX_SYMBOL_CHARS).contains(&word.chars().count()))
    };
    words().find(|word| word.chars().any(is_symbol)).or_else(|| words().next())
}

/// The currency right before or after an amount in a line.
fn symbol_next_to<'l>(line: &'l str, amount: &str) -> Option<&'l str> {
    let at = line.find(amount)?;
    let (before, after) = (line[..at].trim_end(), line[at + amount.len()..].trim_start());
    let separates = |c: char| c.is_whitespace() || c.is_ascii_digit();
    let word_before = before.rsplit(separates).next().and_then(currency_symbol);
    let word_after = after.split(separates).next().and_then(currency_symbol);
    // "now 210": a word in lower case before the amount is not a currency
    word_before
        .filter(|symbol| before.ends_with(symbol) && !symbol.chars().all(char::is_lowercase))
        .or(word_after.filter(|symbol| after.starts_with(symbol)))
}

#[cfg(test)]
mod tests {
    use super::{currency_symbol, symbol_next_to};

    #[test]
    fn a_currency_is_a_symbol_or_a_short_word() {
        assert_eq!(currency_symbol("\u{20ac} 10,65 mtl."), Some("\u{20ac}"));
        assert_eq!(currency_symbol("US$ 12"), Some("US$"));
        assert_eq!(currency_symbol("1 200 kr"), Some("kr"));
        assert_eq!(currency_symbol("1200"), None);
        assert_eq!(symbol_next_to("z.B. \u{20ac} 10,65 mtl.", "10,65"), Some("\u{20ac}"));
        assert_eq!(symbol_next_to("now 210 kr each", "210"), Some("kr"));
        assert_eq!(symbol_next_to("210", "210"), None);
    }
}
