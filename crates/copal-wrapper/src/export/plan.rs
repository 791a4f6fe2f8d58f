//! What a wrapper says, in the paths of a target.
//!
//! In: a [`Wrapper`]. Out: for each kind of list the ways to its records in the order in which they are tried, and its columns
//! with their places; what has no counterpart is left out and told. O(locators).

use super::literal::Data;
use super::paths::{self, Start};
use crate::css::Css;
use crate::file::{ColumnRule, Cut, From, Locator, PageKind, PageRule, RecordRule, Wrapper};
use crate::regions;
use std::borrow::Cow;

/// How elements are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paths {
    Css,
    Xpath,
}

impl Paths {
    pub(super) fn of(self, css: &str, start: Start) -> Result<String, String> {
        match self {
            Paths::Xpath => paths::path(css, start),
            Paths::Css => {
                let parsed = Css::parse(css)?;
                // at the document a browser takes the root for it, copal nothing
                if start == Start::Document && parsed.text().contains(":scope") {
                    return Err(":scope is nothing there".into());
                }
                Ok(css.to_owned())
            }
        }
    }

    fn name(self) -> &'static str {
        match self {
            Paths::Css => "CSS",
            Paths::Xpath => "XPath 1.0",
        }
    }
}

/// One kind of list.
pub(super) struct List<'w> {
    /// How records are found; of an object's page its body is.
    pub(super) record: Cow<'w, RecordRule>,
    /// Region and record, as paths.
    pub(super) ways: Vec<Way>,
    /// What a record has inside.
    pub(super) needs: Option<String>,
    /// Elements of a record, 0 for all up to the next.
    pub(super) elements: usize,
    pub(super) columns: Vec<Column<'w>>,
}

pub(super) struct Way {
    pub(super) region: String,
    pub(super) record: String,
    /// The same as the wrapper has them.
    pub(super) css: (String, String),
}

pub(super) struct Column<'w> {
    pub(super) rule: &'w ColumnRule,
    pub(super) places: Vec<Place<'w>>,
}

pub(super) struct Place<'w> {
    pub(super) locator: &'w Locator,
    /// None if it is a label's.
    pub(super) path: Option<String>,
}

/// The lists of a wrapper.
pub(super) fn lists<'w>(
    wrapper: &'w Wrapper,
    paths: Paths,
    warnings: &mut Vec<String>,
) -> Result<Vec<List<'w>>, String> {
    let mut out = Vec::new();
    for (number, rule) in wrapper.pages.iter().enumerate() {
        match rule.kind {
            PageKind::List => out.push(list(rule, paths, warnings)?),
            PageKind::Detail => out.push(object(rule, paths, warnings)?),
            PageKind::Section => {
                warnings.push(format!("page {} is left out: sections are not exported", number + 1));
            }
        }
    }
    if out.is_empty() { Err("the wrapper has only sections, which are not exported".into()) } else { Ok(out) }
}

/// The page of an object: a list of one record, its body.
fn object<'w>(rule: &'w PageRule, paths: Paths, warnings: &mut Vec<String>) -> Result<List<'w>, String> {
    let css = ("html".to_owned(), "body".to_owned());
    let (region, record) = (paths.of(&css.0, Start::Document)?, paths.of(&css.1, Start::Below)?);
    let columns = rule.columns.iter().filter_map(|column| column_of(column, paths, warnings)).collect();
    let body = RecordRule { find: vec![css.1.clone()], needs: None, elements: 1, looks: None };
    let ways = vec![Way { region, record, css }];
    Ok(List { record: Cow::Owned(body), ways, needs: None, elements: 1, columns })
}

fn list<'w>(rule: &'w PageRule, paths: Paths, warnings: &mut Vec<String>) -> Result<List<'w>, String> {
    let record = rule.record.as_ref().ok_or("a page of kind list has no record")?;
    let mut each = |what: &str, all: &[String], start: Start| -> Vec<Option<String>> {
        let said = all.iter().map(|css| match paths.of(css, start) {
            Ok(path) => Some(path),
            Err(why) => {
                warnings.push(format!("{what}: {css:?} is left out: {why}"));
                None
            }
        });
        said.collect()
    };
    let regions = each("region", &rule.region, Start::Document);
    let records = each("record", &record.find, Start::Below);
    let mut ways = Vec::new();
    // as they weigh in a vote: the first of both, then those next to the first
    let numbers = (0..regions.len()).flat_map(|i| (0..records.len()).map(move |j| (i, j)));
    let mut numbers: Vec<(usize, usize)> = numbers.collect();
    numbers.sort_by_key(|&(i, j)| (i + j, i));
    for (i, j) in numbers.into_iter().take(MOST_WAYS) {
        let css = (rule.region[i].clone(), record.find[j].clone());
        let anywhere = i > 0 && css.0 == regions::ANYWHERE && !regions::is_named(&css.1);
        if let (Some(region), Some(record), false) = (&regions[i], &records[j], anywhere) {
            ways.push(Way { region: region.clone(), record: record.clone(), css });
        }
    }
    if ways.is_empty() {
        return Err(format!("no locator of region and records can be said in {}", paths.name()));
    }
    let needs = record.needs.as_deref().map(|css| paths.of(css, Start::Below)).transpose();
    let needs = needs.map_err(|why| format!("needs cannot be said in {}: {why}", paths.name()))?;
    let columns = rule.columns.iter().filter_map(|column| column_of(column, paths, warnings)).collect();
    Ok(List { record: Cow::Borrowed(record), ways, needs, elements: record.elements, columns })
}

/// Pairs of region and record that are written.
const MOST_WAYS: usize = 25;

fn column_of<'w>(rule: &'w ColumnRule, paths: Paths, warnings: &mut Vec<String>) -> Option<Column<'w>> {
    let mut places = Vec::new();
    let mut why_not = Vec::new();
    for locator in &rule.find {
        match (&locator.css, &locator.label) {
            (Some(css), _) => match paths.of(css, Start::AtOrBelow) {
                Ok(path) => places.push(Place { locator, path: Some(path) }),
                Err(why) => why_not.push(format!("{css:?}: {why}")),
            },
            (None, Some(_)) if rule.from == From::Text => places.push(Place { locator, path: None }),
            (None, Some(_)) => why_not.push("behind a label is a text".into()),
            // what types of texts are only copal knows; as one of several ways it is not missed
            (None, None) if !places.is_empty() => {}
            (None, None) => why_not.push("texts are known by their type to copal alone".into()),
        }
    }
    let name = &rule.name;
    let cut = rule.cut.clone().unwrap_or_default();
    if [cut.before, cut.split].iter().flatten().any(String::is_empty) {
        warnings.push(format!("column {name:?} is left out: its text is cut at an empty one"));
        return None;
    }
    if places.is_empty() {
        let why = why_not.join("; ");
        warnings
            .push(format!("column {name:?} is left out: no locator can be said in {}: {why}", paths.name()));
        return None;
    }
    for why in why_not {
        warnings.push(format!("column {name:?}: a locator is left out: {why}"));
    }
    Some(Column { rule, places })
}

/// A list as data for a program that reads it as `copal apply` does; `key` names the paths.
pub(super) fn program_data(lists: &[List<'_>], key: &str) -> Data {
    Data::List(lists.iter().map(|list| list_data(list, key)).collect())
}

fn list_data(list: &List<'_>, key: &str) -> Data {
    let way = |way: &Way| {
        let pair = [("region", &way.region), ("record", &way.record)];
        Data::Map(pair.into_iter().map(|(name, path)| (name.into(), path.as_str().into())).collect())
    };
    let mut map = vec![("ways".to_owned(), Data::List(list.ways.iter().map(way).collect()))];
    map.extend(list.needs.as_deref().map(|needs| ("needs".into(), needs.into())));
    if list.elements != 1 {
        map.push(("elements".into(), Data::Count(list.elements)));
    }
    let columns = list.columns.iter().map(|column| {
        let rule = column.rule;
        let mut map = vec![
            ("name".to_owned(), rule.name.as_str().into()),
            ("from".to_owned(), rule.from.name().into()),
            (
                "find".to_owned(),
                Data::List(column.places.iter().map(|place| place_data(place, key)).collect()),
            ),
        ];
        map.extend(common(rule));
        Data::Map(map)
    });
    map.push(("columns".into(), Data::List(columns.collect())));
    Data::Map(map)
}

/// What is said of a column in any form.
pub(super) fn common(rule: &ColumnRule) -> Vec<(String, Data)> {
    let mut map = Vec::new();
    if rule.many {
        map.push(("many".to_owned(), Data::Yes));
    }
    map.extend(rule.cut.as_ref().map(|cut| ("cut".to_owned(), cut_data(cut))));
    let presence = rule.presence.filter(|share| share.is_finite());
    map.extend(presence.map(|share| ("presence".to_owned(), Data::Share(share))));
    map
}

fn place_data(place: &Place<'_>, key: &str) -> Data {
    let Place { locator, path } = place;
    let mut map = Vec::new();
    match (path, &locator.label) {
        (Some(path), _) => map.push((key.to_owned(), path.as_str().into())),
        (None, Some(label)) => map.push(("label".to_owned(), label.as_str().into())),
        (None, None) => {}
    }
    let numbers = [("text", locator.text), ("nth", locator.nth), ("element", locator.element)];
    map.extend(
        numbers.into_iter().filter_map(|(name, number)| Some((name.to_owned(), Data::Count(number?)))),
    );
    Data::Map(map)
}

fn cut_data(cut: &Cut) -> Data {
    let texts = [("after", &cut.after), ("before", &cut.before), ("split", &cut.split)];
    let mut map: Vec<(String, Data)> = texts
        .into_iter()
        // behind an empty text is all of it
        .filter_map(|(name, text)| {
            Some((name.to_owned(), text.as_deref().filter(|text| !text.is_empty())?.into()))
        })
        .collect();
    map.extend(cut.piece.map(|piece| ("piece".to_owned(), Data::Count(piece))));
    Data::Map(map)
}
