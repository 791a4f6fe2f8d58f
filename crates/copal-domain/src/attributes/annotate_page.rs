//! Annotates a page with the attributes of a domain (AMBER section 4.2): values and labels.
//!
//! In: a [`Page`] and a [`Domain`]. Out: [`AttributeAnnotation`]s in document order, each on the lowest
//! element that contains all of it. O(text) up to a budget.

use super::annotation_builder::{AnnotationBuilder, TextSource};
use super::attribute_annotation::AttributeAnnotation;
use super::attribute_finder::AttributeFinder;
use super::element_values;
use super::label_places::{Headers, icon_title};
use crate::domain::model::Domain;
use crate::text_runs::TextRuns;
use crate::value_annotations::{readable, recognition_budget, recognition_cost};
use copal_dom::{AttrName, Node, Page, attrs};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// HTML attributes whose values are read. URLs can contain coordinates.
const READ_ATTRIBUTES: &[AttrName] =
    &[attrs::ALT, attrs::TITLE, attrs::ARIA_LABEL, attrs::CONTENT, attrs::HREF, attrs::SRC];
/// Longest value of an HTML attribute that is read.
const MAX_ATTRIBUTE_BYTES: usize = 400;

/// Annotates a page with the attributes and labels that lists of a domain show.
///
/// ```
/// use copal_dom::{Limits, Page};
/// use copal_domain::{Domain, annotate};
///
/// let domain = Domain::load("books")?;
/// let page = Page::from_text("<p>ISBN: 978-0-306-40615-7</p>", &Limits::default());
/// let found = annotate(&page, &domain);
/// assert!(found.iter().any(|one| domain.attributes[one.attribute].name == "isbn" && !one.label));
/// # Ok::<(), copal_domain::DomainError>(())
/// ```
pub fn annotate(page: &Page, domain: &Domain) -> Vec<AttributeAnnotation> {
    annotate_beginning(page, domain).0
}

/// The same as [`annotate`], and whether the page has so much text that only its beginning was annotated.
pub fn annotate_beginning(page: &Page, domain: &Domain) -> (Vec<AttributeAnnotation>, bool) {
    annotate_texts(page, domain, false, None)
}

/// Annotates a page with all attributes and labels of a domain, including those that only detail pages show.
pub fn annotate_object(page: &Page, domain: &Domain) -> Vec<AttributeAnnotation> {
    annotate_texts(page, domain, true, None).0
}

/// The same as [`annotate_object`] for a part of the page: text runs whose first node is wanted, and labels
/// of icons whose element is wanted. URLs and elements (images, links) are not read.
pub fn annotate_parts(page: &Page, domain: &Domain, wanted: IsWanted<'_>) -> Vec<AttributeAnnotation> {
    annotate_texts(page, domain, true, Some(wanted)).0
}

/// Which nodes are read.
type IsWanted<'a> = &'a dyn Fn(Node) -> bool;

fn annotate_texts(
    page: &Page,
    domain: &Domain,
    is_detail_page: bool,
    wanted: Option<IsWanted<'_>>,
) -> (Vec<AttributeAnnotation>, bool) {
    let text_runs = TextRuns::new(page);
    let headers = Headers::new(page, &domain.labels);
    let (found, matches) = (Vec::new(), Vec::new());
    let builder = AnnotationBuilder { page, domain, text_runs: &text_runs, found, matches, is_detail_page };
    let mut finder = AttributeFinder::new(builder, &headers);
    let mut budget = recognition_budget();
    let mut sources = text_sources(page, &text_runs, wanted);
    let within_budget =
        |(_, source): &&(Node, TextSource<'_>)| budget.spend(recognition_cost(text_of(&text_runs, source)));
    let read = sources.iter().take_while(within_budget).count();
    sources.truncate(read);
    let texts = sources.iter().filter(|(_, source)| !is_url(source));
    let annotated = ask_annotators(domain, texts.map(|(_, source)| text_of(&text_runs, source)));
    for (_, source) in &sources {
        let found = annotated.get(text_of(&text_runs, source));
        finder.read(source, found.map_or(&[], Vec::as_slice));
    }
    let mut found = finder.builder.found;
    if wanted.is_none() {
        element_values::find(page, domain, &mut found);
    }
    found.sort_by_key(|found| (found.node, found.attribute));
    (found, budget.is_exceeded())
}

/// The text of a source that is read.
fn text_of<'a>(text_runs: &'a TextRuns, source: &TextSource<'a>) -> &'a str {
    match source {
        TextSource::Run(run) => readable(text_runs.text(run)),
        TextSource::HtmlAttribute(_, _, text) => text,
    }
}

/// True for values of HTML attributes that are or may be URLs.
fn is_url(source: &TextSource<'_>) -> bool {
    matches!(source, TextSource::HtmlAttribute(_, attrs::HREF | attrs::SRC | attrs::CONTENT, _))
}

/// What the bound annotators find, by text. Each of them is asked once, with the texts that differ.
fn ask_annotators<'a>(
    domain: &Domain,
    texts: impl Iterator<Item = &'a str>,
) -> FxHashMap<&'a str, Vec<(usize, Range<usize>)>> {
    let mut found: FxHashMap<&str, Vec<(usize, Range<usize>)>> = FxHashMap::default();
    if domain.annotators.is_empty() {
        return found;
    }
    let mut seen: FxHashSet<&'a str> = FxHashSet::default();
    let texts: Vec<&'a str> = texts.filter(|text| !text.trim().is_empty() && seen.insert(*text)).collect();
    for annotator in &domain.annotators {
        let Some(request) = domain.annotator_request(annotator.name(), texts.clone()) else { continue };
        for one in annotator.annotate(&request) {
            // an annotator in a program may be wrong, too
            if let Some(text) = texts.get(one.text).filter(|text| text.get(one.span.clone()).is_some())
                && one.attribute < domain.attributes.len()
            {
                found.entry(text).or_default().push((one.attribute, one.span));
            }
        }
    }
    found
}

/// The texts of a page in document order, each with its first node.
fn text_sources<'a>(
    page: &'a Page,
    text_runs: &'a TextRuns,
    wanted: Option<IsWanted<'_>>,
) -> Vec<(Node, TextSource<'a>)> {
    let is_wanted = |node: Node| wanted.is_none_or(|wanted| wanted(node));
    let is_url = |name: AttrName| matches!(name, attrs::HREF | attrs::SRC | attrs::CONTENT);
    let mut sources: Vec<(Node, TextSource<'_>)> = Vec::new();
    for run in text_runs.runs() {
        let first = text_runs.leaves(run).next().unwrap_or(0);
        if is_wanted(first) {
            sources.push((first, TextSource::Run(run)));
        }
    }
    let elements = page.tree.nodes().filter(|&node| !page.tree.is_text(node) && page.styles.is_shown(node));
    for node in elements.filter(|&node| is_wanted(node)) {
        for &name in READ_ATTRIBUTES.iter().filter(|&&name| wanted.is_none() || !is_url(name)) {
            let text = page.tree.attr(node, name).filter(|text| text.len() <= MAX_ATTRIBUTE_BYTES);
            if let Some(text) = text {
                sources.push((node, TextSource::HtmlAttribute(node, name, text)));
            }
        }
        // An SVG icon has its label in a title element.
        if let Some(text) = icon_title(page, node) {
            sources.push((node, TextSource::HtmlAttribute(node, attrs::TITLE, text)));
        }
    }
    // Text runs and HTML attributes are sorted together, so that the label of an icon precedes its number.
    sources.sort_by_key(|(node, _)| *node);
    sources
}
