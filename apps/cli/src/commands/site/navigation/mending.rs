//! Writes the steps of a navigation anew where they are broken, and leaves the others as they are.
//!
//! In: a wrapper, and what was found at the places that it names. Out: the wrapper with what could be mended, and what
//! could not, with the cause. A new step is kept only if it was tried: a list shows records like those of the samples, a
//! route leads to its list, and the rule for the next page leads to further records.

use super::CheckedNavigation;
use super::candidate_lists::CandidateList;
use super::list_check::{CheckedList, ListSlot, route_of};
use super::list_mending::{MendedLists, mend_lists};
use super::next_check::{NextProblem, mended_next, next_problem};
use super::route_check::{CheckedRoute, check_route};
use super::site_pages::{OpenedPage, SitePages};
use crate::commands::site::site_routes::{site_routes, step};
use crate::navigation_finding::NavigationFinding;
use crate::reporting;
use copal::wrapper::{
    Navigation, NavigationRoute, NavigationSearch, NavigationStep, Resemblance, Wrapper, apply, next_page,
};
use copal_explore::{FoundList, FrontierItem, SentSearch, SiteMap, route_actions};
use std::collections::HashMap;
use std::rc::Rc;

/// A step that was written anew.
#[derive(Debug, Clone)]
pub(crate) struct NavigationChange {
    pub(crate) step: String,
    pub(crate) before: String,
    pub(crate) after: String,
    /// How it was found and tried.
    pub(crate) why: String,
}

/// What became of a navigation.
pub(crate) struct MendedNavigation {
    /// The wrapper with the new steps, but of the same revision.
    pub(crate) wrapper: Wrapper,
    pub(crate) changes: Vec<NavigationChange>,
    /// What could not be mended.
    pub(crate) unmended: Vec<NavigationFinding>,
    /// The first pages of the lists that are there now.
    pub(crate) pages: Vec<Rc<OpenedPage>>,
}

/// Mends the lists of a wrapper and the ways to them.
pub(crate) fn mend_lists_and_routes(
    pages: &mut SitePages,
    wrapper: &Wrapper,
    checked: &CheckedNavigation,
) -> MendedNavigation {
    let mut mended = MendedNavigation {
        wrapper: wrapper.clone(),
        changes: Vec::new(),
        unmended: Vec::new(),
        pages: Vec::new(),
    };
    let Some(navigation) = &wrapper.navigation else { return mended };
    let (broken, working): (Vec<&CheckedList>, Vec<&CheckedList>) =
        checked.lists.iter().partition(|list| list.cause.is_some());
    let is_working = |at: usize| working.iter().any(|list| is_route_of(navigation, list, at));
    let has_lost_route = checked
        .routes
        .iter()
        .enumerate()
        .any(|(at, route)| route.as_ref().is_some_and(|route| route.cause.is_some()) && is_working(at));
    let found = if broken.is_empty() && !has_lost_route {
        MendedLists { found: Vec::new(), map: None }
    } else {
        let (form_pages, start) = (form_pages(navigation, checked), start_of(navigation));
        mend_lists(pages, wrapper, &broken, &working, &form_pages, &start, has_lost_route)
    };
    let mut moves: HashMap<String, Move> = HashMap::new();
    for list in &working {
        mended.pages.extend(list.opened.clone().filter(|_| list.resemblance > Resemblance::Different));
        if let Some(target) = list.moved_to() {
            let why = "the site redirects there".to_owned();
            mended.changes.push(change(list.slot, &list.search.url, target, why));
            moves.insert(list.slot.name(), Move::redirect(target));
        }
    }
    for (list, found) in broken.iter().zip(found.found) {
        match found {
            Ok(candidate) => {
                mended.changes.push(change(
                    list.slot,
                    &list.search.url,
                    &shown(&candidate),
                    reason(wrapper, &candidate),
                ));
                mended.pages.push(Rc::clone(&candidate.opened));
                moves.insert(list.slot.name(), Move::found(candidate));
            }
            Err(why) => {
                let cause = list.cause.clone().unwrap_or_default();
                let step = format!("{} ({})", list.slot.name(), list.search.url);
                mended.unmended.push(NavigationFinding {
                    step,
                    cause: format!("{cause}; {why}"),
                    is_broken: true,
                });
            }
        }
    }
    let mut fresh = with_moves(navigation, &moves);
    fresh.routes = Vec::new();
    for (at, route) in navigation.routes.iter().enumerate() {
        let list = checked.lists.iter().find(|list| is_route_of(navigation, list, at));
        let Some((list, Some(old))) = list.zip(checked.routes.get(at).map(Option::as_ref)) else {
            fresh.routes.push(route.clone());
            continue;
        };
        let moved = moves.get(&list.slot.name());
        if moved.is_none() && (old.cause.is_none() || list.cause.is_some()) {
            fresh.routes.push(route.clone());
            continue;
        }
        let target = moved.map_or_else(|| Move::kept(list), Move::clone);
        let name = format!("navigation.routes[{at}]");
        match new_route(pages, route, old, &target, found.map.as_ref()) {
            // only the list that it leads to has another URL
            Some(new) if new.from == route.from && new.steps == route.steps => fresh.routes.push(new),
            Some(new) => {
                let (before, after) = (shown_route(route), shown_route(&new));
                let why = "it was followed, and leads to the list".to_owned();
                mended.changes.push(NavigationChange { step: name, before, after, why });
                fresh.routes.push(new);
            }
            // the list is still opened by its URL; a route that leads elsewhere would only mislead
            None if moved.is_some() => {
                let why =
                    "no links or fields that lead to the list were found: it is opened by its URL".to_owned();
                let (before, after) = (shown_route(route), "nothing".to_owned());
                mended.changes.push(NavigationChange { step: name, before, after, why });
            }
            None => {
                let cause = old.cause.clone().unwrap_or_default();
                let cause = format!("{cause}; no other way to {} was found", list.search.url);
                mended.unmended.push(NavigationFinding { step: name, cause, is_broken: true });
                fresh.routes.push(route.clone());
            }
        }
    }
    mended.wrapper.navigation = Some(fresh);
    mended
}

/// Where a list is now.
#[derive(Clone)]
struct Move {
    url: String,
    form: Option<String>,
    form_page: Option<String>,
}

impl Move {
    fn redirect(url: &str) -> Move {
        Move { url: url.to_owned(), form: None, form_page: None }
    }

    fn found(candidate: CandidateList) -> Move {
        Move { url: candidate.request.url, form: candidate.request.form, form_page: candidate.form_page }
    }

    fn kept(list: &CheckedList) -> Move {
        Move {
            url: list.search.url.clone(),
            form: list.search.form.clone(),
            form_page: list.form_page.clone(),
        }
    }
}

fn is_route_of(navigation: &Navigation, list: &CheckedList, at: usize) -> bool {
    let own = route_of(navigation, list.slot, &list.search.url);
    own.is_some_and(|own| std::ptr::eq(own, &raw const navigation.routes[at]))
}

fn change(slot: ListSlot, before: &str, after: &str, why: String) -> NavigationChange {
    NavigationChange { step: slot.name(), before: before.to_owned(), after: after.to_owned(), why }
}

fn shown(candidate: &CandidateList) -> String {
    match &candidate.request.form {
        Some(form) => format!("POST {} {form}", candidate.request.url),
        None => candidate.request.url.clone(),
    }
}

fn reason(wrapper: &Wrapper, candidate: &CandidateList) -> String {
    let records = apply(wrapper, &candidate.opened.page).primary().map_or(0, |list| list.records.len());
    let way = match (&candidate.form_page, candidate.choice_of) {
        (Some(page), Some(_)) => format!("the same choice in the form on {page}"),
        (Some(page), None) => format!("the form on {page}"),
        (None, _) => "found by exploring the site".to_owned(),
    };
    let like = match candidate.resemblance {
        Resemblance::Same => format!("{} like those of the samples", reporting::count(records, "record")),
        _ => "records like those of the samples, in another design".to_owned(),
    };
    format!("{way}; {like}")
}

fn shown_route(route: &NavigationRoute) -> String {
    let steps = route.steps.iter().map(|step| {
        let text = step.with.as_ref().map(|text| format!(" with \"{text}\"")).unwrap_or_default();
        let selector =
            |verb: &str, css: &Option<String>| css.as_ref().map(|css| format!("{verb} {css}{text}"));
        let all = [
            selector("fill", &step.fill),
            selector("choose", &step.choose),
            selector("click", &step.click),
            selector("submit", &step.submit),
        ];
        all.into_iter().flatten().next().unwrap_or_default()
    });
    steps.collect::<Vec<_>>().join(", ")
}

/// The pages whose forms may lead to the lists: those of the wrapper, and those that its routes come to.
fn form_pages(navigation: &Navigation, checked: &CheckedNavigation) -> Vec<String> {
    let reached = checked.routes.iter().flatten().filter_map(|route| Some(route.form_at.clone()?.0));
    let named = navigation.searches.iter().map(|search| search.page.clone());
    let starts = navigation.routes.iter().map(|route| route.from.clone());
    let mut pages: Vec<String> = Vec::new();
    for page in reached.chain(named).chain(starts) {
        if !pages.contains(&page) {
            pages.push(page);
        }
    }
    pages
}

/// The page to explore from: where the first route begins, or the root of the host.
fn start_of(navigation: &Navigation) -> String {
    let named = navigation.routes.first().map(|route| route.from.clone());
    named.unwrap_or_else(|| {
        let searched = navigation.searches.first().map(|search| search.page.as_str());
        let any = navigation.open.as_deref().or(searched).unwrap_or_default();
        url::Url::parse(any).and_then(|url| url.join("/")).map(String::from).unwrap_or_default()
    })
}

/// The navigation with lists at other places. A list may change between a URL and a search by POST.
fn with_moves(navigation: &Navigation, moves: &HashMap<String, Move>) -> Navigation {
    let mut fresh = navigation.clone();
    if moves.is_empty() {
        return fresh;
    }
    let (mut urls, mut searches): (Vec<String>, Vec<NavigationSearch>) = (Vec::new(), Vec::new());
    let mut keep = |slot: ListSlot, url: Option<&String>, search: Option<&NavigationSearch>| match moves
        .get(&slot.name())
    {
        Some(Move { url, form: Some(form), form_page: Some(page) }) => {
            searches.push(NavigationSearch { page: page.clone(), url: url.clone(), form: form.clone() });
        }
        Some(Move { url, .. }) => urls.push(url.clone()),
        None => {
            urls.extend(url.cloned());
            searches.extend(search.cloned());
        }
    };
    if navigation.open.is_some() {
        keep(ListSlot::Open, navigation.open.as_ref(), None);
    }
    for (at, url) in navigation.lists.iter().enumerate() {
        keep(ListSlot::List(at), Some(url), None);
    }
    for (at, search) in navigation.searches.iter().enumerate() {
        keep(ListSlot::Search(at), None, Some(search));
    }
    let mut urls = urls.into_iter();
    fresh.open = urls.next();
    fresh.lists = urls.collect();
    fresh.searches = searches;
    fresh
}

/// The way to a list now, if it can be followed.
fn new_route(
    pages: &mut SitePages,
    route: &NavigationRoute,
    old: &CheckedRoute,
    target: &Move,
    map: Option<&SiteMap>,
) -> Option<NavigationRoute> {
    let mut options: Vec<NavigationRoute> = Vec::new();
    // a redirect, or a field with another name: the same steps may do
    options.push(NavigationRoute { to: target.url.clone(), ..route.clone() });
    if let Some(page) = &target.form_page
        && let Some(steps) = form_steps(pages, page, target)
    {
        if let Some((_, first)) = old.form_at.as_ref().filter(|(at, _)| at == page) {
            let before = route.steps[..*first].iter().cloned();
            let steps = before.chain(steps.iter().cloned()).collect();
            options.push(NavigationRoute { from: route.from.clone(), to: target.url.clone(), steps });
        }
        options.push(NavigationRoute { from: page.clone(), to: target.url.clone(), steps });
    }
    if let Some(map) = map {
        let list = FoundList {
            url: target.url.clone(),
            form: target.form.clone(),
            kind: String::new(),
            facts: String::new(),
            state: String::new(),
            outcome: String::new(),
        };
        // a way from the start page is better than one from the page of the form
        let whole = site_routes(&pages.runtime, &pages.visitor, &map.entries, &[&list]);
        options.splice(1..1, whole);
    }
    let list = SentSearch { url: target.url.clone(), form: target.form.clone(), chosen: Vec::new() };
    options.into_iter().find(|option| check_route(pages, option, &list).cause.is_none())
}

/// What is filled in and clicked in the form of a page that leads to a list.
fn form_steps(pages: &mut SitePages, page: &str, target: &Move) -> Option<Vec<NavigationStep>> {
    let opened = pages.get(page).ok()?;
    let item = FrontierItem {
        url: target.url.clone(),
        form: target.form.clone(),
        role: "form".to_owned(),
        parent: page.to_owned(),
        priority: 0.0,
        depth: 0,
        template: String::new(),
        reason: String::new(),
    };
    route_actions(&opened.page, &item)?.into_iter().map(|action| step(&opened.page, action)).collect()
}

/// Mends the rule for the next page. `None` if it works; the finding if it cannot be mended.
pub(crate) fn mend_next(
    pages: &mut SitePages,
    wrapper: &Wrapper,
    lists: &[Rc<OpenedPage>],
) -> Option<Result<(Wrapper, NavigationChange), NavigationFinding>> {
    let problem = next_problem(pages, wrapper, lists)?;
    let step = "navigation.next".to_owned();
    if let NextProblem::NoLink(cause) = problem {
        return Some(Err(NavigationFinding { step, cause, is_broken: true }));
    }
    let next = mended_next(pages, wrapper, lists);
    let mut mended = wrapper.clone();
    let before = std::mem::replace(&mut mended.navigation.get_or_insert_default().next, next.clone());
    // a rule that finds nothing on any page would still not be one
    let leads_on = next.is_empty() || lists.iter().any(|list| next_page(&mended, &list.page).is_some());
    if !leads_on || next.is_empty() && lists.iter().all(|list| next_page(wrapper, &list.page).is_none()) {
        let cause = format!("{}; no selector leads through the pages", problem.cause());
        return Some(Err(NavigationFinding { step, cause, is_broken: true }));
    }
    let after =
        if next.is_empty() { "the links that copal finds itself".to_owned() } else { next.join(", ") };
    let why = if next.is_empty() {
        "no selector leads through the pages; exported programs read the first page only".to_owned()
    } else {
        "followed over the pages of the list, with new records on each".to_owned()
    };
    Some(Ok((mended, NavigationChange { step, before: before.join(", "), after, why })))
}
