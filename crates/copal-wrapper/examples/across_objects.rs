//! Wrappers for pages of single objects on a site's other pages.
//!
//! `across_objects CORPUS [SAMPLES]`: a corpus as `copal eval --help` describes it. For each site with pages of objects a wrapper is learned on
//! the first pages (3 unless told) and read on the others. Printed is, by source, the share of the gold's values that are a field's
//! text: of the full extraction of all pages of the site together, and of the wrapper.

#![allow(missing_docs)]

use copal_dom::{Limits, Page, PageSource};
use copal_extract::objects::{Object, ObjectOptions, read};
use copal_wrapper::{apply, learn_objects};
use std::collections::BTreeMap;
use std::path::Path;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let corpus = args.next().ok_or("expected the folder of a corpus")?;
    let samples: usize = args.next().map_or(Ok(3), |count| count.parse())?;
    let corpus = Path::new(&corpus);
    let index = std::fs::read_to_string(corpus.join("index.jsonl"))?;
    let mut sites: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for line in index.lines().filter(|line| !line.trim().is_empty()) {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        if text("task") == "details" {
            sites.entry((text("source"), text("vertical") + &text("site"))).or_default().push(text("id"));
        }
    }
    // by source: sites, pages, values, those of the extraction, those of the wrapper
    let mut counts: BTreeMap<String, [usize; 5]> = BTreeMap::new();
    for ((source, _), ids) in sites.iter().filter(|(_, ids)| ids.len() > samples) {
        let pages: Vec<(Page, Vec<String>)> = ids.iter().filter_map(|id| page(corpus, id)).collect();
        if pages.len() <= samples {
            continue;
        }
        let all: Vec<&Page> = pages.iter().map(|(page, _)| page).collect();
        let found = read(&all, &ObjectOptions::default());
        let known: Vec<(&Page, &Object)> = all.iter().copied().zip(&found).take(samples).collect();
        let learned = learn_objects(&known).ok();
        let count = counts.entry(source.clone()).or_default();
        count[0] += 1;
        for ((page, gold), full) in pages.iter().zip(&found).skip(samples) {
            let again = learned.as_ref().and_then(|learned| apply(&learned.wrapper, page).object);
            count[1] += 1;
            count[2] += gold.len();
            count[3] += held(gold, full);
            count[4] += again.map_or(0, |again| held(gold, &again));
        }
    }
    println!("{:<14}{:>6}{:>7}{:>8}{:>12}{:>9}", "", "sites", "pages", "values", "extraction", "wrapper");
    for (source, [sites, pages, values, full, again]) in &counts {
        let share = |part: &usize| *part as f64 / (*values).max(1) as f64;
        println!("{source:<14}{sites:>6}{pages:>7}{values:>8}{:>12.3}{:>9.3}", share(full), share(again));
    }
    Ok(())
}

/// A page, and the values of its gold that it shows.
fn page(corpus: &Path, id: &str) -> Option<(Page, Vec<String>)> {
    let bytes = std::fs::read(corpus.join(format!("{id}.html"))).ok()?;
    let page = Page::from_bytes(&bytes, PageSource::default(), &Limits::default()).ok()?;
    let gold: serde_json::Value =
        serde_json::from_slice(&std::fs::read(corpus.join(format!("{id}.json"))).ok()?).ok()?;
    let values =
        gold["fields"].as_object()?.values().flat_map(|value| value.as_array().into_iter().flatten());
    let values = values.filter_map(|value| Some(letters(value.as_str()?))).filter(|value| !value.is_empty());
    Some((page, values.collect()))
}

/// Values that are the text of a field.
fn held(gold: &[String], detail: &Object) -> usize {
    let texts: Vec<String> =
        detail.fields.iter().flat_map(|field| &field.texts).map(|text| letters(text)).collect();
    gold.iter().filter(|value| texts.contains(value)).count()
}

/// Letters and digits alone, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
