//! An OXPath expression: `doc("…")//region/descendant::record:<record>[? path:<name=value>]…`, with the steps of
//! the wrapper's navigation before it (`/{click /}`). One that follows the list is as in Figure 5.5 of the AMBER
//! thesis: a data area (`:<data_area>`) with the announced number of records, and a Kleene star over the next link.
//!
//! This follows the language's own grammar (OXPathGrammar.jjt of its reference implementation): XPath 1.0
//! with markers and optional predicates. Strings have no escapes, names are ASCII, and no operator follows a
//! bare number. The language has no alternatives, so the first locator that can be expressed is written.

use super::ExportOptions;
use super::css_to_xpath::{self, PathStart, quoted};
use super::exported::{Exported, ordinal};
use super::plan::{ExportColumn, ExportList, PathLanguage, export_lists};
use super::site_steps::{self, PageAction, SiteSteps};
use super::value_paths::{self, MAX_REPEATED_STEPS};
use crate::error::WrapperError;
use crate::format::{ReadFrom, TextCut, Wrapper};

/// The name of the number of records that the page announces, as in the thesis.
const RESULTS_NUMBER: &str = "search_results_number";
/// Longest name of a column.
const MAX_COLUMN_NAME_CHARS: usize = 60;

pub(super) fn export(wrapper: &Wrapper, options: &ExportOptions) -> Result<Exported, WrapperError> {
    let mut warnings = Vec::new();
    let lists = export_lists(wrapper, PathLanguage::Xpath, &mut warnings)?;
    if lists.len() > 1 {
        warnings.push("only the first list is written: an OXPath expression reads one list".into());
    }
    let list = lists.first().ok_or_else(|| WrapperError::not_expressible("the wrapper has no list"))?;
    let start = site_steps::one_start(wrapper, options.url.as_deref())?;
    let known = start.as_ref().map(|start| start.url).filter(|url| !url.contains('*'));
    let url = known.unwrap_or_else(|| {
        warnings.push("no URL is known: write the URL of a page into doc(\"\"), or give --url".into());
        ""
    });
    // Strings have no escapes, and no URL needs quotes.
    let url = url.replace('"', "%22").replace('\'', "%27");
    let actions = site_steps::page_actions(start.map_or(&[], |start| start.steps), PathLanguage::Xpath)?;
    let is_site = site_steps::is_site(wrapper);
    if is_site {
        warn_of_other_lists(wrapper, &mut warnings);
    }
    // the wrapper of a site is for all its pages
    let follow = options.follow || is_site;
    let steps = format!("{}{}", action_steps(&actions)?, page_steps(wrapper, follow, &mut warnings));
    let mut text = format!("doc(\"{url}\"){steps}{}:<record>", records_path(list)?);
    let mut names = Vec::new();
    for column in &list.columns {
        if let Some(value) = column_value(list, column, &mut warnings) {
            let name = oxpath_name(column, &names, &mut warnings);
            text.push_str(&format!("\n  [? {}:<{name}={}>]", value.0, value.1));
            names.push(name);
        }
    }
    text.push('\n');
    Ok(Exported { text, warnings })
}

/// The wrapper's steps: fields are filled in, links and buttons are clicked.
fn action_steps(actions: &[PageAction<'_>]) -> Result<String, WrapperError> {
    let mut text = String::new();
    for action in actions {
        match action {
            PageAction::Fill { path, text: with } => {
                let quote = ['"', '\''].into_iter().find(|quote| !with.contains(*quote));
                // strings have no escapes
                let quote = quote.filter(|_| !with.contains(char::is_control)).ok_or_else(|| {
                    WrapperError::not_expressible(format!(
                        "a step of navigation fills in {with:?}: OXPath has no string with both quotes or control \
                         characters"
                    ))
                })?;
                text.push_str(&format!("\n  {path}/{{{quote}{with}{quote} /}}"));
            }
            PageAction::Choose { .. } => {
                return Err(WrapperError::not_expressible(
                    "a step of navigation takes a suggestion that a script shows while one types: use \
                     --to playwright",
                ));
            }
            PageAction::Click { path } => text.push_str(&format!("\n  {path}/{{click /}}")),
            PageAction::Submit { path } => text.push_str(&format!("\n  {path}/{{submit /}}")),
        }
    }
    Ok(text)
}

/// Names the lists of a site that the expression does not read.
fn warn_of_other_lists(wrapper: &Wrapper, warnings: &mut Vec<String>) {
    let Some(site) = &wrapper.navigation else { return };
    let lists = usize::from(site.open.is_some()) + site.lists.len() + site.searches.len();
    if lists > 1 {
        warnings.push(format!(
            "one of the {lists} lists of the site is written: an OXPath expression reads one list; --url chooses another \
             by its URL"
        ));
    }
}

/// The pages of the list, before the records are read.
fn page_steps(wrapper: &Wrapper, follow: bool, warnings: &mut Vec<String>) -> String {
    let site = SiteSteps::of(wrapper, PathLanguage::Xpath, warnings);
    let mut text = String::new();
    if follow {
        text.push_str("\n  /.:<data_area>");
        // a union cannot begin with a dot
        if let Some(counter) = site.counter.iter().find(|path| !path.contains(" | ")) {
            text.push_str(&format!("[? .{counter}:<{RESULTS_NUMBER}=normalize-space(.)>]"));
        }
    }
    if let Some(next) = site.next.first().filter(|_| follow) {
        text.push_str(&format!("\n  /({next}/{{nextclick /}})*\n  "));
    }
    text
}

/// The path from the document to the records.
fn records_path(list: &ExportList<'_>) -> Result<String, WrapperError> {
    let record = list.record.as_ref();
    for locators in &list.record_paths {
        let paths = css_to_xpath::alternatives(&locators.css.1, PathStart::Below)?;
        let [path] = &paths[..] else { continue };
        let mut text = format!("{}/{path}[{}]", locators.region, value_paths::shown_test());
        if let Some(needs) = &record.needs {
            text.push_str(&format!("[{}]", value_paths::inside_test(needs)?));
        }
        // A match inside a record is not a record. With :scope, matches cannot be inside one another.
        if path.starts_with("descendant::") && !locators.css.1.contains(":scope") {
            let (head, region) =
                (value_paths::head_test(&locators.css.1, record)?, css_to_xpath::test(&locators.css.0)?);
            text.push_str(&format!("[not(ancestor::*[{head}][ancestor::*[{region}]])]"));
        }
        return Ok(text);
    }
    Err(WrapperError::not_expressible("no locator of the records is a single path"))
}

/// The path of a column's values, and the expression that reads a value there.
fn column_value(
    list: &ExportList<'_>,
    column: &ExportColumn<'_>,
    warnings: &mut Vec<String>,
) -> Option<(String, String)> {
    let rule = column.rule;
    let mut reason = String::new();
    for (number, locator) in column.locators.iter().enumerate() {
        let path = value_paths::value_path(list, locator.locator, rule.read_from, rule.many);
        let read = match rule.read_from {
            ReadFrom::Text => "normalize-space(.)",
            ReadFrom::Href => "string(@href)",
            ReadFrom::Src => "string(@src)",
        };
        match (path, cut_expression(read, rule.cut.as_ref())) {
            (Ok(path), Ok(value)) => {
                if number > 0 {
                    warnings.push(format!(
                        "column {:?}: its {} locator is used: {reason}",
                        rule.name,
                        ordinal(number + 1)
                    ));
                }
                if rule.read_from != ReadFrom::Text {
                    let lazy =
                        if rule.read_from == ReadFrom::Src { ", and data-src is not read" } else { "" };
                    warnings.push(format!("column {:?}: URLs stay as they are on the page{lazy}", rule.name));
                }
                let not_empty = if rule.cut.is_some() { format!("[{value}!='']") } else { String::new() };
                return Some((format!("{path}{not_empty}"), value));
            }
            (Err(error), _) | (_, Err(error)) => reason = error.to_string(),
        }
    }
    warnings.push(format!("column {:?} is left out: {reason}", rule.name));
    None
}

/// The expression for the part of a text that is the value.
fn cut_expression(text: &str, cut: Option<&TextCut>) -> Result<String, WrapperError> {
    let Some(cut) = cut else { return Ok(text.to_owned()) };
    let mut text = text.to_owned();
    // The end is appended first, so that a text without it is kept completely.
    let before = |text: &str, end: &str| format!("substring-before(concat({text}, {end}), {end})");
    if let Some(after) = cut.after.as_deref().filter(|after| !after.is_empty()) {
        text = format!("substring-after({text}, {})", quoted(after));
    }
    if let Some(end) = &cut.before {
        text = before(&text, &quoted(end));
    }
    if let (Some(split), Some(piece)) = (&cut.split, cut.piece) {
        if piece > MAX_REPEATED_STEPS {
            return Err(WrapperError::not_expressible(format!(
                "piece {piece} of a text: expected at most {MAX_REPEATED_STEPS}"
            )));
        }
        for _ in 1..piece {
            text = format!("substring-after({text}, {})", quoted(split));
        }
        text = before(&text, &quoted(split));
    }
    Ok(format!("normalize-space({text})"))
}

/// The column's name in OXPath's alphabet, different from those of the other columns.
fn oxpath_name(column: &ExportColumn<'_>, used: &[String], warnings: &mut Vec<String>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let mut name: String = column
        .rule
        .name
        .chars()
        .map(|c| if plain(c) { c } else { '_' })
        .take(MAX_COLUMN_NAME_CHARS)
        .collect();
    // The lexer reads the first two as keywords before "=". The last is the name of records.
    let reserved = ["wait", "until", "record"].contains(&name.as_str());
    if reserved || !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name = format!("column_{name}");
    }
    let stem = name.clone();
    let mut number = 2;
    while used.contains(&name) {
        name = format!("{stem}_{number}");
        number += 1;
    }
    if name != column.rule.name {
        warnings.push(format!("column {:?} is called {name}: names in OXPath are ASCII", column.rule.name));
    }
    name
}
