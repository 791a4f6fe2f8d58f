//! Annotations made worse on purpose (thesis 7.1.2, "Robustness").
//!
//! In: a page's annotations, which attributes to disturb, a share and a seed. Out: changed annotations in the same order.
//!
//! *Added*: for every disturbed attribute that share of its instances, and of its labels, again, each on a visible text
//! node drawn from the whole document; the false annotation says that the node's whole text is the value. *Removed*: that
//! share of its instances. Labels stay, as in the thesis. A value that was found by its label is an instance and goes as
//! any other (the harder reading: a recogniser could find it again), unless `labelled` says that these stay too.
//! The draws depend on seed, page and attribute alone, so what 25% removes 50% removes too.

use copal_dom::{Node, Page};
use copal_domain::Place;
use copal_domain::domain::annotate::AttributeAnnotation;
use copal_values::Value;

/// What is done to the annotations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Change {
    /// Nothing.
    None,
    /// False ones come in: a share of the true ones.
    Add(f64),
    /// A share of the instances goes.
    Remove {
        /// Which share.
        share: f64,
        /// Those that were found by their labels go too.
        labelled: bool,
    },
}

/// A small generator of random numbers (SplitMix64): the same on every machine.
pub(crate) struct Random(u64);

impl Random {
    /// A stream of its own for each list of words.
    pub(crate) fn new(seed: u64, words: &[&str]) -> Random {
        let bytes = words.iter().flat_map(|word| word.bytes().chain([0]));
        Random(bytes.fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    /// Below `most`, which is not 0.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % most as u64) as usize
    }
}

/// The annotations of a page after a change to some attributes.
pub(crate) fn disturb(
    page: &Page,
    id: &str,
    annotations: &[AttributeAnnotation],
    attributes: &[usize],
    change: Change,
    seed: u64,
) -> Vec<AttributeAnnotation> {
    let mut changed = annotations.to_vec();
    match change {
        Change::None => return changed,
        Change::Add(share) => {
            let texts = texts(page);
            for (&attribute, label) in attributes.iter().flat_map(|a| [(a, false), (a, true)]) {
                let own = |found: &&AttributeAnnotation| found.attribute == attribute && found.label == label;
                let true_ones: Vec<&AttributeAnnotation> = annotations.iter().filter(own).collect();
                let mut random = Random::new(seed, &["add", id, &attribute.to_string(), &label.to_string()]);
                let count = (share * true_ones.len() as f64).round() as usize;
                for i in 0..if texts.is_empty() { 0 } else { count } {
                    let text = texts[random.below(texts.len())];
                    changed.push(false_one(page, true_ones[i % true_ones.len()], text));
                }
            }
        }
        Change::Remove { share, labelled } => {
            let mut gone = vec![false; annotations.len()];
            for &attribute in attributes {
                let goes = |found: &AttributeAnnotation| {
                    found.attribute == attribute && !found.label && (labelled || !found.labelled())
                };
                let mut own: Vec<usize> = (0..annotations.len()).filter(|&i| goes(&annotations[i])).collect();
                let mut random = Random::new(seed, &["remove", id, &attribute.to_string()]);
                for i in (1..own.len()).rev() {
                    own.swap(i, random.below(i + 1));
                }
                let count = (share * own.len() as f64).round() as usize;
                for &i in &own[..count] {
                    gone[i] = true;
                }
            }
            let mut stays = gone.into_iter().map(|gone| !gone);
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

/// A text that is taken for a value or a label it is not.
fn false_one(page: &Page, like: &AttributeAnnotation, text: Node) -> AttributeAnnotation {
    let mut found = like.clone();
    found.node = page.tree.parent(text);
    found.place = Place::Element;
    found.text = super::gold::collapsed(page.tree.raw_text(text));
    found.value = Value::Text(found.text.clone());
    found.old = false;
    found
}
