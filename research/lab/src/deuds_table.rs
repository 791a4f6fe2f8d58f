//! `copal-lab deuds-table`: the table of the DEUDS paper (section VI): a pattern made on one page of a site,
//! applied to its other pages.
//!
//! In: a corpus. The section is the element that holds the gold records, on pages whose extraction has nearly
//! all of them. Printed, for tables and for lists: how many sections were found right, partly right (a part
//! of the section, or more than it) or wrong, and the same for the data of the section compared with the gold
//! records.

use crate::corpus::Corpus;
use crate::error::LabError;
use crate::options::CorpusArgs;
use crate::report::Outcome;
use crate::text::folded;
use clap::Args;
use copal_dom::{Node, Page, tags};
use copal_extract::located::root_of;
use copal_extract::{Origin, Request, extract};
use copal_wrapper::{Css, ElementIndex, deuds};
use std::collections::BTreeMap;

/// An extraction with this share of the gold records tells where the section is; data with this share is
/// right.
const RIGHT_SHARE: f64 = 0.95;
/// Data with this share is partly right.
const PARTLY_RIGHT_SHARE: f64 = 0.5;
/// Right data has at least this many records per gold record: one record with all the text is at best partly
/// right.
const MIN_RECORDS_PER_GOLD: f64 = 0.8;

/// Print the table of the DEUDS paper for a corpus
#[derive(Debug, Args)]
pub(crate) struct DeudsTableArgs {
    #[command(flatten)]
    corpus: CorpusArgs,
}

/// A page with its section and the texts of its gold records.
struct SectionPage {
    page: Page,
    section: Node,
    gold: Vec<Vec<String>>,
}

/// An index into the columns right, partly right and wrong.
#[derive(Clone, Copy)]
enum Verdict {
    Right,
    PartlyRight,
    Wrong,
}

pub(crate) fn run(args: &DeudsTableArgs) -> Result<Outcome, LabError> {
    let corpus = Corpus::read(&args.corpus.corpus)?;
    let mut sites: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let pages = args.corpus.pages(&corpus, "lists")?;
    for page in pages.into_iter().filter(|page| page.is_main && !page.site.is_empty()) {
        sites.entry(&page.site).or_default().push(&page.id);
    }
    // per kind of section: verdicts about sections, and about their data
    let mut counts: BTreeMap<&str, [[usize; 3]; 2]> = BTreeMap::new();
    for ids in sites.values().filter(|ids| ids.len() > 1) {
        let mut pages = ids.iter().filter_map(|id| section_page(&corpus, id));
        let Some(first) = pages.next() else { continue };
        let Ok(pattern) = deuds::pattern(&ElementIndex::new(&first.page.tree), first.section) else {
            continue;
        };
        for page in pages {
            let (section, data) = verdicts(&pattern, &page);
            let kind = match page.page.tree.tag(page.section) {
                tags::TABLE | tags::TBODY => "tables",
                tags::UL | tags::OL | tags::DL => "lists",
                _ => "other sections",
            };
            let [sections, datas] = counts.entry(kind).or_default();
            sections[section as usize] += 1;
            datas[data as usize] += 1;
        }
    }
    println!("{:<16}{:>7}  section: right partly wrong  data: right partly wrong", "", "pages");
    for (kind, [sections, datas]) in &counts {
        let pages: usize = sections.iter().sum();
        let [a, b, c] = sections;
        let [d, e, f] = datas;
        println!("{kind:<16}{pages:>7}{a:>16}{b:>7}{c:>6}{d:>13}{e:>7}{f:>6}");
    }
    Ok(Outcome::Done)
}

/// None for pages whose section is not known.
fn section_page(corpus: &Corpus, id: &str) -> Option<SectionPage> {
    let page = corpus.page(id)?;
    let gold = corpus.gold(id).ok()?;
    let texts = |record: &serde_json::Value| -> Vec<String> {
        let texts = record["texts"].as_array().into_iter().flatten();
        texts.filter_map(|text| Some(folded(text.as_str()?))).filter(|text| !text.is_empty()).collect()
    };
    let gold: Vec<Vec<String>> = gold["records"].as_array()?.iter().map(texts).collect();
    let found = extract(&page, &Request::default());
    let list = found.primary().filter(|list| list.origin == Origin::Page)?;
    let extracted: Vec<String> = list.records.iter().map(|record| folded(&record.text)).collect();
    let has_more = list.records.len() as f64 * RIGHT_SHARE > gold.len() as f64;
    if share_found(&gold, &extracted) < RIGHT_SHARE || has_more {
        return None;
    }
    let parts: Vec<_> = list.records.iter().map(|record| record.place.parts.clone()).collect();
    let section = root_of(&page, &parts);
    Some(SectionPage { page, section, gold })
}

/// About the section, and about its data.
fn verdicts(pattern: &str, known: &SectionPage) -> (Verdict, Verdict) {
    let tree = &known.page.tree;
    let found = Css::parse(pattern).map(|css| css.select(&ElementIndex::new(tree))).unwrap_or_default();
    let Some(&node) = found.first() else { return (Verdict::Wrong, Verdict::Wrong) };
    let section = match node {
        node if node == known.section => Verdict::Right,
        node if tree.contains(node, known.section) || tree.contains(known.section, node) => {
            Verdict::PartlyRight
        }
        _ => Verdict::Wrong,
    };
    let read = deuds::read(&known.page, node);
    let records = read.primary().map(|list| list.records.as_slice()).unwrap_or_default();
    let texts: Vec<String> =
        records.iter().map(|record| folded(&record.cell_texts().collect::<Vec<_>>().join(" "))).collect();
    let has_records = texts.len() as f64 >= MIN_RECORDS_PER_GOLD * known.gold.len() as f64;
    let data = match share_found(&known.gold, &texts) {
        share if share >= RIGHT_SHARE && has_records => Verdict::Right,
        share if share >= PARTLY_RIGHT_SHARE => Verdict::PartlyRight,
        _ => Verdict::Wrong,
    };
    (section, data)
}

/// The share of gold records whose texts all occur in one of the given texts.
fn share_found(gold: &[Vec<String>], texts: &[String]) -> f64 {
    let is_found = |record: &&Vec<String>| {
        texts.iter().any(|whole| record.iter().all(|text| whole.contains(text.as_str())))
    };
    gold.iter().filter(is_found).count() as f64 / gold.len().max(1) as f64
}
