//! One file a method: each finds all regions of a page on its own.

pub mod amber;
pub mod buw;
pub mod mdr;
pub mod rdr;
