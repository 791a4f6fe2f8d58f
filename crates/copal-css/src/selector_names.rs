//! The string types that the `selectors` crate is instantiated with.
//!
//! Names are plain boxed strings: a page's selectors are few and short, so interning them would gain nothing.

use cssparser::{CowRcStr, ParseError, ToCss};
use precomputed_hash::PrecomputedHash;
use selectors::SelectorImpl;
use selectors::parser::{NonTSPseudoClass, Parser, PseudoElement, SelectorParseErrorKind};
use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A fast hash of a text.
pub fn hash(text: &str) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The set of types that selectors are made of here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorNames;

impl SelectorImpl for SelectorNames {
    type ExtraMatchingData<'a> = ();
    type AttrValue = SelectorName;
    type Identifier = SelectorName;
    type LocalName = SelectorName;
    type NamespaceUrl = SelectorName;
    type NamespacePrefix = SelectorName;
    type BorrowedNamespaceUrl = str;
    type BorrowedLocalName = str;
    type NonTSPseudoClass = ElementState;
    type PseudoElement = GeneratedPart;
}

/// An identifier, a tag name or an attribute value of a selector.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SelectorName(Box<str>);

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

/// A state of an element, as far as a page that nobody has touched can be in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementState {
    /// `:link`, `:any-link`
    Link,
    /// `:checked`
    Checked,
    /// `:disabled`
    Disabled,
    /// `:enabled`
    Enabled,
    /// `:open`
    Open,
    /// `:defined`
    Defined,
    /// States that need a user, such as `:hover`.
    Never,
}

impl ElementState {
    /// The state with a name that browsers know.
    fn named(name: &str) -> Option<ElementState> {
        Some(match name.to_ascii_lowercase().as_str() {
            "link" | "any-link" | "-webkit-any-link" => ElementState::Link,
            "checked" => ElementState::Checked,
            "disabled" => ElementState::Disabled,
            "enabled" => ElementState::Enabled,
            "open" => ElementState::Open,
            "defined" => ElementState::Defined,
            "hover"
            | "active"
            | "focus"
            | "focus-visible"
            | "focus-within"
            | "visited"
            | "target"
            | "target-within"
            | "fullscreen"
            | "-webkit-full-screen"
            | "autofill"
            | "-webkit-autofill"
            | "invalid"
            | "user-invalid"
            | "user-valid"
            | "out-of-range"
            | "indeterminate"
            | "playing"
            | "paused"
            | "popover-open"
            | "modal"
            | "picture-in-picture"
            | "placeholder-shown"
            | "-webkit-drag" => ElementState::Never,
            _ => return None,
        })
    }
}

impl ToCss for ElementState {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        write!(out, ":{self:?}")
    }
}

impl NonTSPseudoClass for ElementState {
    fn is_active_or_hover(&self) -> bool {
        false
    }

    fn is_user_action_state(&self) -> bool {
        *self == ElementState::Never
    }
}

/// A part of an element that is not in the tree (`::before`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GeneratedPart;

impl ToCss for GeneratedPart {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        out.write_str("::part")
    }
}

impl PseudoElement for GeneratedPart {
    fn accepts_state_pseudo_classes(&self) -> bool {
        true
    }
}

/// Accepts `:is()`, `:where()` and `:has()` besides what selectors always have.
#[derive(Debug, Clone, Copy)]
pub struct SelectorParser {
    /// Also accepts what stylesheets have: states, generated parts and `&`.
    is_for_stylesheets: bool,
}

impl SelectorParser {
    /// For selectors of users. A state or a generated part never matches, so that it is an error.
    pub const FOR_SAVED_PAGES: SelectorParser = SelectorParser { is_for_stylesheets: false };
    /// For stylesheets, where one unknown selector makes the whole rule invalid.
    pub const FOR_STYLESHEETS: SelectorParser = SelectorParser { is_for_stylesheets: true };
}

fn unsupported() -> ParseError<SelectorParseErrorKind> {
    ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement)
}

impl<'i> Parser<'i> for SelectorParser {
    type Impl = SelectorNames;
    type Error = SelectorParseErrorKind;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_parent_selector(&self) -> bool {
        self.is_for_stylesheets
    }

    fn parse_nth_child_of(&self) -> bool {
        self.is_for_stylesheets
    }

    fn parse_non_ts_pseudo_class(
        &self,
        name: CowRcStr<'i>,
    ) -> Result<ElementState, ParseError<SelectorParseErrorKind>> {
        ElementState::named(&name).filter(|_| self.is_for_stylesheets).ok_or_else(unsupported)
    }

    fn parse_pseudo_element(
        &self,
        name: CowRcStr<'i>,
    ) -> Result<GeneratedPart, ParseError<SelectorParseErrorKind>> {
        let lower = name.to_ascii_lowercase();
        let is_known = lower.starts_with("-webkit-")
            || matches!(
                lower.as_str(),
                "before"
                    | "after"
                    | "first-line"
                    | "first-letter"
                    | "marker"
                    | "placeholder"
                    | "selection"
                    | "backdrop"
                    | "file-selector-button"
                    | "details-content"
                    | "cue"
                    | "grammar-error"
                    | "spelling-error"
                    | "target-text"
                    | "view-transition"
            );
        (self.is_for_stylesheets && is_known).then_some(GeneratedPart).ok_or_else(unsupported)
    }
}
