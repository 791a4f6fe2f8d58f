//! The options of the list methods.

use super::propose::{amber::AmberOptions, buw::BuwOptions, mdr::MdrOptions, rdr::RdrOptions};
use super::rank::Ranker;
use copal_model::Method;

/// Which method finds the lists, and the constants of all methods.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ListOptions {
    /// The method.
    pub method: Method,
    /// Collect the evidence for and against every region.
    pub explain: bool,
    /// MDR's constants.
    pub mdr: MdrOptions,
    /// BUW's constants.
    pub buw: BuwOptions,
    /// RDR's constants and words.
    pub rdr: RdrOptions,
    /// AMBER's thresholds.
    pub amber: AmberOptions,
    /// How candidates are combined.
    pub combined: CombinedOptions,
}

/// How the candidates of all methods are combined.
#[derive(Debug, Clone)]
pub struct CombinedOptions {
    /// Which score ranks the candidates.
    pub ranker: Ranker,
    /// Minimum probability of the main list: a page whose best list has less has no main list. Without it the
    /// best likely list is given, and its role says whether it is clearly the main one.
    pub min_confidence: Option<f64>,
    /// Minimum probability of a list of records. A region with less is navigation.
    pub records: f64,
    /// Repair the boundaries of the records.
    pub refine: bool,
}

impl Default for CombinedOptions {
    fn default() -> Self {
        CombinedOptions { ranker: Ranker::default(), min_confidence: None, records: 0.5, refine: true }
    }
}
