//! Limits on one page, which act while bytes become a tree, and warnings about them.
//!
//! In: nothing. Out: [`Limits`] (configuration), [`Limit`] (which one was hit), [`Warning`] (what happened to
//! a page).
//!
//! Limits count bytes, nodes and depth, so that the same page gives the same result on every machine. Time is
//! the last resort, because a result that depends on it cannot be reproduced.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

/// Limits on one page. The defaults are far above what real pages need (none was seen deeper than 200).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of input that are read. The rest is cut off.
    pub bytes: usize,
    /// Nodes (elements and texts) of the tree.
    pub nodes: usize,
    /// Depth of the tree. Start tags below it are dropped, but their text is kept.
    pub depth: usize,
    /// Bytes of one attribute value. A longer value is replaced by an empty one.
    pub attribute_bytes: usize,
    /// Attributes of one tag. Further ones are dropped.
    pub attributes: usize,
    /// Bytes of text in the tree.
    pub text_bytes: usize,
    /// Processor time to parse one page (of the thread; the wall clock where the system does not count it).
    /// Later stages are bounded by the size of its tree and by budgets of counted work.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 10_000_000,
            nodes: 500_000,
            depth: 512,
            attribute_bytes: 1_000_000,
            attributes: 10_000,
            text_bytes: 8_000_000,
            time: Duration::from_secs(20),
        }
    }
}

/// Which of the [`Limits`] was hit, or which budget of a later stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Limit {
    /// [`Limits::bytes`]
    Bytes,
    /// [`Limits::nodes`]
    Nodes,
    /// [`Limits::depth`]
    Depth,
    /// [`Limits::attribute_bytes`]
    AttributeBytes,
    /// [`Limits::attributes`]
    Attributes,
    /// [`Limits::text_bytes`]
    TextBytes,
    /// [`Limits::time`]
    Time,
    /// The budget of an extraction method, which counts comparisons.
    Work,
}

impl Limit {
    /// The name used in messages and on the command line (`--limit-NAME`).
    pub fn name(self) -> &'static str {
        match self {
            Limit::Bytes => "bytes",
            Limit::Nodes => "nodes",
            Limit::Depth => "depth",
            Limit::AttributeBytes => "attribute-bytes",
            Limit::Attributes => "attributes",
            Limit::TextBytes => "text-bytes",
            Limit::Time => "time",
            Limit::Work => "work",
        }
    }
}

/// Something a user should know about a result that was still produced.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Warning {
    /// A limit was hit: the result is partial.
    Limit(Limit),
    /// The declared character set did not fit the bytes, so another one was used.
    Charset {
        /// What the page or its header declared.
        declared: String,
        /// What the bytes were read as.
        used: String,
    },
    /// Embedded data that is declared to be JSON and is not.
    Malformed {
        /// XPath of its element.
        xpath: String,
        /// What is wrong with it.
        why: String,
    },
    /// The main list is not visible on the page: it was read from embedded data.
    NotShown {
        /// XPath of the data.
        xpath: String,
    },
    /// The main list is hidden by an inline style or the attribute `hidden`.
    HiddenList,
    /// No list is clearly the main one, so the best of them is given.
    PossibleList {
        /// The probability that it is the main list, in percent.
        percent: u8,
        /// Other lists of records on the page.
        others: usize,
    },
    /// The pattern of a section matches several sections, so the one that is most like the sample was read.
    SeveralSections {
        /// How many sections match.
        matches: usize,
    },
    /// Only the first part of the input arrived, or only the first part is well-formed.
    Cut,
    /// A stage after the parse reached its budget of counted work: the result is partial.
    LeftOut {
        /// What was left out, in the plural.
        what: Cow<'static, str>,
    },
    /// Something did not arrive as the server sent it: the result is partial.
    Incomplete {
        /// What arrived, such as "the page".
        what: String,
        /// What was missing or wrong.
        why: String,
    },
    /// Any other message.
    Note(String),
}

impl Warning {
    /// The limit that was hit, if this warning is about one.
    pub fn limit(&self) -> Option<Limit> {
        match self {
            Warning::Limit(limit) => Some(*limit),
            Warning::LeftOut { .. } => Some(Limit::Work),
            _ => None,
        }
    }

    /// True if the warning means that the result is partial.
    pub fn is_about_partial_result(&self) -> bool {
        matches!(
            self,
            Warning::Limit(_) | Warning::LeftOut { .. } | Warning::Cut | Warning::Incomplete { .. }
        )
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Limit(Limit::Depth) => {
                write!(f, "limit depth was hit: elements below it were flattened")
            }
            Warning::Limit(Limit::AttributeBytes) => {
                write!(f, "limit attribute-bytes was hit: an attribute value was left out")
            }
            Warning::Limit(limit) => write!(f, "limit {} was hit: the result is partial", limit.name()),
            Warning::Charset { declared, used } => {
                write!(f, "declared charset {declared} does not fit the bytes: read as {used}")
            }
            Warning::Malformed { xpath, why } => write!(f, "data at {xpath} is not valid JSON: {why}"),
            Warning::PossibleList { percent, .. } => {
                let probability = f64::from(*percent) / 100.0;
                write!(f, "not sure that this is the page's main list ({probability:.2})")
            }
            Warning::HiddenList => {
                f.write_str("these records are hidden on the page until a script shows them")
            }
            Warning::SeveralSections { matches } => {
                write!(f, "the pattern matches {matches} sections: the one most like the sample was read")
            }
            Warning::Cut => f.write_str("not all of it could be read: the result is partial"),
            Warning::LeftOut { what } => {
                write!(f, "limit work was hit: {what} were left out, the result is partial")
            }
            Warning::Incomplete { what, why } => {
                write!(f, "{what} did not arrive intact ({why}): the result is partial")
            }
            Warning::Note(text) => f.write_str(text),
            Warning::NotShown { xpath } => {
                write!(
                    f,
                    "these records are not shown on the page: they are data for its scripts, at {xpath}"
                )
            }
        }
    }
}
