//! Describes a list candidate with numbers, from which the ranking decides whether it is the main list.
//!
//! In: a candidate region. Out: [`Features`]. Texts are read in a sample of the records; everything else is a
//! difference of prefix sums. O(records + nodes of the sample).

pub(crate) mod nesting;
pub(crate) mod overlap;
pub(crate) mod page_facts;
pub(crate) mod record_facts;
pub(crate) mod vector;

use crate::lists::candidate::{ListCandidate, Proposers};
use crate::lists::propose::groups;
use crate::structure::measure::{distinct, mean};
use copal_dom::{Node, Page, attrs, tags};
use copal_model::Parts;
use page_facts::PageFacts;
use record_facts::{PageContents, RecordFacts};
use vector::{Feature, Features};

/// Number of records in the sample whose texts are read.
const SAMPLED_RECORDS: usize = 12;
/// The sample consists of runs of this many adjacent records.
const SAMPLED_RUN: usize = 3;

/// For each record, the sum of `of` over its parts.
fn per_record(records: &[Parts], of: impl Fn(&std::ops::Range<Node>) -> u32) -> Vec<f64> {
    records.iter().map(|parts| parts.iter().map(|part| f64::from(of(part))).sum()).collect()
}

/// The features of one candidate, except those that compare it with others.
pub(crate) fn measure(
    page: &Page,
    facts: &PageFacts<'_>,
    contents: &PageContents<'_>,
    found: &ListCandidate,
    proposers: Proposers,
) -> Features {
    let records = &found.records;
    let (tree, index) = (&page.tree, &page.index);
    let n = records.len() as f64;
    let chars = per_record(records, |part| index.chars(part));
    let links = per_record(records, |part| index.link_chars(part));
    let leaves = per_record(records, |part| index.leaves(part));
    let images = per_record(records, |part| index.images(part));
    let digits = per_record(records, |part| index.digits(part));
    let nodes = per_record(records, |part| part.end - part.start);
    let (total, mean_text) = (chars.iter().sum::<f64>(), mean(chars.iter().copied()));
    let deviation = (chars.iter().map(|c| (c - mean_text).powi(2)).sum::<f64>() / n).sqrt();
    let share = |values: &[f64], holds: &dyn Fn(f64) -> bool| {
        values.iter().filter(|value| holds(**value)).count() as f64 / n
    };
    let sampled = RecordFacts::new(contents, &sample(records));
    let firsts: Vec<Node> = records.iter().map(|parts| parts[0].start).collect();
    let parents = distinct(firsts.iter().map(|&node| tree.parent(node)));
    let root_tags = distinct(firsts.iter().map(|&node| tree.tag(node)));
    let contiguous = records
        .windows(2)
        .filter(|pair| is_next(page, pair[0].last().map_or(0, |part| part.end), pair[1][0].start))
        .count();
    let yes = |is: bool| f64::from(u8::from(is));
    let proposer = |one: Proposers| yes(proposers.include(one));
    let share_of_firsts =
        |holds: &dyn Fn(Node) -> bool| firsts.iter().filter(|&&node| holds(node)).count() as f64 / n;
    let in_navigation = share_of_firsts(&|node| facts.zones.is_navigation(tree.parent(node)));
    let children = page.index.chars(&(found.root..tree.end(found.root)));
    let single_links =
        (0..records.len()).filter(|&r| leaves[r] <= 1.0 && links[r] >= chars[r]).count() as f64 / n;
    let in_main = share_of_firsts(&|node| facts.zones.is_main(node));
    let prose = facts.prose_outside(found);
    let in_aside = share_of_firsts(&|node| facts.zones.is_aside(node));
    // the lists of an article are far below its heading
    let heading_far = facts
        .heading
        .filter(|&heading| heading < firsts[0])
        .map_or(0.0, |heading| f64::from(index.chars(&(heading..firsts[0]))) / facts.chars);
    let declared = share_of_firsts(&|node| groups::declared_kind(page, node).is_some());
    let (own, all) = (contents.shown_in(records), contents.shown());
    // a method of the papers can give one node to two records
    let share_of_page = |own: u32, all: u32| (f64::from(own) / f64::from(all.max(1))).min(1.0);
    let mut features = Features::default();
    for (feature, value) in [
        (Feature::Records, (1.0 + n).ln()),
        (Feature::Coverage, total / facts.chars),
        (Feature::MeanText, (1.0 + mean_text).ln()),
        (Feature::CvText, (deviation / mean_text.max(1.0)).min(3.0)),
        (Feature::LinkDensity, links.iter().sum::<f64>() / total.max(1.0)),
        (Feature::Likeness, sampled.likeness),
        (Feature::Paths, (1.0 + sampled.paths).ln()),
        (Feature::Leaves, (1.0 + mean(leaves.iter().copied())).ln()),
        (Feature::Fonts, sampled.fonts),
        (Feature::HeadDiversity, sampled.heads),
        (Feature::TextDiversity, sampled.texts),
        (Feature::LinkDiversity, sampled.links),
        (Feature::Images, share(&images, &|count| count > 0.0)),
        (Feature::InNavigation, in_navigation),
        (Feature::Empty, share(&chars, &|count| count == 0.0)),
        (Feature::SharedPaths, (1.0 + sampled.shared).ln()),
        (Feature::Digits, digits.iter().sum::<f64>() / total.max(1.0)),
        (Feature::Depth, f64::from(tree.depth(firsts[0])) / 20.0),
        (Feature::Position, f64::from(index.chars(&(0..firsts[0]))) / facts.chars),
        (Feature::Parents, (parents - 1.0) / n),
        (Feature::Contiguous, contiguous as f64 / (n - 1.0).max(1.0)),
        (Feature::Nodes, (1.0 + mean(nodes.iter().copied())).ln()),
        (Feature::WithLink, share(&links, &|count| count > 0.0)),
        (Feature::Proposers, f64::from(proposers.count())),
        (Feature::ByBuw, proposer(Proposers::BUW)),
        (Feature::ByRdr, proposer(Proposers::RDR)),
        (Feature::ByAmber, proposer(Proposers::AMBER)),
        (Feature::ByMdr, proposer(Proposers::MDR)),
        (Feature::ByGroup, proposer(Proposers::GROUPS)),
        (Feature::WithHeading, sampled.headings),
        (Feature::SameRootTag, 1.0 / root_tags.max(1.0)),
        (Feature::WholeChildren, total / f64::from(children.max(1))),
        (Feature::OneLeaf, share(&leaves, &|count| count <= 1.0)),
        (Feature::SingleLink, single_links),
        (Feature::InMain, in_main),
        (Feature::WithDigits, share(&digits, &|count| count > 0.0)),
        (Feature::WithCurrency, sampled.currency),
        (Feature::Readable, share(&chars, &|count| (20.0..=600.0).contains(&count))),
        (Feature::ProseOutside, prose.0 + prose.1),
        (Feature::PageText, facts.chars.ln()),
        (Feature::OffMain, if facts.zones.has_main() { 1.0 - in_main } else { 0.0 }),
        (Feature::ProseBefore, prose.0),
        (Feature::InAside, in_aside),
        (Feature::Pager, yes(facts.has_pager)),
        (Feature::SaysOne, yes(facts.says_one)),
        (Feature::SaysList, yes(facts.says_list)),
        (Feature::Query, yes(facts.has_query)),
        (Feature::HeadFar, heading_far),
        (Feature::NoHead, yes(facts.heading.is_none())),
        (Feature::Alternating, sampled.alternating),
        (Feature::ContentCoverage, facts.content_coverage(found)),
        (Feature::PlainBefore, facts.plain_before(found)),
        (Feature::Labels, sampled.labels),
        (Feature::HereLinks, sampled.here),
        (Feature::Declared, proposer(Proposers::DECLARED).max(declared)),
        (Feature::SamePlace, facts.same_place(page, &firsts)),
        (Feature::Rows, share_of_firsts(&|node| tree.tag(node) == tags::TR)),
        (Feature::Cells, share_of_firsts(&|node| matches!(tree.tag(node), tags::TD | tags::TH))),
        (Feature::OneHeading, sampled.one_heading),
        (Feature::ManyHeadings, sampled.many_headings),
        (Feature::RepeatedPaths, sampled.repeated),
        (Feature::OneLink, sampled.one_link),
        (Feature::LinksInRecord, (1.0 + sampled.links_in_record).ln()),
        (Feature::ManyPrices, sampled.many_prices),
        (Feature::OneDate, sampled.one_date),
        (Feature::ManyDates, sampled.many_dates),
        (Feature::LabelsOutside, f64::from(1 + all.labels.saturating_sub(own.labels)).ln()),
        (Feature::LabelsInRecord, (1.0 + f64::from(own.labels) / n).ln()),
        (Feature::DateShare, share_of_page(own.dates, all.dates)),
        (Feature::PriceShare, share_of_page(own.prices, all.prices)),
        (Feature::HeadingShare, share_of_page(own.headings, all.headings)),
        (Feature::SameClass, largest_share(firsts.iter().map(|&node| class_of(page, node)))),
        (Feature::SameStructure, largest_share(firsts.iter().map(|&node| Some(index.structure(node))))),
        (Feature::Inputs, f64::from(1 + facts.inputs).ln()),
        (Feature::Password, yes(facts.has_password)),
    ] {
        features.set(feature, value);
    }
    features
}

/// The tag and the class of an element that has a class.
fn class_of(page: &Page, node: Node) -> Option<u64> {
    page.tree.attr(node, attrs::CLASS)?;
    Some(u64::from(page.tree.tag(node)) << 32 | u64::from(page.index.class(node)))
}

/// The share of the most frequent value among all.
fn largest_share(values: impl Iterator<Item = Option<u64>>) -> f64 {
    let mut values: Vec<Option<u64>> = values.collect();
    values.sort_unstable();
    let runs = values.chunk_by(|a, b| a == b).filter(|run| run[0].is_some());
    runs.map(<[_]>::len).max().unwrap_or(0) as f64 / values.len().max(1) as f64
}

/// A sample of the records, in runs of three neighbours. If two templates alternate, a sample of every second
/// record would only contain one of them, and the list would look more regular than it is.
fn sample(records: &[Parts]) -> Vec<&Parts> {
    if records.len() <= SAMPLED_RECORDS {
        return records.iter().collect();
    }
    let runs = SAMPLED_RECORDS / SAMPLED_RUN;
    let step = (records.len() - SAMPLED_RUN) as f64 / (runs - 1) as f64;
    (0..runs).flat_map(|run| records[(run as f64 * step) as usize..].iter().take(SAMPLED_RUN)).collect()
}

/// True if nothing visible lies between the two nodes.
fn is_next(page: &Page, end: Node, start: Node) -> bool {
    start >= end && page.index.leaves(&(end..start)) == 0
}

/// Adds the rank of each candidate among all candidates of its page (0 is best), by three criteria: coverage,
/// records times paths, and shared paths.
pub(crate) fn add_ranks(all: &mut [Features]) {
    let n = all.len().max(1) as f64;
    let mut rank = |to: Feature, of: &dyn Fn(&Features) -> f64| {
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by(|&a, &b| of(&all[b]).total_cmp(&of(&all[a])));
        for (place, &i) in order.iter().enumerate() {
            all[i].set(to, place as f64 / n);
        }
    };
    rank(Feature::CoverageRank, &|features| features.get(Feature::Coverage));
    rank(Feature::MassRank, &|features| features.get(Feature::Records) * features.get(Feature::Paths));
    rank(Feature::SharedRank, &|features| features.get(Feature::SharedPaths));
}
