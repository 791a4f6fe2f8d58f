//! Predictions for the pages of a corpus, in the format of the bench.
//!
//! In: pages and a [`PredictionRequest`]. Out: one JSON object per page, in the order of the pages. Lists and
//! negatives: `{"id", "regions", "warnings", "ms", "error"}`; objects: `{"id", "fields", "kind", "ms",
//! "error"}`; details: see [`details`]; pagination: `{"id", "next", "links", "page", "counter", "error"}`;
//! forms: `{"id", "forms", "error"}`. Pages are processed in parallel, and only what the caller keeps of each
//! stays in memory.

mod details;

pub(crate) use details::site_groups;

use crate::answer::{answer, guarded};
use crate::corpus::{Corpus, CorpusPage};
use crate::error::PageError;
use crate::options::positive;
use crate::verticals::{VerticalDomain, known_verticals};
use clap::{Args, ValueEnum};
use copal::KindRequest;
use copal::{Answer, Page, PageSource, Request, paging};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::time::Instant;

/// What the pages of a corpus are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Task {
    /// Pages with a main list
    Lists,
    /// Pages without a main list
    Negatives,
    /// Pages of one object each, read together by site
    Details,
    /// Pages of one object each, read one at a time without a domain
    Objects,
    /// Pages with and without a next link
    Pagination,
    /// Pages with forms
    Forms,
}

impl Task {
    /// The name in indexes and for scorers.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Task::Lists => "lists",
            Task::Negatives => "negatives",
            Task::Details => "details",
            Task::Objects => "objects",
            Task::Pagination => "pagination",
            Task::Forms => "forms",
        }
    }
}

/// How pages of objects are read together.
#[derive(Debug, Args)]
pub(crate) struct DetailArgs {
    /// Details: number of pages of one site that are read together
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = positive)]
    pub(crate) together: usize,

    /// Details: the domain of a vertical of the index (may be repeated); other verticals use --domain, or
    /// none
    #[arg(long, value_name = "VERTICAL=DOMAIN", value_parser = crate::options::vertical)]
    pub(crate) vertical: Vec<VerticalDomain>,

    /// Details: use the built-in domain of every vertical that has one
    #[arg(long)]
    pub(crate) known_verticals: bool,

    /// Details: switch a part or feature off, to measure what it contributes (may be repeated)
    #[arg(long, value_name = "PART", hide = true, value_parser = switch)]
    pub(crate) without: Vec<String>,
}

impl DetailArgs {
    pub(crate) fn options(&self) -> DetailRequest {
        let mut domains = self.vertical.clone();
        if self.known_verticals {
            domains.extend(known_verticals());
        }
        DetailRequest { together: self.together, domains, without: self.without.clone() }
    }
}

fn switch(name: &str) -> Result<String, String> {
    let known = copal::research::Switches::NAMES;
    let found = known.contains(&name).then(|| name.to_owned());
    found.ok_or_else(|| format!("expected one of {}", known.join(", ")))
}

/// How pages of objects are read.
pub(crate) struct DetailRequest {
    pub(crate) together: usize,
    pub(crate) domains: Vec<VerticalDomain>,
    pub(crate) without: Vec<String>,
}

/// What to predict.
pub(crate) struct PredictionRequest {
    pub(crate) task: Task,
    pub(crate) taken: KindRequest,
    pub(crate) extraction: Request,
    pub(crate) details: DetailRequest,
}

/// Predicts every page and keeps what `keep` makes of each prediction.
pub(crate) fn predict_all<T: Send>(
    request: &PredictionRequest,
    corpus: &Corpus,
    pages: &[&CorpusPage],
    keep: impl Fn(&CorpusPage, Value) -> T + Sync,
) -> Vec<T> {
    if request.task == Task::Details {
        return details::predict_sites(request, corpus, pages, keep);
    }
    pages.par_iter().map(|page| keep(page, predict(request, corpus, page))).collect()
}

/// The prediction for one page. `ms` is the time from bytes to answer.
fn predict(request: &PredictionRequest, corpus: &Corpus, page: &CorpusPage) -> Value {
    let id = page.id.as_str();
    let bytes = match corpus.bytes(id) {
        Ok(bytes) => bytes,
        Err(error) => return failed(request.task, id, None, &error),
    };
    let start = Instant::now();
    let found = guarded(|| match request.task {
        Task::Pagination => {
            let source = PageSource { url: page.url.clone(), charset: page.charset.clone() };
            pagination(id, &bytes, source, &request.extraction)
        }
        Task::Forms => {
            let source = PageSource { url: page.url.clone(), charset: page.charset.clone() };
            forms(id, &bytes, source, &request.extraction)
        }
        Task::Objects => {
            let extraction = answer(id, &bytes, request.taken, &request.extraction)?;
            Ok(object(id, &extraction, start.elapsed().as_secs_f64() * 1000.0))
        }
        Task::Lists | Task::Negatives | Task::Details => {
            let extraction = answer(id, &bytes, request.taken, &request.extraction)?;
            Ok(lists(id, &extraction, start.elapsed().as_secs_f64() * 1000.0))
        }
    });
    let ms = start.elapsed().as_secs_f64() * 1000.0;
    found.unwrap_or_else(|error| failed(request.task, id, Some(ms), &error))
}

/// The prediction for a page that could not be read.
fn failed(task: Task, id: &str, ms: Option<f64>, error: &PageError) -> Value {
    let error = error.to_string();
    match task {
        Task::Pagination => json!({"id": id, "next": null, "error": error}),
        Task::Forms => json!({"id": id, "forms": [], "error": error}),
        Task::Objects | Task::Details => json!({"id": id, "fields": {}, "error": error}),
        Task::Lists | Task::Negatives => json!({"id": id, "regions": [], "ms": ms, "error": error}),
    }
}

fn lists(id: &str, extraction: &Answer, ms: f64) -> Value {
    let mut page = copal_output::page_value(id, extraction);
    let (regions, warnings) = (page["regions"].take(), page["warnings"].take());
    json!({"id": id, "regions": regions, "warnings": warnings, "ms": ms, "error": null})
}

/// The fields as `copal extract --format json` writes them; empty if the page was not taken for an object's.
fn object(id: &str, extraction: &Answer, ms: f64) -> Value {
    let mut page = copal_output::page_value(id, extraction);
    let fields = if page["fields"].is_object() { page["fields"].take() } else { json!({}) };
    json!({"id": id, "fields": fields, "kind": page["page"]["kind"].take(), "ms": ms, "error": null})
}

/// The types of the `<form>` elements, which the gold counts, and of their named fields.
fn forms(id: &str, bytes: &[u8], source: PageSource, request: &Request) -> Result<Value, PageError> {
    let page = Page::from_bytes(bytes, source, &request.limits)?;
    let forms = copal::forms::find_forms(&page);
    let described = forms.iter().filter(|form| form.index.is_some()).map(|form| {
        let named = form.fields.iter().filter(|field| !field.name.is_empty());
        let fields: serde_json::Map<String, Value> =
            named.map(|field| (field.name.clone(), json!(field.field_type.name()))).collect();
        let form_type = form.form_type.name();
        json!({"index": form.index, "type": form_type, "confidence": form.confidence, "fields": fields})
    });
    let described: Vec<Value> = described.collect();
    Ok(json!({"id": id, "forms": described, "error": null}))
}

/// The next link as the page writes it, and the other links that were considered. Charset and URL are the
/// index's: these pages were saved without the header that named the charset.
fn pagination(id: &str, bytes: &[u8], source: PageSource, request: &Request) -> Result<Value, PageError> {
    let page = Page::from_bytes(bytes, source, &request.limits)?;
    let extraction = copal::extract_page(&page, request);
    let links = paging::next_links(&page, extraction.primary());
    let next = links.first().filter(|link| link.score >= paging::SURE).map(|link| link.href.as_str());
    let described = links.iter().map(
        |link| json!({"href": link.href, "score": link.score, "kind": link.kind.name(), "text": link.text}),
    );
    let described: Vec<Value> = described.collect();
    let counter = extraction.page.counter.as_ref().map(|counter| counter.text.as_str());
    let mut page = copal_output::page_value(id, &extraction);
    let page = page["page"].take();
    Ok(json!({"id": id, "next": next, "links": described, "page": page, "counter": counter, "error": null}))
}
