//! Whether a visitor still gets from the start page to a list by the clicks and fields that a wrapper names.
//!
//! In: a route, and the list that it leads to. Out: the first step that fails, and why. Links are followed; forms are
//! compared, and not sent. One request per page of the route.

use super::site_pages::{PageProblem, SitePages};
use copal::wrapper::{NavigationRoute, NavigationStep, select};
use copal_explore::{SentSearch, canonical_key, form_difference, link_target, offers_choice};

/// What was found on a route.
#[derive(Debug, Default)]
pub(super) struct CheckedRoute {
    /// Why it does not lead to its list any more.
    pub(super) cause: Option<String>,
    /// The page of the form that it ends with, and the number of the first step there.
    pub(super) form_at: Option<(String, usize)>,
    /// The form does not send what leads to the list any more.
    pub(super) has_other_form: bool,
}

/// Follows a route.
pub(super) fn check_route(pages: &mut SitePages, route: &NavigationRoute, list: &SentSearch) -> CheckedRoute {
    let mut checked = CheckedRoute::default();
    let mut at = route.from.clone();
    let mut opened = match pages.get(&at) {
        Ok(opened) => opened,
        Err(PageProblem::Gone(why)) => {
            checked.cause = Some(format!("its first page {at}: {why}"));
            return checked;
        }
        Err(PageProblem::Unreadable(_)) => return checked,
    };
    for (number, step) in route.steps.iter().enumerate() {
        let Some(css) = selector_of(step) else { continue };
        let shown = |cause: &str, at: &str| format!("step {} (`{css}`): {cause} on {at}", number + 1);
        let page = &opened.page;
        let found = select(page, css).unwrap_or_default();
        let Some(node) = found.into_iter().find(|&node| page.styles.is_shown(node)) else {
            let starts_form = step.click.is_none() || number + 1 == route.steps.len();
            let difference = form_difference(page, list).filter(|_| starts_form);
            checked.cause = Some(match &difference {
                Some(difference) => shown(&format!("no such element, and {difference}"), &at),
                None => shown("no such element", &at),
            });
            checked.has_other_form = difference.is_some();
            if checked.form_at.is_none() && starts_form {
                checked.form_at = Some((at, number));
            }
            return checked;
        };
        let target = step.click.as_ref().and_then(|_| link_target(page, node));
        let Some(target) = target else {
            checked.form_at.get_or_insert((at.clone(), number));
            let with = step.with.as_deref().unwrap_or_default();
            if step.with.is_some() && !offers_choice(page, node, with) {
                checked.cause = Some(shown(&format!("there is no choice \"{with}\""), &at));
                return checked;
            }
            if number + 1 == route.steps.len()
                && let Some(difference) = form_difference(page, list)
            {
                checked.cause = Some(shown(&difference, &at));
                checked.has_other_form = true;
            }
            continue;
        };
        // a link after a form: its page is not known without sending the form
        if checked.form_at.is_some() {
            return checked;
        }
        if number + 1 == route.steps.len() {
            if canonical_key(&target) != canonical_key(&list.url) {
                checked.cause = Some(shown(&format!("it leads to {target}, and not to {},", list.url), &at));
            }
            return checked;
        }
        match pages.get(&target) {
            Ok(next) => (opened, at) = (next, target),
            Err(PageProblem::Gone(why)) => {
                checked.cause = Some(shown(&format!("it leads to {target} ({why})"), &at));
                return checked;
            }
            Err(PageProblem::Unreadable(_)) => return checked,
        }
    }
    checked
}

fn selector_of(step: &NavigationStep) -> Option<&str> {
    [&step.fill, &step.choose, &step.click, &step.submit].into_iter().find_map(|css| css.as_deref())
}
