//! Arguments that several commands share, and what they mean. Commands import from here; nothing here knows a
//! command.

/// Sections of the long help. The short help of a command has one section instead of them.
pub(crate) const LIST_HEADING: &str = "Which list";
pub(crate) const COLUMN_HEADING: &str = "Columns";
pub(crate) const OUTPUT_HEADING: &str = "Output";
pub(crate) const RUN_HEADING: &str = "Threads and messages";

pub(crate) mod annotators;
pub(crate) mod choice;
pub(crate) mod columns;
pub(crate) mod crawl;
pub(crate) mod limits;
pub(crate) mod method;
pub(crate) mod network;
pub(crate) mod output;
pub(crate) mod pages;
pub(crate) mod render;
#[cfg(feature = "fetch")]
mod request_secrets;
pub(crate) mod run;
pub(crate) mod service;
