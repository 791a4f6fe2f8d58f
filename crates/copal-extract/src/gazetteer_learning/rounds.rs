//! The rounds of learning (AMBER section 4.7): what is added, what is dropped, and when learning ends.
//!
//! In: the [`TermEvidence`] of all pages of a round. Out: a [`Round`]. Terms with a confidence of at least
//! `upper` are added, those of at least `lower` are asked about (or not added); learned terms that no longer
//! occur in a well supported instance are dropped and not learned again (term validation). O(evidence).

use super::evidence_reader::EvidenceReader;
use super::options::{LearnError, LearnOptions};
use super::term_evidence::{LabelCandidate, TermCandidate, TermEvidence};
use super::term_formulation as terms;
use super::true_terms::TrueTerms;
use copal_domain::Domain;
use copal_domain::gazetteer::folded;
use std::collections::{BTreeMap, BTreeSet};

/// A term or label that was learned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Learned {
    /// As the pages write it.
    pub text: String,
    /// From 0 to 1.
    pub confidence: f64,
    /// The round in which it was learned.
    pub round: usize,
}

/// A question that only a person can answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Question<'a> {
    /// Is this a term of the attribute?
    Term {
        /// The term.
        text: &'a str,
        /// The confidence from all pages.
        confidence: f64,
        /// A text in which it was found.
        instance: &'a str,
    },
    /// Is this a label of the attribute?
    Label {
        /// The label.
        text: &'a str,
        /// The confidence from all pages.
        confidence: f64,
    },
    /// It was learned, but no longer occurs. Should it be dropped?
    Drop {
        /// The term.
        text: &'a str,
    },
}

/// The answer of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermVerdict {
    /// Yes.
    Yes,
    /// No.
    No,
    /// No further questions. Earlier decisions are kept.
    Quit,
}

/// The result of a round.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Round {
    /// From 1.
    pub number: usize,
    /// Number of nodes with a value of the attribute, found or inferred (L^E in the thesis).
    pub extracted: usize,
    /// How many of them have a true term (C^E), if the true terms are known.
    pub correct: Option<usize>,
    /// Share of the nodes at which the true terms find the attribute (R^E).
    pub recall: Option<f64>,
    /// New terms (L^L).
    pub learned: Vec<Learned>,
    /// How many of them are true (C^L).
    pub learned_correct: Option<usize>,
    /// Terms of earlier rounds that were dropped.
    pub dropped: Vec<String>,
    /// New labels.
    pub labels: Vec<Learned>,
    /// The most certain term that was not learned.
    pub best_rejected: Option<Learned>,
    /// The user does not want any more questions.
    pub quit: bool,
}

impl Round {
    /// Share of the extracted nodes that are true (P^E).
    pub fn precision(&self) -> Option<f64> {
        self.correct.map(|correct| correct as f64 / self.extracted.max(1) as f64)
    }

    /// True if nothing changed, or no more rounds are wanted.
    pub fn is_last(&self) -> bool {
        self.quit || self.learned.is_empty() && self.dropped.is_empty() && self.labels.is_empty()
    }
}

/// Asks a person. Without one, uncertain terms are not added and terms that no longer occur are dropped.
pub type Ask<'a> = Option<&'a mut dyn FnMut(&Question<'_>) -> TermVerdict>;

/// What earlier runs learned, by folded text.
#[derive(Debug, Clone, Default)]
struct KeptKnowledge {
    terms: BTreeMap<String, Learned>,
    labels: BTreeMap<String, Learned>,
}

/// What was learned about the terms of an attribute; see the module.
#[derive(Debug, Clone)]
pub struct Learner {
    base: Domain,
    attribute: usize,
    names: bool,
    options: LearnOptions,
    rounds: usize,
    /// By folded text.
    learned: BTreeMap<String, Learned>,
    labels: BTreeMap<String, Learned>,
    /// Folded terms and labels that must not be learned (again).
    refused: BTreeSet<String>,
    /// Folded terms and labels of earlier runs. They are known like the seed: the pages of this run need not have
    /// them, so that they are not validated.
    kept: KeptKnowledge,
    truth: Option<TrueTerms>,
}

impl Learner {
    /// Starts to learn an attribute of a domain, from a list of terms or from the domain's own gazetteers.
    pub fn new(
        domain: &Domain,
        attribute: &str,
        seed: Option<&[String]>,
        options: LearnOptions,
    ) -> Result<Learner, LearnError> {
        let known = || {
            let listable = (0..domain.attributes.len()).filter(|&i| domain.is_listable(i));
            listable.map(|i| domain.attributes[i].name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let name = attribute.to_owned();
        let Some(attribute) = domain.attribute(&name) else {
            return Err(LearnError::Unknown { name, known: known() });
        };
        if !domain.is_listable(attribute) {
            let kind = domain.attributes[attribute].attribute_type.name();
            return Err(LearnError::NotWords { name, kind, known: known() });
        }
        let (base, names) = match seed {
            Some(seed) => {
                let capitals = seed.iter().filter(|term| !term.starts_with(char::is_lowercase)).count();
                let base = domain.with_terms(attribute, seed.iter().map(String::as_str), true);
                (base, 5 * capitals >= 4 * seed.len())
            }
            None => (domain.clone(), domain.attributes[attribute].proper_names),
        };
        if !base.is_listed(attribute) {
            return Err(LearnError::NoSeed(name));
        }
        Ok(Learner {
            base,
            attribute,
            names,
            options,
            rounds: 0,
            learned: BTreeMap::new(),
            labels: BTreeMap::new(),
            refused: BTreeSet::new(),
            kept: KeptKnowledge::default(),
            truth: None,
        })
    }

    /// Goes on where an earlier run ended: with its terms and labels, and without what it refused.
    pub fn resume(&mut self, terms: &[String], labels: &[String], refused: &[String]) {
        let kept = |texts: &[String]| -> BTreeMap<String, Learned> {
            let learned = |text: &String| Learned { text: text.clone(), confidence: 1.0, round: 0 };
            texts.iter().map(|text| (folded(text), learned(text))).collect()
        };
        self.kept = KeptKnowledge { terms: kept(terms), labels: kept(labels) };
        self.refused.extend(refused.iter().map(|text| folded(text)));
        self.base = self.base.with_terms(self.attribute, terms.iter().map(String::as_str), false);
        if !labels.is_empty() {
            self.base = self.base.with_labels(self.attribute, labels.iter().map(String::as_str));
        }
    }

    /// The terms and labels that must not be learned: a person refused them, or they were dropped. Folded, sorted.
    pub fn refused(&self) -> impl Iterator<Item = &str> {
        self.refused.iter().map(String::as_str)
    }

    /// The reader of the next round.
    pub fn reader(&self) -> EvidenceReader {
        let terms = self.learned.values().map(|learned| learned.text.as_str());
        let labels = self.labels.values().map(|learned| learned.text.as_str());
        let mut domain = self.base.with_terms(self.attribute, terms, false);
        if !self.labels.is_empty() {
            domain = domain.with_labels(self.attribute, labels);
        }
        EvidenceReader::new(domain, self.attribute, self.names, &self.options)
    }

    /// A reader with the true terms as gazetteer, for [`Learner::measure`].
    pub fn true_reader(&self, truth: &[String]) -> EvidenceReader {
        let domain = self.base.with_terms(self.attribute, truth.iter().map(String::as_str), true);
        EvidenceReader::new(domain, self.attribute, self.names, &self.options)
    }

    /// Measures later rounds against a list of true terms. `evidence` comes from [`Learner::true_reader`].
    pub fn measure(&mut self, truth: &[String], evidence: &[TermEvidence]) {
        let mut measure = TrueTerms::new(truth);
        measure.locate(evidence);
        self.truth = Some(measure);
    }

    /// All terms that were learned and not dropped, with those of earlier runs, sorted.
    pub fn terms(&self) -> impl Iterator<Item = &Learned> {
        self.kept.terms.iter().chain(&self.learned).collect::<BTreeMap<_, _>>().into_values()
    }

    /// All labels that were learned, with those of earlier runs, sorted.
    pub fn labels(&self) -> impl Iterator<Item = &Learned> {
        self.kept.labels.iter().chain(&self.labels).collect::<BTreeMap<_, _>>().into_values()
    }

    /// Ends a round: validates what was learned before, then learns. `evidence` has one entry per page.
    pub fn finish(&mut self, evidence: &[TermEvidence], mut ask: Ask<'_>) -> Round {
        self.rounds += 1;
        let mut round = Round { number: self.rounds, ..Round::default() };
        round.extracted = evidence.iter().map(|page| page.instances.len()).sum();
        if let Some(truth) = &self.truth {
            let (correct, located, all) = truth.count(evidence);
            round.correct = Some(correct);
            round.recall = Some(located as f64 / all.max(1) as f64);
        }
        self.validate(evidence, &mut round, &mut ask);
        self.learn(evidence, &mut round, &mut ask);
        self.learn_labels(evidence, &mut round, &mut ask);
        if let Some(truth) = &self.truth {
            round.learned_correct = Some(round.learned.iter().filter(|new| truth.is_term(&new.text)).count());
        }
        round
    }

    /// Term validation: drops learned terms that no well supported instance contains, and does not learn them
    /// again.
    fn validate(&mut self, evidence: &[TermEvidence], round: &mut Round, ask: &mut Ask<'_>) {
        let confirmed: BTreeSet<&String> = evidence.iter().flat_map(|page| &page.confirmed).collect();
        let unconfirmed: Vec<String> =
            self.learned.keys().filter(|key| !confirmed.contains(key)).cloned().collect();
        for key in unconfirmed {
            let text = self.learned[&key].text.clone();
            let dropped = match ask {
                Some(ask) if !round.quit => match ask(&Question::Drop { text: &text }) {
                    TermVerdict::Yes => true,
                    TermVerdict::No => false,
                    TermVerdict::Quit => {
                        round.quit = true;
                        false
                    }
                },
                Some(_) => false,
                None => true,
            };
            if dropped {
                self.learned.remove(&key);
                self.refused.insert(key);
                round.dropped.push(text);
            }
        }
    }

    fn learn(&mut self, evidence: &[TermEvidence], round: &mut Round, ask: &mut Ask<'_>) {
        let mut seen: BTreeMap<String, Vec<&TermCandidate>> = BTreeMap::new();
        for term in evidence.iter().flat_map(|page| &page.terms) {
            seen.entry(folded(&term.text)).or_default().push(term);
        }
        for (key, seen) in seen {
            let is_known = self.learned.contains_key(&key) || self.kept.terms.contains_key(&key);
            if is_known || self.refused.contains(&key) {
                continue;
            }
            let confidence = terms::combined_confidence(seen.iter().map(|term| term.confidence));
            let text = spelling(seen.iter().map(|term| term.text.as_str())).to_owned();
            let question = Question::Term { text: &text, confidence, instance: &seen[0].instance };
            if self.is_accepted(&key, confidence, &question, round, ask) {
                let new = Learned { text, confidence, round: self.rounds };
                self.learned.insert(key, new.clone());
                round.learned.push(new);
            } else if round.best_rejected.as_ref().is_none_or(|best| best.confidence < confidence) {
                round.best_rejected = Some(Learned { text, confidence, round: self.rounds });
            }
        }
    }

    fn learn_labels(&mut self, evidence: &[TermEvidence], round: &mut Round, ask: &mut Ask<'_>) {
        let mut seen: BTreeMap<String, Vec<&LabelCandidate>> = BTreeMap::new();
        for label in evidence.iter().flat_map(|page| &page.labels) {
            seen.entry(folded(&label.text)).or_default().push(label);
        }
        for (key, seen) in seen {
            if self.labels.contains_key(&key)
                || self.kept.labels.contains_key(&key)
                || self.refused.contains(&key)
                || self.learned.contains_key(&key)
            {
                continue;
            }
            let confidence = terms::combined_confidence(seen.iter().map(|label| label.confidence));
            let text = spelling(seen.iter().map(|label| label.text.as_str())).to_owned();
            let question = Question::Label { text: &text, confidence };
            if self.is_accepted(&key, confidence, &question, round, ask) {
                let new = Learned { text, confidence, round: self.rounds };
                self.labels.insert(key, new.clone());
                round.labels.push(new);
            }
        }
    }

    /// True if the confidence is at least `upper`, false if it is below `lower`. Between them the user
    /// decides.
    fn is_accepted(
        &mut self,
        key: &str,
        confidence: f64,
        question: &Question<'_>,
        round: &mut Round,
        ask: &mut Ask<'_>,
    ) -> bool {
        if confidence >= self.options.upper {
            return true;
        }
        let Some(ask) = ask else { return false };
        if confidence < self.options.lower || round.quit {
            return false;
        }
        match ask(question) {
            TermVerdict::Yes => return true,
            TermVerdict::No => {
                self.refused.insert(key.to_owned());
            }
            TermVerdict::Quit => round.quit = true,
        }
        false
    }
}

/// The most common spelling of a term. A spelling in capitals is used only if there is no other.
fn spelling<'a>(texts: impl Iterator<Item = &'a str>) -> &'a str {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    let shouts = |text: &str| !text.chars().any(char::is_lowercase);
    let best = counts.into_iter().max_by_key(|(text, count)| (!shouts(text), *count));
    best.map_or("", |(text, _)| text)
}

#[cfg(test)]
mod tests;
