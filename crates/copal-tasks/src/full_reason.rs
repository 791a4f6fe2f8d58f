//! Why a page of a run by template was extracted in full.

use serde::{Deserialize, Serialize};

/// Why a page was not read with a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FullReason {
    /// The request needs what templates leave out.
    Request,
    /// No template of its site is learned yet.
    NoTemplate,
    /// It does not look like the templates of its site.
    OtherTemplate,
    /// A limit was hit.
    Limit,
    /// The pages that its template was to be learned from could not be read again.
    UnreadableSamples,
    /// Some of these pages show a list, others an object.
    MixedSamples,
    /// Their main list is not certain, hidden, or only in embedded data.
    UncertainSamples,
    /// No locators find the records of all of them.
    NoLocators,
    /// The template would read them otherwise than the full extraction.
    Disagreement,
    /// The locators find no records.
    NoRecords,
    /// What they find does not look like the records of the template.
    OtherRecords,
    /// The records have no columns.
    NoColumns,
    /// Fields are missing that all pages of the template have.
    MissingFields,
}

impl FullReason {
    /// The reason in words, after a number of pages.
    pub fn describe(self) -> &'static str {
        match self {
            FullReason::Request => "not for templates",
            FullReason::NoTemplate => "before a template was learned",
            FullReason::OtherTemplate => "unlike the templates of their sites",
            FullReason::Limit => "that hit a limit",
            FullReason::UnreadableSamples => "of templates whose samples could not be read",
            FullReason::MixedSamples => "of templates with lists and objects",
            FullReason::UncertainSamples => "of templates without a certain list",
            FullReason::NoLocators => "of templates whose records have no locators",
            FullReason::Disagreement => "of templates that would be read otherwise",
            FullReason::NoRecords => "without records at their place",
            FullReason::OtherRecords => "with other records at their place",
            FullReason::NoColumns => "without columns",
            FullReason::MissingFields => "without the fields of their template",
        }
    }
}
