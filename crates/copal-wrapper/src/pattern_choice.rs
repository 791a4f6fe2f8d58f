//! How the DEUDS pattern of an element becomes unique, and other rules that find the element.
//!
//! In: a page and one of its elements. Out: [`PatternChoice`]: each pattern that was tried with the number of elements
//! that it selects (the paper's validator, step by step), and shorter rules with theirs, for a person to choose from.
//! O(depth x elements).

use crate::deuds;
use crate::error::WrapperError;
use crate::induce::selector_candidates;
use crate::locate::ElementIndex;
use crate::locate::css::Css;
use copal_dom::{Node, Page};

/// Patterns at most, of either kind.
const MAX_RULES: usize = 12;

/// A pattern and how many elements of the page it selects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedPattern {
    /// The pattern.
    pub pattern: String,
    /// How many elements it selects.
    pub matches: usize,
}

/// What a person can choose from for an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternChoice {
    /// The pattern of the element alone, then with more and more parents. The last one is the pattern that is used.
    pub steps: Vec<CountedPattern>,
    /// Shorter rules that select the element, and maybe others like it.
    pub others: Vec<CountedPattern>,
}

/// The patterns of an element.
pub fn pattern_choice(page: &Page, element: Node) -> Result<PatternChoice, WrapperError> {
    let index = ElementIndex::new(&page.tree);
    let count = |pattern: &str| Css::parse(pattern).ok().map(|css| css.select(&index).len());
    let counted = |pattern: String| Some(CountedPattern { matches: count(&pattern)?, pattern });
    let unique = deuds::pattern(&index, element)?;
    // the pattern of the paper ends in the element's own one; each step adds a parent in front of it
    let mut steps = vec![unique.clone()];
    let mut rest = unique.as_str();
    while let Some((_, shorter)) = rest.split_once(" > ") {
        if Css::parse(shorter).is_ok() {
            steps.push(shorter.to_owned());
        }
        rest = shorter;
    }
    steps.truncate(MAX_RULES);
    steps.reverse();
    let mut others: Vec<CountedPattern> = Vec::new();
    for candidate in selector_candidates(&page.tree, 0, element) {
        let is_new =
            !others.iter().any(|other| other.pattern == candidate.css) && !steps.contains(&candidate.css);
        if others.len() < MAX_RULES && is_new && !candidate.css.contains(":scope") {
            others.extend(counted(candidate.css));
        }
    }
    others.retain(|other| other.matches > 0);
    others.sort_by_key(|other| other.matches);
    Ok(PatternChoice { steps: steps.into_iter().filter_map(counted).collect(), others })
}
