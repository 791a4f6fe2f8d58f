//! What a worker does with a page: it is read, answered, and turned into the bytes that go to the output.

use super::messages::{PageHead, PageKindFound, PageReport, TaskReply, WorkerTask};
use crate::arguments::output::{FormatName, OutputArguments};
use crate::error::{CliError, catch_panic};
use crate::output_plan::OutputPlan;
use crate::output_target::record_writer;
use copal::{Answer, Document, Received, Request};
use copal_output::rows::CellRows;
use copal_tasks::{ColumnChoice, ColumnSelection, LearnedTemplates, TemplateSample};

/// What every page of a crawl is answered with.
pub(super) struct PageAnswerer<'a> {
    pub(super) request: &'a Request,
    pub(super) columns: &'a ColumnSelection,
    /// Languages that pages must declare; all if empty.
    pub(super) languages: &'a [String],
    /// The long form, or lines in the format.
    pub(super) long: bool,
    pub(super) format: FormatName,
    pub(super) output: &'a OutputArguments,
    pub(super) by_template: bool,
}

impl PageAnswerer<'_> {
    /// Does a task. Panics become errors of their page.
    pub(super) fn run(
        &self,
        task: &WorkerTask,
        bodies: &[Vec<u8>],
        templates: &mut LearnedTemplates,
    ) -> TaskReply {
        match task {
            WorkerTask::Templates { reset, learned } => {
                if *reset {
                    *templates = LearnedTemplates::default();
                }
                for template in learned {
                    templates.add(template.clone());
                }
                (PageReport::default(), Vec::new())
            }
            WorkerTask::Learn { pages } => {
                let samples: Vec<TemplateSample> =
                    pages.iter().zip(bodies).map(|(head, body)| sample(head, body)).collect();
                let learned = catch_panic(|| Ok(copal_tasks::learn_template(&samples, self.request)));
                let template = learned.ok();
                (PageReport { template, ..PageReport::default() }, Vec::new())
            }
            WorkerTask::Page(head) => {
                let body = bodies.first().map(Vec::as_slice).unwrap_or_default();
                let answered = catch_panic(|| self.page(head, body, templates));
                answered.unwrap_or_else(|error| {
                    (PageReport { error: Some(error.to_string()), ..PageReport::default() }, Vec::new())
                })
            }
        }
    }

    fn page(
        &self,
        head: &PageHead,
        body: &[u8],
        templates: &LearnedTemplates,
    ) -> Result<TaskReply, CliError> {
        let mut received = Received::default();
        (received.url, received.content_type) = (head.url.clone(), head.content_type.clone());
        received.charset.clone_from(&head.charset);
        let mut report = PageReport::default();
        let mut answer = match copal::read(body, &received, self.request).map_err(CliError::unreadable)? {
            Document::Data(answer) => *answer,
            Document::Page(page) => {
                if !self.speaks(page.lang()) {
                    report.is_other_language = true;
                    return Ok((report, Vec::new()));
                }
                if self.by_template {
                    let read = templates.answer(head.host(), &page, self.request);
                    (report.sketch, report.full_reason) = (read.sketch, read.full_reason);
                    report.is_by_template = read.full_reason.is_none();
                    read.answer
                } else {
                    copal::extract_page(&page, self.request)
                }
            }
        };
        if head.is_cut && answer.warnings.is_empty() {
            answer.warnings.push(copal::Warning::Limit(copal::Limit::Bytes));
        }
        ColumnChoice::of(self.columns).apply(&mut answer);
        report.describe(&answer);
        let bytes = self.bytes(&head.name, &answer)?;
        Ok((report, bytes))
    }

    /// True if a page in this language is wanted: `en` stands for `en-GB` too.
    fn speaks(&self, lang: Option<&str>) -> bool {
        let lang = lang.unwrap_or_default().to_ascii_lowercase();
        let is_same = |wanted: &String| {
            lang == *wanted
                || lang.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.starts_with(['-', '_']))
        };
        self.languages.is_empty() || self.languages.iter().any(is_same)
    }

    fn bytes(&self, name: &str, answer: &Answer) -> Result<Vec<u8>, CliError> {
        if self.long {
            return Ok(CellRows::of_page(name, answer).to_bytes());
        }
        let plan = OutputPlan { has_many_pages: true, has_all_lists: self.request.all, method: None };
        let mut writer = record_writer(self.format, self.output, &plan);
        let mut bytes = Vec::new();
        let written = writer.page(&mut bytes, name, answer).and_then(|()| writer.finish(&mut bytes));
        written.map_err(CliError::unreadable)?;
        Ok(bytes)
    }
}

fn sample(head: &PageHead, body: &[u8]) -> TemplateSample {
    TemplateSample {
        url: head.url.clone(),
        content_type: head.content_type.clone(),
        charset: head.charset.clone(),
        body: body.to_vec(),
    }
}

impl PageReport {
    fn describe(&mut self, answer: &Answer) {
        self.is_partial = answer.is_partial();
        self.confidence = answer.primary().and_then(|list| list.confidence).unwrap_or(0.0);
        if answer.object.as_ref().is_some_and(|object| !object.fields.is_empty()) {
            self.found = PageKindFound::Object;
        } else if !answer.regions.is_empty() {
            self.found = PageKindFound::List;
            self.records = answer.regions.iter().map(|region| region.records.len()).sum();
        }
    }
}
