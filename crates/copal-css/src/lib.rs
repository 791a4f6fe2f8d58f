//! CSS on a page's tree, without a browser.
//!
//! - Selectors: [`ElementIndex`] and the types with which the `selectors` crate works on a [`copal_dom::Tree`].
//! - A cascade: [`style_page`] gives a page the styles of its stylesheets, as far as they tell texts apart or hide them:
//!   display, visibility, fonts, colours, decoration, alignment and white space. [`computed_styles`] gives the computed
//!   values themselves.
//!
//! ```
//! use copal_css::{Stylesheets, style_page};
//! use copal_dom::{Limits, Page};
//!
//! let html = "<style>.sold { display: none }</style><p>Lamp<p class=sold>Chair";
//! let mut page = Page::from_text(html, &Limits::default());
//! style_page(&mut page, &Stylesheets::default());
//! assert_eq!(page.text_of(0), "Lamp");
//! ```
//!
//! Stylesheets are untrusted. Bytes, rules, nesting, custom properties and the steps of selectors are limited; nothing
//! recurses over the tree. No file is opened and nothing is fetched.

mod cascade;
mod class_index;
mod colours;
mod computed;
mod computed_style;
mod conditions;
mod declaration_block;
mod declarations;
mod element_index;
mod font_values;
mod given_sheets;
mod hiding_values;
mod hints;
mod keywords;
mod layers;
mod lengths;
mod linked_sheets;
mod page_styles;
mod properties;
mod rule_index;
mod selector_names;
mod stylesheet;
mod variables;
mod viewport;

pub use cascade::ComputedStyles;
pub use colours::Colour;
pub use computed_style::ComputedStyle;
pub use element_index::{ElementIndex, ElementRef};
pub use given_sheets::Stylesheets;
pub use linked_sheets::linked_stylesheets;
pub use page_styles::{StylingReport, computed_styles, style_page};
pub use properties::Decoration;
pub use selector_names::{ElementState, GeneratedPart, SelectorName, SelectorNames, SelectorParser, hash};
