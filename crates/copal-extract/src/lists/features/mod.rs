//! What speaks for and against a candidate, as numbers.
//!
//! In: a candidate region. Out: [`Features`], in the order of [`NAMES`]. Texts are looked at in a sample of the records;
//! everything else is a difference of prefix sums. O(records + what the sample shows).

pub(crate) mod nesting;
pub(crate) mod overlap;
pub(crate) mod page_facts;
pub(crate) mod record_facts;

use super::combined::{Candidate, by};
use crate::lists::candidate::ListCandidate;
use crate::lists::propose::groups;
use crate::structure::measure::{distinct, mean};
use copal_dom::{Node, Page};
use copal_model::Parts;
use page_facts::PageFacts;
use record_facts::{Looks, Sights};

macro_rules! features {
    ($($id:ident $name:literal,)*) => {
        /// One of them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Feature { $($id),* }
        /// Their names.
        pub(crate) const NAMES: &[&str] = &[$($name),*];
        /// Number of features.
        pub(crate) const COUNT: usize = NAMES.len();
    };
}

features! {
    Records "records",
    Coverage "coverage",
    MeanText "mean_text",
    CvText "cv_text",
    LinkDensity "link_density",
    Likeness "likeness",
    Paths "paths",
    Leaves "leaves",
    Fonts "fonts",
    HeadDiversity "head_diversity",
    TextDiversity "text_diversity",
    LinkDiversity "link_diversity",
    Images "images",
    InNavigation "in_navigation",
    Empty "empty",
    SharedPaths "shared_paths",
    Digits "digits",
    Depth "depth",
    Position "position",
    Parents "parents",
    Contiguous "contiguous",
    Nodes "nodes",
    WithLink "with_link",
    Proposers "proposers",
    ByBuw "by_buw",
    ByRdr "by_rdr",
    ByAmber "by_amber",
    ByMdr "by_mdr",
    ByGroup "by_group",
    CoverageRank "coverage_rank",
    MassRank "mass_rank",
    SharedRank "shared_rank",
    WithHeading "with_heading",
    SameRootTag "same_root_tag",
    WholeChildren "whole_children",
    OneLeaf "one_leaf",
    SingleLink "single_link",
    InMain "in_main",
    WithDigits "with_digits",
    WithCurrency "with_currency",
    Readable "readable",
    ProseOutside "prose_outside",
    PageText "page_text",
    OffMain "off_main",
    ProseBefore "prose_before",
    InAside "in_aside",
    Pager "pager",
    SaysOne "says_one",
    SaysList "says_list",
    Query "query",
    HeadFar "head_far",
    NoHead "no_head",
    Alternating "alternating",
    ContentCoverage "content_coverage",
    PlainBefore "plain_before",
    Labels "labels",
    HereLinks "here_links",
    Declared "declared",
    Finer "finer",
    FinerLikeness "finer_likeness",
    Score "score",
    Gap "gap",
}

/// The values of all features.
#[derive(Debug, Clone)]
pub(crate) struct Features(pub(crate) [f64; COUNT]);

impl Features {
    pub(crate) fn get(&self, feature: Feature) -> f64 {
        self.0[feature as usize]
    }

    pub(crate) fn set(&mut self, feature: Feature, value: f64) {
        self.0[feature as usize] = value;
    }
}

/// Records whose texts are looked at.
const SAMPLE: usize = 12;
/// Neighbours among them.
const RUN: usize = 3;

fn sum(records: &[Parts], of: impl Fn(&std::ops::Range<Node>) -> u32) -> Vec<f64> {
    records.iter().map(|parts| parts.iter().map(|part| f64::from(of(part))).sum()).collect()
}

pub(crate) fn of(
    page: &Page,
    facts: &PageFacts,
    sights: &Sights<'_>,
    found: &ListCandidate,
    proposed_by: u8,
) -> Features {
    let records = &found.records;
    let (tree, index) = (&page.tree, &page.index);
    let n = records.len() as f64;
    let chars = sum(records, |part| index.chars(part));
    let links = sum(records, |part| index.link_chars(part));
    let leaves = sum(records, |part| index.leaves(part));
    let images = sum(records, |part| index.images(part));
    let digits = sum(records, |part| index.digits(part));
    let nodes = sum(records, |part| part.end - part.start);
    let (total, mean_text) = (chars.iter().sum::<f64>(), mean(chars.iter().copied()));
    let deviation = (chars.iter().map(|c| (c - mean_text).powi(2)).sum::<f64>() / n).sqrt();
    let share = |values: &[f64], holds: &dyn Fn(f64) -> bool| {
        values.iter().filter(|value| holds(**value)).count() as f64 / n
    };
    let looks = Looks::new(sights, &sample(records));
    let firsts: Vec<Node> = records.iter().map(|parts| parts[0].start).collect();
    let parents = distinct(firsts.iter().map(|&node| tree.parent(node)));
    let root_tags = distinct(firsts.iter().map(|&node| tree.tag(node)));
    let contiguous = records
        .windows(2)
        .filter(|pair| is_next(page, pair[0].last().map_or(0, |part| part.end), pair[1][0].start))
        .count();
    let proposer = |bit: u8| f64::from(u8::from(proposed_by & bit != 0));
    let in_navigation =
        firsts.iter().filter(|&&node| facts.navigation[tree.parent(node) as usize]).count() as f64 / n;
    let children = page.index.chars(&(found.root..tree.end(found.root)));
    let single_links =
        (0..records.len()).filter(|&r| leaves[r] <= 1.0 && links[r] >= chars[r]).count() as f64 / n;
    let in_main = firsts.iter().filter(|&&node| facts.main[node as usize]).count() as f64 / n;
    let prose = facts.prose_outside(found);
    let in_aside = firsts.iter().filter(|&&node| facts.aside[node as usize]).count() as f64 / n;
    // an article's lists stand far behind its head
    let head_far = facts
        .head
        .filter(|&head| head < firsts[0])
        .map_or(0.0, |head| f64::from(index.chars(&(head..firsts[0]))) / facts.chars);
    let declared = firsts.iter().filter(|&&node| groups::declared_kind(page, node).is_some()).count();
    let yes = |is: bool| f64::from(u8::from(is));
    let mut features = Features([0.0; COUNT]);
    for (feature, value) in [
        (Feature::Records, (1.0 + n).ln()),
        (Feature::Coverage, total / facts.chars),
        (Feature::MeanText, (1.0 + mean_text).ln()),
        (Feature::CvText, (deviation / mean_text.max(1.0)).min(3.0)),
        (Feature::LinkDensity, links.iter().sum::<f64>() / total.max(1.0)),
        (Feature::Likeness, looks.likeness),
        (Feature::Paths, (1.0 + looks.paths).ln()),
        (Feature::Leaves, (1.0 + mean(leaves.iter().copied())).ln()),
        (Feature::Fonts, looks.fonts),
        (Feature::HeadDiversity, looks.heads),
        (Feature::TextDiversity, looks.texts),
        (Feature::LinkDiversity, looks.links),
        (Feature::Images, share(&images, &|count| count > 0.0)),
        (Feature::InNavigation, in_navigation),
        (Feature::Empty, share(&chars, &|count| count == 0.0)),
        (Feature::SharedPaths, (1.0 + looks.shared).ln()),
        (Feature::Digits, digits.iter().sum::<f64>() / total.max(1.0)),
        (Feature::Depth, f64::from(tree.depth(firsts[0])) / 20.0),
        (Feature::Position, f64::from(index.chars(&(0..firsts[0]))) / facts.chars),
        (Feature::Parents, (parents - 1.0) / n),
        (Feature::Contiguous, contiguous as f64 / (n - 1.0).max(1.0)),
        (Feature::Nodes, (1.0 + mean(nodes.iter().copied())).ln()),
        (Feature::WithLink, share(&links, &|count| count > 0.0)),
        (Feature::Proposers, f64::from(proposed_by.count_ones())),
        (Feature::ByBuw, proposer(by::BUW)),
        (Feature::ByRdr, proposer(by::RDR)),
        (Feature::ByAmber, proposer(by::AMBER)),
        (Feature::ByMdr, proposer(by::MDR)),
        (Feature::ByGroup, proposer(by::GROUP)),
        (Feature::WithHeading, looks.headings),
        (Feature::SameRootTag, 1.0 / root_tags.max(1.0)),
        (Feature::WholeChildren, total / f64::from(children.max(1))),
        (Feature::OneLeaf, share(&leaves, &|count| count <= 1.0)),
        (Feature::SingleLink, single_links),
        (Feature::InMain, in_main),
        (Feature::WithDigits, share(&digits, &|count| count > 0.0)),
        (Feature::WithCurrency, looks.currency),
        (Feature::Readable, share(&chars, &|count| (20.0..=600.0).contains(&count))),
        (Feature::ProseOutside, prose.0 + prose.1),
        (Feature::PageText, facts.chars.ln()),
        (Feature::OffMain, if facts.has_main { 1.0 - in_main } else { 0.0 }),
        (Feature::ProseBefore, prose.0),
        (Feature::InAside, in_aside),
        (Feature::Pager, yes(facts.has_pager)),
        (Feature::SaysOne, yes(facts.says_one)),
        (Feature::SaysList, yes(facts.says_list)),
        (Feature::Query, yes(facts.has_query)),
        (Feature::HeadFar, head_far),
        (Feature::NoHead, yes(facts.head.is_none())),
        (Feature::Alternating, looks.alternating),
        (Feature::ContentCoverage, facts.content_coverage(found)),
        (Feature::PlainBefore, facts.plain_before(found)),
        (Feature::Labels, looks.labels),
        (Feature::HereLinks, looks.here),
        (Feature::Declared, proposer(by::DATA).max(declared as f64 / n)),
    ] {
        features.set(feature, value);
    }
    features
}

/// Some records, neighbours in threes: where two kinds take turns, every second one would tell nothing.
fn sample(records: &[Parts]) -> Vec<&Parts> {
    if records.len() <= SAMPLE {
        return records.iter().collect();
    }
    let runs = SAMPLE / RUN;
    let step = (records.len() - RUN) as f64 / (runs - 1) as f64;
    (0..runs).flat_map(|run| records[(run as f64 * step) as usize..].iter().take(RUN)).collect()
}

/// Nothing that shows anything stands between.
fn is_next(page: &Page, end: Node, start: Node) -> bool {
    start >= end && page.index.leaves(&(end..start)) == 0
}

/// The places of a candidate among those of its page, by coverage, by records times paths, and by shared paths: 0 is best.
pub(crate) fn add_ranks(all: &mut [Candidate]) {
    let n = all.len().max(1) as f64;
    let mut rank = |to: Feature, of: &dyn Fn(&Features) -> f64| {
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by(|&a, &b| of(&all[b].features).total_cmp(&of(&all[a].features)));
        for (place, &i) in order.iter().enumerate() {
            all[i].features.set(to, place as f64 / n);
        }
    };
    rank(Feature::CoverageRank, &|features| features.get(Feature::Coverage));
    rank(Feature::MassRank, &|features| features.get(Feature::Records) * features.get(Feature::Paths));
    rank(Feature::SharedRank, &|features| features.get(Feature::SharedPaths));
}
