//! Drift: how a site's pages differ from those its wrapper was learned on.
//!
//! [`profile`] keeps statistics of the samples, [`differences`] compares one page with them, [`evidence`]
//! tells whether its records are the right ones, and [`check`] decides over several pages whether the site
//! has changed.

mod check;
mod differences;
mod drift_level;
mod evidence;
pub(crate) mod profile;
mod report;

pub use check::{Checker, check};
pub(crate) use differences::rule_of;
pub use drift_level::{Drift, DriftLevel};
pub use evidence::Evidence;
pub(crate) use evidence::is_sure_reading;
pub(crate) use profile::MAX_EXAMPLE_CHARS;
pub use report::{Alarm, CheckReport, PageCheck};
