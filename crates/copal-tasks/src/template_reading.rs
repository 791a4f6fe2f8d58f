//! Pages read with the template of their site: what was learned once from a few pages of the same template.
//!
//! In: a page. Out: its answer. A template says whether its pages show a list or an object, and where the records of the
//! list or the texts about other objects are; the table and the fields are then read as the full extraction reads them, with
//! the same names. That leaves out the search for lists. A page that does not look like those of its
//! template is extracted in full.

use crate::error::TaskError;
use copal::objects::{ForeignPlaces, learn_foreign_places, template_similarity, template_sketch};
use copal::wrapper::{Wrapper, learn_records, locate_records};
use copal::{Answer, Document, KnownContent, Origin, Page, Received, Region, Request, Role, extract_known};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Smallest similarity of the sketches of pages with one template.
const MIN_SIMILARITY: f64 = 0.5;
/// Share of the cells that a template must read like the full extraction on the pages it was learned from.
const MIN_AGREEMENT: f64 = 0.95;
/// Share of the fields of all samples that an object of the template must have.
const MIN_COMMON_FIELDS: f64 = 0.75;

/// What the template of a page looks like: sorted hashes of its tag paths.
pub type TemplateSketch = Vec<u64>;

/// A template whose pages can be read without a search for lists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KnownTemplate {
    /// The site.
    pub host: String,
    /// The first page of the template.
    pub sketch: TemplateSketch,
    /// What its pages show.
    pub content: TemplateContent,
}

/// What the pages of a template show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TemplateContent {
    /// A main list.
    List {
        /// A wrapper that finds its records, as it is written to a file.
        wrapper: String,
        /// The mean confidence of the lists of the samples.
        confidence: f64,
    },
    /// One object.
    Object {
        /// The fields that all samples have.
        common_fields: BTreeSet<String>,
        /// Tag paths of lines about other objects.
        #[serde(default)]
        foreign_paths: Vec<u64>,
    },
}

impl KnownTemplate {
    /// The template as JSON, for other processes and machines.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A template from its JSON.
    pub fn from_json(json: &str) -> Result<KnownTemplate, TaskError> {
        serde_json::from_str(json).map_err(|error| TaskError::usage(format_args!("not a template: {error}")))
    }
}

/// The site of a page, whose templates it may have: the host of its URL.
pub fn template_site(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

/// A page that a template is learned from.
#[derive(Debug, Clone, Default)]
pub struct TemplateSample {
    /// Its address.
    pub url: Option<String>,
    /// The type that its server stated.
    pub content_type: Option<String>,
    /// The charset that its server stated.
    pub charset: Option<String>,
    /// Its content.
    pub body: Vec<u8>,
}

/// The answer for a page.
#[derive(Debug)]
pub struct TemplateAnswer {
    /// What was found.
    pub answer: Answer,
    /// It was read with a template.
    pub is_by_template: bool,
    /// The sketch of a page that was not.
    pub sketch: Option<TemplateSketch>,
}

/// What is known of the pages of a template, ready for use.
#[derive(Debug)]
enum TemplateReader {
    List { wrapper: Box<Wrapper>, confidence: f64 },
    Object { common_fields: BTreeSet<String>, foreign: Arc<ForeignPlaces> },
}

impl TemplateReader {
    /// `None` if the wrapper cannot be read.
    fn new(content: TemplateContent) -> Option<TemplateReader> {
        Some(match content {
            TemplateContent::List { wrapper, confidence } => {
                TemplateReader::List { wrapper: Box::new(Wrapper::parse(&wrapper).ok()?), confidence }
            }
            TemplateContent::Object { common_fields, foreign_paths } => {
                let foreign = Arc::new(ForeignPlaces::from_paths(foreign_paths));
                TemplateReader::Object { common_fields, foreign }
            }
        })
    }

    /// The answer for a page; `None` if it does not look like the pages that the template was learned from.
    fn answer(&self, page: &Page, request: &Request) -> Option<Answer> {
        if !page.warnings.is_empty() {
            return None;
        }
        let known = match self {
            TemplateReader::List { wrapper, confidence } => {
                KnownContent::List { records: locate_records(wrapper, page)?, confidence: *confidence }
            }
            TemplateReader::Object { foreign, .. } => KnownContent::Object { foreign: Arc::clone(foreign) },
        };
        let answer = extract_known(page, known, request);
        let fits = match self {
            TemplateReader::List { .. } => {
                answer.primary().is_some_and(|list| !list.records.is_empty() && !list.columns.is_empty())
            }
            TemplateReader::Object { common_fields, .. } => {
                let names = field_names(&answer);
                let found = common_fields.iter().filter(|&name| names.contains(name)).count();
                !names.is_empty() && found as f64 >= MIN_COMMON_FIELDS * common_fields.len() as f64
            }
        };
        (fits && answer.warnings.is_empty()).then_some(answer)
    }
}

fn field_names(answer: &Answer) -> BTreeSet<String> {
    answer.object.iter().flat_map(|object| &object.fields).map(|field| field.name.clone()).collect()
}

/// Templates by site.
#[derive(Debug, Default)]
pub struct LearnedTemplates {
    by_host: HashMap<String, Vec<(TemplateSketch, TemplateReader)>>,
}

impl LearnedTemplates {
    /// Adds a template. One whose wrapper cannot be read is left out: its pages are extracted in full.
    pub fn add(&mut self, template: KnownTemplate) {
        if let Some(reader) = TemplateReader::new(template.content) {
            self.by_host.entry(template.host).or_default().push((template.sketch, reader));
        }
    }

    /// Reads a page with the template of its site that is most similar to it, else in full.
    pub fn answer(&self, host: &str, page: &Page, request: &Request) -> TemplateAnswer {
        let sketch = template_sketch(page);
        let templates = self.by_host.get(host).map(Vec::as_slice).unwrap_or_default();
        let similarity = |known: &TemplateSketch| template_similarity(known, &sketch);
        let best = templates
            .iter()
            .map(|(known, reader)| (similarity(known), reader))
            .max_by(|one, other| one.0.total_cmp(&other.0))
            .filter(|(similarity, _)| *similarity >= MIN_SIMILARITY && can_use_templates(request));
        if let Some(answer) = best.and_then(|(_, reader)| reader.answer(page, request)) {
            return TemplateAnswer { answer, is_by_template: true, sketch: None };
        }
        let answer = copal::extract_page(page, request);
        TemplateAnswer { answer, is_by_template: false, sketch: Some(sketch) }
    }
}

/// False for requests that need what a template leaves out: other lists than the main one, a list that the user chooses
/// on each page, and columns of a domain, which are found together with the lists.
fn can_use_templates(request: &Request) -> bool {
    !request.all && request.choice.is_none() && request.domain().is_none() && !request.lists.explain
}

/// True if two sketches are of one template.
pub(crate) fn is_same_template(one: &TemplateSketch, other: &TemplateSketch) -> bool {
    template_similarity(one, other) >= MIN_SIMILARITY
}

/// Learns the template of pages; `None` if it would not read them as the full extraction of each page does.
pub fn learn_template(samples: &[TemplateSample], request: &Request) -> Option<TemplateContent> {
    if samples.is_empty() || !can_use_templates(request) {
        return None;
    }
    let read = |sample: &TemplateSample| {
        let received = Received {
            url: sample.url.clone(),
            content_type: sample.content_type.clone(),
            charset: sample.charset.clone(),
        };
        match copal::read(&sample.body, &received, request) {
            Ok(Document::Page(page)) => Some(*page),
            _ => None,
        }
    };
    let pages = samples.iter().map(read).collect::<Option<Vec<Page>>>()?;
    let answers: Vec<Answer> = pages.iter().map(|page| copal::extract_page(page, request)).collect();
    let content = if answers.iter().all(|answer| answer.object.is_some()) {
        let common = answers.iter().map(field_names).reduce(|one, other| &one & &other)?;
        let foreign = learn_foreign_places(&pages.iter().collect::<Vec<_>>());
        TemplateContent::Object { common_fields: common, foreign_paths: foreign.paths() }
    } else {
        let lists: Option<Vec<(&Page, &Region)>> =
            pages.iter().zip(&answers).map(|(page, answer)| Some((page, known_list(answer)?))).collect();
        let lists = lists?;
        let confidences = lists.iter().filter_map(|(_, list)| list.confidence);
        let confidence = confidences.sum::<f64>() / lists.len() as f64;
        TemplateContent::List { wrapper: learn_records(&lists).ok()?.to_string(), confidence }
    };
    let reader = TemplateReader::new(content.clone())?;
    let is_right = |(page, full): (&Page, &Answer)| {
        reader.answer(page, request).is_some_and(|answer| agreement(full, &answer) >= MIN_AGREEMENT)
    };
    pages.iter().zip(&answers).all(is_right).then_some(content)
}

/// The main list of a page, if its records can be found again by locators: not if it is only possible, is hidden or comes
/// from embedded data.
fn known_list(answer: &Answer) -> Option<&Region> {
    let list = answer.primary()?;
    (list.role == Role::Primary && list.origin == Origin::Page && answer.object.is_none()).then_some(list)
}

/// The F1 of the cells of two answers, with their records and the names of their columns.
fn agreement(one: &Answer, other: &Answer) -> f64 {
    let (one, other) = (cells(one), cells(other));
    let both = one.intersection(&other).count();
    if one.is_empty() && other.is_empty() {
        0.0
    } else {
        2.0 * both as f64 / (one.len() + other.len()) as f64
    }
}

/// List, record, column and text of all cells, and the fields of the object.
fn cells(answer: &Answer) -> BTreeSet<(usize, usize, &str, &str)> {
    let mut cells = BTreeSet::new();
    for (number, list) in answer.regions.iter().enumerate() {
        for (row, record) in list.records.iter().enumerate() {
            for (column, cell) in list.columns.iter().zip(&record.cells) {
                let texts = cell.texts.iter();
                cells.extend(texts.map(|text| (number, row, column.name.as_str(), text.text.as_str())));
            }
        }
    }
    for field in answer.object.iter().flat_map(|object| &object.fields) {
        let texts = field.texts.iter();
        cells.extend(texts.map(|text| (usize::MAX, 0, field.name.as_str(), text.as_str())));
    }
    cells
}
