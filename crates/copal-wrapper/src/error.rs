//! The error type of this crate.
//!
//! Messages say what was expected, what was found and what to do. A message never spans several lines,
//! because callers print it after the name of a file.

use std::borrow::Cow;

/// Why a wrapper could not be read, learned or exported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WrapperError {
    /// The file is not YAML, has an unknown key, or has a value of the wrong type.
    #[error("{0}")]
    Syntax(String),
    /// The file is larger than any wrapper needs to be.
    #[error("the wrapper file has {bytes} bytes: expected at most {max}")]
    FileTooLarge {
        /// Size of the file.
        bytes: usize,
        /// Largest size that is read.
        max: usize,
    },
    /// The file does not say which version of the format it has.
    #[error(
        "key `copal` is missing: \
         add `copal: {expected}`, the version of the wrapper format, as the first line"
    )]
    MissingVersion {
        /// The current version.
        expected: u32,
    },
    /// The file was written by a later copal.
    #[error(
        "copal: {found}: expected {newest}, the newest wrapper format that this copal reads: \
         update copal, or learn the wrapper again with `copal learn`"
    )]
    NewerVersion {
        /// The version in the file.
        found: u32,
        /// The newest version that is read.
        newest: u32,
    },
    /// The file has a version that is not read any more.
    #[error(
        "copal: {found}: expected {oldest} or later: this format is not supported any more, \
         so learn the wrapper again with `copal learn`"
    )]
    OlderVersion {
        /// The version in the file.
        found: u32,
        /// The oldest version that is read.
        oldest: u32,
    },
    /// A key of the file has a value that makes no sense.
    #[error("{0}")]
    Value(Cow<'static, str>),
    /// Another error, and the key of the wrapper file at which it occurred.
    #[error("{key}: {source}")]
    At {
        /// The key, or the keys from the outside in.
        key: String,
        /// What is wrong there.
        source: Box<WrapperError>,
    },
    /// A CSS selector is malformed or uses something that has no meaning on a saved page (`:hover`).
    #[error(
        "not a CSS selector: {css:?}: \
         check brackets and quotes; pseudo-elements and states such as :hover do not work"
    )]
    Selector {
        /// The selector.
        css: String,
    },
    /// A CSS selector exceeds a limit.
    #[error("the selector has {found}: expected at most {max}: use a shorter one")]
    SelectorLimit {
        /// What there is too much of, with its number if it is known.
        found: String,
        /// The limit.
        max: usize,
    },
    /// An XPath is malformed or uses something outside the supported subset.
    #[error(
        "not an XPath that copal supports ({reason}): {path:?}: \
         use a path as browsers copy it, or a CSS selector"
    )]
    XPath {
        /// What was expected.
        reason: &'static str,
        /// The XPath.
        path: String,
    },
    /// An XPath exceeds a limit.
    #[error("the XPath has {found}: expected at most {max}: use a shorter one")]
    XPathLimit {
        /// What there is too much of, with its number if it is known.
        found: String,
        /// The limit.
        max: usize,
    },
    /// A selector or XPath that the user gave selects nothing.
    #[error("nothing on the page is selected by {path:?}: check it in the browser's developer tools")]
    NothingSelected {
        /// The selector or XPath.
        path: String,
    },
    /// No selector of limited length selects a section and nothing else.
    #[error("no pattern selects this section alone: select an element further up or further down")]
    NoUniquePattern,
    /// None of the sample pages has a list to learn from.
    #[error(
        "no page has a main list that can be learned: `copal extract --all` shows which lists the pages have"
    )]
    NoList,
    /// No selector finds the records of the samples.
    #[error("no selector finds the records: learn from another page of the site, or from several")]
    NoRecordSelector,
    /// No selector finds the element that holds the records.
    #[error(
        "no selector finds the element that holds the records: \
         learn from another page of the site, or from several"
    )]
    NoRegionSelector,
    /// None of the sample pages shows an object.
    #[error("no page shows an object: expected detail pages (for lists use --kind list)")]
    NoObject,
    /// The fields of the objects are only in embedded data, which locators cannot address.
    #[error(
        "no field of the objects has a position on its page: learn from pages that show their fields as text"
    )]
    NoFieldPosition,
    /// The language of an export target cannot express a part of the wrapper.
    #[error("{0}")]
    NotExpressible(Cow<'static, str>),
}

impl WrapperError {
    /// A value that makes no sense.
    pub(crate) fn value(message: impl Into<Cow<'static, str>>) -> WrapperError {
        WrapperError::Value(message.into())
    }

    /// What a target cannot express.
    pub(crate) fn not_expressible(reason: impl Into<Cow<'static, str>>) -> WrapperError {
        WrapperError::NotExpressible(reason.into())
    }

    /// The same error with the key at which it occurred.
    pub(crate) fn at(self, key: impl Into<String>) -> WrapperError {
        WrapperError::At { key: key.into(), source: Box::new(self) }
    }
}
