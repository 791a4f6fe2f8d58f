//! The section of a page that a DEUDS pattern finds.
//!
//! In: a page and the patterns of a rule. Out: the section, and how many sections the patterns match. A pattern
//! that was unique on the sample may match several sections of another page. The one that is most like the
//! sample is then taken: by the number of its records, then by its share of the page's text. O(patterns x
//! elements + text of the matching sections).

use crate::deuds;
use crate::format::{PageRule, Profile};
use crate::locate::ElementIndex;
use crate::locate::css::Css;
use copal_dom::{Node, Page};

/// Sections that are compared with the sample at most.
const MAX_COMPARED_SECTIONS: usize = 40;

/// A section, and how many there are to choose from.
pub(super) struct FoundSection {
    pub(super) node: Node,
    /// How many elements the patterns match equally well.
    pub(super) matches: usize,
}

/// The section that the most patterns find; among equals the one that is most like the sample.
pub(super) fn find_section(page: &Page, index: &ElementIndex<'_>, rule: &PageRule) -> Option<FoundSection> {
    let mut votes: Vec<(Node, usize)> = Vec::new();
    for css in rule.region.iter().filter_map(|css| Css::parse(css).ok()) {
        for node in css.select(index).into_iter().filter(|&node| page.styles.is_shown(node)) {
            match votes.iter_mut().take(MAX_COMPARED_SECTIONS).find(|(known, _)| *known == node) {
                Some((_, count)) => *count += 1,
                None => votes.push((node, 1)),
            }
        }
    }
    let most = votes.iter().map(|&(_, count)| count).max()?;
    let best: Vec<Node> =
        votes.into_iter().filter(|&(_, count)| count == most).map(|(node, _)| node).collect();
    let &first = best.first()?;
    let compared = best.iter().copied().take(MAX_COMPARED_SECTIONS);
    let node = match &rule.profile {
        Some(profile) if best.len() > 1 => {
            let distance = |&node: &Node| SampleDistance::of(page, node, profile);
            compared.min_by(|a, b| distance(a).order(&distance(b))).unwrap_or(first)
        }
        _ => first,
    };
    Some(FoundSection { node, matches: best.len() })
}

/// How much a section differs from the sample.
struct SampleDistance {
    /// Of the number of records.
    records: usize,
    /// Of the share of the page's text.
    coverage: f64,
}

impl SampleDistance {
    fn of(page: &Page, node: Node, profile: &Profile) -> SampleDistance {
        let read = deuds::read(page, node);
        let count = read.primary().map_or(0, |list| list.records.len());
        let (fewest, most) = profile.records;
        let records = fewest.saturating_sub(count) + count.saturating_sub(most);
        let known = profile.coverage.unwrap_or(0.0);
        SampleDistance { records, coverage: (deuds::coverage(page, node) - known).abs() }
    }

    fn order(&self, other: &SampleDistance) -> std::cmp::Ordering {
        self.records.cmp(&other.records).then(self.coverage.total_cmp(&other.coverage))
    }
}
