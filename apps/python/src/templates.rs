//! Templates of sites: learned once from some pages, and used for all others.

use crate::answers::RawAnswer;
use crate::documents::{Content, Input, ReadInput};
use crate::errors::exception;
use crate::options::Options;
use copal::Request;
use copal_tasks::{
    KnownTemplate, LearnedTemplates, TaskError, TemplateContent, TemplateGroups, TemplateSample, catch_panic,
    learn_template, template_site,
};
use pyo3::prelude::*;

/// Templates that pages are read with.
#[pyclass(frozen, module = "copal._copal")]
pub(crate) struct Templates {
    learned: LearnedTemplates,
}

#[pymethods]
impl Templates {
    /// Templates as `learn_templates` gives them.
    #[new]
    fn new(py: Python<'_>, known: Vec<String>) -> PyResult<Templates> {
        py.detach(|| {
            let mut learned = LearnedTemplates::default();
            for json in &known {
                learned.add(KnownTemplate::from_json(json)?);
            }
            Ok(Templates { learned })
        })
        .map_err(exception)
    }

    /// Reads a page with the template of its site, or in full if it has none or does not fit.
    fn extract(
        &self,
        py: Python<'_>,
        content: Content,
        url: Option<String>,
        options: &Bound<'_, Options>,
    ) -> PyResult<RawAnswer> {
        let request = &options.get().request;
        let input = Input::new(content, url);
        let name = input.name(0);
        let answer = py.detach(|| match input.read(request)? {
            ReadInput::Page(page) => {
                catch_panic(|| Ok(self.learned.answer(template_site(input.url()), &page, request).answer))
            }
            ReadInput::Data(answer) => Ok(*answer),
        });
        Ok(RawAnswer::new(name, answer.map_err(exception)?))
    }
}

/// Learns the templates that at least `template_pages` of the pages share, as JSON. Pages that cannot be read are left
/// out.
#[pyfunction]
pub(crate) fn learn_templates(
    py: Python<'_>,
    inputs: Vec<Input>,
    template_pages: usize,
    options: &Bound<'_, Options>,
) -> Vec<String> {
    let request = &options.get().request;
    py.detach(|| learned_templates(&inputs, template_pages, request))
}

fn learned_templates(inputs: &[Input], template_pages: usize, request: &Request) -> Vec<String> {
    let mut groups: TemplateGroups<TemplateSample> = TemplateGroups::new(template_pages);
    let none = LearnedTemplates::default();
    for input in inputs {
        let site = template_site(input.url());
        let read = input.read(request).and_then(|read| match read {
            ReadInput::Page(page) => catch_panic(|| Ok(none.answer(site, &page, request))),
            ReadInput::Data(_) => Err(TaskError::unreadable("data has no template")),
        });
        let Ok(read) = read else { continue };
        let confidence = read.answer.primary().and_then(|list| list.confidence).unwrap_or(0.0);
        let is_found = read.answer.primary().is_some() || read.answer.object.is_some();
        if let Some(sketch) = read.sketch.filter(|_| is_found && !read.answer.is_partial()) {
            let sample = input.template_sample();
            groups.add(site, sketch, confidence, sample.body.len(), || sample);
        }
    }
    let tasks = groups.take_ready().into_iter();
    let learned = tasks.filter_map(|task| {
        let content = catch_panic(|| Ok(learn_template(&task.samples, request))).ok()?;
        if matches!(content, TemplateContent::Refused(_)) {
            return None;
        }
        Some(KnownTemplate { host: task.host, sketch: task.sketch, content }.to_json())
    });
    learned.collect()
}
