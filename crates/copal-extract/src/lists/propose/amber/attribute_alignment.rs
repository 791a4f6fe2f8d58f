//! Attribute alignment (section 4.6, Definitions 13 to 15, Algorithm 4).
//!
//! In: records and the annotations of a domain. Out: at most one value per attribute and record, found or
//! inferred. A candidate is a path below the record that leads to one node in each record. It is kept if
//! enough records have the attribute there; if many have, the other records take the text at the same path.
//! Five scores choose among the candidates: annotation, redundancy, label, span and font. O(annotations +
//! nodes of the records) per attribute.

use super::attribute_sources::AttributeSources;
use crate::structure::path_keys::{path_keys, place_keys};
use copal_dom::{NONE, Node, Page};
use copal_domain::AnnotationPlace;
use copal_domain::AttributeAnnotation;
use copal_domain::{AttributeType, Domain};
use copal_model::Parts;
use copal_values::{Value, ValueType};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use crate::lists::candidate::Aligned;

/// Thresholds and weights of the alignment.
#[derive(Debug, Clone)]
pub struct AlignmentOptions {
    /// Minimum share of records that have the attribute at a path. The thesis prints this threshold and the
    /// next in three versions; its sweeps are flat around these values.
    pub keep: f64,
    /// If more than this share of the records has the attribute at a path, the others take the text at the
    /// same path.
    pub infer: f64,
    /// Values are inferred only at paths where found values have at least this mean share of their node's
    /// text.
    pub whole: f64,
    /// Allow a text that is a part of an attribute's values to be inferred as the whole value (a street as a
    /// location).
    pub infer_parts: bool,
    /// The weights of the five scores: annotation, redundancy, label, span, font.
    pub weights: [f64; 5],
    /// What a value costs that is apart from those it appears together with (`together` of a domain file).
    pub apart: f64,
}

impl Default for AlignmentOptions {
    fn default() -> Self {
        AlignmentOptions {
            keep: 0.3,
            infer: 0.5,
            whole: WHOLE_TEXT_SHARE,
            infer_parts: true,
            weights: [1.0; 5],
            apart: 0.5,
        }
    }
}

/// A value with at least this share of its node's text counts as the whole text.
const WHOLE_TEXT_SHARE: f64 = 0.6;
/// Maximum length of an inferred text in bytes.
const MAX_INFERRED_BYTES: usize = 120;

/// How a value is found in every record: by a path, or only by its attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum ValuePath {
    /// By tags, classes and table columns below the record.
    Path(u64),
    /// By tags and sibling positions below the record.
    Positions(u64),
    /// It is the only value of the attribute in the record.
    Only,
    /// It follows a label.
    Labelled,
}

/// One way to find the values of an attribute.
struct AttributeCandidate<'a> {
    /// What it finds in each record.
    choices: Vec<Option<ValueChoice<'a>>>,
    /// Share of records with an annotation there.
    support: f64,
    score: f64,
}

/// The value of one record.
#[derive(Clone, Copy)]
enum ValueChoice<'a> {
    Annotated(&'a AttributeAnnotation),
    Inferred(Node),
}

/// True for attributes that are found by their appearance; see [`super::visual_attributes`].
pub(super) fn is_visual(name: &str) -> bool {
    matches!(name, "title" | "url" | "image" | "description")
}

/// The aligned value per attribute and record. An attribute that no record has may have no values at all.
pub(super) fn align(
    page: &Page,
    domain: &Domain,
    annotations: &[AttributeAnnotation],
    records: &[Parts],
    (paths, sources): (&[RecordPaths], &AttributeSources<'_>),
    options: &AlignmentOptions,
) -> Vec<Vec<Option<Aligned>>> {
    (0..domain.attributes.len())
        .map(|attribute| {
            // titles and descriptions may have labels, but images and links are found only by their
            // appearance
            let has_no_text = matches!(
                domain.attributes[attribute].attribute_type,
                AttributeType::Generic(ValueType::Image | ValueType::Link)
            );
            if has_no_text && is_visual(&domain.attributes[attribute].name) {
                return Vec::new();
            }
            // most attributes are not on most pages, and a cell for each record would be a kilobyte per record
            let crossed_out = domain.attributes[attribute].crossed_out;
            if !annotations.iter().any(|found| is_value_of(found, attribute, crossed_out)) {
                return Vec::new();
            }
            let own: Vec<Vec<&AttributeAnnotation>> =
                records.iter().map(|parts| within(annotations, attribute, crossed_out, parts)).collect();
            let parts: &[usize] = if options.infer_parts { &domain.attributes[attribute].parts } else { &[] };
            let others = |node: Node| is_another(page, annotations, attribute, parts, node);
            let inferable = |node: Node| {
                let text = page.text_of(node);
                let may_be_value = may_be_value(&text) && !others(node);
                may_be_value.then(|| domain.attributes[attribute].read_text(&text)).flatten()
            };
            let partners: Vec<usize> = domain
                .together
                .iter()
                .filter(|group| group.contains(&attribute))
                .flatten()
                .copied()
                .collect();
            let is_apart = |record: usize, found: &AttributeAnnotation| {
                is_apart(page, annotations, &records[record], &partners, found)
            };
            align_one(page, (paths, sources), &own, (&inferable, &is_apart), options)
        })
        .collect()
}

/// The annotations of an attribute in a record.
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
    all.filter(|found| is_value_of(found, attribute, old)).collect()
}

/// True for a value of the attribute, crossed out or not.
fn is_value_of(found: &AttributeAnnotation, attribute: usize, crossed_out: bool) -> bool {
    found.attribute == attribute && !found.label && found.crossed_out == crossed_out
}

/// True if most of the node's text is a value of another attribute.
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
    // the URL of a link or an image is not a text
    here.filter(|found| matches!(found.place, AnnotationPlace::Text(_)))
        .filter(|found| found.attribute != attribute && !parts.contains(&found.attribute))
        .any(|found| found.text.len() as f64 >= WHOLE_TEXT_SHARE * whole)
}

/// The paths of the nodes of one record, and the node of each path that has only one.
pub(super) struct RecordPaths {
    of_node: FxHashMap<Node, [ValuePath; 2]>,
    single_node: FxHashMap<ValuePath, Option<Node>>,
}

impl RecordPaths {
    fn new(page: &Page, parts: &Parts) -> RecordPaths {
        let mut paths = RecordPaths { of_node: FxHashMap::default(), single_node: FxHashMap::default() };
        for (number, part) in parts.iter().enumerate() {
            let keys = path_keys(page, part, number).into_iter().zip(place_keys(page, part, number));
            for (node, (path, positions)) in
                part.clone().zip(keys).filter(|(node, _)| !page.tree.is_text(*node))
            {
                let both = [ValuePath::Path(path), ValuePath::Positions(positions)];
                paths.of_node.insert(node, both);
                for path in both {
                    paths.single_node.entry(path).and_modify(|node| *node = None).or_insert(Some(node));
                }
            }
        }
        paths
    }

    /// The paths of all records.
    pub(super) fn all(page: &Page, records: &[Parts]) -> Vec<RecordPaths> {
        records.iter().map(|parts| RecordPaths::new(page, parts)).collect()
    }

    /// The paths of a node of the record.
    pub(super) fn of(&self, node: Node) -> Option<[ValuePath; 2]> {
        self.of_node.get(&node).copied()
    }

    /// The node that a path leads to, if there is only one.
    pub(super) fn node(&self, path: ValuePath) -> Option<Node> {
        self.single_node.get(&path).copied().flatten()
    }
}

/// The value of a node's text, if the text can be a value of the attribute.
type InferableValue<'a> = &'a dyn Fn(Node) -> Option<Value>;
/// Whether a value of the record with this number is apart from the values it appears together with.
type IsApart<'a> = &'a dyn Fn(usize, &AttributeAnnotation) -> bool;

/// True if the record has values of the partners, and none of them shares the element around the value. A town
/// without its county next to it is probably another town than that of the record.
fn is_apart(
    page: &Page,
    annotations: &[AttributeAnnotation],
    record: &Parts,
    partners: &[usize],
    found: &AttributeAnnotation,
) -> bool {
    let from = |start: Node| annotations.partition_point(|other| other.node < start);
    let inside = record.iter().flat_map(|part| &annotations[from(part.start)..from(part.end)]);
    let mut others = inside
        .filter(|other| !other.label && other.attribute != found.attribute)
        .filter(|other| partners.contains(&other.attribute))
        .peekable();
    let around = page.tree.parent(found.node);
    others.peek().is_some() && around != NONE && !others.any(|other| page.tree.contains(around, other.node))
}

/// The aligned value of one attribute per record; none if no record has it.
fn align_one(
    page: &Page,
    (paths, sources): (&[RecordPaths], &AttributeSources<'_>),
    own: &[Vec<&AttributeAnnotation>],
    (inferable, is_apart): (InferableValue<'_>, IsApart<'_>),
    options: &AlignmentOptions,
) -> Vec<Option<Aligned>> {
    let n = own.len();
    let annotated = own.iter().filter(|found| !found.is_empty()).count();
    if annotated == 0 {
        return Vec::new();
    }
    let mut candidates: Vec<AttributeCandidate<'_>> = Vec::new();
    let mut candidate_paths: Vec<ValuePath> = own
        .iter()
        .zip(paths)
        .flat_map(|(found, paths)| {
            found.iter().filter_map(|f| paths.of(f.node)).flatten().collect::<Vec<_>>()
        })
        .collect();
    candidate_paths.extend([ValuePath::Only, ValuePath::Labelled]);
    candidate_paths.sort_unstable();
    candidate_paths.dedup();
    let usual = usual_nodes(page, own, paths);
    for path in candidate_paths {
        let mut choices: Vec<Option<ValueChoice<'_>>> =
            own.iter().zip(paths).map(|(found, paths)| choice_at(path, found, paths)).collect();
        if path == ValuePath::Only {
            // the only value of a record must be where values usually are: "red-eye" in one title is not a
            // colour
            let is_usual = |choice: &ValueChoice<'_>| match choice {
                ValueChoice::Annotated(found) => usual.contains(&found.node),
                ValueChoice::Inferred(_) => false,
            };
            for choice in &mut choices {
                *choice = choice.filter(is_usual);
            }
        }
        let support = choices.iter().flatten().count() as f64 / n as f64;
        // a labelled value needs no support: the page says what it is
        if support < options.keep && path != ValuePath::Labelled {
            continue;
        }
        if support > options.infer
            && !matches!(path, ValuePath::Only | ValuePath::Labelled)
            && are_mostly_whole(page, &choices, options.whole)
        {
            infer(path, paths, &mut choices, inferable);
        }
        let score = (0..n)
            .map(|r| {
                choices[r].map_or(0.0, |choice| {
                    let cost = match choice {
                        ValueChoice::Annotated(found) if is_apart(r, found) => options.apart,
                        _ => 0.0,
                    };
                    score(page, choice, &own[r], annotated as f64 / n as f64, &options.weights) - cost
                })
            })
            .sum();
        candidates.push(AttributeCandidate { choices, support, score });
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    (0..n)
        .map(|r| {
            candidates.iter().find_map(|candidate| {
                candidate.choices[r]
                    .map(|choice| aligned(page, sources, choice, inferable, candidate.support))
            })
        })
        .collect()
}

/// The nodes where values of the attribute are usual: labelled values, values that are whole texts, and
/// values at a path where another record has a value too.
fn usual_nodes(page: &Page, own: &[Vec<&AttributeAnnotation>], paths: &[RecordPaths]) -> FxHashSet<Node> {
    let mut shared: FxHashMap<ValuePath, u32> = FxHashMap::default();
    for (found, paths) in own.iter().zip(paths) {
        let mut here: Vec<ValuePath> =
            found.iter().filter_map(|found| paths.of(found.node)).flatten().collect();
        here.sort_unstable();
        here.dedup();
        for path in here {
            *shared.entry(path).or_default() += 1;
        }
    }
    let is_shared = |path: &ValuePath| shared.get(path).is_some_and(|&count| count > 1);
    let mut usual = FxHashSet::default();
    for (found, paths) in own.iter().zip(paths) {
        for found in found {
            let is_whole =
                || found.text.len() as f64 >= WHOLE_TEXT_SHARE * page.text_of(found.node).len() as f64;
            let on_shared_path = || paths.of(found.node).is_some_and(|both| both.iter().any(is_shared));
            if found.labelled() || on_shared_path() || is_whole() {
                usual.insert(found.node);
            }
        }
    }
    usual
}

/// The annotation that a path leads to in one record. If the node has several, labelled and long ones win.
fn choice_at<'a>(
    path: ValuePath,
    found: &[&'a AttributeAnnotation],
    paths: &RecordPaths,
) -> Option<ValueChoice<'a>> {
    let node = match path {
        ValuePath::Only => match found {
            [one] => one.node,
            _ => return None,
        },
        ValuePath::Labelled => {
            let mut labelled = found.iter().filter(|found| found.labelled());
            let first = labelled.next()?;
            return labelled.all(|other| other.value == first.value).then_some(ValueChoice::Annotated(first));
        }
        _ => paths.node(path)?,
    };
    let longest = found
        .iter()
        .filter(|found| found.node == node)
        .max_by_key(|found| (found.labelled(), found.text.len()));
    longest.map(|found| ValueChoice::Annotated(found))
}

/// True if the values have at least this mean share of their nodes' texts. Otherwise the whole text of
/// another node is probably not a value.
fn are_mostly_whole(page: &Page, choices: &[Option<ValueChoice<'_>>], min_share: f64) -> bool {
    let share = |choice: &ValueChoice<'_>| match choice {
        ValueChoice::Annotated(found) => {
            found.text.len() as f64 / page.text_of(found.node).len().max(1) as f64
        }
        ValueChoice::Inferred(_) => 0.0,
    };
    let shares: Vec<f64> = choices.iter().flatten().map(share).collect();
    shares.iter().sum::<f64>() >= min_share * shares.len() as f64
}

/// Records without the annotation take the text at the path where the others have it, if it can be a value of
/// the attribute.
fn infer(
    path: ValuePath,
    paths: &[RecordPaths],
    choices: &mut [Option<ValueChoice<'_>>],
    inferable: InferableValue<'_>,
) {
    for (choice, paths) in choices.iter_mut().zip(paths) {
        if choice.is_none()
            && let Some(node) = paths.node(path)
            && inferable(node).is_some()
        {
            *choice = Some(ValueChoice::Inferred(node));
        }
    }
}

/// True for a text that may be a value: not too long, and with a letter or digit.
fn may_be_value(text: &str) -> bool {
    (1..=MAX_INFERRED_BYTES).contains(&text.len())
        && text.contains(char::is_alphanumeric)
        && !text.eq_ignore_ascii_case("n/a")
}

/// Definition 14: the weighted sum of the five scores.
fn score(
    page: &Page,
    choice: ValueChoice<'_>,
    own: &[&AttributeAnnotation],
    annotated: f64,
    weights: &[f64; 5],
) -> f64 {
    let ValueChoice::Annotated(found) = choice else { return weights[0] * annotated };
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

fn aligned(
    page: &Page,
    sources: &AttributeSources<'_>,
    choice: ValueChoice<'_>,
    inferable: InferableValue<'_>,
    support: f64,
) -> Aligned {
    match choice {
        ValueChoice::Annotated(found) => Aligned {
            text: found.text.clone(),
            value: Some(found.value.clone()),
            inferred: false,
            node: Some(found.node),
            source: sources.annotation(found),
            support,
        },
        ValueChoice::Inferred(node) => Aligned {
            text: page.text_of(node),
            value: inferable(node),
            inferred: true,
            node: Some(node),
            source: sources.element(node),
            support,
        },
    }
}
