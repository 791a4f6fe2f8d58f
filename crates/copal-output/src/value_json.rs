//! Normalised values as JSON: objects with named components. Decimal numbers are texts, so that no digit is
//! lost.

use copal_values::Value;
use serde_json::{Map, Value as Json, json};

/// The JSON of a value; absent components are omitted.
pub(crate) fn value_json(value: &Value) -> Json {
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
    }
}

fn object(components: &[(&str, Json)]) -> Json {
    let present = components.iter().filter(|(_, json)| !json.is_null());
    Json::Object(present.map(|(name, json)| ((*name).to_owned(), json.clone())).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_components_are_omitted() {
        let money = Value::Money {
            amount: "995".into(),
            max: None,
            currency: Some("GBP"),
            per: Some("month"),
            from: false,
        };
        assert_eq!(value_json(&money), json!({"amount": "995", "currency": "GBP", "per": "month"}));
        assert_eq!(value_json(&Value::YesNo(false)), json!(false));
        assert_eq!(value_json(&Value::Date("2017-01".into())), json!("2017-01"));
    }
}
