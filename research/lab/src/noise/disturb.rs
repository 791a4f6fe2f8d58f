//! Annotations made worse on purpose (thesis 7.1.2, "Robustness").
//!
//! In: the annotations of a page, the attributes to disturb, a share and a seed. Out: changed annotations in
//! the same order.
//!
//! *Added*: for every disturbed attribute, that share of its instances and of its labels once more, each on a
//! visible text node drawn from the whole document; the false annotation claims that the whole text of the
//! node is the value. *Removed*: that share of its instances. Labels stay, as in the thesis. A value that was
//! found by its label is an instance and can be removed like any other (the harder interpretation: a
//! recogniser could find it again), unless `labelled` keeps these. The draws depend only on seed, page and
//! attribute, so what 25% removes, 50% removes too.

use crate::random::SplitMix64;
use copal_dom::{Node, Page};
use copal_domain::{AnnotationPlace, AttributeAnnotation};
use copal_values::Value;

/// How annotations are changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum AnnotationChange {
    /// Not at all.
    None,
    /// False ones are added: a share of the number of true ones.
    Add(f64),
    /// A share of the instances is removed.
    Remove {
        /// The share that is removed.
        share: f64,
        /// Values that were found by their labels can be removed too.
        labelled: bool,
    },
}

/// A random stream per seed and list of words.
fn random_stream(seed: u64, words: &[&str]) -> SplitMix64 {
    let bytes = words.iter().flat_map(|word| word.bytes().chain([0]));
    SplitMix64(bytes.fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    }))
}

/// The annotations of a page after a change to some attributes.
pub(crate) fn disturb(
    page: &Page,
    id: &str,
    annotations: &[AttributeAnnotation],
    attributes: &[usize],
    change: AnnotationChange,
    seed: u64,
) -> Vec<AttributeAnnotation> {
    let mut changed = annotations.to_vec();
    match change {
        AnnotationChange::None => return changed,
        AnnotationChange::Add(share) => {
            let texts = texts(page);
            for (&attribute, label) in attributes.iter().flat_map(|a| [(a, false), (a, true)]) {
                let own = |found: &&AttributeAnnotation| found.attribute == attribute && found.label == label;
                let true_ones: Vec<&AttributeAnnotation> = annotations.iter().filter(own).collect();
                let mut random =
                    random_stream(seed, &["add", id, &attribute.to_string(), &label.to_string()]);
                let count = (share * true_ones.len() as f64).round() as usize;
                for i in 0..if texts.is_empty() { 0 } else { count } {
                    let text = texts[random.below(texts.len())];
                    changed.push(false_one(page, true_ones[i % true_ones.len()], text));
                }
            }
        }
        AnnotationChange::Remove { share, labelled } => {
            let mut is_removed = vec![false; annotations.len()];
            for &attribute in attributes {
                let can_go = |found: &AttributeAnnotation| {
                    found.attribute == attribute && !found.label && (labelled || !found.labelled())
                };
                let mut own: Vec<usize> =
                    (0..annotations.len()).filter(|&i| can_go(&annotations[i])).collect();
                let mut random = random_stream(seed, &["remove", id, &attribute.to_string()]);
                for i in (1..own.len()).rev() {
                    own.swap(i, random.below(i + 1));
                }
                let count = (share * own.len() as f64).round() as usize;
                for &i in &own[..count] {
                    is_removed[i] = true;
                }
            }
            let mut stays = is_removed.into_iter().map(|removed| !removed);
            changed.retain(|_| stays.next().unwrap_or(true));
        }
    }
    changed.sort_by_key(|found| (found.node, found.attribute));
    changed
}

/// Visible text nodes.
fn texts(page: &Page) -> Vec<Node> {
    page.tree
        .nodes()
        .filter(|&node| page.tree.is_text(node) && page.index.leaves(&(node..node + 1)) > 0)
        .collect()
}

/// A text annotated as a value or label that it is not.
fn false_one(page: &Page, like: &AttributeAnnotation, text: Node) -> AttributeAnnotation {
    let mut found = like.clone();
    found.node = page.tree.parent(text);
    found.place = AnnotationPlace::Element;
    found.text = super::gold::collapsed(page.tree.raw_text(text));
    found.value = Value::Text(found.text.clone());
    found.crossed_out = false;
    found
}
