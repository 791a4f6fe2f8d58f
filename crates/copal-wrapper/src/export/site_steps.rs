//! How an exported program moves through a site: the first pages of its lists, what is done there, the next link.
//!
//! In: a [`Wrapper`]. Out: URLs, and paths in the language of the target. A step that the language cannot express makes
//! the export fail: a program without it would read another list. O(steps).

use super::css_to_xpath::PathStart;
use super::literal::Literal;
use super::plan::PathLanguage;
use crate::error::WrapperError;
use crate::format::{Navigation, NavigationStep, Wrapper};

/// Where the next link and the counter are.
pub(super) struct SiteSteps {
    /// Paths of the next link. The first that finds one is followed.
    pub(super) next: Vec<String>,
    /// Paths of the element that announces the number of records. The first that finds one counts.
    pub(super) counter: Vec<String>,
}

/// One action on a page.
pub(super) enum PageAction<'w> {
    Fill { path: String, text: &'w str },
    Choose { path: String, text: &'w str },
    Click { path: String },
    Submit { path: String },
}

/// The first page of a list: a URL, and what is done there to get to the list.
pub(super) struct ListStart<'w> {
    pub(super) url: &'w str,
    pub(super) steps: &'w [NavigationStep],
}

/// A wrapper of a whole site: it was written by `copal site` and says how lists are reached.
pub(super) fn is_site(wrapper: &Wrapper) -> bool {
    wrapper
        .navigation
        .as_ref()
        .is_some_and(|site| !(site.routes.is_empty() && site.lists.is_empty() && site.searches.is_empty()))
}

impl SiteSteps {
    /// What a wrapper knows about further pages. What the language cannot express is left out with a warning.
    pub(super) fn of(wrapper: &Wrapper, language: PathLanguage, warnings: &mut Vec<String>) -> SiteSteps {
        let Some(navigation) = &wrapper.navigation else {
            return SiteSteps { next: Vec::new(), counter: Vec::new() };
        };
        let mut path = |key: &str, css: &str| match language.path(css, PathStart::Document) {
            Ok(path) => Some(path),
            Err(error) => {
                warnings.push(format!("navigation.{key}: {css:?} is left out: {error}"));
                None
            }
        };
        let next = navigation.next.iter().filter_map(|css| path("next", css)).collect();
        let counter = navigation.counter.iter().filter_map(|css| path("counter", css)).collect();
        SiteSteps { next, counter }
    }

    /// The paths of the next link as data.
    pub(super) fn next_data(&self) -> Literal {
        Literal::List(self.next.iter().map(|path| path.as_str().into()).collect())
    }
}

/// The actions of steps in a language.
pub(super) fn page_actions(
    steps: &[NavigationStep],
    language: PathLanguage,
) -> Result<Vec<PageAction<'_>>, WrapperError> {
    let path = |css: &str| {
        let error = |error: WrapperError| {
            WrapperError::not_expressible(format!("a step of navigation, {css:?}, is needed: {error}"))
        };
        language.path(css, PathStart::Document).map_err(error)
    };
    let mut actions = Vec::new();
    for NavigationStep { fill, choose, with, click, submit } in steps {
        match (fill, choose, with, click, submit) {
            (Some(css), _, Some(text), ..) => actions.push(PageAction::Fill { path: path(css)?, text }),
            (_, Some(css), Some(text), ..) => actions.push(PageAction::Choose { path: path(css)?, text }),
            (.., Some(css), _) => actions.push(PageAction::Click { path: path(css)? }),
            (.., Some(css)) => actions.push(PageAction::Submit { path: path(css)? }),
            _ => {}
        }
    }
    Ok(actions)
}

/// The actions as data: `{fill, with}`, `{choose, with}`, `{click}` or `{submit}`.
pub(super) fn actions_data(actions: &[PageAction<'_>]) -> Literal {
    let action = |action: &PageAction<'_>| {
        let keys = match action {
            PageAction::Fill { path, text } => vec![("fill", path.as_str()), ("with", *text)],
            PageAction::Choose { path, text } => vec![("choose", path.as_str()), ("with", *text)],
            PageAction::Click { path } => vec![("click", path.as_str())],
            PageAction::Submit { path } => vec![("submit", path.as_str())],
        };
        Literal::Map(keys.into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect())
    };
    Literal::List(actions.iter().map(action).collect())
}

/// The way to one list, for a target that reads one: the list with the URL, or the wrapper's first. Fails if the list
/// is only reached by a form and the wrapper does not say how.
pub(super) fn one_start<'w>(
    wrapper: &'w Wrapper,
    url: Option<&'w str>,
) -> Result<Option<ListStart<'w>>, WrapperError> {
    let own = wrapper.url.as_deref();
    let plain = |url: &'w str| ListStart { url, steps: &[] };
    let Some(site) = &wrapper.navigation else { return Ok(url.or(own).map(plain)) };
    let route = |to: &str| {
        let route = site.routes.iter().find(|route| route.to == to)?;
        Some(ListStart { url: &route.from, steps: &route.steps })
    };
    let search = site.searches.first().map(|search| search.url.as_str());
    let first = match (url, site.open.as_deref(), search) {
        (Some(url), ..) | (None, Some(url), _) => url,
        (None, None, Some(search)) => {
            let missing = || {
                WrapperError::not_expressible(format!(
                    "the list is reached by a search form that is sent by POST to {search:?}, and \
                     navigation.routes does not say how it is filled in"
                ))
            };
            return route(search).map(Some).ok_or_else(missing);
        }
        (None, None, None) => return Ok(own.map(|url| ListStart { url, steps: &site.steps })),
    };
    // the wrapper's own steps belong to the page that it opens
    let here = ListStart { url: first, steps: &site.steps };
    // a URL says the same as a suggestion that is taken, which not every tool can do
    let is_plain = |start: &ListStart<'_>| start.steps.iter().all(|step| step.choose.is_none());
    Ok(Some(route(first).filter(is_plain).unwrap_or(here)))
}

/// The ways to all lists, for a target that performs steps. A list whose way is not known is left out with a warning.
pub(super) fn all_starts<'w>(wrapper: &'w Wrapper, warnings: &mut Vec<String>) -> Vec<ListStart<'w>> {
    let Some(site) = &wrapper.navigation else { return Vec::new() };
    let open = site.open.as_deref().map(|url| ListStart { url, steps: &site.steps });
    let lists = site.lists.iter().map(|url| ListStart { url, steps: &[] });
    let mut starts: Vec<ListStart<'w>> = open.into_iter().chain(lists).collect();
    for (number, search) in site.searches.iter().enumerate() {
        // searches with one URL have their routes in the same order
        let before = site.searches[..number].iter().filter(|other| other.url == search.url).count();
        match site.routes.iter().filter(|route| route.to == search.url).nth(before) {
            Some(route) => starts.push(ListStart { url: &route.from, steps: &route.steps }),
            None => warnings.push(format!(
                "navigation.searches: the search at {:?} is left out: no route says how its form is filled in",
                search.url
            )),
        }
    }
    starts
}

/// Warns about the parts of a wrapper's navigation that a tool does not have.
pub(super) fn warn_of_navigation(wrapper: &Wrapper, tool: &str, keys: &[&str], warnings: &mut Vec<String>) {
    let Some(site) = &wrapper.navigation else { return };
    let Navigation { lists, searches, steps, .. } = site;
    let counts = [("steps", steps.len()), ("lists", lists.len()), ("searches", searches.len())];
    for (key, count) in counts.into_iter().filter(|(key, count)| *count > 0 && keys.contains(key)) {
        let why = match key {
            "steps" => "does not fill in forms".to_owned(),
            "lists" => format!("reads one list, and the site has {count} more"),
            _ => format!("does not send forms, and {count} of the lists need it"),
        };
        warnings.push(format!("navigation.{key} are left out: {tool} {why}"));
    }
}

/// Warnings about the navigation as comments of a program, so that they are not lost with the terminal's output.
pub(super) fn missing_comments(warnings: &[String], mark: &str) -> String {
    let about = warnings.iter().filter(|warning| warning.starts_with("navigation."));
    about
        .map(|warning| {
            // a wrapper may be hostile: no character may end the comment
            let line: String = warning
                .chars()
                .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c })
                .collect();
            format!("{mark} MISSING: {line}\n")
        })
        .collect()
}
