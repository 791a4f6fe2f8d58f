//! Reading a wrapper file: versions, syntax and limits.
//!
//! In: the text of a file. Out: a [`Wrapper`] that the rest of the crate can rely on: every selector parses,
//! every number is in range, every name is unique. Unknown keys are refused, because a misspelled key would
//! otherwise be ignored silently. If a file is refused, its version is read without looking at the other keys: a
//! file of a later version has keys that are unknown here, and the message must be about the version and not
//! about them. O(text).

use super::model::{
    ColumnRule, FORMAT_VERSION, Navigation, NavigationStep, PageKind, PageRule, ReadFrom, RecordRule, Wrapper,
};
use super::written_values::written_value;
use crate::error::WrapperError;
use crate::locate::css::Css;
use crate::locate::fingerprint::{Fingerprint, MAX_SHARED_TEXTS};
use crate::value_types::{check_date_order, check_value_type};

/// The oldest version of the format that is still read.
const OLDEST_VERSION: u32 = 1;
/// Largest file that is read.
const MAX_FILE_BYTES: usize = 1_000_000;
/// Maximum number of page rules in a file, columns in a rule, and locators of one thing.
const MAX_ENTRIES: usize = 200;
/// Maximum number of repairs that a file keeps a line about.
pub(crate) const MAX_CHANGES: usize = 1000;
/// Maximum number of URLs of further lists and of searches.
const MAX_NAVIGATION_LISTS: usize = 1_000;
/// Maximum number of navigation steps, and maximum number of selectors of the next link.
const MAX_NAVIGATION_STEPS: usize = 50;

/// The only key that is read of a file that is refused.
#[derive(serde::Deserialize)]
struct VersionHeader {
    copal: Option<u32>,
}

impl Wrapper {
    /// Reads a wrapper file.
    ///
    /// ```
    /// use copal_wrapper::Wrapper;
    ///
    /// let text = "copal: 1\npages:\n  - {kind: section, region: [table]}\n";
    /// assert_eq!(Wrapper::parse(text)?.pages[0].region, ["table"]);
    /// # Ok::<(), copal_wrapper::WrapperError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Wrapper, WrapperError> {
        if text.len() > MAX_FILE_BYTES {
            return Err(WrapperError::FileTooLarge { bytes: text.len(), max: MAX_FILE_BYTES });
        }
        let written = written_value(text);
        // in tests and under the fuzzer
        debug_assert!(
            written
                .as_ref()
                .is_none_or(|wrapper| serde_saphyr::from_str::<Wrapper>(text).ok().as_ref() == Some(wrapper)),
            "the reader of written files and that of all files differ"
        );
        let wrapper = written.map_or_else(|| read_any_form(text), Ok)?;
        check_version(Some(wrapper.format_version))?;
        check_wrapper(&wrapper)?;
        Ok(wrapper)
    }
}

/// Reads a file in any form of YAML.
fn read_any_form(text: &str) -> Result<Wrapper, WrapperError> {
    serde_saphyr::from_str(text).or_else(|error| {
        // A file of a later version has keys that are unknown here. A file without a readable header is reported
        // by the strict parser, which knows the line.
        if let Ok(header) = serde_saphyr::from_str::<VersionHeader>(text) {
            check_version(header.copal)?;
        }
        // The first line has the position and what was expected. An excerpt of the file follows it.
        let message = error.to_string();
        let first = message.lines().next().unwrap_or_default();
        Err(WrapperError::Syntax(first.strip_prefix("error: ").unwrap_or(first).to_owned()))
    })
}

fn check_version(found: Option<u32>) -> Result<(), WrapperError> {
    match found {
        None => Err(WrapperError::MissingVersion { expected: FORMAT_VERSION }),
        Some(found) if found > FORMAT_VERSION => {
            Err(WrapperError::NewerVersion { found, newest: FORMAT_VERSION })
        }
        Some(found) if found < OLDEST_VERSION => {
            Err(WrapperError::OlderVersion { found, oldest: OLDEST_VERSION })
        }
        Some(_) => Ok(()),
    }
}

fn check_wrapper(wrapper: &Wrapper) -> Result<(), WrapperError> {
    if wrapper.changes.len() > MAX_CHANGES {
        let count = wrapper.changes.len();
        return Err(WrapperError::value(format!(
            "changes: has {count} entries: expected at most {MAX_CHANGES}: remove the oldest"
        )));
    }
    if let Some(navigation) = &wrapper.navigation {
        check_navigation(navigation).map_err(|error| error.at("navigation"))?;
    }
    check_count("pages", wrapper.pages.len())?;
    wrapper.pages.iter().try_for_each(check_page_rule)
}

fn check_navigation(navigation: &Navigation) -> Result<(), WrapperError> {
    let counts = [navigation.steps.len(), navigation.next.len(), navigation.counter.len()];
    if counts.into_iter().any(|count| count > MAX_NAVIGATION_STEPS) {
        return Err(WrapperError::value(format!(
            "expected at most {MAX_NAVIGATION_STEPS} each of steps, selectors of next and selectors of counter"
        )));
    }
    if navigation.lists.len() + navigation.searches.len() > MAX_NAVIGATION_LISTS
        || navigation.routes.len() > MAX_NAVIGATION_LISTS
    {
        return Err(WrapperError::value(format!(
            "expected at most {MAX_NAVIGATION_LISTS} lists and searches, and as many routes"
        )));
    }
    check_selectors(&navigation.next).map_err(|error| error.at("next"))?;
    check_selectors(&navigation.counter).map_err(|error| error.at("counter"))?;
    for route in &navigation.routes {
        check_steps(&route.steps).map_err(|error| error.at("routes"))?;
    }
    check_steps(&navigation.steps)
}

fn check_steps(steps: &[NavigationStep]) -> Result<(), WrapperError> {
    if steps.len() > MAX_NAVIGATION_STEPS {
        return Err(WrapperError::value(format!("steps: expected at most {MAX_NAVIGATION_STEPS}")));
    }
    for step in steps {
        match (&step.fill, &step.choose, &step.with, &step.click, &step.submit) {
            (Some(css), None, Some(_), None, None)
            | (None, Some(css), Some(_), None, None)
            | (None, None, None, Some(css), None)
            | (None, None, None, None, Some(css)) => Css::parse(css).map(drop)?,
            _ => {
                return Err(WrapperError::value(
                    "steps: expected fill or choose together with with, or click, or submit",
                ));
            }
        }
    }
    Ok(())
}

fn check_page_rule(rule: &PageRule) -> Result<(), WrapperError> {
    check_count("region", rule.region.len())?;
    check_count("columns", rule.columns.len().max(1))?;
    check_selectors(&rule.region).map_err(|error| error.at("region"))?;
    match (&rule.record, rule.kind) {
        (Some(record), _) => check_record_rule(record).map_err(|error| error.at("record"))?,
        (None, PageKind::List) => {
            return Err(WrapperError::value("record is missing: a page of kind list has records"));
        }
        (None, PageKind::Detail) if rule.columns.is_empty() => {
            return Err(WrapperError::value("columns are missing: a page of kind detail has fields"));
        }
        (None, PageKind::Detail | PageKind::Section) => {}
    }
    let mut names: Vec<&str> = rule.columns.iter().map(|column| column.name.as_str()).collect();
    names.sort_unstable();
    if let Some([duplicate, ..]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(WrapperError::value(format!(
            "columns: two have the name {duplicate:?}: expected each name once"
        )));
    }
    rule.columns.iter().try_for_each(|column| {
        check_column(column).map_err(|error| error.at(format!("column {:?}", column.name)))
    })
}

fn check_record_rule(record: &RecordRule) -> Result<(), WrapperError> {
    check_count("find", record.find.len())?;
    check_selectors(record.find.iter().chain(&record.needs))?;
    if let Some(fingerprint) = &record.fingerprint {
        check_fingerprint(fingerprint).map_err(|error| error.at("looks"))?;
    }
    if record.elements > MAX_ENTRIES {
        return Err(WrapperError::value(format!("elements: expected at most {MAX_ENTRIES}")));
    }
    Ok(())
}

fn check_fingerprint(fingerprint: &Fingerprint) -> Result<(), WrapperError> {
    fingerprint.types.iter().try_for_each(|name| check_value_type(name))?;
    // Ten times what is learned: enough for edits by hand, and it bounds the cost per record.
    let max = 10 * MAX_SHARED_TEXTS;
    if fingerprint.words.len() > max || fingerprint.types.len() > max {
        return Err(WrapperError::value(format!("expected at most {max} words and types")));
    }
    Ok(())
}

fn check_column(column: &ColumnRule) -> Result<(), WrapperError> {
    check_count("find", column.find.len())?;
    column.value_type.as_deref().map_or(Ok(()), check_value_type)?;
    column.date_order.as_deref().map_or(Ok(()), check_date_order)?;
    for locator in &column.find {
        match (&locator.css, &locator.label, &locator.value_type) {
            (Some(css), None, None) => Css::parse(css).map(drop)?,
            (None, Some(label), None) if !label.trim().is_empty() => {}
            (None, None, Some(name)) => check_value_type(name)?,
            _ => return Err(WrapperError::value("find: expected exactly one of css, label and type")),
        }
        if [locator.text, locator.nth, locator.element].contains(&Some(0)) {
            return Err(WrapperError::value("find: text, nth and element count from 1"));
        }
    }
    if column.lines && (column.many || column.cut.is_some() || column.read_from != ReadFrom::Text) {
        return Err(WrapperError::value("lines: expected neither many nor cut, and text"));
    }
    let cut = column.cut.clone().unwrap_or_default();
    if cut.piece == Some(0) || cut.piece.is_some() != cut.split.is_some() {
        return Err(WrapperError::value("cut: expected split together with piece, which counts from 1"));
    }
    Ok(())
}

fn check_count(key: &str, count: usize) -> Result<(), WrapperError> {
    if count == 0 || count > MAX_ENTRIES {
        return Err(WrapperError::value(format!("{key}: has {count} entries: expected 1 to {MAX_ENTRIES}")));
    }
    Ok(())
}

fn check_selectors<'a>(selectors: impl IntoIterator<Item = &'a String>) -> Result<(), WrapperError> {
    selectors.into_iter().try_for_each(|css| Css::parse(css).map(drop))
}
