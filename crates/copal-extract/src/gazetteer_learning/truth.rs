//! How good a round is (section 7.1.4, Tables 7.1 and 7.2), if all true terms are known.
//!
//! In: a list of true terms, and the instances that each page has with that list as gazetteer. Out: which
//! instances and terms of a round are true. An instance is true if it contains a true term. Recall counts the
//! instances that the true list itself finds.

use super::term_evidence::TermEvidence;
use copal_dom::Node;
use copal_domain::gazetteer::Gazetteer;
use std::collections::BTreeSet;

/// The true terms, and where they occur.
#[derive(Debug, Clone, Default)]
pub(super) struct TrueTerms {
    terms: Gazetteer,
    /// By page: nodes where the true list finds the attribute.
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
            let found = evidence.instances.iter().filter(|one| !one.inferred && self.holds(&one.text));
            self.places.extend(found.map(|one| (page, one.node)).collect::<Vec<_>>());
        }
    }

    pub(super) fn is_term(&self, term: &str) -> bool {
        !self.terms.get(term).is_empty()
    }

    fn holds(&self, text: &str) -> bool {
        !self.terms.find(text).is_empty()
    }

    /// The number of instances with a true term, how many of them are where the true list finds one, and how
    /// many there are in total.
    pub(super) fn count(&self, evidence: &[TermEvidence]) -> (usize, usize, usize) {
        let (mut correct, mut located) = (0, 0);
        for (page, evidence) in evidence.iter().enumerate() {
            for one in evidence.instances.iter().filter(|one| self.holds(&one.text)) {
                correct += 1;
                located += usize::from(self.places.contains(&(page, one.node)));
            }
        }
        (correct, located, self.places.len())
    }
}
