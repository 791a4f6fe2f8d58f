//! Typed values in a page's texts and attributes (AMBER section 4.2, the structured named entity recogniser).
//!
//! `Page ─clobs→ texts with hard separators ─recognise→ Hits ─map→ Annotations on nodes`.

pub mod annotate;
pub mod clob;
pub mod domain;
mod former;
pub mod gazetteer;
pub mod kind;
pub mod numbers;
pub mod recognise;
mod reconcile;
pub mod value;

pub use annotate::{Annotation, Annotations, Place};
pub use clob::Clob;
pub use domain::{Domain, DomainError};
pub use kind::Kind;
pub use recognise::{Hit, Marks, Recogniser};
pub use value::Value;
