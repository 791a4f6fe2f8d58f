//! The wrapper file: YAML that a person can read and edit.
//!
//! In: text. Out: [`Wrapper`]; and back, with comments. It is data, never code: unknown keys are refused with the names that are
//! known, every selector is read when the file is, and sizes are bounded.

use crate::css::Css;
use crate::navigation::Navigation;
use crate::profile::{ColumnProfile, Profile};
use copal_values::ValueType;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};
use std::fmt;

/// The version of the format that is written and read.
pub const VERSION: u32 = 1;
/// Largest file that is read.
pub(crate) const MOST_BYTES: usize = 1_000_000;
/// Most kinds of pages, columns of one, locators of one thing.
const MOST: usize = 200;
/// Most repairs that are told.
pub(crate) const MOST_CHANGES: usize = 1000;

/// What is wrong with a wrapper file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WrapperError(pub(crate) String);

/// How the data of a site's pages is read.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrapper {
    /// The version of the format.
    pub copal: u32,
    /// Addresses of the pages it is for; `*` stands for anything.
    #[serde(default)]
    pub url: Option<String>,
    /// Counts its repairs, from 1.
    #[serde(default = "first")]
    pub version: u32,
    /// What each repair changed, the oldest first; only ever added to.
    #[serde(default)]
    pub changes: Vec<String>,
    /// How its pages are reached.
    #[serde(default)]
    pub navigation: Option<Navigation>,
    /// The kinds of pages; the first that fits a page reads it.
    pub pages: Vec<PageRule>,
}

fn first() -> u32 {
    1
}

/// What a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PageKind {
    /// Records with columns.
    List,
    /// One object with its fields.
    Detail,
    /// One section with its text, its table or its list (DEUDS).
    Section,
}

/// How one kind of page is read.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageRule {
    /// What it shows.
    pub kind: PageKind,
    /// Selectors of the element that holds the records, or of the section; the first is asked first.
    pub region: Vec<String>,
    /// The records below it.
    #[serde(default)]
    pub record: Option<RecordRule>,
    /// The columns of the records.
    #[serde(default)]
    pub columns: Vec<ColumnRule>,
    /// What the samples were like.
    #[serde(default)]
    pub profile: Option<Profile>,
}

/// Where records are.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordRule {
    /// Selectors of a record's first element, below the region.
    pub find: Vec<String>,
    /// A record has an element of this selector inside.
    #[serde(default)]
    pub needs: Option<String>,
    /// Elements side by side that make a record; 0: all up to the next record.
    #[serde(default = "one")]
    pub elements: usize,
    /// What they look like, whatever they are called.
    #[serde(default)]
    pub looks: Option<crate::Looks>,
}

fn one() -> usize {
    1
}

/// What a column's cells are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum From {
    /// Visible text.
    #[default]
    Text,
    /// The target of a link.
    Href,
    /// The address of an image.
    Src,
}

impl From {
    pub(crate) fn name(self) -> &'static str {
        match self {
            From::Text => "text",
            From::Href => "href",
            From::Src => "src",
        }
    }
}

/// A column.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnRule {
    /// Its name.
    pub name: String,
    /// What its cells are read from.
    #[serde(default)]
    pub from: From,
    /// The type of its values.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    /// Where its cells are, several ways; the first is asked first.
    pub find: Vec<Locator>,
    /// All that is found are values of the cell, not the first alone.
    #[serde(default)]
    pub many: bool,
    /// Which part of the text is the value.
    #[serde(default)]
    pub cut: Option<Cut>,
    /// Share of the samples' records that had it.
    #[serde(default)]
    pub presence: Option<f64>,
    /// What the samples' cells were like.
    #[serde(default)]
    pub profile: Option<ColumnProfile>,
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// What is behind this.
    #[serde(default)]
    pub after: Option<String>,
    /// What is before this.
    #[serde(default)]
    pub before: Option<String>,
    /// Divided at this …
    #[serde(default)]
    pub split: Option<String>,
    /// … the piece of this number, from 1.
    #[serde(default)]
    pub piece: Option<usize>,
}

/// One way to a cell inside of a record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Locator {
    /// A selector; `:scope` is the record's element.
    pub css: Option<String>,
    /// What stands behind a text that says this.
    pub label: Option<String>,
    /// The first text of this type.
    pub kind: Option<String>,
    /// The text of this number among the element's own texts, from 1.
    pub text: Option<usize>,
    /// Of the elements that are found, the one of this number, from 1.
    pub nth: Option<usize>,
    /// The element of this number of a record that has several, from 1.
    pub element: Option<usize>,
}

impl<'de> Deserialize<'de> for Locator {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fields {
            css: Option<String>,
            label: Option<String>,
            #[serde(rename = "type")]
            kind: Option<String>,
            text: Option<usize>,
            nth: Option<usize>,
            element: Option<usize>,
        }
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Locator;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a selector, or css, label, type, text, nth, element")
            }

            fn visit_str<E: de::Error>(self, css: &str) -> Result<Locator, E> {
                Ok(Locator { css: Some(css.to_owned()), ..Locator::default() })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Locator, A::Error> {
                let Fields { css, label, kind, text, nth, element } =
                    Fields::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Locator { css, label, kind, text, nth, element })
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl Wrapper {
    /// The first version of a wrapper for one kind of page.
    pub(crate) fn new(url: Option<String>, rule: PageRule) -> Wrapper {
        Wrapper { copal: VERSION, url, version: 1, changes: Vec::new(), navigation: None, pages: vec![rule] }
    }

    /// Reads a wrapper file; the error says where and what was expected.
    pub fn parse(text: &str) -> Result<Wrapper, WrapperError> {
        if text.len() > MOST_BYTES {
            return Err(WrapperError(format!("has {} bytes: expected at most {MOST_BYTES}", text.len())));
        }
        // the first line has the place and what was expected; a drawing of the file follows
        let wrapper: Wrapper = serde_saphyr::from_str(text).map_err(|error| {
            let message = error.to_string();
            let first = message.lines().next().unwrap_or_default();
            WrapperError(first.strip_prefix("error: ").unwrap_or(first).to_owned())
        })?;
        wrapper.check().map_err(WrapperError)?;
        Ok(wrapper)
    }

    fn check(&self) -> Result<(), String> {
        if self.copal != VERSION {
            return Err(format!("copal: {}: expected {VERSION}, the version that is read here", self.copal));
        }
        if self.changes.len() > MOST_CHANGES {
            return Err(format!(
                "changes: has {} entries: expected at most {MOST_CHANGES}",
                self.changes.len()
            ));
        }
        self.navigation.iter().try_for_each(Navigation::check).map_err(|why| format!("navigation: {why}"))?;
        bounded("pages", self.pages.len())?;
        for rule in &self.pages {
            bounded("region", rule.region.len())?;
            bounded("columns", rule.columns.len().max(1))?;
            rule.region
                .iter()
                .try_for_each(|css| Css::parse(css).map(drop))
                .map_err(|e| format!("region: {e}"))?;
            match (&rule.record, rule.kind) {
                (Some(record), _) => {
                    bounded("record: find", record.find.len())?;
                    let all = record.find.iter().chain(&record.needs);
                    all.into_iter()
                        .try_for_each(|css| Css::parse(css).map(drop))
                        .map_err(|e| format!("record: {e}"))?;
                    record.looks.iter().try_for_each(crate::Looks::check)?;
                    if record.elements > MOST {
                        return Err(format!("record: elements: expected at most {MOST}"));
                    }
                }
                (None, PageKind::List) => {
                    return Err("record is missing: a page of kind list has records".into());
                }
                (None, PageKind::Detail) if rule.columns.is_empty() => {
                    return Err("columns are missing: a page of kind detail has fields".into());
                }
                (None, PageKind::Detail | PageKind::Section) => {}
            }
            let mut names: Vec<&str> = rule.columns.iter().map(|column| column.name.as_str()).collect();
            names.sort_unstable();
            if let Some([twice, ..]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(format!("columns: two have the name {twice:?}: expected each name once"));
            }
            rule.columns.iter().try_for_each(|column| {
                column.check().map_err(|why| format!("column {:?}: {why}", column.name))
            })?;
        }
        Ok(())
    }
}

fn bounded(what: &str, count: usize) -> Result<(), String> {
    if count == 0 || count > MOST {
        return Err(format!("{what}: has {count} entries: expected 1 to {MOST}"));
    }
    Ok(())
}

impl ColumnRule {
    fn check(&self) -> Result<(), String> {
        bounded("find", self.find.len())?;
        self.kind.as_deref().map_or(Ok(()), known_kind)?;
        for locator in &self.find {
            match (&locator.css, &locator.label, &locator.kind) {
                (Some(css), None, None) => Css::parse(css).map(drop)?,
                (None, Some(label), None) if !label.trim().is_empty() => {}
                (None, None, Some(name)) => known_kind(name)?,
                _ => return Err("find: expected css, label or type, one of them".into()),
            }
            if [locator.text, locator.nth, locator.element].contains(&Some(0)) {
                return Err("find: text, nth and element count from 1".into());
            }
        }
        let cut = self.cut.clone().unwrap_or_default();
        if cut.piece == Some(0) || cut.piece.is_some() != cut.split.is_some() {
            return Err("cut: expected split together with piece, which counts from 1".into());
        }
        Ok(())
    }
}

fn known_kind(name: &str) -> Result<(), String> {
    if kind_named(name).is_some() {
        return Ok(());
    }
    let known: Vec<&str> = ValueType::ALL.iter().map(|kind| kind.name()).collect();
    Err(format!("no type {name:?}: expected one of {}", known.join(", ")))
}

/// The type of a name.
pub(crate) fn kind_named(name: &str) -> Option<ValueType> {
    ValueType::ALL.into_iter().find(|kind| kind.name() == name)
}
