//! XPaths of a column's values.
//!
//! In: a locator. Out: [`element_paths`]: XPaths of all elements that it finds from a record's first element,
//! for a program that drops those that are hidden or empty; [`value_path`]: one XPath whose first node (or
//! every node, for a column with several values) is the value, for targets that run no program. O(locator).

use super::css_to_xpath::{self, PathStart, quoted};
use super::plan::ExportList;
use crate::error::WrapperError;
use crate::format::{Locator, ReadFrom, RecordRule};
use crate::locate::css::Css;

/// Maximum number of steps from element to element of a record, and maximum number of pieces of a text, that
/// are written out.
pub(super) const MAX_REPEATED_STEPS: usize = 20;

/// True for elements that are hidden with everything inside, as far as HTML attributes say.
pub(super) const HIDING_TEST: &str = "@hidden or contains(translate(@style, ' ', ''), 'display:none') \
     or contains(translate(@style, ' ', ''), 'visibility:hidden')";

/// True for nodes that have more text than separators and decoration.
const HAS_TEXT_TEST: &str = "translate(normalize-space(.), ' ,;:.|\u{a6}\u{b7}\u{bb}\u{2022}\u{203a}\u{2027}\
     \u{2219}\u{22c5}\u{25cf}-\u{2013}\u{2014}/()', '')!=''";

/// A test for elements that are not hidden.
pub(super) fn shown_test() -> String {
    format!("not(ancestor-or-self::*[{HIDING_TEST}])")
}

/// The XPaths of the elements that a locator finds.
pub(super) fn element_paths(
    list: &ExportList<'_>,
    locator: &Locator,
    read_from: ReadFrom,
) -> Result<Vec<String>, WrapperError> {
    let only = |tag: &str| tag_test(locator, tag);
    filtered_paths(
        list,
        locator,
        &match (read_from, locator.text) {
            (ReadFrom::Text, Some(own)) => format!("/text()[{HAS_TEXT_TEST}][{own}]"),
            (ReadFrom::Text, None) => String::new(),
            (ReadFrom::Href, _) => only("a"),
            (ReadFrom::Src, _) => only("img"),
        },
    )
}

/// The XPath of a locator's values.
pub(super) fn value_path(
    list: &ExportList<'_>,
    locator: &Locator,
    read_from: ReadFrom,
    many: bool,
) -> Result<String, WrapperError> {
    let nth = locator.nth.unwrap_or(1);
    let only = |tag: &str| tag_test(locator, tag);
    let shown = shown_test();
    let paths = filtered_paths(
        list,
        locator,
        &match (read_from, locator.text) {
            (ReadFrom::Text, Some(own)) => format!("[{shown}]/text()[{HAS_TEXT_TEST}][{own}]"),
            (ReadFrom::Text, None) => format!("[normalize-space(.)!=''][{shown}]"),
            (ReadFrom::Href, _) => {
                let is_link = "[@href!='' and @href!='#' and not(starts-with(@href, 'javascript:'))]";
                format!("{}{is_link}[{shown}]", only("a"))
            }
            (ReadFrom::Src, _) => format!("{}[@src!=''][{shown}]", only("img")),
        },
    )?;
    if locator.css.is_none() && nth > 1 {
        return Err(WrapperError::not_expressible("a label has only one value"));
    }
    let all = paths.join(" | ");
    Ok(if many { format!("({all})") } else { format!("({all})[{nth}]") })
}

/// A test for elements with a tag, unless the selector already requires it.
fn tag_test(locator: &Locator, tag: &str) -> String {
    let required =
        locator.css.as_deref().is_some_and(|css| Css::parse(css).is_ok_and(|css| css.ends_in(tag)));
    if required { String::new() } else { format!("[self::{tag}]") }
}

fn filtered_paths(
    list: &ExportList<'_>,
    locator: &Locator,
    filter: &str,
) -> Result<Vec<String>, WrapperError> {
    let Some(css) = &locator.css else {
        let label = locator.label.as_deref();
        let label =
            label.ok_or_else(|| WrapperError::not_expressible("only copal recognises value types"))?;
        // the path starts at the first element, and the label can be in any of them
        if list.elements != 1 {
            return Err(WrapperError::not_expressible("a label in a record of several elements"));
        }
        return Ok(vec![path_after_label(label)]);
    };
    let to_element = path_to_element(list, locator.element.unwrap_or(1))?;
    let paths = css_to_xpath::alternatives(css, PathStart::AtOrBelow)?;
    Ok(paths.into_iter().map(|path| format!("{to_element}{path}{filter}")).collect())
}

/// The path from a record's first element to the one with this number.
fn path_to_element(list: &ExportList<'_>, number: usize) -> Result<String, WrapperError> {
    if number > MAX_REPEATED_STEPS {
        return Err(WrapperError::not_expressible(format!(
            "element {number}: expected at most {MAX_REPEATED_STEPS}"
        )));
    }
    if number == 1 {
        return Ok(String::new());
    }
    let record = list.record.as_ref();
    if record.elements != 0 && number > record.elements {
        return Err(WrapperError::not_expressible(format!(
            "element {number}: a record has {}",
            record.elements
        )));
    }
    // The record ends where the next one begins.
    let head = head_test(&list.record_paths[0].css.1, record)?;
    let step = format!("following-sibling::*[{}][1][not({head})]/", shown_test());
    Ok(step.repeat(number - 1))
}

/// A test for elements that records begin with.
pub(super) fn head_test(css: &str, record: &RecordRule) -> Result<String, WrapperError> {
    let test = css_to_xpath::test(css)?;
    Ok(match &record.needs {
        Some(needs) => format!("({test}) and ({})", inside_test(needs)?),
        None => test,
    })
}

/// A test for elements that have an element of a selector inside.
pub(super) fn inside_test(needs: &str) -> Result<String, WrapperError> {
    Ok(css_to_xpath::alternatives(needs, PathStart::Below)?.join(" or "))
}

/// What follows a label: the next sibling of the innermost node that begins with the label and has a sibling
/// after it.
fn path_after_label(label: &str) -> String {
    let label = label.trim().trim_end_matches(':').trim_end();
    // The first text inside is the label, with or without a colon.
    let first = "normalize-space((descendant-or-self::text()[normalize-space(.)!=''])[1])";
    let is_label = format!("{first}={} or {first}={}", quoted(label), quoted(&format!("{label}:")));
    let candidate = format!("[{is_label}][following-sibling::node()[{HAS_TEXT_TEST}]]");
    let innermost = format!("(descendant::node(){candidate}[not(descendant::node(){candidate})])[1]");
    format!("{innermost}/following-sibling::node()[{HAS_TEXT_TEST}][1]")
}
