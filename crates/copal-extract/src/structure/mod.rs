//! The structure of subtrees: layout of records, path keys, tag strings and edit distances.
//!
//! The lowest module of the crate: all other modules may use it, and it uses none of them.

pub(crate) mod data_sections;
pub(crate) mod element_urls;
pub(crate) mod layout;
pub(crate) mod line_text;
pub(crate) mod measure;
pub(crate) mod path_keys;
pub(crate) mod record_shape;
pub(crate) mod relative_paths;
pub(crate) mod section_headings;
pub(crate) mod similar;
pub(crate) mod tag_tree;
