//! `copal-lab across-objects`: wrappers for detail pages on the other pages of a site.
//!
//! In: a corpus. For each site with detail pages, a wrapper is learned on the first pages and applied to the
//! others. Printed, by source: the share of the gold values that are the text of some field, for the full
//! extraction of all pages of the site together and for the wrapper.

use crate::corpus::Corpus;
use crate::error::LabError;
use crate::options::PartArgs;
use crate::report::Outcome;
use crate::text::folded;
use clap::Args;
use copal_dom::Page;
use copal_extract::objects::{Object, ObjectOptions, read};
use copal_wrapper::{apply, learn_objects};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Learn wrappers on the first detail pages of each site and read the others
#[derive(Debug, Args)]
pub(crate) struct AcrossObjectsArgs {
    /// Corpus folder
    corpus: PathBuf,

    /// Number of pages per site to learn from
    #[arg(default_value_t = 3)]
    samples: usize,

    /// Also print each value that the extraction finds and the wrapper does not, with its page and field
    #[arg(long)]
    lost: bool,

    #[command(flatten)]
    sites: PartArgs,
}

/// Counts of one source.
#[derive(Default)]
struct SourceCounts {
    sites: usize,
    pages: usize,
    gold_values: usize,
    extracted: usize,
    by_wrapper: usize,
}

pub(crate) fn run(args: &AcrossObjectsArgs) -> Result<Outcome, LabError> {
    let corpus = Corpus::read(&args.corpus)?;
    let mut sites: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
    let part = args.sites.filter()?;
    for page in corpus.pages_of("details").filter(|page| part.has(page)) {
        let site = format!("{}{}", page.vertical, page.site);
        sites.entry((&page.source, site)).or_default().push(&page.id);
    }
    let mut counts: BTreeMap<&str, SourceCounts> = BTreeMap::new();
    for ((source, _), ids) in sites.iter().filter(|(_, ids)| ids.len() > args.samples) {
        let pages: Vec<(&str, Page, Vec<String>)> =
            ids.iter().filter_map(|id| page_and_gold(&corpus, id)).collect();
        if pages.len() <= args.samples {
            continue;
        }
        let all: Vec<&Page> = pages.iter().map(|(_, page, _)| page).collect();
        let found = read(&all, &ObjectOptions::default());
        let samples: Vec<(&Page, &Object)> = all.iter().copied().zip(&found).take(args.samples).collect();
        let learned = learn_objects(&samples).ok();
        let count = counts.entry(source).or_default();
        count.sites += 1;
        for ((id, page, gold), extracted) in pages.iter().zip(&found).skip(args.samples) {
            let applied = learned.as_ref().and_then(|learned| apply(&learned.wrapper, page).object);
            count.pages += 1;
            count.gold_values += gold.len();
            count.extracted += values_found(gold, extracted);
            count.by_wrapper += applied.as_ref().map_or(0, |applied| values_found(gold, applied));
            if args.lost {
                print_lost(id, gold, extracted, applied.as_ref());
            }
        }
    }
    println!("{:<14}{:>6}{:>7}{:>8}{:>12}{:>9}", "", "sites", "pages", "values", "extraction", "wrapper");
    for (source, count) in &counts {
        let share = |part: usize| part as f64 / count.gold_values.max(1) as f64;
        println!(
            "{source:<14}{:>6}{:>7}{:>8}{:>12.3}{:>9.3}",
            count.sites,
            count.pages,
            count.gold_values,
            share(count.extracted),
            share(count.by_wrapper)
        );
    }
    Ok(Outcome::Done)
}

/// A page, and the gold values that it shows.
fn page_and_gold<'a>(corpus: &Corpus, id: &'a str) -> Option<(&'a str, Page, Vec<String>)> {
    let page = corpus.page(id)?;
    let gold = corpus.gold(id).ok()?;
    let values =
        gold["fields"].as_object()?.values().flat_map(|value| value.as_array().into_iter().flatten());
    let values = values.filter_map(|value| Some(folded(value.as_str()?))).filter(|value| !value.is_empty());
    Some((id, page, values.collect()))
}

/// Prints the gold values that only the extraction has, each with what the wrapper reads in that field.
fn print_lost(id: &str, gold: &[String], extracted: &Object, applied: Option<&Object>) {
    let has = |object: &Object, value: &String| {
        object.fields.iter().flat_map(|field| &field.texts).any(|text| folded(text) == *value)
    };
    for value in gold.iter().filter(|value| has(extracted, value)) {
        if applied.is_some_and(|applied| has(applied, value)) {
            continue;
        }
        for field in extracted.fields.iter().filter(|field| field.texts.iter().any(|t| folded(t) == *value)) {
            let read = applied.and_then(|applied| applied.fields.iter().find(|one| one.name == field.name));
            println!("lost\t{id}\t{}\t{:?}\t{:?}", field.name, field.texts, read.map(|read| &read.texts));
        }
    }
}

fn values_found(gold: &[String], detail: &Object) -> usize {
    let texts: Vec<String> =
        detail.fields.iter().flat_map(|field| &field.texts).map(|text| folded(text)).collect();
    gold.iter().filter(|value| texts.contains(value)).count()
}
