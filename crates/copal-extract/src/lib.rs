//! Finds the records and objects on a web page.
//!
//! In: a page or a data document, and a [`Request`]. Out: an [`Answer`]. [`extract`] reads one page,
//! [`extract_bytes`] decides by itself whether bytes are a page or data, and [`answer_set`] reads several
//! pages together. The steps are: `lists` proposes lists of records and ranks them, `table` aligns the
//! records in columns, [`objects`] reads pages about one object, [`paging`] finds next links and counters,
//! and [`data`] reads JSON and XML. Each method (the system of one paper) can also be run alone and returns
//! the same types; see [`Method`].

pub mod data;
mod document;
mod explain;
pub mod gazetteer_learning;
mod list_choice;
mod lists;
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
mod table;

pub use copal_model::*;
pub use document::{Document, ReadError, Received, extract_bytes, extract_html, read};
pub use lists::candidate::{AttributeColumn, ListCandidate, RankedLists};
pub use lists::propose::amber::attribute_alignment::AlignmentOptions;
pub use lists::propose::{amber::AmberOptions, buw::BuwOptions, mdr::MdrOptions, rdr::RdrOptions};
pub use lists::{CombinedOptions, ListOptions, Ranker, SettingError, UnknownRanker, find};
pub use multipage::answer_set;
#[cfg(feature = "serde")]
pub use pipeline::TransferredNamedAnswer;
pub use pipeline::{
    AnalysedPage, KnownContent, LinkedObjects, LinkedRecord, NamedAnswer, PageDecision, SetPage, analyse,
    decide, extract, extract_known, join_detail_pages, join_linked_objects,
};
pub use request::{ElementSelector, FieldRequest, KindRequest, ListChoice, Request};
pub use structure::line_text::{source_nodes, source_text};

/// Intermediate results for fitting and evaluation. Not part of the stable interface.
#[cfg(feature = "research")]
pub mod research {
    pub use crate::lists::combined::{DescribedCandidate, describe};
    pub use crate::lists::propose::amber::find_annotated;
    pub use crate::lists::propose::rdr::rich_data_region;
    pub use crate::objects::switches::Switches;
    pub use crate::objects::{
        FieldDescription, ObjectSideDescription, describe_fields, describe_object_side,
    };
    pub use crate::table::confidence::region_measures::{Measures, RegionMeasures, measure_region};
}
