//! What the tools accept. The comments are the descriptions that agents read.

use rmcp::schemars;
use serde::Deserialize;

/// A page.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PageParameters {
    /// The http(s) URL of the page, or the path of a file if the server was started with --root
    pub(super) page: String,
    /// Also list menus and filters
    #[serde(default)]
    pub(super) navigation: bool,
}

/// The format of rows.
#[derive(Debug, Clone, Copy, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum RowFormat {
    /// Comma-separated values: the smallest
    #[default]
    Csv,
    /// A table in Markdown
    Markdown,
}

/// Rows of a list.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListParameters {
    /// The http(s) URL of the page, or the path of a file if the server was started with --root
    pub(super) page: String,
    /// The number of the list, as `find_lists` gives it; 1, the main list, if it is missing
    #[serde(default)]
    pub(super) list: Option<usize>,
    /// Use the list that contains this text, instead of a number
    #[serde(default)]
    pub(super) near: Option<String>,
    /// Columns to keep, in this order; all if it is missing
    #[serde(default)]
    pub(super) columns: Vec<String>,
    /// How many pages of the list are read (URLs only); each page takes about a second
    #[serde(default)]
    pub(super) follow: Option<usize>,
    /// How many pages that the records link to are read for more columns (URLs only); about a second each
    #[serde(default)]
    pub(super) details: Option<usize>,
    /// The format of the rows
    #[serde(default)]
    pub(super) format: RowFormat,
    /// How many rows are returned: 20 if it is missing, 500 at most
    #[serde(default)]
    pub(super) rows: Option<usize>,
    /// Where the answer before ended: `next_cursor` of that answer
    #[serde(default)]
    pub(super) cursor: Option<String>,
}

/// Pages that a wrapper is learned from.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LearnParameters {
    /// The name that the wrapper gets: letters, digits, - and _
    pub(super) name: String,
    /// URLs or files: one list page or several, or pages of single objects
    pub(super) pages: Vec<String>,
    /// Learn the list that contains this text, instead of the main list
    #[serde(default)]
    pub(super) near: Option<String>,
    /// Columns to keep
    #[serde(default)]
    pub(super) columns: Vec<String>,
}

/// Pages that are read with a wrapper.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ApplyParameters {
    /// The name of the wrapper
    pub(super) name: String,
    /// The http(s) URL of the page, or the path of a file if the server was started with --root
    pub(super) page: String,
    /// How many pages of the list are read (URLs only)
    #[serde(default)]
    pub(super) follow: Option<usize>,
    /// The format of the rows
    #[serde(default)]
    pub(super) format: RowFormat,
    /// How many rows are returned: 20 if it is missing, 500 at most
    #[serde(default)]
    pub(super) rows: Option<usize>,
    /// Where the answer before ended: `next_cursor` of that answer
    #[serde(default)]
    pub(super) cursor: Option<String>,
}

/// A list that is stored.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StoreParameters {
    /// The http(s) URL of the page, or the path of a file if the server was started with --root
    pub(super) page: String,
    /// The name of the database: letters, digits, - and _. It is created if it does not exist
    pub(super) database: String,
    /// The number of the list, as `find_lists` gives it
    #[serde(default)]
    pub(super) list: Option<usize>,
    /// Use the list that contains this text, instead of a number
    #[serde(default)]
    pub(super) near: Option<String>,
    /// How many pages of the list are read (URLs only)
    #[serde(default)]
    pub(super) follow: Option<usize>,
    /// How many pages that the records link to are read for more columns (URLs only)
    #[serde(default)]
    pub(super) details: Option<usize>,
}
