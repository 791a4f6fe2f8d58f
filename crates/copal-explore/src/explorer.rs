//! Explores a site and reads its lists: the only module that fetches.
//!
//! In: a start URL, a visitor, a frontier. Out: records, given to a sink list by list, and a [`SiteReport`]. What to
//! do is decided by the planner; what was done is written to the frontier before the next request is sent, so that a
//! run that was stopped or killed continues where it was. Pages that were read before come from the cache.

use crate::compared_records::{ComparedRecords, SecondReading};
use crate::crawl_traps::{TemplateYield, trap, trap_key};
use crate::error::{ExploreError, SinkError};
use crate::explore_options::{ExploreOptions, SiteProgress};
use crate::frontier::Frontier;
use crate::frontier_items::{FoundList, FrontierEntry, FrontierItem, ItemEnd};
use crate::link_ranking::DomainLinkWords;
use crate::page_facts::{ListFacts, PageClass, PageFacts};
use crate::page_reading::read_page_facts;
use crate::planner::{
    PagePlan, PlanContext, PlannedAction, START_PRIORITY, SiteState, next_state, plan_page,
};
use crate::site_report::SiteReport;
use crate::suggestion_plan::{AUTOCOMPLETE_ROLE, SUGGESTION_ROLE};
use crate::url_keys::canonical_key;
use copal_extract::Answer;
use copal_site::Visitor;
use std::collections::HashSet;
use std::time::Instant;
use url::Url;

/// The kind of the entries that are single objects.
pub(crate) const OBJECT_KIND: &str = "(object)";
/// Errors in a row after which a site is given up.
const MAX_ERRORS_IN_A_ROW: usize = 8;

/// Receives the records of a list, or an object: the URL and the answer. Returns why they cannot be stored.
pub type RecordSink<'a> = &'a mut dyn FnMut(&str, &Answer) -> Result<(), SinkError>;

/// What an exploration has found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SiteMap {
    /// The lists, in the order in which they were found.
    pub lists: Vec<FoundList>,
    /// All pages that were visited, queued or left.
    pub entries: Vec<FrontierEntry>,
    /// Pages that were asked for.
    pub pages: usize,
}

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
    /// Pages that the host did not respond to since it last responded, with the errors. They stay in flight, so that
    /// the next run asks for them again if the host has failed.
    pub(crate) unanswered: Vec<(FrontierItem, String)>,
    pub(crate) context: PlanContext,
    pub(crate) states: Vec<(&'static str, &'static str)>,
    pub(crate) state: SiteState,
    pub(crate) classes: Vec<PageClass>,
    pub(crate) has_other_lists: bool,
    pub(crate) lacks_value: bool,
    pub(crate) since_large_list: Option<usize>,
    /// The pages that this process has fetched: their cookies are known, and the tokens of their forms are valid.
    pub(crate) own_pages: HashSet<String>,
    /// Keys of the records on the first pages of the lists that were found.
    pub(crate) seen_keys: HashSet<String>,
    /// Lists with records that no list before had.
    pub(crate) productive: usize,
    pub(crate) explored: usize,
    pub(crate) start_error: Option<String>,
    pub(crate) disallowed: bool,
    /// What came of reading the records a second way.
    pub(crate) second_reading: Option<SecondReading>,
    /// The records of a second reading that is going on.
    pub(crate) compared: Option<ComparedRecords>,
    /// All lists were read: what is done now can only confirm them.
    pub(crate) is_settled: bool,
    /// What the frontier remembers of this run.
    pub(crate) remembered: String,
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
        let start = Url::parse(start).ok().filter(Url::has_host).ok_or_else(invalid)?;
        if !matches!(start.scheme(), "http" | "https") {
            return Err(invalid());
        }
        let domain = options.domain.as_ref().map_or("", |domain| &domain.name);
        let identity = format!("{start} {domain} forms={} {}", options.uses_forms, options.run_label);
        let identity = identity.trim_end();
        let state = frontier.meta("state")?.and_then(|name| SiteState::named(&name));
        let is_continued = frontier.meta("run")?.as_deref() == Some(identity)
            && state.is_some_and(|one| one != SiteState::Finished);
        if !is_continued {
            frontier.clear()?;
            frontier.set_meta("run", identity)?;
        }
        let words = options.domain.as_ref().map(|domain| DomainLinkWords {
            follow: domain.links_to_follow.iter().cloned().chain([domain.object.clone()]).collect(),
            avoid: domain.links_to_avoid.clone(),
        });
        let context = PlanContext {
            words: words.unwrap_or_default(),
            bounds: options.bounds,
            uses_forms: options.uses_forms,
            has_browser: visitor.has_browser(),
            has_large_list: false,
        };
        let explored = frontier.item_count("done")? + frontier.item_count("failed")?;
        let mut explorer = Explorer {
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
            unanswered: Vec::new(),
            context,
            states: Vec::new(),
            classes: Vec::new(),
            has_other_lists: false,
            lacks_value: false,
            since_large_list: None,
            own_pages: HashSet::new(),
            seen_keys: HashSet::new(),
            productive: 0,
            start_error: None,
            disallowed: false,
            second_reading: None,
            compared: None,
            is_settled: false,
            remembered: String::new(),
        };
        explorer.recall()?;
        Ok(explorer)
    }

    /// True if an earlier run of the same site is continued.
    pub fn is_continued(&self) -> bool {
        self.explored > 0
    }

    /// Runs until the site was read, the budget is spent, or the visitor is stopped. What was read to its end begins
    /// again with the next run.
    pub async fn run(&mut self, sink: RecordSink<'_>) -> Result<SiteReport, ExploreError> {
        let report = self.run_to_end(sink).await?;
        self.finish()?;
        Ok(report)
    }

    /// Like [`run`](Self::run), but a run of the same frontier repeats only the end until [`finish`](Self::finish) is
    /// called: a caller that is killed before it has used the report gets it again, without requests.
    pub async fn run_to_end(&mut self, sink: RecordSink<'_>) -> Result<SiteReport, ExploreError> {
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
                if !self.must_stop() && next != SiteState::Finished {
                    self.frontier.set_meta("state", next.name())?;
                }
                self.state = next;
            }
            self.remember()?;
            match self.state {
                SiteState::Exploring => Box::pin(self.explore_one()).await?,
                SiteState::Extracting => Box::pin(self.extract_one(sink)).await?,
                SiteState::Splitting => {
                    splits_left = false;
                    Box::pin(self.split_lists(sink)).await?;
                }
                SiteState::Comparing => Box::pin(self.read_a_second_way(sink)).await?,
                SiteState::Finished => break,
            }
        }
        if !self.must_stop() {
            self.finish_unanswered()?;
        }
        self.report()
    }

    /// Only explores, as the first part of a run does: the lists that were found, and the map. No list is read.
    pub async fn find_lists(&mut self) -> Result<SiteMap, ExploreError> {
        if self.explored == 0 {
            self.queue_start().await?;
        }
        while next_state(SiteState::Exploring, &self.situation(false)?).0 == SiteState::Exploring {
            Box::pin(self.explore_one()).await?;
        }
        Ok(SiteMap { lists: self.frontier.lists()?, entries: self.frontier.entries()?, pages: self.pages })
    }

    /// Reads the start page and says what would be done next, without doing it.
    pub async fn plan_only(&mut self) -> Result<(PageFacts, PagePlan), ExploreError> {
        let item = self.start_item();
        self.pages += 1;
        let Some(read) = self.visitor.with_limits(1, 0).read(&item.request()).await? else {
            return Err(ExploreError::Stopped);
        };
        let Some(page) = &read.page else {
            return Err(ExploreError::DataDocument { url: item.url });
        };
        let facts = read_page_facts(page, &read.answer, self.options.domain.as_deref(), false);
        let plan = plan_page(&facts, &item, &self.context, &|_| TemplateYield::default());
        Ok((facts, plan))
    }

    pub(crate) fn start_item(&self) -> FrontierItem {
        FrontierItem {
            url: self.start.to_string(),
            form: None,
            role: "start".to_owned(),
            parent: String::new(),
            priority: START_PRIORITY,
            depth: 0,
            template: trap_key(self.start.as_str()),
            reason: "the start page".to_owned(),
        }
    }

    /// Visits the best page of the queue.
    async fn explore_one(&mut self) -> Result<(), ExploreError> {
        let Some(item) = self.frontier.take()? else { return Ok(()) };
        if item.role == AUTOCOMPLETE_ROLE {
            return self.ask_for_suggestions(&item);
        }
        // other pages of its kind may have been visited since it was queued; the item itself is one of the visited, and
        // pages that the host did not respond to say nothing about their kind
        let mut seen = self.frontier.template_yield(&item.template)?;
        let unanswered = self.unanswered.iter().filter(|(other, _)| other.template == item.template).count();
        seen.visited = seen.visited.saturating_sub(1 + unanswered);
        if item.role == "link"
            && let Some(trap) = trap(&item.url, item.depth, seen, &self.options.bounds)
        {
            return self.frontier.finish(&item, ItemEnd::Discarded, trap.describe(), &[], None);
        }
        let mut item = item;
        let read = match self.read_item(&mut item).await {
            // the item stays in flight and is queued again by the next run
            Ok(None) => return Ok(()),
            Ok(Some(read)) => read,
            Err(error) => {
                if self.note_error(&item, &error) {
                    self.unanswered.push((item, error.to_string()));
                    return Ok(());
                }
                self.finish_unanswered()?;
                // the host responds, but not with this page
                if item.role == "start" && !self.disallowed {
                    if self.must_stop() {
                        // in flight: the next run asks again, and looks elsewhere
                        return Ok(());
                    }
                    Box::pin(self.look_elsewhere()).await?;
                }
                self.remember()?;
                return self.frontier.finish(&item, ItemEnd::Failed, &error.to_string(), &[], None);
            }
        };
        self.pages += 1;
        self.explored += 1;
        self.finish_unanswered()?;
        if let Some(since) = &mut self.since_large_list {
            *since += 1;
        }
        let Some(page) = &read.page else {
            return self.finish_data(&item, &read.answer);
        };
        let after_form = matches!(item.role.as_str(), "form" | "filled form" | SUGGESTION_ROLE);
        let facts = read_page_facts(page, &read.answer, self.options.domain.as_deref(), after_form);
        self.classes.push(facts.class);
        self.lacks_value |= facts.lacks_value(matches!(item.role.as_str(), "filled form" | SUGGESTION_ROLE));
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
                    // after a redirect, the URL alone shows the results of a form
                    let form = item.form.clone().filter(|_| is_same_page(&item.url, &read.url));
                    list = Some(FoundList { form, ..found_list(&read.url, &found.kind(), found) });
                }
                // without a domain, only the page that the user named is an object to keep
                PlannedAction::KeepObject if self.options.domain.is_some() || item.depth == 0 => {
                    list = Some(FoundList {
                        url: read.url.clone(),
                        form: None,
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
        // before the page is done: a kill in between reads it again
        self.remember()?;
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

    pub(crate) fn must_stop(&self) -> bool {
        self.visitor.stopper().is_stopped() || self.is_budget_spent() || self.has_host_failed()
    }

    pub(crate) fn has_host_failed(&self) -> bool {
        self.unanswered.len() >= MAX_ERRORS_IN_A_ROW
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
}

/// A list in the form of the frontier.
pub(crate) fn found_list(url: &str, kind: &str, facts: &ListFacts) -> FoundList {
    FoundList {
        url: url.to_owned(),
        form: None,
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
