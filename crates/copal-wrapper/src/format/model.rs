//! The types of a wrapper file, one field per key.
//!
//! Field names follow the vocabulary; the keys in files are older than some of them and stay as they are
//! (`serde(rename)`).

use crate::locate::fingerprint::Fingerprint;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};
use std::fmt;

/// Maximum number of locators of one thing.
pub(crate) const MAX_LOCATORS: usize = 5;
/// A column that at least this share of the records has is expected on every page.
const EXPECTED_PRESENCE: f64 = 0.9;
/// The version of the wrapper format that is written, and the newest that is read.
pub const FORMAT_VERSION: u32 = 1;

/// Where the records and fields of a site's pages are.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrapper {
    /// The version of the file format.
    #[serde(rename = "copal")]
    pub format_version: u32,
    /// URLs of the pages it is for; `*` matches anything.
    #[serde(default)]
    pub url: Option<String>,
    /// Counts the repairs of this wrapper, from 1.
    #[serde(default = "first_revision", rename = "version")]
    pub revision: u32,
    /// What each repair changed, the oldest first. Repairs only append to it.
    #[serde(default)]
    pub changes: Vec<String>,
    /// How the pages are reached.
    #[serde(default)]
    pub navigation: Option<Navigation>,
    /// One rule per kind of page. The first rule that matches a page reads it.
    pub pages: Vec<PageRule>,
}

impl Wrapper {
    /// The first revision of a wrapper for one kind of page.
    pub(crate) fn new(url: Option<String>, rule: PageRule) -> Wrapper {
        Wrapper {
            format_version: FORMAT_VERSION,
            url,
            revision: 1,
            changes: Vec::new(),
            navigation: None,
            pages: vec![rule],
        }
    }
}

fn first_revision() -> u32 {
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
    /// What the page shows.
    pub kind: PageKind,
    /// Selectors of the element that holds the records, or of the section, in order of preference.
    pub region: Vec<String>,
    /// Where the records are inside the region.
    #[serde(default)]
    pub record: Option<RecordRule>,
    /// The columns of the records.
    #[serde(default)]
    pub columns: Vec<ColumnRule>,
    /// Statistics of the sample pages.
    #[serde(default)]
    pub profile: Option<Profile>,
}

/// Where records are.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordRule {
    /// Selectors of a record's first element, inside the region.
    pub find: Vec<String>,
    /// A selector that must match something inside an element for it to be a record.
    #[serde(default)]
    pub needs: Option<String>,
    /// How many neighbouring elements make a record; 0 means all up to the next record.
    #[serde(default = "one_element")]
    pub elements: usize,
    /// Measurements of the records that do not depend on class names.
    #[serde(default, rename = "looks")]
    pub fingerprint: Option<Fingerprint>,
}

fn one_element() -> usize {
    1
}

/// What a column's cells are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReadFrom {
    /// Visible text.
    #[default]
    Text,
    /// The target of a link.
    Href,
    /// The URL of an image.
    Src,
}

impl ReadFrom {
    pub(crate) fn name(self) -> &'static str {
        match self {
            ReadFrom::Text => "text",
            ReadFrom::Href => "href",
            ReadFrom::Src => "src",
        }
    }
}

/// Where the cells of a column are, and what they are like.
#[derive(Debug, Clone, PartialEq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnRule {
    /// The column's name.
    pub name: String,
    /// What its cells are read from.
    #[serde(default, rename = "from")]
    pub read_from: ReadFrom,
    /// The type of its values.
    #[serde(default, rename = "type")]
    pub value_type: Option<String>,
    /// The order of its dates in digits on the samples: `day-first`, `month-first` or `year-first`. Pages whose
    /// own dates leave the order open are read in this one.
    #[serde(default, rename = "order")]
    pub date_order: Option<String>,
    /// Locators of its cells, in order of preference.
    pub find: Vec<Locator>,
    /// The cell has every value that is found instead of only the first.
    #[serde(default)]
    pub many: bool,
    /// Each line of the element that is found is a value.
    #[serde(default)]
    pub lines: bool,
    /// Which part of the text is the value.
    #[serde(default)]
    pub cut: Option<TextCut>,
    /// Share of the samples' records that had a cell in this column.
    #[serde(default)]
    pub presence: Option<f64>,
    /// Statistics of the samples' cells.
    #[serde(default)]
    pub profile: Option<ColumnProfile>,
}

impl ColumnRule {
    /// True if nearly every record of the samples has the column.
    pub(crate) fn is_expected(&self) -> bool {
        self.presence.unwrap_or(0.0) >= EXPECTED_PRESENCE
    }
}

/// A part of a text. The three cuts are applied in the order of the fields.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextCut {
    /// Keeps what follows the first occurrence of this.
    #[serde(default)]
    pub after: Option<String>,
    /// Keeps what precedes the first occurrence of this.
    #[serde(default)]
    pub before: Option<String>,
    /// Splits the text at this …
    #[serde(default)]
    pub split: Option<String>,
    /// … and keeps the piece with this number, from 1.
    #[serde(default)]
    pub piece: Option<usize>,
}

/// One way to find a cell inside a record: by selector, by label or by value type.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Locator {
    /// A CSS selector; `:scope` is the record's element.
    pub css: Option<String>,
    /// A label; the cell is what follows it.
    pub label: Option<String>,
    /// A value type; the cell is the first text of this type.
    pub value_type: Option<String>,
    /// Takes this one of the element's own text nodes, from 1, instead of its whole text.
    pub text: Option<usize>,
    /// Takes this one of the elements that are found, from 1.
    pub nth: Option<usize>,
    /// Looks in this element of a record that has several, from 1.
    pub element: Option<usize>,
}

/// A locator is written as a mapping, or as a plain string if it is only a selector.
impl<'de> Deserialize<'de> for Locator {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct LocatorKeys {
            css: Option<String>,
            label: Option<String>,
            #[serde(rename = "type")]
            value_type: Option<String>,
            text: Option<usize>,
            nth: Option<usize>,
            element: Option<usize>,
        }
        struct StringOrMap;
        impl<'de> Visitor<'de> for StringOrMap {
            type Value = Locator;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a selector, or css, label, type, text, nth, element")
            }

            fn visit_str<E: de::Error>(self, css: &str) -> Result<Locator, E> {
                Ok(Locator { css: Some(css.to_owned()), ..Locator::default() })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Locator, A::Error> {
                let LocatorKeys { css, label, value_type, text, nth, element } =
                    LocatorKeys::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Locator { css, label, value_type, text, nth, element })
            }
        }
        deserializer.deserialize_any(StringOrMap)
    }
}

/// How the pages of a wrapper are reached. Programs that visit sites use it; reading a page does not.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Navigation {
    /// The URL to start with.
    #[serde(default)]
    pub open: Option<String>,
    /// The URLs of further lists, which are read like the first one.
    #[serde(default)]
    pub lists: Vec<String>,
    /// Search forms that are sent by POST and lead to further lists.
    #[serde(default)]
    pub searches: Vec<NavigationSearch>,
    /// How a visitor gets to the lists. Exported programs that move through a site take the same way.
    #[serde(default)]
    pub routes: Vec<NavigationRoute>,
    /// What to do there, in order.
    #[serde(default)]
    pub steps: Vec<NavigationStep>,
    /// Selectors of the next link. The first that finds one is followed.
    #[serde(default)]
    pub next: Vec<String>,
    /// Selectors of the element that announces how many records the list has. The first that finds one counts.
    #[serde(default)]
    pub counter: Vec<String>,
}

/// A search form that is sent by POST, as it was filled in.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NavigationSearch {
    /// The page with the form. It is read before the form is sent, because many sites want a token of it.
    pub page: String,
    /// Where the form is sent to.
    pub url: String,
    /// The fields, encoded as in the query of a URL.
    pub form: String,
}

/// How a visitor gets to a list: from a page with a URL, by links and forms.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NavigationRoute {
    /// The URL of the first page.
    pub from: String,
    /// The URL of the list, or of the search by POST that leads to it.
    pub to: String,
    /// What to do, in order.
    #[serde(default)]
    pub steps: Vec<NavigationStep>,
}

/// One action on a page: a form field is filled in, a suggestion is taken, an element is clicked, or a form is sent.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NavigationStep {
    /// Selector of a form field …
    #[serde(default)]
    pub fill: Option<String>,
    /// … and the text to enter, or the text of the option or suggestion to choose.
    #[serde(default)]
    pub with: Option<String>,
    /// Selector of a form field that shows suggestions while one types: the one with the text of `with` is taken.
    #[serde(default)]
    pub choose: Option<String>,
    /// Selector of the element to click.
    #[serde(default)]
    pub click: Option<String>,
    /// Selector of a field whose form is sent, if the form has no button.
    #[serde(default)]
    pub submit: Option<String>,
}

/// Statistics of the sample pages.
#[derive(Debug, Clone, PartialEq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// How many pages the wrapper was learned from.
    pub samples: usize,
    /// The smallest and the largest number of records on a page.
    pub records: (usize, usize),
    /// Share of a page's visible text that is inside its records.
    #[serde(default)]
    pub coverage: Option<f64>,
    /// The page fingerprint of the first sample, in hexadecimal.
    #[serde(default, rename = "look")]
    pub page_fingerprint: Option<String>,
    /// The emptiest record: its share of the cells that records have, where each column counts by its
    /// presence.
    #[serde(default, rename = "least")]
    pub least_fill: Option<f64>,
}

/// Statistics of the cells of a column.
#[derive(Debug, Clone, PartialEq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnProfile {
    /// Share of the cells that have the column's type.
    #[serde(default)]
    pub typed: Option<f64>,
    /// Nine of ten cells have a length between these, in characters.
    pub length: (usize, usize),
    /// Number of different cells divided by the number of cells.
    pub distinct: f64,
    /// Share of letters among the characters that are not spaces.
    pub letters: f64,
    /// Share of digits among the characters that are not spaces.
    pub digits: f64,
    /// Cells of a few records, the same records in all columns.
    #[serde(default)]
    pub examples: Vec<String>,
}
