//! Drift: how a site's pages differ from those its wrapper was learned on.
//!
//! [`profile`] keeps statistics of the samples, [`differences`] compares one page with them, and [`check`]
//! decides over several pages whether the site has changed.

mod check;
mod differences;
pub(crate) mod profile;
mod report;

pub use check::{Checker, check};
pub(crate) use differences::rule_of;
pub use report::{Alarm, CheckReport, Drift, DriftLevel, PageCheck};
