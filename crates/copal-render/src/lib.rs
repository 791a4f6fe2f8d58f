//! Shows web pages in an installed Chromium and reads them as pages like any other.
//!
//! A URL goes in, a [`Tab`] comes out: its [`page`](Tab::page) is the tree that scripts have made of the
//! document, with computed styles and boxes; it can be scrolled, buttons can be pressed, and a picture taken.
//! The steps, one module each:
//!
//! 1. `executable` finds the browser,
//! 2. `process` starts and ends it, `connection` speaks the Chrome DevTools Protocol over a pipe,
//! 3. `renderer` shares one browser (`running`) between tabs (`tab_slots`) and replaces it after a crash,
//! 4. `tab` opens a page in a context of its own, behind a proxy of its own
//!    ([`EgressProxy`](copal_fetch::EgressProxy)),
//! 5. `session` handles what happens meanwhile (crashes, frames, windows), `quiet` waits until the page has
//!    finished, within limits,
//! 6. `page_input` presses elements, types into fields, and asks what a form would send,
//! 7. `snapshot` turns the browser's snapshot into a [`Page`](copal_dom::Page).
//!
//! # Untrusted input
//! A page may be hostile, and the browser that shows it may have been taken over: what it sends is parsed with
//! limits. Every wait is bounded. A browser that does not answer is killed with its process group.

mod captured;
mod connection;
mod error;
mod executable;
mod options;
mod page_input;
mod process;
mod quiet;
mod renderer;
mod running;
mod session;
mod snapshot;
mod tab;
mod tab_slots;

pub use error::RenderError;
pub use executable::{BROWSER_NAMES, FoundBrowser, find_browser};
pub use options::RenderOptions;
pub use page_input::{FormRequest, MAX_TYPED_CHARS};
pub use renderer::Renderer;
pub use snapshot::page_from_snapshot;
pub use tab::{ElementHandle, PageElements, ScrollStep, Tab};
