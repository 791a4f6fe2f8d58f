//! A compiled domain: what annotation and extraction ask for.

use super::attribute::DomainAttribute;
use super::rules::RuleSet;
use crate::annotator::{Annotator, AnnotatorRequest};
use crate::gazetteer::Gazetteer;
use copal_values::labels::bare;
use std::collections::BTreeSet;
use std::sync::Arc;

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
    /// Options of search forms that mean "any", for exploring sites.
    pub wildcards: Vec<String>,
    /// Words of links that lead to lists of the domain, for exploring sites.
    pub links_to_follow: Vec<String>,
    /// Words of links that lead to other pages, for exploring sites.
    pub links_to_avoid: Vec<String>,
    /// Values for fields of search forms, by the attribute that the field asks for.
    pub form_examples: Vec<(String, Vec<String>)>,
    /// Thresholds of AMBER that differ in this domain.
    pub thresholds: DomainThresholds,
    /// The annotators that the user bound.
    pub(crate) annotators: Vec<Arc<dyn Annotator>>,
    /// The terms of all gazetteers, tagged with their attribute.
    pub(crate) instances: Gazetteer,
    /// The labels, tagged with their attribute.
    pub(crate) labels: Gazetteer,
    /// Rules for texts.
    pub(crate) rules: RuleSet,
    /// Rules for URLs: of maps, links and images.
    pub(crate) url_rules: RuleSet,
}

/// Thresholds of AMBER that a domain sets; `None` leaves the default.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct DomainThresholds {
    /// Minimum number of different attributes per record (Definition 9).
    pub types: Option<usize>,
    /// Minimum number of records per area (Definition 10).
    pub fewest: Option<usize>,
    /// Minimum share of the page's text that the main list has (Definition 12).
    pub fraction: Option<f64>,
    /// Minimum share of records that have an attribute at a path (Definition 13).
    pub keep: Option<f64>,
    /// Share of records above which the others take the text at the same path (Definition 13).
    pub infer: Option<f64>,
}

impl Domain {
    /// The index of an attribute.
    pub fn attribute(&self, name: &str) -> Option<usize> {
        self.attributes.iter().position(|attribute| attribute.name == name)
    }

    /// The names of all annotators that attributes ask for.
    pub fn annotator_names(&self) -> Vec<&str> {
        let names: BTreeSet<&str> =
            self.attributes.iter().flat_map(|attribute| &attribute.annotators).map(String::as_str).collect();
        names.into_iter().collect()
    }

    /// What an annotator is asked about these texts; `None` if no attribute names it.
    pub fn annotator_request<'a>(&'a self, name: &str, texts: Vec<&'a str>) -> Option<AnnotatorRequest<'a>> {
        let is_asked = |attribute: &DomainAttribute| attribute.annotators.iter().any(|known| known == name);
        let asked = self.attributes.iter().enumerate().filter(|(_, attribute)| is_asked(attribute));
        let mut asked = asked
            .map(|(index, attribute)| (attribute.name.as_str(), attribute.attribute_type.name(), index))
            .peekable();
        asked.peek()?;
        Some(AnnotatorRequest::new(&self.name, asked, texts))
    }

    /// Lets an annotator find the attributes that name it. It replaces one of the same name. Returns false,
    /// and binds nothing, if no attribute names it.
    pub fn bind_annotator(&mut self, annotator: Arc<dyn Annotator>) -> bool {
        let mut is_named = false;
        for attribute in &mut self.attributes {
            if attribute.annotators.iter().any(|name| name == annotator.name()) {
                (attribute.has_annotator, is_named) = (true, true);
            }
        }
        if is_named {
            self.annotators.retain(|known| known.name() != annotator.name());
            self.annotators.push(annotator);
        }
        is_named
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
