//! Explores a site and reads its lists: the only module that fetches.
//!
//! In: a start URL, a visitor, a frontier. Out: records, given to a sink list by list, and a [`SiteReport`]. What to
//! do is decided by the planner; what was done is written to the frontier before the next request is sent, so that a
//! run that was stopped or killed continues where it was. Pages that were read before come from the cache.

use crate::crawl_traps::{TemplateYield, TrapBounds, trap, trap_key};
use crate::error::ExploreError;
use crate::frontier::{FoundList, Frontier, FrontierItem, ItemEnd};
use crate::link_ranking::{DomainLinkWords, score_link};
use crate::page_facts::{LinkFacts, LinkPosition, ListFacts, PageClass, PageFacts};
use crate::page_reading::read_page_facts;
use crate::planner::{
    MIN_SCORE_AFTER_LIST, PagePlan, PlanContext, PlannedAction, START_PRIORITY, SiteState, Situation, child,
    choose_kind, next_state, plan_page,
};
use crate::site_report::SiteReport;
use crate::url_keys::{canonical_key, url_template};
use crate::verification::{Evidence, ListEvidence, verify};
use copal_domain::Domain;
use copal_extract::Answer;
use copal_fetch::{FetchErrorKind, FetchedPage, Sitemap};
use copal_site::{SiteError, Visitor};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;

/// The kind of the entries that are single objects.
pub(crate) const OBJECT_KIND: &str = "(object)";
/// Pages of the sitemap that are queued.
const MAX_SITEMAP_LINKS: usize = 10;
/// Pages of one kind in the sitemap that may be lists; more are records.
const MAX_SIMILAR_IN_SITEMAP: u64 = 3;
/// Errors in a row after which a site is given up.
const MAX_ERRORS_IN_A_ROW: usize = 8;

/// How a site is explored.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExploreOptions {
    /// What the records are.
    pub domain: Option<Arc<Domain>>,
    /// Bounds of the crawl.
    pub bounds: TrapBounds,
    /// Pages that are asked for in one run.
    pub max_pages: usize,
    /// Time of one run.
    pub max_time: Duration,
    /// Pages that are visited to explore.
    pub explore_pages: usize,
    /// Detail pages that are read in any case.
    pub max_details: usize,
    /// Fill in search forms.
    pub uses_forms: bool,
}

impl Default for ExploreOptions {
    fn default() -> Self {
        ExploreOptions {
            domain: None,
            bounds: TrapBounds::default(),
            max_pages: 2_000,
            max_time: Duration::from_mins(60),
            explore_pages: 40,
            max_details: 0,
            uses_forms: true,
        }
    }
}

/// How far a run is.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SiteProgress {
    /// What is being done.
    pub state: SiteState,
    /// Pages so far.
    pub pages: usize,
    /// Records so far.
    pub records: u64,
    /// Pages in the queue.
    pub queued: u64,
    /// Pages that could not be read.
    pub errors: usize,
    /// Seconds so far.
    pub seconds: f64,
    /// The page that was read last.
    pub url: String,
}

/// Receives the records of a list, or an object: the URL and the answer. Returns why they cannot be stored.
pub type RecordSink<'a> = &'a mut dyn FnMut(&str, &Answer) -> Result<(), String>;

/// Explores a site.
pub struct Explorer<'a> {
    pub(crate) visitor: Visitor,
    pub(crate) frontier: Frontier,
    pub(crate) options: ExploreOptions,
    pub(crate) start: Url,
    pub(crate) on_progress: &'a (dyn Fn(&SiteProgress) + Sync),
    pub(crate) began: Instant,
    pub(crate) pages: usize,
    pub(crate) errors: usize,
    errors_in_a_row: usize,
    context: PlanContext,
    pub(crate) states: Vec<(&'static str, &'static str)>,
    pub(crate) state: SiteState,
    classes: Vec<PageClass>,
    has_other_lists: bool,
    lacks_value: bool,
    since_large_list: Option<usize>,
    /// Keys of the records on the first pages of the lists that were found.
    seen_keys: HashSet<String>,
    /// Lists with records that no list before had.
    productive: usize,
    explored: usize,
    unreachable: bool,
    disallowed: bool,
}

impl<'a> Explorer<'a> {
    /// Prepares the exploration. A frontier of an unfinished run of the same start URL is continued; any other is
    /// emptied. Sends no request.
    pub fn new(
        start: &str,
        visitor: Visitor,
        mut frontier: Frontier,
        options: ExploreOptions,
        on_progress: &'a (dyn Fn(&SiteProgress) + Sync),
    ) -> Result<Explorer<'a>, ExploreError> {
        let invalid = || ExploreError::InvalidUrl { url: start.to_owned() };
        let start = Url::parse(start).ok().filter(|url| url.has_host()).ok_or_else(invalid)?;
        if !matches!(start.scheme(), "http" | "https") {
            return Err(invalid());
        }
        let domain = options.domain.as_ref().map_or("", |domain| &domain.name);
        let identity = format!("{start} {domain} forms={}", options.uses_forms);
        let state = frontier.meta("state")?.and_then(|name| SiteState::named(&name));
        let is_continued = frontier.meta("run")?.as_deref() == Some(&identity)
            && state.is_some_and(|one| one != SiteState::Finished);
        if !is_continued {
            frontier.clear()?;
            frontier.set_meta("run", &identity)?;
        }
        let words = options.domain.as_ref().map(|domain| DomainLinkWords {
            follow: domain.links_to_follow.iter().cloned().chain([domain.object.clone()]).collect(),
            avoid: domain.links_to_avoid.clone(),
        });
        let context = PlanContext {
            words: words.unwrap_or_default(),
            bounds: options.bounds,
            uses_forms: options.uses_forms,
            has_large_list: false,
        };
        let explored = frontier.item_count("done")? + frontier.item_count("failed")?;
        Ok(Explorer {
            state: state.filter(|_| is_continued).unwrap_or(SiteState::Exploring),
            explored: explored as usize,
            visitor,
            frontier,
            options,
            start,
            on_progress,
            began: Instant::now(),
            pages: 0,
            errors: 0,
            errors_in_a_row: 0,
            context,
            states: Vec::new(),
            classes: Vec::new(),
            has_other_lists: false,
            lacks_value: false,
            since_large_list: None,
            seen_keys: HashSet::new(),
            productive: 0,
            unreachable: false,
            disallowed: false,
        })
    }

    /// True if an earlier run of the same site is continued.
    pub fn is_continued(&self) -> bool {
        self.explored > 0
    }

    /// Runs until the site was read, the budget is spent, or the visitor is stopped.
    pub async fn run(&mut self, sink: RecordSink<'_>) -> Result<SiteReport, ExploreError> {
        self.frontier.set_meta("state", self.state.name())?;
        if self.explored == 0 {
            self.queue_start().await?;
        }
        let mut splits_left = true;
        self.states
            .push((self.state.name(), if self.is_continued() { "continued" } else { "the start page" }));
        loop {
            let (next, reason) = next_state(self.state, &self.situation(splits_left)?);
            if next != self.state {
                self.states.push((next.name(), reason));
                if !self.must_stop() {
                    self.frontier.set_meta("state", next.name())?;
                }
                self.state = next;
            }
            match self.state {
                SiteState::Exploring => self.explore_one().await?,
                SiteState::Extracting => self.extract_one(sink).await?,
                SiteState::Splitting => {
                    splits_left = false;
                    self.split_lists(sink).await?;
                }
                SiteState::Finished => break,
            }
        }
        self.report()
    }

    /// Reads the start page and says what would be done next, without doing it.
    pub async fn plan_only(&mut self) -> Result<(PageFacts, PagePlan), ExploreError> {
        let item = self.start_item();
        self.pages += 1;
        let Some(read) = self.visitor.with_limits(1, 0).read(&item.url).await? else {
            return Err(ExploreError::Sink("the run was stopped".to_owned()));
        };
        let Some(page) = &read.page else {
            return Err(ExploreError::InvalidUrl { url: format!("{} (a data document)", item.url) });
        };
        let facts = read_page_facts(page, &read.answer, self.options.domain.as_deref(), false);
        let plan = plan_page(&facts, &item, &self.context, &|_| TemplateYield::default());
        Ok((facts, plan))
    }

    fn start_item(&self) -> FrontierItem {
        FrontierItem {
            url: self.start.to_string(),
            role: "start".to_owned(),
            parent: String::new(),
            priority: START_PRIORITY,
            depth: 0,
            template: trap_key(self.start.as_str()),
            reason: "the start page".to_owned(),
        }
    }

    /// Queues the start page, and what the sitemap names as lists.
    async fn queue_start(&mut self) -> Result<(), ExploreError> {
        let start = self.start_item();
        self.frontier.add(&start)?;
        let Ok(url) = self.start.join("/sitemap.xml") else { return Ok(()) };
        if self.frontier.meta("sitemap")?.is_some() {
            return Ok(());
        }
        let stopper = self.visitor.stopper();
        let fetched = stopper.unless_stopped(self.visitor.fetcher().get(url.as_str())).await;
        let Some(fetched) = fetched else { return Ok(()) };
        self.pages += 1;
        let body = fetched.and_then(FetchedPage::successful).map(|fetched| fetched.body).unwrap_or_default();
        let sitemap = Sitemap::parse(&body);
        let mut templates: HashMap<String, u64> = HashMap::new();
        let mut links: Vec<FrontierItem> = Vec::new();
        for page in &sitemap.pages {
            let is_own = Url::parse(page).is_ok_and(|url| copal_dom::url::same_site(&url, &self.start));
            if !is_own {
                continue;
            }
            *templates.entry(url_template(page)).or_default() += 1;
            let path = Url::parse(page).map(|url| url.path().to_owned()).unwrap_or_default();
            let link =
                LinkFacts { url: page.clone(), text: path, position: LinkPosition::Header, is_filter: false };
            let scored = score_link(&link, &self.context.words, 1, TemplateYield::default(), false);
            if !scored.is_other && scored.score >= 1.0 {
                links.push(child(
                    &start,
                    page,
                    "sitemap",
                    scored.score,
                    format!("in the sitemap: {}", scored.reason),
                ));
            }
        }
        // many URLs of one template are the records and not the lists
        links.retain(|link| {
            let template = url_template(&link.url);
            !template.contains('*')
                || templates.get(&template).is_none_or(|&count| count <= MAX_SIMILAR_IN_SITEMAP)
        });
        links.sort_by(|a, b| b.priority.total_cmp(&a.priority));
        for link in links.iter().take(MAX_SITEMAP_LINKS) {
            self.frontier.add(link)?;
        }
        let counts: Vec<(String, u64)> = templates.into_iter().collect();
        self.frontier.set_meta("sitemap", &serde_json::to_string(&counts).unwrap_or_default())
    }

    /// Visits the best page of the queue.
    async fn explore_one(&mut self) -> Result<(), ExploreError> {
        let Some(item) = self.frontier.take()? else { return Ok(()) };
        // other pages of its kind may have been visited since it was queued; the item itself is one of the visited
        let mut seen = self.frontier.template_yield(&item.template)?;
        seen.visited = seen.visited.saturating_sub(1);
        if item.role == "link"
            && let Some(trap) = trap(&item.url, item.depth, seen, &self.options.bounds)
        {
            return self.frontier.finish(&item, ItemEnd::Discarded, trap.describe(), &[], None);
        }
        let read = match self.visitor.with_limits(1, 0).read(&item.url).await {
            // the item stays in flight and is queued again by the next run
            Ok(None) => return Ok(()),
            Ok(Some(read)) => read,
            Err(error) => {
                let is_disallowed = matches!(
                    &error,
                    SiteError::Fetch(error) if error.kind() == FetchErrorKind::Robots
                );
                self.note_error(&item, is_disallowed);
                return self.frontier.finish(&item, ItemEnd::Failed, &error.to_string(), &[], None);
            }
        };
        self.pages += 1;
        self.explored += 1;
        self.errors_in_a_row = 0;
        if let Some(since) = &mut self.since_large_list {
            *since += 1;
        }
        let Some(page) = &read.page else {
            return self.finish_data(&item, &read.answer);
        };
        let after_form = matches!(item.role.as_str(), "form" | "filled form");
        let facts = read_page_facts(page, &read.answer, self.options.domain.as_deref(), after_form);
        self.classes.push(facts.class);
        self.lacks_value |= facts.complaint.is_some()
            && (item.role == "filled form" || facts.forms.iter().any(|form| form.refused.is_some()));
        self.has_other_lists |= facts.list.as_ref().is_some_and(|list| !list.fit.fits && list.is_large());
        self.context.has_large_list = self.since_large_list.is_some();
        let plan = {
            let frontier = &self.frontier;
            let yields = |template: &str| frontier.template_yield(template).unwrap_or_default();
            plan_page(&facts, &item, &self.context, &yields)
        };
        let (mut visits, mut list) = (Vec::new(), None);
        for action in &plan.actions {
            match action {
                PlannedAction::Visit(visit) => visits.push(visit.clone()),
                PlannedAction::Leave(left, why) => {
                    self.frontier.discard(left, why)?;
                }
                PlannedAction::KeepList(found) => {
                    let is_new = found.keys.iter().any(|key| !self.seen_keys.contains(key));
                    if is_new && (found.is_large() || self.since_large_list.is_some()) {
                        self.since_large_list = Some(0);
                    }
                    self.productive += usize::from(is_new);
                    self.seen_keys.extend(found.keys.iter().cloned());
                    list = Some(found_list(&read.url, &found.kind(), found));
                }
                // without a domain, only the page that the user named is an object to keep
                PlannedAction::KeepObject if self.options.domain.is_some() || item.depth == 0 => {
                    list = Some(FoundList {
                        url: read.url.clone(),
                        kind: OBJECT_KIND.to_owned(),
                        facts: "null".to_owned(),
                        state: "queued".to_owned(),
                        outcome: String::new(),
                    });
                }
                PlannedAction::KeepObject => {}
            }
        }
        let end = if plan.is_discarded { ItemEnd::Discarded } else { ItemEnd::Done };
        // such as why a browser could not show the page
        let notes: String = read.answer.warnings.iter().map(|warning| format!("; {warning}")).collect();
        let outcome = format!("{}{notes}", plan.outcome);
        self.frontier.finish(&item, end, &outcome, &visits, list.as_ref())?;
        self.progress(&read.url)
    }

    /// Keeps the list of a data document: a feed, or JSON.
    fn finish_data(&mut self, item: &FrontierItem, answer: &Answer) -> Result<(), ExploreError> {
        let outcome = match answer.primary() {
            Some(list) => format!("a feed or data document of {} records", list.records.len()),
            None => "a data document without a list".to_owned(),
        };
        self.frontier.finish(item, ItemEnd::Done, &outcome, &[], None)
    }

    fn note_error(&mut self, item: &FrontierItem, is_disallowed: bool) {
        self.pages += 1;
        self.explored += 1;
        self.errors += 1;
        self.errors_in_a_row += 1;
        self.unreachable |= item.role == "start";
        self.disallowed |= item.role == "start" && is_disallowed;
    }

    /// The lists of the kind that is read: those of the best kind, or else the objects.
    pub(crate) fn chosen_lists(
        &self,
    ) -> Result<(Option<(String, String)>, Vec<(FoundList, Option<ListFacts>)>), ExploreError> {
        let all: Vec<(FoundList, Option<ListFacts>)> = self
            .frontier
            .lists()?
            .into_iter()
            .map(|list| {
                let facts = serde_json::from_str(&list.facts).ok().flatten();
                (list, facts)
            })
            .collect();
        let with_facts = all.iter().filter_map(|(list, facts)| Some((list.kind.as_str(), facts.as_ref()?)));
        let chosen = choose_kind(with_facts);
        let kind = chosen.as_ref().map_or(OBJECT_KIND, |(kind, _)| kind);
        let mut lists: Vec<_> = all.iter().filter(|(list, _)| list.kind == kind).cloned().collect();
        let expected = |facts: &Option<ListFacts>| facts.as_ref().map_or(0, ListFacts::expected_records);
        lists.sort_by_key(|(_, facts)| std::cmp::Reverse(expected(facts)));
        Ok((chosen, lists))
    }

    fn situation(&mut self, splits_left: bool) -> Result<Situation, ExploreError> {
        let mut now = Situation {
            explored: self.explored,
            // every list that is found pays for further pages
            max_explored: self.options.explore_pages + 3 * self.productive,
            since_large_list: self.since_large_list,
            must_stop: self.must_stop(),
            splits_left,
            ..Situation::default()
        };
        if self.state == SiteState::Exploring {
            now.best_priority = self.frontier.best_priority()?;
            return Ok(now);
        }
        let (_, lists) = self.chosen_lists()?;
        now.lists_left = lists.iter().filter(|(list, _)| list.state == "queued").count();
        let records = self.frontier.record_count()?;
        now.lacks_records = announced(&lists).is_some_and(|announced| announced.total > records);
        Ok(now)
    }

    pub(crate) fn must_stop(&self) -> bool {
        self.visitor.stopper().is_stopped()
            || self.is_budget_spent()
            || self.errors_in_a_row >= MAX_ERRORS_IN_A_ROW
    }

    pub(crate) fn is_budget_spent(&self) -> bool {
        self.pages >= self.options.max_pages || self.began.elapsed() >= self.options.max_time
    }

    pub(crate) fn progress(&self, url: &str) -> Result<(), ExploreError> {
        (self.on_progress)(&SiteProgress {
            state: self.state,
            pages: self.pages,
            records: self.frontier.record_count()?,
            queued: self.frontier.item_count("queued")?,
            errors: self.errors,
            seconds: self.began.elapsed().as_secs_f64(),
            url: url.to_owned(),
        });
        Ok(())
    }

    fn report(&mut self) -> Result<SiteReport, ExploreError> {
        let (kind, lists) = self.chosen_lists()?;
        let records = self.frontier.record_count()?;
        let announced = announced(&lists);
        let is_object = kind.is_none() && lists.iter().any(|(list, _)| list.state == "done");
        let budget_spent = self.is_budget_spent();
        let evidence = Evidence {
            unique: if is_object && records <= 1 { 0 } else { records },
            announced,
            lists: lists
                .iter()
                .filter_map(|(_, facts)| {
                    let facts = facts.as_ref()?;
                    Some(ListEvidence { announced: facts.announced, read: facts.read.clone()? })
                })
                .collect(),
            unexplored: self.frontier.promising_count(MIN_SCORE_AFTER_LIST)?,
            has_object: is_object,
            has_other_lists: self.has_other_lists,
            classes: self.classes.clone(),
            lacks_value: self.lacks_value,
            budget_spent,
            interrupted: self.visitor.stopper().is_stopped() && !budget_spent,
            unreachable: self.unreachable,
            disallowed: self.disallowed,
        };
        let (status, reason) = verify(&evidence);
        let sitemap: Vec<(String, u64)> = self
            .frontier
            .meta("sitemap")?
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        let in_sitemap =
            kind.as_ref().and_then(|(kind, _)| sitemap.iter().find(|(template, _)| template == kind));
        Ok(SiteReport {
            start: self.start.to_string(),
            status,
            reason,
            records,
            announced,
            in_sitemap: in_sitemap.map(|(_, count)| *count),
            pages: self.pages,
            errors: self.errors,
            seconds: self.began.elapsed().as_secs_f64(),
            kind,
            states: self.states.clone(),
            lists: lists.into_iter().map(|(list, _)| list).collect(),
            map: self.frontier.entries()?,
        })
    }
}

/// The largest number that one of the lists announces.
fn announced(lists: &[(FoundList, Option<ListFacts>)]) -> Option<crate::page_facts::Announced> {
    lists.iter().filter_map(|(_, facts)| facts.as_ref()?.announced).max_by_key(|announced| announced.total)
}

/// A list in the form of the frontier.
pub(crate) fn found_list(url: &str, kind: &str, facts: &ListFacts) -> FoundList {
    FoundList {
        url: url.to_owned(),
        kind: kind.to_owned(),
        facts: serde_json::to_string(facts).unwrap_or_default(),
        state: "queued".to_owned(),
        outcome: String::new(),
    }
}

/// True if two URLs show the same page.
pub(crate) fn is_same_page(a: &str, b: &str) -> bool {
    canonical_key(a).is_some() && canonical_key(a) == canonical_key(b)
}
