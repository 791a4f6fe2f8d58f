//! Components of typed values: what becomes `price_amount` and `price_currency` next to the text `price`.
//!
//! In: a normalised value. Out: its components, with the names they have in `values` of the JSON output. A
//! value without named components has one, `value`. Values that say no more than the text of the cell have
//! none.

use crate::rows::row_value::{ColumnType, RowValue};
use copal_values::Value;

/// The components that a value has.
pub(crate) fn components(value: &Value) -> Vec<(String, RowValue)> {
    let number = RowValue::decimal;
    let maximum = |max: &Option<String>| max.as_deref().map_or(RowValue::Null, RowValue::decimal);
    let word = |text: Option<&str>| text.map_or(RowValue::Null, RowValue::text);
    let true_or_null = |is: bool| if is { RowValue::Boolean(true) } else { RowValue::Null };
    let named: Vec<(&str, RowValue)> = match value {
        Value::Money { amount, max, currency, per, from } => vec![
            // Always real: a price without cents today has them tomorrow, and the column would have to be
            // widened.
            ("amount", number(amount).fit(ColumnType::Real)),
            ("max", maximum(max).fit(ColumnType::Real)),
            ("currency", word(*currency)),
            ("per", word(*per)),
            ("from", true_or_null(*from)),
        ],
        Value::Number { value, max, unit } => {
            vec![("value", number(value)), ("max", maximum(max)), ("unit", word(*unit))]
        }
        Value::Area { value, max, unit } | Value::Distance { value, max, unit } => {
            vec![("value", number(value)), ("max", maximum(max)), ("unit", word(Some(unit)))]
        }
        Value::Percent(value) => vec![("percent", number(value))],
        Value::Relative { amount, unit } => {
            vec![("relative", RowValue::Integer(*amount)), ("unit", word(Some(unit)))]
        }
        Value::Postcode { code, country } => {
            vec![("code", RowValue::text(code)), ("country", word(*country))]
        }
        Value::Rating { value, of } => vec![("value", number(value)), ("of", number(of))],
        Value::Count { value, at_least, of } => {
            vec![("count", number(value)), ("of", RowValue::text(of)), ("at_least", true_or_null(*at_least))]
        }
        Value::Coordinates { lat, lon } => vec![("lat", number(lat)), ("lon", number(lon))],
        Value::Duration(seconds) => {
            vec![("seconds", i64::try_from(*seconds).map_or(RowValue::Null, RowValue::Integer))]
        }
        Value::YesNo(yes) => vec![("value", RowValue::Boolean(*yes))],
        Value::Language(code) => vec![("value", RowValue::text(code))],
        Value::Date(text) | Value::Phone(text) | Value::Email(text) | Value::Isbn(text) => {
            vec![("value", RowValue::text(text))]
        }
        Value::Parts(parts) => {
            return parts.iter().map(|(name, text)| (name.clone(), RowValue::text(text))).collect();
        }
        // they repeat the text of the cell
        Value::Url(_) | Value::Text(_) => Vec::new(),
    };
    let present = named.into_iter().filter(|(_, value)| *value != RowValue::Null);
    present.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Names of components whose columns files have next to the text: all but the parts of addresses and names.
const COMPONENT_NAMES: &[&str] = &[
    "amount", "max", "currency", "per", "from", "value", "unit", "percent", "relative", "code", "country",
    "of", "count", "at_least", "lat", "lon", "seconds",
];

/// True if a column of a file has the name of a component, such as `price_amount`, of another of its columns. It
/// then says nothing that the text of that column does not say.
pub fn is_component_column(name: &str, has_column: impl FnMut(&str) -> bool) -> bool {
    COMPONENT_NAMES
        .iter()
        .filter_map(|component| name.strip_suffix(component)?.strip_suffix('_'))
        .any(has_column)
}

/// True for values that change while the thing they describe stays the same: prices, ratings, stock counts.
pub(crate) fn is_volatile(value: &Value) -> bool {
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
    fn components_have_the_names_of_the_json_output() {
        let money =
            Value::Money { amount: "995".into(), max: None, currency: Some("GBP"), per: None, from: false };
        assert_eq!(
            components(&money),
            [("amount".into(), RowValue::Real(995.0)), ("currency".into(), RowValue::text("GBP"))]
        );
        assert_eq!(components(&Value::YesNo(false)), [("value".into(), RowValue::Boolean(false))]);
        assert_eq!(components(&Value::Text("a".into())), []);
    }
}
