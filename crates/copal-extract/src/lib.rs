//! Lists of records in a page.
//!
//! `Page ─candidates→ Found regions ─columns→ Regions with aligned cells`. Every method (one paper's system each)
//! gives the same model and is callable on its own; see [`Method`].

pub mod data;
mod document;
mod explain;
pub mod gazetteer_learning;
mod list_choice;
mod lists;
pub mod located;
pub mod multipage;
pub mod objects;
pub mod paging;
mod pipeline;
mod request;
mod requested_fields;
mod signals;
mod structure;
mod table;

pub use copal_model::*;
pub use document::{Document, ReadError, Received, extract_bytes, extract_html, read};
pub use lists::candidate::{AttributeColumn, ListCandidate, RankedLists};
pub use lists::propose::amber::attribute_alignment::AlignmentOptions;
pub use lists::propose::{amber::AmberOptions, buw::BuwOptions, mdr::MdrOptions, rdr::RdrOptions};
pub use lists::{CombinedOptions, ListOptions, Ranker, SettingError, UnknownRanker, find};
pub use pipeline::{
    AnalysedPage, NamedAnswer, PageDecision, SetPage, analyse, answer_set, decide, extract, join_detail_pages,
};
pub use request::{ElementSelector, FieldRequest, KindRequest, ListChoice, Request};
pub use structure::line_text::{source_nodes, source_text};

/// Intermediate results for fitting and evaluation. Not part of the stable interface.
#[cfg(feature = "research")]
pub mod research {
    pub use crate::lists::combined::{DescribedCandidate, describe};
    pub use crate::lists::propose::amber::find_annotated;
    pub use crate::objects::switches::Switches;
    pub use crate::table::confidence::region_measures::{Measures, RegionMeasures, measure_region};
}
