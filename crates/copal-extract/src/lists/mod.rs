//! Lists of records: candidates of every method, their boundaries, features and ranking.
//!
//! `propose/` has one folder or file per proposer, `borders/` fixes where records begin and end, `features/` measures
//! candidates, `rank/` orders them and gives roles, `combined.rs` runs these steps. In: a [`Page`] and [`ListOptions`].
//! Out: [`RankedLists`]: regions as node ranges, best first.

mod borders;
pub mod candidate;
pub mod combined;
mod features;
pub mod propose;
mod rank;
mod settings;

use candidate::RankedLists;
use combined::CombinedOptions;
use copal_dom::Page;
use copal_model::Method;
use propose::{amber, buw, mdr, rdr};

/// Which method finds the lists, and the constants of all methods.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ListOptions {
    /// The method.
    pub method: Method,
    /// Collect the evidence for and against every region.
    pub explain: bool,
    /// MDR's constants.
    pub mdr: mdr::MdrOptions,
    /// BUW's constants.
    pub buw: buw::BuwOptions,
    /// RDR's constants and words.
    pub rdr: rdr::RdrOptions,
    /// AMBER's thresholds.
    pub amber: amber::AmberOptions,
    /// How candidates are combined.
    pub combined: CombinedOptions,
}

/// The regions of a page as the method finds them, best first.
pub fn find(page: &Page, options: &ListOptions) -> RankedLists {
    match options.method {
        Method::Mdr => mdr::find(page, &options.mdr),
        Method::Buw => buw::find(page, &options.buw),
        Method::Rdr => rdr::find(page, &options.rdr),
        Method::Amber => amber::find(page, &options.amber),
        Method::Combined => combined::find(page, options),
        // the records of a wrapper are located, not searched for
        Method::Wrapper => RankedLists::default(),
    }
}
