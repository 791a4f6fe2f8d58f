//! Extracts a whole list from a URL: opens the page, follows the list over its pages, and reads the detail
//! pages of its records.
//!
//! [`Visitor`] does this with one [`Fetcher`](copal_fetch::Fetcher), which enforces politeness and limits.
//! The steps, one module each:
//!
//! 1. `page_opener` fetches a URL and parses it (`meta_refresh` finds redirects inside pages, and
//!    `stylesheet_fetching` fetches stylesheets if asked to),
//! 2. `visitor` extracts the lists of the first page,
//! 3. `follow` reads the following pages of the main list and joins their records,
//! 4. with the feature `render`, `rendering` shows pages in a browser (`rendering_need` decides which), closes
//!    consent layers (`consent_layer`), and `follow` scrolls and presses buttons there; where the page's script
//!    loads the list as JSON, `replaying` reads the rest of it without the browser (`replay`),
//! 5. `suggestion_typing` types into a field of a search form there, and takes the suggestions that appear
//!    (`suggestion_list`),
//! 6. `detail_pages` adds the fields of the records' own pages.
//!
//! A visit can be stopped at any time ([`Stopper`]): what was read until then is the answer.

#[cfg(feature = "render")]
mod consent_layer;
#[cfg(feature = "render")]
mod consent_words;
mod detail_pages;
mod error;
mod follow;
mod meta_refresh;
mod next_candidates;
mod options;
mod page_opener;
mod progress;
mod render_mode;
#[cfg_attr(not(feature = "render"), path = "rendering_disabled.rs")]
mod rendering;
mod rendering_need;
#[cfg(feature = "render")]
mod replay;
#[cfg_attr(not(feature = "render"), path = "replaying_disabled.rs")]
mod replaying;
mod stop_reason;
mod stopper;
mod stylesheet_fetching;
mod suggested_search;
#[cfg(feature = "render")]
mod suggestion_list;
#[cfg(feature = "render")]
mod suggestion_typing;
mod visitor;

pub use error::SiteError;
pub use meta_refresh::refresh_target;
pub use options::VisitOptions;
pub use page_opener::{FetchedBytes, OpenedDocument};
pub use progress::{DetailProgress, VisitProgress};
pub use render_mode::{PagePicture, RenderMode, SavedPage};
pub use rendering::Rendering;
pub use rendering_need::reason_to_render;
pub use stop_reason::StopReason;
pub use stopper::Stopper;
pub use suggested_search::{SearchField, SuggestedSearch, SuggestionQuery};
pub use visitor::{ReadDocument, Visitor};
