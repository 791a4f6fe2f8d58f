//! Fields that follow from others.
//!
//! In: the fields of a page that a domain's attributes have. Out: further ones: the currency is the sign at the price. O(lines).

use super::Placed;
use super::sheet::Sheet;
use copal_domain::Domain;
use copal_model::Field;

/// Longest line that is looked at for the price's sign.
const SHORT: usize = 120;

/// Adds what is missing.
pub(super) fn add(fields: &mut Vec<Placed>, sheet: &Sheet<'_>, domain: &Domain) {
    if domain.attribute("currency").is_some() {
        add_currency(fields, sheet);
    }
}

fn position(fields: &[Placed], name: &str) -> Option<usize> {
    fields.iter().position(|(field, _)| field.name == name)
}

/// The currency is the sign of the price, or of a line that is the price, if nothing else says it.
fn add_currency(fields: &mut Vec<Placed>, sheet: &Sheet<'_>) {
    let price = position(fields, "price").or_else(|| position(fields, "old_price"));
    let (None, Some(price)) = (position(fields, "currency"), price) else { return };
    let (field, node) = &fields[price];
    let Some(text) = field.texts.first() else { return };
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let lines = || sheet.lines.iter().map(|line| line.text.as_str()).filter(|line| line.len() <= SHORT);
    let found = sign(text).or_else(|| lines().find_map(|line| sign_beside(line, text)));
    if let Some(found) = found.filter(|_| !digits.is_empty()) {
        let field = Field {
            name: "currency".to_owned(),
            texts: vec![found.to_owned()],
            value: None,
            ..field.clone()
        };
        let placed = (field, *node);
        fields.push(placed);
    }
}

/// The sign of an amount: one with a currency's symbol, else a short word beside the figures.
fn sign(text: &str) -> Option<&str> {
    let is_symbol = |c: char| c == '$' || !c.is_ascii() && !c.is_alphanumeric() && !c.is_whitespace();
    let parts = || {
        text.split(|c: char| !(c.is_alphabetic() || is_symbol(c)))
            .filter(|part| (1..=4).contains(&part.chars().count()))
    };
    parts().find(|part| part.chars().any(is_symbol)).or_else(|| parts().next())
}

/// The sign right before or behind an amount in a line.
fn sign_beside<'l>(line: &'l str, amount: &str) -> Option<&'l str> {
    let at = line.find(amount)?;
    let (before, behind) = (line[..at].trim_end(), line[at + amount.len()..].trim_start());
    let part = |c: char| c.is_whitespace() || c.is_ascii_digit();
    let before = before.rsplit(part).next().and_then(sign).filter(|sign| before.ends_with(sign));
    let behind = behind.split(part).next().and_then(sign).filter(|sign| behind.starts_with(sign));
    // "now 210": a word before an amount is its sign only if it is a code
    before.filter(|sign| !sign.chars().all(char::is_lowercase)).or(behind)
}

#[cfg(test)]
mod tests {
    use super::{sign, sign_beside};

    #[test]
    fn a_sign_is_a_symbol_or_a_short_word() {
        assert_eq!(sign("\u{20ac} 10,65 mtl."), Some("\u{20ac}"));
        assert_eq!(sign("US$ 12"), Some("US$"));
        assert_eq!(sign("1 200 kr"), Some("kr"));
        assert_eq!(sign("1200"), None);
        assert_eq!(sign_beside("z.B. \u{20ac} 10,65 mtl.", "10,65"), Some("\u{20ac}"));
        assert_eq!(sign_beside("now 210 kr each", "210"), Some("kr"));
        assert_eq!(sign_beside("210", "210"), None);
    }
}
