//! One file a method: each finds all regions of a page on its own; `groups` are plain ones for the combination,
//! `declared_lists` what the page says of itself in JSON-LD.

pub mod amber;
pub mod buw;
pub(crate) mod declared_lists;
pub(crate) mod groups;
pub mod mdr;
pub mod rdr;
