//! Typed values as columns: the price of a record is `price` as the page shows it, and `price_amount`, `price_currency` beside it.
//!
//! In: a normalised value. Out: its parts, by the names they have in JSON's `values`; a value without parts is one part,
//! `value`. A text that says nothing more than the cell has none.

use crate::cell::Cell;
use copal_values::Value;

/// The parts of a value, those that are there.
pub(crate) fn of(value: &Value) -> Vec<(String, Cell)> {
    let number = Cell::decimal;
    let limit = |max: &Option<String>| max.as_deref().map_or(Cell::Null, Cell::decimal);
    let word = |text: Option<&str>| text.map_or(Cell::Null, Cell::text);
    let only_true = |is: bool| if is { Cell::Boolean(true) } else { Cell::Null };
    let named: Vec<(&str, Cell)> = match value {
        Value::Money { amount, max, currency, per, from } => vec![
            // a whole price is a price that has no pence today
            ("amount", number(amount).fit(crate::cell::Kind::Real)),
            ("max", limit(max).fit(crate::cell::Kind::Real)),
            ("currency", word(*currency)),
            ("per", word(*per)),
            ("from", only_true(*from)),
        ],
        Value::Number { value, max, unit } => {
            vec![("value", number(value)), ("max", limit(max)), ("unit", word(*unit))]
        }
        Value::Area { value, max, unit } | Value::Distance { value, max, unit } => {
            vec![("value", number(value)), ("max", limit(max)), ("unit", word(Some(unit)))]
        }
        Value::Percent(value) => vec![("percent", number(value))],
        Value::Relative { amount, unit } => {
            vec![("relative", Cell::Integer(*amount)), ("unit", word(Some(unit)))]
        }
        Value::Postcode { code, country } => vec![("code", Cell::text(code)), ("country", word(*country))],
        Value::Rating { value, of } => vec![("value", number(value)), ("of", number(of))],
        Value::Count { value, at_least, of } => {
            vec![("count", number(value)), ("of", Cell::text(of)), ("at_least", only_true(*at_least))]
        }
        Value::Coordinates { lat, lon } => vec![("lat", number(lat)), ("lon", number(lon))],
        Value::Duration(seconds) => {
            vec![("seconds", i64::try_from(*seconds).map_or(Cell::Null, Cell::Integer))]
        }
        Value::YesNo(yes) => vec![("value", Cell::Boolean(*yes))],
        Value::Language(code) => vec![("value", Cell::text(code))],
        Value::Date(text) | Value::Phone(text) | Value::Email(text) | Value::Isbn(text) => {
            vec![("value", Cell::text(text))]
        }
        Value::Parts(parts) => {
            return parts.iter().map(|(name, text)| (name.clone(), Cell::text(text))).collect();
        }
        // addresses and texts are what the cell says
        _ => Vec::new(),
    };
    let there = named.into_iter().filter(|(_, cell)| *cell != Cell::Null);
    there.map(|(name, cell)| (name.to_owned(), cell)).collect()
}

/// True if a value of this type changes while the thing stays the same: its price, its rating, how many are left.
pub(crate) fn changes(value: &Value) -> bool {
    matches!(
        value,
        Value::Money { .. }
            | Value::Number { .. }
            | Value::Percent(_)
            | Value::Relative { .. }
            | Value::Rating { .. }
            | Value::Count { .. }
            | Value::Area { .. }
            | Value::Distance { .. }
            | Value::Duration(_)
            | Value::YesNo(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_the_names_of_json() {
        let money =
            Value::Money { amount: "995".into(), max: None, currency: Some("GBP"), per: None, from: false };
        let parts = of(&money);
        assert_eq!(parts, [("amount".into(), Cell::Real(995.0)), ("currency".into(), Cell::text("GBP"))]);
        assert_eq!(of(&Value::YesNo(false)), [("value".into(), Cell::Boolean(false))]);
        assert_eq!(of(&Value::Text("a".into())), []);
    }
}
