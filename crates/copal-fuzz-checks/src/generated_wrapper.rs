//! Wrapper files from bytes: each byte chooses a key, a selector, a number or a text. Most files that come out are valid,
//! so that what applies, checks and exports wrappers is reached. O(bytes).

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};

const SELECTORS: [&str; 24] = [
    "main",
    "ul.list",
    "li",
    ".item",
    ":scope",
    ":scope > h3 > a",
    "a",
    "h3 a",
    "i.price",
    "img",
    "dl",
    "dt + dd",
    "dd",
    "table",
    "tr",
    "td:nth-child(2)",
    "li:not(.c1)",
    "li:has(a)",
    "*",
    "#m",
    "li ~ li",
    "[href^='/']",
    "li:first-child",
    "p, li, tr",
];
const TYPES: [&str; 8] = ["money", "date", "number", "text", "url", "integer", "phone", "no such type"];
const WORDS: [&str; 12] =
    ["title", "price", "url", "Maker:", "Size", ": ", ",", "\u{202e}", "a\"b'c\\", "}}", "日本", "x\ny"];

/// The text of a wrapper file that the bytes choose.
pub(crate) fn generated_wrapper(bytes: &[u8]) -> String {
    file(&mut Unstructured::new(bytes)).unwrap_or_default().to_string()
}

fn file(choices: &mut Unstructured<'_>) -> Result<Value> {
    let mut file = Map::new();
    file.insert("copal".to_owned(), json!(if choices.ratio(1, 30)? { 2 } else { 1 }));
    if choices.arbitrary()? {
        file.insert("url".to_owned(), json!(format!("https://a.example/{}*", word(choices)?)));
    }
    if choices.ratio(1, 3)? {
        let step = json!({"fill": selector(choices)?, "with": word(choices)?});
        let send = json!({(*choices.choose(&["click", "submit"])?): selector(choices)?});
        let url = format!("https://a.example/{}", word(choices)?);
        let mut navigation =
            json!({"next": selectors(choices)?, "steps": [step], "counter": selectors(choices)?});
        if choices.arbitrary()? {
            let steps = json!([step, send]);
            navigation["routes"] = json!([{"from": "https://a.example/", "to": url, "steps": steps}]);
            navigation["searches"] =
                json!([{"page": "https://a.example/", "url": url, "form": word(choices)?}]);
        }
        file.insert("navigation".to_owned(), navigation);
    }
    let mut rules = Vec::new();
    for _ in 0..choices.int_in_range(1..=3)? {
        rules.push(page_rule(choices)?);
    }
    file.insert("pages".to_owned(), json!(rules));
    Ok(Value::Object(file))
}

fn page_rule(choices: &mut Unstructured<'_>) -> Result<Value> {
    let kind = *choices.choose(&["list", "list", "list", "detail", "section"])?;
    let mut rule = Map::new();
    rule.insert("kind".to_owned(), json!(kind));
    rule.insert("region".to_owned(), json!(selectors(choices)?));
    if kind == "list" {
        let mut record = Map::new();
        record.insert("find".to_owned(), json!(selectors(choices)?));
        if choices.ratio(1, 3)? {
            record.insert("needs".to_owned(), json!(selector(choices)?));
        }
        if choices.arbitrary()? {
            record.insert("elements".to_owned(), json!(choices.int_in_range(0..=3)?));
        }
        rule.insert("record".to_owned(), Value::Object(record));
    }
    if kind != "section" {
        let mut columns = Vec::new();
        for number in 0..choices.int_in_range(1..=5)? {
            columns.push(column_rule(choices, number)?);
        }
        rule.insert("columns".to_owned(), json!(columns));
        if choices.arbitrary()? {
            let count = choices.int_in_range(0..=20)?;
            let coverage = f64::from(choices.int_in_range(0..=200u8)?) / 100.0;
            rule.insert(
                "profile".to_owned(),
                json!({"samples": count, "records": [count, count + 5], "coverage": coverage, "look": "0000000a"}),
            );
        }
    }
    Ok(Value::Object(rule))
}

fn column_rule(choices: &mut Unstructured<'_>, number: u32) -> Result<Value> {
    let mut column = Map::new();
    column.insert("name".to_owned(), json!(format!("{}{number}", word(choices)?)));
    let mut locators = Vec::new();
    for _ in 0..choices.int_in_range(1..=3)? {
        locators.push(match choices.int_in_range(0..=3)? {
            0 => json!({"label": word(choices)?}),
            1 => json!({"type": choices.choose(&TYPES)?}),
            2 => json!({"css": selector(choices)?, "nth": choices.int_in_range(1..=3)?, "text": 1}),
            _ => json!(selector(choices)?),
        });
    }
    column.insert("find".to_owned(), json!(locators));
    match choices.int_in_range(0..=5)? {
        0 => {
            drop(column.insert(
                "cut".to_owned(),
                json!({"after": word(choices)?, "split": word(choices)?, "piece": 2}),
            ));
        }
        1 => drop(column.insert("many".to_owned(), json!(true))),
        2 => drop(column.insert("lines".to_owned(), json!(true))),
        3 => drop(column.insert("from".to_owned(), json!(choices.choose(&["href", "src", "text"])?))),
        4 => drop(column.insert("type".to_owned(), json!(choices.choose(&TYPES)?))),
        _ => {}
    }
    if choices.arbitrary()? {
        column.insert("presence".to_owned(), json!(f64::from(choices.int_in_range(0..=100u8)?) / 100.0));
    }
    Ok(Value::Object(column))
}

fn selectors(choices: &mut Unstructured<'_>) -> Result<Vec<String>> {
    (0..choices.int_in_range(1..=2)?).map(|_| selector(choices)).collect()
}

/// One selector, or two that are combined.
fn selector(choices: &mut Unstructured<'_>) -> Result<String> {
    let first = *choices.choose(&SELECTORS)?;
    if choices.ratio(1, 4)? {
        let combinator = choices.choose(&[" ", " > ", " + ", " ~ "])?;
        return Ok(format!("{first}{combinator}{}", choices.choose(&SELECTORS)?));
    }
    Ok(first.to_owned())
}

fn word(choices: &mut Unstructured<'_>) -> Result<String> {
    if choices.ratio(1, 8)? {
        let length = choices.int_in_range(0..=12usize)?.min(choices.len());
        return Ok(String::from_utf8_lossy(choices.bytes(length)?).into_owned());
    }
    Ok((*choices.choose(&WORDS)?).to_owned())
}
