//! Pages read with the template of their site: what was learned once from a few pages of the same template.
//!
//! In: a page. Out: its answer. A template says whether its pages show a list or an object, and where the records of the
//! list or the texts about other objects are; the table and the fields are then read as the full extraction reads them, with
//! the same names. That leaves out the search for lists. A page that does not look like those of its
//! template is extracted in full.

use crate::error::TaskError;
use crate::full_reason::FullReason;
use copal::objects::{TemplatePlaces, template_similarity, template_sketch};
use copal::wrapper::{LocationFailure, Wrapper, locate_records};
use copal::{Answer, KnownContent, Page, Region, Request, Warning, extract_known};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Smallest similarity of the sketches of pages with one template.
const MIN_SIMILARITY: f64 = 0.5;
/// Share of the fields of all samples that an object of the template must have.
const MIN_COMMON_FIELDS: f64 = 0.5;

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
        /// The data of the pages names columns.
        #[serde(default = "is_true")]
        names_by_data: bool,
    },
    /// One object.
    Object {
        /// The fields that all samples have.
        common_fields: BTreeSet<String>,
        /// Tag paths of lines about other objects.
        #[serde(default)]
        foreign_paths: Vec<u64>,
        /// Lines around the objects that all pages show.
        #[serde(default)]
        furniture: Vec<u64>,
    },
    /// Something that cannot be read with a template, and why. Such a template is kept, so that its pages are counted.
    Refused(FullReason),
}

/// What is true of templates that do not say it.
fn is_true() -> bool {
    true
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

/// The answer for a page.
#[derive(Debug)]
pub struct TemplateAnswer {
    /// What was found.
    pub answer: Answer,
    /// Why it was not read with a template; `None` if it was.
    pub full_reason: Option<FullReason>,
    /// The sketch of a page that was not.
    pub sketch: Option<TemplateSketch>,
}

/// What is known of the pages of a template, ready for use.
#[derive(Debug)]
pub(crate) enum TemplateReader {
    List { wrapper: Box<Wrapper>, confidence: f64, names_by_data: bool },
    Object { common_fields: BTreeSet<String>, places: Arc<TemplatePlaces> },
    None(FullReason),
}

impl TemplateReader {
    /// `None` if the wrapper cannot be read.
    pub(crate) fn new(content: TemplateContent) -> Option<TemplateReader> {
        Some(match content {
            TemplateContent::List { wrapper, confidence, names_by_data } => {
                let wrapper = Box::new(Wrapper::parse(&wrapper).ok()?);
                TemplateReader::List { wrapper, confidence, names_by_data }
            }
            TemplateContent::Object { common_fields, foreign_paths, furniture } => {
                let places = Arc::new(TemplatePlaces::new(foreign_paths, furniture));
                TemplateReader::Object { common_fields, places }
            }
            TemplateContent::Refused(reason) => TemplateReader::None(reason),
        })
    }

    /// The answer for a page, or why it has to be extracted in full: it does not look like the pages that the template
    /// was learned from.
    pub(crate) fn answer(&self, page: &Page, request: &Request) -> Result<Answer, FullReason> {
        // a guessed charset is no reason: the full extraction would guess the same
        if page.warnings.iter().any(Warning::is_about_partial_result) {
            return Err(FullReason::Limit);
        }
        let known = match self {
            TemplateReader::List { wrapper, confidence, names_by_data } => {
                let records = locate_records(wrapper, page).map_err(|failure| match failure {
                    LocationFailure::NotFound => FullReason::NoRecords,
                    LocationFailure::Unlike => FullReason::OtherRecords,
                })?;
                KnownContent::List { records, confidence: *confidence, names_by_data: *names_by_data }
            }
            TemplateReader::Object { places, .. } => KnownContent::Object { places: Arc::clone(places) },
            TemplateReader::None(reason) => return Err(*reason),
        };
        let answer = extract_known(page, known, request);
        let has_columns = |list: &Region| !list.records.is_empty() && !list.columns.is_empty();
        match self {
            TemplateReader::List { .. } if !answer.primary().is_some_and(has_columns) => {
                return Err(FullReason::NoColumns);
            }
            TemplateReader::Object { common_fields, .. } => {
                let names = field_names(&answer);
                let found = common_fields.iter().filter(|&name| names.contains(name)).count();
                if names.is_empty() || (found as f64) < MIN_COMMON_FIELDS * common_fields.len() as f64 {
                    return Err(FullReason::MissingFields);
                }
            }
            _ => {}
        }
        if answer.is_partial() { Err(FullReason::Limit) } else { Ok(answer) }
    }
}

/// The names of the fields of the object.
pub(crate) fn field_names(answer: &Answer) -> BTreeSet<String> {
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
        match self.by_template(host, &sketch, page, request) {
            Ok(answer) => TemplateAnswer { answer, full_reason: None, sketch: None },
            Err(reason) => {
                let answer = copal::extract_page(page, request);
                TemplateAnswer { answer, full_reason: Some(reason), sketch: Some(sketch) }
            }
        }
    }

    fn by_template(
        &self,
        host: &str,
        sketch: &TemplateSketch,
        page: &Page,
        request: &Request,
    ) -> Result<Answer, FullReason> {
        if !can_use_templates(request) {
            return Err(FullReason::Request);
        }
        let templates = self.by_host.get(host).ok_or(FullReason::NoTemplate)?;
        let similar = templates
            .iter()
            .map(|(known, reader)| (template_similarity(known, sketch), reader))
            .filter(|(similarity, _)| *similarity >= MIN_SIMILARITY);
        let best = similar.max_by(|one, other| one.0.total_cmp(&other.0));
        best.ok_or(FullReason::OtherTemplate)?.1.answer(page, request)
    }
}

/// False for requests that need what a template leaves out: other lists than the main one, a list that the user chooses
/// on each page, and columns of a domain, which are found together with the lists.
pub(crate) fn can_use_templates(request: &Request) -> bool {
    !request.all && request.choice.is_none() && request.domain().is_none() && !request.lists.explain
}

/// True if two sketches are of one template.
pub(crate) fn is_same_template(one: &TemplateSketch, other: &TemplateSketch) -> bool {
    template_similarity(one, other) >= MIN_SIMILARITY
}
