//! Arguments that several commands share, and what they mean. Commands import from here; nothing here knows a
//! command.

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
