//! What speaks for and against a candidate, as numbers.
//!
//! In: a candidate region. Out: [`Features`], in the order of [`NAMES`]. Texts are looked at in a sample of the records;
//! everything else is a difference of prefix sums. O(records + nodes of the sample).

use super::shape::jaccard;
use super::{Candidate, by};
use crate::model::{Found, Parts};
use copal_dom::{NONE, Node, Page, attrs, tags};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Number of features.
pub(crate) const COUNT: usize = 44;
/// Their values.
pub(crate) type Features = [f64; COUNT];
/// Their names.
pub(crate) const NAMES: [&str; COUNT] = [
    "records",
    "coverage",
    "mean_text",
    "cv_text",
    "link_density",
    "likeness",
    "paths",
    "leaves",
    "fonts",
    "head_diversity",
    "text_diversity",
    "link_diversity",
    "images",
    "in_navigation",
    "empty",
    "shared_paths",
    "digits",
    "depth",
    "position",
    "parents",
    "contiguous",
    "nodes",
    "with_link",
    "proposers",
    "by_buw",
    "by_rdr",
    "by_amber",
    "by_mdr",
    "by_group",
    "coverage_rank",
    "mass_rank",
    "shared_rank",
    "with_heading",
    "same_root_tag",
    "whole_children",
    "one_leaf",
    "single_link",
    "in_main",
    "with_digits",
    "with_currency",
    "readable",
    "prose_outside",
    "page_text",
    "off_main",
];

/// Letters and digits by which the beginnings of records are told apart.
const HEAD: usize = 24;
/// Records whose texts are looked at.
const SAMPLE: usize = 12;

/// What is the same for all candidates of a page.
pub(crate) struct PageFacts {
    chars: f64,
    /// Nodes inside navigation: menus, heads, feet, side columns.
    navigation: Vec<bool>,
    /// Nodes inside what the page calls its main part.
    main: Vec<bool>,
    /// The page says which part is its main one.
    has_main: bool,
    /// Long texts that are no links: where, and how long.
    prose: Vec<(Node, f64)>,
}

/// Characters from which a text is prose.
const PROSE: u32 = 160;

impl PageFacts {
    pub(crate) fn new(page: &Page) -> PageFacts {
        let tree = &page.tree;
        let mut navigation = vec![false; tree.len()];
        let mut main = vec![false; tree.len()];
        for node in tree.nodes() {
            let parent = tree.parent(node);
            let above = parent != NONE && navigation[parent as usize];
            let above_main = parent != NONE && main[parent as usize];
            main[node as usize] = above_main || !tree.is_text(node) && is_main(page, node);
            navigation[node as usize] = above || !tree.is_text(node) && is_navigation(page, node);
        }
        let all = 0..tree.len() as Node;
        let prose = tree.nodes().filter(|&node| tree.is_text(node)).filter_map(|node| {
            let chars = page.index.chars(&(node..node + 1));
            (chars >= PROSE && page.index.link_chars(&(node..node + 1)) == 0)
                .then_some((node, f64::from(chars)))
        });
        let prose = prose.collect();
        PageFacts {
            chars: f64::from(page.index.chars(&all).max(1)),
            navigation,
            has_main: main.iter().any(|&is| is),
            main,
            prose,
        }
    }
}

impl PageFacts {
    /// Share of the page's text that is prose outside of a region's records: an article has much.
    fn prose_outside(&self, found: &Found) -> f64 {
        let (first, last) = (
            found.records[0][0].start,
            found.records.last().and_then(|parts| parts.last()).map_or(0, |p| p.end),
        );
        let outside = self.prose.iter().filter(|(node, _)| *node < first || *node >= last);
        outside.map(|(_, chars)| chars).sum::<f64>() / self.chars
    }
}

/// By its tag, its role, or words in its class and id.
fn is_navigation(page: &Page, node: Node) -> bool {
    let tree = &page.tree;
    if matches!(
        tree.tag(node),
        tags::NAV | tags::FOOTER | tags::ASIDE | tags::HEADER | tags::SELECT | tags::FORM
    ) {
        // a form or a header may be around everything
        return page.index.chars(&(node..tree.end(node))) * 3 < page.index.chars(&(0..tree.len() as Node));
    }
    let role = tree.attr(node, attrs::ROLE).unwrap_or_default();
    if matches!(
        role,
        "navigation" | "menu" | "menubar" | "contentinfo" | "banner" | "complementary" | "tablist"
    ) {
        return true;
    }
    let says = |text: &str| {
        text.as_bytes().split(|c| !c.is_ascii_alphanumeric()).any(|word| {
            NAVIGATION.iter().any(|hint| {
                let longer = word.len() > hint.len() && hint.len() > 4;
                (word.len() == hint.len() || longer)
                    && word[..hint.len()].eq_ignore_ascii_case(hint.as_bytes())
            })
        })
    };
    let short = |text: &&str| text.len() < 200;
    [attrs::CLASS, attrs::ID].iter().filter_map(|&name| tree.attr(node, name)).filter(short).any(says)
        && page.index.chars(&(node..tree.end(node))) * 3 < page.index.chars(&(0..tree.len() as Node))
}

fn is_main(page: &Page, node: Node) -> bool {
    let tree = &page.tree;
    if tree.tag(node) == tags::MAIN || tree.attr(node, attrs::ROLE) == Some("main") {
        return true;
    }
    let says = |text: &str| {
        text.as_bytes()
            .split(|c| !c.is_ascii_alphanumeric())
            .any(|word| MAIN.iter().any(|hint| word.eq_ignore_ascii_case(hint.as_bytes())))
    };
    [attrs::CLASS, attrs::ID]
        .iter()
        .filter_map(|&name| tree.attr(node, name))
        .filter(|text| text.len() < 200)
        .any(says)
}

const MAIN: &[&str] =
    &["main", "results", "result", "listing", "listings", "products", "items", "search", "content", "feed"];

const NAVIGATION: &[&str] = &[
    "nav",
    "menu",
    "navbar",
    "navigation",
    "breadcrumb",
    "breadcrumbs",
    "footer",
    "header",
    "sidebar",
    "pagination",
    "pager",
    "paging",
    "tabs",
    "toolbar",
    "filter",
    "filters",
    "facet",
    "facets",
    "refine",
    "related",
    "share",
    "social",
    "cookie",
    "dropdown",
    "subnav",
    "topnav",
    "sitemap",
    "tags",
    "tagcloud",
];

fn sum(records: &[Parts], of: impl Fn(&std::ops::Range<Node>) -> u32) -> Vec<f64> {
    records.iter().map(|parts| parts.iter().map(|part| f64::from(of(part))).sum()).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

pub(crate) fn of(page: &Page, facts: &PageFacts, found: &Found, proposed_by: u8) -> Features {
    let records = &found.records;
    let (tree, index) = (&page.tree, &page.index);
    let n = records.len() as f64;
    let chars = sum(records, |part| index.chars(part));
    let links = sum(records, |part| index.link_chars(part));
    let leaves = sum(records, |part| index.leaves(part));
    let images = sum(records, |part| index.images(part));
    let digits = sum(records, |part| index.digits(part));
    let nodes = sum(records, |part| part.end - part.start);
    let (total, mean_text) = (chars.iter().sum::<f64>(), mean(&chars));
    let deviation = (chars.iter().map(|c| (c - mean_text).powi(2)).sum::<f64>() / n).sqrt();
    let share = |values: &[f64], holds: &dyn Fn(f64) -> bool| {
        values.iter().filter(|value| holds(**value)).count() as f64 / n
    };
    let step = (records.len() / SAMPLE).max(1);
    let sample: Vec<&Parts> = records.iter().step_by(step).take(SAMPLE).collect();
    let looks = Looks::new(page, &sample);
    let firsts: Vec<Node> = records.iter().map(|parts| parts[0].start).collect();
    let parents: FxHashSet<Node> = firsts.iter().map(|&node| tree.parent(node)).collect();
    let root_tags: FxHashSet<u16> = firsts.iter().map(|&node| tree.tag(node)).collect();
    let contiguous = records
        .windows(2)
        .filter(|pair| is_next(page, pair[0].last().map_or(0, |part| part.end), pair[1][0].start))
        .count();
    let proposer = |bit: u8| f64::from(u8::from(proposed_by & bit != 0));
    let in_navigation = firsts.iter().filter(|&&node| facts.navigation[node as usize]).count() as f64 / n;
    let children = page.index.chars(&(found.root..tree.end(found.root)));
    let single_links =
        (0..records.len()).filter(|&r| leaves[r] <= 1.0 && links[r] >= chars[r]).count() as f64 / n;
    let in_main = firsts.iter().filter(|&&node| facts.main[node as usize]).count() as f64 / n;
    let mut features = [0.0; COUNT];
    let values = [
        (1.0 + n).ln(),
        total / facts.chars,
        (1.0 + mean_text).ln(),
        (deviation / mean_text.max(1.0)).min(3.0),
        links.iter().sum::<f64>() / total.max(1.0),
        looks.likeness,
        (1.0 + looks.paths).ln(),
        (1.0 + mean(&leaves)).ln(),
        looks.fonts,
        looks.heads,
        looks.texts,
        looks.links,
        share(&images, &|count| count > 0.0),
        in_navigation,
        share(&chars, &|count| count == 0.0),
        (1.0 + looks.shared).ln(),
        digits.iter().sum::<f64>() / total.max(1.0),
        f64::from(tree.depth(firsts[0])) / 20.0,
        f64::from(index.chars(&(0..firsts[0]))) / facts.chars,
        (parents.len() as f64 - 1.0) / n,
        contiguous as f64 / (n - 1.0).max(1.0),
        (1.0 + mean(&nodes)).ln(),
        share(&links, &|count| count > 0.0),
        f64::from(proposed_by.count_ones()),
        proposer(by::BUW),
        proposer(by::RDR),
        proposer(by::AMBER),
        proposer(by::MDR),
        proposer(by::GROUP),
        0.0,
        0.0,
        0.0,
        looks.headings,
        1.0 / root_tags.len().max(1) as f64,
        total / f64::from(children.max(1)),
        share(&leaves, &|count| count <= 1.0),
        single_links,
        in_main,
        share(&digits, &|count| count > 0.0),
        looks.currency,
        share(&chars, &|count| (20.0..=600.0).contains(&count)),
        facts.prose_outside(found),
        facts.chars.ln(),
        if facts.has_main { 1.0 - in_main } else { 0.0 },
    ];
    features.copy_from_slice(&values);
    features
}

/// Nothing that shows anything stands between.
fn is_next(page: &Page, end: Node, start: Node) -> bool {
    start >= end && page.index.leaves(&(end..start)) == 0
}

/// What the texts of a sample of records look like.
#[derive(Default)]
struct Looks {
    likeness: f64,
    paths: f64,
    shared: f64,
    fonts: f64,
    heads: f64,
    texts: f64,
    links: f64,
    headings: f64,
    currency: f64,
}

impl Looks {
    fn new(page: &Page, sample: &[&Parts]) -> Looks {
        let tree = &page.tree;
        let n = sample.len().max(1) as f64;
        let mut sets: Vec<FxHashSet<u32>> = Vec::with_capacity(sample.len());
        let mut in_records: FxHashMap<u32, u32> = FxHashMap::default();
        let (mut heads, mut texts, mut links) =
            (FxHashSet::default(), FxHashSet::default(), FxHashSet::default());
        let mut fonts: FxHashMap<u16, f64> = FxHashMap::default();
        let (mut with_link, mut with_heading, mut with_currency) = (0.0, 0.0, 0.0);
        for parts in sample {
            let mut set = FxHashSet::default();
            let (mut head, mut left, mut all) = (FxHasher::default(), HEAD, FxHasher::default());
            let (mut href, mut heading, mut currency) = (None, false, false);
            for node in parts.iter().flat_map(Clone::clone).filter(|&node| page.styles.is_shown(node)) {
                if tree.is_text(node) {
                    let raw = tree.raw_text(node);
                    if page.index.leaves(&(node..node + 1)) > 0 {
                        set.insert(page.index.class_path(node));
                        *fonts.entry(page.styles.id(tree.parent(node))).or_default() += 1.0;
                        raw.trim().hash(&mut all);
                        currency |= raw.contains(['$', '\u{a3}', '\u{20ac}', '\u{a5}', '\u{20b9}']);
                        for c in raw.chars().filter(|c| c.is_alphanumeric()).take(left) {
                            c.hash(&mut head);
                            left -= 1;
                        }
                    }
                    continue;
                }
                let tag = tree.tag(node);
                heading |= tags::is_heading(tag);
                if tag == tags::A && href.is_none() {
                    href = tree.attr(node, attrs::HREF);
                }
                if tag == tags::IMG {
                    set.insert(page.index.class_path(node));
                }
            }
            heads.insert(head.finish());
            texts.insert(all.finish());
            with_link += f64::from(u8::from(href.is_some()));
            links.extend(href);
            with_heading += f64::from(u8::from(heading));
            with_currency += f64::from(u8::from(currency));
            for &path in &set {
                *in_records.entry(path).or_default() += 1;
            }
            sets.push(set);
        }
        let pairs: Vec<f64> = sets.windows(2).map(|pair| jaccard(&pair[0], &pair[1])).collect();
        let leaves: f64 = fonts.values().sum();
        let entropy: f64 = fonts.values().map(|count| -(count / leaves) * (count / leaves).ln()).sum();
        Looks {
            likeness: mean(&pairs),
            paths: in_records.len() as f64,
            shared: in_records.values().filter(|&&count| f64::from(count) >= 0.6 * n).count() as f64,
            fonts: entropy.min(2.0),
            heads: heads.len() as f64 / n,
            texts: texts.len() as f64 / n,
            links: if with_link > 0.0 { links.len() as f64 / n } else { 0.0 },
            headings: with_heading / n,
            currency: with_currency / n,
        }
    }
}

/// The places of a candidate among those of its page, by coverage, by records times paths, and by shared paths: 0 is best.
pub(crate) fn add_ranks(all: &mut [Candidate]) {
    let n = all.len().max(1) as f64;
    let mut rank = |to: usize, of: &dyn Fn(&Features) -> f64| {
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by(|&a, &b| of(&all[b].features).total_cmp(&of(&all[a].features)));
        for (place, &i) in order.iter().enumerate() {
            all[i].features[to] = place as f64 / n;
        }
    };
    rank(29, &|features| features[1]);
    rank(30, &|features| features[0] * features[6]);
    rank(31, &|features| features[15]);
}
