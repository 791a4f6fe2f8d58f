//! Wrappers on a site's other pages: what they find next to the extraction, and how long both take.
//!
//! `across CORPUS OUT [--only PREFIX]`: a corpus as `copal eval --help` describes it. For each site with several pages the first is
//! learned and the others are read. Writes predictions of both to `OUT/wrapper.jsonl` and `OUT/extract.jsonl`, and prints the
//! share of wrappers that find something on a page of another site, and the times, without parsing (and without learning): fastest of several runs. `compare/across.py` scores the predictions.

#![allow(missing_docs)]

use copal_dom::{Limits, Page, Source};
use copal_extract::{Answer, Options, extract};
use copal_wrapper::{apply, learn};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Runs of which the fastest counts.
const RUNS: usize = 5;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [corpus, out, rest @ ..] = &args[..] else { return Err("expected CORPUS and OUT".into()) };
    let only = match rest {
        [option, prefix] if option == "--only" => prefix.as_str(),
        _ => "",
    };
    let (corpus, out) = (Path::new(corpus), Path::new(out));
    let mut sites: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in std::fs::read_to_string(corpus.join("index.jsonl"))?.lines() {
        let row: Value = serde_json::from_str(line)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let held = row["split"].as_str().is_some_and(|split| split != "dev");
        if text("task") == "lists" && !held && row["main"] != false && text("id").starts_with(only) {
            sites.entry(text("site")).or_default().push(text("id"));
        }
    }
    std::fs::create_dir_all(out)?;
    let mut by_wrapper = std::fs::File::create(out.join("wrapper.jsonl"))?;
    let mut by_extract = std::fs::File::create(out.join("extract.jsonl"))?;
    let (mut wrappers, mut firsts) = (Vec::new(), Vec::new());
    let (mut times, mut failed): (Vec<[f64; 2]>, usize) = (Vec::new(), 0);
    for pages in sites.values() {
        let mut pages = pages.iter().filter_map(|id| Some((id, read(corpus, id)?)));
        let Some((_, first)) = pages.next() else { continue };
        let known = extract(&first, &Options::default());
        let Ok(learned) = learn(&[(&first, &known)]) else {
            failed += 1;
            continue;
        };
        for (id, page) in pages {
            let (found, applied) = timed(|| apply(&learned.wrapper, &page));
            writeln!(by_wrapper, "{}", prediction(id, &found))?;
            let (found, extracted) = timed(|| extract(&page, &Options::default()));
            writeln!(by_extract, "{}", prediction(id, &found))?;
            times.push([applied, extracted]);
        }
        wrappers.push(learned.wrapper);
        firsts.push(first);
    }
    // each wrapper on the page of the site behind it, where it should find nothing
    let others = wrappers.iter().zip(firsts.iter().cycle().skip(1));
    let found = others.filter(|(wrapper, page)| apply(wrapper, page).primary().is_some()).count();
    println!("wrappers that find records on another site's page: {found} of {}", wrappers.len());
    let sum = |which: usize| times.iter().map(|time| time[which]).sum::<f64>();
    let mut shares: Vec<f64> = times.iter().map(|time| time[0] / time[1]).collect();
    shares.sort_by(f64::total_cmp);
    println!(
        "{} pages; sites whose first page is not learned: {failed}\napply {:.1} ms, extract {:.1} ms: {:.3} of it; median of the pages {:.3}",
        times.len(),
        sum(0),
        sum(1),
        sum(0) / sum(1),
        shares.get(shares.len() / 2).unwrap_or(&0.0)
    );
    Ok(())
}

fn read(corpus: &Path, id: &str) -> Option<Page> {
    let bytes = std::fs::read(corpus.join(format!("{id}.html"))).ok()?;
    Page::from_bytes(&bytes, Source::default(), &Limits::default()).ok()
}

/// What comes out, and the milliseconds of the fastest run.
fn timed(mut work: impl FnMut() -> Answer) -> (Answer, f64) {
    let mut best = f64::INFINITY;
    let mut found = Answer::default();
    for _ in 0..RUNS {
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
