//! What the texts of records look like.
//!
//! In: a page, then a sample of a candidate's records. Out: [`Looks`]. Candidates share most of their records, so every text
//! of the page is read once ([`Sights`]); a candidate only counts. O(nodes + text) a page, O(what the sample shows) a candidate.

use crate::structure::record_shape::jaccard;
use crate::structure::relative_paths::{RelativePaths, key_of};
use copal_dom::{Node, Page, attrs, tags};
use copal_model::Parts;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Letters and digits by which the beginnings of records are told apart.
const HEAD: usize = 24;

/// What a page shows, in order.
pub(crate) struct Sights<'a> {
    page: &'a Page,
    all: Vec<Sight>,
    /// By tags and classes.
    paths: RelativePaths,
}

struct Sight {
    node: Node,
    what: What,
}

enum What {
    Text {
        hash: u64,
        /// "Colour: red" tells of one thing.
        is_label: bool,
        has_currency: bool,
    },
    Image,
    /// With an address.
    Link,
    Heading,
}

impl<'a> Sights<'a> {
    pub(crate) fn new(page: &'a Page) -> Sights<'a> {
        let (tree, index) = (&page.tree, &page.index);
        let what = |node: Node| match tree.tag(node) {
            _ if !page.styles.is_shown(node) => None,
            tags::TEXT if index.leaves(&(node..node + 1)) > 0 => Some(text(tree.raw_text(node))),
            tags::IMG => Some(What::Image),
            tags::A if tree.attr(node, attrs::HREF).is_some() => Some(What::Link),
            tag => tags::is_heading(tag).then_some(What::Heading),
        };
        let all = tree.nodes().filter_map(|node| what(node).map(|what| Sight { node, what })).collect();
        let step = |node| Some(u64::from(tree.tag(node)) << 32 | u64::from(index.class(node)));
        Sights { page, all, paths: RelativePaths::new(page, step) }
    }

    fn within(&self, part: &std::ops::Range<Node>) -> &[Sight] {
        let from = self.all.partition_point(|sight| sight.node < part.start);
        let to = self.all.partition_point(|sight| sight.node < part.end);
        &self.all[from..to]
    }
}

fn text(raw: &str) -> What {
    let text = raw.trim();
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    What::Text { hash: hasher.finish(), is_label: text.ends_with(':'), has_currency: has_currency(text) }
}

/// A sign of money; most texts have none of the bytes that these begin with.
fn has_currency(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'$' | 0xc2 | 0xe2))
        && text.contains(['$', '\u{a3}', '\u{20ac}', '\u{a5}', '\u{20b9}'])
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// How many of them are not equal.
pub(crate) fn distinct<T: Ord>(values: impl Iterator<Item = T>) -> f64 {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.dedup();
    values.len() as f64
}

/// See the module: numbers from 0 to 1 are shares of the sample, or likenesses.
#[derive(Default)]
pub(crate) struct Looks {
    pub(crate) likeness: f64,
    pub(crate) alternating: f64,
    pub(crate) paths: f64,
    pub(crate) shared: f64,
    pub(crate) fonts: f64,
    pub(crate) heads: f64,
    pub(crate) texts: f64,
    pub(crate) links: f64,
    pub(crate) headings: f64,
    pub(crate) currency: f64,
    pub(crate) labels: f64,
    pub(crate) here: f64,
}

impl Looks {
    pub(crate) fn new(sights: &Sights<'_>, sample: &[&Parts]) -> Looks {
        let n = sample.len().max(1) as f64;
        let mut fonts: Vec<u16> = Vec::new();
        let looks: Vec<Look<'_>> = sample.iter().map(|parts| Look::new(sights, parts, &mut fonts)).collect();
        let share = |holds: fn(&Look<'_>) -> bool| looks.iter().filter(|look| holds(look)).count() as f64 / n;
        let likenesses = |apart: usize| {
            let others = &looks[apart.min(looks.len())..];
            let pairs: Vec<f64> =
                looks.iter().zip(others).map(|(a, b)| jaccard(&a.paths, &b.paths)).collect();
            mean(&pairs)
        };
        let likeness = likenesses(1);
        let mut paths: Vec<u64> = looks.iter().flat_map(|look| &look.paths).copied().collect();
        paths.sort_unstable();
        let in_records = || paths.chunk_by(|a, b| a == b);
        Looks {
            likeness,
            alternating: if looks.len() > 3 { likenesses(2) - likeness } else { 0.0 },
            paths: in_records().count() as f64,
            shared: in_records().filter(|records| records.len() as f64 >= 0.6 * n).count() as f64,
            fonts: entropy(fonts).min(2.0),
            heads: distinct(looks.iter().map(|look| look.head)) / n,
            texts: distinct(looks.iter().map(|look| look.text)) / n,
            links: distinct(looks.iter().filter_map(|look| look.href)) / n,
            headings: share(|look| look.has_heading),
            currency: share(|look| look.has_currency),
            labels: share(|look| look.is_label),
            here: share(|look| {
                look.href.is_some_and(|href| href.starts_with('#') || href.starts_with("javascript:"))
            }),
        }
    }
}

fn entropy(mut values: Vec<u16>) -> f64 {
    values.sort_unstable();
    let all = values.len() as f64;
    let share = |run: &[u16]| run.len() as f64 / all;
    values.chunk_by(|a, b| a == b).map(|run| -share(run) * share(run).ln()).sum()
}

/// What one record shows.
#[derive(Default)]
struct Look<'a> {
    /// RelativePaths below the record to texts and images: a list may have records at several depths. Sorted, none twice.
    paths: Vec<u64>,
    /// Hashes of its first letters, and of all its texts.
    head: u64,
    text: u64,
    /// Its first address.
    href: Option<&'a str>,
    has_heading: bool,
    has_currency: bool,
    is_label: bool,
}

impl<'a> Look<'a> {
    /// The styles of its texts go to `fonts`.
    fn new(sights: &Sights<'a>, parts: &Parts, fonts: &mut Vec<u16>) -> Look<'a> {
        let (page, tree) = (sights.page, &sights.page.tree);
        let mut look = Look::default();
        let (mut head, mut left, mut all) = (FxHasher::default(), HEAD, FxHasher::default());
        let mut is_first = true;
        for part in parts {
            let seen = sights.within(part);
            look.paths.reserve(seen.len());
            let mut top = part.start;
            for &Sight { node, ref what } in seen {
                while tree.end(top) <= node {
                    top = tree.end(top);
                }
                match what {
                    What::Link if look.href.is_none() => look.href = tree.attr(node, attrs::HREF),
                    What::Link => {}
                    What::Heading => look.has_heading = true,
                    What::Image => look.paths.push(path(sights, top, node)),
                    What::Text { hash, is_label, has_currency } => {
                        look.paths.push(path(sights, top, node));
                        fonts.push(page.styles.id(tree.parent(node)));
                        hash.hash(&mut all);
                        look.is_label |= is_first && *is_label;
                        look.has_currency |= has_currency;
                        is_first = false;
                        if left > 0 {
                            for c in tree.raw_text(node).chars().filter(|c| c.is_alphanumeric()).take(left) {
                                c.hash(&mut head);
                                left -= 1;
                            }
                        }
                    }
                }
            }
        }
        (look.head, look.text) = (head.finish(), all.finish());
        look.paths.sort_unstable();
        look.paths.dedup();
        look
    }
}

/// The classes of the record itself tell nothing.
fn path(sights: &Sights<'_>, top: Node, node: Node) -> u64 {
    sights.paths.key(top, key_of(u64::from(sights.page.tree.tag(top))), node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::candidate::one_part;
    use copal_dom::Limits;

    #[test]
    fn what_records_show_is_counted() {
        let html = "<ul><li class=a><h3><a href=#1>Lamp</a></h3>$4<li class=b><h3><a href=#1>Lamp</a></h3>$5\
                    <li><p>Colour:</p><img src=x></ul>";
        let page = Page::from_text(html, &Limits::default());
        let tree = &page.tree;
        let items = tree.nodes().filter(|&node| tree.tag(node) == tags::LI);
        let records: Vec<Parts> = items.map(|node| one_part(node..tree.end(node))).collect();
        let looks = Looks::new(&Sights::new(&page), &records.iter().collect::<Vec<_>>());
        let thirds = |value: f64| (value * 3.0).round() as u32;
        // two paths in two records, two others in the last one
        assert_eq!((looks.paths as u32, looks.shared as u32), (4, 2));
        assert!((looks.likeness - 0.5).abs() < 1e-9);
        assert_eq!((thirds(looks.heads), thirds(looks.texts), thirds(looks.links)), (3, 3, 1));
        assert_eq!((thirds(looks.headings), thirds(looks.currency)), (2, 2));
        assert_eq!((thirds(looks.labels), thirds(looks.here)), (1, 2));
    }
}
