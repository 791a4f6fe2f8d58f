//! How good a round is (AMBER section 7.1.4, Tables 7.1 and 7.2), if all true terms are known.
//!
//! In: a list of true terms, and the instances of each page with that list as gazetteer. Out: which instances
//! and terms of a round are true. An instance is true if it contains a true term; recall counts the instances
//! that the true list finds.

use super::term_evidence::TermEvidence;
use copal_dom::Node;
use copal_domain::gazetteer::Gazetteer;
use std::collections::BTreeSet;

#[derive(Debug, Clone, Default)]
pub(super) struct TrueTerms {
    terms: Gazetteer,
    /// The pages and nodes at which the true terms find the attribute.
    places: BTreeSet<(usize, Node)>,
}

impl TrueTerms {
    pub(super) fn new(terms: &[String]) -> TrueTerms {
        let mut truth = TrueTerms::default();
        for term in terms {
            truth.terms.add(term, 0);
        }
        truth
    }

    /// Adds what a reader with the true terms as gazetteer found.
    pub(super) fn locate(&mut self, evidence: &[TermEvidence]) {
        for (page, evidence) in evidence.iter().enumerate() {
            let found =
                evidence.instances.iter().filter(|one| !one.inferred && self.contains_term(&one.text));
            self.places.extend(found.map(|one| (page, one.node)).collect::<Vec<_>>());
        }
    }

    pub(super) fn is_term(&self, term: &str) -> bool {
        !self.terms.get(term).is_empty()
    }

    fn contains_term(&self, text: &str) -> bool {
        !self.terms.find(text).is_empty()
    }

    /// The number of instances with a true term, how many of them are where the true terms find one, and how
    /// many those find.
    pub(super) fn count(&self, evidence: &[TermEvidence]) -> (usize, usize, usize) {
        let (mut correct, mut located) = (0, 0);
        for (page, evidence) in evidence.iter().enumerate() {
            for one in evidence.instances.iter().filter(|one| self.contains_term(&one.text)) {
                correct += 1;
                located += usize::from(self.places.contains(&(page, one.node)));
            }
        }
        (correct, located, self.places.len())
    }
}
