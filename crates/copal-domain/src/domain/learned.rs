//! Domains with other terms than their pack has, for learning (AMBER section 4.7).
//!
//! In: a compiled [`Domain`] and terms or labels of one attribute. Out: a copy with them. Rules are not compiled again
//! unless some are left out; a copy costs as much as copying the lists.

use super::{AttributeType, Domain, Rules};
use std::ops::Range;

impl Domain {
    /// A copy with further terms of an attribute. `replace` first takes out what names its values one by one: its
    /// lists, those of its parts (a list of towns is one of locations too), and rules whose value is one of a list of words.
    #[must_use]
    pub fn with_terms<'a>(
        &self,
        attribute: usize,
        terms: impl IntoIterator<Item = &'a str>,
        replace: bool,
    ) -> Domain {
        let mut domain = self.clone();
        if replace {
            let mut gone = self.attributes[attribute].parts.clone();
            gone.push(attribute);
            for &list in &gone {
                domain.instances.remove_list(list as u16);
            }
            // rules that compiled together compile without some of them
            if let Ok(rules) = self.rules.without(|of, rule| gone.contains(&of) && enumerates(rule)) {
                domain.rules = rules;
            }
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

    /// Its values are words, so that a list can name them.
    pub fn is_listable(&self, attribute: usize) -> bool {
        if self.attributes[attribute].detail {
            return false;
        }
        let kind = self.attributes[attribute].kind;
        let visual = matches!(self.attributes[attribute].name.as_str(), "title" | "description");
        matches!(kind, AttributeType::Text | AttributeType::Place) && !visual
    }

    /// It has a list of terms.
    pub fn is_listed(&self, attribute: usize) -> bool {
        self.instances.has_list(attribute as u16)
    }

    /// Where terms of an attribute's list stand in a text.
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

impl Rules {
    fn without(&self, gone: impl Fn(usize, &str) -> bool) -> Result<Rules, String> {
        let all = self.groups.iter().flat_map(|(_, list)| list);
        Rules::new(all.filter(|(of, regex)| !gone(*of, regex.as_str())).cloned().collect())
    }
}

/// The rule's value is one of a list of words: `,\s*(?<value>Bath|Wells)\b`.
fn enumerates(rule: &str) -> bool {
    let Some((_, behind)) = rule.split_once("(?<value>") else { return false };
    let mut open = 1;
    let mut words = String::new();
    for c in behind.chars() {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            break;
        }
        words.push(c);
    }
    let words = words.replace("(?:", "");
    words.contains('|') && !words.contains(['[', '\\', '.', '*', '+', '{', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::annotate::annotate;
    use copal_dom::{Limits, Page};

    fn locations(domain: &Domain, text: &str) -> Vec<String> {
        let page = Page::from_text(&format!("<p>{text}</p>"), &Limits::default());
        let location = domain.attribute("location");
        let found = annotate(&page, domain).into_iter().filter(|f| Some(f.attribute) == location && !f.label);
        found.map(|found| found.text).collect()
    }

    #[test]
    fn rules_that_list_words_are_told() {
        assert!(enumerates(r",\s*(?<value>Bath|Wells)\s*$"));
        assert!(enumerates(r"^(?<value>(?:Bath|Wells))\b"));
        assert!(!enumerates(r"\bcity\s*:\s*(?<value>[a-z]{2,40})"));
        assert!(!enumerates(r"(?<value>\d+ (?:street|road))"));
        assert!(!enumerates("no value"));
    }

    #[test]
    fn terms_are_replaced_and_added() {
        let domain = Domain::load("real-estate").unwrap();
        let location = domain.attribute("location").unwrap();
        assert_eq!(locations(&domain, "Witney"), ["Witney"]);
        let bare = domain.with_terms(location, ["Chadlow"], true);
        assert_eq!(locations(&bare, "Witney, Oxfordshire"), [""; 0]);
        assert_eq!(locations(&bare, "Chadlow"), ["Chadlow"]);
        assert!(bare.is_listed(location) && !bare.is_listed(bare.attribute("town").unwrap()));
        let more = bare.with_terms(location, ["Witney"], false);
        assert_eq!(locations(&more, "Witney and Chadlow"), ["Witney", "Chadlow"]);
        assert_eq!(more.terms_in(location, "to Witney"), [3..9]);
    }

    #[test]
    fn labels_are_added() {
        let domain = Domain::load("real-estate").unwrap();
        let location = domain.attribute("location").unwrap();
        assert_eq!(locations(&domain, "Parish served: Chadlow"), [""; 0]);
        let more = domain.with_labels(location, ["parish served"]);
        assert_eq!(locations(&more, "Parish served: Chadlow"), ["Chadlow"]);
    }
}
