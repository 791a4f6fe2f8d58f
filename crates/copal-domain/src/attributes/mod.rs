//! Attributes of a domain on the elements of a page (AMBER section 4.2, the structured named entity
//! recogniser).
//!
//! `annotate_page.rs` collects the texts, `attribute_finder.rs` reads them, `annotation_builder.rs` turns
//! what is found into annotations, `composition.rs` makes the annotations of one text consistent,
//! `element_values.rs` adds values that are not text, `label_places.rs` says which label belongs to which
//! value, and `typed_text.rs` whether a text that nothing recognised can be a value.

pub(crate) mod annotate_page;
mod annotation_builder;
pub(crate) mod attribute_annotation;
mod attribute_finder;
mod composition;
mod element_values;
mod label_places;
mod typed_text;
