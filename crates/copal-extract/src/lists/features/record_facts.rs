//! What the records of a candidate show.
//!
//! In: a page, then a sample of a candidate's records. Out: [`RecordFacts`]. Candidates share most of their
//! records, so every text of the page is read once ([`PageContents`]) and a candidate only counts. O(nodes +
//! text) per page, O(what the sample shows) per candidate.

use crate::structure::measure::{distinct, jaccard, mean};
use crate::structure::relative_paths::{RelativePaths, key_of};
use copal_dom::hash::hash_of;
use copal_dom::{Node, Page, attrs, tags};
use copal_model::Parts;
use copal_values::labels::ends_with_colon;
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// Letters and digits by which the beginnings of records are compared.
const HEAD_CHARS: usize = 24;

/// What a page shows, in document order.
pub(crate) struct PageContents<'a> {
    page: &'a Page,
    items: Vec<ShownItem>,
    /// For each node, what the page shows before it; one more than there are nodes.
    counts: Vec<ShownCounts>,
    /// Paths of tags and classes.
    paths: RelativePaths,
}

/// How much of something is shown.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ShownCounts {
    pub(crate) labels: u32,
    pub(crate) dates: u32,
    pub(crate) prices: u32,
    pub(crate) headings: u32,
}

impl ShownCounts {
    fn add(&mut self, kind: &ItemKind) {
        match *kind {
            ItemKind::Heading => self.headings += 1,
            ItemKind::Text { is_label, has_currency, has_date, .. } => {
                self.labels += u32::from(is_label);
                self.prices += u32::from(has_currency);
                self.dates += u32::from(has_date);
            }
            ItemKind::Image | ItemKind::Link => {}
        }
    }

    fn combine(self, other: ShownCounts, with: fn(u32, u32) -> u32) -> ShownCounts {
        ShownCounts {
            labels: with(self.labels, other.labels),
            dates: with(self.dates, other.dates),
            prices: with(self.prices, other.prices),
            headings: with(self.headings, other.headings),
        }
    }
}

struct ShownItem {
    node: Node,
    kind: ItemKind,
}

enum ItemKind {
    Text {
        hash: u64,
        /// Records that begin with a label ("Colour: red") are the fields of one thing.
        is_label: bool,
        has_currency: bool,
        has_date: bool,
    },
    Image,
    /// With a URL.
    Link,
    Heading,
}

impl<'a> PageContents<'a> {
    pub(crate) fn new(page: &'a Page) -> PageContents<'a> {
        let (tree, index) = (&page.tree, &page.index);
        let kind = |node: Node| match tree.tag(node) {
            _ if !page.styles.is_shown(node) => None,
            tags::TEXT if index.leaves(&(node..node + 1)) > 0 => Some(text(tree.raw_text(node))),
            tags::IMG => Some(ItemKind::Image),
            tags::A if tree.attr(node, attrs::HREF).is_some() => Some(ItemKind::Link),
            tag => tags::is_heading(tag).then_some(ItemKind::Heading),
        };
        let mut items = Vec::new();
        let mut counts = Vec::with_capacity(tree.len() + 1);
        let mut shown = ShownCounts::default();
        for node in tree.nodes() {
            counts.push(shown);
            if let Some(kind) = kind(node) {
                shown.add(&kind);
                items.push(ShownItem { node, kind });
            }
        }
        counts.push(shown);
        let step = |node| Some(u64::from(tree.tag(node)) << 32 | u64::from(index.class(node)));
        PageContents { page, items, counts, paths: RelativePaths::new(page, step) }
    }

    /// What the whole page shows.
    pub(crate) fn shown(&self) -> ShownCounts {
        self.counts.last().copied().unwrap_or_default()
    }

    /// What records show.
    pub(crate) fn shown_in(&self, records: &[Parts]) -> ShownCounts {
        let inside = |part: &std::ops::Range<Node>| {
            self.counts[part.end as usize].combine(self.counts[part.start as usize], |end, start| end - start)
        };
        let parts = records.iter().flatten();
        parts.fold(ShownCounts::default(), |sum, part| sum.combine(inside(part), |a, b| a + b))
    }

    fn within(&self, part: &std::ops::Range<Node>) -> &[ShownItem] {
        let from = self.items.partition_point(|item| item.node < part.start);
        let to = self.items.partition_point(|item| item.node < part.end);
        &self.items[from..to]
    }
}

fn text(raw: &str) -> ItemKind {
    let text = raw.trim();
    ItemKind::Text {
        hash: hash_of(text),
        is_label: ends_with_colon(text),
        has_currency: has_currency(text),
        has_date: has_date(text),
    }
}

/// Longest text that is looked at for a date, in bytes.
const MAX_DATE_BYTES: usize = 80;

/// True if a short text has something like a date: a year, or two numbers of a day and a month. A recogniser
/// would be more exact, but it would have to read every text of the page.
fn has_date(text: &str) -> bool {
    if text.len() > MAX_DATE_BYTES || !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let mut numbers = text.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()).peekable();
    while let Some(run) = numbers.next() {
        let is_year = run.len() == 4 && (run.starts_with(b"19") || run.starts_with(b"20"));
        let is_short = run[0].is_ascii_digit() && run.len() <= 2;
        let separated = numbers.peek().is_some_and(|next| matches!(next, [b'/' | b'-']));
        if is_year || is_short && separated {
            return true;
        }
    }
    false
}

/// True if a text has a currency sign. The bytes are checked first because most texts have none of them.
fn has_currency(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'$' | 0xc2 | 0xe2))
        && text.contains(['$', '\u{a3}', '\u{20ac}', '\u{a5}', '\u{20b9}'])
}

/// Counts, and shares or similarities from 0 to 1, of the sampled records.
#[derive(Default)]
pub(crate) struct RecordFacts {
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
    pub(crate) one_heading: f64,
    pub(crate) many_headings: f64,
    /// Share of the texts and images that are not the only one on their path in a record: a record that is a
    /// group of records repeats its paths.
    pub(crate) repeated: f64,
    pub(crate) one_link: f64,
    /// Mean number of different URLs in a record.
    pub(crate) links_in_record: f64,
    pub(crate) many_prices: f64,
    pub(crate) one_date: f64,
    pub(crate) many_dates: f64,
}

impl RecordFacts {
    pub(crate) fn new(contents: &PageContents<'_>, sample: &[&Parts]) -> RecordFacts {
        let n = sample.len().max(1) as f64;
        let mut fonts: Vec<u16> = Vec::new();
        let records: Vec<RecordContents<'_>> =
            sample.iter().map(|parts| RecordContents::new(contents, parts, &mut fonts)).collect();
        let share = |holds: fn(&RecordContents<'_>) -> bool| {
            records.iter().filter(|record| holds(record)).count() as f64 / n
        };
        let likenesses = |apart: usize| {
            let others = &records[apart.min(records.len())..];
            mean(records.iter().zip(others).map(|(a, b)| jaccard(&a.paths, &b.paths)))
        };
        let likeness = likenesses(1);
        let mut paths: Vec<u64> = records.iter().flat_map(|record| &record.paths).copied().collect();
        paths.sort_unstable();
        let in_records = || paths.chunk_by(|a, b| a == b);
        RecordFacts {
            likeness,
            alternating: if records.len() > 3 { likenesses(2) - likeness } else { 0.0 },
            paths: in_records().count() as f64,
            shared: in_records().filter(|records| records.len() as f64 >= 0.6 * n).count() as f64,
            fonts: entropy(fonts).min(2.0),
            heads: distinct(records.iter().map(|record| record.head)) / n,
            texts: distinct(records.iter().map(|record| record.text)) / n,
            links: distinct(records.iter().filter_map(|record| record.hrefs.first())) / n,
            headings: share(|record| record.headings > 0),
            currency: share(|record| record.prices > 0),
            labels: share(|record| record.is_label),
            here: share(|record| {
                record
                    .hrefs
                    .first()
                    .is_some_and(|href| href.starts_with('#') || href.starts_with("javascript:"))
            }),
            one_heading: share(|record| record.headings == 1),
            many_headings: share(|record| record.headings > 1),
            repeated: mean(records.iter().map(|record| record.repeated)),
            one_link: share(|record| record.different_hrefs == 1),
            links_in_record: mean(records.iter().map(|record| record.different_hrefs as f64)),
            many_prices: share(|record| record.prices > 1),
            one_date: share(|record| record.dates == 1),
            many_dates: share(|record| record.dates > 1),
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
struct RecordContents<'a> {
    /// Paths below the record to its texts and images, since a list can have records at several depths:
    /// sorted and without duplicates.
    paths: Vec<u64>,
    /// Hashes of its first letters, and of all its texts.
    head: u64,
    text: u64,
    /// Its URLs, at most [`MAX_HREFS`].
    hrefs: SmallVec<[&'a str; MAX_HREFS]>,
    /// Number of different URLs. A title and an image often link to the same page.
    different_hrefs: usize,
    headings: u32,
    prices: u32,
    dates: u32,
    is_label: bool,
    /// Share of the texts and images that are not the only one on their path.
    repeated: f64,
}

/// URLs of a record that are compared: a group of records has several, and it does not matter how many.
const MAX_HREFS: usize = 16;

impl<'a> RecordContents<'a> {
    /// The styles of its texts are added to `fonts`.
    fn new(contents: &PageContents<'a>, parts: &Parts, fonts: &mut Vec<u16>) -> RecordContents<'a> {
        let (page, tree) = (contents.page, &contents.page.tree);
        let mut record = RecordContents::default();
        let (mut head, mut left, mut all) = (FxHasher::default(), HEAD_CHARS, FxHasher::default());
        let mut is_first = true;
        for part in parts {
            let seen = contents.within(part);
            record.paths.reserve(seen.len());
            let mut top = part.start;
            for &ShownItem { node, ref kind } in seen {
                while tree.end(top) <= node {
                    top = tree.end(top);
                }
                match kind {
                    ItemKind::Link if record.hrefs.len() < MAX_HREFS => {
                        record.hrefs.extend(tree.attr(node, attrs::HREF));
                    }
                    ItemKind::Link => {}
                    ItemKind::Heading => record.headings += 1,
                    ItemKind::Image => record.paths.push(path(contents, top, node)),
                    ItemKind::Text { hash, is_label, has_currency, has_date } => {
                        record.paths.push(path(contents, top, node));
                        fonts.push(page.styles.id(tree.parent(node)));
                        hash.hash(&mut all);
                        record.is_label |= is_first && *is_label;
                        record.prices += u32::from(*has_currency);
                        record.dates += u32::from(*has_date);
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
        (record.head, record.text) = (head.finish(), all.finish());
        record.paths.sort_unstable();
        let runs = record.paths.chunk_by(|a, b| a == b).map(<[u64]>::len);
        let repeated = runs.filter(|&length| length > 1).sum::<usize>();
        record.repeated = repeated as f64 / record.paths.len().max(1) as f64;
        record.paths.dedup();
        let is_new = |at: usize| !record.hrefs[..at].contains(&record.hrefs[at]);
        record.different_hrefs = (0..record.hrefs.len()).filter(|&at| is_new(at)).count();
        record
    }
}

/// The path from a record to a node. The classes of the record itself are left out: they tell odd rows from
/// even ones.
fn path(contents: &PageContents<'_>, top: Node, node: Node) -> u64 {
    contents.paths.key(top, key_of(u64::from(contents.page.tree.tag(top))), node)
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
        let records = RecordFacts::new(&PageContents::new(&page), &records.iter().collect::<Vec<_>>());
        let thirds = |value: f64| (value * 3.0).round() as u32;
        // two paths in two records, two others in the last one
        assert_eq!((records.paths as u32, records.shared as u32), (4, 2));
        assert!((records.likeness - 0.5).abs() < 1e-9);
        assert_eq!((thirds(records.heads), thirds(records.texts), thirds(records.links)), (3, 3, 1));
        assert_eq!((thirds(records.headings), thirds(records.currency)), (2, 2));
        assert_eq!((thirds(records.labels), thirds(records.here)), (1, 2));
    }
}
