//! Pages read with the template of their site: a wrapper that was learned once from a few pages of the same template.
//!
//! In: a page. Out: what the wrapper of its template reads, if that fits the profile of the pages it was learned from,
//! else what the full extraction finds. The check is strict, because a page that the wrapper misreads costs accuracy
//! and one that is extracted in full costs only time.

use crate::error::TaskError;
use crate::learning::learn_pages;
use copal::objects::{template_similarity, template_sketch};
use copal::wrapper::{Checker, Wrapper, apply};
use copal::{Answer, Document, NamedAnswer, Page, Received, Request, SetPage};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};

/// Smallest similarity of the sketches of pages with one template.
const MIN_SIMILARITY: f64 = 0.5;
/// Share of the cells that a wrapper must read like the full extraction on the pages it was learned from.
const MIN_AGREEMENT: f64 = 0.95;

/// What the template of a page looks like: sorted hashes of its tag paths.
pub type TemplateSketch = Vec<u64>;

/// A template whose pages can be read with a wrapper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownTemplate {
    /// The site.
    pub host: String,
    /// The first page of the template.
    pub sketch: TemplateSketch,
    /// The wrapper, as it is written to a file.
    pub wrapper: String,
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

/// Wrappers by site and template.
#[derive(Debug, Default)]
pub struct LearnedTemplates {
    by_host: HashMap<String, Vec<(TemplateSketch, Wrapper)>>,
}

impl LearnedTemplates {
    /// Adds a template. A wrapper that cannot be read is left out: its pages are extracted in full.
    pub fn add(&mut self, template: KnownTemplate) {
        if let Ok(wrapper) = Wrapper::parse(&template.wrapper) {
            self.by_host.entry(template.host).or_default().push((template.sketch, wrapper));
        }
    }

    /// Reads a page with the template of its site that is most similar to it, else in full.
    pub fn answer(&self, host: &str, page: &Page, request: &Request) -> TemplateAnswer {
        let sketch = template_sketch(page);
        let templates = self.by_host.get(host).map(Vec::as_slice).unwrap_or_default();
        let similarity = |known: &TemplateSketch| template_similarity(known, &sketch);
        let best = templates
            .iter()
            .map(|(known, wrapper)| (similarity(known), wrapper))
            .max_by(|one, other| one.0.total_cmp(&other.0))
            .filter(|(similarity, _)| *similarity >= MIN_SIMILARITY);
        if let Some((_, wrapper)) = best {
            let answer = apply(wrapper, page);
            if fits(wrapper, page, &answer) {
                return TemplateAnswer { answer, is_by_template: true, sketch: None };
            }
        }
        let answer = copal::extract_page(page, request);
        TemplateAnswer { answer, is_by_template: false, sketch: Some(sketch) }
    }
}

/// True if two sketches are of one template.
pub(crate) fn is_same_template(one: &TemplateSketch, other: &TemplateSketch) -> bool {
    template_similarity(one, other) >= MIN_SIMILARITY
}

/// True if what a wrapper reads on a page looks like what it reads on the pages that it was learned from.
fn fits(wrapper: &Wrapper, page: &Page, answer: &Answer) -> bool {
    let has_object = answer.object.as_ref().is_some_and(|object| !object.fields.is_empty());
    let has_list = answer.primary().is_some_and(|list| !list.records.is_empty());
    (has_object || has_list)
        && answer.warnings.is_empty()
        && Checker::new(wrapper).page(page, answer).drifts.is_empty()
}

/// Learns the wrapper of pages that share a template, as the text of its file; `None` if it does not read them as the
/// full extraction of all of them together does.
pub fn learn_template(samples: &[TemplateSample], request: &Request) -> Option<String> {
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
    let analysed = samples.iter().map(|sample| {
        let name = sample.url.clone().unwrap_or_default();
        Some(SetPage::analyse(name, read(sample)?, request))
    });
    let learned = learn_pages(analysed.collect::<Option<Vec<SetPage>>>()?, request).ok()?;
    // pages are read again: learning has taken the first ones
    let is_right = |(sample, together): (&TemplateSample, &NamedAnswer)| {
        read(sample).is_some_and(|page| {
            let answer = apply(&learned.wrapper, &page);
            agreement(&together.answer, &answer) >= MIN_AGREEMENT && fits(&learned.wrapper, &page, &answer)
        })
    };
    samples.iter().zip(&learned.answers).all(is_right).then(|| learned.wrapper.to_string())
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

/// Record, column and text of all cells of the main list, or the fields of the object.
fn cells(answer: &Answer) -> BTreeSet<(usize, &str, &str)> {
    let mut cells = BTreeSet::new();
    for (number, record) in answer.primary().into_iter().flat_map(|list| list.records.iter().enumerate()) {
        let columns = answer.primary().map(|list| list.columns.as_slice()).unwrap_or_default();
        for (column, cell) in columns.iter().zip(&record.cells) {
            cells.extend(cell.texts.iter().map(|text| (number, column.name.as_str(), text.text.as_str())));
        }
    }
    for field in answer.object.iter().flat_map(|object| &object.fields) {
        cells.extend(field.texts.iter().map(|text| (usize::MAX, field.name.as_str(), text.as_str())));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(number: usize, body: &str) -> TemplateSample {
        TemplateSample {
            url: Some(format!("https://shop.example/{number}")),
            content_type: Some("text/html".to_owned()),
            charset: None,
            body: body.as_bytes().to_vec(),
        }
    }

    fn shop(number: usize) -> String {
        let item = |n: usize| {
            format!(
                "<li class=item><a href='/i/{number}-{n}'>Kettle {number}-{n}</a> <b class=price>£{n}.99</b></li>"
            )
        };
        let items: String = (1..=8 + number % 4).map(item).collect();
        format!(
            "<!doctype html><title>Kettles</title><div id=main><h1>Kettles</h1><ul class=items>{items}</ul></div>"
        )
    }

    #[test]
    fn pages_of_a_template_are_read_with_its_wrapper_and_others_in_full() {
        let request = Request::default();
        let samples: Vec<TemplateSample> = (0..4).map(|n| sample(n, &shop(n))).collect();
        let wrapper = learn_template(&samples, &request).expect("a wrapper");
        let page = |html: &str| {
            let mut page = Page::from_text(html, &copal::Limits::default());
            page.url = Some("https://shop.example/9".to_owned());
            page
        };
        let first = page(&shop(0));
        let template =
            KnownTemplate { host: "shop.example".into(), sketch: template_sketch(&first), wrapper };
        let mut templates = LearnedTemplates::default();
        assert_eq!(KnownTemplate::from_json(&template.to_json()).expect("JSON"), template);
        assert!(KnownTemplate::from_json("{}").is_err());
        templates.add(template.clone());
        templates.add(KnownTemplate { wrapper: "not a wrapper".into(), ..template });
        let fresh = page(&shop(6));
        let read = templates.answer("shop.example", &fresh, &request);
        assert!(read.is_by_template);
        assert!(agreement(&read.answer, &copal::extract_page(&fresh, &request)) > 0.99);
        assert!(!templates.answer("other.example", &fresh, &request).is_by_template);
        let table: String = (0..9).map(|n| format!("<tr><td>Town {n}<td>{n} km")).collect();
        let other = page(&format!("<table>{table}</table>"));
        let read = templates.answer("shop.example", &other, &request);
        assert!(!read.is_by_template && read.sketch.is_some());
        assert!(read.answer.primary().is_some());
    }

    #[test]
    fn pages_that_cannot_be_learned_have_no_template() {
        let request = Request::default();
        assert_eq!(learn_template(&[sample(1, "<p>One."), sample(2, "<p>Two.")], &request), None);
        assert_eq!(learn_template(&[], &request), None);
    }
}
