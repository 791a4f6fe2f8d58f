//! Options and errors of gazetteer learning.

use crate::lists::propose::amber::AmberOptions;

/// Thresholds of learning.
#[derive(Debug, Clone)]
pub struct LearnOptions {
    /// Terms below this confidence are not added (l in the thesis).
    pub lower: f64,
    /// Terms with at least this confidence are added without asking (u).
    pub upper: f64,
    /// Share of a page's records that must have the attribute at a path before anything is inferred there
    /// (g).
    pub support: f64,
    /// How records are found. Its thresholds of inference are overridden by `support`.
    pub amber: AmberOptions,
}

impl Default for LearnOptions {
    fn default() -> Self {
        LearnOptions { lower: 0.5, upper: 0.5, support: 0.3, amber: AmberOptions::default() }
    }
}

/// Why an attribute cannot be learned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// The domain has no such attribute.
    #[error("no attribute {name:?}: expected one of {known}")]
    Unknown {
        /// The attribute that was asked for.
        name: String,
        /// The attributes that can be learned, separated by commas.
        known: String,
    },
    /// Its values are not words.
    #[error("values of {name} ({kind}) are not in lists of terms: expected one of {known}")]
    NotWords {
        /// The attribute that was asked for.
        name: String,
        /// The type of its values.
        kind: &'static str,
        /// The attributes that can be learned, separated by commas.
        known: String,
    },
    /// There are no terms to begin with.
    #[error("{0} has no list of terms to begin with: give some terms with --from FILE")]
    NoSeed(String),
}
