//! The XPath of a column's values, where no program looks at what it finds.
//!
//! In: a place of a column. Out: [`found`]: XPaths, asked at a record's first element, of all that is found there, for a reader that
//! leaves out what is hidden or empty; [`whole`]: one XPath whose first node (or every node, for a column with many values) is
//! the value's. O(locator).

use super::paths::{self, Start, quoted};
use super::plan::List;
use crate::css::Css;
use crate::file::{From, Locator, RecordRule};

/// Steps from element to element of a record, and pieces of a text, that are written out.
pub(super) const MOST_STEPS: usize = 20;

/// What hides an element and all that is in it, as far as its attributes say.
pub(super) const HIDES: &str = "@hidden or contains(translate(@style, ' ', ''), 'display:none') \
     or contains(translate(@style, ' ', ''), 'visibility:hidden')";

/// True of what has more than signs that separate or decorate.
const SAYS: &str = "translate(normalize-space(.), ' ,;:.|\u{a6}\u{b7}\u{bb}\u{2022}\u{203a}\u{2027}\u{2219}\u{22c5}\u{25cf}-\u{2013}\u{2014}/()', '')!=''";

/// A test for what is shown.
pub(super) fn shown() -> String {
    format!("not(ancestor-or-self::*[{HIDES}])")
}

/// The XPaths of what a locator finds.
pub(super) fn found(list: &List<'_>, locator: &Locator, from: From) -> Result<Vec<String>, String> {
    let only = |tag: &str| only(locator, tag);
    with(
        list,
        locator,
        &match (from, locator.text) {
            (From::Text, Some(own)) => format!("/text()[{SAYS}][{own}]"),
            (From::Text, None) => String::new(),
            (From::Href, _) => only("a"),
            (From::Src, _) => only("img"),
        },
    )
}

/// The XPath of a locator's values.
pub(super) fn whole(list: &List<'_>, locator: &Locator, from: From, many: bool) -> Result<String, String> {
    let nth = locator.nth.unwrap_or(1);
    let only = |tag: &str| only(locator, tag);
    let shown = shown();
    let paths = with(
        list,
        locator,
        &match (from, locator.text) {
            (From::Text, Some(own)) => format!("[{shown}]/text()[{SAYS}][{own}]"),
            (From::Text, None) => format!("[normalize-space(.)!=''][{shown}]"),
            (From::Href, _) => {
                let is_link = "[@href!='' and @href!='#' and not(starts-with(@href, 'javascript:'))]";
                format!("{}{is_link}[{shown}]", only("a"))
            }
            (From::Src, _) => format!("{}[@src!=''][{shown}]", only("img")),
        },
    )?;
    if locator.css.is_none() && nth > 1 {
        return Err("a label has no second value".into());
    }
    let all = paths.join(" | ");
    Ok(if many { format!("({all})") } else { format!("({all})[{nth}]") })
}

/// A test for elements of a tag, where the selector does not say it.
fn only(locator: &Locator, tag: &str) -> String {
    let said = locator.css.as_deref().is_some_and(|css| Css::parse(css).is_ok_and(|css| css.ends_in(tag)));
    if said { String::new() } else { format!("[self::{tag}]") }
}

fn with(list: &List<'_>, locator: &Locator, filter: &str) -> Result<Vec<String>, String> {
    let Some(css) = &locator.css else {
        let label = locator.label.as_deref().ok_or("it has neither css nor label")?;
        return Ok(vec![behind(label)]);
    };
    let to_element = element(list, locator.element.unwrap_or(1))?;
    let paths = paths::alternatives(css, Start::AtOrBelow)?;
    Ok(paths.into_iter().map(|path| format!("{to_element}{path}{filter}")).collect())
}

/// The way from a record's first element to the one of a number.
fn element(list: &List<'_>, number: usize) -> Result<String, String> {
    if number > MOST_STEPS {
        return Err(format!("element {number}: expected at most {MOST_STEPS}"));
    }
    if number == 1 {
        return Ok(String::new());
    }
    let record = list.record.as_ref();
    if record.elements != 0 && number > record.elements {
        return Err(format!("element {number}: a record has {}", record.elements));
    }
    // where the next record begins this one ends
    let head = head(&list.ways[0].css.1, record)?;
    let step = format!("following-sibling::*[{}][1][not({head})]/", shown());
    Ok(step.repeat(number - 1))
}

/// A test for elements that records begin with.
pub(super) fn head(css: &str, record: &RecordRule) -> Result<String, String> {
    let test = paths::test(css)?;
    Ok(match &record.needs {
        Some(needs) => format!("({test}) and ({})", inside(needs)?),
        None => test,
    })
}

/// A test for what has an element of a selector inside.
pub(super) fn inside(needs: &str) -> Result<String, String> {
    Ok(paths::alternatives(needs, Start::Below)?.join(" or "))
}

/// What stands behind a text that says just this: the next sibling of the innermost node that begins with it and has one.
fn behind(label: &str) -> String {
    let label = label.trim().trim_end_matches(':').trim_end();
    // the first text inside says it, with or without a colon
    let first = "normalize-space((descendant-or-self::text()[normalize-space(.)!=''])[1])";
    let said = format!("{first}={} or {first}={}", quoted(label), quoted(&format!("{label}:")));
    let candidate = format!("[{said}][following-sibling::node()[{SAYS}]]");
    format!(
        "(descendant::node(){candidate}[not(descendant::node(){candidate})])[1]/following-sibling::node()[{SAYS}][1]"
    )
}
