//! XPaths as JSON, for lxml and any other engine of XPath 1.0.
//!
//! `{"lists": [{"region", "record", "columns": {name: {"xpath", "attribute", "cut"…}}}]}`;
//! docs/guide/wrappers.md explains how to read it.

use super::exported::Exported;
use super::literal::{Literal, LiteralLanguage};
use super::plan::{ExportList, PathLanguage, common_keys, export_lists};
use super::value_paths::{self, HIDING_TEST};
use crate::error::WrapperError;
use crate::format::{FORMAT_VERSION, ReadFrom, Wrapper};

/// True for elements whose text is never shown.
const UNSHOWN_TEST: &str = "self::script or self::style or self::template or self::noscript \
     or self::iframe or self::object or self::option or self::audio or self::video or self::canvas or self::head";

pub(super) fn export(wrapper: &Wrapper) -> Result<Exported, WrapperError> {
    let mut warnings = Vec::new();
    let lists = export_lists(wrapper, PathLanguage::Xpath, &mut warnings)?;
    let lists: Vec<Literal> =
        lists.iter().map(|list| list_data(list, &mut warnings)).collect::<Result<_, _>>()?;
    let mut map = vec![("copal".to_owned(), Literal::Count(FORMAT_VERSION as usize))];
    map.extend(wrapper.url.as_deref().map(|url| ("url".to_owned(), url.into())));
    map.push((
        "hidden".into(),
        Literal::Text(format!("ancestor-or-self::*[{UNSHOWN_TEST} or {HIDING_TEST}]")),
    ));
    map.push(("lists".into(), Literal::List(lists)));
    Ok(Exported { text: Literal::Map(map).write(LiteralLanguage::Json, 0) + "\n", warnings })
}

fn list_data(list: &ExportList<'_>, warnings: &mut Vec<String>) -> Result<Literal, WrapperError> {
    let record = list.record.as_ref();
    let needs = record.needs.as_deref().map(value_paths::inside_test).transpose()?;
    let record_paths = list.record_paths.iter().map(|path| {
        let record = match (&needs, path.record.contains(" | ")) {
            (None, _) => path.record.clone(),
            (Some(needs), true) => format!("({})[{needs}]", path.record),
            (Some(needs), false) => format!("{}[{needs}]", path.record),
        };
        let pair = [("region", path.region.clone()), ("record", record)];
        pair.into_iter().map(|(name, path)| (name.to_owned(), Literal::Text(path))).collect::<Vec<_>>()
    });
    let mut record_paths = record_paths.collect::<Vec<_>>().into_iter();
    let mut map = record_paths.next().unwrap_or_default();
    if list.elements != 1 {
        map.push(("elements".into(), Literal::Count(list.elements)));
    }
    map.push(("columns".into(), Literal::Map(columns_data(list, warnings))));
    let others: Vec<Literal> = record_paths.map(Literal::Map).collect();
    if !others.is_empty() {
        map.push(("otherwise".into(), Literal::List(others)));
    }
    Ok(Literal::Map(map))
}

fn columns_data(list: &ExportList<'_>, warnings: &mut Vec<String>) -> Vec<(String, Literal)> {
    let mut out = Vec::new();
    for column in &list.columns {
        let rule = column.rule;
        let mut locators = Vec::new();
        for locator in &column.locators {
            match value_paths::element_paths(list, locator.locator, rule.read_from) {
                Ok(paths) => {
                    let nth = locator.locator.nth.filter(|&nth| nth > 1);
                    let mut map = vec![("xpath".to_owned(), Literal::Text(paths.join(" | ")))];
                    map.extend(nth.map(|nth| ("nth".to_owned(), Literal::Count(nth))));
                    locators.push(map);
                }
                Err(error) => {
                    warnings.push(format!("column {:?}: a locator is left out: {error}", rule.name));
                }
            }
        }
        if locators.is_empty() {
            warnings.push(format!("column {:?} is left out: it has no other locator", rule.name));
            continue;
        }
        let mut map = locators.remove(0);
        match rule.read_from {
            ReadFrom::Text => {}
            ReadFrom::Href => map.push(("attribute".into(), "href".into())),
            ReadFrom::Src => {
                map.push(("attribute".into(), Literal::List(vec!["data-src".into(), "src".into()])));
            }
        }
        map.extend(common_keys(rule));
        if !locators.is_empty() {
            map.push(("otherwise".into(), Literal::List(locators.into_iter().map(Literal::Map).collect())));
        }
        out.push((rule.name.clone(), Literal::Map(map)));
    }
    out
}
