//! Normalised values as JSON: objects with named parts, decimal numbers as texts so that nothing is lost.

use copal_values::Value;
use serde_json::{Map, Value as Json, json};

/// The JSON of a value; parts that are not there are left out.
pub(crate) fn to_json(value: &Value) -> Json {
    match value {
        Value::Money { amount, max, currency, per, from } => object(&[
            ("amount", json!(amount)),
            ("max", json!(max)),
            ("currency", json!(currency)),
            ("per", json!(per)),
            ("from", if *from { json!(true) } else { Json::Null }),
        ]),
        Value::Number { value, max, unit } => {
            object(&[("value", json!(value)), ("max", json!(max)), ("unit", json!(unit))])
        }
        Value::Area { value, max, unit } | Value::Distance { value, max, unit } => {
            object(&[("value", json!(value)), ("max", json!(max)), ("unit", json!(unit))])
        }
        Value::Percent(value) => object(&[("percent", json!(value))]),
        Value::Date(iso) => json!(iso),
        Value::Relative { amount, unit } => object(&[("relative", json!(amount)), ("unit", json!(unit))]),
        Value::Postcode { code, country } => object(&[("code", json!(code)), ("country", json!(country))]),
        Value::Rating { value, of } => object(&[("value", json!(value)), ("of", json!(of))]),
        Value::Count { value, at_least, of } => object(&[
            ("count", json!(value)),
            ("of", json!(of)),
            ("at_least", if *at_least { json!(true) } else { Json::Null }),
        ]),
        Value::Coordinates { lat, lon } => object(&[("lat", json!(lat)), ("lon", json!(lon))]),
        Value::Parts(parts) => {
            Json::Object(parts.iter().map(|(name, text)| (name.clone(), json!(text))).collect::<Map<_, _>>())
        }
        Value::Duration(seconds) => object(&[("seconds", json!(seconds))]),
        Value::YesNo(yes) => json!(yes),
        Value::Language(code) => json!(code),
        Value::Phone(text)
        | Value::Email(text)
        | Value::Url(text)
        | Value::Isbn(text)
        | Value::Text(text) => json!(text),
        other => json!(format!("{other:?}")),
    }
}

fn object(parts: &[(&str, Json)]) -> Json {
    let some = parts.iter().filter(|(_, part)| !part.is_null());
    Json::Object(some.map(|(name, part)| ((*name).to_owned(), part.clone())).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_parts_are_left_out() {
        let money = Value::Money {
            amount: "995".into(),
            max: None,
            currency: Some("GBP"),
            per: Some("month"),
            from: false,
        };
        assert_eq!(to_json(&money), json!({"amount": "995", "currency": "GBP", "per": "month"}));
        assert_eq!(to_json(&Value::YesNo(false)), json!(false));
        assert_eq!(to_json(&Value::Date("2017-01".into())), json!("2017-01"));
    }
}
