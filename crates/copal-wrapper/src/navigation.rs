//! How a wrapper's pages are reached: what is opened, filled in, clicked, and where the list goes on.
//!
//! In: a page and its list. Out: a [`Navigation`] with selectors of the link to the next page, if there is one that is sure.
//! Whoever visits sites reads it; reading a page that is there needs none of it. O(elements).

use crate::candidates::{self, choose};
use crate::css::{Arena, Css};
use copal_dom::{Page, attrs};
use copal_extract::Region;
use copal_extract::paging::{SURE, next_links};

/// Selectors of the next link.
const LOCATORS: usize = 3;
/// Steps at most.
const MOST_STEPS: usize = 50;

/// The way to the pages.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Navigation {
    /// The address to begin with.
    #[serde(default)]
    pub open: Option<String>,
    /// What is done there, in order.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// Selectors of the link to the next page; the first that finds one is followed.
    #[serde(default)]
    pub next: Vec<String>,
}

/// One thing that is done: a field filled in, or something clicked.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Selector of a field …
    #[serde(default)]
    pub fill: Option<String>,
    /// … and what is written into it.
    #[serde(default)]
    pub with: Option<String>,
    /// Selector of what is clicked.
    #[serde(default)]
    pub click: Option<String>,
}

impl Navigation {
    /// What a list page tells of its site; none if neither its address nor a next page is known.
    pub(crate) fn learn(page: &Page, list: &Region) -> Option<Navigation> {
        let next = next_selectors(page, list);
        (page.url.is_some() || !next.is_empty()).then(|| Navigation {
            open: page.url.clone(),
            steps: Vec::new(),
            next,
        })
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        if self.steps.len() > MOST_STEPS || self.next.len() > MOST_STEPS {
            return Err(format!("expected at most {MOST_STEPS} steps, and as many selectors of next"));
        }
        let good = |css: &String| Css::parse(css).map(drop);
        self.next.iter().try_for_each(good).map_err(|why| format!("next: {why}"))?;
        for step in &self.steps {
            match (&step.fill, &step.with, &step.click) {
                (Some(css), Some(_), None) | (None, None, Some(css)) => good(css)?,
                _ => return Err("steps: expected fill together with with, or click".into()),
            }
        }
        Ok(())
    }
}

fn next_selectors(page: &Page, list: &Region) -> Vec<String> {
    let Some(link) = next_links(page, Some(list)).into_iter().find(|link| link.score >= SURE) else {
        return Vec::new();
    };
    let (tree, arena) = (&page.tree, Arena::new(&page.tree));
    let Ok(links) = Css::parse("a, link") else { return Vec::new() };
    let leads = |&node: &u32| tree.attr(node, attrs::HREF) == Some(link.href.as_str());
    let there: Vec<u32> = links.select(&arena).into_iter().filter(leads).collect();
    let mut good = Vec::new();
    for candidate in there.iter().take(3).flat_map(|&node| candidates::of(tree, 0, node)) {
        let Ok(css) = Css::parse(&candidate.css) else { continue };
        // the first that it finds is what would be followed
        if css.select(&arena).first().is_some_and(leads) {
            good.push((candidate.family, candidate.score, candidate.css));
        }
    }
    choose(good, LOCATORS)
}
