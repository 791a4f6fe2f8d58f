//! JSON in the scripts and `data-` attributes of a page, read without running anything.
//!
//! `sources` (where JSON may be) → `scan` (values) → `object_lists` (lists of objects inside a value) →
//! `objects` (objects as rows of dotted fields). In: a [`Page`](copal_dom::Page). Out: values and rows.
//! Linear in the scripts up to a fixed budget.

mod literal;
pub(crate) mod object_lists;
pub(crate) mod objects;
pub(crate) mod scan;
pub(crate) mod sources;
