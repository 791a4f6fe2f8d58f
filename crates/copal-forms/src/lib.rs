//! Understands the forms of a page.
//!
//! In: a [`Page`](copal_dom::Page). Out: its [`Form`]s with their type and the type of each field. The evidence is
//! that of OPAL (markup, labels in the same segment of the page, and words); layout is not used. [`find_forms`] reads
//! each node a bounded number of times and fills in nothing.

mod controls;
mod evidence;
mod field_types;
mod find;
mod form_types;
mod labels;
mod model;
mod vocabulary;

pub use find::find_forms;
pub use model::{ChoiceOption, Control, FieldType, Form, FormField, FormType};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
