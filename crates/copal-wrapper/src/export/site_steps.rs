//! How an exported program moves through a site: the steps of a wrapper's `navigation`, and its next link.
//!
//! In: a [`Wrapper`]. Out: paths in the language of the target. O(steps).

use super::css_to_xpath::PathStart;
use super::literal::Literal;
use super::plan::PathLanguage;
use crate::format::Wrapper;

/// What to do on the first page, and where the next link is.
pub(super) struct SiteSteps<'w> {
    pub(super) actions: Vec<PageAction<'w>>,
    /// Paths of the next link. The first that finds one is followed.
    pub(super) next: Vec<String>,
    /// Paths of the element that announces the number of records. The first that finds one counts.
    pub(super) counter: Vec<String>,
}

/// One action on a page.
pub(super) enum PageAction<'w> {
    Fill { path: String, text: &'w str },
    Click { path: String },
}

impl<'w> SiteSteps<'w> {
    /// The steps of a wrapper. What the language cannot express is left out with a warning.
    pub(super) fn of(
        wrapper: &'w Wrapper,
        language: PathLanguage,
        warnings: &mut Vec<String>,
    ) -> SiteSteps<'w> {
        let Some(navigation) = &wrapper.navigation else {
            return SiteSteps { actions: Vec::new(), next: Vec::new(), counter: Vec::new() };
        };
        if !navigation.searches.is_empty() {
            let what = "search forms are sent by POST only by copal site run";
            warnings.push(format!("navigation.searches are left out: {what}"));
        }
        let mut path = |key: &str, css: &str| match language.path(css, PathStart::Document) {
            Ok(path) => Some(path),
            Err(error) => {
                warnings.push(format!("navigation.{key}: {css:?} is left out: {error}"));
                None
            }
        };
        let mut actions = Vec::new();
        for step in &navigation.steps {
            if let (Some(css), Some(text)) = (&step.fill, &step.with) {
                actions.extend(path("steps", css).map(|path| PageAction::Fill { path, text }));
            } else if let Some(css) = &step.click {
                actions.extend(path("steps", css).map(|path| PageAction::Click { path }));
            }
        }
        let next = navigation.next.iter().filter_map(|css| path("next", css)).collect();
        let counter = navigation.counter.iter().filter_map(|css| path("counter", css)).collect();
        SiteSteps { actions, next, counter }
    }

    /// The paths of the next link as data.
    pub(super) fn next_data(&self) -> Literal {
        Literal::List(self.next.iter().map(|path| path.as_str().into()).collect())
    }

    /// The actions as data: `{fill, with}` or `{click}`.
    pub(super) fn actions_data(&self) -> Literal {
        let action = |action: &PageAction<'_>| {
            let keys = match action {
                PageAction::Fill { path, text } => vec![("fill", path.as_str()), ("with", *text)],
                PageAction::Click { path } => vec![("click", path.as_str())],
            };
            Literal::Map(keys.into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect())
        };
        Literal::List(self.actions.iter().map(action).collect())
    }
}

/// Warns that a tool does not perform the steps of a wrapper.
pub(super) fn warn_of_steps(wrapper: &Wrapper, tool: &str, warnings: &mut Vec<String>) {
    if wrapper.navigation.as_ref().is_some_and(|navigation| !navigation.steps.is_empty()) {
        warnings.push(format!("navigation.steps are left out: {tool} does not fill in forms"));
    }
}
