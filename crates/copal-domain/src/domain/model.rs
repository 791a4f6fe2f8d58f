//! A compiled domain: what annotation and extraction ask for.

use super::attribute::DomainAttribute;
use super::rules::RuleSet;
use crate::gazetteer::Gazetteer;
use copal_values::labels::bare;

/// A compiled domain. Attributes are referred to by their index in [`Domain::attributes`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Domain {
    /// Its name.
    pub name: String,
    /// What a record is called: "book".
    pub object: String,
    /// The attribute that every record has and that is easy to recognise (AMBER's pivot).
    pub pivot: usize,
    /// All attributes, by name.
    pub attributes: Vec<DomainAttribute>,
    /// The attributes that distinguish this domain from others.
    pub characteristic: Vec<usize>,
    /// The attributes that every record has.
    pub mandatory: Vec<usize>,
    /// Groups of attributes that appear only together.
    pub together: Vec<Vec<usize>>,
    /// The attributes that the headline of a detail page contains.
    pub headline: Vec<usize>,
    /// Headings of lists that are not the main list of their page, in lower case.
    pub secondary_titles: Vec<String>,
    /// Options of search forms that mean "any".
    pub wildcards: Vec<String>,
    /// The terms of all gazetteers, tagged with their attribute.
    pub(crate) instances: Gazetteer,
    /// The labels, tagged with their attribute.
    pub(crate) labels: Gazetteer,
    /// Rules for texts.
    pub(crate) rules: RuleSet,
    /// Rules for URLs: of maps, links and images.
    pub(crate) url_rules: RuleSet,
}

impl Domain {
    /// The index of an attribute.
    pub fn attribute(&self, name: &str) -> Option<usize> {
        self.attributes.iter().position(|attribute| attribute.name == name)
    }

    /// The number of terms in all gazetteers.
    pub fn terms(&self) -> usize {
        self.instances.len()
    }

    /// The attributes for which a whole text is a label: "Date posted:".
    pub fn labelled(&self, text: &str) -> &[u16] {
        self.labels.get(bare(text))
    }
}
