//! A schema of crawl4ai's `JsonCssExtractionStrategy`.
//!
//! `{"name", "baseSelector", "fields": [{"name", "selector", "type", …}]}`. There is one selector for the
//! records and one per field, without numbers, labels or alternatives, so the first locator that can be
//! expressed is written.

use super::exported::{Exported, ordinal};
use super::literal::{Literal, LiteralLanguage};
use super::plan::{ExportColumn, ExportLocator, PathLanguage, RecordPath, export_lists};
use crate::error::WrapperError;
use crate::format::{Locator, ReadFrom, RecordRule, TextCut, Wrapper};
use crate::locate::css::Css;
use cssparser::ToCss;
use selectors::parser::Component;

/// Appended to the selector of the records: only elements that are not hidden, as far as HTML attributes say.
const SHOWN_ONLY: &str = ":not([hidden], [hidden] *, [style*=\"display:none\"], [style*=\"display:none\"] *, \
     [style*=\"display: none\"], [style*=\"display: none\"] *)";
/// Appended to the selector of a field: the same for the element and its parent. The record is shown already,
/// and crawl4ai's selector library climbs to the root of the page for every element and every ` *`, which
/// made a schema three times as slow as one without.
const SHOWN_IN_RECORD_ONLY: &str = ":not(:is([hidden], [style*=\"display:none\"], [style*=\"display: none\"]), \
     :is([hidden], [style*=\"display:none\"], [style*=\"display: none\"]) > *)";
/// Appended to a selector: only links with a target.
const WITH_LINK: &str = "[href]:not([href=\"\"], [href=\"#\"], [href^=\"javascript:\"])";
/// Appended to a selector: only images with a URL.
const WITH_IMAGE: &str = "[src]:not([src=\"\"], [src^=\"data:\"])";
/// Maximum number of pieces of a text that a pattern counts.
const MAX_PIECES: usize = 100;

pub(super) fn export(wrapper: &Wrapper) -> Result<Exported, WrapperError> {
    let mut warnings = Vec::new();
    let lists = export_lists(wrapper, PathLanguage::Css, &mut warnings)?;
    let list = lists.first().ok_or_else(|| WrapperError::not_expressible("the wrapper has no list"))?;
    if lists.len() > 1 {
        warnings.push("only the first list is written: a schema has one list".into());
    }
    let record = list.record.as_ref();
    let base = list.record_paths.iter().find_map(|path| base_selector(path, record).ok());
    let base = base.ok_or_else(|| {
        WrapperError::not_expressible(
            "no locator of the records can be expressed as one selector for crawl4ai",
        )
    })?;
    warnings.push("crawl4ai joins the texts of nested elements without a space".into());
    warnings.push("crawl4ai uses the first element of a selector even if it shows no text".into());
    let fields: Vec<Literal> =
        list.columns.iter().filter_map(|column| field(column, &mut warnings)).collect();
    if fields.is_empty() {
        return Err(WrapperError::not_expressible("no column can be expressed in a schema for crawl4ai"));
    }
    let schema = vec![
        ("name".to_owned(), "records".into()),
        ("baseSelector".to_owned(), Literal::Text(base)),
        ("fields".to_owned(), Literal::List(fields)),
    ];
    Ok(Exported { text: Literal::Map(schema).write(LiteralLanguage::Json, 0) + "\n", warnings })
}

/// The selector of all records.
fn base_selector(path: &RecordPath, record: &RecordRule) -> Result<String, WrapperError> {
    let region = grouped(&with_implied_body(&path.region))?;
    let mut tail = String::from(SHOWN_ONLY);
    if let Some(needs) = &record.needs {
        tail.push_str(&format!(":has({})", grouped(needs)?));
    }
    let mut out = Vec::new();
    for selector in selectors_of(&path.record)? {
        out.push(match selector.strip_prefix(":scope") {
            Some(rest) if !rest.is_empty() && !rest.contains(":scope") => format!("{region}{rest}{tail}"),
            None if !selector.contains(":scope") => {
                let own = grouped(&selector)?;
                // A match inside a record is not a record.
                format!("{region} {own}{tail}:not({region} {own} *)")
            }
            _ => return Err(WrapperError::not_expressible(":scope is not at the start")),
        });
    }
    Ok(out.join(", "))
}

/// A selector of a `tbody` that also finds a table whose rows have none. Browsers add it, and crawl4ai does
/// not if it reads the HTML as the server sent it.
fn with_implied_body(region: &str) -> String {
    match region.strip_suffix("tbody") {
        Some(before) if before.is_empty() || before.ends_with(' ') => {
            format!("{before}:is(tbody, table:not(:has(tbody, thead)))")
        }
        _ => region.to_owned(),
    }
}

/// The selectors of a list, one by one.
fn selectors_of(css: &str) -> Result<Vec<String>, WrapperError> {
    Ok(Css::parse(css)?.list.slice().iter().map(ToCss::to_css_string).collect())
}

/// A selector for use inside another: with `:is()` around it if it has combinators or commas.
fn grouped(css: &str) -> Result<String, WrapperError> {
    let parsed = Css::parse(css)?;
    let one = parsed.list.slice();
    let combined =
        |part: &Component<_>| matches!(part, Component::Combinator(_) | Component::PseudoElement(_));
    let simple = one.len() == 1 && !one[0].iter_raw_match_order().any(combined);
    Ok(if simple { css.trim().to_owned() } else { format!(":is({css})") })
}

fn field(column: &ExportColumn<'_>, warnings: &mut Vec<String>) -> Option<Literal> {
    let rule = column.rule;
    let name = &rule.name;
    let mut reason = String::new();
    let mut locators: Vec<(usize, &ExportLocator<'_>)> = column.locators.iter().enumerate().collect();
    // crawl4ai also takes elements without text, and of several links to one URL the first is often an image.
    let by_url =
        |locator: &ExportLocator<'_>| locator.locator.css.as_deref().is_some_and(|css| css.contains("[href"));
    if rule.read_from == ReadFrom::Text && locators.iter().any(|(_, locator)| !by_url(locator)) {
        locators.sort_by_key(|(_, locator)| by_url(locator));
        "its first finds links by URL, and these may be images".clone_into(&mut reason);
    }
    for (number, locator) in locators {
        let pattern = rule.cut.as_ref().map(cut_pattern).transpose();
        match (selector(locator.locator, rule.read_from), pattern) {
            (Ok(selector), Ok(pattern)) => {
                if number > 0 {
                    let which = ordinal(number + 1);
                    warnings.push(format!("column {name:?}: its {which} locator is used: {reason}"));
                }
                if rule.read_from != ReadFrom::Text {
                    let lazy =
                        if rule.read_from == ReadFrom::Src { ", and data-src is not read" } else { "" };
                    warnings.push(format!("column {name:?}: URLs stay as they are on the page{lazy}"));
                }
                let mut map = vec![("name".to_owned(), name.as_str().into())];
                map.extend(selector.map(|selector| ("selector".to_owned(), Literal::Text(selector))));
                let value_keys = value_keys(rule.read_from, pattern);
                if rule.many {
                    warnings.push(format!("column {name:?}: its values are objects with one field, value"));
                    let mut inner = vec![("name".to_owned(), "value".into())];
                    inner.extend(value_keys);
                    map.push(("type".into(), "list".into()));
                    map.push(("fields".into(), Literal::List(vec![Literal::Map(inner)])));
                } else {
                    map.extend(value_keys);
                }
                return Some(Literal::Map(map));
            }
            (Err(error), _) | (_, Err(error)) => reason = error.to_string(),
        }
    }
    warnings.push(format!("column {name:?} is left out: {reason}"));
    None
}

/// The keys that say what is read from an element.
fn value_keys(read_from: ReadFrom, pattern: Option<String>) -> Vec<(String, Literal)> {
    let what = if read_from == ReadFrom::Text { "text" } else { "attribute" };
    let mut map = match pattern {
        Some(pattern) => vec![
            ("type".to_owned(), Literal::List(vec![what.into(), "regex".into()])),
            ("pattern".to_owned(), Literal::Text(pattern)),
        ],
        None => vec![("type".to_owned(), what.into())],
    };
    if read_from != ReadFrom::Text {
        map.push(("attribute".into(), read_from.name().into()));
        map.push(("transform".into(), "strip".into()));
    }
    map
}

/// The selector of a locator; None for the record itself.
fn selector(locator: &Locator, read_from: ReadFrom) -> Result<Option<String>, WrapperError> {
    let css =
        locator.css.as_deref().ok_or_else(|| WrapperError::not_expressible("crawl4ai has no labels"))?;
    if locator.nth.is_some_and(|nth| nth > 1) {
        return Err(WrapperError::not_expressible("crawl4ai uses only the first element of a selector"));
    }
    if locator.text.is_some() {
        return Err(WrapperError::not_expressible("crawl4ai cannot read a single text node of an element"));
    }
    if locator.element.is_some_and(|element| element > 1) {
        return Err(WrapperError::not_expressible("a record of crawl4ai is one element"));
    }
    let selectors = selectors_of(css)?;
    if selectors == [":scope"] {
        return Ok(None);
    }
    if selectors.iter().any(|selector| selector == ":scope") {
        return Err(WrapperError::not_expressible(
            "a selector for crawl4ai finds either the record or something inside it",
        ));
    }
    let tail = match read_from {
        ReadFrom::Text => "",
        ReadFrom::Href => WITH_LINK,
        ReadFrom::Src => WITH_IMAGE,
    };
    let all: Vec<String> =
        selectors.iter().map(|selector| format!("{selector}{tail}{SHOWN_IN_RECORD_ONLY}")).collect();
    Ok(Some(all.join(", ")))
}

/// A Python regular expression whose first group is the value.
fn cut_pattern(cut: &TextCut) -> Result<String, WrapperError> {
    let mut out = String::from("(?s)^");
    if let Some(after) = cut.after.as_deref().filter(|after| !after.is_empty()) {
        out.push_str(&format!(".*?{}", escaped(after)));
    }
    let mut stops = Vec::new();
    if let Some(before) = &cut.before {
        stops.push(escaped(before));
    }
    if let (Some(split), Some(piece)) = (&cut.split, cut.piece) {
        if piece > MAX_PIECES {
            return Err(WrapperError::not_expressible(format!(
                "piece {piece} of a text: expected at most {MAX_PIECES}"
            )));
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

/// A text as a pattern that tolerates the spaces that crawl4ai drops.
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
