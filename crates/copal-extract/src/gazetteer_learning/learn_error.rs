//! Why an attribute cannot be learned.

/// Why an attribute cannot be learned.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LearnError {
    /// The domain has no such attribute.
    Unknown {
        /// The attribute that was asked for.
        name: String,
        /// The attributes that can be learned.
        known: String,
    },
    /// Its values are not words, so that they cannot be listed.
    NotWords {
        /// The attribute that was asked for.
        name: String,
        /// The type of its values.
        kind: &'static str,
        /// The attributes that can be learned.
        known: String,
    },
    /// There are no terms to begin with.
    NoSeed(String),
}

impl std::fmt::Display for LearnError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LearnError::Unknown { name, known } => {
                write!(f, "no attribute {name:?}: expected one of {known}")
            }
            LearnError::NotWords { name, kind, known } => {
                write!(f, "values of {name} ({kind}) are not in lists of terms: expected one of {known}")
            }
            LearnError::NoSeed(name) => {
                write!(f, "{name} has no list of terms to begin with: give some terms with --from FILE")
            }
        }
    }
}

impl std::error::Error for LearnError {}
