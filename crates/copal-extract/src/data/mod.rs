//! Lists that are already data: data documents (JSON, feeds, XML) and the JSON that a page carries for its
//! scripts.

pub mod documents;
pub(crate) mod embedded;
