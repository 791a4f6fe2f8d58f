//! MDR: the sweep of K and T, and the classes of errors of the paper's Table 1.

use super::GoldPage;
use super::record_match::RecordMatch;
use copal::Method;
use copal_extract::ListOptions;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Most tag nodes of a generalised node; 10 in the paper.
const SWEPT_K: [usize; 5] = [1, 2, 3, 5, 10];
/// Edit distance thresholds; 0.3 in the paper.
const SWEPT_T: [f64; 5] = [0.1, 0.2, 0.3, 0.4, 0.5];

fn options(longest: usize, threshold: f64) -> ListOptions {
    let mut options = ListOptions::default();
    options.method = Method::Mdr;
    options.mdr.longest = longest;
    options.mdr.threshold = threshold;
    options
}

/// Macro F1 of the main list for every K and T.
pub(super) fn sweep(pages: &[GoldPage<'_>]) {
    println!("{} pages; macro F1 of the records of the main list\n", pages.len());
    let heads: Vec<String> = SWEPT_T.iter().map(|threshold| format!(" T = {threshold} |")).collect();
    println!("| K |{}\n|---|{}", heads.concat(), "--:|".repeat(SWEPT_T.len()));
    for longest in SWEPT_K {
        let cell = |&threshold: &f64| {
            let options = options(longest, threshold);
            let sum: f64 = pages.par_iter().map(|page| page.compare(&options).f1()).sum();
            format!(" {:.3} |", sum / pages.len().max(1) as f64)
        };
        println!("| {longest} |{}", SWEPT_T.iter().map(cell).collect::<String>());
    }
}

/// What becomes of the gold records, with the paper's K and with single nodes.
pub(super) fn errors(pages: &[GoldPage<'_>]) {
    println!("| K | source | pages | records | right | all-in-n | split | missed | wrong |");
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|");
    for longest in [10, 1] {
        let options = options(longest, 0.3);
        let compared: Vec<(&str, RecordMatch)> =
            pages.par_iter().map(|page| (page.about.source.as_str(), page.compare(&options))).collect();
        let mut by_source: BTreeMap<&str, (usize, RecordMatch)> = BTreeMap::new();
        for (source, one) in &compared {
            for name in [source, "all"] {
                let (count, sum) = by_source.entry(name).or_default();
                *count += 1;
                *sum += *one;
            }
        }
        for (source, (count, sum)) in by_source {
            let share = |part: usize| format!("{:.1}%", 100.0 * part as f64 / sum.gold.max(1) as f64);
            println!(
                "| {longest} | {source} | {count} | {} | {} | {} | {} | {} | {} |",
                sum.gold,
                share(sum.right),
                share(sum.joined),
                share(sum.split),
                share(sum.missed()),
                sum.found.saturating_sub(sum.right),
            );
        }
    }
}
