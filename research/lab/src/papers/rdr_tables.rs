//! RDR: its parts apart (section 4 of the paper measures the region, the division and the noise together).
//!
//! The region is judged by the gold records that it holds and by its share of the page's text. The following
//! steps are judged by the best of their lists, so that the choice of the main list does not count until the
//! last row. `record_match` says what a right record is.

use super::GoldPage;
use super::record_match::RecordMatch;
use crate::text::folded;
use copal_extract::research::rich_data_region;
use copal_extract::{ListOptions, Method, RdrOptions, find};
use rayon::prelude::*;

/// A step, and the settings that switch the later steps off.
const STEPS: &[(&str, &[(&str, &str)])] = &[
    ("division", &[("rdr.entropy", "0"), ("rdr.noise", "0"), ("rdr.noise-first", "0")]),
    ("+ formatting entropy", &[("rdr.noise", "0"), ("rdr.noise-first", "0")]),
    ("+ noise", &[]),
];

pub(super) fn parts(pages: &[GoldPage<'_>]) {
    let regions: Vec<RegionResult> = pages.par_iter().map(region_result).collect();
    let count = |is: &dyn Fn(&RegionResult) -> bool| {
        100.0 * regions.iter().filter(|result| is(result)).count() as f64 / pages.len().max(1) as f64
    };
    let mut shares: Vec<f64> = regions.iter().map(|result| result.text_share).collect();
    shares.sort_by(f64::total_cmp);
    println!("| rich data region, {} pages | |\n|---|--:|", pages.len());
    println!("| holds all gold records | {:.1}% |", count(&|result| result.held >= 1.0));
    println!("| holds at least half of them | {:.1}% |", count(&|result| result.held >= 0.5));
    println!("| is smaller than the page | {:.1}% |", count(&|result| result.text_share < 0.95));
    println!("| median share of the page's text | {:.2} |\n", shares.get(shares.len() / 2).unwrap_or(&0.0));
    println!("| step | list | P | R | F1 |\n|---|---|--:|--:|--:|");
    for (name, settings) in STEPS {
        let mut options = ListOptions::default();
        options.method = Method::Rdr;
        for (key, value) in *settings {
            // the names are those of `--set`, which the tests of copal-extract check
            let _ = options.set(key, value);
        }
        print_row(name, "best", &matched(pages, &options, best_list));
        if settings.is_empty() {
            print_row("ranking by text", "main", &matched(pages, &options, main_list));
        }
    }
}

struct RegionResult {
    /// Share of the gold records whose texts the region has.
    held: f64,
    text_share: f64,
}

fn region_result(gold: &GoldPage<'_>) -> RegionResult {
    let (page, tree) = (&gold.page, &gold.page.tree);
    let root = rich_data_region(page, &RdrOptions::default());
    let part = root..tree.end(root);
    let text = folded(&page.visible_text(part.clone()));
    let held =
        gold.records.iter().filter(|record| record.iter().all(|one| text.contains(one.as_str()))).count();
    let all = page.index.chars(&(0..tree.len() as copal_dom::Node)).max(1);
    RegionResult {
        held: held as f64 / gold.records.len().max(1) as f64,
        text_share: f64::from(page.index.chars(&part)) / f64::from(all),
    }
}

type Choose = fn(&GoldPage<'_>, &ListOptions) -> RecordMatch;

fn matched(pages: &[GoldPage<'_>], options: &ListOptions, choose: Choose) -> RecordMatch {
    let each: Vec<RecordMatch> = pages.par_iter().map(|gold| choose(gold, options)).collect();
    each.into_iter().fold(RecordMatch::default(), |mut all, one| {
        all += one;
        all
    })
}

fn main_list(gold: &GoldPage<'_>, options: &ListOptions) -> RecordMatch {
    gold.compare(options)
}

/// The list that fits the gold best.
fn best_list(gold: &GoldPage<'_>, options: &ListOptions) -> RecordMatch {
    let found = find(&gold.page, options);
    let lists = found.regions.iter().map(|list| RecordMatch::of(&gold.page, &gold.records, &list.records));
    let none = RecordMatch::of(&gold.page, &gold.records, &[]);
    lists.max_by(|a, b| a.f1().total_cmp(&b.f1())).unwrap_or(none)
}

fn print_row(step: &str, list: &str, counts: &RecordMatch) {
    let precision = counts.right as f64 / counts.found.max(1) as f64;
    println!("| {step} | {list} | {precision:.3} | {:.3} | {:.3} |", counts.accuracy(), counts.f1());
}
