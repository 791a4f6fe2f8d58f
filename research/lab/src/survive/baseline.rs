//! Baselines to compare wrappers with: what people copy from a browser, and DEUDS.
//!
//! In: a page before the changes, with its records; then the page after them. Out: the texts of the records
//! that the baseline still finds.

use copal_dom::{NONE, Node, Page, attrs, xpath::XPaths};
use copal_wrapper::{Css, ElementIndex, deuds, xpath};

/// A baseline that was learned on one page.
pub(crate) enum Baseline {
    /// The absolute XPaths of the elements of each record.
    XPaths(Vec<Vec<String>>),
    /// A selector for the records, and the number of elements per record.
    Copied(String, usize),
    /// The pattern of the region, the patterns of the records, and the number of elements per record.
    Deuds(String, Vec<String>, usize),
}

impl Baseline {
    pub(crate) fn xpaths(page: &Page, records: &[Vec<Node>]) -> Baseline {
        let xpaths = XPaths::new(&page.tree);
        let of = |record: &Vec<Node>| record.iter().map(|&node| xpaths.of(node)).collect();
        Baseline::XPaths(records.iter().map(of).collect())
    }

    /// The path of the first record as browsers copy it, starting at the nearest id, without the record's own
    /// number.
    pub(crate) fn copied(page: &Page, records: &[Vec<Node>]) -> Baseline {
        let tree = &page.tree;
        let first = records[0][0];
        let mut steps = vec![copal_wrapper::css::identifier(tree.tag_name(first))];
        for up in tree.ancestors(first).take_while(|&up| up != 0) {
            if let Some(id) = tree.attr(up, attrs::ID).filter(|id| !id.is_empty()) {
                steps.push(format!("#{}", copal_wrapper::css::identifier(id)));
                break;
            }
            let siblings = tree.elements(tree.parent(up));
            let position = siblings.take_while(|&other| other <= up).count();
            let alone =
                tree.elements(tree.parent(up)).filter(|&other| tree.tag(other) == tree.tag(up)).count() == 1;
            let name = copal_wrapper::css::identifier(tree.tag_name(up));
            steps.push(if alone { name } else { format!("{name}:nth-child({position})") });
        }
        steps.reverse();
        Baseline::Copied(steps.join(" > "), usual_count(records))
    }

    pub(crate) fn deuds(page: &Page, root: Node, records: &[Vec<Node>]) -> Baseline {
        let pattern = deuds::pattern(&ElementIndex::new(&page.tree), root).unwrap_or_default();
        let mut patterns: Vec<String> =
            records.iter().map(|record| deuds::construct(&page.tree, record[0])).collect();
        patterns.sort();
        patterns.dedup();
        Baseline::Deuds(pattern, patterns, usual_count(records))
    }

    /// The texts of the records that it finds.
    pub(crate) fn find(&self, page: &Page) -> Vec<String> {
        match self {
            Baseline::XPaths(records) => records.iter().filter_map(|paths| text_at(page, paths)).collect(),
            Baseline::Copied(css, count) => {
                let found = Css::parse(css).map(|css| css.select(&ElementIndex::new(&page.tree)));
                texts(page, found.unwrap_or_default(), *count)
            }
            Baseline::Deuds(region, records, count) => {
                let arena = ElementIndex::new(&page.tree);
                let region = Css::parse(region).ok().and_then(|css| css.select(&arena).first().copied());
                let Some(region) = region else { return Vec::new() };
                let mut found: Vec<Node> = Vec::new();
                for css in records.iter().filter_map(|css| Css::parse(css).ok()) {
                    found.extend(css.select_below(&arena, region));
                }
                found.sort_unstable();
                found.dedup();
                texts(page, found, *count)
            }
        }
    }
}

/// The median number of elements per record.
fn usual_count(records: &[Vec<Node>]) -> usize {
    let mut counts: Vec<usize> = records.iter().map(Vec::len).collect();
    counts.sort_unstable();
    counts[counts.len() / 2]
}

fn text_at(page: &Page, paths: &[String]) -> Option<String> {
    let found = paths.iter().filter_map(|path| xpath::select(&page.tree, path).ok()?.first().copied());
    let texts: Vec<String> = found.map(|node| page.text_of(node)).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// The texts of elements, each with the siblings that belong to its record.
fn texts(page: &Page, heads: Vec<Node>, count: usize) -> Vec<String> {
    let (tree, mut out, mut end) = (&page.tree, Vec::new(), 0);
    for head in heads.into_iter().filter(|&head| page.styles.is_shown(head)) {
        if head < end {
            continue;
        }
        let (mut text, mut taken, mut next) = (page.text_of(head), 1, tree.next_sibling(head));
        end = tree.end(head);
        while taken < count && next != NONE {
            if !tree.is_text(next) && page.styles.is_shown(next) {
                text = format!("{text} {}", page.text_of(next));
                taken += 1;
                end = tree.end(next);
            }
            next = tree.next_sibling(next);
        }
        out.push(text);
    }
    out
}
