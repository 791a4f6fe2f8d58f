//! What the build script found in the files of the built-in domains, so that no run has to.
//!
//! In: nothing. Out: for each domain its file as JSON, with the words of all languages; the needs of its rules;
//! and what lists of domains show. Reading YAML and analysing rules would be half of the cost of using a domain.

use super::rule_needs::CharMask;

/// A built-in domain.
#[derive(Debug)]
pub(super) struct BuiltInDomain {
    pub(super) name: &'static str,
    /// What a record is called.
    pub(super) object: &'static str,
    /// Names and types of its attributes.
    pub(super) attributes: &'static [(&'static str, &'static str)],
    pub(super) term_count: usize,
    /// A `DomainFile` with the words of all languages, as JSON.
    pub(super) file: &'static str,
    pub(super) needs: BuiltInNeeds,
}

/// The needs of the rules of a built-in domain, in the order of its attributes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BuiltInNeeds {
    /// Different clauses.
    pub(super) clauses: &'static [BuiltInClause],
    /// Per rule, the indices of its clauses.
    pub(super) rules: &'static [&'static [u16]],
}

/// A clause of `rule_needs.rs`.
#[derive(Debug)]
pub(super) struct BuiltInClause {
    pub(super) words: &'static [&'static str],
    pub(super) ascii: u128,
    pub(super) other: u64,
}

impl BuiltInClause {
    pub(super) fn chars(&self) -> CharMask {
        CharMask { ascii: self.ascii, other: self.other }
    }
}

include!(concat!(env!("OUT_DIR"), "/built_in_domains.rs"));

/// The built-in domain of a name.
pub(super) fn built_in(name: &str) -> Option<&'static BuiltInDomain> {
    BUILT_IN_DOMAINS.iter().find(|domain| domain.name == name)
}

/// All built-in domains, by name.
pub(super) fn all() -> &'static [BuiltInDomain] {
    BUILT_IN_DOMAINS
}
