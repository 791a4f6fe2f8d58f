//! Attribute alignment (section 4.6, Definitions 13 to 15, Algorithm 4).
//!
//! In: records and a domain's annotations. Out: for every attribute and record at most one value, found or inferred. A
//! candidate is a path below the record that leads to one node in each record; it is kept if enough records have the
//! attribute there, and fills in records without the annotation if many have. Five scores choose among candidates:
//! annotation, redundancy, label, span and font. O(annotations + nodes of the records) an attribute.

use crate::structure::path_keys::{path_keys, place_keys};
use copal_dom::{Node, Page};
use copal_domain::{AnnotationPlace, AttributeAnnotation, AttributeType, Domain};
use copal_model::Parts;
use copal_values::{Value, ValueType};
use rustc_hash::{FxHashMap, FxHashSet};

pub use crate::lists::candidate::Aligned;

/// Thresholds and scores.
#[derive(Debug, Clone)]
pub struct AlignmentOptions {
    /// Least share of records that have the attribute at a path (the thesis prints both thresholds three ways; its sweeps
    /// are flat around these).
    pub keep: f64,
    /// Share of records from which the others take what stands at the same path.
    pub infer: f64,
    /// Least mean share of its node's text a value must have where others are inferred.
    pub whole: f64,
    /// A text that is mostly one part of an attribute's values may be inferred as the whole (a street as a location).
    pub infer_parts: bool,
    /// Weights of the five scores: annotation, redundancy, label, span, font.
    pub weights: [f64; 5],
}

impl Default for AlignmentOptions {
    fn default() -> Self {
        AlignmentOptions { keep: 0.3, infer: 0.5, whole: WHOLE, infer_parts: true, weights: [1.0; 5] }
    }
}

/// Share of a node's text from which it is that value.
const WHOLE: f64 = 0.6;
/// Longest text that is inferred.
const LONGEST: usize = 120;

/// Where a value may stand in every record: a path, or just its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Way {
    /// Tags, classes and table places below the record.
    Path(u64),
    /// Tags and positions below the record.
    Places(u64),
    /// The only value of the attribute in the record.
    Only,
    /// The value behind a label.
    Labelled,
}

struct Candidate<'a> {
    /// By record.
    nodes: Vec<Option<Choice<'a>>>,
    support: f64,
    score: f64,
}

#[derive(Clone, Copy)]
enum Choice<'a> {
    AttributeAnnotation(&'a AttributeAnnotation),
    Inferred(Node),
}

/// Attributes that are found by their looks; see [`super::visual`].
pub(super) fn is_visual(name: &str) -> bool {
    matches!(name, "title" | "url" | "image" | "description")
}

/// By attribute, by record: the aligned value.
pub(super) fn align(
    page: &Page,
    domain: &Domain,
    annotations: &[AttributeAnnotation],
    records: &[Parts],
    ways: &[Ways],
    options: &AlignmentOptions,
) -> Vec<Vec<Option<Aligned>>> {
    (0..domain.attributes.len())
        .map(|attribute| {
            // what no rule, term or recogniser finds may have a label; images and links are found by their looks
            let visual = matches!(
                domain.attributes[attribute].attribute_type,
                AttributeType::Generic(ValueType::Image | ValueType::Link)
            );
            if visual && is_visual(&domain.attributes[attribute].name) {
                return vec![None; records.len()];
            }
            let own: Vec<Vec<&AttributeAnnotation>> = records
                .iter()
                .map(|parts| within(annotations, attribute, domain.attributes[attribute].crossed_out, parts))
                .collect();
            let parts: &[usize] = if options.infer_parts { &domain.attributes[attribute].parts } else { &[] };
            let others = |node: Node| is_another(page, annotations, attribute, parts, node);
            align_one(page, ways, &own, &others, options)
        })
        .collect()
}

fn within<'a>(
    annotations: &'a [AttributeAnnotation],
    attribute: usize,
    old: bool,
    parts: &Parts,
) -> Vec<&'a AttributeAnnotation> {
    let range = |start: Node, end: Node| {
        let from = annotations.partition_point(|found| found.node < start);
        let to = annotations.partition_point(|found| found.node < end);
        &annotations[from..to]
    };
    let all = parts.iter().flat_map(|part| range(part.start, part.end));
    all.filter(|found| found.attribute == attribute && !found.label && found.crossed_out == old).collect()
}

/// Most of the node's text is a value of another attribute: it is not this one's.
fn is_another(
    page: &Page,
    annotations: &[AttributeAnnotation],
    attribute: usize,
    parts: &[usize],
    node: Node,
) -> bool {
    let whole = page.text_of(node).len() as f64;
    let from = annotations.partition_point(|found| found.node < node);
    let here = annotations[from..].iter().take_while(|found| found.node < page.tree.end(node));
    // the address of a link or an image is not a text
    here.filter(|found| matches!(found.place, AnnotationPlace::Text(_)))
        .filter(|found| found.attribute != attribute && !parts.contains(&found.attribute))
        .any(|found| found.text.len() as f64 >= WHOLE * whole)
}

/// The ways to the nodes of one record, and back if only one node is there.
pub(super) struct Ways {
    of: FxHashMap<Node, [Way; 2]>,
    only: FxHashMap<Way, Option<Node>>,
}

impl Ways {
    fn new(page: &Page, parts: &Parts) -> Ways {
        let mut ways = Ways { of: FxHashMap::default(), only: FxHashMap::default() };
        for (number, part) in parts.iter().enumerate() {
            let keys = path_keys(page, part, number).into_iter().zip(place_keys(page, part, number));
            for (node, (path, places)) in part.clone().zip(keys).filter(|(node, _)| !page.tree.is_text(*node))
            {
                let both = [Way::Path(path), Way::Places(places)];
                ways.of.insert(node, both);
                for way in both {
                    ways.only.entry(way).and_modify(|node| *node = None).or_insert(Some(node));
                }
            }
        }
        ways
    }

    /// The ways of all records.
    pub(super) fn all(page: &Page, records: &[Parts]) -> Vec<Ways> {
        records.iter().map(|parts| Ways::new(page, parts)).collect()
    }

    /// The ways to a node of the record.
    pub(super) fn of(&self, node: Node) -> Option<[Way; 2]> {
        self.of.get(&node).copied()
    }

    /// The only node a way leads to.
    pub(super) fn node(&self, way: Way) -> Option<Node> {
        self.only.get(&way).copied().flatten()
    }
}

fn align_one(
    page: &Page,
    ways: &[Ways],
    own: &[Vec<&AttributeAnnotation>],
    is_another: &dyn Fn(Node) -> bool,
    options: &AlignmentOptions,
) -> Vec<Option<Aligned>> {
    let n = own.len();
    let with = own.iter().filter(|found| !found.is_empty()).count();
    if with == 0 {
        return vec![None; n];
    }
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    let mut known: Vec<Way> = own
        .iter()
        .zip(ways)
        .flat_map(|(found, ways)| {
            found.iter().filter_map(|f| ways.of.get(&f.node).copied()).flatten().collect::<Vec<_>>()
        })
        .collect();
    known.extend([Way::Only, Way::Labelled]);
    known.sort_unstable();
    known.dedup();
    let usual = usual(page, own, ways);
    for way in known {
        let mut nodes: Vec<Option<Choice<'_>>> =
            own.iter().zip(ways).map(|(found, ways)| at(way, found, ways)).collect();
        if way == Way::Only {
            // the only value in the record must stand where values stand: "red-eye" in one title is no colour
            for node in &mut nodes {
                *node = node
                    .filter(|choice| matches!(choice, Choice::AttributeAnnotation(found) if usual.contains(&found.node)));
            }
        }
        let support = nodes.iter().flatten().count() as f64 / n as f64;
        // what a label names needs no support: the page itself says what it is
        if support < options.keep && way != Way::Labelled {
            continue;
        }
        if support > options.infer
            && !matches!(way, Way::Only | Way::Labelled)
            && mostly_whole(page, &nodes, options.whole)
        {
            infer(page, way, ways, &mut nodes, is_another);
        }
        let score = (0..n)
            .map(|r| {
                nodes[r].map_or(0.0, |choice| {
                    score(page, choice, &own[r], with as f64 / n as f64, &options.weights)
                })
            })
            .sum();
        candidates.push(Candidate { nodes, support, score });
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    (0..n)
        .map(|r| {
            candidates.iter().find_map(|candidate| {
                candidate.nodes[r].map(|choice| aligned(page, choice, candidate.support))
            })
        })
        .collect()
}

/// Nodes where values of the attribute are usual: labelled ones, whole texts, and those on a path that another record has
/// a value on too.
fn usual(page: &Page, own: &[Vec<&AttributeAnnotation>], ways: &[Ways]) -> FxHashSet<Node> {
    let mut shared: FxHashMap<Way, u32> = FxHashMap::default();
    for (found, ways) in own.iter().zip(ways) {
        let mut here: Vec<Way> = found.iter().filter_map(|found| ways.of(found.node)).flatten().collect();
        here.sort_unstable();
        here.dedup();
        for way in here {
            *shared.entry(way).or_default() += 1;
        }
    }
    let is_shared = |way: &Way| shared.get(way).is_some_and(|&count| count > 1);
    let mut usual = FxHashSet::default();
    for (found, ways) in own.iter().zip(ways) {
        for found in found {
            let whole = || found.text.len() as f64 >= WHOLE * page.text_of(found.node).len() as f64;
            let on_path = || ways.of(found.node).is_some_and(|both| both.iter().any(is_shared));
            if found.labelled() || on_path() || whole() {
                usual.insert(found.node);
            }
        }
    }
    usual
}

/// The annotated node a way leads to in one record; of several values on it the longest.
fn at<'a>(way: Way, found: &[&'a AttributeAnnotation], ways: &Ways) -> Option<Choice<'a>> {
    let node = match way {
        Way::Only => match found {
            [one] => one.node,
            _ => return None,
        },
        Way::Labelled => {
            let mut labelled = found.iter().filter(|found| found.labelled());
            let first = labelled.next()?;
            return labelled
                .all(|other| other.value == first.value)
                .then_some(Choice::AttributeAnnotation(first));
        }
        _ => ways.node(way)?,
    };
    let longest = found
        .iter()
        .filter(|found| found.node == node)
        .max_by_key(|found| (found.labelled(), found.text.len()));
    longest.map(|found| Choice::AttributeAnnotation(found))
}

/// The values found there are most of their nodes' texts: else the whole text of another node is no value.
fn mostly_whole(page: &Page, nodes: &[Option<Choice<'_>>], least: f64) -> bool {
    let share = |choice: &Choice<'_>| match choice {
        Choice::AttributeAnnotation(found) => {
            found.text.len() as f64 / page.text_of(found.node).len().max(1) as f64
        }
        Choice::Inferred(_) => 0.0,
    };
    let shares: Vec<f64> = nodes.iter().flatten().map(share).collect();
    shares.iter().sum::<f64>() >= least * shares.len() as f64
}

/// Records without the annotation take what stands where the others have it.
fn infer(
    page: &Page,
    way: Way,
    ways: &[Ways],
    nodes: &mut [Option<Choice<'_>>],
    is_another: &dyn Fn(Node) -> bool,
) {
    for (choice, ways) in nodes.iter_mut().zip(ways) {
        if choice.is_none()
            && let Some(node) = ways.node(way)
            && is_text(&page.text_of(node))
            && !is_another(node)
        {
            *choice = Some(Choice::Inferred(node));
        }
    }
}

/// A text that may be a value: not too long, and with a letter or digit.
fn is_text(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len())
        && text.contains(char::is_alphanumeric)
        && !text.eq_ignore_ascii_case("n/a")
}

/// Definition 14: the five scores, equally weighted.
fn score(
    page: &Page,
    choice: Choice<'_>,
    own: &[&AttributeAnnotation],
    annotated: f64,
    weights: &[f64; 5],
) -> f64 {
    let Choice::AttributeAnnotation(found) = choice else { return weights[0] * annotated };
    let same = |value: &Value| own.iter().filter(|other| other.value == *value).count() as f64;
    let most = own.iter().map(|other| same(&other.value)).fold(1.0, f64::max);
    let size = |node: Node| f64::from(page.styles.style(node).size);
    let largest = own.iter().map(|other| size(other.node)).fold(1.0, f64::max);
    let whole = page.text_of(found.node).chars().count().max(1) as f64;
    let span = (found.text.chars().count() as f64 / whole).min(1.0);
    let label = f64::from(u8::from(found.labelled()));
    let scores = [annotated, same(&found.value) / most, label, span, size(found.node) / largest];
    scores.iter().zip(weights).map(|(score, weight)| score * weight).sum()
}

fn aligned(page: &Page, choice: Choice<'_>, support: f64) -> Aligned {
    let (node, text, value, inferred) = match choice {
        Choice::AttributeAnnotation(found) => {
            (found.node, found.text.clone(), Some(found.value.clone()), false)
        }
        Choice::Inferred(node) => (node, page.text_of(node), None, true),
    };
    Aligned { text, value, inferred, node: Some(node), support }
}
