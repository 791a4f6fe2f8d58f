//! What is known of the lines of a template, so that it need not be found out on every page: where its pages show other
//! objects, and which lines are the same on all of them.
//!
//! In: hashes that `place_learning` found. Out: the lines of a page that have them. O(lines).

use super::detail_page::{DetailPage, PageLine};
use super::tag_paths::hash_beginning;
use copal_dom::Node;
use copal_dom::hash::mix;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Known lines of a template.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TemplatePlaces {
    /// The tag paths of lines about other objects.
    others: FxHashSet<u64>,
    /// Lines around the object that all pages show, by path and text: menus, footers, buttons.
    furniture: FxHashSet<u64>,
}

impl TemplatePlaces {
    /// Places with these hashes.
    pub fn new(
        others: impl IntoIterator<Item = u64>,
        furniture: impl IntoIterator<Item = u64>,
    ) -> TemplatePlaces {
        TemplatePlaces { others: others.into_iter().collect(), furniture: furniture.into_iter().collect() }
    }

    /// The tag paths of lines about other objects, in ascending order.
    pub fn others(&self) -> Vec<u64> {
        sorted(&self.others)
    }

    /// The lines that all pages show, in ascending order.
    pub fn furniture(&self) -> Vec<u64> {
        sorted(&self.furniture)
    }

    /// The nodes of the lines of a page that are about other objects. The headline never is.
    pub(super) fn parts(&self, page: &DetailPage<'_>, headline: Option<usize>) -> Vec<Range<Node>> {
        let lines = page.lines.iter().enumerate();
        let is_foreign = |at: usize, path: u64| Some(at) != headline && self.others.contains(&path);
        let foreign = lines.filter(|(at, line)| is_foreign(*at, line.path));
        foreign.map(|(_, line)| line.first()..line.last() + 1).collect()
    }

    /// True if all pages of the template show the line, and it is not about their objects.
    pub(super) fn is_furniture(&self, line: &PageLine) -> bool {
        !self.furniture.is_empty() && self.furniture.contains(&path_and_line(line))
    }
}

/// A line as it is known again on other pages.
pub(super) fn path_and_line(line: &PageLine) -> u64 {
    mix(line.path ^ hash_beginning(&line.text))
}

fn sorted(hashes: &FxHashSet<u64>) -> Vec<u64> {
    let mut hashes: Vec<u64> = hashes.iter().copied().collect();
    hashes.sort_unstable();
    hashes
}
