//! The string types that the `selectors` crate is instantiated with.
//!
//! Names are plain boxed strings: a page's selectors are few and short, so interning them would gain nothing.

use cssparser::ToCss;
use precomputed_hash::PrecomputedHash;
use selectors::SelectorImpl;
use selectors::parser::{NonTSPseudoClass, Parser, PseudoElement, SelectorParseErrorKind};
use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A fast hash of a text.
pub(crate) fn hash(text: &str) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The set of types that selectors are made of here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SelectorNames;

impl SelectorImpl for SelectorNames {
    type ExtraMatchingData<'a> = ();
    type AttrValue = SelectorName;
    type Identifier = SelectorName;
    type LocalName = SelectorName;
    type NamespaceUrl = SelectorName;
    type NamespacePrefix = SelectorName;
    type BorrowedNamespaceUrl = str;
    type BorrowedLocalName = str;
    type NonTSPseudoClass = NoPseudo;
    type PseudoElement = NoPseudo;
}

/// An identifier, a tag name or an attribute value of a selector.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SelectorName(Box<str>);

impl From<&str> for SelectorName {
    fn from(text: &str) -> SelectorName {
        SelectorName(text.into())
    }
}

impl AsRef<str> for SelectorName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for SelectorName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl ToCss for SelectorName {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        cssparser::serialize_identifier(&self.0, out)
    }
}

impl PrecomputedHash for SelectorName {
    fn precomputed_hash(&self) -> u32 {
        hash(&self.0) as u32
    }
}

/// States of elements (`:hover`) and parts that are not in the tree (`::before`). A saved page has neither.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoPseudo {}

impl ToCss for NoPseudo {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl NonTSPseudoClass for NoPseudo {
    fn is_active_or_hover(&self) -> bool {
        match *self {}
    }

    fn is_user_action_state(&self) -> bool {
        match *self {}
    }
}

impl PseudoElement for NoPseudo {}

/// Accepts `:is()`, `:where()` and `:has()` besides what selectors always have.
pub(super) struct SelectorParser;

impl Parser<'_> for SelectorParser {
    type Impl = SelectorNames;
    type Error = SelectorParseErrorKind;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }
}
