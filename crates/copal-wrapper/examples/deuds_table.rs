//! The table of the DEUDS paper (section VI): a pattern made on one page of a site, applied to its others.
//!
//! `deuds_table CORPUS`: a corpus as `copal eval --help` describes it. The section is the element that holds the gold's records, on
//! pages where the extraction holds (nearly) all of them. Printed are, for tables and for lists, how many sections were found
//! right, partly (a part of it, or more than it) or wrong, and how much of the gold's records the data of the section has.

#![allow(missing_docs)]

use copal_dom::{Limits, Node, Page, Source, tags};
use copal_extract::located::root_of;
use copal_extract::{Options, Origin, extract};
use copal_wrapper::{Arena, Css, deuds};
use std::collections::BTreeMap;
use std::path::Path;

/// Share of the gold's records that an extraction must hold to tell where the section is, and that right data has.
const RIGHT: f64 = 0.95;
/// Share from which on data is partly right.
const PARTLY: f64 = 0.5;
/// Least number of records whose cells are apart: data of one record with all the text is partly right at best.
const APART: f64 = 0.8;

type Failure = Box<dyn std::error::Error>;

/// A page with its section and what the records of the gold say.
struct Known {
    page: Page,
    section: Node,
    gold: Vec<Vec<String>>,
}

fn main() -> Result<(), Failure> {
    let corpus = std::env::args().nth(1).ok_or("expected the folder of a corpus")?;
    let corpus = Path::new(&corpus);
    let index = std::fs::read_to_string(corpus.join("index.jsonl"))?;
    let mut sites: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in index.lines().filter(|line| !line.trim().is_empty()) {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        if text("task") == "lists" && row["main"] != false && !text("site").is_empty() {
            sites.entry(text("site")).or_default().push(text("id"));
        }
    }
    // by kind of section: right, partly, wrong of sections; the same of data
    let mut counts: BTreeMap<&str, [[usize; 3]; 2]> = BTreeMap::new();
    for ids in sites.values().filter(|ids| ids.len() > 1) {
        let mut pages = ids.iter().filter_map(|id| known(corpus, id));
        let Some(first) = pages.next() else { continue };
        let Ok(pattern) = deuds::pattern(&Arena::new(&first.page.tree), first.section) else { continue };
        for page in pages {
            let (section, data) = verdicts(&pattern, &page);
            let kind = match page.page.tree.tag(page.section) {
                tags::TABLE | tags::TBODY => "tables",
                tags::UL | tags::OL | tags::DL => "lists",
                _ => "other sections",
            };
            let [sections, datas] = counts.entry(kind).or_default();
            sections[section] += 1;
            datas[data] += 1;
        }
    }
    println!("{:<16}{:>7}  section: right partly wrong  data: right partly wrong", "", "pages");
    for (kind, [sections, datas]) in &counts {
        let pages: usize = sections.iter().sum();
        let [a, b, c] = sections;
        let [d, e, f] = datas;
        println!("{kind:<16}{pages:>7}{a:>16}{b:>7}{c:>6}{d:>13}{e:>7}{f:>6}");
    }
    Ok(())
}

/// None for pages whose section is not known.
fn known(corpus: &Path, id: &str) -> Option<Known> {
    let bytes = std::fs::read(corpus.join(format!("{id}.html"))).ok()?;
    let page = Page::from_bytes(&bytes, Source::default(), &Limits::default()).ok()?;
    let gold: serde_json::Value =
        serde_json::from_slice(&std::fs::read(corpus.join(format!("{id}.json"))).ok()?).ok()?;
    let texts = |record: &serde_json::Value| -> Vec<String> {
        let texts = record["texts"].as_array().into_iter().flatten();
        texts.filter_map(|text| Some(letters(text.as_str()?))).filter(|text| !text.is_empty()).collect()
    };
    let gold: Vec<Vec<String>> = gold["records"].as_array()?.iter().map(texts).collect();
    let found = extract(&page, &Options::default());
    let list = found.primary().filter(|list| list.origin == Origin::Page)?;
    let said: Vec<String> = list.records.iter().map(|record| letters(&record.text)).collect();
    if held(&gold, &said) < RIGHT || list.records.len() as f64 * RIGHT > gold.len() as f64 {
        return None;
    }
    let parts: Vec<_> = list.records.iter().map(|record| record.place.parts.clone()).collect();
    let section = root_of(&page, &parts);
    Some(Known { page, section, gold })
}

/// 0 right, 1 partly, 2 wrong: the section, and its data.
fn verdicts(pattern: &str, known: &Known) -> (usize, usize) {
    let tree = &known.page.tree;
    let found = Css::parse(pattern).map(|css| css.select(&Arena::new(tree))).unwrap_or_default();
    let Some(&node) = found.first() else { return (2, 2) };
    let section = match node {
        node if node == known.section => 0,
        node if tree.contains(node, known.section) || tree.contains(known.section, node) => 1,
        _ => 2,
    };
    let read = deuds::read(&known.page, node);
    let records = read.primary().map(|list| list.records.as_slice()).unwrap_or_default();
    let said: Vec<String> =
        records.iter().map(|record| letters(&record.cell_texts().collect::<Vec<_>>().join(" "))).collect();
    let share = held(&known.gold, &said);
    let apart = said.len() as f64 >= APART * known.gold.len() as f64;
    let data = match share {
        share if share >= RIGHT && apart => 0,
        share if share >= PARTLY => 1,
        _ => 2,
    };
    (section, data)
}

/// Share of the records all of whose texts stand in one of the texts that were read.
fn held(gold: &[Vec<String>], said: &[String]) -> f64 {
    let there = |record: &&Vec<String>| {
        said.iter().any(|said| record.iter().all(|text| said.contains(text.as_str())))
    };
    gold.iter().filter(there).count() as f64 / gold.len().max(1) as f64
}

/// Letters and digits alone, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
