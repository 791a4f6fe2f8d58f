//! What a request may ask for: the options of the command, as JSON. Unknown keys are refused.
//!
//! In: JSON from outside. Out: a [`Request`] and what is needed to write the answer. Options never name a file or a
//! server: a domain is a built-in one, and databases are those that the service was started with.

use copal::{Domain, KindRequest, Method, Request};
use copal_tasks::{ColumnSelection, OptionStyle, TaskError, closest, list_choice, parse_field};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Longest text of an option, in bytes.
const MAX_OPTION_BYTES: usize = 4096;
/// Fields and columns that one request may name.
const MAX_NAMES: usize = 500;
/// Pages of one list that one request may follow.
pub(crate) const MAX_FOLLOW: usize = 10_000;

/// What pages are read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum PageKindOption {
    /// Decide for each page
    #[default]
    Auto,
    /// A list of records
    List,
    /// One object per page
    Object,
}

impl PageKindOption {
    fn request(self) -> KindRequest {
        match self {
            PageKindOption::Auto => KindRequest::Auto,
            PageKindOption::List => KindRequest::List,
            PageKindOption::Object => KindRequest::Object,
        }
    }
}

/// Which pages are shown in a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum RenderOption {
    /// None
    #[default]
    None,
    /// Pages that need it
    Auto,
    /// All pages
    Chromium,
}

/// The format of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum AnswerFormat {
    /// One object; an array for several pages
    #[default]
    Json,
    /// One line of JSON per page
    Pages,
    /// One line of flat JSON per record
    Records,
    /// One row per record
    Csv,
    /// A table per list
    Markdown,
    /// A report for the browser
    Html,
    /// RSS
    Rss,
    /// Atom
    Atom,
    /// An Excel workbook
    Xlsx,
    /// Parquet
    Parquet,
    /// An Arrow IPC file
    Arrow,
    /// Lists with their sizes, columns and first records
    Summary,
}

/// A database of the service that gets the records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct StoreOption {
    /// The name of a database of the workspace, or of one that was named when the service was started
    pub(crate) database: String,
    /// The table of the records and objects
    #[serde(default)]
    pub(crate) table: Option<String>,
    /// The columns that tell records apart
    #[serde(default)]
    pub(crate) key: Vec<String>,
}

/// Options of an extraction, named as those of `copal extract`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ExtractOptions {
    /// What the pages are
    pub(crate) kind: PageKindOption,
    /// All lists on the page, not only the main one
    pub(crate) all: bool,
    /// With `all` or `list`: menus, filters and the like too
    pub(crate) navigation: bool,
    /// Use the list of this rank: 1 is the main list
    #[cfg_attr(feature = "http", schema(minimum = 1))]
    pub(crate) list: Option<usize>,
    /// Use the list that contains this text
    pub(crate) near: Option<String>,
    /// Use the list at this CSS selector
    pub(crate) select: Option<String>,
    /// Least probability that the list is the main one of its page
    #[cfg_attr(feature = "http", schema(minimum = 0, maximum = 1))]
    pub(crate) min_confidence: Option<f64>,
    /// Columns that are read at a CSS selector inside each record: `NAME=CSS` or `NAME=CSS@ATTRIBUTE`
    pub(crate) field: Vec<String>,
    /// Columns to keep, in this order
    pub(crate) fields: Vec<String>,
    /// New names of columns, by their old names
    pub(crate) rename: BTreeMap<String, String>,
    /// Also read the JSON in the page
    pub(crate) embedded: bool,
    /// A built-in domain, see `/v1/domains`
    pub(crate) domain: Option<String>,
    /// The method that finds lists
    pub(crate) method: Option<String>,
    /// Words that were searched for
    pub(crate) query: Option<String>,
    /// Add the reasons to the JSON
    pub(crate) explain: bool,
    /// For URLs: how many pages of the list are read
    #[cfg_attr(feature = "http", schema(minimum = 1, maximum = 10000))]
    pub(crate) follow: Option<usize>,
    /// For URLs: how many pages that the records link to are read
    pub(crate) details: Option<usize>,
    /// For URLs: which pages are shown in a browser
    pub(crate) render: RenderOption,
    /// The format of the answer
    pub(crate) format: AnswerFormat,
    /// In JSON: where each text was read
    pub(crate) sources: bool,
    /// In CSV and Markdown: also columns that few records have
    pub(crate) all_columns: bool,
    /// In CSV: columns with typed values
    pub(crate) values: bool,
    /// In CSV: put ' before cells that a spreadsheet would run as a formula
    pub(crate) csv_safe: bool,
    /// First record that is written, from 0
    pub(crate) first_row: usize,
    /// How many records of each list are written
    pub(crate) max_rows: Option<usize>,
    /// Store the records in a database
    pub(crate) store: Option<StoreOption>,
}

impl ExtractOptions {
    /// The request for pages; the limits are those of the service.
    pub(crate) fn request(&self) -> Result<Request, TaskError> {
        let mut request = Request::default();
        request.kind = self.kind.request();
        if [self.list.is_some(), self.near.is_some(), self.select.is_some()].iter().filter(|is| **is).count()
            > 1
        {
            return Err(TaskError::usage("list, near and select exclude each other: give one of them"));
        }
        if self.list == Some(0) {
            return Err(TaskError::usage("list: expected a whole number from 1"));
        }
        for text in self.texts() {
            if text.len() > MAX_OPTION_BYTES {
                let message =
                    format!("an option has {} bytes: at most {MAX_OPTION_BYTES} are allowed", text.len());
                return Err(TaskError::usage(message));
            }
        }
        if self.field.len() + self.fields.len() + self.rename.len() > MAX_NAMES {
            return Err(TaskError::usage(format_args!("more than {MAX_NAMES} fields were asked for")));
        }
        if self.near.as_ref().is_some_and(|text| text.trim().is_empty()) {
            return Err(TaskError::usage("near: expected some words of a record"));
        }
        if self.min_confidence.is_some_and(|least| !(0.0..=1.0).contains(&least)) {
            return Err(TaskError::usage("min_confidence: expected a number from 0 to 1"));
        }
        if self.follow.is_some_and(|pages| !(1..=MAX_FOLLOW).contains(&pages)) {
            return Err(TaskError::usage(format_args!(
                "follow: expected a whole number from 1 to {MAX_FOLLOW}"
            )));
        }
        request.all = self.all;
        request.navigation = self.navigation;
        request.embedded = self.embedded;
        let (near, select) = (self.near.as_deref(), self.select.as_deref());
        request.choice = list_choice(self.list, near, select, request.kind, OptionStyle::Parameter)?;
        request.lists.combined.min_confidence = self.min_confidence;
        request.fields = self.field.iter().map(|text| parse_field(text)).collect::<Result<_, _>>()?;
        request.outline = self.format == AnswerFormat::Html;
        request.lists.explain = self.explain || self.format == AnswerFormat::Html;
        if let Some(name) = &self.method {
            request.lists.method = name.parse::<Method>().map_err(TaskError::usage)?;
            if request.kind == KindRequest::Auto {
                request.kind = KindRequest::List;
            }
        }
        request.lists.rdr.query.clone_from(&self.query);
        request.set_domain(self.domain.as_deref().map(built_in_domain).transpose()?);
        Ok(request)
    }

    /// The columns that were asked for.
    pub(crate) fn columns(&self) -> ColumnSelection {
        let rename = self.rename.iter().map(|(old, new)| (old.clone(), new.clone())).collect();
        ColumnSelection { fields: self.fields.clone(), rename }
    }

    fn texts(&self) -> impl Iterator<Item = &String> {
        let single = [&self.near, &self.select, &self.domain, &self.method, &self.query];
        let names =
            self.field.iter().chain(&self.fields).chain(self.rename.keys()).chain(self.rename.values());
        single.into_iter().flatten().chain(names)
    }
}

/// A built-in domain. Paths are not accepted: the file would be read with the rights of the service.
fn built_in_domain(name: &str) -> Result<Arc<Domain>, TaskError> {
    if !Domain::built_in().contains(&name) {
        let error = TaskError::usage(format_args!(
            "domain: no domain {name:?}: expected one of {}",
            Domain::built_in().join(", ")
        ));
        return Err(match closest(name, Domain::built_in()) {
            Some(similar) => error.with_hint(format_args!("did you mean {similar}?")),
            None => error,
        });
    }
    Domain::load(name).map(Arc::new).map_err(TaskError::usage)
}
