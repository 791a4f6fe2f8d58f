//! From the bytes of a web page to a bounded tree.
//!
//! `bytes ─decode→ text ─parse→ Tree ─style→ Styles ─index→ Index`, combined in a [`Page`]. Everything is in
//! document order and indexed by [`Node`].
//!
//! ```
//! use copal_dom::{Limits, Page, xpath::XPaths};
//!
//! let page = Page::from_text("<ul><li>one<li hidden>two", &Limits::default());
//! let list = page.tree.find(copal_dom::tags::UL).expect("the page has a list");
//! assert_eq!(page.text_of(list), "one");
//! assert_eq!(XPaths::new(&page.tree).of(list), "/html/body/ul[1]");
//! ```
//!
//! # Untrusted input
//!
//! Pages may be hostile. [`Limits`] act while a page is read, so memory and time are bounded before a tree
//! exists. Nothing recurses over input, and no input may cause a panic. The stages after parsing are linear
//! in the size of the tree, and those that cost much per byte have a [`WorkBudget`].

pub mod attrs;
mod boxes;
mod cpu_clock;
pub mod decode;
mod draft;
pub mod hash;
mod index;
mod limits;
mod mhtml;
mod names;
mod page;
pub mod parse;
mod rendered;
pub mod serialise;
pub mod splice;
pub mod style;
pub mod tags;
mod text;
mod tree;
pub mod url;
pub mod warc;
mod words;
mod work;
pub mod xpath;

pub use attrs::AttrName;
pub use boxes::{Boxes, Rect};
pub use decode::{DecodeError, Decoded};
pub use draft::Draft;
pub use index::Index;
pub use limits::{Limit, Limits, Warning};
pub use mhtml::SavedStylesheet;
pub use page::{Page, PageSource};
pub use rendered::{RenderedLook, RenderedPageBuilder};
pub use style::Styles;
pub use tags::Tag;
pub use text::{letters_and_digits, push_collapsed, squash, squash_start};
pub use tree::{Children, NONE, Node, Tree};
pub use words::{is_stable_word, stable_classes};
pub use work::WorkBudget;
