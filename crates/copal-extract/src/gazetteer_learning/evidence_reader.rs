//! The evidence of one page in one round (AMBER section 4.7: segmentation, alignment, term formulation).
//!
//! In: a [`Page`] and the domain with the terms of this round. Out: [`TermEvidence`]: instances of the
//! attribute; candidate terms from instances without a known term, and from the text next to a known one;
//! known terms that occur in instances; and candidate labels. Costs as much as extracting the page with the
//! domain.

use super::label_candidates;
use super::options::LearnOptions;
use super::term_evidence::{Instance, TermCandidate, TermEvidence};
use super::term_formulation::{self as terms, TermShape};
use crate::lists::propose::amber::{self, AmberOptions};
use copal_dom::{Node, Page};
use copal_domain::gazetteer::folded;
use copal_domain::{AnnotationPlace, AttributeAnnotation, AttributeType, Domain, FoundBy, annotate};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Smallest mean share of a node's text that known values must have before other values are inferred at the
/// same path.
const MIN_VALUE_SHARE: f64 = 0.25;

/// Longest text from which terms are formulated. Descriptions are longer.
const MAX_INSTANCE_BYTES: usize = 120;

/// Reads the pages of one round. It can be shared between threads.
#[derive(Debug, Clone)]
pub struct EvidenceReader {
    amber: AmberOptions,
    domain: Arc<Domain>,
    attribute: usize,
    shape: TermShape,
    min_support: f64,
}

impl EvidenceReader {
    pub(super) fn new(
        mut domain: Domain,
        attribute: usize,
        names: bool,
        options: &LearnOptions,
    ) -> EvidenceReader {
        // What is to be learned is not known yet: a list without it is not a list of something else.
        domain.mandatory.retain(|&mandatory| mandatory != attribute);
        let domain = Arc::new(domain);
        let mut amber = options.amber.clone();
        amber.domain = Some(Arc::clone(&domain));
        // A small seed marks few records, so little support is enough here. Term formulation decides how much
        // of an instance a term must be.
        amber.alignment.infer = options.support;
        amber.alignment.keep = amber.alignment.keep.min(options.support);
        amber.alignment.whole = MIN_VALUE_SHARE;
        amber.alignment.infer_parts = true;
        let shape =
            TermShape { names, figures: domain.attributes[attribute].attribute_type != AttributeType::Place };
        EvidenceReader { amber, domain, attribute, shape, min_support: options.support }
    }

    /// Annotates, segments and aligns a page, and formulates terms.
    pub fn read(&self, page: &Page) -> TermEvidence {
        let annotations = annotate(page, &self.domain);
        let name = &self.domain.attributes[self.attribute].name;
        let mut evidence = TermEvidence::default();
        // A term is as certain as its best occurrence on the page: all occurrences depend on the same path.
        let mut terms: BTreeMap<String, TermCandidate> = BTreeMap::new();
        for region in amber::find_annotated(page, &annotations, &self.amber).regions {
            let Some((_, _, cells)) = region.attributes.iter().find(|column| column.0 == *name) else {
                continue;
            };
            let before = evidence.instances.len();
            for (parts, aligned) in region.records.iter().zip(cells) {
                let Some(aligned) = aligned else { continue };
                let Some(node) = aligned.node else { continue };
                let Some(record) = parts.iter().find(|part| part.contains(&node)) else { continue };
                let instance = Instance {
                    node,
                    text: aligned.text.clone(),
                    inferred: aligned.inferred,
                    record: record.clone(),
                };
                if aligned.support > self.min_support {
                    let spans = self.domain.terms_in(self.attribute, &instance.text);
                    let support = (aligned.support, (aligned.support * cells.len() as f64).round() as usize);
                    // Next to a known term, the rest of its text is read too: "Chadlow, Oxfordshire".
                    let whole = if spans.is_empty() { instance.text.clone() } else { page.text_of(node) };
                    if whole.len() <= MAX_INSTANCE_BYTES {
                        for term in self.formulate(page, &annotations, node, &whole, support) {
                            let known = terms.entry(folded(&term.text)).or_insert_with(|| term.clone());
                            if known.confidence < term.confidence {
                                *known = term;
                            }
                        }
                    }
                    evidence.confirmed.extend(spans.into_iter().map(|span| folded(&instance.text[span])));
                }
                evidence.instances.push(instance);
            }
            let is_value = |node: Node| self.others(page, &annotations, node).next().is_some();
            evidence.labels.extend(label_candidates::find(
                page,
                &self.domain,
                &evidence.instances[before..],
                &is_value,
            ));
        }
        evidence.terms = terms.into_values().collect();
        evidence.confirmed.sort_unstable();
        evidence.confirmed.dedup();
        evidence
    }

    /// The pieces of an instance that are candidate terms of the attribute.
    fn formulate(
        &self,
        page: &Page,
        annotations: &[AttributeAnnotation],
        node: Node,
        text: &str,
        (support, n): (f64, usize),
    ) -> Vec<TermCandidate> {
        let values = self.others(page, annotations, node).map(|found| folded(&found.text));
        let values: Vec<String> = values.filter(|value| !value.is_empty()).collect();
        let is_other = |piece: &str| self.is_other(&values, piece);
        terms::split(text, &is_other)
            .into_iter()
            .filter(|piece| terms::has_term_form(piece, self.shape) && !is_other(piece))
            // "North Oxford" is Oxford
            .filter(|piece| self.domain.terms_in(self.attribute, piece).is_empty())
            .map(|piece| TermCandidate {
                text: piece.to_owned(),
                confidence: terms::confidence(support, n, piece, text),
                instance: text.to_owned(),
            })
            .collect()
    }

    /// Values of other attributes in a node's text. Parts that are proper names (the town of a location)
    /// count as the attribute itself, and so does the whole that it is a part of.
    fn others<'a>(
        &'a self,
        page: &Page,
        annotations: &'a [AttributeAnnotation],
        node: Node,
    ) -> impl Iterator<Item = &'a AttributeAnnotation> + 'a {
        let end = page.tree.end(node);
        let from = annotations.partition_point(|found| found.node < node);
        annotations[from..].iter().take_while(move |found| found.node < end).filter(move |found| {
            !found.label
                && matches!(found.place, AnnotationPlace::Text(_))
                && found.found_by != FoundBy::Element
                && !self.is_part_or_whole(found.attribute)
        })
    }

    fn is_part_or_whole(&self, other: usize) -> bool {
        let (all, own) = (&self.domain.attributes, self.attribute);
        other == own
            || all[own].parts.contains(&other) && all[other].proper_names
            || all[other].parts.contains(&own)
    }

    /// True for a label, a term of another attribute, a part of such a value, or a text that contains one.
    fn is_other(&self, values: &[String], piece: &str) -> bool {
        let disjoint = |&other: &u16| !self.is_part_or_whole(other as usize);
        let key = folded(piece);
        let has = |whole: &str, part: &str| format!(" {whole} ").contains(&format!(" {part} "));
        !self.domain.attributes_of_label(piece).is_empty()
            || self.domain.attributes_of_term(piece).iter().any(disjoint)
            || values.iter().any(|value| has(value, &key) || has(&key, value))
    }
}
