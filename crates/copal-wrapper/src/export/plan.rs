//! Translates a wrapper into the path language of an export target.
//!
//! In: a [`Wrapper`]. Out: for each rule, the paths to its records in the order in which they are tried, and
//! its columns with their locators. What the language cannot express is left out with a warning.
//! O(locators).

use super::css_to_xpath::{self, PathStart};
use super::literal::Literal;
use crate::apply::regions::{ANYWHERE, is_named};
use crate::error::WrapperError;
use crate::format::{ColumnRule, Locator, PageKind, PageRule, ReadFrom, RecordRule, TextCut, Wrapper};
use crate::locate::css::Css;
use std::borrow::Cow;

/// The language in which a target refers to elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathLanguage {
    Css,
    Xpath,
}

impl PathLanguage {
    pub(super) fn path(self, css: &str, start: PathStart) -> Result<String, WrapperError> {
        match self {
            PathLanguage::Xpath => css_to_xpath::path(css, start),
            PathLanguage::Css => {
                let parsed = Css::parse(css)?;
                // At the document, browsers take :scope for the root element, and copal finds nothing.
                if start == PathStart::Document && parsed.text().contains(":scope") {
                    return Err(WrapperError::not_expressible(":scope has no meaning here"));
                }
                Ok(css.to_owned())
            }
        }
    }

    fn name(self) -> &'static str {
        match self {
            PathLanguage::Css => "CSS",
            PathLanguage::Xpath => "XPath 1.0",
        }
    }
}

/// One kind of list, or of detail page.
pub(super) struct ExportList<'w> {
    /// How records are found. On a detail page the body is the record.
    pub(super) record: Cow<'w, RecordRule>,
    /// Paths to the records, best first.
    pub(super) record_paths: Vec<RecordPath>,
    /// The path to an element that every record must contain.
    pub(super) needs: Option<String>,
    /// Number of elements of a record; 0 means all up to the next record.
    pub(super) elements: usize,
    pub(super) columns: Vec<ExportColumn<'w>>,
}

/// One pair of a region locator and a record locator.
pub(super) struct RecordPath {
    pub(super) region: String,
    pub(super) record: String,
    /// The same as CSS selectors.
    pub(super) css: (String, String),
}

/// A column that the target can read.
pub(super) struct ExportColumn<'w> {
    pub(super) rule: &'w ColumnRule,
    pub(super) locators: Vec<ExportLocator<'w>>,
}

/// A locator that the target can express.
pub(super) struct ExportLocator<'w> {
    pub(super) locator: &'w Locator,
    /// None for a label.
    pub(super) path: Option<String>,
}

/// The lists and detail pages of a wrapper.
pub(super) fn export_lists<'w>(
    wrapper: &'w Wrapper,
    language: PathLanguage,
    warnings: &mut Vec<String>,
) -> Result<Vec<ExportList<'w>>, WrapperError> {
    let mut out = Vec::new();
    for (number, rule) in wrapper.pages.iter().enumerate() {
        match rule.kind {
            PageKind::List => out.push(record_list(rule, language, warnings)?),
            PageKind::Detail => out.push(object_list(rule, language, warnings)?),
            PageKind::Section => {
                warnings.push(format!(
                    "rule {} under `pages` is left out: sections cannot be exported",
                    number + 1
                ));
            }
        }
    }
    if out.is_empty() {
        let reason = "the wrapper has only sections, which cannot be exported: learn a list";
        return Err(WrapperError::not_expressible(reason));
    }
    Ok(out)
}

/// A detail page: a list with one record, the body.
fn object_list<'w>(
    rule: &'w PageRule,
    language: PathLanguage,
    warnings: &mut Vec<String>,
) -> Result<ExportList<'w>, WrapperError> {
    let css = ("html".to_owned(), "body".to_owned());
    let (region, record) =
        (language.path(&css.0, PathStart::Document)?, language.path(&css.1, PathStart::Below)?);
    let columns =
        rule.columns.iter().filter_map(|column| export_column(column, language, warnings)).collect();
    let body = RecordRule { find: vec![css.1.clone()], needs: None, elements: 1, fingerprint: None };
    let record_paths = vec![RecordPath { region, record, css }];
    Ok(ExportList { record: Cow::Owned(body), record_paths, needs: None, elements: 1, columns })
}

fn record_list<'w>(
    rule: &'w PageRule,
    language: PathLanguage,
    warnings: &mut Vec<String>,
) -> Result<ExportList<'w>, WrapperError> {
    let record = rule
        .record
        .as_ref()
        .ok_or_else(|| WrapperError::not_expressible("a page of kind list has no record"))?;
    let mut paths_of = |what: &str, all: &[String], start: PathStart| -> Vec<Option<String>> {
        let paths = all.iter().map(|css| match language.path(css, start) {
            Ok(path) => Some(path),
            Err(error) => {
                warnings.push(format!("{what}: {css:?} is left out: {error}"));
                None
            }
        });
        paths.collect()
    };
    let regions = paths_of("region", &rule.region, PathStart::Document);
    let records = paths_of("record", &record.find, PathStart::Below);
    let mut record_paths = Vec::new();
    // Best pairs first, as in the vote of `apply`: the first region locator with the first record locator,
    // then the pairs in which one of them is the second, and so on.
    let numbers = (0..regions.len()).flat_map(|i| (0..records.len()).map(move |j| (i, j)));
    let mut numbers: Vec<(usize, usize)> = numbers.collect();
    numbers.sort_by_key(|&(i, j)| (i + j, i));
    for (i, j) in numbers.into_iter().take(MAX_RECORD_PATHS) {
        let css = (rule.region[i].clone(), record.find[j].clone());
        let anywhere = i > 0 && css.0 == ANYWHERE && !is_named(&css.1);
        if let (Some(region), Some(record), false) = (&regions[i], &records[j], anywhere) {
            record_paths.push(RecordPath { region: region.clone(), record: record.clone(), css });
        }
    }
    if record_paths.is_empty() {
        return Err(WrapperError::not_expressible(format!(
            "no locator of region and records can be expressed in {}",
            language.name()
        )));
    }
    let needs = record.needs.as_deref().map(|css| language.path(css, PathStart::Below)).transpose();
    let needs = needs.map_err(|error| error.at("needs"))?;
    let columns =
        rule.columns.iter().filter_map(|column| export_column(column, language, warnings)).collect();
    Ok(ExportList { record: Cow::Borrowed(record), record_paths, needs, elements: record.elements, columns })
}

/// Maximum number of pairs of a region locator and a record locator that are written.
const MAX_RECORD_PATHS: usize = 25;

fn export_column<'w>(
    rule: &'w ColumnRule,
    language: PathLanguage,
    warnings: &mut Vec<String>,
) -> Option<ExportColumn<'w>> {
    let mut locators = Vec::new();
    let mut reasons: Vec<String> = Vec::new();
    for locator in &rule.find {
        match (&locator.css, &locator.label) {
            (Some(css), _) => match language.path(css, PathStart::AtOrBelow) {
                Ok(path) => locators.push(ExportLocator { locator, path: Some(path) }),
                Err(error) => reasons.push(format!("{css:?}: {error}")),
            },
            (None, Some(_)) if rule.read_from == ReadFrom::Text => {
                locators.push(ExportLocator { locator, path: None });
            }
            (None, Some(_)) => reasons.push("a label finds texts, not links or images".into()),
            // Only copal recognises value types. If the column has another locator, that is enough, and the
            // user need not be warned.
            (None, None) if !locators.is_empty() => {}
            (None, None) => reasons.push("only copal recognises value types".into()),
        }
    }
    let name = &rule.name;
    let cut = rule.cut.clone().unwrap_or_default();
    if [cut.before, cut.split].iter().flatten().any(String::is_empty) {
        warnings.push(format!("column {name:?} is left out: `before` or `split` of its `cut` is empty"));
        return None;
    }
    if locators.is_empty() {
        let (language, reasons) = (language.name(), reasons.join("; "));
        warnings.push(format!(
            "column {name:?} is left out: no locator can be expressed in {language}: {reasons}"
        ));
        return None;
    }
    if rule.lines && rule.value_type.is_none() {
        warnings.push(format!("column {name:?}: several lines are one text"));
    }
    for reason in reasons {
        warnings.push(format!("column {name:?}: a locator is left out: {reason}"));
    }
    Some(ExportColumn { rule, locators })
}

/// The lists as data for an exported program that reads pages like `copal apply`. `key` is the name under
/// which the program expects the path of a locator.
pub(super) fn program_data(lists: &[ExportList<'_>], key: &str) -> Literal {
    Literal::List(lists.iter().map(|list| list_data(list, key)).collect())
}

fn list_data(list: &ExportList<'_>, key: &str) -> Literal {
    let path_data = |path: &RecordPath| {
        let pair = [("region", &path.region), ("record", &path.record)];
        Literal::Map(pair.into_iter().map(|(name, path)| (name.into(), path.as_str().into())).collect())
    };
    let mut map = vec![("ways".to_owned(), Literal::List(list.record_paths.iter().map(path_data).collect()))];
    map.extend(list.needs.as_deref().map(|needs| ("needs".into(), needs.into())));
    if list.elements != 1 {
        map.push(("elements".into(), Literal::Count(list.elements)));
    }
    let columns = list.columns.iter().map(|column| {
        let rule = column.rule;
        let mut map = vec![
            ("name".to_owned(), rule.name.as_str().into()),
            ("from".to_owned(), rule.read_from.name().into()),
            (
                "find".to_owned(),
                Literal::List(column.locators.iter().map(|locator| locator_data(locator, key)).collect()),
            ),
        ];
        map.extend(common_keys(rule));
        Literal::Map(map)
    });
    map.push(("columns".into(), Literal::List(columns.collect())));
    Literal::Map(map)
}

/// The keys of a column that all targets share.
pub(super) fn common_keys(rule: &ColumnRule) -> Vec<(String, Literal)> {
    let mut map = Vec::new();
    if rule.many {
        map.push(("many".to_owned(), Literal::Yes));
    }
    map.extend(rule.cut.as_ref().map(|cut| ("cut".to_owned(), cut_data(cut))));
    let presence = rule.presence.filter(|share| share.is_finite());
    map.extend(presence.map(|share| ("presence".to_owned(), Literal::Share(share))));
    map
}

fn locator_data(locator: &ExportLocator<'_>, key: &str) -> Literal {
    let ExportLocator { locator, path } = locator;
    let mut map = Vec::new();
    match (path, &locator.label) {
        (Some(path), _) => map.push((key.to_owned(), path.as_str().into())),
        (None, Some(label)) => map.push(("label".to_owned(), label.as_str().into())),
        (None, None) => {}
    }
    let numbers = [("text", locator.text), ("nth", locator.nth), ("element", locator.element)];
    map.extend(
        numbers.into_iter().filter_map(|(name, number)| Some((name.to_owned(), Literal::Count(number?)))),
    );
    Literal::Map(map)
}

fn cut_data(cut: &TextCut) -> Literal {
    let texts = [("after", &cut.after), ("before", &cut.before), ("split", &cut.split)];
    let mut map: Vec<(String, Literal)> = texts
        .into_iter()
        // an empty `after` would cut nothing; empty `before` and `split` are rejected in `export_column`
        .filter_map(|(name, text)| {
            Some((name.to_owned(), text.as_deref().filter(|text| !text.is_empty())?.into()))
        })
        .collect();
    map.extend(cut.piece.map(|piece| ("piece".to_owned(), Literal::Count(piece))));
    Literal::Map(map)
}
