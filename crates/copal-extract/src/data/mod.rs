//! Lists that are data already: documents (JSON, feeds, XML) and the JSON that a page carries for its scripts.

pub mod documents;
pub(crate) mod embedded;
