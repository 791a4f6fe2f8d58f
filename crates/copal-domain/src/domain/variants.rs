//! Variants of a domain with other terms or labels, for gazetteer learning (AMBER section 4.7).
//!
//! In: a compiled [`Domain`] and terms or labels of one attribute. Out: a copy with them. Rules are
//! compiled again only if some are removed; otherwise a copy costs as much as copying the gazetteers.

use super::attribute::AttributeType;
use super::model::Domain;
use super::rules::lists_words;
use std::ops::Range;

impl Domain {
    /// A copy with further terms of an attribute. `replace` first removes everything that lists its values
    /// one by one: its gazetteers, those of its parts (towns are also locations), and rules whose value is
    /// one of a list of words.
    #[must_use]
    pub fn with_terms<'a>(
        &self,
        attribute: usize,
        terms: impl IntoIterator<Item = &'a str>,
        replace: bool,
    ) -> Domain {
        let mut domain = self.clone();
        if replace {
            let mut replaced = self.attributes[attribute].parts.clone();
            replaced.push(attribute);
            for &list in &replaced {
                domain.instances.remove_list(list as u16);
            }
            domain.rules = self.rules.without(|of, rule| replaced.contains(&of) && lists_words(rule));
        }
        for term in terms {
            domain.instances.add(term, attribute as u16);
        }
        domain
    }

    /// A copy with further labels of an attribute.
    #[must_use]
    pub fn with_labels<'a>(&self, attribute: usize, labels: impl IntoIterator<Item = &'a str>) -> Domain {
        let mut domain = self.clone();
        for label in labels {
            domain.labels.add(label, attribute as u16);
            domain.attributes[attribute].labels.push(label.to_owned());
        }
        domain
    }

    /// True if its values are words, so that a gazetteer can list them.
    pub fn is_listable(&self, attribute: usize) -> bool {
        if self.attributes[attribute].detail_only {
            return false;
        }
        let attribute_type = self.attributes[attribute].attribute_type;
        let visual = matches!(self.attributes[attribute].name.as_str(), "title" | "description");
        matches!(attribute_type, AttributeType::Text | AttributeType::Place) && !visual
    }

    /// True if the attribute has a gazetteer.
    pub fn is_listed(&self, attribute: usize) -> bool {
        self.instances.has_list(attribute as u16)
    }

    /// The spans of an attribute's terms in a text.
    pub fn terms_in(&self, attribute: usize, text: &str) -> Vec<Range<usize>> {
        let found = self.instances.find(text).into_iter();
        found.filter(|term| term.tags.contains(&(attribute as u16))).map(|term| term.span).collect()
    }

    /// Attributes that have this text as a term.
    pub fn attributes_of_term(&self, text: &str) -> &[u16] {
        self.instances.get(text)
    }

    /// Attributes that have this text as a label.
    pub fn attributes_of_label(&self, text: &str) -> &[u16] {
        self.labels.get(text)
    }
}
