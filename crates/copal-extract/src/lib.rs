//! Lists of records in a page.
//!
//! `Page ─candidates→ Found regions ─columns→ Regions with aligned cells`. Every method (one paper's system each)
//! gives the same model and is callable on its own; see [`Method`].

pub mod data;
mod document;
mod explain;
pub mod gazetteer_learning;
mod list_choice;
pub mod lists;
pub mod located;
pub mod multipage;
pub mod objects;
pub mod page_lines;
pub mod paging;
mod pipeline;
mod request;
mod requested_fields;
mod signals;
mod structure;
pub mod table;

pub use copal_model::*;
pub use document::{Document, ReadError, Received, extract_bytes, extract_html, read};
pub use lists::candidate::{AttributeColumn, ListCandidate, RankedLists};
pub use lists::propose::{amber::AmberOptions, buw::BuwOptions, mdr::MdrOptions, rdr::RdrOptions};
pub use lists::{ListOptions, find};
pub use pipeline::{
    AnalysedPage, NamedAnswer, PageDecision, SetPage, analyse, answer_set, decide, extract, join_detail_pages,
};
pub use request::{ElementSelector, FieldRequest, KindRequest, ListChoice, Request};
pub use structure::line_text::{source_nodes, source_text};
