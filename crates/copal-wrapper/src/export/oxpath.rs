//! An OXPath expression: `doc("…")//region/descendant::record:<record>[? path:<name=value>]…`
//!
//! After the language's own grammar (OXPathGrammar.jjt of its reference implementation): XPath 1.0 with markers and optional
//! predicates. Strings have no escapes, names are ASCII, and no operator stands behind a bare number. There is no second way to
//! anything: the first locator that can be said is the one.

use super::paths::{self, Start, quoted};
use super::plan::{Column, List, Paths, lists};
use super::{Exported, ordinal, values};
use crate::file::{Cut, From, Wrapper};

pub(super) fn export(wrapper: &Wrapper, url: Option<&str>) -> Result<Exported, String> {
    let mut warnings = Vec::new();
    let lists = lists(wrapper, Paths::Xpath, &mut warnings)?;
    if lists.len() > 1 {
        warnings.push("only the first list is written: an OXPath expression reads one".into());
    }
    let list = lists.first().ok_or("the wrapper has no list")?;
    let known = url.or(wrapper.url.as_deref()).filter(|url| !url.contains('*'));
    let address = known.unwrap_or_else(|| {
        warnings.push("no address is known: put that of a page into doc(\"\"), or give --url".into());
        ""
    });
    // no address needs them, and strings have no escapes
    let address = address.replace('"', "%22").replace('\'', "%27");
    let mut text = format!("doc(\"{address}\"){}:<record>", records(list)?);
    let mut names = Vec::new();
    for column in &list.columns {
        if let Some(value) = value(list, column, &mut warnings) {
            let name = name_of(column, &names, &mut warnings);
            text.push_str(&format!("\n  [? {}:<{name}={}>]", value.0, value.1));
            names.push(name);
        }
    }
    text.push('\n');
    Ok(Exported { text, warnings })
}

/// The path from the document to the records.
fn records(list: &List<'_>) -> Result<String, String> {
    let record = list.record.as_ref();
    for way in &list.ways {
        let paths = paths::alternatives(&way.css.1, Start::Below)?;
        let [path] = &paths[..] else { continue };
        let mut text = format!("{}/{path}[{}]", way.region, values::shown());
        if let Some(needs) = &record.needs {
            text.push_str(&format!("[{}]", values::inside(needs)?));
        }
        // a record inside of another is none; those that are counted from the region are not in one another
        if path.starts_with("descendant::") && !way.css.1.contains(":scope") {
            let (head, region) = (values::head(&way.css.1, record)?, paths::test(&way.css.0)?);
            text.push_str(&format!("[not(ancestor::*[{head}][ancestor::*[{region}]])]"));
        }
        return Ok(text);
    }
    Err("no locator of the records is one path".into())
}

/// The path of a column's values and what is read there.
fn value(list: &List<'_>, column: &Column<'_>, warnings: &mut Vec<String>) -> Option<(String, String)> {
    let rule = column.rule;
    let mut why_not = String::new();
    for (number, place) in column.places.iter().enumerate() {
        let path = values::whole(list, place.locator, rule.from, rule.many);
        let read = match rule.from {
            From::Text => "normalize-space(.)",
            From::Href => "string(@href)",
            From::Src => "string(@src)",
        };
        match (path, part(read, rule.cut.as_ref())) {
            (Ok(path), Ok(value)) => {
                if number > 0 {
                    warnings.push(format!(
                        "column {:?}: its {} locator is written: {why_not}",
                        rule.name,
                        ordinal(number + 1)
                    ));
                }
                if rule.from != From::Text {
                    let lazy = if rule.from == From::Src { ", and data-src is not read" } else { "" };
                    warnings
                        .push(format!("column {:?}: addresses stay as the page has them{lazy}", rule.name));
                }
                let there = if rule.cut.is_some() { format!("[{value}!='']") } else { String::new() };
                return Some((format!("{path}{there}"), value));
            }
            (Err(why), _) | (_, Err(why)) => why_not = why,
        }
    }
    warnings.push(format!("column {:?} is left out: {why_not}", rule.name));
    None
}

/// The part of a text that is the value.
fn part(text: &str, cut: Option<&Cut>) -> Result<String, String> {
    let Some(cut) = cut else { return Ok(text.to_owned()) };
    let mut text = text.to_owned();
    // with the end put behind it, a text without the end is whole
    let before = |text: &str, end: &str| format!("substring-before(concat({text}, {end}), {end})");
    if let Some(after) = cut.after.as_deref().filter(|after| !after.is_empty()) {
        text = format!("substring-after({text}, {})", quoted(after));
    }
    if let Some(end) = &cut.before {
        text = before(&text, &quoted(end));
    }
    if let (Some(split), Some(piece)) = (&cut.split, cut.piece) {
        if piece > values::MOST_STEPS {
            return Err(format!("piece {piece} of a text: expected at most {}", values::MOST_STEPS));
        }
        for _ in 1..piece {
            text = format!("substring-after({text}, {})", quoted(split));
        }
        text = before(&text, &quoted(split));
    }
    Ok(format!("normalize-space({text})"))
}

/// The column's name as OXPath reads one, and not that of another column.
fn name_of(column: &Column<'_>, taken: &[String], warnings: &mut Vec<String>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let mut name: String =
        column.rule.name.chars().map(|c| if plain(c) { c } else { '_' }).take(LONGEST).collect();
    // words that the lexer takes for more than a name where "=" follows, and records' own name
    let reserved = ["wait", "until", "record"].contains(&name.as_str());
    if reserved || !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name = format!("column_{name}");
    }
    let stem = name.clone();
    let mut number = 2;
    while taken.contains(&name) {
        name = format!("{stem}_{number}");
        number += 1;
    }
    if name != column.rule.name {
        warnings.push(format!("column {:?} is called {name}: names of OXPath are ASCII", column.rule.name));
    }
    name
}

/// Longest name.
const LONGEST: usize = 60;
