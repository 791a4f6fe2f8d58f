//! One file per command. No command uses another one.

pub(crate) mod apply;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod domain;
pub(crate) mod export;
pub(crate) mod extract;
pub(crate) mod forms;
pub(crate) mod learn;
pub(crate) mod manual;
pub(crate) mod mcp;
pub(crate) mod repair;
pub(crate) mod sections;
pub(crate) mod serve;
pub(crate) mod site;
pub(crate) mod studio;
pub(crate) mod watch;
