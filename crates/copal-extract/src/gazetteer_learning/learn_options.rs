//! Options of gazetteer learning.

use crate::lists::propose::amber::AmberOptions;

/// Thresholds of learning.
#[derive(Debug, Clone)]
pub struct LearnOptions {
    /// Terms with a lower confidence are left out (l in the thesis).
    pub lower: f64,
    /// From this confidence on, a term is added without a question (u).
    pub upper: f64,
    /// Share of the records of a page that must have the attribute at a path before anything is inferred
    /// there (g).
    pub support: f64,
    /// How records are found; its thresholds of inference are replaced by `support`.
    pub amber: AmberOptions,
}

impl Default for LearnOptions {
    fn default() -> Self {
        LearnOptions { lower: 0.5, upper: 0.5, support: 0.3, amber: AmberOptions::default() }
    }
}
