//! How a script makes a record from an object.
//!
//! In: records with their objects. Out: a [`RecordPattern`] that makes each of these records from its object, and
//! others from other objects. Records of different shapes (one has a badge, another has none) are variants; what
//! decides between them is which keys an object has. A pattern is only used for objects that are like those it was
//! learned from: where a key has a state that was never seen, or where a key that always had one value has another,
//! a script may show something unknown, and there is no record. O(nodes + keys) per record.

use std::collections::{BTreeMap, BTreeSet};

use super::json_objects::{FlatObject, KeyState};
use super::record_copies::{CopiedNode, RecordCopy, is_read_attribute, is_visible};
use super::text_pattern::TextPattern;
use copal_dom::RenderedLook;

/// Records that a pattern is learned from, at least.
const MIN_SAMPLES: usize = 3;
/// Shapes that records may have.
const MAX_VARIANTS: usize = 12;
/// Records of a variant from which texts are learned without help of the other variants.
const MIN_OWN_SAMPLES: usize = 3;

/// A record and its object.
pub(crate) struct RecordSample<'a> {
    pub(crate) record: &'a RecordCopy,
    pub(crate) object: &'a FlatObject,
}

/// How records are made; see the module.
#[derive(Debug, Clone)]
pub(crate) struct RecordPattern {
    variants: Vec<RecordVariant>,
    /// The variant by the states of the deciding keys. Empty if there is one variant.
    choices: BTreeMap<Vec<Option<KeyState>>, usize>,
    deciding_keys: Vec<String>,
    /// The states in which each key was seen; `None` for objects that lack it.
    states: BTreeMap<String, BTreeSet<Option<KeyState>>>,
    /// The keys that had one value in all objects.
    constants: BTreeMap<String, String>,
}

/// Records of one shape.
#[derive(Debug, Clone)]
struct RecordVariant {
    nodes: Vec<PatternNode>,
}

#[derive(Debug, Clone)]
enum PatternNode {
    Open {
        name: String,
        is_foreign: bool,
        attributes: Vec<(String, TextPattern)>,
        look: Option<RenderedLook>,
    },
    Text {
        pattern: TextPattern,
        look: Option<RenderedLook>,
    },
    Close,
}

impl RecordPattern {
    /// Learns how the records are made; `None` if some text or link of them is not made from the objects.
    pub(crate) fn learn(samples: &[RecordSample<'_>]) -> Option<RecordPattern> {
        if samples.len() < MIN_SAMPLES {
            return None;
        }
        let constants = constant_keys(samples);
        let mut by_shape: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, sample) in samples.iter().enumerate() {
            by_shape.entry(shape_of(sample.record)).or_default().push(at);
        }
        let mut groups: Vec<Vec<usize>> = by_shape.into_values().collect();
        if groups.len() > MAX_VARIANTS {
            return None;
        }
        // the largest has the best evidence, and helps the others
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        let mut known: Vec<TextPattern> = Vec::new();
        let mut variants = Vec::new();
        for group in &groups {
            let members: Vec<&RecordSample<'_>> = group.iter().map(|&at| &samples[at]).collect();
            let learner = VariantLearner { members, constants: &constants, is_only: groups.len() == 1 };
            variants.push(learner.learn(&mut known)?);
        }
        let states = seen_states(samples);
        let variant_of = |at: usize| groups.iter().position(|group| group.contains(&at));
        let (deciding_keys, choices) = if groups.len() == 1 {
            (Vec::new(), BTreeMap::new())
        } else {
            choices_between(samples, &states, &variant_of)?
        };
        Some(RecordPattern { variants, choices, deciding_keys, states, constants })
    }

    /// The record for an object; `None` if the object is unlike those that the pattern was learned from.
    pub(crate) fn record_for(&self, object: &FlatObject) -> Option<RecordCopy> {
        let is_known = |key: &str, state: Option<KeyState>| {
            self.states.get(key).is_some_and(|seen| seen.contains(&state))
        };
        let mut own = object.states.iter().map(|(key, state)| (key.as_str(), Some(*state)));
        let mut lacking = self.states.keys().filter(|key| !object.states.contains_key(*key));
        if !own.all(|(key, state)| is_known(key, state)) || !lacking.all(|key| is_known(key, None)) {
            return None;
        }
        let is_same =
            |(key, value): (&String, &String)| object.leaves.get(key).is_none_or(|own| own == value);
        if !self.constants.iter().all(is_same) {
            return None;
        }
        let variant = match self.variants.as_slice() {
            [only] => only,
            variants => variants.get(*self.choices.get(&key_states(object, &self.deciding_keys))?)?,
        };
        variant.nodes.iter().map(|node| node.for_object(object)).collect()
    }
}

impl PatternNode {
    fn for_object(&self, object: &FlatObject) -> Option<CopiedNode> {
        Some(match self {
            PatternNode::Open { name, is_foreign, attributes, look } => {
                let filled = attributes
                    .iter()
                    .map(|(name, pattern)| Some((name.clone(), pattern.text_for(object)?)))
                    .collect::<Option<Vec<_>>>()?;
                let (name, is_foreign, look) = (name.clone(), *is_foreign, *look);
                CopiedNode::Open { name, is_foreign, attributes: filled, look }
            }
            PatternNode::Text { pattern, look } => {
                CopiedNode::Text { text: pattern.text_for(object)?, look: *look }
            }
            PatternNode::Close => CopiedNode::Close,
        })
    }
}

/// Learns the texts of one variant.
struct VariantLearner<'a> {
    members: Vec<&'a RecordSample<'a>>,
    constants: &'a BTreeMap<String, String>,
    is_only: bool,
}

impl VariantLearner<'_> {
    /// `known` are the patterns of all variants so far.
    fn learn(&self, known: &mut Vec<TextPattern>) -> Option<RecordVariant> {
        let objects: Vec<&FlatObject> = self.members.iter().map(|member| member.object).collect();
        let mut nodes = Vec::new();
        for (at, first) in self.members.first()?.record.iter().enumerate() {
            nodes.push(match first {
                CopiedNode::Close => PatternNode::Close,
                CopiedNode::Text { text, look } if !is_visible(look.as_ref()) => {
                    PatternNode::Text { pattern: TextPattern::fixed(text), look: *look }
                }
                CopiedNode::Text { look, .. } => {
                    let texts: Vec<&str> = self.texts_at(at)?;
                    PatternNode::Text { pattern: self.pattern(&texts, &objects, known)?, look: *look }
                }
                CopiedNode::Open { name, is_foreign, attributes, look } => {
                    let mut learned = Vec::new();
                    for (name, value) in attributes {
                        let Some(values) = self.values_at(at, name) else { continue };
                        let pattern = if name == "class" {
                            Some(TextPattern::fixed(&common_words(value, &values)))
                        } else {
                            self.pattern(&values, &objects, known)
                        };
                        match pattern {
                            Some(pattern) => learned.push((name.clone(), pattern)),
                            None if is_read_attribute(name) => return None,
                            None => {}
                        }
                    }
                    let (name, is_foreign) = (name.clone(), *is_foreign);
                    PatternNode::Open { name, is_foreign, attributes: learned, look: *look }
                }
            });
        }
        Some(RecordVariant { nodes })
    }

    fn texts_at(&self, at: usize) -> Option<Vec<&str>> {
        let nodes = self.members.iter().map(|member| member.record.get(at));
        nodes
            .map(|node| match node? {
                CopiedNode::Text { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect()
    }

    /// The values of an HTML attribute; `None` unless all records have it.
    fn values_at(&self, at: usize, name: &str) -> Option<Vec<&str>> {
        let nodes = self.members.iter().map(|member| member.record.get(at));
        nodes
            .map(|node| match node? {
                CopiedNode::Open { attributes, .. } => {
                    attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
                }
                _ => None,
            })
            .collect()
    }

    fn pattern(
        &self,
        texts: &[&str],
        objects: &[&FlatObject],
        known: &mut Vec<TextPattern>,
    ) -> Option<TextPattern> {
        let first = *texts.first()?;
        let is_constant = texts.iter().all(|text| *text == first);
        if is_constant && self.is_only {
            return Some(TextPattern::fixed(first));
        }
        let fits = |pattern: &&TextPattern| {
            let made =
                |(text, object): (&&str, &&FlatObject)| pattern.text_for(object).as_deref() == Some(*text);
            !pattern.is_fixed() && texts.iter().zip(objects).all(made)
        };
        if let Some(pattern) = known.iter().find(fits) {
            return Some(pattern.clone());
        }
        if is_constant {
            // equal texts of a few records may still be values
            let is_own_text = self.members.len() >= MIN_OWN_SAMPLES || !self.contains_value(first, objects);
            return is_own_text.then(|| TextPattern::fixed(first));
        }
        let pattern = TextPattern::learn(texts, objects)?;
        known.push(pattern.clone());
        Some(pattern)
    }

    /// True if the text contains a value that may change from record to record.
    fn contains_value(&self, text: &str, objects: &[&FlatObject]) -> bool {
        let mut leaves = objects.iter().flat_map(|object| &object.leaves);
        let changes = |key: &String| !self.constants.contains_key(key);
        leaves.any(|(key, value)| changes(key) && text.contains(value.as_str()))
    }
}

/// The words that all values have, in the order of the first.
fn common_words(first: &str, values: &[&str]) -> String {
    let is_common =
        |word: &&str| values.iter().all(|value| value.split_ascii_whitespace().any(|own| own == *word));
    first.split_ascii_whitespace().filter(is_common).collect::<Vec<_>>().join(" ")
}

/// The tags of a record, which of its texts are visible, and which attributes it is read by.
fn shape_of(record: &[CopiedNode]) -> String {
    let mut shape = String::new();
    for node in record {
        match node {
            CopiedNode::Open { name, attributes, .. } => {
                shape.push('<');
                shape.push_str(name);
                for (name, _) in attributes.iter().filter(|(name, _)| is_read_attribute(name)) {
                    shape.push(' ');
                    shape.push_str(name);
                }
            }
            CopiedNode::Text { look, .. } => shape.push(if is_visible(look.as_ref()) { '"' } else { '\'' }),
            CopiedNode::Close => shape.push('>'),
        }
    }
    shape
}

/// The keys that have one value in all objects that have them.
fn constant_keys(samples: &[RecordSample<'_>]) -> BTreeMap<String, String> {
    let mut constants: BTreeMap<String, Option<String>> = BTreeMap::new();
    for (key, value) in samples.iter().flat_map(|sample| &sample.object.leaves) {
        let seen = constants.entry(key.clone()).or_insert_with(|| Some(value.clone()));
        if seen.as_ref().is_some_and(|seen| seen != value) {
            *seen = None;
        }
    }
    constants.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}

fn seen_states(samples: &[RecordSample<'_>]) -> BTreeMap<String, BTreeSet<Option<KeyState>>> {
    let keys: BTreeSet<&String> = samples.iter().flat_map(|sample| sample.object.states.keys()).collect();
    let states = |key: &String| samples.iter().map(|sample| sample.object.states.get(key).copied()).collect();
    keys.into_iter().map(|key| (key.clone(), states(key))).collect()
}

fn key_states(object: &FlatObject, keys: &[String]) -> Vec<Option<KeyState>> {
    keys.iter().map(|key| object.states.get(key).copied()).collect()
}

type VariantChoices = BTreeMap<Vec<Option<KeyState>>, usize>;

/// The keys whose states decide between variants, and the variant for their states: every key that decides alone, or
/// else all keys together. `None` if objects with the same states have different variants.
fn choices_between(
    samples: &[RecordSample<'_>],
    states: &BTreeMap<String, BTreeSet<Option<KeyState>>>,
    variant_of: &dyn Fn(usize) -> Option<usize>,
) -> Option<(Vec<String>, VariantChoices)> {
    let varying: Vec<String> =
        states.iter().filter(|(_, seen)| seen.len() > 1).map(|(key, _)| key.clone()).collect();
    let choices_by = |keys: &[String]| {
        let mut choices = VariantChoices::new();
        for (at, sample) in samples.iter().enumerate() {
            let variant = variant_of(at)?;
            if *choices.entry(key_states(sample.object, keys)).or_insert(variant) != variant {
                return None;
            }
        }
        Some(choices)
    };
    let decides_alone = |key: &&String| choices_by(std::slice::from_ref(*key)).is_some();
    let alone: Vec<String> = varying.iter().filter(decides_alone).cloned().collect();
    let keys = if alone.is_empty() { varying } else { alone };
    let choices = choices_by(&keys)?;
    Some((keys, choices))
}
