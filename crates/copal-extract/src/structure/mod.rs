//! The shape of subtrees: layout of records, path keys, tag strings, edit distances. Everything above builds on it.

pub(crate) mod element_urls;
pub(crate) mod layout;
pub(crate) mod line_text;
pub(crate) mod measure;
pub(crate) mod path_keys;
pub(crate) mod record_shape;
pub(crate) mod relative_paths;
pub(crate) mod similar;
pub(crate) mod tag_tree;
