//! The wrapper file: YAML that a person can read and edit.
//!
//! [`model`] has the types, [`read`] turns text into a checked [`Wrapper`] and refuses files of other
//! versions of the format, and [`write`] turns a [`Wrapper`] into text with comments. Files in the style of
//! [`write`] are read without a general YAML reader ([`written_yaml`], [`written_values`]). A wrapper file is data
//! and never code. It may come from anybody, so sizes and selectors are bounded when the file is read.

mod model;
mod read;
mod write;
mod written_values;
mod written_yaml;

pub(crate) use model::MAX_LOCATORS;
pub use model::{
    ColumnProfile, ColumnRule, FORMAT_VERSION, Locator, Navigation, NavigationRoute, NavigationSearch,
    NavigationStep, PageKind, PageRule, Profile, ReadFrom, RecordRule, TextCut, Wrapper,
};
pub(crate) use read::MAX_CHANGES;
