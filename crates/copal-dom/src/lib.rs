//! From bytes to a bounded tree of a web page.
//!
//! `bytes ─decode→ text ─parse→ Tree ─style→ Styles ─index→ Index`, put together in a [`Page`]. Everything is in
//! document order and indexed by [`Node`]; nothing recurses over input; [`Limits`] act while the page is read.

pub mod attrs;
pub mod decode;
mod draft;
pub mod hash;
mod index;
mod limits;
mod mhtml;
mod page;
pub mod parse;
pub mod serialise;
pub mod splice;
pub mod style;
pub mod tags;
mod text;
mod tree;
pub mod url;
mod words;
pub mod xpath;

pub use attrs::AttrName;
pub use decode::{DecodeError, Decoded};
pub use draft::Draft;
pub use index::Index;
pub use limits::{Limit, Limits, Warning};
pub use page::{Page, Source};
pub use style::Styles;
pub use tags::Tag;
pub use text::{letters_and_digits, push_collapsed, squash};
pub use tree::{Children, NONE, Node, Tree};
pub use words::{is_stable_word, stable_classes};
