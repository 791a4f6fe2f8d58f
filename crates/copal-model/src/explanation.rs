//! Why an answer is what it is.

use crate::role::Role;

/// One reason for or against a region.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Evidence {
    /// The reason in words.
    pub text: String,
    /// What it added to the score (below zero: against the region); `None` if it has no weight.
    #[cfg_attr(feature = "serde", serde(with = "crate::exact_values::optional_bits"))]
    pub weight: Option<f64>,
}

impl Evidence {
    /// Evidence without a weight.
    pub fn stated(text: String) -> Evidence {
        Evidence { text, weight: None }
    }
}

/// Why an answer is what it is.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Explanation {
    /// Typed texts in document order.
    pub readings: Vec<RecognisedText>,
    /// What was decided, most important first.
    pub reasons: Vec<Decision>,
}

/// A text that a recogniser found.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RecognisedText {
    /// The text.
    pub text: String,
    /// The attribute of the domain; without a domain, the value type.
    pub attribute: String,
    /// The text names the attribute and is not a value of it.
    pub label: bool,
    /// The recogniser: `rule`, `term`, `type`, `label`, `element`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "copal_values::static_text::required"))]
    pub by: copal_values::StaticText,
    /// The text is crossed out.
    pub old: bool,
    /// The XPath of its element.
    pub xpath: String,
}

/// A decision and the evidence for it.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Decision {
    /// What it is about: the XPath of a region.
    pub about: String,
    /// The whole decision in one sentence.
    pub text: String,
    /// The role of the region; `None` if the decision is not about a region that was found.
    pub role: Option<Role>,
    /// The evidence for and against it, one by one.
    pub grounds: Vec<Evidence>,
}

impl Decision {
    /// A decision that consists of its sentence only.
    pub fn stated(about: String, text: String) -> Decision {
        Decision { about, text, role: None, grounds: Vec::new() }
    }
}
