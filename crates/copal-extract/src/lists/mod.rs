//! Lists of records: candidates of every method, their boundaries, features and ranking.
//!
//! `propose/` has one folder or file per proposer, `boundaries/` repairs where records begin and end,
//! `features/` measures candidates, `rank/` scores them, `domain_evidence.rs` says what a domain knows about
//! them, `combined.rs` runs these steps and gives the roles, and `sections.rs` adds the other sections of the
//! main list. In: a [`Page`] and [`ListOptions`]. Out: [`RankedLists`]: regions as node ranges, best first.

mod boundaries;
pub(crate) mod candidate;
pub(crate) mod combined;
mod domain_evidence;
mod features;
mod options;
pub(crate) mod propose;
mod rank;
mod sections;
mod settings;

pub use options::{CombinedOptions, ListOptions};
pub use rank::{Ranker, UnknownRanker};
pub use settings::SettingError;

use crate::signals::Signals;
use candidate::RankedLists;
use copal_dom::Page;
use copal_model::Method;
use propose::{amber, buw, mdr, rdr};

/// The regions of a page as the method finds them, best first.
pub fn find(page: &Page, options: &ListOptions) -> RankedLists {
    find_with_signals(&Signals::new(page), options)
}

/// The same for a page whose signals other stages read too.
pub(crate) fn find_with_signals(signals: &Signals<'_>, options: &ListOptions) -> RankedLists {
    let page = signals.page;
    match options.method {
        Method::Mdr => mdr::find(page, &options.mdr),
        Method::Buw => buw::find(page, &options.buw),
        Method::Rdr => rdr::find(page, &options.rdr),
        Method::Amber => amber::find(page, &options.amber),
        Method::Combined => sections::with_all_sections(signals, combined::find(signals, options)),
        // the records of a wrapper are located, not searched for
        Method::Wrapper => RankedLists::default(),
    }
}
