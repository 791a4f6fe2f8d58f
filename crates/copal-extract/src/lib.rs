//! Lists of records in a page.
//!
//! `Page ─candidates→ Found regions ─columns→ Regions with aligned cells`. Every method (one paper's system each)
//! gives the same model and is callable on its own; see [`Method`].

pub mod data;
mod explain;
pub mod gazetteer_learning;
pub mod lists;
pub mod located;
pub mod multipage;
pub mod objects;
pub mod paging;
mod pipeline;
mod signals;
mod structure;
pub mod table;

pub use copal_model::*;
pub use lists::candidate::{AttributeColumn, ListCandidate, RankedLists};
pub use lists::propose::{amber::AmberOptions, buw::BuwOptions, mdr::MdrOptions, rdr::RdrOptions};
pub use lists::{ListOptions, find};
pub use pipeline::{
    AnalysedPage, KindRequest, NamedAnswer, PageDecision, Request, Request as Options, SetPage, analyse,
    answer_set, decide, extract, join_detail_pages,
};
pub use structure::line_text::{source_nodes, source_text};
