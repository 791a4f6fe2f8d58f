//! One file a method: each finds all regions of a page on its own; `groups` are plain ones for the combination.

pub mod amber;
pub mod buw;
pub(crate) mod groups;
pub mod mdr;
pub mod rdr;
