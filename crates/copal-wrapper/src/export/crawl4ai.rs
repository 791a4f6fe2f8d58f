//! A schema of crawl4ai's `JsonCssExtractionStrategy`.
//!
//! `{"name", "baseSelector", "fields": [{"name", "selector", "type", …}]}`. There is one selector for the records and one for each
//! field, no numbers of what is found, no labels, no second way: the first locator that can be said is the one.

use super::literal::{Data, Language};
use super::plan::{Column, Paths, Place, Way, lists};
use super::{Exported, ordinal};
use crate::css::Css;
use crate::file::{Cut, From, Locator, RecordRule, Wrapper};
use cssparser::ToCss;
use selectors::parser::Component;

/// Behind a selector: only what is shown, as far as attributes say.
const SHOWN: &str = ":not([hidden], [hidden] *, [style*=\"display:none\"], [style*=\"display:none\"] *, \
     [style*=\"display: none\"], [style*=\"display: none\"] *)";
/// Behind a selector: what has an address.
const LINKED: &str = "[href]:not([href=\"\"], [href=\"#\"], [href^=\"javascript:\"])";
const PICTURED: &str = "[src]:not([src=\"\"], [src^=\"data:\"])";
/// Most pieces that are counted.
const MOST_PIECES: usize = 100;

pub(super) fn export(wrapper: &Wrapper) -> Result<Exported, String> {
    let mut warnings = Vec::new();
    let lists = lists(wrapper, Paths::Css, &mut warnings)?;
    let list = lists.first().ok_or("the wrapper has no list")?;
    if lists.len() > 1 {
        warnings.push("only the first list is written: a schema has one".into());
    }
    let record = list.record.as_ref();
    let base = list.ways.iter().find_map(|way| base(way, record).ok());
    let base = base.ok_or("no locator of the records is a selector of crawl4ai")?;
    warnings.push("crawl4ai joins the texts of elements inside of one another without a space".into());
    warnings.push("crawl4ai takes the first element of a selector, also if it shows no text".into());
    let fields: Vec<Data> = list.columns.iter().filter_map(|column| field(column, &mut warnings)).collect();
    if fields.is_empty() {
        return Err("no column can be said in a schema of crawl4ai".into());
    }
    let schema = vec![
        ("name".to_owned(), "records".into()),
        ("baseSelector".to_owned(), Data::Text(base)),
        ("fields".to_owned(), Data::List(fields)),
    ];
    Ok(Exported { text: Data::Map(schema).write(Language::Json, 0) + "\n", warnings })
}

/// The selector of all records.
fn base(way: &Way, record: &RecordRule) -> Result<String, String> {
    let region = grouped(&way.region)?;
    let mut tail = String::from(SHOWN);
    if let Some(needs) = &record.needs {
        tail.push_str(&format!(":has({})", grouped(needs)?));
    }
    let mut out = Vec::new();
    for selector in selectors_of(&way.record)? {
        out.push(match selector.strip_prefix(":scope") {
            Some(rest) if !rest.is_empty() && !rest.contains(":scope") => format!("{region}{rest}{tail}"),
            None if !selector.contains(":scope") => {
                let own = grouped(&selector)?;
                // one inside of another is none
                format!("{region} {own}{tail}:not({region} {own} *)")
            }
            _ => return Err(":scope stands inside".into()),
        });
    }
    Ok(out.join(", "))
}

/// The selectors of a list, one by one.
fn selectors_of(css: &str) -> Result<Vec<String>, String> {
    Ok(Css::parse(css)?.list.slice().iter().map(ToCss::to_css_string).collect())
}

/// A selector as a part of another: in brackets if it is more than one element's.
fn grouped(css: &str) -> Result<String, String> {
    let parsed = Css::parse(css)?;
    let one = parsed.list.slice();
    let combined =
        |part: &Component<_>| matches!(part, Component::Combinator(_) | Component::PseudoElement(_));
    let simple = one.len() == 1 && !one[0].iter_raw_match_order().any(combined);
    Ok(if simple { css.trim().to_owned() } else { format!(":is({css})") })
}

fn field(column: &Column<'_>, warnings: &mut Vec<String>) -> Option<Data> {
    let rule = column.rule;
    let name = &rule.name;
    let mut why_not = String::new();
    let mut places: Vec<(usize, &Place<'_>)> = column.places.iter().enumerate().collect();
    // an element that shows no text is taken, too: of the links to one address the first is often a picture's
    let by_address =
        |place: &Place<'_>| place.locator.css.as_deref().is_some_and(|css| css.contains("[href"));
    if rule.from == From::Text && places.iter().any(|(_, place)| !by_address(place)) {
        places.sort_by_key(|(_, place)| by_address(place));
        "its first is a link by its address, which may be a picture's".clone_into(&mut why_not);
    }
    for (number, place) in places {
        let pattern = rule.cut.as_ref().map(pattern).transpose();
        match (selector(place.locator, rule.from), pattern) {
            (Ok(selector), Ok(pattern)) => {
                if number > 0 {
                    let which = ordinal(number + 1);
                    warnings.push(format!("column {name:?}: its {which} locator is written: {why_not}"));
                }
                if rule.from != From::Text {
                    let lazy = if rule.from == From::Src { ", and data-src is not read" } else { "" };
                    warnings.push(format!("column {name:?}: addresses stay as the page has them{lazy}"));
                }
                let mut map = vec![("name".to_owned(), name.as_str().into())];
                map.extend(selector.map(|selector| ("selector".to_owned(), Data::Text(selector))));
                let reading = reading(rule.from, pattern);
                if rule.many {
                    warnings.push(format!("column {name:?}: its values are objects with one field, value"));
                    let mut inner = vec![("name".to_owned(), "value".into())];
                    inner.extend(reading);
                    map.push(("type".into(), "list".into()));
                    map.push(("fields".into(), Data::List(vec![Data::Map(inner)])));
                } else {
                    map.extend(reading);
                }
                return Some(Data::Map(map));
            }
            (Err(why), _) | (_, Err(why)) => why_not = why,
        }
    }
    warnings.push(format!("column {name:?} is left out: {why_not}"));
    None
}

/// What is read of an element, and how it is cut.
fn reading(from: From, pattern: Option<String>) -> Vec<(String, Data)> {
    let what = if from == From::Text { "text" } else { "attribute" };
    let mut map = match pattern {
        Some(pattern) => vec![
            ("type".to_owned(), Data::List(vec![what.into(), "regex".into()])),
            ("pattern".to_owned(), Data::Text(pattern)),
        ],
        None => vec![("type".to_owned(), what.into())],
    };
    if from != From::Text {
        map.push(("attribute".into(), from.name().into()));
        map.push(("transform".into(), "strip".into()));
    }
    map
}

/// The selector of a locator; none for the record itself.
fn selector(locator: &Locator, from: From) -> Result<Option<String>, String> {
    let css = locator.css.as_deref().ok_or("a selector of crawl4ai knows no labels")?;
    if locator.nth.is_some_and(|nth| nth > 1) {
        return Err("a selector of crawl4ai finds the first only".into());
    }
    if locator.text.is_some() {
        return Err("a selector of crawl4ai reads no single text of an element".into());
    }
    if locator.element.is_some_and(|element| element > 1) {
        return Err("a record of crawl4ai is one element".into());
    }
    let selectors = selectors_of(css)?;
    if selectors == [":scope"] {
        return Ok(None);
    }
    if selectors.iter().any(|selector| selector == ":scope") {
        return Err("a selector of crawl4ai finds the record itself or what is inside".into());
    }
    let tail = match from {
        From::Text => "",
        From::Href => LINKED,
        From::Src => PICTURED,
    };
    let all: Vec<String> = selectors.iter().map(|selector| format!("{selector}{tail}{SHOWN}")).collect();
    Ok(Some(all.join(", ")))
}

/// A regular expression of Python whose first group is the part of a text.
fn pattern(cut: &Cut) -> Result<String, String> {
    let mut out = String::from("(?s)^");
    if let Some(after) = cut.after.as_deref().filter(|after| !after.is_empty()) {
        out.push_str(&format!(".*?{}", escaped(after)));
    }
    let mut stops = Vec::new();
    if let Some(before) = &cut.before {
        stops.push(escaped(before));
    }
    if let (Some(split), Some(piece)) = (&cut.split, cut.piece) {
        if piece > MOST_PIECES {
            return Err(format!("piece {piece} of a text: expected at most {MOST_PIECES}"));
        }
        let split = escaped(split);
        if piece > 1 {
            let not = stops.iter().map(|stop| format!("(?!{stop})")).collect::<String>();
            out.push_str(&format!("(?:(?:(?!{split}){not}.)*{split}){{{}}}", piece - 1));
        }
        stops.push(split);
    }
    let not = stops.iter().map(|stop| format!("(?!{stop})")).collect::<String>();
    out.push_str(&format!("\\s*((?:{not}.)*?)\\s*"));
    if stops.is_empty() {
        out.push('$');
    } else {
        out.push_str(&format!("(?:{}|$)", stops.join("|")));
    }
    Ok(out)
}

/// A text as a pattern that finds it, whatever spaces crawl4ai left of it.
fn escaped(text: &str) -> String {
    if text.chars().all(char::is_whitespace) {
        return "\\s+".into();
    }
    let mut out = String::new();
    for c in text.chars() {
        match c {
            c if c.is_whitespace() => {
                if !out.ends_with("\\s*") {
                    out.push_str("\\s*");
                }
            }
            c if c.is_ascii_punctuation() => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}
