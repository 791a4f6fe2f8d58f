//! Why a domain cannot be used.
//!
//! [`DomainError`] says which domain or file; [`DomainFileProblem`] says what is wrong inside a domain file.
//! Messages name the key, what was found, and what was expected.

use thiserror::Error;

/// Why a domain, or its tests, cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DomainError {
    /// There is no built-in domain of that name, and no file at that path.
    #[error("no domain {name:?}: expected one of {known}, or the path of a domain.yaml")]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The built-in domains, separated by commas.
        known: String,
    },
    /// A file cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The path of the file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The domain file is invalid.
    #[error("{path}: {problem}")]
    Invalid {
        /// The path of the file, or the name of a built-in domain.
        path: String,
        /// What is wrong.
        #[source]
        problem: DomainFileProblem,
    },
    /// `tests.yaml` is not what `copal domain test` reads.
    #[error(
        "tests.yaml: {message}: expected attributes with a list of strings under \"yes\" and under \"no\""
    )]
    InvalidTests {
        /// What the YAML parser says, with the line.
        message: String,
    },
}

/// What is wrong in a domain file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DomainFileProblem {
    /// An annotator is not a plain name.
    #[error(
        "attributes.{attribute}.annotators: {found:?} is not a name: expected lower-case letters, digits, - and _; \
         the user binds a program to the name"
    )]
    InvalidAnnotator {
        /// The attribute.
        attribute: String,
        /// The beginning of what was found.
        found: String,
    },
    /// The file is too large.
    #[error("has {bytes} bytes: expected at most {limit}")]
    TooLarge {
        /// Size of the file.
        bytes: usize,
        /// Largest accepted size.
        limit: usize,
    },
    /// The file defines too many attributes.
    #[error("attributes: has {found} entries: expected at most {limit}")]
    TooManyAttributes {
        /// How many it defines.
        found: usize,
        /// The most that are accepted.
        limit: usize,
    },
    /// The file is written for a newer copal.
    #[error(
        "version: {found} is newer than this copal reads: expected at most {supported}, or a newer copal"
    )]
    NewerVersion {
        /// The version of the file.
        found: u32,
        /// The newest version that is read.
        supported: u32,
    },
    /// The file is not YAML, or has an unknown or missing key.
    #[error("{message}")]
    Syntax {
        /// What the YAML parser says, with the line.
        message: String,
    },
    /// An attribute has an unknown type.
    #[error(
        "attributes.{attribute}.type: no type {found:?}: \
         expected integer, text, place, coordinates, {value_types}"
    )]
    UnknownType {
        /// The attribute.
        attribute: String,
        /// The type in the file.
        found: String,
        /// The value types, separated by commas.
        value_types: String,
    },
    /// A key names an attribute that the file does not define.
    #[error(
        "{key}: no attribute {name:?} (did you mean {nearest:?}?): expected one of those under attributes"
    )]
    UnknownAttribute {
        /// The key.
        key: &'static str,
        /// The name in the file.
        name: String,
        /// The most similar attribute.
        nearest: String,
    },
    /// A rule uses a name that `define` does not have.
    #[error("attributes.{attribute}.rules: {{{name}}} is not defined: expected one of define ({defined})")]
    UndefinedName {
        /// The attribute.
        attribute: String,
        /// The name in the rule.
        name: String,
        /// The defined names, separated by commas.
        defined: String,
    },
    /// Definitions use each other too deeply, or in a circle.
    #[error(
        "attributes.{attribute}.rules: definitions are nested more than {limit} deep or too long: \
         expected plain text in define"
    )]
    NestedDefinitions {
        /// The attribute.
        attribute: String,
        /// Deepest accepted nesting.
        limit: usize,
    },
    /// A rule is not a valid regular expression, or too large.
    #[error("attributes.{attribute}.rules: {source}")]
    InvalidRule {
        /// The attribute.
        attribute: String,
        /// What is wrong with it.
        source: RuleError,
    },
    /// A rule matches an empty text, and therefore everywhere.
    #[error(
        "attributes.{attribute}.rules: {rule:?} matches an empty text: \
         expected a rule that needs at least one character, such as \\d+ instead of \\d*"
    )]
    EmptyRule {
        /// The attribute.
        attribute: String,
        /// The rule.
        rule: String,
    },
    /// A threshold is not a share.
    #[error("thresholds.{key}: found {found}: expected a share from 0 to 1")]
    InvalidShare {
        /// The key.
        key: &'static str,
        /// The number in the file.
        found: f64,
    },
    /// All rules together are too large.
    #[error("rules: {0}: expected fewer or shorter rules")]
    TooManyRules(#[source] RuleError),
    /// A gazetteer cannot be read.
    #[error("attributes.{attribute}.gazetteers: {gazetteer} {problem}")]
    Gazetteer {
        /// The attribute.
        attribute: String,
        /// The gazetteer as the file names it.
        gazetteer: String,
        /// Why.
        #[source]
        problem: GazetteerProblem,
    },
    /// A file of words cannot be read.
    #[error("words: {file} {problem}")]
    WordFile {
        /// The file as the domain file names it.
        file: String,
        /// Why.
        #[source]
        problem: GazetteerProblem,
    },
    /// A file of words is invalid.
    #[error("{file}: {problem}")]
    Words {
        /// The file as the domain file names it.
        file: String,
        /// What is wrong.
        #[source]
        problem: Box<DomainFileProblem>,
    },
}

/// Why rules cannot be compiled, in the words of the regular expression engine.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct RuleError(String);

impl RuleError {
    pub(crate) fn new(error: impl std::fmt::Display) -> RuleError {
        RuleError(error.to_string())
    }
}

/// Why a gazetteer cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GazetteerProblem {
    /// A built-in domain has no such file.
    #[error("is not a file of the domain")]
    Missing,
    /// There is no shared gazetteer of that name.
    #[error("is not one of the shared gazetteers ({known})")]
    UnknownShared {
        /// The shared gazetteers, separated by commas.
        known: String,
    },
    /// The name has folders in it, or is hidden. Domains may only read files in their own folder.
    #[error("is not a plain file name: expected a file next to domain.yaml, or shared/<name>")]
    NotAPlainName,
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] std::io::Error),
}
