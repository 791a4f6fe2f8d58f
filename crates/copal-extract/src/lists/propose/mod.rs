//! The proposers: code that proposes list candidates.
//!
//! One module per method of a paper (`mdr`, `buw`, `rdr`, `amber`), each of which finds all regions of a page
//! on its own. `groups` proposes plain groups of elements for the combined method, and `declared_lists`
//! proposes the lists that a page declares in JSON-LD.

pub(crate) mod amber;
pub(crate) mod buw;
pub(crate) mod declared_lists;
pub(crate) mod groups;
pub(crate) mod mdr;
pub(crate) mod rdr;
