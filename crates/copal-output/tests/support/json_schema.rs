//! A validator for the part of JSON Schema (draft 2020-12) that the answer schema uses.
//!
//! A complete validator would add about fifty crates to the build. Unknown keywords are refused, so that the
//! schema cannot rely on something that is not checked.

use serde_json::Value;

const ANNOTATIONS: [&str; 5] = ["$schema", "$id", "$defs", "title", "description"];

/// What is wrong with a value, each with the path to it.
pub(crate) fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let mut open = vec![(schema, value, String::from("$"))];
    while let Some((rules, value, path)) = open.pop() {
        for (keyword, rule) in rules.as_object().expect("a schema is an object") {
            let is_valid = match keyword.as_str() {
                "$ref" => {
                    let pointer =
                        rule.as_str().and_then(|text| text.strip_prefix('#')).expect("a local $ref");
                    open.push((schema.pointer(pointer).expect("an existing $ref"), value, path.clone()));
                    true
                }
                "type" => types(rule).any(|name| has_type(value, name)),
                "const" => value == rule,
                "enum" => rule.as_array().expect("an array").contains(value),
                "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().expect("a number")),
                "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().expect("a number")),
                "minItems" => {
                    value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().expect("a count"))
                }
                "maxItems" => {
                    value.as_array().is_none_or(|items| items.len() as u64 <= rule.as_u64().expect("a count"))
                }
                "required" => {
                    let names = rule.as_array().expect("an array").iter().filter_map(Value::as_str);
                    value.as_object().is_none_or(|object| names.clone().all(|name| object.contains_key(name)))
                }
                "items" => {
                    let items = value.as_array().into_iter().flatten().enumerate();
                    open.extend(items.map(|(at, item)| (rule, item, format!("{path}[{at}]"))));
                    true
                }
                "properties" => {
                    let properties = rule.as_object().expect("an object").iter();
                    open.extend(
                        properties.filter_map(|(name, rule)| {
                            Some((rule, value.get(name)?, format!("{path}.{name}")))
                        }),
                    );
                    true
                }
                "additionalProperties" => {
                    let others = value.as_object().into_iter().flatten();
                    let others = others.filter(|(name, _)| {
                        rules.pointer("/properties").is_none_or(|p| p.get(name).is_none())
                    });
                    open.extend(others.map(|(name, value)| (rule, value, format!("{path}.{name}"))));
                    true
                }
                annotation => {
                    assert!(ANNOTATIONS.contains(&annotation), "the validator does not know {annotation}");
                    true
                }
            };
            if !is_valid {
                let shown: String = value.to_string().chars().take(100).collect();
                faults.push(format!("{path}: {keyword} {rule}: {shown}"));
            }
        }
    }
    faults
}

/// The names in `type`, which is one name or an array of them.
pub(crate) fn types(rule: &Value) -> impl Iterator<Item = &str> {
    rule.as_str().into_iter().chain(rule.as_array().into_iter().flatten().filter_map(Value::as_str))
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("unknown type {other}"),
    }
}
