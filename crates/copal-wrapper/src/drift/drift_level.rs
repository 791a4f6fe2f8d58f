//! One difference between a page and the profile of its wrapper, and how severe it is.

/// What a difference is about, from the least to the most severe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DriftLevel {
    /// The cells have changed.
    Value,
    /// The records are somewhere else, or the page has another template.
    Structure,
    /// There are too few or too many records.
    Count,
}

impl DriftLevel {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            DriftLevel::Value => "value",
            DriftLevel::Structure => "structure",
            DriftLevel::Count => "count",
        }
    }
}

/// A difference between a page and the profile of its wrapper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// What it is about.
    pub level: DriftLevel,
    /// The column, if it is about one.
    pub column: Option<String>,
    /// The difference, as a sentence for users.
    pub message: String,
}
