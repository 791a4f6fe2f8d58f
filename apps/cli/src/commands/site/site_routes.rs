//! How a visitor gets from the start page of a site to its lists.
//!
//! In: the map of an exploration. Out: a route per list: links that are clicked and search forms that are filled in, with
//! selectors of their elements. Where a page was not reached by a link or form (a frame, the sitemap), the route starts at
//! that page. Opens each page of a route once, from the cache; at most [`MAX_ROUTE_PAGES`].

use copal::Page;
use copal::wrapper::{NavigationRoute, NavigationStep, element_selectors};
use copal_explore::{FoundList, FrontierEntry, FrontierItem, RouteAction, canonical_key, route_actions};
use copal_fetch::PageRequest;
use copal_site::Visitor;
use std::collections::HashMap;

/// Lists that get a route.
const MAX_ROUTES: usize = 20;
/// Pages that are opened to find the elements of routes.
const MAX_ROUTE_PAGES: usize = 40;
/// Selectors of an element of which the best is taken.
const MAX_SELECTORS: usize = 6;
/// Links between the start page and a list; more are a loop.
const MAX_ROUTE_LENGTH: usize = 12;

/// The routes to lists, in their order. A list that is opened by its URL alone has none.
pub(super) fn site_routes(
    runtime: &tokio::runtime::Runtime,
    visitor: &Visitor,
    map: &[FrontierEntry],
    lists: &[&FoundList],
) -> Vec<NavigationRoute> {
    let mut finder = RouteFinder { runtime, visitor, map, pages: HashMap::new() };
    let routes = lists.iter().take(MAX_ROUTES).filter_map(|list| finder.route(list));
    routes.collect()
}

struct RouteFinder<'a> {
    runtime: &'a tokio::runtime::Runtime,
    visitor: &'a Visitor,
    map: &'a [FrontierEntry],
    /// The pages that were opened; `None` if they cannot be read again.
    pages: HashMap<String, Option<Box<Page>>>,
}

impl RouteFinder<'_> {
    fn route(&mut self, list: &FoundList) -> Option<NavigationRoute> {
        let chain = self.chain(list)?;
        let mut route =
            NavigationRoute { from: chain[0].url.clone(), to: list.url.clone(), steps: Vec::new() };
        let mut at = 0;
        while at + 1 < chain.len() {
            // a form that was sent empty first, and then with values, only needs the values
            let is_second_try = chain.get(at + 2).is_some_and(|after| after.role == "filled form");
            let over = is_second_try.then(|| self.steps(&chain[at], &chain[at + 2])).flatten();
            let (steps, next) = match over {
                Some(steps) => (Some(steps), at + 2),
                None => (self.steps(&chain[at], &chain[at + 1]), at + 1),
            };
            match steps {
                Some(steps) => route.steps.extend(steps),
                // no element of the page leads there: the URL does, unless a form has to be sent
                None if chain[next].form.is_some() => return None,
                None => (route.from, route.steps) = (chain[next].url.clone(), Vec::new()),
            }
            at = next;
        }
        (!route.steps.is_empty()).then_some(route)
    }

    /// The items from the start page to a list.
    fn chain(&self, list: &FoundList) -> Option<Vec<FrontierItem>> {
        let map = self.map;
        let key = canonical_key(&list.url);
        let is_list = |item: &FrontierItem| item.form == list.form && canonical_key(&item.url) == key;
        let mut chain = vec![map.iter().map(|entry| &entry.item).find(|item| is_list(item))?.clone()];
        while chain.len() < MAX_ROUTE_LENGTH {
            let parent = &chain[chain.len() - 1].parent;
            // typing into the form of a page does not lead to the page
            let above = map.iter().map(|entry| &entry.item).filter(|item| item.role != "autocomplete");
            let Some(above) = above.filter(|item| item.url == *parent).min_by_key(|item| item.form.is_some())
            else {
                break;
            };
            chain.push(above.clone());
        }
        chain.reverse();
        Some(chain)
    }

    /// What a visitor of one page does to get to the next.
    fn steps(&mut self, from: &FrontierItem, to: &FrontierItem) -> Option<Vec<NavigationStep>> {
        let page = self.page(from)?;
        route_actions(page, to)?.into_iter().map(|action| step(page, action)).collect()
    }

    fn page(&mut self, item: &FrontierItem) -> Option<&Page> {
        // the results of a form would have to be asked for by sending it again
        if item.form.is_some() {
            return None;
        }
        if !self.pages.contains_key(&item.url) && self.pages.len() < MAX_ROUTE_PAGES {
            let opened = self.runtime.block_on(self.visitor.open_request(&PageRequest::get(&item.url)));
            let page = opened.ok().and_then(|opened| match opened.document {
                copal::Document::Page(page) => Some(page),
                copal::Document::Data(_) => None,
            });
            self.pages.insert(item.url.clone(), page);
        }
        self.pages.get(&item.url)?.as_deref()
    }
}

/// The step for what is done with an element.
pub(super) fn step(page: &Page, action: RouteAction) -> Option<NavigationStep> {
    // a link is best known by where it leads: positions in menus change more often
    let selector = |node| {
        let mut all = element_selectors(page, node, MAX_SELECTORS);
        let by_target = all.iter().position(|css| css.contains("[href"));
        (!all.is_empty()).then(|| all.swap_remove(by_target.unwrap_or(0)))
    };
    let step = match action {
        RouteAction::Fill(node, text) => {
            NavigationStep { fill: Some(selector(node)?), with: Some(text), ..NavigationStep::default() }
        }
        RouteAction::Choose(node, text) => {
            NavigationStep { choose: Some(selector(node)?), with: Some(text), ..NavigationStep::default() }
        }
        RouteAction::Click(node) => {
            NavigationStep { click: Some(selector(node)?), ..NavigationStep::default() }
        }
        RouteAction::Submit(node) => {
            NavigationStep { submit: Some(selector(node)?), ..NavigationStep::default() }
        }
    };
    Some(step)
}
