//! The runs that frozen answers and accuracy floors are made of: every task, and lists with every method.
//!
//! The kind `list` leaves the page-kind decision out, so that these answers can be compared over long times;
//! `auto` is what users get.

use crate::corpus::{Corpus, CorpusPage};
use crate::predict::{DetailRequest, PredictionRequest, Task};
use crate::verticals::{VerticalDomain, domain_of, known_verticals};
use copal::KindRequest;
use copal::{Domain, Method, Request};
use std::sync::Arc;
use std::time::Duration;

/// Pages of one site that are read together as objects.
const DETAILS_TOGETHER: usize = 8;

/// A page may take this long: results must not depend on how busy the machine is.
const NO_TIME_LIMIT: Duration = Duration::from_hours(1);

/// One run over the pages of a task.
pub(crate) struct StandardRun {
    /// Method, or method and domain, as reports name it.
    pub(crate) method: String,
    pub(crate) kind: &'static str,
    pub(crate) request: PredictionRequest,
    /// Only pages of this domain's verticals.
    domain: Option<Arc<Domain>>,
}

impl StandardRun {
    pub(crate) fn name(&self) -> String {
        format!("{} {} {}", self.request.task.name(), self.method, self.kind)
    }

    /// The pages of a corpus that this run reads.
    pub(crate) fn pages<'a>(&self, corpus: &'a Corpus, verticals: &[VerticalDomain]) -> Vec<&'a CorpusPage> {
        let task = self.request.task;
        let is_wanted = |page: &&CorpusPage| {
            // without an index nobody says which pages are negatives: they are read as lists
            let has_task = !page.task.is_empty() || task != Task::Negatives;
            let has_domain = self.domain.as_ref().is_none_or(|wanted| {
                domain_of(&page.vertical, verticals).is_some_and(|domain| Arc::ptr_eq(domain, wanted))
            });
            has_task && has_domain
        };
        corpus.pages_of(task.name()).filter(is_wanted).collect()
    }
}

/// All runs, with the domains of verticals that they were made for.
pub(crate) fn standard_runs() -> (Vec<StandardRun>, Vec<VerticalDomain>) {
    let verticals = known_verticals();
    let mut runs = Vec::new();
    let methods = [Method::Mdr, Method::Buw, Method::Rdr, Method::Amber, Method::Combined];
    runs.extend(methods.map(|method| run(Task::Lists, method, KindRequest::List)));
    for domain in distinct_domains(&verticals) {
        let mut of_domain = run(Task::Lists, Method::Amber, KindRequest::List);
        of_domain.method = format!("amber:{}", domain.name);
        of_domain.request.extraction.set_domain(Some(Arc::clone(&domain)));
        of_domain.domain = Some(domain);
        runs.push(of_domain);
    }
    runs.push(run(Task::Lists, Method::Combined, KindRequest::Auto));
    runs.push(run(Task::Negatives, Method::Combined, KindRequest::List));
    runs.push(run(Task::Negatives, Method::Combined, KindRequest::Auto));
    let mut with_domains = run(Task::Details, Method::Combined, KindRequest::Object);
    "objects+domains".clone_into(&mut with_domains.method);
    with_domains.request.details.domains.clone_from(&verticals);
    let mut without_domains = run(Task::Details, Method::Combined, KindRequest::Object);
    "objects".clone_into(&mut without_domains.method);
    runs.extend([with_domains, without_domains]);
    runs.push(run(Task::Objects, Method::Combined, KindRequest::Auto));
    runs.push(run(Task::Objects, Method::Combined, KindRequest::Object));
    runs.push(run(Task::Pagination, Method::Combined, KindRequest::List));
    (runs, verticals)
}

fn run(task: Task, method: Method, taken: KindRequest) -> StandardRun {
    let mut extraction = Request::default();
    extraction.lists.method = method;
    extraction.all = true;
    extraction.limits.time = NO_TIME_LIMIT;
    let kind = match taken {
        KindRequest::Auto => "auto",
        KindRequest::Object => "object",
        _ => "list",
    };
    let details = DetailRequest { together: DETAILS_TOGETHER, domains: Vec::new(), without: Vec::new() };
    let request = PredictionRequest { task, taken, extraction, details };
    StandardRun { method: method.to_string(), kind, request, domain: None }
}

fn distinct_domains(verticals: &[VerticalDomain]) -> Vec<Arc<Domain>> {
    let mut domains: Vec<Arc<Domain>> = Vec::new();
    for (_, domain) in verticals {
        if !domains.iter().any(|known| Arc::ptr_eq(known, domain)) {
            domains.push(Arc::clone(domain));
        }
    }
    domains.sort_by(|a, b| a.name.cmp(&b.name));
    domains
}
