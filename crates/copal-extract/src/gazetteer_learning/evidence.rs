//! What one page contributes to one round (AMBER section 4.7: segmentation, alignment, term formulation).
//!
//! In: a [`Page`] and the domain as it is known in this round. Out: [`TermEvidence`]: instances of the
//! attribute; terms formulated from instances without a known term, and from the text next to a known one;
//! known terms that occur in instances; and label candidates. Costs as much as extracting the page with the
//! domain.

use super::learn_options::LearnOptions;
use super::learned_labels;
use super::term_evidence::{Instance, TermEvidence, TermSeen};
use super::term_formulation::{self as terms, TermShape};
use crate::lists::propose::amber::{self, AmberOptions};
use copal_dom::{Node, Page};
use copal_domain::domain::AttributeType;
use copal_domain::domain::annotate::{AttributeAnnotation, By, annotate};
use copal_domain::gazetteer::folded;
use copal_domain::{Domain, Place};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Least mean share of a node's text that known values must have where others are inferred.
const MIN_VALUE_SHARE: f64 = 0.25;

/// Longest text that terms are formulated from; descriptions are longer.
const MAX_INSTANCE_BYTES: usize = 120;

/// Reads pages in one round; may be shared between threads.
#[derive(Debug, Clone)]
pub struct Reader {
    amber: AmberOptions,
    domain: Arc<Domain>,
    attribute: usize,
    shape: TermShape,
    least: f64,
}

impl Reader {
    pub(super) fn new(domain: Domain, attribute: usize, names: bool, options: &LearnOptions) -> Reader {
        let domain = Arc::new(domain);
        let mut amber = options.amber.clone();
        amber.domain = Some(Arc::clone(&domain));
        // a small seed marks few records; the share of a term in its instance is judged when it is formulated
        amber.alignment.infer = options.support;
        amber.alignment.keep = amber.alignment.keep.min(options.support);
        amber.alignment.whole = MIN_VALUE_SHARE;
        amber.alignment.infer_parts = true;
        let shape = TermShape { names, figures: domain.attributes[attribute].kind != AttributeType::Place };
        Reader { amber, domain, attribute, shape, least: options.support }
    }

    /// Annotates, segments and aligns a page, and formulates terms.
    pub fn read(&self, page: &Page) -> TermEvidence {
        let annotations = annotate(page, &self.domain);
        let name = &self.domain.attributes[self.attribute].name;
        let mut evidence = TermEvidence::default();
        // a term is as certain as its best place on the page: all places depend on the same path
        let mut terms: BTreeMap<String, TermSeen> = BTreeMap::new();
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
                if aligned.support > self.least {
                    let spans = self.domain.terms_in(self.attribute, &instance.text);
                    let support = (aligned.support, (aligned.support * cells.len() as f64).round() as usize);
                    // next to a known term, the rest of its text is read as well: "Chadlow, Oxfordshire"
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
            evidence.labels.extend(learned_labels::find_labels(
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

    /// The pieces of an instance that may be terms of the attribute.
    fn formulate(
        &self,
        page: &Page,
        annotations: &[AttributeAnnotation],
        node: Node,
        text: &str,
        (support, n): (f64, usize),
    ) -> Vec<TermSeen> {
        let values = self.others(page, annotations, node).map(|found| folded(&found.text));
        let values: Vec<String> = values.filter(|value| !value.is_empty()).collect();
        let is_other = |piece: &str| self.is_other(&values, piece);
        terms::split(text, &is_other)
            .into_iter()
            .filter(|piece| terms::is_shaped(piece, self.shape) && !is_other(piece))
            // "North Oxford" is Oxford
            .filter(|piece| self.domain.terms_in(self.attribute, piece).is_empty())
            .map(|piece| TermSeen {
                text: piece.to_owned(),
                confidence: terms::confidence(support, n, piece, text),
                instance: text.to_owned(),
            })
            .collect()
    }

    /// Values of other attributes in a node's text. A part that is named by gazetteers (the town of a
    /// location) is of the same sort as the attribute itself, and so is the whole that it belongs to.
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
                && matches!(found.place, Place::Text(_))
                && found.by != By::Element
                && !self.is_same_sort(found.attribute)
        })
    }

    fn is_same_sort(&self, other: usize) -> bool {
        let (all, own) = (&self.domain.attributes, self.attribute);
        other == own || all[own].parts.contains(&other) && all[other].names || all[other].parts.contains(&own)
    }

    /// True for a label, a term of a disjoint gazetteer, a part of a value of another attribute, or a text
    /// that contains such a value.
    fn is_other(&self, values: &[String], piece: &str) -> bool {
        let disjoint = |&other: &u16| !self.is_same_sort(other as usize);
        let key = folded(piece);
        let has = |whole: &str, part: &str| format!(" {whole} ").contains(&format!(" {part} "));
        !self.domain.attributes_of_label(piece).is_empty()
            || self.domain.attributes_of_term(piece).iter().any(disjoint)
            || values.iter().any(|value| has(value, &key) || has(&key, value))
    }
}
