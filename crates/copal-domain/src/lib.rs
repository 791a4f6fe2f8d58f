//! Domains: typed attributes on the nodes of a page (AMBER section 4.2, the structured named entity recogniser).
//!
//! `Page ─text runs→ texts with hard separators ─recognise→ hits ─map→ annotations on nodes`.

pub mod annotations;
pub mod domain;
mod former;
pub mod gazetteer;
pub mod text_run;

pub use annotations::{Annotation, Annotations, Place};
pub use domain::{Domain, DomainError};
pub use text_run::TextRun;
