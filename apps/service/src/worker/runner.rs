//! Runs one task: reads its pages, does what is asked, and writes the answer.

use super::answers::{extract_pages, no_content};
use super::output;
use super::page_source::{OnProgress, PageSourceReader, as_page};
use super::{page_images, page_view, pointing};
use crate::task::{
    ExportTool, FailureKind, Operation, Task, TaskFailure, TaskOutcome, TaskPage, TaskReport, WorkerSettings,
};
use copal::wrapper::export::{ExportOptions, Target, export_with};
use copal::wrapper::{Checker, DEFAULT_TEST_PAGES, RepairError, Wrapper, apply, page_sections, repair};
use copal::{Answer, Limits, Page, Request, SetPage};
use copal_tasks::{
    ColumnChoice, OptionStyle, TaskError, WrapperPages, check_report, learn_pages, repair_report,
    sections_report, with_columns,
};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A report and the body that belongs to it.
pub(super) type TaskAnswer = (TaskReport, Vec<u8>);

/// Runs tasks one after the other.
pub(super) struct TaskRunner {
    source: PageSourceReader,
    limits: Limits,
}

/// A page, and what it is called.
pub(super) type NamedPage = (TaskPage, Page);

impl TaskRunner {
    pub(super) fn new(settings: &WorkerSettings) -> Result<TaskRunner, TaskFailure> {
        let mut limits = Limits::default();
        limits.bytes = settings.page_bytes;
        Ok(TaskRunner { source: PageSourceReader::new(&settings.network, settings.page_bytes)?, limits })
    }

    pub(super) fn run(
        &self,
        task: &Task,
        bodies: &[Vec<u8>],
        on_progress: OnProgress<'_>,
    ) -> Result<TaskAnswer, TaskFailure> {
        let mut request = task.options.request()?;
        request.limits = self.limits.clone();
        match &task.operation {
            Operation::Extract => {
                let answers =
                    extract_pages(&self.source, &task.pages, bodies, &request, &task.options, on_progress)?;
                finish(task, answers, None)
            }
            Operation::Sections => self.sections(task, bodies, &request, on_progress),
            Operation::Learn => self.learn(task, bodies, &request, on_progress),
            Operation::Apply { wrapper } => self.apply(task, wrapper, bodies, &request, on_progress),
            Operation::Check { wrapper } => self.check(task, wrapper, bodies, &request, on_progress),
            Operation::Repair { wrapper, verify } => {
                let wrapper = parse_wrapper(wrapper)?;
                let pages = self.pages(task, bodies, &request, on_progress)?;
                repair_pages(&wrapper, &pages, verify.unwrap_or(DEFAULT_TEST_PAGES))
            }
            Operation::Export { wrapper, to, url, follow } => {
                let options = ExportOptions::for_url(url.as_deref()).following(*follow);
                let exported = export_with(&parse_wrapper(wrapper)?, export_target(*to), &options)
                    .map_err(|error| TaskFailure::new(FailureKind::NothingFound, error))?;
                let mut report = report(TaskOutcome::Done, "text/plain; charset=utf-8", 0);
                report.warnings = exported.warnings.iter().map(ToString::to_string).collect();
                Ok((report, exported.text.into_bytes()))
            }
            Operation::ParseWrapper { wrapper } => {
                let wrapper = parse_wrapper(wrapper)?;
                Ok(json_answer(TaskOutcome::Done, 0, &wrapper_summary(&wrapper)))
            }
            Operation::View { styles } => page_view::view(&self.source, task, bodies, &request, *styles),
            Operation::Images { urls } => Ok(page_images::images(&self.source, urls)),
            Operation::Point { target } => {
                let pages = self.pages(task, bodies, &request, on_progress)?;
                pointing::point(pages.first().ok_or_else(no_content)?, target, &task.options)
            }
            Operation::Correct { wrapper, examples, corrections } => {
                let pages = self.pages(task, bodies, &request, on_progress)?;
                pointing::corrected(
                    &pages,
                    wrapper.as_deref(),
                    examples,
                    corrections,
                    &request,
                    &task.options,
                )
            }
            Operation::Questions { attribute, known, labels, refused } => {
                let pages = self.pages(task, bodies, &request, on_progress)?;
                let answers = pointing::GivenAnswers { known, labels, refused };
                pointing::questions(&pages, attribute, &answers, &request)
            }
        }
    }

    /// All pages of a task as trees.
    fn pages(
        &self,
        task: &Task,
        bodies: &[Vec<u8>],
        request: &Request,
        on_progress: OnProgress<'_>,
    ) -> Result<Vec<NamedPage>, TaskFailure> {
        let mut pages = Vec::new();
        for page in &task.pages {
            let read = match page.body.and_then(|at| bodies.get(at)) {
                Some(body) => as_page(&page.name, PageSourceReader::given(page, body, request)?)?,
                None => {
                    let url = page.url.as_deref().ok_or_else(no_content)?;
                    self.source.opened(&page.name, url, task.options.render, request)?
                }
            };
            pages.push((page.clone(), read));
            on_progress(pages.len(), 0);
        }
        Ok(pages)
    }

    fn sections(
        &self,
        task: &Task,
        bodies: &[Vec<u8>],
        request: &Request,
        on_progress: OnProgress<'_>,
    ) -> Result<TaskAnswer, TaskFailure> {
        let pages = self.pages(task, bodies, request, on_progress)?;
        let found: Vec<Value> = pages
            .iter()
            .map(|(named, page)| json!({ "page": named.name, "sections": sections_report(&page_sections(page)) }))
            .collect();
        Ok(json_answer(partial(&pages), pages.len(), &json!({ "pages": found })))
    }

    fn learn(
        &self,
        task: &Task,
        bodies: &[Vec<u8>],
        request: &Request,
        on_progress: OnProgress<'_>,
    ) -> Result<TaskAnswer, TaskFailure> {
        let pages = self.pages(task, bodies, request, on_progress)?;
        let (outcome, count) = (partial(&pages), pages.len());
        let set: Vec<SetPage> =
            pages.into_iter().map(|(named, page)| SetPage::analyse(named.name, page, request)).collect();
        let learned = learn_pages(set, request)?;
        let wrapper = with_columns(learned.wrapper, &task.options.columns())?;
        let mut answer = wrapper_summary(&wrapper);
        answer["wrapper"] = wrapper.to_string().into();
        answer["notes"] = learned.notes.into();
        Ok(json_answer(outcome, count, &answer))
    }

    fn apply(
        &self,
        task: &Task,
        wrapper: &str,
        bodies: &[Vec<u8>],
        request: &Request,
        on_progress: OnProgress<'_>,
    ) -> Result<TaskAnswer, TaskFailure> {
        let version = format!("wrapper {}", copal_store::short_hash(wrapper));
        let wrapper = parse_wrapper(wrapper)?;
        let (pages, records) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let count = |page: &Page| {
            let found = apply(&wrapper, page).primary().map_or(0, |list| list.records.len());
            let pages = pages.fetch_add(1, Ordering::Relaxed) + 1;
            on_progress(pages, records.fetch_add(found, Ordering::Relaxed) + found);
        };
        let read_page = |url: &str| -> Result<Page, TaskError> {
            on_progress(pages.load(Ordering::Relaxed), records.load(Ordering::Relaxed));
            let page = self.source.opened(url, url, task.options.render, request);
            let page = page.map_err(|failure| TaskError::unreadable(failure.message))?;
            count(&page);
            Ok(page)
        };
        let site = WrapperPages {
            wrapper: &wrapper,
            read_page: &read_page,
            max_pages: task.options.follow.unwrap_or(1),
            max_details: task.options.details.unwrap_or(0),
        };
        site.check(OptionStyle::Parameter)?;
        let mut answers: Vec<(String, Answer)> = Vec::new();
        for (named, page) in self.pages(task, bodies, request, on_progress)? {
            let mut answer = apply(&wrapper, &page);
            if named.body.is_none() {
                count(&page);
                site.complete(&page, page.url.as_deref().unwrap_or(&named.name), &mut answer);
            }
            answers.push((named.name, answer));
        }
        finish(task, answers, Some(version))
    }

    fn check(
        &self,
        task: &Task,
        wrapper: &str,
        bodies: &[Vec<u8>],
        request: &Request,
        on_progress: OnProgress<'_>,
    ) -> Result<TaskAnswer, TaskFailure> {
        let wrapper = parse_wrapper(wrapper)?;
        let pages = self.pages(task, bodies, request, on_progress)?;
        let mut checker = Checker::new(&wrapper);
        for (_, page) in &pages {
            checker.page(page, &apply(&wrapper, page));
        }
        let report = checker.finish();
        let names: Vec<String> = pages.iter().map(|(named, _)| named.name.clone()).collect();
        let outcome = if report.drifted() { TaskOutcome::Changed } else { partial(&pages) };
        Ok(json_answer(outcome, pages.len(), &check_report(&report, &names)))
    }
}

fn repair_pages(wrapper: &Wrapper, pages: &[NamedPage], verify: usize) -> Result<TaskAnswer, TaskFailure> {
    let trees: Vec<&Page> = pages.iter().map(|(_, page)| page).collect();
    match repair(wrapper, &trees, verify) {
        Ok(repaired) => {
            let mut report = repair_report(wrapper.revision, &repaired);
            report["repaired"] = true.into();
            report["wrapper"] = repaired.wrapper.to_string().into();
            Ok(json_answer(TaskOutcome::Done, pages.len(), &report))
        }
        Err(healthy @ RepairError::Healthy) => {
            let report = json!({ "repaired": false, "reason": healthy.to_string() });
            Ok(json_answer(TaskOutcome::Done, pages.len(), &report))
        }
        Err(error) => {
            let mut failure = TaskFailure::new(FailureKind::Changed, &error);
            if matches!(error, RepairError::TooFewPages { .. }) {
                failure.hint = Some("give more pages, or accept fewer with verify".to_owned());
            }
            Err(failure)
        }
    }
}

/// Chooses columns and rows, stores the records if that was asked for, and writes the answers.
fn finish(
    task: &Task,
    mut answers: Vec<(String, Answer)>,
    method: Option<String>,
) -> Result<TaskAnswer, TaskFailure> {
    let (options, columns) = (&task.options, task.options.columns());
    let mut choice = ColumnChoice::of(&columns);
    for (_, answer) in &mut answers {
        choice.apply(answer);
    }
    choice.check()?;
    let outcome = outcome_of(&answers);
    let mut report = report(outcome, output::content_type(options.format), answers.len());
    if let Some(target) = &task.store {
        let run = output::store(&answers, target, options, method, outcome)?;
        report.warnings.extend(run.aliases.iter().map(ToString::to_string));
        let stored =
            format!("run {}: {} records, {} new, {} changed", run.run, run.records, run.new, run.changed);
        report.stored = Some(stored);
    }
    report.records = output::choose_rows(&mut answers, options);
    for (_, answer) in &answers {
        report.warnings.extend(answer.warnings.iter().map(ToString::to_string));
    }
    let body = output::write(&answers, options, task.names_pages || task.pages.len() > 1)?;
    Ok((report, body))
}

fn outcome_of(answers: &[(String, Answer)]) -> TaskOutcome {
    let is_empty = |answer: &Answer| {
        answer.regions.is_empty() && answer.object.as_ref().is_none_or(|object| object.fields.is_empty())
    };
    if answers.iter().any(|(_, answer)| answer.is_partial()) {
        TaskOutcome::Partial
    } else if answers.iter().any(|(_, answer)| is_empty(answer)) {
        TaskOutcome::NothingFound
    } else {
        TaskOutcome::Done
    }
}

pub(super) fn parse_wrapper(text: &str) -> Result<Wrapper, TaskFailure> {
    Wrapper::parse(text).map_err(|error| TaskFailure::new(FailureKind::Usage, format!("wrapper: {error}")))
}

/// What a wrapper reads: its revision, and kind and columns of each rule.
pub(super) fn wrapper_summary(wrapper: &Wrapper) -> Value {
    let rules = wrapper.pages.iter().map(|rule| {
        let columns: Vec<&str> = rule.columns.iter().map(|column| column.name.as_str()).collect();
        json!({ "columns": columns })
    });
    json!({ "revision": wrapper.revision, "rules": rules.collect::<Vec<_>>() })
}

fn partial(pages: &[NamedPage]) -> TaskOutcome {
    let is_partial =
        pages.iter().any(|(_, page)| page.warnings.iter().any(copal::Warning::is_about_partial_result));
    if is_partial { TaskOutcome::Partial } else { TaskOutcome::Done }
}

fn report(outcome: TaskOutcome, content_type: &str, pages: usize) -> TaskReport {
    TaskReport { outcome, content_type: content_type.to_owned(), pages, ..TaskReport::default() }
}

pub(super) fn json_answer(outcome: TaskOutcome, pages: usize, value: &Value) -> TaskAnswer {
    (report(outcome, "application/json", pages), value.to_string().into_bytes())
}

fn export_target(tool: ExportTool) -> Target {
    match tool {
        ExportTool::Scrapy => Target::Scrapy,
        ExportTool::Crawl4ai => Target::Crawl4ai,
        ExportTool::Oxpath => Target::Oxpath,
        ExportTool::Playwright => Target::Playwright,
        ExportTool::XpathJson => Target::XpathJson,
    }
}
