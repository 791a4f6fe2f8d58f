//! Decides what to do next: a small program without input or output.
//!
//! In: what was found on the last page, and where the run is. Out: actions with reasons, and the next state. The
//! states, in order:
//!
//! 1. **Exploring**: pages are visited, the most promising first, until enough is known.
//! 2. **Extracting**: the lists of the kind of records that was chosen are read completely.
//! 3. **Splitting**: a list that shows fewer records than it announces is divided by filters.
//! 4. **Comparing**: if no number is announced, the records are read a second way.
//! 5. **Finished**.
//!
//! The success of the extraction decides, as in DIADEM: a list ends the search for better pages soon, a complaint
//! about an empty field leads to a filled form, and a page without a list is only a source of links.

use crate::crawl_traps::{TemplateYield, TrapBounds, trap, trap_key};
use crate::form_filling::FormPlan;
use crate::form_refusal::FormRefusal;
use crate::frontier_items::FrontierItem;
use crate::link_ranking::{DomainLinkWords, MIN_LINK_SCORE, score_link};
use crate::page_facts::{ListFacts, PageClass, PageFacts};
use crate::suggestion_plan::{AUTOCOMPLETE_ROLE, SUGGESTION_ROLE};
use copal_forms::FormType;

/// Priority of the start page.
pub(crate) const START_PRIORITY: f64 = 100.0;
/// Priority of the page in a frame.
const FRAME_PRIORITY: f64 = 20.0;
/// Priority of a form that fills the gap that a page complained about.
pub(crate) const FILLED_FORM_PRIORITY: f64 = 12.0;
/// Priority of typing into a field to get suggestions, if the page does not say that it has any: after plain values.
const UNANNOUNCED_SUGGESTIONS_PRIORITY: f64 = 11.0;
/// Priority of the search form of a page without a list.
const FORM_PRIORITY: f64 = 6.0;
/// Priority of the search form of a page with a list.
const FORM_BESIDE_LIST_PRIORITY: f64 = 1.5;
/// The role of a page that shows more records of a list.
const LARGER_PAGE: &str = "larger page";
/// Priority of such a page: it saves requests.
const LARGER_PAGE_PRIORITY: f64 = 8.0;
/// Priority of a feed.
const FEED_PRIORITY: f64 = 0.0;
/// After a list was found, only links with this score are still tried.
pub(crate) const MIN_SCORE_AFTER_LIST: f64 = 1.0;
/// Pages in a row without a further list that are visited after a large list was found.
const PAGES_AFTER_LIST: usize = 12;
/// Filled forms per page.
const MAX_SUBMISSIONS: usize = 12;

/// What to do with something that was found on a page.
#[derive(Debug, Clone, PartialEq)]
pub enum PlannedAction {
    /// Visit a page later.
    Visit(FrontierItem),
    /// Do not visit a page, for this reason.
    Leave(FrontierItem, String),
    /// Keep the page's list as one that may be read.
    KeepList(ListFacts),
    /// Keep the page's object: the site may have only one.
    KeepObject,
}

/// What a page is and what is done about it.
#[derive(Debug, Clone, PartialEq)]
pub struct PagePlan {
    /// What the page is, in words.
    pub outcome: String,
    /// The page is of no use.
    pub is_discarded: bool,
    /// What is done.
    pub actions: Vec<PlannedAction>,
}

/// What the planner knows about the site.
#[derive(Debug, Clone, Default)]
pub struct PlanContext {
    /// Words of the domain.
    pub words: DomainLinkWords,
    /// Bounds of the crawl.
    pub bounds: TrapBounds,
    /// Forms are filled in.
    pub uses_forms: bool,
    /// A browser is there.
    pub has_browser: bool,
    /// A large list of the wanted kind is known: forms are no longer the way to the first one.
    pub has_large_list: bool,
}

/// Plans what to do after a page was read. `template_yield` tells how often a kind of page was visited.
pub fn plan_page(
    page: &PageFacts,
    item: &FrontierItem,
    context: &PlanContext,
    template_yield: &dyn Fn(&str) -> TemplateYield,
) -> PagePlan {
    let mut actions = Vec::new();
    let mut is_discarded = false;
    let mut outcome = page.class.describe().to_owned();
    match page.class {
        PageClass::Login | PageClass::Challenge | PageClass::NeedsScripts => {
            return PagePlan { outcome, is_discarded: true, actions };
        }
        _ => {}
    }
    if let Some(list) = &page.list {
        outcome = describe_list(list);
        if list.fit.fits {
            actions.push(PlannedAction::KeepList(list.clone()));
            // one step: a page that was reached by its size offers the sizes again
            if let Some(url) = list.larger_page.as_ref().filter(|_| item.role != LARGER_PAGE) {
                let reason = "a page of this list with more records".to_owned();
                actions.push(PlannedAction::Visit(child(
                    item,
                    url,
                    LARGER_PAGE,
                    LARGER_PAGE_PRIORITY,
                    reason,
                )));
            }
        } else {
            outcome.push_str(", but not of the domain");
        }
    } else if page.object.as_ref().is_some_and(|fit| fit.fits) {
        actions.push(PlannedAction::KeepObject);
    }
    let has_fitting_list = page.list.as_ref().is_some_and(|list| list.fit.fits);
    if let Some(complaint) = &page.complaint {
        outcome = format!("{outcome}; {complaint}");
    }
    if !has_fitting_list {
        for url in &page.frames {
            let reason = "the content of the page is in this frame".to_owned();
            actions.push(PlannedAction::Visit(child(item, url, "frame", FRAME_PRIORITY, reason)));
        }
        for url in &page.feeds {
            let reason = "a feed of the site".to_owned();
            actions.push(PlannedAction::Visit(child(item, url, "feed", FEED_PRIORITY, reason)));
        }
    }
    if context.uses_forms {
        plan_forms(page, item, has_fitting_list, context, &mut actions, &mut outcome);
    }
    // the pages of objects, and what a feed links to, only repeat the menu
    if !matches!(page.class, PageClass::Object) || item.depth == 0 {
        plan_links(page, item, context, template_yield, &mut actions);
    }
    is_discarded |= actions.is_empty();
    PagePlan { outcome, is_discarded, actions }
}

fn describe_list(list: &ListFacts) -> String {
    let announced = match list.announced {
        Some(announced) if announced.at_least => format!(" of at least {}", announced.total),
        Some(announced) => format!(" of {}", announced.total),
        None => String::new(),
    };
    let next = if list.has_next { ", with further pages" } else { "" };
    format!("a list of {}{announced} records{next}", list.records)
}

fn plan_forms(
    page: &PageFacts,
    item: &FrontierItem,
    has_fitting_list: bool,
    context: &PlanContext,
    actions: &mut Vec<PlannedAction>,
    outcome: &mut String,
) {
    // values that did not help once are not tried a second time
    if matches!(item.role.as_str(), "filled form" | SUGGESTION_ROLE) {
        return;
    }
    let has_list = has_fitting_list || context.has_large_list;
    let is_answer = item.role == "form";
    for form in page.forms.iter().filter(|form| form.form_type == FormType::Search) {
        let suggestions = if context.has_browser { suggestion_visit(page, item, form) } else { None };
        let replaces_values = suggestions.is_some()
            && (form.refused.is_some() || form.suggestions.as_ref().is_some_and(|plan| plan.is_announced));
        actions.extend(suggestions.map(PlannedAction::Visit));
        // the results of a search show its form again
        if replaces_values || is_answer && page.complaint.is_none() {
            continue;
        }
        if let Some(why) = &form.refused {
            *outcome = format!("{outcome}; search form left alone: {why}");
        }
        for submission in form.submissions.iter().take(MAX_SUBMISSIONS) {
            let (role, priority) = match (is_answer, has_list) {
                (true, _) => ("filled form", FILLED_FORM_PRIORITY),
                (false, true) => ("form", FORM_BESIDE_LIST_PRIORITY),
                (false, false) => ("form", FORM_PRIORITY),
            };
            let reason = format!("search form with {}", submission.choice);
            let visit = child(item, &submission.url, role, priority, reason);
            actions.push(PlannedAction::Visit(FrontierItem { form: submission.body.clone(), ..visit }));
        }
    }
}

/// The visit that types into a form: one whose values were refused, or that finds nothing although it announces
/// suggestions, or for which no value is known.
fn suggestion_visit(page: &PageFacts, item: &FrontierItem, form: &FormPlan) -> Option<FrontierItem> {
    let plan = form.suggestions.as_ref()?;
    let is_answer = item.role == "form";
    let url = if is_answer {
        let is_refused = page.complaint.is_some() || page.list.is_none() && plan.is_announced;
        is_refused.then_some(&item.parent)?
    } else {
        let lacks_value = matches!(form.refused, Some(FormRefusal::NoValue { .. }));
        // what a form sent by POST led to has no URL of its own
        (lacks_value && item.form.is_none()).then_some(&page.url)?
    };
    let priority = if plan.is_announced { FILLED_FORM_PRIORITY } else { UNANNOUNCED_SUGGESTIONS_PRIORITY };
    let reason = format!("suggestions for the field \"{}\" of the search form", plan.field);
    Some(child(item, url, AUTOCOMPLETE_ROLE, priority, reason))
}

fn plan_links(
    page: &PageFacts,
    item: &FrontierItem,
    context: &PlanContext,
    template_yield: &dyn Fn(&str) -> TemplateYield,
    actions: &mut Vec<PlannedAction>,
) {
    for link in &page.links {
        let template = trap_key(&link.url);
        let seen = template_yield(&template);
        let scored = score_link(link, &context.words, item.depth + 1, seen, page.list.is_some());
        let shown: String = link.text.chars().take(60).collect();
        let visit = child(item, &link.url, "link", scored.score, format!("\"{shown}\": {}", scored.reason));
        if scored.is_other || scored.score < MIN_LINK_SCORE {
            actions.push(PlannedAction::Leave(visit, format!("not promising: {}", scored.reason)));
        } else if let Some(trap) = trap(&link.url, item.depth + 1, seen, &context.bounds) {
            actions.push(PlannedAction::Leave(visit, trap.describe().to_owned()));
        } else {
            actions.push(PlannedAction::Visit(visit));
        }
    }
}

/// An item that was found on the page of another.
pub(crate) fn child(
    parent: &FrontierItem,
    url: &str,
    role: &str,
    priority: f64,
    reason: String,
) -> FrontierItem {
    FrontierItem {
        url: url.to_owned(),
        form: None,
        role: role.to_owned(),
        parent: parent.url.clone(),
        priority,
        depth: parent.depth + 1,
        template: trap_key(url),
        reason,
    }
}

/// Where a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SiteState {
    /// Pages are visited.
    Exploring,
    /// Lists are read.
    Extracting,
    /// A list that hides records is divided.
    Splitting,
    /// The records are read a second way, because nothing says how many there are.
    Comparing,
    /// Nothing is left to do.
    Finished,
}

impl SiteState {
    /// The name in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            SiteState::Exploring => "exploring",
            SiteState::Extracting => "extracting",
            SiteState::Splitting => "splitting",
            SiteState::Comparing => "comparing",
            SiteState::Finished => "finished",
        }
    }

    /// The state with a name.
    pub fn named(name: &str) -> Option<SiteState> {
        let all = [
            SiteState::Exploring,
            SiteState::Extracting,
            SiteState::Splitting,
            SiteState::Comparing,
            SiteState::Finished,
        ];
        all.into_iter().find(|state| state.name() == name)
    }
}

/// What decides about the next state.
#[derive(Debug, Clone, Copy, Default)]
pub struct Situation {
    /// Pages that were visited to explore.
    pub explored: usize,
    /// Pages that may be visited to explore.
    pub max_explored: usize,
    /// Pages that were visited since the last list with new records; `None` before a large one was found.
    pub since_large_list: Option<usize>,
    /// The priority of the best queued page.
    pub best_priority: Option<f64>,
    /// Lists of the chosen kind that were not read yet.
    pub lists_left: usize,
    /// The chosen list announces more records than were found.
    pub lacks_records: bool,
    /// Ways to divide it that were not tried yet.
    pub splits_left: bool,
    /// The records are complete only as far as their lists ended, and were not read a second way yet.
    pub wants_second_reading: bool,
    /// The budget of pages or time is spent, or the run was stopped.
    pub must_stop: bool,
}

/// The next state and the reason.
pub fn next_state(state: SiteState, now: &Situation) -> (SiteState, &'static str) {
    if now.must_stop {
        return (SiteState::Finished, "the budget is spent or the run was stopped");
    }
    match state {
        SiteState::Exploring => match (now.best_priority, now.since_large_list) {
            (None, _) => (SiteState::Extracting, "every promising page was visited"),
            _ if now.explored >= now.max_explored => (SiteState::Extracting, "enough pages were explored"),
            (_, Some(since)) if since >= PAGES_AFTER_LIST => {
                (SiteState::Extracting, "a large list was found, and further pages were compared with it")
            }
            (Some(best), Some(_)) if best < MIN_SCORE_AFTER_LIST => {
                (SiteState::Extracting, "a large list was found, and no other page is promising")
            }
            _ => (SiteState::Exploring, "there are promising pages"),
        },
        SiteState::Extracting if now.lists_left > 0 => (SiteState::Extracting, "a list was not read yet"),
        SiteState::Extracting | SiteState::Splitting if now.lacks_records && now.splits_left => {
            (SiteState::Splitting, "the list announces more records than it shows")
        }
        SiteState::Extracting | SiteState::Splitting if now.wants_second_reading => {
            (SiteState::Comparing, "no number is announced: the records are read a second way")
        }
        SiteState::Extracting | SiteState::Splitting => (SiteState::Finished, "all lists were read"),
        SiteState::Comparing if now.wants_second_reading => (SiteState::Comparing, "it was interrupted"),
        SiteState::Comparing => (SiteState::Finished, "both readings were compared"),
        SiteState::Finished => (SiteState::Finished, "nothing is left to do"),
    }
}

/// The kind of records to read, of several: the one with most expected records, weighted by how certain its lists
/// are and how many columns they have. `None` without lists.
pub fn choose_kind<'a>(
    lists: impl IntoIterator<Item = (&'a str, &'a ListFacts)>,
) -> Option<(String, String)> {
    let mut kinds: std::collections::BTreeMap<&str, (f64, f64, u64)> = std::collections::BTreeMap::new();
    for (kind, list) in lists {
        let richness = (list.columns.len().min(8) as f64 + list.fit.found.len() as f64).max(1.0);
        let entry = kinds.entry(kind).or_insert((0.0, 0.0, 0));
        entry.0 = entry.0.max(list.confidence);
        entry.1 = entry.1.max(richness);
        entry.2 = entry.2.max(list.expected_records());
    }
    let value = |(confidence, richness, records): &(f64, f64, u64)| {
        confidence * richness * (1.0 + *records as f64).ln()
    };
    let best = kinds.iter().max_by(|a, b| value(a.1).total_cmp(&value(b.1)).then_with(|| b.0.cmp(a.0)))?;
    let reason = format!(
        "kinds of lists: {}; this one has {} records or more, up to {} columns and a confidence of {:.2}",
        kinds.len(),
        best.1.2,
        best.1.1,
        best.1.0
    );
    Some(((*best.0).to_owned(), reason))
}
