//! Why an answer is what it is.

use crate::region::Role;

/// One thing that was known.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// What.
    pub text: String,
    /// What it added to the score (below zero: it spoke against); none if it is but told.
    pub weight: Option<f64>,
}

impl Evidence {
    /// Evidence without a weight.
    pub fn told(text: String) -> Evidence {
        Evidence { text, weight: None }
    }
}

/// Why an answer is what it is.
#[derive(Debug, Clone, Default)]
pub struct Explanation {
    /// Typed texts in document order.
    pub readings: Vec<RecognisedText>,
    /// What was decided, most important first.
    pub reasons: Vec<Decision>,
}

/// A text that was recognised.
#[derive(Debug, Clone)]
pub struct RecognisedText {
    /// The text.
    pub text: String,
    /// The attribute of the domain, or the generic type.
    pub kind: String,
    /// It names the attribute; it is not a value of it.
    pub label: bool,
    /// The recogniser: `rule`, `term`, `type`, `label`, `element`.
    pub by: &'static str,
    /// Crossed out.
    pub old: bool,
    /// Place of its element.
    pub xpath: String,
}

/// A decision and its grounds.
#[derive(Debug, Clone)]
pub struct Decision {
    /// What it is about: the place of a region.
    pub about: String,
    /// All of it in one sentence.
    pub text: String,
    /// The role of the region; none if the reason is not about one that was found.
    pub role: Option<Role>,
    /// What spoke for and against it, one by one.
    pub grounds: Vec<Evidence>,
}

impl Decision {
    /// A reason that is no more than its sentence.
    pub fn told(about: String, text: String) -> Decision {
        Decision { about, text, role: None, grounds: Vec::new() }
    }
}
