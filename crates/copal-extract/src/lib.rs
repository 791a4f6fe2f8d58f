//! Lists of records in a page.
//!
//! `Page ─candidates→ Found regions ─columns→ Regions with aligned cells`. Every method (one paper's system each)
//! gives the same model and is callable on its own; see [`Method`].

pub mod candidates;
mod columns;
pub mod combined;
pub mod confidence;
pub mod data;
pub mod detail;
mod embedded;
mod explain;
mod extract;
pub mod given;
pub mod learn;
mod model;
pub mod objects;
mod outline;
pub mod paging;
mod places;
pub mod series;
mod settings;
mod similar;
mod tag_tree;

pub use candidates::{amber::AmberOptions, buw::BuwOptions, mdr::MdrOptions, rdr::RdrOptions};
pub use explain::{Explanation, Reading, Reason};
pub use extract::{Options, extract, find};
pub use model::*;
pub use outline::{Outline, OutlineLine, Shown, Step};
