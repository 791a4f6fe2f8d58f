//! The XPath of a column's values, whole: what `xpath-json` and OXPath have no program for.
//!
//! In: a place of a column. Out: an XPath, asked at a record's first element, whose first node (or every node, for a column with
//! many values) is the value's: shown, and with something to say. O(locator).

use super::paths::{self, Start, quoted};
use super::plan::List;
use crate::file::{From, Locator, RecordRule};

/// Steps from element to element of a record, and pieces of a text, that are written out.
pub(super) const MOST_STEPS: usize = 20;

/// True of what is shown, as far as attributes of its own and around it say.
pub(super) const SHOWN: &str = "not(ancestor-or-self::*[@hidden or contains(translate(@style, ' ', ''), 'display:none') \
     or contains(translate(@style, ' ', ''), 'visibility:hidden')])";

/// True of what has more than signs that separate or decorate.
pub(super) const SAYS: &str = "translate(normalize-space(.), ' ,;:.|\u{a6}\u{b7}\u{bb}\u{2022}\u{203a}\u{2027}\u{2219}\u{22c5}\u{25cf}-\u{2013}\u{2014}/()', '')!=''";

/// The XPath of a locator's values.
pub(super) fn path(list: &List<'_>, locator: &Locator, from: From, many: bool) -> Result<String, String> {
    let nth = locator.nth.unwrap_or(1);
    let Some(css) = &locator.css else {
        let label = locator.label.as_deref().ok_or("it has neither css nor label")?;
        return if nth == 1 { Ok(behind(label)) } else { Err("a label has no second value".into()) };
    };
    let to_element = element(list, locator.element.unwrap_or(1))?;
    let filter = match (from, locator.text) {
        (From::Text, Some(own)) => format!("[{SHOWN}]/text()[{SAYS}][{own}]"),
        (From::Text, None) => format!("[{SHOWN}][{SAYS}]"),
        (From::Href, _) => {
            format!("[self::a][@href!='' and @href!='#' and not(starts-with(@href, 'javascript:'))][{SHOWN}]")
        }
        (From::Src, _) => format!("[self::img][@src!='' or @data-src!=''][{SHOWN}]"),
    };
    let paths = paths::alternatives(css, Start::AtOrBelow)?;
    let paths: Vec<String> = paths.into_iter().map(|path| format!("{to_element}{path}{filter}")).collect();
    let all = paths.join(" | ");
    Ok(if many { all } else { format!("({all})[{nth}]") })
}

/// The way from a record's first element to the one of a number.
fn element(list: &List<'_>, number: usize) -> Result<String, String> {
    if number > MOST_STEPS {
        return Err(format!("element {number}: expected at most {MOST_STEPS}"));
    }
    if number == 1 {
        return Ok(String::new());
    }
    let record = list.rule.record.as_ref().ok_or("there is no record")?;
    if record.elements != 0 && number > record.elements {
        return Err(format!("element {number}: a record has {}", record.elements));
    }
    // where the next record begins this one ends
    let step = format!("following-sibling::*[{SHOWN}][1][not({})]/", head(&list.ways[0].css.1, record)?);
    Ok(step.repeat(number - 1))
}

/// A test for elements that records begin with.
pub(super) fn head(css: &str, record: &RecordRule) -> Result<String, String> {
    let test = paths::test(css)?;
    Ok(match &record.needs {
        Some(needs) => format!("({test}) and {}", inside(needs)?),
        None => test,
    })
}

/// A test for what has an element of a selector inside.
pub(super) fn inside(needs: &str) -> Result<String, String> {
    Ok(format!("({})", paths::alternatives(needs, Start::Below)?.join(" or ")))
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
