//! Where the pages of a template show other objects, so that their lists need not be searched for on every page.
//!
//! In: tag paths that `foreign_learning` found. Out: the lines of a page that have them. O(lines).

use super::detail_page::DetailPage;
use copal_dom::Node;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// The tag paths of lines about other objects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ForeignPlaces {
    paths: FxHashSet<u64>,
}

impl ForeignPlaces {
    /// Places with these tag paths.
    pub fn from_paths(paths: impl IntoIterator<Item = u64>) -> ForeignPlaces {
        ForeignPlaces { paths: paths.into_iter().collect() }
    }

    /// The tag paths, in ascending order.
    pub fn paths(&self) -> Vec<u64> {
        let mut paths: Vec<u64> = self.paths.iter().copied().collect();
        paths.sort_unstable();
        paths
    }

    /// The nodes of the lines of a page that are about other objects. The headline never is.
    pub(super) fn parts(&self, page: &DetailPage<'_>, headline: Option<usize>) -> Vec<Range<Node>> {
        let lines = page.lines.iter().enumerate();
        let is_foreign = |at: usize, path: u64| Some(at) != headline && self.paths.contains(&path);
        let foreign = lines.filter(|(at, line)| is_foreign(*at, line.path));
        foreign.map(|(_, line)| line.first()..line.last() + 1).collect()
    }
}
