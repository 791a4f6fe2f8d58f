#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! `Page ─ text_runs ─→ texts ─ recognisers, rules, gazetteers, labels ─→ annotations on elements`:
//! [`domain`] compiles domain files, `attributes` annotates a page with a domain, and [`value_annotations`]
//! annotates it with value types alone. `annotator` asks programs that a user binds to names in a domain file.

mod annotator;
mod attributes;
mod crossed_out;
pub mod domain;
pub mod domain_tests;
mod error;
pub mod gazetteer;
pub mod text_runs;
pub mod value_annotations;

pub use annotator::{
    Annotator, AnnotatorAnswerError, AnnotatorRequest, MAX_ANSWER_ANNOTATIONS, MAX_ANSWER_BYTES,
    TextAnnotation,
};
pub use attributes::annotate_page::{annotate, annotate_beginning, annotate_object, annotate_parts};
pub use attributes::attribute_annotation::{AttributeAnnotation, FoundBy};
pub use domain::{AttributeTerms, AttributeType, Domain, DomainAttribute, DomainSummary, DomainThresholds};
pub use error::{DomainError, DomainFileProblem, GazetteerProblem, RuleError};
pub use text_runs::TextRuns;
pub use value_annotations::{Annotation, AnnotationPlace, Annotations};
