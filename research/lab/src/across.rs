//! `copal-lab across`: wrappers on the other pages of a site, next to the extraction of the same pages.
//!
//! In: a corpus. For each site with several pages, the first is learned and the others are read. Out:
//! predictions of both in `OUT/wrapper.jsonl` and `OUT/extract.jsonl`. Printed are the number of wrappers
//! that find something on a page of another site (they should not), and the times without parsing and
//! learning, each the fastest of several runs. `research/compare/across.py` scores the predictions.

use crate::corpus::Corpus;
use crate::error::LabError;
use crate::options::PartArgs;
use crate::report::Outcome;
use clap::Args;
use copal_extract::{Answer, Request, extract};
use copal_wrapper::{apply, learn};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

/// The fastest of this many runs counts.
const TIMED_RUNS: usize = 5;

/// Learn each site's first page and read its other pages
#[derive(Debug, Args)]
pub(crate) struct AcrossArgs {
    /// Corpus folder
    corpus: PathBuf,

    /// Folder for the predictions
    output: PathBuf,

    /// Only pages whose id starts with this
    #[arg(long, value_name = "PREFIX", default_value = "")]
    only: String,

    #[command(flatten)]
    sites: PartArgs,
}

pub(crate) fn run(args: &AcrossArgs) -> Result<Outcome, LabError> {
    let corpus = Corpus::read(&args.corpus)?;
    let mut sites: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let part = args.sites.filter()?;
    for page in corpus.pages_of("lists").filter(|page| part.has(page)) {
        if !page.is_held_out() && page.is_main && page.id.starts_with(&args.only) {
            sites.entry(&page.site).or_default().push(&page.id);
        }
    }
    let (mut by_wrapper, mut by_extract) = (String::new(), String::new());
    let (mut wrappers, mut first_pages) = (Vec::new(), Vec::new());
    let (mut times, mut not_learned): (Vec<[f64; 2]>, usize) = (Vec::new(), 0);
    for ids in sites.values() {
        let mut pages = ids.iter().filter_map(|id| Some((*id, corpus.page(id)?)));
        let Some((_, first)) = pages.next() else { continue };
        let extracted = extract(&first, &Request::default());
        let Ok(learned) = learn(&[(&first, &extracted)]) else {
            not_learned += 1;
            continue;
        };
        for (id, page) in pages {
            let (found, apply_ms) = timed(|| apply(&learned.wrapper, &page));
            by_wrapper.push_str(&format!("{}\n", prediction(id, &found)));
            let (found, extract_ms) = timed(|| extract(&page, &Request::default()));
            by_extract.push_str(&format!("{}\n", prediction(id, &found)));
            times.push([apply_ms, extract_ms]);
        }
        wrappers.push(learned.wrapper);
        first_pages.push(first);
    }
    fs::create_dir_all(&args.output).map_err(LabError::write(&args.output))?;
    for (name, lines) in [("wrapper.jsonl", by_wrapper), ("extract.jsonl", by_extract)] {
        let path = args.output.join(name);
        fs::write(&path, lines).map_err(LabError::write(&path))?;
    }
    // each wrapper on a page of the following site, where it should find nothing
    let others = wrappers.iter().zip(first_pages.iter().cycle().skip(1));
    let found = others.filter(|(wrapper, page)| apply(wrapper, page).primary().is_some()).count();
    println!("wrappers that find records on another site's page: {found} of {}", wrappers.len());
    let sum = |which: usize| times.iter().map(|time| time[which]).sum::<f64>();
    let mut shares: Vec<f64> = times.iter().map(|time| time[0] / time[1]).collect();
    shares.sort_by(f64::total_cmp);
    println!(
        "{} pages; sites whose first page could not be learned: {not_learned}\n\
         apply {:.1} ms, extract {:.1} ms: ratio {:.3}; median ratio of the pages {:.3}",
        times.len(),
        sum(0),
        sum(1),
        sum(0) / sum(1),
        shares.get(shares.len() / 2).unwrap_or(&0.0)
    );
    Ok(Outcome::Done)
}

/// The result, and the milliseconds of the fastest run.
fn timed(mut work: impl FnMut() -> Answer) -> (Answer, f64) {
    let mut best = f64::INFINITY;
    let mut found = Answer::default();
    for _ in 0..TIMED_RUNS {
        let start = Instant::now();
        found = work();
        best = best.min(start.elapsed().as_secs_f64() * 1000.0);
    }
    (found, best)
}

fn prediction(id: &str, found: &Answer) -> Value {
    let records = found.primary().map_or(Vec::new(), |list| {
        let one = |record: &copal_extract::Record| {
            let cells = list.columns.iter().zip(&record.cells).filter(|(_, cell)| !cell.is_empty());
            let fields: serde_json::Map<String, Value> = cells
                .map(|(column, cell)| (column.name.clone(), json!(cell.texts().collect::<Vec<_>>())))
                .collect();
            json!({"text": record.text, "fields": fields})
        };
        list.records.iter().map(one).collect()
    });
    let regions =
        if records.is_empty() { json!([]) } else { json!([{"role": "primary", "records": records}]) };
    json!({"id": id, "regions": regions, "ms": null, "error": null})
}
