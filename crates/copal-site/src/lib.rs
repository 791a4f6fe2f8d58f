//! From an address to the whole list: pages are opened, followed and joined; nothing is asked that is not needed.
//!
//! `address ─open→ Document ─extract→ first list ─follow→ further pages, verified ─series→ one table ─details→ objects`
//!
//! [`Visitor`] does all of it with one [`Fetcher`](copal_fetch::Fetcher), which keeps the manners and the limits. Each step can
//! be stopped ([`Stopper`]): what was read until then is the answer.

mod details;
mod follow;
mod open;
mod stop;
mod visitor;

pub use follow::Progress;
pub use open::{OpenError, Opened};
pub use stop::{Stop, Stopper};
pub use visitor::{VisitOptions, Visitor};
