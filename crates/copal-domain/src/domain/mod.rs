//! Domains: which attributes an object has, and how their values and labels are recognised (AMBER sections
//! 4.1, 4.2).
//!
//! In: a domain: `domain.yaml` with its gazetteers and words, built in or in a folder. Out: [`Domain`], compiled. A
//! domain is data, never code; names that are not defined are refused with a hint.

pub(crate) mod attribute;
mod built_in_tables;
mod compile;
mod compiled_rule;
mod domain_file;
mod load;
pub(crate) mod model;
mod rule_filter;
#[cfg(test)]
mod rule_filter_tests;
mod rule_needs;
mod rule_spelling;
mod rules;
mod variants;
mod word_files;

pub use attribute::{AttributeType, DomainAttribute};
pub use load::{AttributeTerms, DomainSummary};
pub use model::{Domain, DomainThresholds};
